"""How do a thousand actors stand on a thousand others? Level by level, from those up who need nobody.

All of a level are composed in one call, and so are all who turn to look at somebody.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from keypose.motion.facing import towards
from keypose.motion.hierarchy import middle, stood_on
from keypose.motion.pose import Pose
from keypose.stage.order import NONE_LATE, Bound, Late, Step, needs

WORTH_JOINING = 8  # poses: fewer are composed one by one in the time it takes to lay them side by side


def levels(actors: Mapping[str, Bound], steps: Sequence[Step], late: Late = NONE_LATE) -> list[list[Step]]:
    """Steps in order, each in the first level after those of all it needs."""
    level: dict[Step, int] = {}
    found: list[list[Step]] = []
    for step in steps:
        level[step] = max((level[other] + 1 for other in needs(actors, step, late)), default=0)
        if level[step] == len(found):
            found.append([])
        found[level[step]].append(step)
    return found


def stood_together(parents: Sequence[Pose], children: Sequence[Pose]) -> list[Pose]:
    """`stood_on` for each parent and child, all at equally many instants (n,)."""
    if len(children) < WORTH_JOINING or any(child.position.ndim > 2 for child in children):
        return [stood_on(parent, child) for parent, child in zip(parents, children, strict=True)]
    under = Pose.of(
        np.concatenate([middle(parent) for parent in parents]),
        np.concatenate([parent.orientation for parent in parents]),
    )
    own = Pose.of(
        np.concatenate([child.position for child in children]),
        np.concatenate([child.orientation for child in children]),
    )
    world, shape = stood_on(under, own), (len(children), -1)
    return list(map(Pose.of, world.position.reshape(*shape, 3), world.orientation.reshape(*shape, 4)))


def turned_together(poses: Sequence[Pose], others: Sequence[Pose]) -> list[Pose]:
    """Each of these poses turned to look at the other, all at equally many instants (n,)."""
    if not poses:
        return []
    away = np.stack([middle(other) - middle(here) for here, other in zip(poses, others, strict=True)])
    facings = towards(away, np.stack([here.orientation for here in poses]))
    return [Pose.of(here.position, facing) for here, facing in zip(poses, facings, strict=True)]
