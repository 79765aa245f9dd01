"""Which way is up for a key? Keys live in the frame of what carries them, or of what their actor stands on.

A page moves them in the world, each as it is shown: at the moment it is passed. A carried key turns with its carrier
until it is passed; then it is pinned, and its frame is that of its carrier at that moment (GL95 §6.3).
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TypeVar

import numpy as np

from keypose.curves.orientation import Orientation
from keypose.curves.path.motion_path import MotionPath
from keypose.curves.relative.relative_path import Frames as Carriers
from keypose.maths.arrays import Floats
from keypose.maths.inputs import number
from keypose.motion.system import Carried
from keypose.stage.evaluate.poses import Instants
from keypose.stage.run.moment import Moment
from keypose.stage.run.run import Run
from keypose.stage.stage import Stage
from keypose.studio.edits.motions import motion_of
from keypose.studio.edits.rough_path import raced_along
from keypose.studio.preview.key_passing import passing_times, takes_ticks

Q = TypeVar("Q")
A = TypeVar("A")

UPRIGHT = Orientation.of((1.0, 0.0, 0.0, 0.0))
FEW = 4  # hands that drag at once
MOST_TICKS = 5_000  # that are played to see where what takes ticks carries a key


class Frames:
    """How the frames of some of an actor's keys are turned in the world: each when it is passed, or all at one time."""

    def __init__(self, stage: Stage, name: str, keys: Sequence[int], time: float | None = None) -> None:
        self._stage, self._actor, self._keys = stage, stage[name], list(keys)
        self._time = None if time is None else number(time, "The moment at which keys are moved")
        self._turns: dict[str, Floats] = {}

    def of(self, key: int) -> Orientation:
        """How the frame of a key is turned."""
        rough = raced_along(self._stage, self._actor.name)
        if rough is not None:
            return self._raced(rough, key)
        carrier = None if not self._actor.carriers else self._actor.keys[key].relative_to
        if carrier is not None:
            return self._pinned(key) or self._turn_of(carrier, key)
        return UPRIGHT if self._actor.parent is None else self._turn_of(self._actor.parent, key)

    def _raced(self, path: MotionPath, key: int) -> Orientation:
        """Of a key of a rough path: a body that races is where it is at one moment, and so are its carried keys."""
        carriers = path.keys.column("relative_to")
        if carriers is None or carriers[key] is None:
            return UPRIGHT
        frames = key_frames_at(moment_at(self._stage, self._time or 0.0))[self._actor.name]
        return Orientation.of(frames.turn[0, sum(one is not None for one in carriers[:key])])

    def inside(self, key: int, vector: tuple[float, float, float]) -> Floats:
        """A way in the world as the key's own frame sees it, (3,)."""
        turn = self.of(key)
        return np.array(vector, dtype=np.float64) if turn is UPRIGHT else turn.inverse().rotate(vector)

    def _turn_of(self, name: str, key: int) -> Orientation:
        """How another is turned at the key's moment; asked once for all keys."""
        if name not in self._turns:
            self._turns[name] = (
                self._stage.instants(self._moments).pose(name).orientation
                if self._played is None
                else np.concatenate([moment.instant.pose(name).orientation for moment in self._played])
            )
        return Orientation.of(self._turns[name][self._place[key]])

    def _pinned(self, key: int) -> Orientation | None:
        """How its carrier was turned when the key was passed, if it stayed there."""
        meeting, name, place = self._stage.meetings.of(self._actor.name), self._actor.name, self._place[key]
        story = self._stage.meetings.story(name) if self._played is None else self._played[place].story(name)
        loose = int(np.searchsorted(meeting.loose.loose, key))
        passed = story.passed[meeting.among_ends[loose]]
        if not meeting.pinned[loose] or not story.is_pinned[loose] or self._moments[place] < passed:
            return None
        return Orientation.of(story.turn[loose])

    @cached_property
    def _place(self) -> dict[int, int]:
        return {key: place for place, key in enumerate(self._keys)}

    @cached_property
    def _moments(self) -> Floats:
        """The moment of each key [s], (keys,)."""
        if self._time is not None:
            return np.full(len(self._keys), self._time)
        return _passed(self._stage, self._actor.name)[self._keys]

    @cached_property
    def _played(self) -> list[Moment] | None:
        """A stage that takes ticks at the moment of each key."""
        return _at(self._stage, self._moments) if takes_ticks(self._stage, self._actor.name) else None


def key_frames_at(moment: Moment) -> Mapping[str, Carriers]:
    """In which frames the carried keys of those stand who race along rough paths, at a moment of a run."""
    known = [(cast.company, cast.state) for cast in moment.casts.values() if isinstance(cast.company, Carried)]
    return {name: frames for company, state in known for name, frames in company.frames(state).items()}


def moment_at(stage: Stage, time: float) -> Moment:
    """The moment [s] of a stage that takes ticks, played up to there."""
    return _at(stage, np.array([time]))[0]


def played_to(stage: Stage, time: float) -> Instants:
    """A stage that takes ticks, played up to a moment [s]."""
    return moment_at(stage, time).instant


def _passed(stage: Stage, name: str) -> Floats:
    """When the keys of an actor are passed. A drag asks the same again and again."""
    return _asked_before(_PASSED, stage, name, lambda: passing_times(stage, name, motion_of(stage, name)))


def _at(stage: Stage, moments: Floats) -> list[Moment]:
    """A stage that takes ticks, played up to each of some moments [s]."""
    return _asked_before(_PLAYED, stage, tuple(moments.tolist()), lambda: _played(stage, moments.tolist()))


def _played(stage: Stage, moments: list[float]) -> list[Moment]:
    run, found = Run(stage), {}
    for time in sorted(set(moments)):
        while run.time + stage.tick <= time and run.ticks < MOST_TICKS:
            run.tick()
        found[time] = run._now
    return [found[time] for time in moments]


def _asked_before(answers: list[tuple[Stage, Q, A]], stage: Stage, question: Q, answer: Callable[[], A]) -> A:
    """What was answered to this question about this stage, or is now; the last few answers are kept, latest first."""
    for place, (other, asked, known) in enumerate(answers):
        if other is stage and asked == question:
            answers.insert(0, answers.pop(place))
            return known
    made = answer()
    answers[:] = [(stage, question, made), *answers[: FEW - 1]]
    return made


_PASSED: list[tuple[Stage, str, Floats]] = []
_PLAYED: list[tuple[Stage, tuple[float, ...], list[Moment]]] = []
