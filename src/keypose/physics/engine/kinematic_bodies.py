"""How do motions push bodies? What a motion moves is a thousand times as heavy as all others, and before every tick is
sent to where it is then, as fast as that takes: so it pushes with its speed, nothing pushes it, and it is where its
motion was a tick ago.
"""

from typing import TYPE_CHECKING

import numpy as np

from keypose.maths import quaternion
from keypose.maths.arrays import Floats
from keypose.maths.quaternion import turn_away
from keypose.motion.pose import Pose
from keypose.physics.values.movers import TICK

if TYPE_CHECKING:
    from keypose.physics.engine.engine import Engine


A_JUMP = 0.25  # of half its width: what is farther than that from where it would go has been put elsewhere


def drive(engine: "Engine", first: int, poses: Floats, dt: float) -> None:
    """Let those whom motions move, from the `first` row on, go on to `poses` (n, 7), as fast as that takes."""
    for row, pose in enumerate(poses, first):
        place = engine.place[row]
        spin = turn_away(place[3:], pose[3:]) / dt
        back = quaternion.conjugate(place[3:])
        engine.send(row, (pose[:3] - place[:3]) / dt, quaternion.rotate(back, spin))
    engine.look()


def jumps(engine: "Engine", row: int, pose: Pose) -> bool:
    """Whether a body is to be at a pose now that is not where it went: it would hit whatever is on its way there."""
    place, going = engine.place[row], engine.going[row]
    off = pose.position - place[:3] - TICK * going[:3]
    turned = turn_away(place[3:], pose.orientation) - TICK * quaternion.rotate(place[3:], going[3:])
    return bool(np.linalg.norm(off) + engine.widest * np.linalg.norm(turned) > A_JUMP * engine.narrow[row])
