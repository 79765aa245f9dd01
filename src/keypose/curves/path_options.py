"""What holds for a whole path? Its default tension, continuity and bias, how it adjusts to uneven keys, how it ends."""

from dataclasses import dataclass, fields
from typing import Any, get_args

from keypose.curves.key import MAX_COORDINATE, MAX_TCB
from keypose.curves.orientation_path import Turning
from keypose.curves.tangents import Adjust, Ends
from keypose.errors import KeyposeError, short_repr
from keypose.maths import as_number, parse_choice, parse_flag

TCB_OPTIONS, MASS_OPTIONS = ("tension", "continuity", "bias"), ("mass", "inertia")
TCB_REMEDY = "any finite number; -1 … 1 is the scale"


@dataclass(frozen=True)
class PathOptions:
    """The options of a `MotionPath`, checked."""

    tension: float = 0.0
    continuity: float = 0.0
    bias: float = 0.0
    adjust: Adjust | None = None
    ends: Ends = "reflect"
    closed: bool = False
    turning: Turning = "casteljau"
    mass: float = 1.0
    inertia: float = 0.0
    closing: float | None = None

    def __post_init__(self) -> None:
        values = {name: _parse_option(name, getattr(self, name), TCB_REMEDY, -MAX_TCB, MAX_TCB) for name in TCB_OPTIONS}
        values |= {
            name: _parse_option(name, getattr(self, name), "a number ≥ 0", 0.0, MAX_TCB) for name in MASS_OPTIONS
        }
        if self.closing is not None:
            values["closing"] = _parse_option(
                "closing", self.closing, "a number of seconds greater than 0", 5e-324, MAX_COORDINATE
            )
        for name, value in values.items():
            object.__setattr__(self, name, value)
        object.__setattr__(self, "closed", parse_flag(self.closed, "A path has closed"))
        if self.mass == 0 and self.inertia == 0:
            message = "A path has mass 0 and inertia 0, so no distance at all. Give one of them a value."
            raise KeyposeError(message, at=("mass",))
        if self.adjust is not None:
            parse_choice(self.adjust, get_args(Adjust), "A path has adjust")
        parse_choice(self.ends, get_args(Ends), "A path has ends")
        parse_choice(self.turning, get_args(Turning), "A path has turning")

    @property
    def tcb(self) -> tuple[float, float, float]:
        """Tension, continuity and bias of keys that set none."""
        return self.tension, self.continuity, self.bias

    def non_defaults(self) -> dict[str, Any]:
        """The options that differ from the usual."""
        return {name: value for name, default in _DEFAULTS if (value := getattr(self, name)) != default}


_DEFAULTS = tuple((field.name, field.default) for field in fields(PathOptions))


def _parse_option(name: str, value: object, remedy: str, minimum: float, maximum: float) -> float:
    number = as_number(value)
    if number is None or not minimum <= number <= maximum:
        raise KeyposeError(f"A path has {name} {short_repr(value)}. Give {remedy}.")
    return number
