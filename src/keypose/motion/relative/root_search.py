"""When does a value that changes in time first come to 0, and when is it highest? By looking closer and closer.

A value is known by asking for it, at many moments at once. Looks show most of it; where it bends so much that it may
turn between two of them, more are taken.
"""

from collections.abc import Callable, Iterator

import numpy as np

from keypose.maths.arrays import Floats

Value = Callable[[Floats], Floats]
"""A length [m] at each of some times (n,), or several: (n, …)."""
Looks = tuple[Floats, Floats]
"""Times (n,) and the value by then."""

LOOKED_CLOSER = 8  # times, where a value may turn between two looks
WARY = 16.0  # times as much as it bends from look to look, a value may bend between them
NEARLY = 1e-9  # of a value: what is higher by less is not looked for
PRECISE = 1e-14  # of the moments themselves
CLOSE = 1e-5  # of the time between looks: so near to where it is highest, a value does not change any more
ASIDE = np.array([-1e-1, -1e-3, -1e-6, 0.0, 1e-6, 1e-3, 1e-1])  # of a bracket: how far off a guess may be


def looked_at(way: Value, times: Floats, held: float) -> tuple[Floats, Floats]:
    """These moments and those between them at which a way (n, 2) may turn unseen, and the way by then.

    Before the first of them it was ahead by `held` already.
    """
    values = way(times)
    for _ in range(LOOKED_CLOSER):
        unsure = _unsure(times, values, held)
        if not len(unsure):
            break
        times, values = np.concatenate([times, unsure]), np.concatenate([values, way(unsure)])
        order = np.argsort(times)
        times, values = times[order], values[order]
    return times, values


def _unsure(t: Floats, values: Floats, held: float) -> Floats:
    """Moments halfway between looks (n,) where the way beyond the next key may come to 0, the way ahead of the last one
    be further than ever, or the one key as near to the other, though neither look shows it: by how much they bend.
    """
    if len(t) < 3:
        return t[:0]
    values = np.column_stack([values, values[:, 0] - values[:, 1]])
    step = np.diff(t)[:, None]
    slope = np.diff(values, axis=0) / step
    bend = np.abs(np.diff(slope, axis=0)) / (t[2:] - t[:-2])[:, None]
    bend = WARY * np.maximum(np.concatenate([bend[:1], bend]), np.concatenate([bend, bend[-1:]]))
    top = np.maximum(values[:-1], values[1:]) + bend * step**2 / 4
    furthest = np.maximum.accumulate(values[:-1, 1])
    level = np.stack([np.zeros(len(step)), furthest + NEARLY * np.abs(furthest), -np.maximum(furthest, held)], axis=1)
    halfway = 0.5 * (t[:-1] + t[1:])
    unsure = ((bend * step > np.abs(slope)) & (top > level)).any(axis=1)
    return np.asarray(halfway[unsure & (t[:-1] < halfway) & (halfway < t[1:])])


def earliest(beyond: Value, times: Floats, values: Floats) -> float | None:
    """The earliest moment at which `beyond`, which has these values (n,) by these times, is not negative any more."""
    arrived = np.flatnonzero(values >= 0)
    first = int(arrived[0]) if len(arrived) else len(times)
    inner, sides = values[1:-1], np.maximum(values[:-2], values[2:])
    for index in (1 + np.flatnonzero(inner >= sides)).tolist():  # it may have been there between two looks
        if index < first and values[index] + _rise(values, index) >= 0:
            around = slice(index - 1, index + 2)
            moment, value = highest(beyond, times[around], values[around])
            if value >= 0:
                return _crossing(beyond, np.array([times[index - 1], moment]), np.array([values[index - 1], value]))
    if first == len(times):
        return None
    return float(times[0]) if first == 0 else _crossing(beyond, times[: first + 1], values[: first + 1])


def summits(value: Value, times: Floats, values: Floats, above: float) -> Iterator[tuple[float, float]]:
    """When a value, `values` (n,) by these times, is higher than ever and falls back, and how high it is then."""
    for index in np.flatnonzero(np.diff(values) < 0).tolist():
        before = max(index - 1, 0)
        if values[index] < values[before] or values[index] + _rise(values, index) <= above:
            continue
        moment, top = highest(value, times[before : index + 2], values[before : index + 2])
        if top > above:
            above = top
            yield moment, top


def _rise(values: Floats, index: int) -> float:
    """How much higher than the highest of three values a way may come between the looks, at the very most."""
    return float(values[index] - values[max(index - 1, 0) : index + 2].min())


def _crossing(beyond: Value, t: Floats, values: Floats) -> float:
    """The first of the moments t at which `beyond` is not negative, made as early as moments can be told apart."""
    while True:
        first = int(np.argmax(values >= 0))
        low, high = t[first - 1 : first + 1].tolist()
        inside = _closer(low, high, _root(t, values, first))
        if not len(inside) or high - low <= _apart(low, high):
            return float(high)
        t = np.array([low, *inside, high])
        values = np.array([values[first - 1], *beyond(inside), values[first]])


def highest(value: Value, t: Floats, values: Floats) -> tuple[float, float]:
    """Where between the moments t a value is highest, which is about in their middle, and how high it is."""
    enough = CLOSE * (t[-1] - t[0])
    while True:
        peak = int(np.argmax(values))
        near = slice(max(peak - 1, 0), peak + 2)
        around, heights = t[near], values[near]
        low, high = float(around[0]), float(around[-1])
        if high - low <= max(enough, _apart(low, high)):
            return float(t[peak]), float(values[peak])
        inside = _closer(low, high, _vertex(around, heights))
        inside = inside[inside != t[peak]]
        t = np.concatenate([around, inside])
        values = np.concatenate([heights, value(inside)])
        order = np.argsort(t)
        t, values = t[order], values[order]


def _apart(low: float, high: float) -> float:
    """How far apart moments must be to be told apart [s]."""
    return PRECISE * max(abs(low), abs(high), PRECISE)


def _closer(low: float, high: float, guess: float) -> Floats:
    """Moments to look at inside a bracket: its middle, and closer and closer around a guess."""
    t = np.append(guess + (high - low) * ASIDE, 0.5 * (low + high))
    return np.unique(t[(t > low) & (t < high)])


def _root(t: Floats, values: Floats, first: int) -> float:
    """Where values (n,) at t rise through zero before t[first]: by the cubic of t by value through its neighbours."""
    low, high = t[first - 1], t[first]
    near = slice(max(first - 2, 0), first + 2)
    x, y = t[near] - low, values[near]
    if (np.diff(y) > 0).all():
        apart = y[:, None] - y + np.eye(len(y))
        weights = np.where(np.eye(len(y)) > 0, 1.0, -y / apart).prod(axis=1)
        guess = float(low + x @ weights)
        if low < guess < high:
            return guess
    return float(low + (high - low) * (-values[first - 1] / (values[first] - values[first - 1])))


def _vertex(t: Floats, values: Floats) -> float:
    """Where the parabola through three values at t is highest; in the middle if there is none."""
    if len(t) == 3:
        slopes = np.diff(values) / np.diff(t)
        bend = (slopes[1] - slopes[0]) / (t[2] - t[0])
        if bend < 0:
            return float(0.5 * (t[0] + t[1]) - 0.5 * slopes[0] / bend)
    return float(0.5 * (t[0] + t[-1]))
