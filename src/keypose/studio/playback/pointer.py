"""Who holds the pointer? In a live run the mouse leads the actor "pointer"; where it was led is kept beside the run.

So a mouse may move as often as it likes without changing the stage, and a run that is rewound and played again sees the
same places at the same ticks. New strokes replace those that came after.
"""

from bisect import bisect_left, bisect_right
from dataclasses import dataclass

import numpy as np

from keypose.curves.key import FARTHEST
from keypose.errors import KeyposeError, shown
from keypose.maths.arrays import Floats, Vec3
from keypose.motion.hierarchy import in_space, middle
from keypose.motion.mover import Sight
from keypose.motion.pose import Pose
from keypose.stage.run.start import begun
from keypose.stage.run.tick_time import Beat
from keypose.stage.stage import Stage

POINTER = "pointer"


class Strokes:
    """Where the mouse held the pointer: from which tick [s] on, seen at the next, and the place [m] in the world."""

    def __init__(self) -> None:
        self._times: list[float] = []
        self._seen: list[float] = []
        self._places: list[Vec3] = []

    def __len__(self) -> int:
        return len(self._times)

    def put(self, beat: Beat, place: Vec3) -> None:
        """The mouse is there now, at the last tick that was made; whatever came later is not true any more."""
        cut = bisect_left(self._times, beat.time)
        del self._times[cut:], self._seen[cut:], self._places[cut:]
        self._times.append(beat.time)
        self._seen.append(beat.following.time)
        self._places.append(place)

    def at(self, time: float) -> Vec3 | None:
        """The place last pointed to by a tick [s], that one included; None before the first."""
        count = bisect_right(self._times, time)
        return self._places[count - 1] if count else None

    def before(self, time: float) -> Vec3 | None:
        """The place last pointed to before a tick [s]."""
        count = bisect_left(self._times, time)
        return self._places[count - 1] if count else None

    def line(self) -> tuple[Floats, Floats]:
        """The line as the run saw it, tick by tick: times (n,) [s], increasing, and places (n, 3) [m]."""
        times, places = list[float](), list[Vec3]()
        until = [*self._times[1:], self._seen[-1]] if self._times else []
        for since, seen, end, place in zip(self._times, self._seen, until, self._places, strict=True):
            first = min(seen, end)  # an edit may have made ticks shorter meanwhile
            rests = np.arange(first, end - (seen - since) / 2, seen - since).tolist()
            rests = [*rests, end] if end > first else [first]
            times += rests
            places += [place] * len(rests)
        return np.array(times), np.array(places).reshape(-1, 3)


@dataclass(frozen=True, eq=False)
class Led:
    """What moves the pointer: it is where the mouse held it at the last tick, and before that where it begins."""

    strokes: Strokes
    stand: Pose
    tick: float
    """[s]: as the others have it, for the mouse needs none of its own."""

    def begin(self, sight: Sight) -> Vec3:
        """Where it was led so far."""
        return self.strokes.before(sight.time) or self._stand

    def step(self, state: Vec3, sight: Sight, dt: float) -> Vec3:
        """Where the mouse is."""
        return self.strokes.at(sight.time) or self._stand

    def pose(self, state: Vec3) -> Pose:
        """A drawing is led by its middle."""
        return Pose(self.stand.position + (np.array(state) - middle(self.stand)), self.stand.orientation)

    @property
    def _stand(self) -> Vec3:
        x, y, z = middle(self.stand).tolist()
        return x, y, z


def leading(stage: Stage, strokes: Strokes, last: tuple[Stage, Stage] | None = None) -> Stage:
    """The stage with its pointer led by these strokes, if it has one that stands in the world.

    `last` are the stage before and what was made of it: as long as nothing else is said of the pointer it is led on.
    """
    if POINTER not in stage or stage[POINTER].parent is not None:
        return stage
    actor, led = stage[POINTER], None
    if last is not None and POINTER in last[0] and last[0][POINTER] is actor:
        before = last[1].by_name.get(POINTER)
        led = None if before is None else before.mover
    if not isinstance(led, Led) or led.tick != stage.tick:
        led = Led(strokes, _beginning(stage), stage.tick)
    return stage.with_actor(actor.changed(motion_or_mover=led))


def _beginning(stage: Stage) -> Pose:
    """Where the pointer begins."""
    actor = stage[POINTER]
    if actor.motion is None or actor.carriers:
        return begun(stage, Beat(stage.tick)).instant.pose(POINTER)[0].read_only()
    return in_space(actor.motion.at(0.0)).read_only()


def check_pointer(stage: Stage, place: Vec3 = (0.0, 0.0, 0.0)) -> None:
    """Somebody must be there to be led, in the world where the mouse is, and to a place that is one."""
    if not all(abs(value) <= FARTHEST for value in place):
        raise KeyposeError(f"The mouse points to {shown(place)}. Give a place of the scene.")
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
