"""Where is a field put? It is moved, turned and stretched at its handle, and says so in the fewest words.

A pull or a whirl that nothing was done to is moved by its centre. All else is kept as one stretch, one turn and one
move, in this order, however often it is dragged; a carried field as its carrier sees it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from keypose.curves.orientation import Orientation
from keypose.document.fields.dynamic_splines import ANY_FIELD, sensed_object
from keypose.errors import KeyposeError, shown
from keypose.fields.algebra.attached import Carried
from keypose.fields.algebra.field import Field
from keypose.fields.algebra.sum import Sum, Times, Wrapped
from keypose.fields.algebra.transform import SMALLEST, Moved, Scaled, Turned, Within
from keypose.fields.algebra.window import During, Pulsing
from keypose.maths.arrays import Floats
from keypose.maths.inputs import vector
from keypose.stage.stage import Stage
from keypose.studio.edits.field_frames import HeldField, frame_at, frame_seen
from keypose.studio.edits.fields import field_of, with_field
from keypose.studio.edits.labels import read_as
from keypose.studio.edits.orientations import ORDER as ORDER_OF_ANGLES
from keypose.studio.edits.orientations import degrees_of
from keypose.studio.edits.rounding import as_dragged
from keypose.studio.preview.field_handles import Frame, handle_of, held_by
from keypose.studio.protocol import commands as say

WHEREVER = (Times, During, Pulsing)  # what is the same before and after a place is changed
ORDER: dict[type[Wrapped], int] = {Scaled: 0, Turned: 1, Moved: 2}
PUT = {"to": "move", "degrees": "turn", "stretch": "stretch"}
UNTURNED = Orientation.of((1.0, 0.0, 0.0, 0.0))


@dataclass(frozen=True, eq=False)
class Placed:
    """A field taken apart: what it is, its last stretch, turn and move, and its carrier with what is said after."""

    base: Field
    """What is in the middle of it all."""
    first: tuple[Wrapped, ...]
    """What was done to it before."""
    factors: Floats
    turn: Orientation
    offset: Floats
    outside: tuple[Wrapped, ...]

    @classmethod
    def of(cls, field: Field) -> "Placed":
        """Any field; what it does not say is no stretch, no turn, no move."""
        steps, base = steps_of(field)
        carried = next((place for place, step in enumerate(steps) if isinstance(step, Carried)), len(steps))
        first, found = list(steps[:carried]), dict[type[Wrapped], Any]()
        for place in range(carried - 1, -1, -1):
            step = steps[place]
            if isinstance(step, WHEREVER):
                continue
            if ORDER.get(type(step), len(ORDER)) >= min(map(ORDER.__getitem__, found), default=len(ORDER)):
                break
            found[type(step)] = first.pop(place)
        return cls(
            base,
            tuple(first),
            np.array(found[Scaled].factors) if Scaled in found else np.ones(3),
            found[Turned].turn if Turned in found else UNTURNED,
            np.array(found[Moved].offset) if Moved in found else np.zeros(3),
            steps[carried:],
        )

    @property
    def center(self) -> Floats | None:
        """The place it says itself, if nothing but that says where it is; it may end in a ball or box about it."""
        word = held_by(self.base)
        place = None if word is None else getattr(self.base, word)
        about = all(isinstance(step, WHEREVER) or getattr(step, "center", None) == place for step in self.first)
        return np.array(place) if word is not None and about else None

    def centered(self, place: Floats) -> "Placed":
        """The same about another place that it says itself."""
        base: Any = self.base  # one that says its place is a dataclass
        word, there = held_by(base), _three(place)
        assert word is not None
        first = [replace(step, center=there) if isinstance(step, Within) else step for step in self.first]
        return replace(self, base=replace(base, **{word: there}), first=tuple(first))

    @property
    def is_bare(self) -> bool:
        """Whether it is neither stretched, turned nor moved."""
        return self.turn is UNTURNED and bool((self.factors == 1).all()) and not self.offset.any()

    @property
    def field(self) -> Field:
        """All of it put together again, without what says nothing."""
        made = _around(self.base, self.first)
        made = made if (self.factors == 1).all() else Scaled(made, _three(self.factors))
        made = made if self.turn == UNTURNED else Turned(made, self.turn)
        made = made if not self.offset.any() else Moved(made, _three(self.offset))
        return _around(made, self.outside)

    def held_at(self, frame: Frame) -> tuple[Floats, Floats]:
        """Its handle as its carrier sees it, and the same before the stretch, the turn and the move."""
        inner = handle_of(_around(self.base, self.first), frame).place
        return self._out(inner), inner

    def kept_at(self, handle: Floats, inner: Floats) -> "Placed":
        """The same, but moved so that its handle is there; a centre it says itself goes into the move."""
        if self.center is not None:
            return replace(self.centered(np.zeros(3)), offset=handle)
        if not inner.any():
            return replace(self, offset=handle)
        return replace(self, offset=handle - self._out(inner) + self.offset)

    def _out(self, place: Floats) -> Floats:
        return np.asarray(self.turn.rotate(self.factors * place) + self.offset)

    def way_inside(self, way: Floats, frame: Frame) -> Floats:
        """A way in the world as its carrier sees it."""
        for step in reversed(self.outside):
            if isinstance(step, Carried):
                way = Orientation.of(frame(step.names)[1]).inverse().rotate(way)
            elif isinstance(step, Turned):
                way = step.turn.inverse().rotate(way)
            elif isinstance(step, Scaled):
                way = way / np.array(step.factors)
        return way

    def turn_inside(self, turn: Orientation, frame: Frame, name: str) -> Orientation:
        """A turn in the world as its carrier sees it."""
        for step in reversed(self.outside):
            if isinstance(step, Carried):
                around = Orientation.of(frame(step.names)[1])
                turn = around.inverse() @ turn @ around
            elif isinstance(step, Turned):
                turn = step.turn.inverse() @ turn @ step.turn
            elif isinstance(step, Scaled):
                turn = _mirrored(turn, np.array(step.factors), name)
        return turn


def held(stage: Stage, message: HeldField) -> tuple[Stage, str]:
    """A field moved, turned or stretched where a page sees it."""
    edit, frame = message.edit, frame_seen(stage, message.seen, message.edit.time)
    match edit:
        case say.MoveField():
            return moved(stage, edit, frame)
        case say.TurnField():
            return turned(stage, edit, frame)
        case say.PlaceField():
            return put(stage, edit, frame)
        case _:
            return stretched(stage, edit, frame)


def moved(stage: Stage, message: say.MoveField, seen: Frame | None = None) -> tuple[Stage, str]:
    """A field moved by a way in the world."""
    placed, frame = _placed(stage, message.field), seen or frame_at(stage, message.time)
    given = vector(message.by, f"The way of the field {shown(message.field)}")
    way, center = placed.way_inside(np.array(given), frame), placed.center
    if center is not None and placed.is_bare:
        new = placed.centered(as_dragged(center, way, message.digits))
    else:
        new = replace(placed, offset=as_dragged(placed.offset, way, message.digits))
    return _put(stage, message.field, new), f"move the field {message.field}"


def turned(stage: Stage, message: say.TurnField, seen: Frame | None = None) -> tuple[Stage, str]:
    """A field turned about its handle by a turn in the world."""
    placed, frame = _placed(stage, message.field), seen or frame_at(stage, message.time)
    handle, inner = placed.held_at(frame)
    turn = placed.turn_inside(Orientation.of(message.by), frame, message.field) @ placed.turn
    new = replace(placed, turn=turn).kept_at(handle, inner)
    return _put(stage, message.field, new), f"turn the field {message.field}"


def stretched(stage: Stage, message: say.StretchField, seen: Frame | None = None) -> tuple[Stage, str]:
    """A field stretched about its handle along its own axes."""
    placed = _placed(stage, message.field)
    handle, inner = placed.held_at(seen or frame_at(stage, message.time))
    exact = placed.factors * np.array(vector(message.by, f"The stretch of the field {shown(message.field)}"))
    rounded = as_dragged(placed.factors, exact - placed.factors, message.digits)
    factors = np.where(np.abs(rounded) < SMALLEST, exact, rounded)  # a small one is not rounded to nothing
    new = replace(placed, factors=factors).kept_at(handle, inner)
    return _put(stage, message.field, new), f"stretch the field {message.field}"


def put(stage: Stage, message: say.PlaceField, seen: Frame | None = None) -> tuple[Stage, str]:
    """A field, or one of those that add up, that is where it is said to be: each number as it is, the others stay."""
    name, part = message.field, message.part
    whose = f"the field {name}" if part is None else f"part {part + 1} of the field {name}"
    said = [what for what in ("to", "degrees", "stretch") if any(one is not None for one in getattr(message, what))]
    if not said:
        raise KeyposeError(f"Nothing was said of where {whose} is. Give a place, an angle or a stretch.")
    whole = _placed(stage, name)
    placed = whole if part is None else Placed.of(_part(whole, part, name))
    handle, inner = placed.held_at(seen or frame_at(stage, message.time))
    if "degrees" in said:
        angles = _said(degrees_of(placed.turn.wxyz[np.newaxis])[0], message.degrees, f"The angles of {whose}")
        placed = replace(placed, turn=Orientation.from_euler(angles, ORDER_OF_ANGLES)).kept_at(handle, inner)
    if "stretch" in said:
        factors = _said(placed.factors, message.stretch, f"The stretch of {whose}")
        placed = replace(placed, factors=factors).kept_at(handle, inner)
    if "to" in said:
        place, center = _said(handle, message.to, f"The place of {whose}"), placed.center
        own = center is not None and placed.is_bare
        placed = placed.centered(place) if own else replace(placed, offset=placed.offset + (place - handle))
    made = placed if part is None else replace(whole, base=_with_part(whole, part, placed.field))
    return _put(stage, name, made), f"{PUT[said[0]] if len(said) == 1 else 'place'} {whose}"


def _part(whole: Placed, part: int, name: str) -> Field:
    summands = whole.base.summands if isinstance(whole.base, Sum) else ()
    if part >= len(summands):
        count = f"adds up {len(summands)} fields" if summands else "is one field alone"
        raise KeyposeError(f"Field {shown(name)} {count}, so there is no part {part + 1}.")
    return summands[part]


def _with_part(whole: Placed, part: int, field: Field) -> Field:
    return Sum((*whole.base.parts[:part], field, *whole.base.parts[part + 1 :]))


def _said(before: Floats, given: Sequence[float | None], whose: str) -> Floats:
    """Numbers of which some are said anew."""
    new = [float(old) if one is None else one for old, one in zip(before, given, strict=True)]
    return np.array(vector(new, whose))


def steps_of(field: Field) -> tuple[tuple[Wrapped, ...], Field]:
    """What was done to a field, first things first, and what it was done to."""
    steps: list[Wrapped] = []
    while isinstance(field, Wrapped):
        steps.insert(0, field)
        field = field.field
    return tuple(steps), field


def _placed(stage: Stage, name: str) -> Placed:
    field = field_of(stage, name)
    if not isinstance(field, Field):
        raise KeyposeError(f"Field {shown(name)} goes where its target is. Move that, or change whom it is about.")
    return Placed.of(field)


def _put(stage: Stage, name: str, placed: Placed) -> Stage:
    """The stage with a field placed otherwise, if a scene file can hold that."""
    made = placed.field
    try:
        sensed_object(stage.fields[name], "A field")
    except KeyposeError:  # something of somebody's own, which no file knows
        return with_field(stage, name, made)
    whose = f"Field {shown(name)}"
    read_as(ANY_FIELD, sensed_object(made, whose), "", stage, whose)
    return with_field(stage, name, made)


def _around(field: Field, steps: Iterable[Wrapped]) -> Field:
    for step in steps:
        field = replace(step, field=field)
    return field


def _mirrored(turn: Orientation, factors: Floats, name: str) -> Orientation:
    """A turn as seen before a stretch that is alike along all axes, or mirrors."""
    if np.ptp(np.abs(factors)) > 1e-9 * np.abs(factors).max():
        raise KeyposeError(
            f"Field {shown(name)} is stretched after it is carried, so it cannot be turned by hand. "
            "Say the stretch before the carrier."
        )
    signs = np.sign(factors)
    return Orientation.of((turn.w, *(np.prod(signs) * signs * (turn.x, turn.y, turn.z)).tolist()))


def _three(values: Sequence[float] | Floats) -> tuple[float, float, float]:
    x, y, z = (float(value) for value in values)
    return x, y, z
