"""When does a value that changes in time first come to 0, and when is it highest? By looking closer and closer.

A value is known by asking for it, at many moments at once. Looks show most of it; where it bends so much that it may
turn between two of them, more are taken.
"""

from collections.abc import Callable, Iterator

import numpy as np

from keypose.maths import Floats

TimeFunction = Callable[[Floats], Floats]
"""A length [m] at each of some times (n,), or several: (n, …)."""
Samples = tuple[Floats, Floats]
"""Times (n,) and the value by then."""

MAX_REFINEMENTS = 8  # times, where a value may turn between two looks
CURVATURE_MARGIN = 16.0  # times as much as it bends from look to look, a value may bend between them
VALUE_TOLERANCE = 1e-9  # of a value: what is higher by less is not looked for
TIME_PRECISION = 1e-14  # of the moments themselves
PEAK_TOLERANCE = 1e-5  # of the time between looks: so near to where it is highest, a value does not change any more
BRACKET_OFFSETS = np.array([-1e-1, -1e-3, -1e-6, 0.0, 1e-6, 1e-3, 1e-1])  # of a bracket: how far off a guess may be


def refine_samples(distances: TimeFunction, times: Floats, hold_distance: float) -> tuple[Floats, Floats]:
    """These moments and those between them at which a way (n, 2) may turn unseen, and the way by then.

    Before the first of them it was ahead by `hold_distance` already.
    """
    values = distances(times)
    for _ in range(MAX_REFINEMENTS):
        new_times = _refinement_times(times, values, hold_distance)
        if not len(new_times):
            break
        times, values = np.concatenate([times, new_times]), np.concatenate([values, distances(new_times)])
        order = np.argsort(times)
        times, values = times[order], values[order]
    return times, values


def _refinement_times(t: Floats, values: Floats, hold_distance: float) -> Floats:
    """Moments halfway between looks (n,) where the way beyond the next key may come to 0, the way ahead of the last one
    be further than ever, or the one key as near to the other, though neither look shows it: by how much they bend.
    """
    if len(t) < 3:
        return t[:0]
    values = np.column_stack([values, values[:, 0] - values[:, 1]])
    step = np.diff(t)[:, None]
    slope = np.diff(values, axis=0) / step
    curvature = np.abs(np.diff(slope, axis=0)) / (t[2:] - t[:-2])[:, None]
    curvature = CURVATURE_MARGIN * np.maximum(
        np.concatenate([curvature[:1], curvature]), np.concatenate([curvature, curvature[-1:]])
    )
    top = np.maximum(values[:-1], values[1:]) + curvature * step**2 / 4
    running_max = np.maximum.accumulate(values[:-1, 1])
    thresholds = np.stack(
        [
            np.zeros(len(step)),
            running_max + VALUE_TOLERANCE * np.abs(running_max),
            -np.maximum(running_max, hold_distance),
        ],
        axis=1,
    )
    midpoints = 0.5 * (t[:-1] + t[1:])
    is_unsure = ((curvature * step > np.abs(slope)) & (top > thresholds)).any(axis=1)
    return np.asarray(midpoints[is_unsure & (t[:-1] < midpoints) & (midpoints < t[1:])])


def first_root(function: TimeFunction, times: Floats, values: Floats) -> float | None:
    """The earliest moment at which `function`, which has these values (n,) by these times, is not negative any
    more.
    """
    reached = np.flatnonzero(values >= 0)
    first = int(reached[0]) if len(reached) else len(times)
    inner, sides = values[1:-1], np.maximum(values[:-2], values[2:])
    for index in (1 + np.flatnonzero(inner >= sides)).tolist():  # it may have been there between two looks
        if index < first and values[index] + _max_rise(values, index) >= 0:
            around = slice(index - 1, index + 2)
            time, value = find_peak(function, times[around], values[around])
            if value >= 0:
                return _refine_root(function, np.array([times[index - 1], time]), np.array([values[index - 1], value]))
    if first == len(times):
        return None
    return float(times[0]) if first == 0 else _refine_root(function, times[: first + 1], values[: first + 1])


def running_peaks(
    function: TimeFunction, times: Floats, values: Floats, threshold: float
) -> Iterator[tuple[float, float]]:
    """When a value, `values` (n,) by these times, is higher than ever and falls back, and how high it is then."""
    for index in np.flatnonzero(np.diff(values) < 0).tolist():
        before = max(index - 1, 0)
        if values[index] < values[before] or values[index] + _max_rise(values, index) <= threshold:
            continue
        time, peak = find_peak(function, times[before : index + 2], values[before : index + 2])
        if peak > threshold:
            threshold = peak
            yield time, peak


def _max_rise(values: Floats, index: int) -> float:
    """How much higher than the highest of three values a way may come between the looks, at the very most."""
    return float(values[index] - values[max(index - 1, 0) : index + 2].min())


def _refine_root(function: TimeFunction, t: Floats, values: Floats) -> float:
    """The first of the moments t at which `function` is not negative, made as early as moments can be told
    apart.
    """
    while True:
        first = int(np.argmax(values >= 0))
        low, high = t[first - 1 : first + 1].tolist()
        new_times = _bracket_points(low, high, _guess_root(t, values, first))
        if not len(new_times) or high - low <= _time_resolution(low, high):
            return float(high)
        t = np.array([low, *new_times, high])
        values = np.array([values[first - 1], *function(new_times), values[first]])


def find_peak(function: TimeFunction, t: Floats, values: Floats) -> tuple[float, float]:
    """Where between the moments t a value is highest, which is about in their middle, and how high it is."""
    time_tolerance = PEAK_TOLERANCE * (t[-1] - t[0])
    while True:
        peak = int(np.argmax(values))
        neighbours = slice(max(peak - 1, 0), peak + 2)
        bracket_times, heights = t[neighbours], values[neighbours]
        low, high = float(bracket_times[0]), float(bracket_times[-1])
        if high - low <= max(time_tolerance, _time_resolution(low, high)):
            return float(t[peak]), float(values[peak])
        new_times = _bracket_points(low, high, _parabola_peak(bracket_times, heights))
        new_times = new_times[new_times != t[peak]]
        t = np.concatenate([bracket_times, new_times])
        values = np.concatenate([heights, function(new_times)])
        order = np.argsort(t)
        t, values = t[order], values[order]


def _time_resolution(low: float, high: float) -> float:
    """How far apart moments must be to be told apart [s]."""
    return TIME_PRECISION * max(abs(low), abs(high), TIME_PRECISION)


def _bracket_points(low: float, high: float, guess: float) -> Floats:
    """Moments to look at inside a bracket: its middle, and closer and closer around a guess."""
    t = np.append(guess + (high - low) * BRACKET_OFFSETS, 0.5 * (low + high))
    return np.unique(t[(t > low) & (t < high)])


def _guess_root(t: Floats, values: Floats, first: int) -> float:
    """Where values (n,) at t rise through zero before t[first]: by the cubic of t by value through its neighbours."""
    low, high = t[first - 1], t[first]
    neighbours = slice(max(first - 2, 0), first + 2)
    x, y = t[neighbours] - low, values[neighbours]
    if (np.diff(y) > 0).all():
        differences = y[:, None] - y + np.eye(len(y))
        weights = np.where(np.eye(len(y)) > 0, 1.0, -y / differences).prod(axis=1)
        guess = float(low + x @ weights)
        if low < guess < high:
            return guess
    return float(low + (high - low) * (-values[first - 1] / (values[first] - values[first - 1])))


def _parabola_peak(t: Floats, values: Floats) -> float:
    """Where the parabola through three values at t is highest; in the middle if there is none."""
    if len(t) == 3:
        slopes = np.diff(values) / np.diff(t)
        curvature = (slopes[1] - slopes[0]) / (t[2] - t[0])
        if curvature < 0:
            return float(0.5 * (t[0] + t[1]) - 0.5 * slopes[0] / curvature)
    return float(0.5 * (t[0] + t[-1]))
