"""Who holds the pointer? In a live run the mouse leads the actor "pointer"; where it was led is kept beside the run.

So a mouse may move as often as it likes without changing the stage, and a run that is rewound and played again sees the
same places at the same ticks. New strokes replace those that came after.
"""

from bisect import bisect_left, bisect_right
from dataclasses import dataclass

import numpy as np

from keypose.curves import MAX_COORDINATE
from keypose.errors import KeyposeError, short_repr
from keypose.maths import Floats, Vec3
from keypose.motion import MoverView, Pose, pose_center, pose_to_3d
from keypose.stage import Stage, TickTime, initial_moment

POINTER = "pointer"


class PointerHistory:
    """Where the mouse held the pointer: from which tick [s] on, seen at the next, and the place [m] in the world."""

    def __init__(self) -> None:
        self._times: list[float] = []
        self._visible_times: list[float] = []
        self._positions: list[Vec3] = []

    def __len__(self) -> int:
        return len(self._times)

    def record(self, tick_time: TickTime, position: Vec3) -> None:
        """The mouse is there now, at the last tick that was made; whatever came later is not true any more."""
        cut = bisect_left(self._times, tick_time.time)
        del self._times[cut:], self._visible_times[cut:], self._positions[cut:]
        self._times.append(tick_time.time)
        self._visible_times.append(tick_time.next_tick.time)
        self._positions.append(position)

    def at(self, time: float) -> Vec3 | None:
        """The place last pointed to by a tick [s], that one included; None before the first."""
        count = bisect_right(self._times, time)
        return self._positions[count - 1] if count else None

    def before(self, time: float) -> Vec3 | None:
        """The place last pointed to before a tick [s]."""
        count = bisect_left(self._times, time)
        return self._positions[count - 1] if count else None

    def samples(self) -> tuple[Floats, Floats]:
        """The line as the run saw it, tick by tick: times (n,) [s], increasing, and places (n, 3) [m]."""
        times, positions = list[float](), list[Vec3]()
        until = [*self._times[1:], self._visible_times[-1]] if self._times else []
        for since, visible, end, position in zip(self._times, self._visible_times, until, self._positions, strict=True):
            first = min(visible, end)  # an edit may have made ticks shorter meanwhile
            samples = np.arange(first, end - (visible - since) / 2, visible - since).tolist()
            samples = [*samples, end] if end > first else [first]
            times += samples
            positions += [position] * len(samples)
        return np.array(times), np.array(positions).reshape(-1, 3)


@dataclass(frozen=True, eq=False)
class PointerMover:
    """What moves the pointer: it is where the mouse held it at the last tick, and before that where it begins."""

    history: PointerHistory
    initial_pose: Pose
    tick: float
    """[s]: as the others have it, for the mouse needs none of its own."""

    def begin(self, view: MoverView) -> Vec3:
        """Where it was led so far."""
        return self.history.before(view.time) or self._initial_position

    def step(self, state: Vec3, view: MoverView, dt: float) -> Vec3:
        """Where the mouse is."""
        return self.history.at(view.time) or self._initial_position

    def pose(self, state: Vec3) -> Pose:
        """A drawing is led by its middle."""
        return Pose(
            self.initial_pose.position + (np.array(state) - pose_center(self.initial_pose)),
            self.initial_pose.orientation,
        )

    @property
    def _initial_position(self) -> Vec3:
        x, y, z = pose_center(self.initial_pose).tolist()
        return x, y, z


def with_pointer_mover(stage: Stage, history: PointerHistory, previous: tuple[Stage, Stage] | None = None) -> Stage:
    """The stage with its pointer led by these strokes, if it has one that stands in the world.

    `previous` are the stage before and what was made of it: as long as nothing else is said of the pointer it is led
    on.
    """
    if POINTER not in stage or stage[POINTER].parent is not None:
        return stage
    actor, mover = stage[POINTER], None
    if previous is not None and POINTER in previous[0] and previous[0][POINTER] is actor:
        before = previous[1].resolved.by_name.get(POINTER)
        mover = None if before is None else before.mover
    if not isinstance(mover, PointerMover) or mover.tick != stage.resolved.tick:
        mover = PointerMover(history, _initial_pose(stage), stage.resolved.tick)
    return stage.with_actor(actor.changed(motion_or_mover=mover))


def _initial_pose(stage: Stage) -> Pose:
    """Where the pointer begins."""
    actor = stage[POINTER]
    if actor.motion is None or actor.carriers:
        return initial_moment(stage.resolved, TickTime(stage.resolved.tick)).evaluator.pose(POINTER)[0].read_only()
    return pose_to_3d(actor.motion.at(0.0)).read_only()


def check_pointer(stage: Stage, position: Vec3 = (0.0, 0.0, 0.0)) -> None:
    """Somebody must be there to be led, in the world where the mouse is, and to a place that is one."""
    if not all(abs(value) <= MAX_COORDINATE for value in position):
        raise KeyposeError(f"The mouse points to {short_repr(position)}. Give a place of the scene.")
    if POINTER not in stage:
        raise KeyposeError(
            f'The mouse leads the actor named "{POINTER}", and there is none on the stage. Add an actor of that name.'
        )
    parent = stage[POINTER].parent
    if parent is not None:
        raise KeyposeError(
            f'The actor "{POINTER}" stands on {parent!r}, and the mouse points to places in the world. '
            "Let it stand on nothing."
        )
