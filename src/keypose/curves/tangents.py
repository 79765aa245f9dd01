"""How does a curve arrive at a key and how does it leave? Tension, continuity and bias (KB84 §3, GL95 §3).

The tangents at a key mix the chord that comes in with the chord that goes out; here is where tension, continuity and
bias are applied. The same rules serve positions, whole drawings and turns (whose chords are rotation vectors).
"""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Adjust = Literal["none", "time", "velocity", "length", "unit"]
Ends = Literal["reflect", "still", "zero-chord"]


def tcb_tangents(
    incoming: Floats, outgoing: Floats, tcb: Floats, adjust: Adjust, before: Floats, after: Floats
) -> tuple[Floats, Floats]:
    """Arriving and leaving tangents dP/du at k keys (KB84 eqs 8-9), adjusted to uneven keys.

    `incoming`, `outgoing` (k, …) are the chords on either side, `tcb` (k, 3) tension, continuity and bias, `before`
    and `after` (k,) the spans of the two segments: seconds for "time" and "velocity", lengths for "length" and "unit".
    """
    tension, continuity, bias = tcb.T
    arrive_in = (1 - tension) * (1 - continuity) * (1 + bias) / 2
    arrive_out = (1 - tension) * (1 + continuity) * (1 - bias) / 2
    leave_in = (1 - tension) * (1 + continuity) * (1 + bias) / 2
    leave_out = (1 - tension) * (1 - continuity) * (1 - bias) / 2

    total = before + after
    usable = total > 0
    of_before = np.where(usable, 2 * before / np.where(usable, total, 1), 1.0)
    of_after = np.where(usable, 2 * after / np.where(usable, total, 1), 1.0)
    if adjust in ("time", "length"):  # KB84 eq 10 and GL95 eq 3, corrected: each side scales with its own segment
        arrive_in, arrive_out = arrive_in * of_before, arrive_out * of_before
        leave_in, leave_out = leave_in * of_after, leave_out * of_after
    elif adjust == "velocity":  # chord velocities, each weighted by the opposite interval: third order
        stretch, shrink = _ratio(after, before), _ratio(before, after)
        arrive_in, arrive_out = arrive_in * of_after, arrive_out * of_before * shrink
        leave_in, leave_out = leave_in * of_after * stretch, leave_out * of_before
    elif adjust == "unit":  # unit chords, each side as long as its own segment
        stretch, shrink = _ratio(after, before), _ratio(before, after)
        arrive_out, leave_in = arrive_out * shrink, leave_in * stretch

    def per_key(weight: Floats) -> Floats:
        return weight.reshape(weight.shape + (1,) * (incoming.ndim - 1))

    arrive = per_key(arrive_in) * incoming + per_key(arrive_out) * outgoing
    leave = per_key(leave_in) * incoming + per_key(leave_out) * outgoing
    return arrive, leave


def _ratio(upper: Floats, lower: Floats) -> Floats:
    """Upper / lower, and 0 where a segment has no span of its own (its chord is zero there anyway)."""
    return np.where(lower > 0, upper / np.where(lower > 0, lower, 1), 0.0)


def around_keys(segments: Floats, closed: bool, beyond: Literal["repeat", "zero"] = "repeat") -> tuple[Floats, Floats]:
    """What lies before and after each key, from what lies in each segment: chords or spans, (segments, …).

    Closed paths wrap. Open ones get a virtual segment at either end: a repeat of its neighbour, or zero.
    """
    if closed:
        return np.roll(segments, 1, axis=0), segments
    first, last = segments[:1], segments[-1:]
    if beyond == "zero":
        first, last = np.zeros_like(first), np.zeros_like(last)
    return np.concatenate([first, segments]), np.concatenate([segments, last])


def set_by_hand(tangents: Floats, manual: Floats | None, chords: Floats) -> Floats:
    """Tangents with those set by hand in place. In `manual` NaN means TCB and infinity the plain chord, unadjusted."""
    if manual is None:
        return tangents
    result = np.where(np.isnan(manual), tangents, manual)
    return np.where(np.isinf(manual), chords, result)
