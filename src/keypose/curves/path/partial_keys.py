"""What of keys that only turn, and of keys that only stand? Each curve goes through the keys that concern it.

A key without a place lies on the curve through its neighbours' places, which is cut there exactly. A key without a
facing lies somewhere in the turn between its neighbours' facings. How far along: by the clock if all keys have times,
else by distance for turns and by number for places.
"""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from keypose.curves.key_columns import Columns, Keys
from keypose.curves.path.segments import Stretch, closing_span, segment_count, segments_of, stretch
from keypose.curves.path_options import Style
from keypose.curves.tangents import Adjust
from keypose.maths import hermite
from keypose.maths.arrays import Floats, Ints
from keypose.maths.rope import Rope


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
    end = len(clock) - 1
    return own_parameter(lambda key: clock[key], np.arange(end + 1), chosen, end if closed else None)


def own_parameter(clock: Callable[[Ints], Floats], key: Ints, chosen: Ints, end: int | None) -> Floats:
    """The same of some keys (n,), whose `clock` is asked; `end` is the number under which a closed path returns.

    What lies between two chosen keys depends on the clock from one to the other alone. A key that comes at the same
    moment as the chosen one after it lies there already.
    """
    count, before = len(chosen), np.searchsorted(chosen, key, side="right") - 1
    early = before < 0
    if end is None:
        before, after = np.maximum(before, 0), np.minimum(before + 1, count - 1)
        here, low, high = clock(key), clock(chosen[before]), clock(chosen[after])
    else:
        lap = clock(np.full_like(key, end)) - clock(np.zeros_like(key))
        before = np.where(early, count - 1, before)
        after = before + 1
        here, low = clock(key) + np.where(early, lap, 0.0), clock(chosen[before])
        high = clock(chosen[after % count]) + np.where(after == count, lap, 0.0)
    share = np.divide(here - low, high - low, out=np.ones(len(key)), where=high > low)
    own = before + np.where(key == chosen[before], 0.0, np.clip(share, 0.0, 1.0)) * (after - before)
    return np.asarray(own if end is None or not chosen[0] else np.where(early, own, own + count))


def through_places(keys: Keys, style: Style, adjust: Adjust) -> Stretch:
    """All segments of a path some or all of whose keys only turn."""
    rows = keys.rope.whole
    if "position" not in rows.of:  # it turns on the spot
        nowhere = np.zeros((segment_count(keys, style) + 1, 3))
        return stretch(nowhere, nowhere, nowhere)
    placed, own = on_places(keys, style)
    subset = Keys(Rope(Columns(len(placed), {word: column[placed] for word, column in rows.of.items()})))
    if len(placed) == 1:
        here = np.repeat(subset.rope.whole.of["position"], 2, axis=0)
        whole = stretch(here, np.zeros_like(here), np.zeros_like(here))
    else:
        if style.closed:
            style = replace(style, closing=closing_of_places(keys, style, placed))
        for side in ("arrive", "leave"):
            if side in subset.rope.whole.of:
                tangents = subset.rope.whole.of[side]
                tangents /= lengthening(own, placed, side).reshape(-1, *(1,) * (tangents.ndim - 1))
        whole = segments_of(subset, style, adjust, 0, segment_count(subset, style))
    begin = cuts(own)
    return Stretch(cut(whole.curve[begin % len(whole)], begin, own[:-1], own[1:]), whole.points)


def on_places(keys: Keys, style: Style) -> tuple[Ints, Floats]:
    """The keys that have a place, and where each key lies on the curve through those."""
    places = keys.rope.whole.of["position"]
    placed = np.flatnonzero(~np.isnan(places.reshape(len(places), -1)[:, 0]))
    return placed, own_parameters(clock_of(keys, style), placed, style.closed and len(placed) > 1)


def closing_of_places(keys: Keys, style: Style, placed: Ints) -> float:
    """From the last place of a closed path to its first, by the clock."""
    clock = clock_of(keys, style)
    return float(clock[-1] - clock[0] - (clock[placed[-1]] - clock[placed[0]]))


def lengthening(own: Floats, placed: Ints, side: str) -> Floats:
    """What divides tangents by hand, which are dP/du from key to key, to make them last from one place to the next."""
    run = np.diff(own)
    share = run[(placed if side == "leave" else placed - 1) % len(run)]
    return np.where(share > 0, share, 1.0)


def cuts(own: Floats) -> Ints:
    """The segment from which the piece between each pair of neighbouring parameters is cut; it may count on."""
    start, stop = own[:-1], own[1:]
    begin = np.where(start == stop, np.maximum(np.ceil(start) - 1, 0), np.floor(start))  # standing: at a segment's end
    return np.asarray(begin.astype(np.int64))


def cut(rows: Floats, begin: Ints, start: Floats, stop: Floats) -> Floats:
    """The piece of each segment (n, 4, width), which starts at `begin`, from `start` to `stop`, as a segment itself."""
    run = (stop - start)[:, None]
    pieces, chord = np.empty_like(rows), rows[:, 1] - rows[:, 0]
    for end, u in enumerate((start, stop)):
        s = (u - begin)[:, None]
        from_start, from_stop, leaving, arriving = (weight[:, None] for weight in hermite.weights(u - begin))
        # Seen from the nearer end: where both are one place, rounding must not let the path travel from it.
        place = np.where(s < 0.5, rows[:, 0] + from_stop * chord, rows[:, 1] - from_start * chord)
        pieces[:, end] = place + leaving * rows[:, 2] + arriving * rows[:, 3]
        _, along, leaving, arriving = (weight[:, None] for weight in hermite.weights(u - begin, 1))
        pieces[:, end + 2] = run * (along * chord + leaving * rows[:, 2] + arriving * rows[:, 3])
    return pieces
