"""What hangs on a body beside its middle? How much its weight can turn it, and how much harder to turn that makes it.

What is pinned or hinged to it moves with it, as a part of it. What turns any way about a place weighs there, with all
that hangs on it in turn.
"""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from keypose.maths import quaternion
from keypose.maths.arrays import Floats
from keypose.physics.engine.model_spec import Solid, Tie

Beside = Mapping[int, Sequence[tuple[int, Tie]]]
"""Who is held to each, and by which tie."""


def loads(
    solids: Sequence[Solid], ties: Sequence[Tie], mass: Floats, inertia: Floats, axes: Floats, gravity: float
) -> Floats:
    """How all that hangs on each of those who move can turn it by its weight [rad/s²], and how many times as hard to
    turn that makes it, (moving, 2); about whichever axis of its inertia that is more.
    """
    beside = _beside(solids, ties)
    found = np.tile([0.0, 1.0], (len(mass), 1))
    for row in beside:
        here, turn = np.array(solids[row].position), quaternion.multiply(np.array(solids[row].orientation), axes[row])
        weighs = resists = np.zeros(3)
        for who, place, swings in _hung(row, beside, solids):
            x, y, z = quaternion.rotate(quaternion.conjugate(turn), place - here)
            lever, weight = np.hypot([y, z, x], [z, x, y]), mass[who].sum()
            weighs = weighs + weight * lever
            resists = resists + weight * lever**2 + (0.0 if swings else inertia[who].max())
        found[row] = gravity * (weighs / inertia[row]).max(), 1.0 + (resists / inertia[row]).max()
    return found


def _beside(solids: Sequence[Solid], ties: Sequence[Tie]) -> Beside:
    """Those who are free to move and held to each other."""
    free = {number for number, solid in enumerate(solids) if solid.moves and not solid.is_driven}
    found: dict[int, list[tuple[int, Tie]]] = {}
    for tie in ties:
        if tie.two is not None and {tie.one, tie.two} <= free:
            found.setdefault(tie.one, []).append((tie.two, tie))
            found.setdefault(tie.two, []).append((tie.one, tie))
    return found


def _hung(row: int, beside: Beside, solids: Sequence[Solid]) -> Iterator[tuple[list[int], Floats, bool]]:
    """Who hangs on a body together, where they weigh, and whether they turn any way about that place."""
    known, firm = {row}, [row]
    for one in firm:
        for other, tie in beside[one]:
            if other in known:
                continue
            known.add(other)
            if len(tie.places) == 1:
                yield _beyond(other, beside, known), np.array(tie.places[0]), True
            else:
                firm.append(other)
                yield [other], np.array(solids[other].position), False


def _beyond(row: int, beside: Beside, known: set[int]) -> list[int]:
    """A body and all that hangs on it and is not `known` yet, which it is then."""
    found = [row]
    for one in found:
        new = [other for other, _ in beside[one] if other not in known]
        known.update(new)
        found += dict.fromkeys(new)
    return found
