"""What does an animator say about one moment of a path? A place, a facing, a time, how to pass it (KB84 §2, GL95 §3).

A key is a small immutable value: it says what is wanted and computes nothing.
"""

from dataclasses import KW_ONLY, dataclass, fields
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from keypose.curves.orientation import Orientation
from keypose.errors import KeyposeError, did_you_mean, shown
from keypose.maths.arrays import Floats
from keypose.maths.inputs import as_number, as_numbers, flag

Tangent = Floats | Literal["chord"]

STRONGEST = 1e15  # for tension, continuity and bias: their product with the farthest place, squared, is finite too
FARTHEST = 1e100  # squares and sums of squares of coordinates must stay finite


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
        said = {field.name: getattr(self, field.name) for field in fields(self)}
        return _said_again, (type(self), said)  # built anew: a copied array would forget that it is read-only

    def __repr__(self) -> str:
        said = []
        for field in fields(self):
            value = getattr(self, field.name)
            if value is field.default:
                continue
            drawing = isinstance(value, np.ndarray) and value.ndim > 1
            text = (
                shown(value.tolist()) if drawing else repr(value.tolist() if isinstance(value, np.ndarray) else value)
            )
            said.append(text if not field.kw_only else f"{field.name}={text}")
        return f"{type(self).__name__}({', '.join(said)})"


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
        said = {"orientation": Orientation.of(orientation)} | _shaping(tension, continuity, bias, "turn")
        for word, value in (("arrive", arrive), ("leave", leave)):
            said[word] = _tangent(value, word, (3,), "turn")
        self.__dict__.update(said)


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
        who = called(name)
        place = None if position is None else placed(position, who)
        said: dict[str, Any] = {"position": place, "time": _number(time, "time", who)}
        said |= _shaping(tension, continuity, bias, who)
        for word, value in (("arrive", arrive), ("leave", leave)):
            if place is None and value is not None and not isinstance(value, str):
                raise KeyposeError(f"The {who} has a tangent ({word}) but no position. Give it a position, or a Turn.")
            said[word] = _tangent(value, word, place.shape if place is not None else (), who)
        if orientation is not None and not isinstance(orientation, Turn):
            orientation = Orientation.of(orientation)
        for word, text in (("relative_to", relative_to), ("name", name)):
            if text is not None and (not isinstance(text, str) or not text):
                raise KeyposeError(f"The {who} has {word}={shown(text)}. Give a name, or None.")
        pinned = pin if type(pin) is bool else flag(pin, f"The {who} has pin")
        said |= {"orientation": orientation, "relative_to": relative_to, "pin": pinned, "name": name}
        self.__dict__.update(said)

    def changed(self, **changes: Any) -> "Key":
        """The same key with some things said differently."""
        said = self.__dict__
        for word in changes:
            if word not in said:
                raise KeyposeError(f"A key has no {word!r}.{did_you_mean(word, said)}")
        return Key(**(said | changes))


def _said_again(kind: type, said: dict[str, Any]) -> Any:
    return kind(**said)


def at_depth(drawing: ArrayLike, depth: float) -> Floats:
    """A 2-D drawing (points, 2) on a plane at z = `depth` [m]: (points, 3), for the layers of a multiplane scene."""
    flat = placed(drawing, "drawing")
    if flat.shape[-1] != 2:
        raise KeyposeError(f"A drawing to be put at a depth has shape {flat.shape}. Give points in 2-D: (points, 2).")
    z = _number(depth, "depth", "drawing")
    if z is None:
        raise KeyposeError("A drawing is put at depth None. Give a number of metres.")
    return np.concatenate([flat, np.full((*flat.shape[:-1], 1), z)], axis=-1)


def placed(position: ArrayLike, who: str) -> Floats:
    """A position as a read-only array (dim,) or (points, dim), or a sentence about what is wrong with it."""
    place = as_numbers(position)
    if place is None:
        raise KeyposeError(
            f"The {who} has position {shown(position)}, which is not a list of numbers. "
            "Give (x, y), (x, y, z), or a drawing: one such place for each of its points."
        )
    if place.ndim not in (1, 2) or not place.size:
        raise KeyposeError(
            f"The {who} has a position of shape {place.shape}. Give (dim,) for a place or (points, dim) for a drawing."
        )
    if not (np.abs(place) <= FARTHEST).all():
        raise KeyposeError(f"The {who} has position {shown(place)}. Coordinates must be finite, at most {FARTHEST:g}.")
    place += 0.0  # -0.0 and 0.0 are the same place
    place.flags.writeable = False
    return place


def _shaping(tension: object, continuity: object, bias: object, who: str) -> dict[str, Any]:
    return {
        "tension": _number(tension, "tension", who, STRONGEST),
        "continuity": _number(continuity, "continuity", who, STRONGEST),
        "bias": _number(bias, "bias", who, STRONGEST),
    }


def _number(value: object, word: str, who: str, most: float = FARTHEST) -> float | None:
    if value is None:
        return None
    found = as_number(value)
    if found is None or abs(found) > most:
        raise KeyposeError(
            f"The {who} has {word} {shown(value)}. Give a finite number, at most {most:g}, or None to leave it unset."
        )
    return found


def _tangent(value: ArrayLike | None, word: str, shape: tuple[int, ...], who: str) -> Tangent | None:
    if value is None or (isinstance(value, str) and value == "chord"):
        return value  # type: ignore[return-value]
    if isinstance(value, str):
        raise KeyposeError(f'The {who} has {word} {shown(value)}. Give a vector, "chord", or None for TCB.')
    tangent = placed(value, f"{who}'s {word}")
    if tangent.shape != shape:
        raise KeyposeError(f"The {who} has {word} of shape {tangent.shape}. Its place needs shape {shape}.")
    return tangent


def called(name: object) -> str:
    """How a key is spoken of; a name that is none is refused later, in a sentence of its own."""
    if not isinstance(name, str):
        return "key"
    return f"key {name!r}" if len(name) < 50 else f"key {shown(name)}"
