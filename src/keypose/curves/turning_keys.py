"""What of keys that only turn, and of keys that only stand? Each curve goes through the keys that concern it.

A key without a place lies on the curve through its neighbours' places, which is cut there exactly. A key without a
facing lies somewhere in the turn between its neighbours' facings. How far along: by the clock if all keys have times,
else by distance for turns and by number for places.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from keypose.curves.keys import Columns, Keys
from keypose.curves.segments import Stretch, closing_span, segment_count, segments_of, stretch
from keypose.curves.style import Style
from keypose.curves.tangents import Adjust
from keypose.maths import hermite
from keypose.maths.rope import Rope

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def times_of_all(keys: Keys) -> Floats | None:
    """The keys' times, if every one has one."""
    times = keys.column("time")
    return None if times is None or np.isnan(times).any() else times


def clock_of(keys: Keys, style: Style, otherwise: Floats | None = None) -> Floats:
    """When each key comes, as far as that is known: its time, else the running sum of `otherwise`, else its number.

    Closed paths have one entry more, for the return to the first key.
    """
    times = times_of_all(keys)
    if times is not None:
        return np.append(times, times[-1] + closing_span(keys, style)) if style.closed else times
    if otherwise is not None and otherwise.sum() > 0:
        return np.concatenate([[0.0], np.cumsum(otherwise)])
    return np.arange(segment_count(keys, style) + 1.0)


def own_parameters(clock: Floats, chosen: Ints, closed: bool) -> Floats:
    """Where each key lies on the curve through the `chosen` keys, as segment + share; held outside.

    On a closed curve it goes on counting past the first chosen key: the curve wraps.
    """
    numbers = np.arange(float(len(chosen)))
    if closed:
        lap = clock[-1] - clock[0]
        knots = np.append(clock[chosen], clock[chosen[0]] + lap)
        early = clock < knots[0]
        own = np.interp(np.where(early, clock + lap, clock), knots, np.append(numbers, float(len(chosen))))
        if early.any():
            own, numbers = np.where(early, own, own + len(chosen)), numbers + len(chosen)
    else:
        own = np.interp(clock, clock[chosen], numbers)
    own[chosen] = numbers  # exactly, also where several chosen keys share one place on the clock
    return np.asarray(own)


def through_places(keys: Keys, style: Style, adjust: Adjust) -> Stretch:
    """All segments of a path some or all of whose keys only turn."""
    rows = keys.rope.whole
    if "position" not in rows.of:  # it turns on the spot
        nowhere = np.zeros((segment_count(keys, style) + 1, 3))
        return stretch(nowhere, nowhere, nowhere)
    placed = np.flatnonzero(~np.isnan(rows.of["position"].reshape(len(rows), -1)[:, 0]))
    subset = Keys(Rope(Columns(len(placed), {word: column[placed] for word, column in rows.of.items()})))
    clock = clock_of(keys, style)
    own = own_parameters(clock, placed, style.closed and len(placed) > 1)
    if len(placed) == 1:
        here = np.repeat(subset.rope.whole.of["position"], 2, axis=0)
        whole = stretch(here, np.zeros_like(here), np.zeros_like(here))
    else:
        if style.closed:
            style = replace(style, closing=clock[-1] - clock[0] - (clock[placed[-1]] - clock[placed[0]]))
        _lengthen_tangents(subset.rope.whole, own, placed)
        whole = segments_of(subset, style, adjust, 0, segment_count(subset, style))
    return Stretch(_cut(whole.curve, own), whole.points)


def _lengthen_tangents(placed: Columns, own: Floats, index: Ints) -> None:
    """Tangents by hand are dP/du from key to key: here made to last from one place to the next, to be cut again."""
    run = np.diff(own)
    for side, segment in (("arrive", index - 1), ("leave", index)):
        if side in placed.of:
            share = run[segment % len(run)]
            tangents = placed.of[side]
            tangents /= np.where(share > 0, share, 1.0).reshape(-1, *(1,) * (tangents.ndim - 1))


def _cut(curve: Floats, own: Floats) -> Floats:
    """The piece of the curve between each pair of neighbouring parameters, as segments of their own."""
    start, stop = own[:-1], own[1:]
    begin = np.where(start == stop, np.maximum(np.ceil(start) - 1, 0), np.floor(start))  # standing: at a segment's end
    rows, run = curve[begin.astype(np.int64) % len(curve)], (stop - start)[:, None]
    pieces = np.empty((len(begin), 4, curve.shape[2]))
    for end, u in enumerate((start, stop)):
        for derivative in (0, 1):
            weights = hermite.weights(u - begin, derivative)
            value = sum(weight[:, None] * rows[:, row] for row, weight in enumerate(weights))
            pieces[:, end + 2 * derivative] = value * run if derivative else value
    return pieces
