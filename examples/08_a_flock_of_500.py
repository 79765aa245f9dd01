"""Five hundred starlings keep together; a falcon stoops through them, and the flock parts and closes again."""

import numpy as np

from keypose import Actor, DynamicSpline, FaceForward, Motion, MotionPath, Stage, fields, shoot

COUNT = 500
rng = np.random.default_rng(89)
positions = np.round(rng.normal(size=(COUNT, 3)) * (2.4, 1.0, 1.6) + (-6, 4, 0), 2)

senses = {"together": 0.03, "terror": 1.0, "gusts": 0.6}
stoop = MotionPath([(2, 9, -7), (-0.5, 4.2, -0.5), (-1.5, 3, 6)])
stage = Stage(
    [
        Actor("falcon", Motion(stoop, duration=2.0), facing=FaceForward(), look="#d55e00"),
        *(
            Actor(f"starling/{number}", DynamicSpline(position, (5, 0, 0), friction=0.04, senses=senses))
            for number, position in enumerate(positions.tolist())
        ),
    ],
    fields={
        "together": fields.KeepOffset("starling/*"),  # each keeps its position as seen from the middle of all
        "terror": fields.Repeller(90.0, core=0.8).within(3.0, edge=1.0).carried_by("falcon"),
        "gusts": fields.Uniform((5, 0, 0)) + fields.Noise(3.0, scale=2.0, seed=1),
    },
)


def main() -> None:
    """See that those near the falcon give way, and that the flock is itself again when it has gone."""
    take = shoot(stage, seconds=4, tick=1 / 12)
    birds = np.stack([take[f"starling/{number}"].position for number in range(COUNT)], axis=1)
    distance = np.linalg.norm(birds - take["falcon"].position[:, None], axis=2)
    shape = birds - birds.mean(axis=1, keepdims=True)
    moved = np.linalg.norm(shape - shape[0], axis=2)  # from its position in the flock
    parted = (moved > 1.5).sum(axis=1)
    assert distance.min() > 0.6, "nobody is caught, though the falcon goes through the middle"
    assert parted.max() > 50, "the flock parts before it"
    assert parted[-1] <= 5, "and closes again"
    print(f"{COUNT} birds; the falcon came as near as {distance.min():.2f} m, and {parted.max()} of them gave way.")


if __name__ == "__main__":
    main()
