"""Where does one take hold of a field? At its handle: the place about which it is turned and stretched, in the world.

A pull or a whirl is held at its centre, a wall at its point, what ends somewhere in the middle of that, all else where
its placings bring the origin; carried fields move with their carriers. Who tracks is held where its target is.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from keypose.fields import (
    GROUP_SUFFIX,
    IDENTITY_ORIENTATION,
    Avoid,
    BoundedField,
    CarriedField,
    Falloff,
    Field,
    FieldModifier,
    FieldOrTracker,
    MovedField,
    ScaledField,
    Spring,
    Sum,
    Tracker,
    TurnedField,
    Wall,
    fixed_position,
)
from keypose.maths import Floats, quaternion
from keypose.stage import Stage

POSITION_OPTIONS: dict[type[Any], str] = {Falloff: "center", Spring: "center", Wall: "point"}
"""The word with which a field says its own place."""


@dataclass(frozen=True, eq=False)
class Handle:
    """A place (3,) [m] and a turn (4,) w x y z; `has_own_position` if the field says a place, and is not alike
    everywhere.
    """

    position: Floats
    orientation: Floats
    has_own_position: bool


FrameLookup = Callable[[Sequence[str]], tuple[Floats, Floats]]
"""Where some actors and groups are, and how they are turned: one as it is, several by their middle, upright."""


def field_handle(sensed: FieldOrTracker, frame: FrameLookup) -> Handle:
    """Where a field is held, in the world."""
    match sensed:
        case Tracker() | Avoid():
            position = fixed_position(sensed.target)
            return Handle(frame(sensed.names)[0] if position is None else position, IDENTITY_ORIENTATION, True)
        case MovedField():
            inner = field_handle(sensed.field, frame)
            return Handle(inner.position + np.array(sensed.offset), inner.orientation, inner.has_own_position)
        case TurnedField():
            return _rotate_handle(field_handle(sensed.field, frame), sensed.turn.wxyz)
        case ScaledField():
            inner = field_handle(sensed.field, frame)
            return Handle(inner.position * np.array(sensed.factors), inner.orientation, inner.has_own_position)
        case BoundedField():
            inner = field_handle(sensed.field, frame)
            return inner if inner.has_own_position else Handle(np.array(sensed.center), inner.orientation, True)
        case CarriedField():
            position, orientation = frame(sensed.names)
            inner = _rotate_handle(field_handle(sensed.field, frame), orientation)
            return Handle(position + inner.position, inner.orientation, True)
        case FieldModifier():
            return field_handle(sensed.field, frame)
        case Sum():
            parts = [field_handle(part, frame) for part in sensed.summands]
            own_positions = [
                part.position for part in parts if part.has_own_position
            ]  # a wind is everywhere: the whirl in it counts
            return Handle(
                np.mean(own_positions or [part.position for part in parts], axis=0),
                IDENTITY_ORIENTATION,
                bool(own_positions),
            )
    option = position_option(sensed)
    return Handle(
        np.zeros(3) if option is None else np.array(getattr(sensed, option)), IDENTITY_ORIENTATION, option is not None
    )


def position_option(field: Field) -> str | None:
    """The word with which a field says its own place, if it does."""
    return next((option for kind, option in POSITION_OPTIONS.items() if isinstance(field, kind)), None)


def expand_groups(names: Sequence[str], all_names: Sequence[str]) -> list[str]:
    """Those of everybody who are meant by some names, groups among them."""
    found: list[str] = []
    for name in names:
        is_group = name.endswith(GROUP_SUFFIX)
        found += [one for one in all_names if one.startswith(name[:-1])] if is_group else [name]
    return list(dict.fromkeys(found))


class FieldHandles:
    """Those of all fields of a stage. What nobody carries is worked out once."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._rows: dict[tuple[str, ...], Sequence[int]] = {}
        self._static_rows = np.empty((len(stage.fields), 7))
        self._moving_fields: list[tuple[int, FieldOrTracker]] = []
        for index, field in enumerate(stage.fields.values()):
            if field.names:
                self._moving_fields.append((index, field))
            else:
                self._static_rows[index] = _handle_row(field_handle(field, world_frame))

    def at(self, actor_rows: Floats) -> Floats:
        """The handles (fields, 7), place and w x y z, when everybody is at (actors, 7)."""
        if not self._moving_fields:
            return self._static_rows

        def frame(names: Sequence[str]) -> tuple[Floats, Floats]:
            return group_frame(actor_rows[self._row_indices(tuple(names))])

        rows = self._static_rows.copy()
        for index, field in self._moving_fields:
            rows[index] = _handle_row(field_handle(field, frame))
        return rows

    def _row_indices(self, names: tuple[str, ...]) -> Sequence[int]:
        if names not in self._rows:
            number = {name: index for index, name in enumerate(self._stage.names)}
            self._rows[names] = [number[name] for name in expand_groups(names, self._stage.names) if name in number]
        return self._rows[names]


def group_frame(rows: Floats) -> tuple[Floats, Floats]:
    """The frame of some actors that are at (n, 7): of one its own, of several their middle, upright."""
    if len(rows) == 1:
        return rows[0, :3], rows[0, 3:]
    return (rows[:, :3].mean(axis=0) if len(rows) else np.zeros(3)), IDENTITY_ORIENTATION


def _handle_row(handle: Handle) -> Floats:
    return np.concatenate([handle.position, handle.orientation])


def _rotate_handle(handle: Handle, rotation: Floats) -> Handle:
    return Handle(
        quaternion.rotate(rotation, handle.position),
        quaternion.multiply(rotation, handle.orientation),
        handle.has_own_position,
    )


def world_frame(names: Sequence[str]) -> tuple[Floats, Floats]:
    """The frame where nobody carries anything: the world's own."""
    return np.zeros(3), IDENTITY_ORIENTATION
