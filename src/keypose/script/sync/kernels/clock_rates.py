"""Numba twins of `rates`, for all clocks of a script: how fast they go, and how long they wait."""

import numpy as np

from keypose.maths.arrays import Bools, Floats, Ints
from keypose.maths.kernel_switch import kernel
from keypose.maths.tolerance import RELATIVE_TIME_TOLERANCE, TIME_TOLERANCE
from keypose.motion.sync_protocol import ACTIVE, WAITING
from keypose.script.participant import LEAST
from keypose.script.sync.rules.clock_rates import A_MOMENT, EASED, QUICK


@kernel
def next_rate(rate: float, ease: float, left: float, wait: float, dt: float) -> float:
    """Twin of `rates.next_rate`."""
    if left <= TIME_TOLERANCE:
        return max(rate - dt / QUICK, 0.0)
    most, slower = ease, dt / EASED
    if wait > 0.0:
        rest = left - 0.5 * rate * dt
        stops = (np.sqrt(0.25 * dt * dt + 2 * EASED * rest) - 0.5 * dt) / EASED if rest > 0.0 else 0.0
        soon = left / wait
        most = min(ease, max(soon, min(stops, LEAST)) if soon > 0.0 else stops)
        if wait * rate > left + A_MOMENT * rate:
            slower = max(slower, dt * rate * rate / (2 * left))
    return float(min(max(most, rate - slower, 0.0), rate + dt / EASED))


@kernel
def lasts(left: float, rate: float) -> float:
    """Twin of `rates.lasts`."""
    if left <= 0.0:
        return left
    rising = 0.5 * EASED * (1 - rate * rate)
    if left < rising:
        return float(EASED * (np.sqrt(rate * rate + 2 * left / EASED) - rate))
    return EASED * (1 - rate) + left - rising


@kernel
def time_left(clock: Floats, rate: Floats, strand: Ints, where: Floats, races: int, left: Floats) -> None:
    """Fill what is `left` to goals of clocks [s]: how long each takes at best, from the rate it has."""
    for goal in range(len(strand)):
        if strand[goal] >= races:
            one = strand[goal] - races
            left[goal] = lasts(where[goal] - clock[one], rate[one])


@kernel
def go_on(clock: Floats, rate: Floats, ease: Floats, hold: Floats, wait: Floats, dt: float, wished: Floats) -> None:
    """Let clocks have their rates of `dt` seconds later; fill `wished` with what they show if nobody holds them."""
    for one in range(len(clock)):
        left = hold[one] - clock[one]
        rate_then = next_rate(rate[one], ease[one], left, wait[one], dt)
        wished[one] = clock[one] + 0.5 * dt * (rate[one] + rate_then)
        rate[one], wait[one] = rate_then, max(wait[one] - dt, 0.0)


@kernel
def show(clock: Floats, wished: Floats, hold: Floats) -> None:
    """Twin of `rates.shown`: let all clocks show what they wished, or where they are held."""
    for one in range(len(clock)):
        stop = hold[one] if hold[one] >= clock[one] - TIME_TOLERANCE else wished[one]
        clock[one] = max(clock[one], min(wished[one], stop))


@kernel
def wait_for_others(
    strand: Ints,
    where: Floats,
    first: Ints,
    gates: Bools,
    state: Ints,
    own: Floats,
    due: Floats,
    hold: Floats,
    races: int,
    wait: Floats,
) -> None:
    """Twin of `rates.waits`: fill `wait` with how long it is until the others let each clock pass where it is held."""
    wait[:] = 0.0
    for meeting in range(len(state)):
        is_gate = state[meeting] == WAITING and gates[meeting]
        if not is_gate and state[meeting] != ACTIVE:
            continue
        for goal in range(first[meeting], first[meeting + 1]):
            one = strand[goal] - races
            if one >= 0 and abs(where[goal] - hold[strand[goal]]) <= TIME_TOLERANCE:
                late = (
                    np.inf
                    if is_gate
                    else due[meeting]
                    if own[goal] < due[meeting] * (1 - RELATIVE_TIME_TOLERANCE)
                    else 0.0
                )
                wait[one] = max(wait[one], late)
