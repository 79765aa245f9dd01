"""Compiled loop: can all meetings be that somebody asks for? The twin of what `Ties` finds, for it is asked often."""

import numpy as np

from keypose.maths.arrays import Bools, Floats, Ints
from keypose.maths.kernel_switch import kernel
from keypose.maths.tolerance import PROGRESS_TOLERANCE
from keypose.motion.sync_protocol import ACTIVE, DONE, WAITING


@kernel
def are_tied(
    asking: Bools,
    at: Floats,
    strand: Ints,
    where: Floats,
    first: Ints,
    of_bodies: Bools,
    gates: Bools,
    meeting_of: Ints,
    on_strand: Ints,
    begins: Ints,
    parents: Ints,
    born: Ints,
    needs: Ints,
    state: Ints,
    reached: Floats,
    early: Bools,
    stays: Bools,
) -> bool:
    """Whether some of those who ask (meetings,) can never be, as they and others wait for each other.

    Goals stand strand by strand in `on_strand`, from the first on, each strand's from its `begins`; the parents of each
    meeting in `parents`, from where it is `born`. What can be is found round after round, until nothing more can.
    """
    can_be, changes = state == DONE, True
    while changes:
        changes = False
        for meeting in range(len(state)):
            if can_be[meeting] or (state[meeting] != WAITING and state[meeting] != ACTIVE):
                continue
            is_free = True
            if state[meeting] == WAITING:
                ready = 0
                for number in range(born[meeting], born[meeting + 1]):
                    ready += can_be[parents[number]]
                is_free = ready >= needs[meeting]
            else:
                for goal in range(first[meeting], first[meeting + 1]):
                    if not np.isnan(reached[goal]) or at[strand[goal]] >= where[goal] - PROGRESS_TOLERANCE:
                        continue
                    for number in range(begins[strand[goal]], begins[strand[goal] + 1]):
                        before = on_strand[number]
                        if where[before] >= where[goal]:
                            break
                        other = meeting_of[before]
                        if other != meeting and not can_be[other]:
                            is_free &= not holds(
                                before, other, at, strand, where, of_bodies, gates, state, early, stays
                            )
            if is_free:
                can_be[meeting] = changes = True
    return bool((asking & ~can_be).any())


@kernel
def holds(
    goal: int,
    meeting: int,
    at: Floats,
    strand: Ints,
    where: Floats,
    of_bodies: Bools,
    gates: Bools,
    state: Ints,
    early: Bools,
    stays: Bools,
) -> bool:
    """Whether a strand waits at its goal of a meeting, or will: the twin of `Ties._holds`."""
    if state[meeting] == ACTIVE and of_bodies[meeting]:
        return bool(early[goal] or (stays[goal] and at[strand[goal]] <= where[goal] + PROGRESS_TOLERANCE))
    if state[meeting] != ACTIVE and not (state[meeting] == WAITING and gates[meeting]):
        return False
    return bool(at[strand[goal]] <= where[goal] + PROGRESS_TOLERANCE)
