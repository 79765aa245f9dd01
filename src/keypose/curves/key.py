"""What does an animator say about one moment of a path? A place, a facing, a time, how to pass it (KB84 §2, GL95 §3).

A key is a small immutable value: it says what is wanted and computes nothing.
"""

from dataclasses import KW_ONLY, dataclass, fields
from typing import Any, Literal

import numpy as np

from keypose.curves.orientation import Orientation
from keypose.errors import KeyposeError, did_you_mean, short_repr
from keypose.maths import ArrayLike, Floats, as_number, as_numbers, parse_flag

Tangent = Floats | Literal["chord"]

MAX_TCB = 1e15  # for tension, continuity and bias: their product with the farthest place, squared, is finite too
MAX_COORDINATE = 1e100  # squares and sums of squares of coordinates must stay finite


@dataclass(frozen=True, init=False, eq=False, repr=False)
class _Value:
    """Frozen, compared by value also where a value is an array."""

    def _identity(self) -> tuple[object, ...]:
        values = (getattr(self, field.name) for field in fields(self))
        return tuple((v.shape, v.tobytes()) if isinstance(v, np.ndarray) else v for v in values)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash(self._identity())

    def __reduce__(self) -> tuple[Any, ...]:
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return _rebuild_value, (type(self), values)  # built anew: a copied array would forget that it is read-only

    def __repr__(self) -> str:
        parts = []
        for field in fields(self):
            value = getattr(self, field.name)
            if value is not field.default:
                text = _value_text(value)
                parts.append(text if not field.kw_only else f"{field.name}={text}")
        return f"{type(self).__name__}({', '.join(parts)})"


def _value_text(value: object) -> str:
    """A value as it is written in code, whole numbers without a point; of a drawing only its beginning."""
    if isinstance(value, float):
        return repr(value).removesuffix(".0")
    if not isinstance(value, np.ndarray):
        return repr(value)
    if value.ndim > 1:
        return short_repr(value.tolist())
    numbers = [_value_text(number) for number in value.tolist()]
    return f"({', '.join(numbers)}{',' if len(numbers) == 1 else ''})"


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Turn(_Value):
    """A facing with its own tension, continuity and bias, or rotation-vector tangents by hand.

    `arrive` and `leave` are rotation vectors [rad per key] in the carrier's frame; "chord" is the plain turn from or
    to the neighbouring facing. What is not set is the key's own.
    """

    orientation: Orientation
    _: KW_ONLY
    tension: float | None = None
    continuity: float | None = None
    bias: float | None = None
    arrive: Tangent | None = None
    leave: Tangent | None = None

    def __init__(
        self,
        orientation: "Orientation | ArrayLike",
        *,
        tension: float | None = None,
        continuity: float | None = None,
        bias: float | None = None,
        arrive: ArrayLike | None = None,
        leave: ArrayLike | None = None,
    ) -> None:
        values = {"orientation": Orientation.of(orientation)} | _parse_tcb(tension, continuity, bias, "turn")
        for field_name, value in (("arrive", arrive), ("leave", leave)):
            values[field_name] = _parse_tangent(value, field_name, (3,), "turn")
        self.__dict__.update(values)


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Key(_Value):
    """A place to pass, and if wanted a facing, a moment, tangents by hand, a carrier.

    `position` is (dim,), or (points, dim) for a whole drawing; None: this key only turns. `orientation` is w x y z, an
    `Orientation`, or a `Turn`. `arrive` and `leave` are dP/du of their own segment in the carrier's frame, never
    adjusted; "chord" is the plain chord; a side left unset stays TCB. `relative_to` names the actor that carries the
    key; with `pin` it stays in the world once it is passed.
    """

    position: Floats | None = None
    _: KW_ONLY
    time: float | None = None
    tension: float | None = None
    continuity: float | None = None
    bias: float | None = None
    arrive: Tangent | None = None
    leave: Tangent | None = None
    orientation: Orientation | Turn | None = None
    relative_to: str | None = None
    pin: bool = True
    name: str | None = None

    def __init__(
        self,
        position: ArrayLike | None = None,
        *,
        time: float | None = None,
        tension: float | None = None,
        continuity: float | None = None,
        bias: float | None = None,
        arrive: ArrayLike | None = None,
        leave: ArrayLike | None = None,
        orientation: "Orientation | Turn | ArrayLike | None" = None,
        relative_to: str | None = None,
        pin: bool = True,
        name: str | None = None,
    ) -> None:
        label = key_label(name)
        coordinates = None if position is None else parse_position(position, label)
        values: dict[str, Any] = {"position": coordinates, "time": _parse_optional_number(time, "time", label)}
        values |= _parse_tcb(tension, continuity, bias, label)
        for field_name, value in (("arrive", arrive), ("leave", leave)):
            if coordinates is None and value is not None and not isinstance(value, str):
                raise KeyposeError(
                    f"The {label} has a tangent ({field_name}) but no position. Give it a position, or a Turn."
                )
            values[field_name] = _parse_tangent(
                value, field_name, coordinates.shape if coordinates is not None else (), label
            )
        if orientation is not None and not isinstance(orientation, Turn):
            orientation = Orientation.of(orientation)
        for field_name, text in (("relative_to", relative_to), ("name", name)):
            if text is not None and (not isinstance(text, str) or not text):
                raise KeyposeError(f"The {label} has {field_name}={short_repr(text)}. Give a name, or None.")
        is_pinned = pin if type(pin) is bool else parse_flag(pin, f"The {label} has pin")
        values |= {"orientation": orientation, "relative_to": relative_to, "pin": is_pinned, "name": name}
        self.__dict__.update(values)

    def changed(self, **changes: Any) -> "Key":
        """The same key with some things said differently."""
        values = self.__dict__
        for field_name in changes:
            if field_name not in values:
                raise KeyposeError(f"A key has no {field_name!r}.{did_you_mean(field_name, values)}")
        return Key(**(values | changes))


def _rebuild_value(kind: type, values: dict[str, Any]) -> Any:
    return kind(**values)


def at_depth(drawing: ArrayLike, depth: float) -> Floats:
    """A 2-D drawing (points, 2) on a plane at z = `depth` [m]: (points, 3), for the layers of a multiplane scene."""
    flat = parse_position(drawing, "drawing")
    if flat.shape[-1] != 2:
        raise KeyposeError(f"A drawing to be put at a depth has shape {flat.shape}. Give points in 2-D: (points, 2).")
    z = _parse_optional_number(depth, "depth", "drawing")
    if z is None:
        raise KeyposeError("A drawing is put at depth None. Give a number of metres.")
    return np.concatenate([flat, np.full((*flat.shape[:-1], 1), z)], axis=-1)


def parse_position(position: ArrayLike, owner: str) -> Floats:
    """A position as a read-only array (dim,) or (points, dim), or a sentence about what is wrong with it."""
    array = as_numbers(position)
    if array is None:
        raise KeyposeError(
            f"The {owner} has position {short_repr(position)}, which is not a list of numbers. "
            "Give (x, y), (x, y, z), or a drawing: one such place for each of its points."
        )
    if array.ndim not in (1, 2) or not array.size:
        raise KeyposeError(
            f"The {owner} has a position of shape {array.shape}. Give (dim,) for a place or (points, dim) for "
            "a drawing."
        )
    if not (np.abs(array) <= MAX_COORDINATE).all():
        raise KeyposeError(
            f"The {owner} has position {short_repr(array)}. Coordinates must be finite, at most {MAX_COORDINATE:g}."
        )
    array += 0.0  # -0.0 and 0.0 are the same place
    array.flags.writeable = False
    return array


def _parse_tcb(tension: object, continuity: object, bias: object, owner: str) -> dict[str, Any]:
    return {
        "tension": _parse_optional_number(tension, "tension", owner, MAX_TCB),
        "continuity": _parse_optional_number(continuity, "continuity", owner, MAX_TCB),
        "bias": _parse_optional_number(bias, "bias", owner, MAX_TCB),
    }


def _parse_optional_number(value: object, field_name: str, owner: str, most: float = MAX_COORDINATE) -> float | None:
    if value is None:
        return None
    number = as_number(value)
    if number is None or abs(number) > most:
        raise KeyposeError(
            f"The {owner} has {field_name} {short_repr(value)}. Give a finite number, at most {most:g}, or "
            "None to leave it unset."
        )
    return number


def _parse_tangent(value: ArrayLike | None, field_name: str, shape: tuple[int, ...], owner: str) -> Tangent | None:
    if value is None or (isinstance(value, str) and value == "chord"):
        return value  # type: ignore[return-value]
    if isinstance(value, str):
        raise KeyposeError(
            f'The {owner} has {field_name} {short_repr(value)}. Give a vector, "chord", or None for TCB.'
        )
    tangent = parse_position(value, f"{owner}'s {field_name}")
    if tangent.shape != shape:
        raise KeyposeError(f"The {owner} has {field_name} of shape {tangent.shape}. Its place needs shape {shape}.")
    return tangent


def key_label(name: object) -> str:
    """How a key is spoken of; a name that is none is refused later, in a sentence of its own."""
    if not isinstance(name, str):
        return "key"
    return f"key {name!r}" if len(name) < 50 else f"key {short_repr(name)}"
