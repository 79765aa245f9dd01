"""Two cameras: one rides on a roller coaster car that leans into its curves, one stays and keeps it in view."""

import numpy as np

from keypose import Actor, Camera, FaceForward, Key, LookAt, Motion, MotionPath, SpeedProfile, Stage, shoot
from keypose.maths.quaternion import rotate

rails = MotionPath([(0, 1, 0), (6, 4, 2), (10, 1, 8), (4, 2, 12), (-3, 1, 6)], closed=True)
seat = MotionPath([Key((0, 0.6, 0)), Key((0.1, 0.6, 0))])  # looking around a little
stage = Stage(
    [
        Actor("car", Motion(rails, SpeedProfile([3, 1, 4, 3]), duration=6.0), facing=FaceForward(bank=0.2), look="red"),
        Actor("rider", Motion(seat, duration=6.0), parent="car", look=Camera(70)),
        Actor(
            "tripod", Motion(MotionPath([(3, 2, 5), (3, 3, 5)]), duration=6.0), facing=LookAt("car"), look=Camera(35)
        ),
    ]
)


def main() -> None:
    """See that the car faces its way, the rider sees what the car faces, and the tripod has the car in its middle."""
    take = shoot(stage, seconds=6, fps=30)
    car, tripod, rider = take["car"], take["tripod"], take["rider"]
    ahead = rotate(car.orientation, np.array([0.0, 0.0, 1.0]))
    velocity = stage["car"].motion.velocity(take.times)
    assert np.allclose(ahead, velocity / np.linalg.norm(velocity, axis=1, keepdims=True))
    assert np.allclose(rotate(rider.orientation, np.array([0.0, 0.0, 1.0])), ahead)
    direction = car.position - tripod.position
    direction /= np.linalg.norm(direction, axis=1, keepdims=True)
    assert np.allclose(rotate(tripod.orientation, np.array([0.0, 0.0, 1.0])), direction)
    lean = np.degrees(np.arcsin(rotate(car.orientation, np.array([1.0, 0.0, 0.0]))[:, 1]))
    print(f"{len(take.times)} frames; the car leans up to {np.abs(lean).max():.0f} degrees.")


if __name__ == "__main__":
    main()
