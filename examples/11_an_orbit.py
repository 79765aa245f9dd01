"""A moon goes round a planet that travels. Advanced as in the paper it drifts away; `integrator="steady"` keeps it."""

import numpy as np

from keypose import Actor, DynamicSpline, Motion, MotionPath, Stage, fields, shoot

RADIUS, GRAVITY = 1.5, 9.0
SPEED = np.sqrt(GRAVITY / RADIUS)  # [m/s] of a circle at that radius
TRAVEL = np.array([0.4, 0, 0.0])  # [m/s]
SECONDS = 60

start, launch = (RADIUS, 0, 0), TRAVEL + np.array((0, 0, SPEED))
stage = Stage(
    [
        Actor("planet", Motion(MotionPath([(0, 0, 0), (TRAVEL * SECONDS).tolist()]), duration=SECONDS), look="#0072b2"),
        Actor("moon", DynamicSpline(start, launch, senses={"pull": 1}, integrator="steady"), look="#d55e00"),
        Actor("as in the paper", DynamicSpline(start, launch, senses={"pull": 1}), look="#999999"),
    ],
    fields={"pull": fields.Attractor(GRAVITY).carried_by("planet")},
)


def main() -> None:
    """See that after sixteen orbits the moon is still where it was, and where the paper's equation has left it."""
    take = shoot(stage, SECONDS)
    distance = {name: np.linalg.norm(take[name].position - take["planet"].position, axis=1) for name in take.names[1:]}
    steady, drifting = distance["moon"], distance["as in the paper"]
    assert np.abs(steady - RADIUS).max() < 0.01, "the orbit keeps its radius to a centimetre"
    assert drifting[-1] > 2 * RADIUS, "the paper's way of advancing gains energy in it"
    orbits = SECONDS * SPEED / (2 * np.pi * RADIUS)
    print(f"After {orbits:.0f} orbits the moon is {steady[-1]:.3f} m away, as in the paper {drifting[-1]:.3f} m.")


if __name__ == "__main__":
    main()
