"""When is each carried key passed? The story of a rendez-vous, told from moment to moment (LG95 §4).

On a timed path a key is passed at its time. Otherwise at the earliest instant at which the travelled share reaches the
key's share of the length, carriers taken at that instant. Where the path ahead shrinks faster than it is travelled, the
actor waits and does not go back along it; if the next key comes to it before that is due, it goes with the key. Between
the moments looked at, what happens is found by looking closer wherever the way bends so much that it may turn there.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from keypose.motion.corners import Corners, smooth
from keypose.motion.looking_closer import Value, earliest, highest, looked_at, rise
from keypose.motion.rendezvous import Look, Rendezvous
from keypose.motion.story import Story

Floats = NDArray[np.float64]

SAMPLES_PER_SECOND, FEWEST, MOST = 48, 64, 20_000  # where a path is looked at first
FROM_CORNER_TO_CORNER = 4  # looks
FEW_AT_ONCE, MANY_AT_ONCE = 8, 128  # looks: a pinned key changes what comes after it
WORTH_A_LOOK = 512  # segments: so many are measured while one look makes up its mind


def solved(
    meeting: Rendezvous,
    look: Look,
    corners: Corners = smooth,
    story: Story | None = None,
    since: float = -np.inf,
) -> Story:
    """The whole story, for carriers that are functions of time and turn abruptly at `corners` at most.

    A `story` that is known up to the moment `since` is told on from there.
    """
    story = meeting.blank if story is None else story
    if meeting.is_timed:
        return told(meeting, story, np.array([max(since, story.passed[0]), max(since, story.passed[-1])]), look)
    first, last = (max(since, moment) for moment in meeting.motion.span)
    samples = int(np.clip(SAMPLES_PER_SECOND * (last - first), FEWEST, MOST))
    return told(meeting, story, looks(np.linspace(first, last, samples + 1), corners(first, last)), look)


def looks(times: Floats, corners: Floats) -> Floats:
    """Moments to look at (n,): these times, the corners between them, and some from each of all these to the next.

    From corner to corner carriers move smoothly, so that some looks show what they do there.
    """
    if not len(corners):
        return times
    inner = np.unique(np.concatenate([times[[0, -1]], corners]))
    between = np.arange((len(inner) - 1) * FROM_CORNER_TO_CORNER + 1) / FROM_CORNER_TO_CORNER
    return np.union1d(times, np.interp(between, np.arange(len(inner)), inner))


def told(meeting: Rendezvous, story: Story, times: Floats, look: Look) -> Story:
    """The story told on through these moments, in order; the first of them may have been told already."""
    if meeting.motion.outside != "hold":  # it passes its keys again and again: what counts is the first time
        times = np.unique(np.minimum(times, meeting.motion.span[1]))
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

    def way(t: Floats) -> Floats:
        course = meeting.course(t, look, story)
        return course.goal[:, None] - course.reached[:, [following, following - 1]]

    def beyond(t: Floats) -> Floats:
        return way(t)[:, 0]

    def ahead(t: Floats) -> Floats:
        return way(t)[:, 1]

    times, values = looked_at(way, times)
    moment = earliest(beyond, times, values[:, 0])
    if moment is None:
        return _held(story, ahead, times, values[:, 1]), None
    before = times < moment
    arriving = np.array([moment])
    until, gone = np.append(times[before], arriving), np.append(values[before, 1], ahead(arriving))
    return _passed(meeting, _held(story, ahead, until, gone), moment, look)


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
        if gone[index] < gone[before] or gone[index] + rise(gone, index) <= story.held[-1]:
            continue
        moment, furthest = highest(ahead, times[before : index + 2], gone[before : index + 2])
        if furthest > story.held[-1]:
            story = story.holding(max(moment, float(story.since[-1])), furthest)
    return story
