"""How does a curve arrive at a key and how does it leave? Tension, continuity and bias (KB84 §3, GL95 §3).

The tangents at a key mix the chord that comes in with the chord that goes out; here is where tension, continuity and
bias are applied. The same rules serve positions, whole drawings and turns (whose chords are rotation vectors).
"""

from typing import Literal

import numpy as np

from keypose.maths import Floats

Adjust = Literal["none", "time", "velocity", "length", "unit"]
Ends = Literal["reflect", "still", "zero-chord"]


def tcb_tangents(
    incoming: Floats, outgoing: Floats, tcb: Floats, adjust: Adjust, before: Floats, after: Floats
) -> tuple[Floats, Floats]:
    """Arriving and leaving tangents dP/du at k keys (KB84 eqs 8-9), adjusted to uneven keys.

    `incoming`, `outgoing` (k, …) are the chords on either side, `tcb` (k, 3) or (1, 3) tension, continuity and bias,
    `before` and `after` (k,) the two segments' spans: seconds for "time" and "velocity", else lengths.
    """
    tension, continuity, bias = tcb.T if len(tcb) > 1 else tcb[0].tolist()
    half = (1 - tension) / 2
    with_bias, against_bias = half * (1 + bias), half * (1 - bias)
    arrive_in, arrive_out = (1 - continuity) * with_bias, (1 + continuity) * against_bias
    leave_in, leave_out = (1 + continuity) * with_bias, (1 - continuity) * against_bias

    if adjust in ("time", "length"):  # KB84 eq. 10 and GL95 eq. 3, corrected: each side scales with its own segment
        of_before, of_after = _span_weights(before, after)
        arrive_in, arrive_out = arrive_in * of_before, arrive_out * of_before
        leave_in, leave_out = leave_in * of_after, leave_out * of_after
    elif adjust == "velocity":  # chord velocities, each weighted by the opposite interval: third order
        of_before, of_after = _span_weights(before, after)
        arrive_in, arrive_out = arrive_in * of_after, arrive_out * of_before * _ratio(before, after)
        leave_in, leave_out = leave_in * of_after * _ratio(after, before), leave_out * of_before
    elif adjust == "unit":  # unit chords, each side as long as its own segment
        arrive_out, leave_in = arrive_out * _ratio(before, after), leave_in * _ratio(after, before)

    def per_key(weight: Floats | float) -> Floats | float:
        return weight if isinstance(weight, float) else weight.reshape(weight.shape + (1,) * (incoming.ndim - 1))

    arrive = per_key(arrive_in) * incoming + per_key(arrive_out) * outgoing
    leave = per_key(leave_in) * incoming + per_key(leave_out) * outgoing
    return arrive, leave


def _span_weights(before: Floats, after: Floats) -> tuple[Floats, Floats]:
    """Twice the share of each span in their sum; 1 and 1 where both are zero."""
    total = before + after
    is_positive = total > 0
    return (
        np.divide(2 * before, total, out=np.ones_like(total), where=is_positive),
        np.divide(2 * after, total, out=np.ones_like(total), where=is_positive),
    )


def _ratio(upper: Floats, lower: Floats) -> Floats:
    """Their ratio, and 0 where a segment has no span of its own (its chord is zero there anyway)."""
    return np.divide(upper, lower, out=np.zeros_like(upper), where=lower > 0)


def around_keys(segments: Floats, closed: bool, beyond: Literal["repeat", "zero"] = "repeat") -> tuple[Floats, Floats]:
    """What lies before and after each key, from what lies in each segment: chords or spans, (segments, …).

    Closed paths wrap. Open ones get a virtual segment at either end: a repeat of its neighbour, or zero.
    """
    if closed:
        return np.roll(segments, 1, axis=0), segments
    first, last = segments[:1], segments[-1:]
    if beyond == "zero":
        first, last = np.zeros_like(first), np.zeros_like(last)
    all_around = np.concatenate([first, segments, last])
    return all_around[:-1], all_around[1:]


def apply_manual_tangents(tangents: Floats, manual: Floats | None, chords: Floats) -> Floats:
    """Tangents with those set by hand in place. In `manual` NaN means TCB and infinity the plain chord, unadjusted."""
    if manual is None:
        return tangents
    result = np.where(np.isnan(manual), tangents, manual)
    return np.where(np.isinf(manual), chords, result)
