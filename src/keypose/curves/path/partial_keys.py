"""What of keys that only turn, and of keys that only stand? Each curve goes through the keys that concern it.

A key without a place lies on the curve through its neighbours' places, which is cut there exactly. A key without a
facing lies somewhere in the turn between its neighbours' facings. How far along: by the clock if all keys have times,
else by distance for turns and by number for places.
"""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from keypose.curves.key_columns import KeyColumns, Keys
from keypose.curves.path.segments import SegmentRun, build_segment_run, build_segments, closing_span, segment_count
from keypose.curves.path_options import PathOptions
from keypose.curves.tangents import Adjust
from keypose.maths import Floats, Ints, Rope, hermite


def complete_times(keys: Keys) -> Floats | None:
    """The keys' times, if every one has one."""
    times = keys.column("time")
    return None if times is None or np.isnan(times).any() else times


def key_clock(keys: Keys, options: PathOptions, fallback_spans: Floats | None = None) -> Floats:
    """When each key comes, as far as that is known: its time, else the running sum of `fallback_spans`, else its
    number.

    Closed paths have one entry more, for the return to the first key.
    """
    times = complete_times(keys)
    if times is not None:
        return np.append(times, times[-1] + closing_span(keys, options)) if options.closed else times
    if fallback_spans is not None and fallback_spans.sum() > 0:
        return np.concatenate([[0.0], np.cumsum(fallback_spans)])
    return np.arange(segment_count(keys, options) + 1.0)


def all_curve_parameters(clock: Floats, curve_keys: Ints, closed: bool) -> Floats:
    """Where each key lies on the curve through the `curve_keys` keys, as segment + share; held outside.

    On a closed curve it goes on counting past the first chosen key: the curve wraps.
    """
    end = len(clock) - 1
    return curve_parameters(lambda key: clock[key], np.arange(end + 1), curve_keys, end if closed else None)


def curve_parameters(clock: Callable[[Ints], Floats], key: Ints, curve_keys: Ints, end: int | None) -> Floats:
    """The same of some keys (n,), whose `clock` is asked; `end` is the number under which a closed path returns.

    What lies between two chosen keys depends on the clock from one to the other alone. A key that comes at the same
    moment as the chosen one after it lies there already.
    """
    count, before = len(curve_keys), np.searchsorted(curve_keys, key, side="right") - 1
    is_before_first = before < 0
    if end is None:
        before, after = np.maximum(before, 0), np.minimum(before + 1, count - 1)
        here, low, high = clock(key), clock(curve_keys[before]), clock(curve_keys[after])
    else:
        lap = clock(np.full_like(key, end)) - clock(np.zeros_like(key))
        before = np.where(is_before_first, count - 1, before)
        after = before + 1
        here, low = clock(key) + np.where(is_before_first, lap, 0.0), clock(curve_keys[before])
        high = clock(curve_keys[after % count]) + np.where(after == count, lap, 0.0)
    fraction = np.divide(here - low, high - low, out=np.ones(len(key)), where=high > low)
    parameter = before + np.where(key == curve_keys[before], 0.0, np.clip(fraction, 0.0, 1.0)) * (after - before)
    return np.asarray(
        parameter if end is None or not curve_keys[0] else np.where(is_before_first, parameter, parameter + count)
    )


def build_partial_segments(keys: Keys, options: PathOptions, adjust: Adjust) -> SegmentRun:
    """All segments of a path some or all of whose keys only turn."""
    rows = keys.rope.whole
    if "position" not in rows.arrays:  # it turns on the spot
        zeros = np.zeros((segment_count(keys, options) + 1, 3))
        return build_segment_run(zeros, zeros, zeros)
    positioned, parameters = position_parameters(keys, options)
    subset = Keys(Rope(KeyColumns(len(positioned), {name: column[positioned] for name, column in rows.arrays.items()})))
    if len(positioned) == 1:
        here = np.repeat(subset.rope.whole.arrays["position"], 2, axis=0)
        whole = build_segment_run(here, np.zeros_like(here), np.zeros_like(here))
    else:
        if options.closed:
            options = replace(options, closing=position_closing_span(keys, options, positioned))
        for side in ("arrive", "leave"):
            if side in subset.rope.whole.arrays:
                tangents = subset.rope.whole.arrays[side]
                tangents /= tangent_scales(parameters, positioned, side).reshape(-1, *(1,) * (tangents.ndim - 1))
        whole = build_segments(subset, options, adjust, 0, segment_count(subset, options))
    begin = source_segments(parameters)
    return SegmentRun(
        cut_segments(whole.curve[begin % len(whole)], begin, parameters[:-1], parameters[1:]), whole.points
    )


def position_parameters(keys: Keys, options: PathOptions) -> tuple[Ints, Floats]:
    """The keys that have a place, and where each key lies on the curve through those."""
    positions = keys.rope.whole.arrays["position"]
    positioned = np.flatnonzero(~np.isnan(positions.reshape(len(positions), -1)[:, 0]))
    return positioned, all_curve_parameters(
        key_clock(keys, options), positioned, options.closed and len(positioned) > 1
    )


def position_closing_span(keys: Keys, options: PathOptions, positioned: Ints) -> float:
    """From the last place of a closed path to its first, by the clock."""
    clock = key_clock(keys, options)
    return float(clock[-1] - clock[0] - (clock[positioned[-1]] - clock[positioned[0]]))


def tangent_scales(parameters: Floats, positioned: Ints, side: str) -> Floats:
    """What divides tangents by hand, which are dP/du from key to key, to make them last from one place to the next."""
    run = np.diff(parameters)
    scale = run[(positioned if side == "leave" else positioned - 1) % len(run)]
    return np.where(scale > 0, scale, 1.0)


def source_segments(parameters: Floats) -> Ints:
    """The segment from which the piece between each pair of neighbouring parameters is cut; it may count on."""
    start, stop = parameters[:-1], parameters[1:]
    begin = np.where(start == stop, np.maximum(np.ceil(start) - 1, 0), np.floor(start))  # standing: at a segment's end
    return np.asarray(begin.astype(np.int64))


def cut_segments(rows: Floats, begin: Ints, start: Floats, stop: Floats) -> Floats:
    """The piece of each segment (n, 4, width), which starts at `begin`, from `start` to `stop`, as a segment itself."""
    run = (stop - start)[:, None]
    pieces, chord = np.empty_like(rows), rows[:, 1] - rows[:, 0]
    for end, u in enumerate((start, stop)):
        s = (u - begin)[:, None]
        from_start, from_stop, leaving, arriving = (weight[:, None] for weight in hermite.weights(u - begin))
        # Seen from the nearer end: where both are one place, rounding must not let the path travel from it.
        position = np.where(s < 0.5, rows[:, 0] + from_stop * chord, rows[:, 1] - from_start * chord)
        pieces[:, end] = position + leaving * rows[:, 2] + arriving * rows[:, 3]
        _, along, leaving, arriving = (weight[:, None] for weight in hermite.weights(u - begin, 1))
        pieces[:, end + 2] = run * (along * chord + leaving * rows[:, 2] + arriving * rows[:, 3])
    return pieces
