"""What is a field called where there is no room for its code? In a few words: "vortex 2, turned 30° about y".

Numbers have four digits here and names are short, so this is for titles and events; the repr of a field is code.
"""

from collections.abc import Callable
from math import degrees
from typing import Any

import numpy as np

from keypose.curves import Orientation
from keypose.errors import short_repr
from keypose.fields.algebra.carrier import CarriedField
from keypose.fields.algebra.field import Field
from keypose.fields.algebra.sum import FieldModifier, Sum, WeightedField
from keypose.fields.algebra.transform import BoundedField, MovedField, ScaledField, TurnedField
from keypose.fields.algebra.window import PulsingField, TimedField
from keypose.fields.formula.formula import Formula, FormulaField, Potential
from keypose.fields.library import Falloff, Spring, Uniform, Vortex, Wall
from keypose.fields.noise import Noise
from keypose.fields.tracking.avoid import Avoid
from keypose.fields.tracking.metric import Keep
from keypose.fields.tracking.targets import Pointer, Target
from keypose.fields.tracking.trackers import KeepDistance, KeepOffset, KeepOnLine, KeepOnPlane, Tracker
from keypose.maths import quaternion

MAX_LETTERS = 60  # letters in a sentence
MAX_NAMES = 2  # so many of a group are named
AXIS_TOLERANCE = 1e-9  # how far a direction may be off an axis and still be called that


def describe_field(sensed: Field | Tracker | Avoid, max_letters: int = MAX_LETTERS) -> str:
    """A field or whoever tracks, on one line of at most so many letters; of a long sum the first fields."""
    text = _describe(sensed)
    if len(text) > max_letters and isinstance(sensed, Sum):
        for count in range(len(sensed.summands) - 1, 0, -1):
            text = f"{_describe_sum(sensed.summands[:count])} + {len(sensed.summands) - count} more"
            if len(text) <= max_letters:
                return text
    return text if len(text) <= max_letters else text[: max_letters - 1] + "…"


def _describe(sensed: Any) -> str:
    if isinstance(sensed, Sum):
        return _describe_sum(sensed.summands)
    if isinstance(sensed, WeightedField):
        return f"{_format_number(sensed.factor)} × {_describe_in_brackets(sensed.field)}"
    for kind, describe in _DESCRIPTIONS.items():
        if isinstance(sensed, kind):
            return describe(sensed)
    return type(sensed).__name__


def _describe_sum(summands: tuple[Field, ...]) -> str:
    return " + ".join(_describe_in_brackets(each) for each in summands)


def _describe_in_brackets(field: Field) -> str:
    """In brackets where its own words have parts."""
    has_parts = isinstance(field, Sum) or (isinstance(field, FieldModifier) and not isinstance(field, WeightedField))
    return f"({_describe(field)})" if has_parts else _describe(field)


def _describe_modifier(field: FieldModifier, change: str) -> str:
    """A field, and what was done to it."""
    inner = field.field
    return f"{f'({_describe(inner)})' if isinstance(inner, Sum | WeightedField) else _describe(inner)}, {change}"


def _describe_falloff(field: Falloff) -> str:
    axis_text = (
        f" about {_format_axis(field.axis)}" if isinstance(field, Vortex) and field.axis != (0.0, 1.0, 0.0) else ""
    )
    return f"{type(field).__name__.lower()} {_format_number(field.strength)}{axis_text}{_format_position(field.center)}"


def _describe_formula(field: FormulaField) -> str:
    return f"{type(field).__name__.lower()} {' '.join(field.text.split())}"


def _describe_bounds(field: BoundedField) -> str:
    if field.radius is not None:
        return f"within {_format_number(field.radius)} m{_format_position(field.center)}"
    sides = " × ".join(_format_number(side) for side in field.size or ())
    return f"within {sides} m{_format_position(field.center)}"


def _describe_carrier(field: CarriedField) -> str:
    speed_text = "" if field.speed is None else f" at {_format_number(field.speed)} m/s"
    return f"carried by {_format_names(field.names)}{speed_text}"


def _format_rotation(rotation: Orientation) -> str:
    """How far it is turned about what: "30° about y"."""
    vector = quaternion.log(rotation.wxyz if rotation.w >= 0 else -rotation.wxyz)  # the shorter way round
    angle = float(np.linalg.norm(vector))
    if angle < AXIS_TOLERANCE:
        return "0°"
    axis = vector / angle
    if axis[int(np.argmax(np.abs(axis)))] < 0:
        axis, angle = -axis, -angle
    return f"{_format_number(degrees(angle))}° about {_format_axis(axis)}"


def _format_axis(axis: Any) -> str:
    """The letter of an axis, else a vector."""
    for letter, unit in zip("xyz", np.eye(3), strict=True):
        if np.abs(np.asarray(axis) - unit).max() < AXIS_TOLERANCE:
            return letter
    return _format_vector(axis)


def _format_position(position: tuple[float, float, float]) -> str:
    return f" at {_format_vector(position)}" if any(position) else ""


def _format_vector(numbers: Any) -> str:
    return f"({', '.join(_format_number(each) for each in numbers)})"


def _format_number(value: float) -> str:
    """Four digits; what rounding has left of nothing is nothing."""
    return f"{value + 0.0:.4g}"


def _format_target(target: Target) -> str:
    if isinstance(target, Pointer):
        return short_repr(target.name)
    if isinstance(target, str):
        return short_repr(target)
    return _format_names(target) if all(isinstance(name, str) for name in target) else _format_vector(target)


def _format_names(names: tuple[Any, ...]) -> str:
    """Names in a sentence; of many the first."""
    quoted = [short_repr(name) for name in names[:MAX_NAMES]]
    return " and ".join(quoted) if len(names) <= MAX_NAMES else f"{quoted[0]} and {len(names) - 1} others"


def _describe_tracker(tracker: Tracker | Avoid, value: str | None) -> str:
    """Whoever tracks is called by its word: "KeepDistance('man', 1)"."""
    return f"{type(tracker).__name__}({_format_target(tracker.target)}{'' if value is None else f', {value}'})"


_DESCRIPTIONS: dict[type, Callable[[Any], str]] = {
    Uniform: lambda field: f"uniform {_format_vector(field.vector)}",
    Falloff: _describe_falloff,
    Spring: lambda field: f"spring {_format_number(field.stiffness)}{_format_position(field.center)}",
    Wall: lambda field: (
        f"wall {_format_number(field.strength)} along {_format_axis(field.normal)}{_format_position(field.point)}"
    ),
    Noise: lambda field: f"noise {_format_number(field.strength)}",
    Formula: _describe_formula,
    Potential: _describe_formula,
    MovedField: lambda field: _describe_modifier(field, f"moved by {_format_vector(field.offset)}"),
    TurnedField: lambda field: _describe_modifier(field, f"turned {_format_rotation(field.turn)}"),
    ScaledField: lambda field: _describe_modifier(
        field,
        "stretched "
        f"{_format_number(field.factors[0]) if len({*field.factors}) == 1 else _format_vector(field.factors)}×",
    ),
    BoundedField: lambda field: _describe_modifier(field, _describe_bounds(field)),
    TimedField: lambda field: _describe_modifier(
        field, f"from {_format_number(field.start)} to {_format_number(field.stop)} s"
    ),
    PulsingField: lambda field: _describe_modifier(field, f"pulsing every {_format_number(field.period)} s"),
    CarriedField: lambda field: _describe_modifier(field, _describe_carrier(field)),
    KeepOffset: lambda it: _describe_tracker(it, None if it.offset is None else _format_vector(it.offset)),
    KeepDistance: lambda it: _describe_tracker(it, None if it.distance is None else _format_number(it.distance)),
    KeepOnLine: lambda it: _describe_tracker(it, _format_vector(it.direction)),
    KeepOnPlane: lambda it: _describe_tracker(it, _format_vector(it.normal)),
    Keep: lambda it: f"Keep({short_repr(it.metric)}, {_format_target(it.target)})",
    Avoid: lambda it: _describe_tracker(it, None),
}
