"""How do motions push bodies? What a motion moves is a thousand times as heavy as all others, and before every tick is
sent to where it is then, as fast as that takes: so it pushes with its speed, nothing pushes it, and it is where its
motion was a tick ago.
"""

from typing import TYPE_CHECKING

import numpy as np

from keypose.maths import Floats, quaternion
from keypose.motion import Pose
from keypose.physics.values.movers import TICK

if TYPE_CHECKING:
    from keypose.physics.engine.engine import Engine


JUMP_FRACTION = 0.25  # of half its width: what is farther than that from where it would go has been put elsewhere


def drive_kinematic_bodies(engine: "Engine", first_row: int, poses: Floats, dt: float) -> None:
    """Let those whom motions move, from the `first_row` row on, go on to `poses` (n, 7), as fast as that takes."""
    for row, pose in enumerate(poses, first_row):
        current = engine.poses[row]
        angular_velocity = quaternion.rotation_vector_between(current[3:], pose[3:]) / dt
        to_local = quaternion.conjugate(current[3:])
        engine.set_velocity(row, (pose[:3] - current[:3]) / dt, quaternion.rotate(to_local, angular_velocity))
    engine.forward()


def is_jump(engine: "Engine", row: int, pose: Pose) -> bool:
    """Whether a body is to be at a pose now that is not where it went: it would hit whatever is on its way there."""
    current, velocity = engine.poses[row], engine.velocities[row]
    position_error = pose.position - current[:3] - TICK * velocity[:3]
    rotation_error = quaternion.rotation_vector_between(current[3:], pose.orientation) - TICK * quaternion.rotate(
        current[3:], velocity[3:]
    )
    return bool(
        np.linalg.norm(position_error) + engine.max_bounding_radius * np.linalg.norm(rotation_error)
        > JUMP_FRACTION * engine.half_widths[row]
    )
