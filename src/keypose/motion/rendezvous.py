"""How does a hand catch a moving glass? A key of its path stands in the glass's frame (GL95 §6.3, LG95 §4).

A carried key follows its carrier until it is passed; then it is pinned in the world, unless it says `pin=False`. On a
timed path it is passed at its time. Otherwise at the earliest instant at which the travelled share reaches the key's
share of the length, carriers taken at that instant; and where the path ahead shrinks faster than it is travelled, the
actor waits: it never goes back.
"""

from collections.abc import Callable
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from keypose.curves.loose import Frames, Loose
from keypose.curves.shapes import Shapes
from keypose.motion.hierarchy import in_space, middle, seen_from
from keypose.motion.motion import Motion
from keypose.motion.pose import Pose
from keypose.motion.story import Story
from keypose.timing.key_times import KeyTimes
from keypose.timing.schedule import Pacing, Passing
from keypose.timing.speed_profile import SpeedProfile

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Look = Callable[[str, Floats], Pose]
"""Where an actor is in the world at times (n,)."""

SAMPLES_PER_SECOND, FEWEST, MOST = 48, 64, 20_000  # where a solved path is looked at first
AT_ONCE = 64  # samples: a pinned key changes what comes after it
SECTIONS = 32  # a bracket shrinks to this part of itself at each look
PRECISE = 1e-14  # of the moments themselves
BESIDE = 1e-4  # of a segment: where to look for a direction that is missing


class Rendezvous:
    """A motion some of whose keys are carried, for an actor that stands on `parent`."""

    def __init__(self, motion: Motion, parent: str | None = None, *, everywhere: bool = False) -> None:
        names = motion.path.keys.column("relative_to")
        assert names is not None
        loose = np.array([key for key, name in enumerate(names) if name is not None], dtype=np.int64)
        pins = motion.path.keys.column("pin")
        self.motion = motion
        self.parent = parent
        self.carriers: tuple[str, ...] = tuple(names[loose])
        self._pinned = np.ones(len(loose), dtype=bool) if pins is None else pins[loose]
        self._captured = np.unique([0, motion.path.segments, *map(motion.path.keys.index, motion.captured)])
        marks = np.arange(motion.path.segments + 1) if everywhere else self._captured
        self.loose = Loose(motion.path, loose, marks)

    @property
    def blank(self) -> Story:
        """The story before anything has happened; on a timed path it is known when each key will be passed."""
        story = Story.blank(len(self.loose.ends), len(self.loose.loose))
        if isinstance(self.motion._clock, Passing):
            story.passed[:] = self.motion.start + self.motion._clock.times[self.loose.ends]
        return story

    def passing_of(self, key: int, story: Story) -> float:
        """When a key was passed [s]; infinite if not yet."""
        return float(story.passed[np.searchsorted(self.loose.ends, key)])

    # ---- where -------------------------------------------------------------------------------------------------------

    def at(self, t: Floats, look: Look, story: Story) -> Pose:
        """The poses at times (n,) in the actor's own frame."""
        shapes = self._shapes(t, look, story)
        u = self._parameter(t, shapes, story)
        return in_space(Pose(shapes.at(u), shapes.orientation_at(u)))

    def direction(self, t: Floats, look: Look, story: Story) -> Floats:
        """Where the path leads at times (n,), as it is at each of them: (n, 3) of any length."""
        shapes = self._shapes(t, look, story)
        u = self._parameter(t, shapes, story)
        ahead = shapes.at(u, derivative=1)
        stopped = ~(np.abs(ahead).reshape(len(u), -1).max(axis=1) > 0)
        if stopped.any():
            segment = np.minimum(np.floor(u), self.motion.path.segments - 1)
            beside = shapes.at(np.clip(u, segment + BESIDE, segment + 1 - BESIDE), derivative=1)
            ahead[stopped] = beside[stopped]
        return ahead.mean(axis=1) if ahead.ndim == 3 else ahead

    def _frames(self, t: Floats, look: Look, story: Story) -> Frames:
        """Where the loose keys' frames are at times (n,), as the actor sees them from where it stands."""
        carriers = {name: look(name, t) for name in dict.fromkeys(self.carriers)}
        place = np.stack([middle(carriers[name]) for name in self.carriers], axis=1)
        turn = np.stack([carriers[name].orientation for name in self.carriers], axis=1)
        gone = self._pinned & (t[:, None] >= story.passed[self._among_ends]) & ~np.isnan(story.place[:, 0])
        world = Pose(np.where(gone[..., None], story.place, place), np.where(gone[..., None], story.turn, turn))
        if self.parent is not None:
            under = look(self.parent, t)
            world = seen_from(Pose(middle(under)[:, None], under.orientation[:, None]), world)
        return Frames(world.position, world.orientation)

    def _shapes(self, t: Floats, look: Look, story: Story) -> Shapes:
        return Shapes(self.loose, self._frames(t, look, story))

    @cached_property
    def _among_ends(self) -> Ints:
        """Where the loose keys are among the `ends`."""
        return np.searchsorted(self.loose.ends, self.loose.loose)

    def _parameter(self, t: Floats, shapes: Shapes, story: Story) -> Floats:
        moment, _ = self.motion._inside(t)
        if isinstance(self.motion._clock, Passing):
            return self.motion._clock.parameter(moment)
        goal, reached = self._goal(moment, shapes.reached), shapes.reached
        if self.motion.outside != "hold":  # it comes back again and again, and nothing is ever passed for good
            return shapes.parameter(goal)
        here, last = np.arange(len(t)), reached.shape[1] - 1
        leg = np.searchsorted(story.passed, t, side="right") - 1
        base, limit = reached[here, np.maximum(leg, 0)], reached[here, np.minimum(leg + 1, last)]
        distance = np.minimum(base + np.maximum(goal - base, story.held_at(t)), limit)
        return shapes.parameter(np.where(leg < 0, 0.0, distance))

    def _goal(self, moment: Floats, reached: Floats) -> Floats:
        """How far the drawn speed wants it to be at each moment (n,), on the path as it is then."""
        assert isinstance(self.motion._clock, Pacing)
        span, share = self.motion._clock.share(moment)
        here, column = np.arange(len(moment)), np.searchsorted(self.loose.ends, self._captured)
        low, high = reached[here, column[span]], reached[here, column[span + 1]]
        return np.where(share < 1.0, low + share * (high - low), high)

    # ---- when each key is passed -------------------------------------------------------------------------------------

    def solved(self, look: Look) -> Story:
        """The whole story, for carriers that are functions of time."""
        if isinstance(self.motion._clock, Passing):
            return self.told(self.blank, self.blank.passed, look)
        first, last = self.motion.span
        samples = int(np.clip(SAMPLES_PER_SECOND * (last - first), FEWEST, MOST))
        return self.told(self.blank, np.linspace(first, last, samples + 1), look)

    def told(self, story: Story, times: Floats, look: Look) -> Story:
        """The story told on through these moments, in order; the first of them may have been told already."""
        if self.motion.outside != "hold":
            return story
        if isinstance(self.motion._clock, Passing):
            passed = story.passed[self._among_ends]
            for loose in np.flatnonzero(self._pinned & np.isnan(story.place[:, 0]) & (passed <= times[-1])):
                story = self._pin(story, int(loose), max(passed[loose], times[0]), look)
            return story
        since, rest = float(times[0]), times
        while True:
            some = rest[:AT_ONCE]
            story, since, done = self._told_some(story, since, some, look)
            if done == len(rest):
                return story
            rest = rest[done - (done == len(some)) :]  # the last one is the first of the next: it may fall from there

    def _told_some(self, story: Story, since: float, times: Floats, look: Look) -> tuple[Story, float, int]:
        """The story told on until a key is pinned or the times are over; since when, and how many times are done."""
        ends, first = self.loose.ends, 0
        goal, reached = self._course(times, story, look)
        before = self.motion.span[0]
        while (following := story.following) < len(ends):
            if following == 0:
                arrived = np.flatnonzero(times[first:] >= before)
            else:
                arrived = np.flatnonzero(goal[first:] >= reached[first:, following])
            sooner = first + int(arrived[0]) if len(arrived) else len(times)
            if following:
                ahead = goal[first:sooner] - reached[first:sooner, following - 1]
                story = self._held(story, since, times[first:sooner], ahead, look)
            if not len(arrived):
                break
            first = sooner
            if following == 0:
                moment = max(before, since)
            else:
                moment = self._crossing(
                    story, since if first == 0 else max(since, times[first - 1]), times[first], look
                )
            story, since = story.passing(moment), moment
            for loose in np.flatnonzero((self._among_ends == following) & self._pinned):
                return self._pin(story, int(loose), moment, look), moment, first
        return story, max(since, float(times[-1])), len(times)

    def _course(self, t: Floats, story: Story, look: Look) -> tuple[Floats, Floats]:
        """How far it wants to be at times (n,), and how far the `ends` are, (n, ends)."""
        reached = self._shapes(t, look, story).reached
        return self._goal(self.motion._inside(t)[0], reached), reached

    def _crossing(self, story: Story, low: float, high: float, look: Look) -> float:
        """The earliest moment from low to high at which the next key is reached; it is at `high`."""
        following = story.following
        while high - low > PRECISE * max(abs(low), abs(high)):
            t = np.linspace(low, high, SECTIONS + 1)
            goal, reached = self._course(t, story, look)
            arrived = goal >= reached[:, following]
            arrived[-1] = True
            first = int(np.argmax(arrived))
            if first == 0:
                return low
            if (t[first - 1], t[first]) == (low, high):
                break
            low, high = float(t[first - 1]), float(t[first])
        return high

    def _held(self, story: Story, since: float, times: Floats, ahead: Floats, look: Look) -> Story:
        """The story with a hold wherever the way `ahead` (n,) of the last passed key begins to fall back."""
        base = story.following - 1
        falls = np.flatnonzero(np.diff(ahead) < 0)
        for index in falls.tolist():
            if ahead[index] <= story.held[-1] or (index and ahead[index] < ahead[index - 1]):
                continue
            low, high = max(float(times[max(index - 1, 0)]), since), float(times[index + 1])
            moment, furthest = times[index], ahead[index]
            while high - low > np.sqrt(PRECISE) * max(abs(low), abs(high)):
                t = np.linspace(low, high, SECTIONS + 1)
                goal, reached = self._course(t, story, look)
                peak = int(np.argmax(goal - reached[:, base]))
                moment, furthest = t[peak], (goal - reached[:, base])[peak]
                low, high = float(t[max(peak - 1, 0)]), float(t[min(peak + 1, SECTIONS)])
            story = story.holding(float(moment), float(furthest))
        return story

    def _pin(self, story: Story, loose: int, moment: float, look: Look) -> Story:
        carrier = look(self.carriers[loose], np.array([moment]))
        return story.pinned(loose, Pose(middle(carrier)[0], carrier.orientation[0]))


def spread_in_time(motion: Motion, parent: str | None, look: Look) -> Motion:
    """A motion only some of whose keys have times: the others are passed by distance, wherever the carriers are then.

    `needs_spreading` says whether that is so.
    """
    said, derived = motion._said[0], motion.path.keys.column("time")
    times = said.keys.column("time")
    assert times is not None
    assert derived is not None
    known = np.flatnonzero(~np.isnan(times) | (np.arange(len(times)) % max(said.segments, 1) == 0))
    capture: dict[str | int, float] = {int(key): float(derived[key] - derived[0]) for key in known}
    steadily = Motion(said, SpeedProfile.steady(), duration=motion.duration, start=motion.span[0], capture=capture)
    passed = Rendezvous(steadily, parent, everywhere=True).solved(look).passed - motion.start
    passed[known] = derived[known]
    return Motion(said, KeyTimes(passed), start=motion.start, outside=motion.outside)


def needs_spreading(motion: Motion) -> bool:
    """Whether the time of some inner key is only known from distances."""
    times = motion._said[0].keys.column("time")
    if motion.timing is not None or times is None or np.isnan(times).all():
        return False
    return bool(np.isnan(times[1:] if motion.path.closed else times[1:-1]).any())
