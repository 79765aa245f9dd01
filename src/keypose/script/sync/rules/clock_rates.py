"""How fast does the clock of a motion go? The definition; `rate_kernels` has its twins.

The rate of a clock changes by no more than 1 in a quarter of a second, and never jumps: it slows down to where it is
held, and starts, smoothly. Only who learns too late that it has to stop brakes harder, as evenly as its way allows.
"""

import numpy as np

from keypose.maths.arrays import Bools, Floats, Ints
from keypose.maths.tolerance import RELATIVE_TIME_TOLERANCE, TIME_TOLERANCE
from keypose.motion.sync_protocol import ACTIVE, WAITING
from keypose.script.participant import LEAST

EASED = 0.25  # [s] in which a clock comes from its own speed to a stop, or back
QUICK = 0.05  # [s] the same of one that is at its goal already, or past it
A_MOMENT = 0.02  # [s]: for others who come so little later nobody brakes hard, it stands for that moment


def stopping_rate(rate: float, left: float, dt: float) -> float:
    """The highest rate `dt` seconds later from which a clock still stops smoothly within so many seconds of its own.

    Until then it goes on at the mean of both rates, and then brakes: (rate + then)·dt/2 + EASED·then²/2 = left.
    """
    rest = left - rate * dt / 2
    return (float(np.sqrt(dt**2 / 4 + 2 * EASED * rest)) - dt / 2) / EASED if rest > 0 else 0.0


def wished_rate(rate: float, ease: float, left: float, wait: float, dt: float) -> float:
    """How fast a clock is to go `dt` seconds later, at a share `ease` at most.

    Who waits for others comes just when they let it pass, though not slower than it may be: then it rather stops. At a
    gate, where it waits for ever, that is all there is to do.
    """
    if wait == 0:
        return ease
    stops, in_time = stopping_rate(rate, left, dt), left / wait
    return min(ease, max(in_time, min(stops, LEAST)) if in_time > 0 else stops)


def braking(rate: float, left: float, wait: float, dt: float) -> float:
    """By how much a clock may be slower `dt` seconds later: as is smooth, unless it would come too early otherwise."""
    is_too_early = rate > 0 and wait * rate > left + A_MOMENT * rate
    return max(dt / EASED, dt * rate**2 / (2 * left)) if is_too_early else dt / EASED


def next_rate(rate: float, ease: float, left: float, wait: float, dt: float) -> float:
    """How fast a clock goes `dt` seconds later, `left` seconds of its own before it is held for `wait` seconds more."""
    if left <= TIME_TOLERANCE:
        return max(rate - dt / QUICK, 0.0)
    slowest, fastest = max(rate - braking(rate, left, wait, dt), 0.0), rate + dt / EASED
    return min(max(wished_rate(rate, ease, left, wait, dt), slowest), fastest)


def gone_on(clock: float, rate: float, rate_then: float, dt: float) -> float:
    """What a clock shows `dt` seconds later if nobody holds it."""
    return clock + dt * (rate + rate_then) / 2


def shown(clock: float, wished: float, hold: float) -> float:
    """What a clock shows that wished to show so much, or where it is held; one past that may come to its rest."""
    return max(clock, min(wished, hold) if hold >= clock - TIME_TOLERANCE else wished)


def lasts(left: float, rate: float) -> float:
    """In how many seconds a clock has gone on by so many at best: from its rate it rises to its own speed.

    While it rises it comes from rate r to r + t/EASED in t seconds, and so goes on by r·t + t²/(2·EASED). What it is
    past a goal stays as it is.
    """
    if left <= 0:
        return left
    rising = EASED * (1 - rate**2) / 2
    if left < rising:
        return EASED * (float(np.sqrt(rate**2 + 2 * left / EASED)) - rate)
    return EASED * (1 - rate) + left - rising


def lets_pass(own: float, due: float, is_gate: bool) -> float:
    """In how many seconds the others let a clock pass that takes `own` to a goal due then: for ever at a gate.

    Who is the slowest of all does not wait for them.
    """
    if is_gate:
        return np.inf
    return due if own < due * (1 - RELATIVE_TIME_TOLERANCE) else 0.0


def waits(
    strand: Ints,
    where: Floats,
    meeting: Ints,
    gates: Bools,
    state: Ints,
    own: Floats,
    due: Floats,
    hold: Floats,
    races: int,
) -> Floats:
    """How long it is until the others let each clock pass where it is held (clocks,): the longest, of all goals there.

    Clocks are the strands behind the `races`.
    """
    found = np.zeros(len(hold) - races)
    for goal, (one, of) in enumerate(zip(strand.tolist(), meeting.tolist(), strict=True)):
        is_gate = bool(state[of] == WAITING and gates[of])
        is_held = one >= races and abs(where[goal] - hold[one]) <= TIME_TOLERANCE
        if is_held and (is_gate or state[of] == ACTIVE):
            found[one - races] = max(found[one - races], lets_pass(own[goal], due[of], is_gate))
    return found
