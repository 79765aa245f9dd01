"""An arm that waves while its body walks by: each joint only turns on its parent, whatever moves below (GL95 §6.1)."""

from itertools import pairwise

import numpy as np

from keypose import Actor, FaceForward, Key, Motion, MotionPath, Orientation, Stage, shoot
from keypose.maths.quaternion import rotate

ARM = ("shoulder", "elbow", "wrist", "knuckle", "fingertip")


def joint(position: tuple[float, float, float], first_angle: float, second_angle: float) -> Motion:
    """Bends about z, to and fro. Its first key says where on its parent it sits; the others only turn."""
    first, second = (Orientation.turned(angle, "z") for angle in (first_angle, second_angle))
    keys = [
        Key(position, time=0, orientation=first),
        Key(time=0.4, orientation=second),
        Key(time=0.8, orientation=first),
    ]
    return Motion(MotionPath(keys, ends="still"), outside="cycle")


walk = Motion(MotionPath([(0, 0, 0), (1, 0, 2), (4, 0, 3)]), duration=3.2)
stage = Stage(
    [
        Actor("body", walk, facing=FaceForward()),
        Actor("shoulder", joint((0.2, 1.4, 0), -10, 5), parent="body"),
        Actor("elbow", joint((0.34, 0, 0), 60, 105), parent="shoulder"),
        Actor("wrist", joint((0.28, 0, 0), -20, 25), parent="elbow"),
        Actor("knuckle", joint((0.11, 0, 0), -5, 10), parent="wrist"),
        Actor("fingertip", joint((0.1, 0, 0), 0, 0), parent="knuckle"),
    ]
)


def main() -> None:
    """See that joints only turn, that bones keep their lengths, and that the fingertip is all turns composed."""
    take = shoot(stage, seconds=3.2)
    own = {name: stage[name].motion.at(take.times) for name in ARM}
    for parent, name in pairwise(ARM):
        assert np.allclose(own[name].position, own[name].position[0], atol=1e-15), "on its parent a joint stays put"
        bone = np.linalg.norm(take[name].position - take[parent].position, axis=1)
        assert np.allclose(bone, own[name].position[0, 0], atol=1e-12), "so no bone is ever stretched"

    position = np.zeros(3)
    for pose in (*(own[name] for name in reversed(ARM)), take.poses["body"]):
        position = pose.position + rotate(pose.orientation, position)
    assert np.allclose(take["fingertip"].position, position, atol=1e-12)
    low, high = take["fingertip"].position[:, 1].min(), take["fingertip"].position[:, 1].max()
    print(
        f"{len(take.times)} frames; on a walk of {walk.path.length:.1f} m "
        f"the fingertip waves {low:.2f} to {high:.2f} m high."
    )


if __name__ == "__main__":
    main()
