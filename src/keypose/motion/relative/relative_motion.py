"""How does a hand catch a moving glass? A key of its path stands in the glass's frame (GL95 §6.3, LG95 §4).

A carried key follows its carrier until it is passed; then it is pinned in the world, unless it says `pin=False`. Here
is where the actor is, once it is known which keys were passed when: that is told in `passages`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from keypose.curves.relative.fast_lengths import Stretched
from keypose.curves.relative.relative_path import Frames, Loose
from keypose.curves.relative.shapes import Shapes
from keypose.maths.arrays import Bools, Floats, Ints
from keypose.motion.facing import leading
from keypose.motion.hierarchy import in_space, middle, seen_from
from keypose.motion.motion import Motion
from keypose.motion.pose import Pose
from keypose.motion.relative.pass_log import Story
from keypose.timing.clocks import Pacing, Passing

Look = Callable[[str, Floats], Pose]
"""Where an actor is in the world at times (n,)."""


@dataclass(frozen=True, eq=False)
class Course:
    """How far an actor wants to be at some times, and how far the keys at which distance is known are then."""

    times: Floats
    """(n,) [s]"""
    goal: Floats
    """(n,) [m]"""
    reached: Floats
    """(n, ends) [m]"""


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
        self.pinned = np.ones(len(loose), dtype=bool) if pins is None else pins[loose]
        self._captured = np.unique([0, motion.path.segments, *map(motion.path.keys.index, motion.captured)])
        marks = np.arange(motion.path.segments + 1) if everywhere else self._captured
        self.loose = Loose(motion.path, loose, marks)
        self._last: tuple[Floats, Stretched] | None = None

    @property
    def is_timed(self) -> bool:
        """Whether it is known beforehand when each key is passed."""
        return isinstance(self.motion._clock, Passing)

    @property
    def blank(self) -> Story:
        """The story before anything has happened; on a timed path it is known when each key will be passed."""
        story = Story.blank(len(self.loose.ends), len(self.loose.loose))
        if isinstance(self.motion._clock, Passing):
            story.passed[:] = self.motion.start + self.motion._clock.times[self.loose.ends]
        return story

    @cached_property
    def among_ends(self) -> Ints:
        """Where the loose keys are among the `ends`."""
        return np.searchsorted(self.loose.ends, self.loose.loose)

    def passing_of(self, key: int, story: Story) -> float:
        """When a key was passed [s]; infinite if not yet."""
        return float(story.passed[np.searchsorted(self.loose.ends, key)])

    # ---- where -------------------------------------------------------------------------------------------------------

    def at(self, t: Floats, look: Look, story: Story) -> Pose:
        """The poses at times (n,) in the actor's own frame."""
        if not len(t):
            return Pose(np.empty((0, *self.loose.path.shape)), np.empty((0, 4)))
        shapes = self._shapes(t, look, story)
        u = self._parameter(t, shapes, story)
        return in_space(Pose(shapes.at(u), shapes.orientation_at(u)))

    def direction(self, t: Floats, look: Look, story: Story) -> Floats:
        """Where the path leads at times (n,), as it is at each of them: (n, 3) of any length."""
        if not len(t):
            return np.empty((0, 3))
        shapes = self._shapes(t, look, story)
        u = self._parameter(t, shapes, story)
        ahead = shapes.at(u, derivative=1)
        ahead = ahead.mean(axis=1) if ahead.ndim == 3 else ahead
        for instant in np.flatnonzero(~(np.abs(ahead).max(axis=1) > 0)).tolist():
            ahead[instant] = leading(shapes.settled(instant), u[instant : instant + 1])[0]
        _, sense = self.motion._inside(t)
        return np.asarray(ahead * np.where(sense < 0, -1.0, 1.0)[:, None])

    def parameter(self, t: Floats, look: Look, story: Story) -> Floats:
        """The parameter u of its path at times (n,)."""
        return self._parameter(t, self._shapes(t, look, story), story) if len(t) else np.empty(0)

    def tangents(self, t: Floats, look: Look, story: Story) -> tuple[Floats, Floats]:
        """dP/du with which key i is reached and left, on the path as it is at t[i], in the actor's own frame."""
        shapes, key = self._shapes(t, look, story), np.arange(float(len(t)))
        before = np.nextafter(key, -1.0)
        if self.motion.path.closed:
            before[0] = np.nextafter(float(len(t)), 0.0)
        arrive, leave = shapes.at(before, derivative=1), shapes.at(key, derivative=1)
        if (
            not self.motion.path.closed
        ):  # nothing arrives at the first key and nothing leaves the last but by their rule
            arrive[0], leave[-1] = shapes.settled(0).arrive[0], shapes.settled(len(t) - 1).leave[-1]
        return arrive, leave

    def _shapes(self, t: Floats, look: Look, story: Story) -> Shapes:
        gone = self.pinned & story.is_pinned & (t[:, None] >= story.passed[self.among_ends])
        everyone = np.arange(len(self.carriers))
        return Shapes(self.loose, self._frames(t, look, story, gone, everyone))

    def _frames(self, t: Floats, look: Look, story: Story, gone: Bools, loose: Ints) -> Frames:
        """Where the frames of these loose keys are at times (n,), as the actor sees them from where it stands.

        Those that are `gone`, (n, loose), stay where they were pinned.
        """
        names = [self.carriers[key] for key in loose]
        carriers = {name: look(name, t) for name in dict.fromkeys(names)}
        place, turn = np.empty((len(t), len(names), 3)), np.empty((len(t), len(names), 4))
        for column, name in enumerate(names):
            place[:, column], turn[:, column] = middle(carriers[name]), carriers[name].orientation
        pinned = gone[:, loose, None]
        world = Pose(np.where(pinned, story.place[loose], place), np.where(pinned, story.turn[loose], turn))
        if self.parent is not None:
            under = look(self.parent, t)
            world = seen_from(Pose(middle(under)[:, None], under.orientation[:, None]), world)
        return Frames(world.position, world.orientation)

    def _parameter(self, t: Floats, shapes: Shapes, story: Story) -> Floats:
        moment = self._moment(t)
        if isinstance(self.motion._clock, Passing):
            return self.motion._clock.parameter(moment)
        goal, reached = self._goal(moment, shapes.reached), shapes.reached
        if self.motion.outside != "hold":  # it comes back again and again, and nothing is ever passed for good
            return shapes.parameter(goal)
        here, last = np.arange(len(t)), reached.shape[1] - 1
        leg = np.searchsorted(story.passed, t, side="right") - 1
        base, limit = reached[here, np.maximum(leg, 0)], reached[here, np.minimum(leg + 1, last)]
        ahead = np.minimum(np.maximum(goal - base, story.held_at(t)), story.near_at(t))
        distance = np.minimum(base + ahead, limit)
        return shapes.parameter(np.where(leg < 0, 0.0, distance))

    def _moment(self, t: Floats) -> Floats:
        """Times (n,) by the motion's own clock."""
        moment, _ = self.motion._inside(t)
        if self.motion.outside != "hold":
            return moment
        return np.where(t >= self.motion.span[1], self.motion._clock.span[1], moment)  # rounding must not delay the end

    def _goal(self, moment: Floats, reached: Floats) -> Floats:
        """How far the drawn speed wants it to be at each moment (n,), on the path as it is then."""
        assert isinstance(self.motion._clock, Pacing)
        span, share = self.motion._clock.share(moment)
        here, column = np.arange(len(moment)), np.searchsorted(self.loose.ends, self._captured)
        low, high = reached[here, column[span]], reached[here, column[span + 1]]
        return np.where(share < 1.0, low + share * (high - low), high)

    # ---- for those who find out when each key is passed --------------------------------------------------------------

    def course(self, t: Floats, look: Look, story: Story) -> Course:
        """How far it wants to be at times (n,), none of them before what was told last."""
        gone = self.pinned & story.is_pinned
        keys = np.arange(len(gone)) if self.parent is not None else np.flatnonzero(~gone)
        reached = self._from_now_on(gone, story).reached(self._frames(t, look, story, gone[None], keys))
        return Course(t, self._goal(self._moment(t), reached), reached)

    def _from_now_on(self, gone: Bools, story: Story) -> Stretched:
        """The loose path while nothing more is pinned than what is `gone`."""
        if self._last is not None and self._last[0] is story.place:
            return self._last[1]
        path, loose = self.loose.path, self.loose.loose
        number = np.where(gone, -1 - np.arange(len(gone)), self._carrier)
        if self.parent is None and gone.any():  # pinned in the world, a key is a key like any other
            pinned = Frames(story.place[None, gone], story.turn[None, gone])
            path, loose, number = Loose(path, loose[gone]).settled(pinned, 0), loose[~gone], number[~gone]
        made = Stretched(Loose(path, loose, self.loose.ends, number))
        self._last = story.place, made
        return made

    @cached_property
    def _carrier(self) -> Ints:
        """The number of each loose key's carrier."""
        return np.unique(np.array(self.carriers), return_inverse=True)[1]

    def pin(self, story: Story, loose: int, moment: float, look: Look) -> Story:
        """The story with a loose key pinned where its carrier is at a moment [s]."""
        carrier = look(self.carriers[loose], np.array([moment]))
        return story.pinned(loose, Pose(middle(carrier)[0], carrier.orientation[0]))
