"""Numba twins of `sharing`: how long meetings take and who goes at which share of its speed, for all of a script.

How well does everybody get on? Compiled loops: the twin of `regulate.efficient`, for all strands of a script.
"""

import numpy as np

from keypose.maths.arrays import Bools, Floats, Ints
from keypose.maths.kernel_switch import kernel
from keypose.maths.tolerance import PROGRESS_TOLERANCE, RELATIVE_TIME_TOLERANCE
from keypose.motion.sync_protocol import ACTIVE
from keypose.script.sync.rules.speed_shares import BEST, FILTER, NO_TIME, OWN, ROUNDS, WORST


@kernel
def waits_there(at: float, where: float, of_bodies: bool, early: bool) -> bool:
    """Twin of `sharing.waits_there`."""
    return early if of_bodies else at <= where + PROGRESS_TOLERANCE


@kernel
def share_out(
    at: Floats,
    left: Floats,
    strand: Ints,
    where: Floats,
    first: Ints,
    state: Ints,
    reached: Floats,
    early: Bools,
    of_bodies: Bools,
    races: int,
    pace: Floats,
    least: Floats,
    efficiency: Floats,
    ease: Floats,
    own: Floats,
    due: Floats,
    share: Floats,
    is_free: Bools,
) -> None:
    """Twin of `sharing.shared_out`: fill `share` with how fast each is to go, `early` with who stops, and who is free.

    And `own` with how long each would take itself to its goal (goals,), `due` with when meetings will be (meetings,).
    """
    own[:], due[:] = NO_TIME, 0.0
    before, last, is_shared = np.full(len(strand), -1), np.full(len(at), -1), False
    for meeting in range(len(state)):
        if state[meeting] != ACTIVE:
            continue
        for goal in range(first[meeting], first[meeting + 1]):
            one = strand[goal]
            if np.isnan(reached[goal]):
                own[goal] = max(left[goal], 0.0) / (pace[one] * efficiency[one])
                due[meeting] = max(due[meeting], own[goal])
            elif waits_there(at[one], where[goal], of_bodies[meeting], early[goal]):
                own[goal] = 0.0
            else:
                continue
            before[goal], last[one] = last[one], goal
            is_shared |= before[goal] >= 0
    if is_shared:
        delay(strand, first, state, reached, least, own, before, last, due)
    for meeting in range(len(state)):
        if state[meeting] != ACTIVE:
            continue
        for goal in range(first[meeting], first[meeting + 1]):
            one = strand[goal]
            if np.isnan(reached[goal]):
                wanted = own[goal] / due[meeting] if due[meeting] > 0.0 else 1.0
                if one >= races and wanted < 1.0 - RELATIVE_TIME_TOLERANCE:
                    wanted = max(where[goal] - at[one], 0.0) / due[meeting]  # without what it takes to be as fast again
                early[goal], is_free[one] = wanted < least[one], False
                share[one] = min(share[one], max(wanted, least[one]))
            elif own[goal] == 0.0:
                share[one], is_free[one] = min(share[one], ease[one]), False  # as it came


@kernel
def delay(
    strand: Ints,
    first: Ints,
    state: Ints,
    reached: Floats,
    least: Floats,
    own: Floats,
    before: Ints,
    last: Ints,
    due: Floats,
) -> None:
    """Let meetings be `due` as late as those who are in others too come from there: the twin of `regulate.due`.

    The goals that count on a strand are its `last` one, the one `before` that, and so on.
    """
    meeting_of = np.empty(len(strand), np.int64)
    for meeting in range(len(state)):
        meeting_of[first[meeting] : first[meeting + 1]] = meeting
    pairs = 0
    for goal in range(len(strand)):
        if own[goal] != NO_TIME and np.isnan(reached[goal]):
            other = last[strand[goal]]
            while other >= 0:
                pairs += meeting_of[other] != meeting_of[goal]
                other = before[other]
    to, by = np.empty(pairs, np.int64), np.empty(pairs, np.int64)
    times, more, most = np.ones(pairs), np.zeros(pairs), np.full(pairs, np.inf)
    pairs = 0
    for goal in range(len(strand)):
        if own[goal] != NO_TIME and np.isnan(reached[goal]):
            other = last[strand[goal]]
            while other >= 0:
                if meeting_of[other] != meeting_of[goal]:
                    to[pairs], by[pairs] = meeting_of[goal], meeting_of[other]
                    if own[other] > own[goal]:
                        times[pairs], most[pairs] = own[goal] / own[other], own[goal] / least[strand[goal]]
                    else:
                        more[pairs] = own[goal] - own[other]
                    pairs += 1
                other = before[other]
    alone = due.copy()
    for _ in range(ROUNDS):  # of which there may be many: what is the same in all of them was found before
        known, changes = due.copy(), False
        for pair in range(pairs):
            due[to[pair]] = max(due[to[pair]], min(known[by[pair]] * times[pair] + more[pair], most[pair]))
            changes |= due[to[pair]] > known[to[pair]] * (1 + RELATIVE_TIME_TOLERANCE)
        if not changes:
            return
    due[:] = alone  # they hold each other up


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
        if at[one] >= hold[one] - PROGRESS_TOLERANCE:
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
                by_others = at[one] >= hold[one] - PROGRESS_TOLERANCE and at[one] < where[goal] - PROGRESS_TOLERANCE
                if not by_others and np.isfinite(was_left[goal]):
                    went[one] = max(was_left[goal] - left[goal], 0.0)
    for one in range(races):
        speed = pace[one] * ease[one] * seconds
        if speed > 0.0 and went[one] >= 0.0:
            seen = min(max(went[one] / speed, WORST), best[one])
            efficiency[one] += noticed * (seen - efficiency[one])
