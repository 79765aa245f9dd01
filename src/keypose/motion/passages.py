"""When is each carried key passed? The story of a rendez-vous, told from moment to moment (LG95 §4).

On a timed path a key is passed at its time. Otherwise at the earliest instant at which the travelled share reaches the
key's share of the length, carriers taken at that instant. Where the path ahead shrinks faster than it is travelled, the
actor waits and does not go back along it; if the next key comes to it before that is due, it goes with the key. Between
the moments looked at, what happens is found by looking closer.
"""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from keypose.motion.rendezvous import Look, Rendezvous
from keypose.motion.story import Story

Floats = NDArray[np.float64]
Value = Callable[[Floats], Floats]
"""A length [m] at each of some times."""

SAMPLES_PER_SECOND, FEWEST, MOST = 48, 64, 20_000  # where a path is looked at first
FEW_AT_ONCE, MANY_AT_ONCE = 8, 128  # looks: a pinned key changes what comes after it
WORTH_A_LOOK = 512  # segments: so many are measured while one look makes up its mind
PRECISE = 1e-14  # of the moments themselves
CLOSE = 1e-5  # of the time between looks: so near to where it is highest, a way does not change any more
ASIDE = np.array([-1e-1, -1e-3, -1e-6, 0.0, 1e-6, 1e-3, 1e-1])  # of a bracket: how far off a guess may be


def solved(
    meeting: Rendezvous,
    look: Look,
    corners: Floats | None = None,
    story: Story | None = None,
    since: float = -np.inf,
) -> Story:
    """The whole story, for carriers that are functions of time; `corners` [s] are when they change abruptly.

    A `story` that is known up to the moment `since` is told on from there.
    """
    story = meeting.blank if story is None else story
    if meeting.is_timed:
        return told(meeting, story, np.array([max(since, story.passed[0]), max(since, story.passed[-1])]), look)
    first, last = (max(since, moment) for moment in meeting.motion.span)
    samples = int(np.clip(SAMPLES_PER_SECOND * (last - first), FEWEST, MOST))
    times = np.linspace(first, last, samples + 1)
    if corners is not None and len(corners):
        times = np.union1d(times, _between(np.clip(corners, first, last)))
    return told(meeting, story, times, look)


def _between(corners: Floats) -> Floats:
    """Moments from corner to corner, as many as are worth looking at."""
    steps = np.arange(0, len(corners) - 1 + 1 / 8, max(1 / 4, len(corners) / MOST))
    return np.asarray(np.interp(steps, np.arange(len(corners)), np.sort(corners)))


def told(meeting: Rendezvous, story: Story, times: Floats, look: Look) -> Story:
    """The story told on through these moments, in order; the first of them may have been told already."""
    if meeting.motion.outside != "hold":  # it passes its keys again and again: what counts is the first time
        times = np.minimum(times, meeting.motion.span[1])
    if meeting.is_timed:
        return _pinned_in_time(meeting, story, times, look)
    few = int(np.clip(WORTH_A_LOOK // max(len(meeting.loose.touched), 1), FEW_AT_ONCE, MANY_AT_ONCE))
    count = few
    while story.following < len(story.passed):
        some = times[:count]
        story, moment = _told_some(meeting, story, some, look)
        if moment is not None:
            count = int(np.clip(2 * np.searchsorted(some, moment), few, MANY_AT_ONCE))
            times = np.append(moment, times[times > moment])
        elif len(some) < len(times):
            times = times[len(some) - 2 :]  # a way that is furthest between two looks shows only in the third
            count = min(2 * count, MANY_AT_ONCE)
        else:
            break
    return story


def untold(meeting: Rendezvous, story: Story, moment: float) -> Story:
    """The story as it was known at a moment [s]."""
    later = story.passed[meeting.among_ends] > moment
    place, turn = (np.where(later[:, None], np.nan, known) for known in (story.place, story.turn))
    passed = story.passed if meeting.is_timed else np.where(story.passed > moment, np.inf, story.passed)
    return replace(story.until(moment), passed=passed, place=place, turn=turn)


def carried_over(before: Rendezvous, story: Story, meeting: Rendezvous, moment: float) -> Story | None:
    """The story so far of a motion that is another from this moment on; None if its carried keys are not the same."""
    same = before.carriers == meeting.carriers and before.is_timed == meeting.is_timed
    if not same or not np.array_equal(before.loose.loose, meeting.loose.loose):
        return None
    known = untold(before, story, moment)
    if not meeting.is_timed:
        return known if np.array_equal(before.loose.ends, meeting.loose.ends) else None
    later = meeting.blank.passed[meeting.among_ends] > moment
    place, turn = (np.where(later[:, None], np.nan, pinned) for pinned in (known.place, known.turn))
    return replace(meeting.blank, place=place, turn=turn)


def _pinned_in_time(meeting: Rendezvous, story: Story, times: Floats, look: Look) -> Story:
    """The story of a timed path, its keys pinned as far as their times have come."""
    passed = story.passed[meeting.among_ends]
    for loose in np.flatnonzero(meeting.pinned & ~story.is_pinned & (passed <= times[-1])).tolist():
        story = meeting.pin(story, loose, max(passed[loose], times[0]), look)
    return story


def _told_some(meeting: Rendezvous, story: Story, times: Floats, look: Look) -> tuple[Story, float | None]:
    """The story told until the next key is passed, and when that is; or until the times are over."""
    following, begin = story.following, meeting.motion.span[0]
    if following == 0:
        return (story, None) if times[-1] < begin else _passed(meeting, story, max(begin, float(times[0])), look)

    seen: dict[float, float] = {}  # how far ahead of the last key it is, at all moments looked at

    def ahead(t: Floats) -> Floats:
        beyond(t)
        return np.array([seen[moment] for moment in t.tolist()])

    def beyond(t: Floats) -> Floats:
        course = meeting.course(t, look, story)
        seen.update(zip(t.tolist(), (course.goal - course.reached[:, following - 1]).tolist(), strict=True))
        return np.asarray(course.goal - course.reached[:, following])

    moment = _earliest(beyond, times, beyond(times))
    until = times if moment is None else np.append(times[times < moment], moment)
    held = _held(story, ahead, until, np.array([seen[moment] for moment in until.tolist()]))
    return (held, None) if moment is None else _passed(meeting, held, moment, look)


def _passed(meeting: Rendezvous, story: Story, moment: float, look: Look) -> tuple[Story, float]:
    """The story with the next key passed at this moment, and pinned if it is carried so far."""
    following = story.following
    story = story.passing(moment)
    for loose in np.flatnonzero((meeting.among_ends == following) & meeting.pinned).tolist():
        story = meeting.pin(story, loose, moment, look)
    return story, moment


def _held(story: Story, ahead: Value, times: Floats, gone: Floats) -> Story:
    """The story with a hold wherever the way ahead of the last passed key, `gone` (n,) by these times, falls back."""
    for index in np.flatnonzero(np.diff(gone) < 0).tolist():
        before = max(index - 1, 0)
        if gone[index] < gone[before] or gone[index] + _rise(gone, index) <= story.held[-1]:
            continue
        moment, furthest = _highest(ahead, times[before : index + 2], gone[before : index + 2])
        if furthest > story.held[-1]:
            story = story.holding(max(moment, float(story.since[-1])), furthest)
    return story


def _earliest(beyond: Value, times: Floats, values: Floats) -> float | None:
    """The earliest moment at which `beyond`, which has these values (n,) by these times, is not negative any more."""
    arrived = np.flatnonzero(values >= 0)
    first = int(arrived[0]) if len(arrived) else len(times)
    inner, sides = values[1:-1], np.maximum(values[:-2], values[2:])
    for index in (1 + np.flatnonzero(inner >= sides)).tolist():  # it may have been there between two looks
        if index < first and values[index] + _rise(values, index) >= 0:
            around = slice(index - 1, index + 2)
            moment, value = _highest(beyond, times[around], values[around])
            if value >= 0:
                return _crossing(beyond, np.array([times[index - 1], moment]), np.array([values[index - 1], value]))
    if first == len(times):
        return None
    return float(times[0]) if first == 0 else _crossing(beyond, times[: first + 1], values[: first + 1])


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


def _highest(value: Value, t: Floats, values: Floats) -> tuple[float, float]:
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
