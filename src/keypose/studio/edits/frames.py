"""Which way is up for a key? Keys live in the frame of what carries them, or of what their actor stands on.

A page moves them in the world. A carried key turns with its carrier until it is passed; then it is pinned, and its
frame is that of its carrier at that moment (GL95 §6.3).
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from keypose.curves.orientation import Orientation
from keypose.maths.given import number
from keypose.motion.pose import Pose
from keypose.motion.story import Story
from keypose.stage.moment import Moment
from keypose.stage.run import Run
from keypose.stage.stage import Stage

Floats = NDArray[np.float64]

UPRIGHT = Orientation.of((1.0, 0.0, 0.0, 0.0))
MOST_TICKS = 5_000  # that are played to see where what takes ticks carries a key


class Frames:
    """How the frames of an actor's keys are turned in the world at a moment [s]."""

    def __init__(self, stage: Stage, name: str, time: float) -> None:
        self._stage, self._actor = stage, stage[name]
        self._time = number(time, "The moment at which keys are moved")
        self._seen: tuple[Callable[[str], Pose], Callable[[str], Story]] | None = None

    def of(self, key: int) -> Orientation:
        """How the frame of a key is turned."""
        names = None if not self._actor.carriers else self._actor.keys[key].relative_to
        if names is not None:
            return self._pinned(key) or self._turn_of(names)
        return UPRIGHT if self._actor.parent is None else self._turn_of(self._actor.parent)

    def inside(self, key: int, vector: tuple[float, float, float]) -> Floats:
        """A way in the world as the key's own frame sees it, (3,)."""
        turn = self.of(key)
        return np.array(vector, dtype=np.float64) if turn is UPRIGHT else turn.inverse().rotate(vector)

    def _turn_of(self, name: str) -> Orientation:
        return Orientation.of(self._look[0](name).orientation[0])

    def _pinned(self, key: int) -> Orientation | None:
        """How its carrier was turned when the key was passed, if it stayed there."""
        meeting, story = self._stage.meetings.of(self._actor.name), self._look[1](self._actor.name)
        loose = int(np.searchsorted(meeting.loose.loose, key))
        passed = story.passed[meeting.among_ends[loose]]
        if not meeting.pinned[loose] or not story.is_pinned[loose] or self._time < passed:
            return None
        return Orientation.of(story.turn[loose])

    @property
    def _look(self) -> tuple[Callable[[str], Pose], Callable[[str], Story]]:
        """Where anybody is then, and which keys were passed by when."""
        if self._seen is None:
            if any(other in self._stage.movers for other, _ in self._stage.steps_to(self._actor.name)):
                moment = _played(self._stage, self._time)
                self._seen = moment.instant.pose, moment.story
            else:
                self._seen = self._stage.instants(np.array([self._time])).pose, self._stage.meetings.story
        return self._seen


def _played(stage: Stage, time: float) -> Moment:
    """A stage that takes ticks, played up to a moment [s]. A drag asks for the same one again and again."""
    if not _LAST or _LAST[0][0] is not stage or _LAST[0][1] != time:
        run = Run(stage)
        while run.time + stage.tick <= time and run.ticks < MOST_TICKS:
            run.tick()
        _LAST[:] = [(stage, time, run._now)]
    return _LAST[0][2]


_LAST: list[tuple[Stage, float, Moment]] = []
