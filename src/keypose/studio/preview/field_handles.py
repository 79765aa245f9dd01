"""Where does one take hold of a field? At its handle: the place about which it is turned and stretched, in the world.

A pull or a whirl is held at its centre, a wall at its point, what ends somewhere in the middle of that, all else where
its placings bring the origin; carried fields move with their carriers. Who tracks is held where its target is.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from keypose.fields.algebra.attached import EVERYONE, Carried
from keypose.fields.algebra.field import Field
from keypose.fields.algebra.sum import Sum, Wrapped
from keypose.fields.algebra.transform import Moved, Scaled, Turned, Within
from keypose.fields.library import Spring, Wall, Weakening
from keypose.fields.sensing.observed_poses import UPRIGHT
from keypose.fields.splines.dynamic_spline import Sensed
from keypose.fields.tracking.avoid import Avoid
from keypose.fields.tracking.targets import place_in
from keypose.fields.tracking.trackers import Tracker
from keypose.maths import quaternion
from keypose.maths.arrays import Floats
from keypose.stage.stage import Stage

HELD_AT: dict[type[Any], str] = {Weakening: "center", Spring: "center", Wall: "point"}
"""The word with which a field says its own place."""


@dataclass(frozen=True, eq=False)
class Handle:
    """A place (3,) [m] and a turn (4,) w x y z; `is_own` if the field says a place, and is not alike everywhere."""

    place: Floats
    turn: Floats
    is_own: bool


Frame = Callable[[Sequence[str]], tuple[Floats, Floats]]
"""Where some actors and groups are, and how they are turned: one as it is, several by their middle, upright."""


def handle_of(sensed: Sensed, frame: Frame) -> Handle:
    """Where a field is held, in the world."""
    match sensed:
        case Tracker() | Avoid():
            place = place_in(sensed.target)
            return Handle(frame(sensed.names)[0] if place is None else place, UPRIGHT, True)
        case Moved():
            inner = handle_of(sensed.field, frame)
            return Handle(inner.place + np.array(sensed.offset), inner.turn, inner.is_own)
        case Turned():
            return _turned(handle_of(sensed.field, frame), sensed.turn.wxyz)
        case Scaled():
            inner = handle_of(sensed.field, frame)
            return Handle(inner.place * np.array(sensed.factors), inner.turn, inner.is_own)
        case Within():
            inner = handle_of(sensed.field, frame)
            return inner if inner.is_own else Handle(np.array(sensed.center), inner.turn, True)
        case Carried():
            place, turn = frame(sensed.names)
            inner = _turned(handle_of(sensed.field, frame), turn)
            return Handle(place + inner.place, inner.turn, True)
        case Wrapped():
            return handle_of(sensed.field, frame)
        case Sum():
            parts = [handle_of(part, frame) for part in sensed.summands]
            placed = [part.place for part in parts if part.is_own]  # a wind is everywhere: the whirl in it counts
            return Handle(np.mean(placed or [part.place for part in parts], axis=0), UPRIGHT, bool(placed))
    word = held_by(sensed)
    return Handle(np.zeros(3) if word is None else np.array(getattr(sensed, word)), UPRIGHT, word is not None)


def held_by(field: Field) -> str | None:
    """The word with which a field says its own place, if it does."""
    return next((word for kind, word in HELD_AT.items() if isinstance(field, kind)), None)


def members(names: Sequence[str], everybody: Sequence[str]) -> list[str]:
    """Those of everybody who are meant by some names, groups among them."""
    found: list[str] = []
    for name in names:
        is_group = name.endswith(EVERYONE)
        found += [one for one in everybody if one.startswith(name[:-1])] if is_group else [name]
    return list(dict.fromkeys(found))


class Handles:
    """Those of all fields of a stage. What nobody carries is worked out once."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._rows: dict[tuple[str, ...], Sequence[int]] = {}
        self._still = np.empty((len(stage.fields), 7))
        self._carried: list[tuple[int, Sensed]] = []
        for index, field in enumerate(stage.fields.values()):
            if field.names:
                self._carried.append((index, field))
            else:
                self._still[index] = _row(handle_of(field, nobody))

    def at(self, everybody: Floats) -> Floats:
        """The handles (fields, 7), place and w x y z, when everybody is at (actors, 7)."""
        if not self._carried:
            return self._still

        def frame(names: Sequence[str]) -> tuple[Floats, Floats]:
            return of_some(everybody[self._of(tuple(names))])

        rows = self._still.copy()
        for index, field in self._carried:
            rows[index] = _row(handle_of(field, frame))
        return rows

    def _of(self, names: tuple[str, ...]) -> Sequence[int]:
        if names not in self._rows:
            number = {name: index for index, name in enumerate(self._stage.names)}
            self._rows[names] = [number[name] for name in members(names, self._stage.names) if name in number]
        return self._rows[names]


def of_some(rows: Floats) -> tuple[Floats, Floats]:
    """The frame of some actors that are at (n, 7): of one its own, of several their middle, upright."""
    if len(rows) == 1:
        return rows[0, :3], rows[0, 3:]
    return (rows[:, :3].mean(axis=0) if len(rows) else np.zeros(3)), UPRIGHT


def _row(handle: Handle) -> Floats:
    return np.concatenate([handle.place, handle.turn])


def _turned(handle: Handle, turn: Floats) -> Handle:
    return Handle(quaternion.rotate(turn, handle.place), quaternion.multiply(turn, handle.turn), handle.is_own)


def nobody(names: Sequence[str]) -> tuple[Floats, Floats]:
    """The frame where nobody carries anything: the world's own."""
    return np.zeros(3), UPRIGHT
