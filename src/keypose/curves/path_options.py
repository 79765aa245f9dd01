"""What holds for a whole path? Its default tension, continuity and bias, how it adjusts to uneven keys, how it ends."""

from dataclasses import dataclass, fields
from typing import Any, get_args

from keypose.curves.key import FARTHEST, STRONGEST
from keypose.curves.orientation_path import Turning
from keypose.curves.tangents import Adjust, Ends
from keypose.errors import KeyposeError, shown
from keypose.maths.inputs import as_number, flag, word

SHAPING, WEIGHING = ("tension", "continuity", "bias"), ("mass", "inertia")
AROUND_ONE = "any finite number; -1 … 1 is the scale"


@dataclass(frozen=True)
class Style:
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
        read = {name: _number(name, getattr(self, name), AROUND_ONE, -STRONGEST, STRONGEST) for name in SHAPING}
        read |= {name: _number(name, getattr(self, name), "a number ≥ 0", 0.0, STRONGEST) for name in WEIGHING}
        if self.closing is not None:
            read["closing"] = _number("closing", self.closing, "a number of seconds greater than 0", 5e-324, FARTHEST)
        for name, value in read.items():
            object.__setattr__(self, name, value)
        object.__setattr__(self, "closed", flag(self.closed, "A path has closed"))
        if self.mass == 0 and self.inertia == 0:
            told = "A path has mass 0 and inertia 0, so no distance at all. Give one of them a value."
            raise KeyposeError(told, at=("mass",))
        if self.adjust is not None:
            word(self.adjust, get_args(Adjust), "A path has adjust")
        word(self.ends, get_args(Ends), "A path has ends")
        word(self.turning, get_args(Turning), "A path has turning")

    @property
    def shaping(self) -> tuple[float, float, float]:
        """Tension, continuity and bias of keys that set none."""
        return self.tension, self.continuity, self.bias

    def said(self) -> dict[str, Any]:
        """The options that differ from the usual."""
        return {word: value for word, usual in _USUAL if (value := getattr(self, word)) != usual}


_USUAL = tuple((field.name, field.default) for field in fields(Style))


def _number(name: str, given: object, remedy: str, least: float, most: float) -> float:
    found = as_number(given)
    if found is None or not least <= found <= most:
        raise KeyposeError(f"A path has {name} {shown(given)}. Give {remedy}.")
    return found
