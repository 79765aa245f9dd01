"""How well does everybody get on? Compiled loops: the twin of `regulate.efficient`, for all strands of a script."""

import numpy as np

from keypose.maths.arrays import Bools, Floats, Ints
from keypose.maths.kernel import kernel
from keypose.motion.appointments import ACTIVE
from keypose.script.plan import A_HAIR
from keypose.script.regulate import BEST, FILTER, OWN, WORST


@kernel
def notice(
    at: Floats,
    gone: Floats,
    left: Floats,
    was_left: Floats,
    strand: Ints,
    where: Floats,
    first: Ints,
    of_bodies: Bools,
    state: Ints,
    reached: Floats,
    early: Bools,
    races: int,
    pace: Floats,
    ease: Floats,
    hold: Floats,
    seconds: float,
    efficiency: Floats,
) -> None:
    """Let the `efficiency` of all who race be what is seen of it.

    A target that goes shows that itself. One that has come to its end, or waits for a body that was pushed away, went
    less than 0: then its body shows it, if that is waited for and comes to its goal at its own speed; at another one
    what is left falls, or grows, as that changes.
    """
    noticed, best, went = 1 - np.exp(-seconds / FILTER), np.full(races, BEST), gone[:races].copy()
    for one in range(races):
        if at[one] >= hold[one] - A_HAIR:
            went[one] = -1.0
    for meeting in range(len(state)):
        if state[meeting] != ACTIVE or not of_bodies[meeting]:
            continue
        for goal in range(first[meeting], first[meeting + 1]):
            one = strand[goal]
            if one >= races:
                continue
            best[one] = 1.0
            if went[one] < 0.0 and ease[one] > OWN and np.isnan(reached[goal]) and not early[goal]:
                by_others = at[one] >= hold[one] - A_HAIR and at[one] < where[goal] - A_HAIR
                if not by_others and np.isfinite(was_left[goal]):
                    went[one] = max(was_left[goal] - left[goal], 0.0)
    for one in range(races):
        speed = pace[one] * ease[one] * seconds
        if speed > 0.0 and went[one] >= 0.0:
            seen = min(max(went[one] / speed, WORST), best[one])
            efficiency[one] += noticed * (seen - efficiency[one])
