"""Where is a field put? It is moved, turned and stretched at its handle, and says so in the fewest words.

A pull or a whirl that nothing was done to is moved by its centre. All else is kept as one stretch, one turn and one
move, in this order, however often it is dragged; a carried field as its carrier sees it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from keypose.curves import Orientation
from keypose.document import ANY_FIELD, sense_object
from keypose.errors import KeyposeError, short_repr
from keypose.fields import (
    MIN_FACTOR,
    BoundedField,
    CarriedField,
    Field,
    FieldModifier,
    MovedField,
    PulsingField,
    ScaledField,
    Sum,
    TimedField,
    TurnedField,
    WeightedField,
)
from keypose.maths import Floats, parse_vector
from keypose.stage import Stage
from keypose.studio.edits.drag_precision import round_drag
from keypose.studio.edits.field_frames import ObservedFieldEdit, frame_at, observed_frame
from keypose.studio.edits.fields import field_of, with_field
from keypose.studio.edits.labels import parse_as
from keypose.studio.edits.orientations import EULER_ORDER as ORDER_OF_ANGLES
from keypose.studio.edits.orientations import euler_degrees
from keypose.studio.preview.field_handles import FrameLookup, field_handle, position_option
from keypose.studio.protocol import commands

POSITION_INDEPENDENT = (WeightedField, TimedField, PulsingField)  # what is the same before and after a place is changed
STEP_ORDER: dict[type[FieldModifier], int] = {ScaledField: 0, TurnedField: 1, MovedField: 2}
OPTION_VERBS = {"to": "move", "degrees": "turn", "stretch": "stretch"}
IDENTITY = Orientation.of((1.0, 0.0, 0.0, 0.0))


@dataclass(frozen=True, eq=False)
class FieldTransform:
    """A field taken apart: what it is, its last stretch, turn and move, and its carrier with what is said after."""

    base: Field
    """What is in the middle of it all."""
    inner_steps: tuple[FieldModifier, ...]
    """What was done to it before."""
    factors: Floats
    rotation: Orientation
    offset: Floats
    outer_steps: tuple[FieldModifier, ...]

    @classmethod
    def from_field(cls, field: Field) -> "FieldTransform":
        """Any field; what it does not say is no stretch, no turn, no move."""
        steps, base = transform_steps(field)
        attached_at = next(
            (position_index for position_index, step in enumerate(steps) if isinstance(step, CarriedField)), len(steps)
        )
        first, found = list(steps[:attached_at]), dict[type[FieldModifier], Any]()
        for position_index in range(attached_at - 1, -1, -1):
            step = steps[position_index]
            if isinstance(step, POSITION_INDEPENDENT):
                continue
            if STEP_ORDER.get(type(step), len(STEP_ORDER)) >= min(
                map(STEP_ORDER.__getitem__, found), default=len(STEP_ORDER)
            ):
                break
            found[type(step)] = first.pop(position_index)
        return cls(
            base,
            tuple(first),
            np.array(found[ScaledField].factors) if ScaledField in found else np.ones(3),
            found[TurnedField].turn if TurnedField in found else IDENTITY,
            np.array(found[MovedField].offset) if MovedField in found else np.zeros(3),
            steps[attached_at:],
        )

    @property
    def center(self) -> Floats | None:
        """The place it says itself, if nothing but that says where it is; it may end in a ball or box about it."""
        option = position_option(self.base)
        position = None if option is None else getattr(self.base, option)
        is_concentric = all(
            isinstance(step, POSITION_INDEPENDENT) or getattr(step, "center", None) == position
            for step in self.inner_steps
        )
        return np.array(position) if option is not None and is_concentric else None

    def centered(self, position: Floats) -> "FieldTransform":
        """The same about another place that it says itself."""
        base: Any = self.base  # one that says its place is a dataclass
        option, new_center = position_option(base), _vector3(position)
        assert option is not None
        first = [
            replace(step, center=new_center) if isinstance(step, BoundedField) else step for step in self.inner_steps
        ]
        return replace(self, base=replace(base, **{option: new_center}), inner_steps=tuple(first))

    @property
    def is_identity(self) -> bool:
        """Whether it is neither stretched, turned nor moved."""
        return self.rotation is IDENTITY and bool((self.factors == 1).all()) and not self.offset.any()

    @property
    def field(self) -> Field:
        """All of it put together again, without what says nothing."""
        result = _wrap(self.base, self.inner_steps)
        result = result if (self.factors == 1).all() else ScaledField(result, _vector3(self.factors))
        result = result if self.rotation == IDENTITY else TurnedField(result, self.rotation)
        result = result if not self.offset.any() else MovedField(result, _vector3(self.offset))
        return _wrap(result, self.outer_steps)

    def handle_positions(self, frame: FrameLookup) -> tuple[Floats, Floats]:
        """Its handle as its carrier sees it, and the same before the stretch, the turn and the move."""
        inner = field_handle(_wrap(self.base, self.inner_steps), frame).position
        return self._apply(inner), inner

    def with_handle_at(self, handle: Floats, inner: Floats) -> "FieldTransform":
        """The same, but moved so that its handle is there; a centre it says itself goes into the move."""
        if self.center is not None:
            return replace(self.centered(np.zeros(3)), offset=handle)
        if not inner.any():
            return replace(self, offset=handle)
        return replace(self, offset=handle - self._apply(inner) + self.offset)

    def _apply(self, position: Floats) -> Floats:
        return np.asarray(self.rotation.rotate(self.factors * position) + self.offset)

    def vector_to_local(self, offset: Floats, frame: FrameLookup) -> Floats:
        """A way in the world as its carrier sees it."""
        for step in reversed(self.outer_steps):
            if isinstance(step, CarriedField):
                offset = Orientation.of(frame(step.names)[1]).inverse().rotate(offset)
            elif isinstance(step, TurnedField):
                offset = step.turn.inverse().rotate(offset)
            elif isinstance(step, ScaledField):
                offset = offset / np.array(step.factors)
        return offset

    def rotation_to_local(self, rotation: Orientation, frame: FrameLookup, name: str) -> Orientation:
        """A turn in the world as its carrier sees it."""
        for step in reversed(self.outer_steps):
            if isinstance(step, CarriedField):
                carrier = Orientation.of(frame(step.names)[1])
                rotation = carrier.inverse() @ rotation @ carrier
            elif isinstance(step, TurnedField):
                rotation = step.turn.inverse() @ rotation @ step.turn
            elif isinstance(step, ScaledField):
                rotation = _rotation_before_scale(rotation, np.array(step.factors), name)
        return rotation


def apply_observed_edit(stage: Stage, message: ObservedFieldEdit) -> tuple[Stage, str]:
    """A field moved, turned or stretched where a page sees it."""
    edit, frame = message.edit, observed_frame(stage, message.observed_poses, message.edit.time)
    match edit:
        case commands.MoveField():
            return move_field(stage, edit, frame)
        case commands.TurnField():
            return turn_field(stage, edit, frame)
        case commands.PlaceField():
            return place_field(stage, edit, frame)
        case _:
            return stretch_field(stage, edit, frame)


def move_field(stage: Stage, message: commands.MoveField, observed: FrameLookup | None = None) -> tuple[Stage, str]:
    """A field moved by a way in the world."""
    transform, frame = _field_transform(stage, message.field), observed or frame_at(stage, message.time)
    given = parse_vector(message.by, f"The way of the field {short_repr(message.field)}")
    offset, center = transform.vector_to_local(np.array(given), frame), transform.center
    if center is not None and transform.is_identity:
        new = transform.centered(round_drag(center, offset, message.digits))
    else:
        new = replace(transform, offset=round_drag(transform.offset, offset, message.digits))
    return _with_transform(stage, message.field, new), f"move the field {message.field}"


def turn_field(stage: Stage, message: commands.TurnField, observed: FrameLookup | None = None) -> tuple[Stage, str]:
    """A field turned about its handle by a turn in the world."""
    transform, frame = _field_transform(stage, message.field), observed or frame_at(stage, message.time)
    handle, inner = transform.handle_positions(frame)
    rotation = transform.rotation_to_local(Orientation.of(message.by), frame, message.field) @ transform.rotation
    new = replace(transform, rotation=rotation).with_handle_at(handle, inner)
    return _with_transform(stage, message.field, new), f"turn the field {message.field}"


def stretch_field(
    stage: Stage, message: commands.StretchField, observed: FrameLookup | None = None
) -> tuple[Stage, str]:
    """A field stretched about its handle along its own axes."""
    transform = _field_transform(stage, message.field)
    handle, inner = transform.handle_positions(observed or frame_at(stage, message.time))
    exact = transform.factors * np.array(
        parse_vector(message.by, f"The stretch of the field {short_repr(message.field)}")
    )
    rounded = round_drag(transform.factors, exact - transform.factors, message.digits)
    factors = np.where(np.abs(rounded) < MIN_FACTOR, exact, rounded)  # a small one is not rounded to nothing
    new = replace(transform, factors=factors).with_handle_at(handle, inner)
    return _with_transform(stage, message.field, new), f"stretch the field {message.field}"


def place_field(stage: Stage, message: commands.PlaceField, observed: FrameLookup | None = None) -> tuple[Stage, str]:
    """A field, or one of those that add up, that is where it is said to be: each number as it is, the others stay."""
    name, part = message.field, message.part
    owner = f"the field {name}" if part is None else f"part {part + 1} of the field {name}"
    given_options = [
        what for what in ("to", "degrees", "stretch") if any(one is not None for one in getattr(message, what))
    ]
    if not given_options:
        raise KeyposeError(f"Nothing was said of where {owner} is. Give a place, an angle or a stretch.")
    full_transform = _field_transform(stage, name)
    transform = full_transform if part is None else FieldTransform.from_field(_find_part(full_transform, part, name))
    handle, inner = transform.handle_positions(observed or frame_at(stage, message.time))
    if "degrees" in given_options:
        angles = _merge_numbers(
            euler_degrees(transform.rotation.wxyz[np.newaxis])[0], message.degrees, f"The angles of {owner}"
        )
        transform = replace(transform, rotation=Orientation.from_euler(angles, ORDER_OF_ANGLES)).with_handle_at(
            handle, inner
        )
    if "stretch" in given_options:
        factors = _merge_numbers(transform.factors, message.stretch, f"The stretch of {owner}")
        transform = replace(transform, factors=factors).with_handle_at(handle, inner)
    if "to" in given_options:
        position, center = _merge_numbers(handle, message.to, f"The place of {owner}"), transform.center
        uses_center = center is not None and transform.is_identity
        transform = (
            transform.centered(position)
            if uses_center
            else replace(transform, offset=transform.offset + (position - handle))
        )
    new_transform = (
        transform
        if part is None
        else replace(full_transform, base=_replace_part(full_transform, part, transform.field))
    )
    return _with_transform(
        stage, name, new_transform
    ), f"{OPTION_VERBS[given_options[0]] if len(given_options) == 1 else 'place'} {owner}"


def _find_part(full_transform: FieldTransform, part: int, name: str) -> Field:
    summands = full_transform.base.summands if isinstance(full_transform.base, Sum) else ()
    if part >= len(summands):
        count = f"adds up {len(summands)} fields" if summands else "is one field alone"
        raise KeyposeError(f"Field {short_repr(name)} {count}, so there is no part {part + 1}.")
    return summands[part]


def _replace_part(full_transform: FieldTransform, part: int, field: Field) -> Field:
    return Sum((*full_transform.base.parts[:part], field, *full_transform.base.parts[part + 1 :]))


def _merge_numbers(before: Floats, given: Sequence[float | None], owner: str) -> Floats:
    """Numbers of which some are said anew."""
    new = [float(old) if one is None else one for old, one in zip(before, given, strict=True)]
    return np.array(parse_vector(new, owner))


def transform_steps(field: Field) -> tuple[tuple[FieldModifier, ...], Field]:
    """What was done to a field, first things first, and what it was done to."""
    steps: list[FieldModifier] = []
    while isinstance(field, FieldModifier):
        steps.insert(0, field)
        field = field.field
    return tuple(steps), field


def _field_transform(stage: Stage, name: str) -> FieldTransform:
    field = field_of(stage, name)
    if not isinstance(field, Field):
        raise KeyposeError(f"Field {short_repr(name)} goes where its target is. Move that, or change whom it is about.")
    return FieldTransform.from_field(field)


def _with_transform(stage: Stage, name: str, transform: FieldTransform) -> Stage:
    """The stage with a field placed otherwise, if a scene file can hold that."""
    new_field = transform.field
    try:
        sense_object(stage.fields[name], "A field")
    except KeyposeError:  # something of somebody's own, which no file knows
        return with_field(stage, name, new_field)
    owner = f"Field {short_repr(name)}"
    parse_as(ANY_FIELD, sense_object(new_field, owner), "", stage, owner)
    return with_field(stage, name, new_field)


def _wrap(field: Field, steps: Iterable[FieldModifier]) -> Field:
    for step in steps:
        field = replace(step, field=field)
    return field


def _rotation_before_scale(rotation: Orientation, factors: Floats, name: str) -> Orientation:
    """A turn as seen before a stretch that is alike along all axes, or mirrors."""
    if np.ptp(np.abs(factors)) > 1e-9 * np.abs(factors).max():
        raise KeyposeError(
            f"Field {short_repr(name)} is stretched after it is carried, so it cannot be turned by hand. "
            "Say the stretch before the carrier."
        )
    signs = np.sign(factors)
    return Orientation.of((rotation.w, *(np.prod(signs) * signs * (rotation.x, rotation.y, rotation.z)).tolist()))


def _vector3(values: Sequence[float] | Floats) -> tuple[float, float, float]:
    x, y, z = (float(value) for value in values)
    return x, y, z
