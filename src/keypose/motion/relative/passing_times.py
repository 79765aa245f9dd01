"""When is each carried key passed? The story of a rendez-vous, told from moment to moment (LG95 §4).

On a timed path a key is passed at its time. Otherwise at the earliest instant at which the travelled share reaches the
key's share of the length, carriers taken at that instant. Distance never decreases: where the path ahead shrinks faster
than it is travelled, the actor waits; and where the next key will come nearer than the actor would have gone by then,
it waits for the key where that will be. What nobody can know may push it back: a carrier that takes ticks, or a change
while it runs.

Between the moments looked at, what happens is found by looking closer wherever the way bends so much that it may turn.
"""

from dataclasses import replace

import numpy as np

from keypose.maths.arrays import Floats
from keypose.motion.relative.approach_limits import nearest
from keypose.motion.relative.corner_times import Corners, smooth
from keypose.motion.relative.pass_log import Story
from keypose.motion.relative.relative_motion import Look, Rendezvous
from keypose.motion.relative.root_search import Looks, Value, earliest, looked_at, summits

SAMPLES_PER_SECOND, FEWEST, MOST = 48, 64, 20_000  # where a path is looked at first
FROM_CORNER_TO_CORNER = 4  # looks
BESIDE = 1e-9  # of the time from corner to corner: just before or after one
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
    times = looks(np.linspace(first, last, samples + 1), corners(first, last))
    return told(meeting, story, times, look, foreseen=True)


def looks(times: Floats, corners: Floats) -> Floats:
    """Moments to look at (n,): these times, the corners between them, and some from each of all these to the next.

    From corner to corner carriers move smoothly, so that some looks show what they do there; at a corner they may turn,
    or be elsewhere all at once: looks just before and after it show how they come there and leave.
    """
    if not len(corners):
        return times
    inner = np.unique(np.concatenate([times[[0, -1]], corners]))
    between = np.arange((len(inner) - 1) * FROM_CORNER_TO_CORNER + 1) / FROM_CORNER_TO_CORNER
    corner = np.arange(len(inner) - 1)
    between = np.concatenate([between, corner + BESIDE, corner + 1 - BESIDE])
    return np.union1d(times, np.interp(between, np.arange(len(inner)), inner))


def told(meeting: Rendezvous, story: Story, times: Floats, look: Look, *, foreseen: bool = False) -> Story:
    """The story told on through these moments, in order; the first of them may have been told already.

    Where the future is `foreseen`, nobody goes further than the next key will come to meet him.
    """
    if meeting.motion.outside != "hold":  # it passes its keys again and again: what counts is the first time
        times = np.unique(np.minimum(times, meeting.motion.span[1]))
    if meeting.is_timed:
        return _pinned_in_time(meeting, story, times, look)
    few = int(np.clip(WORTH_A_LOOK // max(len(meeting.loose.touched), 1), FEW_AT_ONCE, MANY_AT_ONCE))
    count, leg = few, list[Looks]()
    while story.following < len(story.passed):
        some = times[:count]
        way = _way(meeting, story, look)
        story, moment, seen = _told_some(meeting, story, some, way)
        leg.append(seen)
        if moment is not None:
            near = nearest(way, leg, story) if foreseen else None
            story = _passed(meeting, story, moment, look)
            story = story if near is None else story.foreseeing(*near)
            leg = []
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


def _way(meeting: Rendezvous, story: Story, look: Look) -> Value:
    """How far an actor wants to be at times (n,) past the next key and past the last one: (n, 2) [m]."""
    keys = [story.following, story.following - 1]

    def way(t: Floats) -> Floats:
        course = meeting.course(t, look, story)
        return course.goal[:, None] - course.reached[:, keys]

    return way


def _told_some(meeting: Rendezvous, story: Story, times: Floats, way: Value) -> tuple[Story, float | None, Looks]:
    """The story told until the next key is passed or the times are over, when that is passed, and what was seen."""
    if story.following == 0:
        begin = meeting.motion.span[0]
        return story, None if times[-1] < begin else max(begin, float(times[0])), (times[:0], np.empty((0, 2)))
    times, values = looked_at(way, times, float(story.held[-1]))
    moment = earliest(lambda t: way(t)[:, 0], times, values[:, 0])
    if moment is not None:
        before = times < moment
        times, values = np.append(times[before], moment), np.append(values[before], way(np.array([moment])), axis=0)
    return _held(story, lambda t: way(t)[:, 1], times, values[:, 1]), moment, (times, values)


def _passed(meeting: Rendezvous, story: Story, moment: float, look: Look) -> Story:
    """The story with the next key passed at this moment, and pinned if it is carried so far."""
    following = story.following
    story = story.passing(moment)
    for loose in np.flatnonzero((meeting.among_ends == following) & meeting.pinned).tolist():
        story = meeting.pin(story, loose, moment, look)
    return story


def _held(story: Story, ahead: Value, times: Floats, gone: Floats) -> Story:
    """The story with a hold wherever the way ahead of the last passed key, `gone` (n,) by these times, falls back."""
    for moment, furthest in summits(ahead, times, gone, float(story.held[-1])):
        story = story.holding(max(moment, float(story.since[-1])), furthest)
    return story
