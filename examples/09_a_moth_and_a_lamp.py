"""A lamp is carried across a porch. A moth senses its light, goes round it and never lands; a fly does not sense it."""

import numpy as np

from keypose import Actor, DynamicSpline, FaceForward, Key, Motion, MotionPath, Stage, fields, shoot

lamp_path = MotionPath([Key((-2, 1.6, 0)), Key((0, 1.8, 0.5)), Key((2, 1.5, 0))])
light = fields.Attractor(6.0, falloff=0).carried_by("lamp")
lamp_vortex = fields.Vortex(4.0).carried_by("lamp")  # a moth keeps the light on one side, so it goes round
flutter = fields.Noise(4.0, scale=0.6, speed=1.5, seed=4)
breeze = fields.Uniform((0.3, 0, 0.1))
stage = Stage(
    [
        Actor("lamp", Motion(lamp_path, duration=5.0), look="#e69f00"),
        Actor(
            "moth",
            DynamicSpline(
                (-3, 2.2, 0.6),
                (0.5, 0, 2.0),
                friction=0.06,
                senses={light: 1, lamp_vortex: 1, "flutter": 0.7, "breeze": 1},
            ),
            facing=FaceForward(),
            look="#56b4e9",
        ),
        Actor("fly", DynamicSpline((-3, 1, 1), (0.8, 0.3, -0.2), senses={"breeze": 1}), look="#999999"),
    ],
    fields={"breeze": breeze, "flutter": flutter},
)


def main() -> None:
    """See that the moth stays with the lamp and goes round it, and that the fly only knows of the breeze."""
    take = shoot(stage, seconds=8, fps=24)
    lamp, moth, fly = (take[name].position for name in ("lamp", "moth", "fly"))
    distance = np.linalg.norm(moth - lamp, axis=1)
    round_it = np.unwrap(np.arctan2(*(moth - lamp)[:, [0, 2]].T))
    turns = np.ptp(round_it) / (2 * np.pi)
    assert distance.max() < 2, "it goes where the lamp goes"
    assert distance.min() > 0.5, "and never lands"
    assert turns > 2, "but goes round and round"
    t = take.times[:, None]
    expected = fly[0] + np.array((0.8, 0.3, -0.2)) * t + np.array((0.3, 0, 0.1)) * t**2 / 2
    assert np.allclose(fly, expected), "who is not linked to a field does not sense it"
    print(f"The moth went round the lamp {turns:.1f} times, {distance.min():.2f} to {distance.max():.2f} m away.")


if __name__ == "__main__":
    main()
