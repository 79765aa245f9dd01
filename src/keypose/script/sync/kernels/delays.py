"""Numba twins of `delays`: for how long meetings wait for somebody who hardly moves, stands, or is held."""

import numpy as np

from keypose.maths.arrays import Bools, Floats, Ints
from keypose.maths.kernel_switch import kernel
from keypose.maths.tolerance import PROGRESS_TOLERANCE
from keypose.motion.sync_protocol import ACTIVE
from keypose.script.sync.rules.delays import NEXT_TIME
from keypose.script.sync.rules.speed_shares import (
    AGAIN,
    CREEPING,
    FAILS,
    GOES_ON,
    HELD,
    IS_LATE,
    LATE,
    MOVING,
    NOBODY,
    NOTHING,
    OUTRUN,
    OUTRUN_SHARE,
    SOME,
    SOON,
    STANDING,
    STANDS,
    TIED,
    WORST,
)


@kernel
def watch(
    at: Floats,
    gone: Floats,
    left: Floats,
    strand: Ints,
    where: Floats,
    first: Ints,
    state: Ints,
    reached: Floats,
    early: Bools,
    pace: Floats,
    patience: Floats,
    seconds: float,
    ease: Floats,
    hold: Floats,
    late_for: Floats,
    stuck_for: Floats,
    held_for: Floats,
    was_left: Floats,
    blame: Ints,
    news: Ints,
) -> int:
    """Count for how long active meetings wait for somebody who stands, or hardly moves, or comes no nearer.

    Who does so though nobody holds it is to blame. `was_left` is how much was left to each goal the last time. Fills
    `news` of each meeting; returns whether there are any, or will be at the next time.
    """
    answer = NOTHING
    for meeting in range(len(state)):
        news[meeting] = NOTHING
        if state[meeting] != ACTIVE:
            continue
        is_slow = is_stuck = is_outrun = is_held = False
        was_late = late_for[meeting] >= LATE
        for goal in range(first[meeting], first[meeting + 1]):
            one, before, how = strand[goal], blame[goal], NOBODY
            went = gone[one] if gone[one] >= 0.0 else -gone[one] * seconds
            own = pace[one] * ease[one] * seconds
            if np.isnan(reached[goal]):
                by_others = at[one] >= hold[one] - PROGRESS_TOLERANCE and at[one] < where[goal] - PROGRESS_TOLERANCE
                if not by_others and not early[goal]:
                    how = getting_on(went, was_left[goal] - left[goal], own)
                is_held |= by_others
                was_left[goal] = left[goal]
            is_slow |= how != NOBODY
            is_stuck |= how == STANDING
            is_outrun |= how == OUTRUN
            blame[goal] = MOVING if how == NOBODY and was_late and before != NOBODY else how
        stands = seconds if is_stuck else OUTRUN_SHARE * seconds if is_outrun else 0.0
        told = delayed(meeting, is_slow, stands, seconds, patience[meeting], late_for, stuck_for)
        if told != SOON:
            news[meeting] = told
        quiet = held_for[meeting]
        held_for[meeting] = quiet + seconds if is_held else 0.0
        answer |= SOME if told > SOON else told
        if quiet < TIED <= held_for[meeting]:
            answer |= SOME | HELD
    return answer


@kernel
def getting_on(went: float, nearer: float, own: float) -> int:
    """Twin of `regulate.getting_on`."""
    if went <= WORST * own:
        return STANDING if went <= STANDS * own else CREEPING
    return OUTRUN if nearer <= WORST * own else NOBODY


@kernel
def delayed(
    meeting: int,
    is_slow: bool,
    stands: float,
    seconds: float,
    patience: float,
    late_for: Floats,
    stuck_for: Floats,
) -> int:
    """What is to be told of a meeting that waits for somebody who is slow, or `stands` for so long, or not any more."""
    before, stuck = late_for[meeting], stuck_for[meeting] + stands if stands > 0.0 else 0.0
    after = min(before + seconds, LATE + AGAIN) if is_slow else before - seconds
    late_for[meeting] = after = after if is_slow or after >= LATE else 0.0
    stuck_for[meeting] = stuck
    if stuck >= patience:
        return FAILS
    if before < LATE <= after:
        return IS_LATE
    if after < LATE <= before:
        return GOES_ON
    soon = NEXT_TIME * seconds
    return (
        SOON
        if (is_slow and after < LATE <= after + soon) or (stands > 0.0 and stuck + NEXT_TIME * stands >= patience)
        else NOTHING
    )
