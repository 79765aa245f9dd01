"""Numba twins of `regulate`, `sharing` and `stops`, for all meetings of a script, and who has come to which goal."""

import numpy as np

from keypose.maths.arrays import Bools, Floats, Ints
from keypose.maths.kernel_switch import kernel
from keypose.maths.tolerance import PROGRESS_TOLERANCE
from keypose.motion.sync_protocol import ACTIVE, DONE, FAILED, FAR, WAITING
from keypose.script.sync.kernels.delays import watch
from keypose.script.sync.kernels.speed_shares import notice, share_out
from keypose.script.sync.rules.speed_shares import AHEAD, AT_ONCE, BEST, SOME


@kernel
def passed(
    at: Floats,
    strand: Ints,
    where: Floats,
    first: Ints,
    of_bodies: Bools,
    state: Ints,
    time: float,
    reached: Floats,
) -> bool:
    """Note when targets have come to goals of active meetings, and whether any has just now."""
    news = False
    for meeting in range(len(state)):
        if state[meeting] != ACTIVE or of_bodies[meeting]:
            continue
        for goal in range(first[meeting], first[meeting + 1]):
            if np.isnan(reached[goal]) and at[strand[goal]] >= where[goal] - PROGRESS_TOLERANCE:
                reached[goal], news = time, True
    return news


@kernel
def goes_on(state: Ints, reached: Floats, first: Ints, arrows: Ints, needs: Ints, following: Ints) -> bool:
    """Fill `following` with the state of each meeting after this one; whether that is another one for any.

    It is done when all have come; active when enough of those it comes after are done; and failed when too many have.
    """
    done, hopes = np.zeros(len(state), np.int64), np.zeros(len(state), np.int64)
    for arrow in range(len(arrows)):
        parent, child = arrows[arrow]
        done[child] += state[parent] == DONE
        hopes[child] += state[parent] != FAILED
    changes = False
    for meeting in range(len(state)):
        following[meeting] = state[meeting]
        if state[meeting] == ACTIVE:
            if not np.isnan(reached[first[meeting] : first[meeting + 1]]).any():
                following[meeting] = DONE
        elif state[meeting] == WAITING:
            if done[meeting] >= needs[meeting]:
                following[meeting] = ACTIVE
            elif hopes[meeting] < needs[meeting]:
                following[meeting] = FAILED
        changes |= following[meeting] != state[meeting]
    return changes


@kernel
def held(
    at: Floats,
    strand: Ints,
    where: Floats,
    first: Ints,
    of_bodies: Bools,
    gates: Bools,
    state: Ints,
    reached: Floats,
    early: Bools,
    stays: Bools,
    rank: Ints,
    on_strand: Ints,
    begins: Ints,
    meeting_of: Ints,
    hold: Floats,
) -> None:
    """Fill `hold` with where each strand, now at `at`, is to stop: at goals of active meetings, and of gates that wait.

    Who has passed its goal is not held there any more. At a goal of bodies only who is too early has to stop, or has
    come and waits for the others, wherever its target is, or stays until its body has come, if its target has not gone
    on yet: all others go through together. Who comes last to a goal has nobody to wait for, and goes on to where it may
    have to stop next; it is looked only now and then.
    """
    hold[:] = FAR
    for meeting in range(len(state)):
        is_gate = state[meeting] == WAITING and gates[meeting]
        if not is_gate and state[meeting] != ACTIVE:
            continue
        is_for_one = not is_gate and not of_bodies[meeting] and waits_for_one(meeting, first, reached)
        for goal in range(first[meeting], first[meeting + 1]):
            one, stop = strand[goal], where[goal]
            stops = at[one] <= stop + PROGRESS_TOLERANCE
            if state[meeting] == ACTIVE and of_bodies[meeting]:
                stops = early[goal] or (stays[goal] and stops)
            elif is_for_one and np.isnan(reached[goal]):
                known = where, first, of_bodies, gates, state, reached, early, on_strand, meeting_of
                stop = next_stop(rank[goal] + 1, begins[one + 1], *known)
            if stops:
                hold[one] = min(hold[one], stop)


@kernel
def waits_for_one(meeting: int, first: Ints, reached: Floats) -> bool:
    """Whether all but one have come to a meeting."""
    missing = 0
    for goal in range(first[meeting], first[meeting + 1]):
        missing += np.isnan(reached[goal])
    return bool(missing == 1)


@kernel
def next_stop(
    number: int,
    end: int,
    where: Floats,
    first: Ints,
    of_bodies: Bools,
    gates: Bools,
    state: Ints,
    reached: Floats,
    early: Bools,
    on_strand: Ints,
    meeting_of: Ints,
) -> float:
    """Where a strand may have to stop next, from one goal on to the `end` of those on it.

    At goals that only it comes to it need not: those count at once when their meetings are active. FAR if nowhere.
    """
    last = min(end, number + AHEAD)
    while number < last:
        goal = on_strand[number]
        meeting = meeting_of[goal]
        passes = state[meeting] == DONE or state[meeting] == FAILED
        if of_bodies[meeting]:
            passes |= not early[goal] and not gates[meeting]
        elif state[meeting] == WAITING:
            passes |= not gates[meeting] and first[meeting + 1] == first[meeting] + 1
        elif state[meeting] == ACTIVE:
            passes |= np.isnan(reached[goal]) and waits_for_one(meeting, first, reached)
        if not passes:
            return float(where[goal])
        number += 1
    return float(where[on_strand[last]]) if last < end else FAR


@kernel
def regulate(
    at: Floats,
    gone: Floats,
    left: Floats,
    strand: Ints,
    where: Floats,
    first: Ints,
    of_bodies: Bools,
    patience: Floats,
    pace: Floats,
    least: Floats,
    reaction: Floats,
    races: int,
    state: Ints,
    time: float,
    seconds: float,
    reached: Floats,
    early: Bools,
    late_for: Floats,
    stuck_for: Floats,
    held_for: Floats,
    was_left: Floats,
    blame: Ints,
    efficiency: Floats,
    ease: Floats,
    hold: Floats,
    own: Floats,
    due: Floats,
    news: Ints,
) -> int:
    """Let all strands, at `at` and `gone` so far in `seconds`, go as fast as meets, with so far `left` to each goal.

    What went less than 0 has come to its end, or waits for a body that was pushed off, which still goes so far in a
    second: how well it gets on is seen by the body, if at all (see `notice`).
    The first race targets; the others are clocks, which get on as they are told. Fills `ease`, `own` and `due` (see
    `share_out`), and what is remembered between; returns whether there are news, SOME, or will be SOON.
    """
    known = pace, ease, hold, seconds, efficiency
    notice(at, gone, left, was_left, strand, where, first, of_bodies, state, reached, early, races, *known)
    has_come = come(left, strand, first, of_bodies, pace, state, time, seconds, reached, early)
    goals = strand, where, first, state, reached, early
    waited = late_for, stuck_for, held_for, was_left, blame, news
    answer = watch(at, gone, left, *goals, pace, patience, seconds, ease, hold, *waited)
    share, is_free = np.ones(len(at)), np.ones(len(at), np.bool_)
    share_out(at, left, *goals, of_bodies, races, pace, least, efficiency, ease, own, due, share, is_free)
    for one in range(len(at)):
        if share[one] != ease[one]:
            over = reaction[one] * (AT_ONCE if is_free[one] else 1.0)
            ease[one] += (1 - np.exp(-seconds / over)) * (share[one] - ease[one])
    return answer | SOME if has_come else answer


@kernel
def set_out(
    at: Floats,
    left: Floats,
    is_new: Bools,
    strand: Ints,
    where: Floats,
    first: Ints,
    of_bodies: Bools,
    pace: Floats,
    least: Floats,
    races: int,
    state: Ints,
    reached: Floats,
    early: Bools,
    efficiency: Floats,
    ease: Floats,
    own: Floats,
    due: Floats,
) -> None:
    """Let strands that are new have the shares at once that meet: they have no speed yet that is to change smoothly."""
    goals = strand, where, first, state, reached, early
    share, is_free = np.ones(len(at)), np.ones(len(at), np.bool_)
    share_out(at, left, *goals, of_bodies, races, pace, least, efficiency, ease, own, due, share, is_free)
    for one in range(len(at)):
        if is_new[one]:
            ease[one] = share[one]


@kernel
def come(
    left: Floats,
    strand: Ints,
    first: Ints,
    of_bodies: Bools,
    pace: Floats,
    state: Ints,
    time: float,
    seconds: float,
    reached: Floats,
    early: Bools,
) -> bool:
    """Note when bodies have come to goals of active meetings, and whether any has just now: then it waits there."""
    news = False
    for meeting in range(len(state)):
        if state[meeting] == ACTIVE and of_bodies[meeting]:
            for goal in range(first[meeting], first[meeting + 1]):
                if np.isnan(reached[goal]) and left[goal] <= 0.0:
                    reached[goal], news = time, True
                    early[goal] = left[goal] > -BEST * pace[strand[goal]] * seconds
    return news
