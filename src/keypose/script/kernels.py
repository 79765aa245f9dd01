"""Numba twins of `regulate`, for all meetings of a script, and who has come to which goal."""

import numpy as np
from numpy.typing import NDArray

from keypose.maths.kernel import kernel
from keypose.motion.appointments import ACTIVE, DONE, FAILED, FAR, WAITING
from keypose.script.delay_kernels import watch
from keypose.script.plan import A_HAIR
from keypose.script.regulate import AT_ONCE, BEST, FILTER, SOME, WORST
from keypose.script.share_kernels import share_out

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


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
            if np.isnan(reached[goal]) and at[strand[goal]] >= where[goal] - A_HAIR:
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
    early: Bools,
    hold: Floats,
) -> None:
    """Fill `hold` with where each strand, now at `at`, is to stop: at goals of active meetings, and of gates that wait.

    Who has passed its goal is not held there any more. At a goal of bodies only who is too early has to stop, or has
    come and waits for the others, wherever its target is: all others go through together.
    """
    hold[:] = FAR
    for meeting in range(len(state)):
        is_gate = state[meeting] == WAITING and gates[meeting]
        if not is_gate and state[meeting] != ACTIVE:
            continue
        for goal in range(first[meeting], first[meeting + 1]):
            one = strand[goal]
            stops = at[one] <= where[goal] + A_HAIR
            if state[meeting] == ACTIVE and of_bodies[meeting]:
                stops = early[goal]
            if stops:
                hold[one] = min(hold[one], where[goal])


@kernel
def regulate(
    at: Floats,
    gone: Floats,
    left: Floats,
    strand: Ints,
    where: Floats,
    first: Ints,
    of_bodies: Bools,
    gates: Bools,
    patience: Floats,
    pace: Floats,
    least: Floats,
    reaction: Floats,
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
    news: Ints,
) -> int:
    """Let all strands, at `at` and `gone` so far in `seconds`, go as fast as meets, with so far `left` to each goal.

    What went less than 0 has come to its end, and its body still goes so far in a second: nothing is seen of how well
    the target gets on.
    Fills `ease` and `hold`, and what is remembered between; returns whether there are news, SOME, or will be SOON.
    """
    for one in range(len(at)):
        speed = pace[one] * ease[one] * seconds
        if speed > 0.0 and gone[one] >= 0.0 and at[one] < hold[one] - A_HAIR:
            seen = min(max(gone[one] / speed, WORST), BEST)
            efficiency[one] += (1 - np.exp(-seconds / FILTER)) * (seen - efficiency[one])
    has_come = come(left, strand, first, of_bodies, pace, state, time, seconds, reached, early)
    goals = strand, where, first, state, reached, early
    waited = late_for, stuck_for, held_for, was_left, blame, news
    answer = watch(at, gone, left, *goals, pace, patience, seconds, ease, hold, *waited)
    share, is_free = np.ones(len(at)), np.ones(len(at), np.bool_)
    share_out(at, left, *goals, of_bodies, pace, least, efficiency, ease, share, is_free)
    for one in range(len(at)):
        over = reaction[one] * (AT_ONCE if is_free[one] else 1.0)
        ease[one] += (1 - np.exp(-seconds / over)) * (share[one] - ease[one])
    held(at, strand, where, first, of_bodies, gates, state, early, hold)
    return answer | SOME if has_come else answer


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
