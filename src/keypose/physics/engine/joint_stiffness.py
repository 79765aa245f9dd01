"""How stiff may a joint be? As stiff as it likes: what is too much for a step is taken as inertia and damping.

A step h carries k·h² up to the inertia I it turns; beyond four times that whoever hangs there is lost. Of what is too
much, half, (k·h² − I)/2, is added to the inertia of the joint, and as much for each step to its damping: no step is
too long then, the joint rests where load and stiffness balance, and what swings faster than steps can show calms down.
"""

from collections.abc import Sequence

import numpy as np

from keypose.maths import quaternion
from keypose.maths.arrays import Floats
from keypose.physics.engine.model_spec import Hung, Solid


def carried_by_steps(solids: Sequence[Solid], inertia: Floats, axes: Floats) -> dict[int, tuple[Hung, float]]:
    """How much k·h² [kg m²] of each joint that draws back to rest steps carry, beside it, by the row that hangs by it.

    That is the inertia of the lighter of the two it holds, about its axis, wherever they are: each body gives an equal
    share of its own to all such joints at it. What else hangs there only makes it harder to turn.
    """
    stiff = {row: solid.hung for row, solid in enumerate(solids) if solid.hung is not None and solid.hung.stiffness > 0}
    ends = {row: [one for one in (row, hung.on) if solids[one].moves] for row, hung in stiff.items()}
    shares: dict[int, int] = {}
    for bodies in ends.values():
        for one in bodies:
            shares[one] = shares.get(one, 0) + 1
    found = {}
    for row, hung in stiff.items():
        resists = []
        for one in ends[row]:
            least = float(inertia[one].min())
            if hung.axis is not None:
                turn = quaternion.multiply(np.array(solids[one].orientation), axes[one])
                along = quaternion.rotate(quaternion.conjugate(turn), np.array(hung.axis))
                least = float(1 / (along**2 / inertia[one]).sum() * (along @ along))
            resists.append(least / shares[one])
        found[row] = hung, min(resists)
    return found
