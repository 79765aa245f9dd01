"""What is a field called where there is no room for its code? In a few words: "vortex 2, turned 30° about y".

Numbers have four digits here and names are short, so this is for titles and events; the repr of a field is code.
"""

from collections.abc import Callable
from math import degrees
from typing import Any

import numpy as np

from keypose.curves.orientation import Orientation
from keypose.errors import shown
from keypose.fields.algebra.attached import Carried
from keypose.fields.algebra.field import Field
from keypose.fields.algebra.sum import Sum, Times, Wrapped
from keypose.fields.algebra.transform import Moved, Scaled, Turned, Within
from keypose.fields.algebra.window import During, Pulsing
from keypose.fields.formula.formula import Formula, Potential, Typed
from keypose.fields.library import Spring, Uniform, Vortex, Wall, Weakening
from keypose.fields.noise import Noise
from keypose.fields.tracking.avoid import Avoid
from keypose.fields.tracking.metric import Keep
from keypose.fields.tracking.targets import Pointer, Target
from keypose.fields.tracking.trackers import KeepDistance, KeepOffset, KeepOnLine, KeepOnPlane, Tracker
from keypose.maths import quaternion

LONGEST = 60  # letters in a sentence
NAMED = 2  # so many of a group are named
STRAIGHT = 1e-9  # how far a direction may be off an axis and still be called that


def in_words(thing: Field | Tracker | Avoid, longest: int = LONGEST) -> str:
    """A field or whoever tracks, on one line of at most so many letters; of a long sum the first fields."""
    text = _said(thing)
    if len(text) > longest and isinstance(thing, Sum):
        for count in range(len(thing.summands) - 1, 0, -1):
            text = f"{_added(thing.summands[:count])} + {len(thing.summands) - count} more"
            if len(text) <= longest:
                return text
    return text if len(text) <= longest else text[: longest - 1] + "…"


def _said(thing: Any) -> str:
    if isinstance(thing, Sum):
        return _added(thing.summands)
    if isinstance(thing, Times):
        return f"{_number(thing.factor)} × {_grouped(thing.field)}"
    for kind, words in _WORDS.items():
        if isinstance(thing, kind):
            return words(thing)
    return type(thing).__name__


def _added(summands: tuple[Field, ...]) -> str:
    return " + ".join(_grouped(each) for each in summands)


def _grouped(field: Field) -> str:
    """In brackets where its own words have parts."""
    parted = isinstance(field, Sum) or (isinstance(field, Wrapped) and not isinstance(field, Times))
    return f"({_said(field)})" if parted else _said(field)


def _then(field: Wrapped, done: str) -> str:
    """A field, and what was done to it."""
    inner = field.field
    return f"{f'({_said(inner)})' if isinstance(inner, Sum | Times) else _said(inner)}, {done}"


def _weakening(field: Weakening) -> str:
    round_it = f" about {_axis(field.axis)}" if isinstance(field, Vortex) and field.axis != (0.0, 1.0, 0.0) else ""
    return f"{type(field).__name__.lower()} {_number(field.strength)}{round_it}{_at(field.center)}"


def _typed(field: Typed) -> str:
    return f"{type(field).__name__.lower()} {' '.join(field.text.split())}"


def _within(field: Within) -> str:
    if field.radius is not None:
        return f"within {_number(field.radius)} m{_at(field.center)}"
    sides = " × ".join(_number(side) for side in field.size or ())
    return f"within {sides} m{_at(field.center)}"


def _carried(field: Carried) -> str:
    late = "" if field.speed is None else f" at {_number(field.speed)} m/s"
    return f"carried by {_names(field.names)}{late}"


def _turn(turn: Orientation) -> str:
    """How far it is turned about what: "30° about y"."""
    vector = quaternion.log(turn.wxyz if turn.w >= 0 else -turn.wxyz)  # the shorter way round
    angle = float(np.linalg.norm(vector))
    if angle < STRAIGHT:
        return "0°"
    axis = vector / angle
    if axis[int(np.argmax(np.abs(axis)))] < 0:
        axis, angle = -axis, -angle
    return f"{_number(degrees(angle))}° about {_axis(axis)}"


def _axis(axis: Any) -> str:
    """The letter of an axis, else a vector."""
    for letter, along in zip("xyz", np.eye(3), strict=True):
        if np.abs(np.asarray(axis) - along).max() < STRAIGHT:
            return letter
    return _vector(axis)


def _at(place: tuple[float, float, float]) -> str:
    return f" at {_vector(place)}" if any(place) else ""


def _vector(numbers: Any) -> str:
    return f"({', '.join(_number(each) for each in numbers)})"


def _number(value: float) -> str:
    """Four digits; what rounding has left of nothing is nothing."""
    return f"{value + 0.0:.4g}"


def _target(target: Target) -> str:
    if isinstance(target, Pointer):
        return shown(target.name)
    if isinstance(target, str):
        return shown(target)
    return _names(target) if all(isinstance(name, str) for name in target) else _vector(target)


def _names(names: tuple[Any, ...]) -> str:
    """Names in a sentence; of many the first."""
    said = [shown(name) for name in names[:NAMED]]
    return " and ".join(said) if len(names) <= NAMED else f"{said[0]} and {len(names) - 1} others"


def _tracker(thing: Tracker | Avoid, value: str | None) -> str:
    """Whoever tracks is called by its word: "KeepDistance('man', 1)"."""
    return f"{type(thing).__name__}({_target(thing.target)}{'' if value is None else f', {value}'})"


_WORDS: dict[type, Callable[[Any], str]] = {
    Uniform: lambda field: f"uniform {_vector(field.vector)}",
    Weakening: _weakening,
    Spring: lambda field: f"spring {_number(field.stiffness)}{_at(field.center)}",
    Wall: lambda field: f"wall {_number(field.strength)} along {_axis(field.normal)}{_at(field.point)}",
    Noise: lambda field: f"noise {_number(field.strength)}",
    Formula: _typed,
    Potential: _typed,
    Moved: lambda field: _then(field, f"moved by {_vector(field.offset)}"),
    Turned: lambda field: _then(field, f"turned {_turn(field.turn)}"),
    Scaled: lambda field: _then(
        field, f"stretched {_number(field.factors[0]) if len({*field.factors}) == 1 else _vector(field.factors)}×"
    ),
    Within: lambda field: _then(field, _within(field)),
    During: lambda field: _then(field, f"from {_number(field.start)} to {_number(field.stop)} s"),
    Pulsing: lambda field: _then(field, f"pulsing every {_number(field.period)} s"),
    Carried: lambda field: _then(field, _carried(field)),
    KeepOffset: lambda it: _tracker(it, None if it.offset is None else _vector(it.offset)),
    KeepDistance: lambda it: _tracker(it, None if it.distance is None else _number(it.distance)),
    KeepOnLine: lambda it: _tracker(it, _vector(it.direction)),
    KeepOnPlane: lambda it: _tracker(it, _vector(it.normal)),
    Keep: lambda it: f"Keep({shown(it.metric)}, {_target(it.target)})",
    Avoid: lambda it: _tracker(it, None),
}
