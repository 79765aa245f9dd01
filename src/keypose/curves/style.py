"""What holds for a whole path? Its default tension, continuity and bias, how it adjusts to uneven keys, how it ends."""

from dataclasses import dataclass, fields
from typing import Any, get_args

from keypose.curves.key import FARTHEST, STRONGEST
from keypose.curves.orientation_path import Turning
from keypose.curves.tangents import Adjust, Ends
from keypose.errors import KeyposeError, did_you_mean, shown
from keypose.maths.given import number

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
        for word in ("tension", "continuity", "bias"):
            object.__setattr__(self, word, _number(word, getattr(self, word), AROUND_ONE, -STRONGEST, STRONGEST))
        for word in ("mass", "inertia"):
            object.__setattr__(self, word, _number(word, getattr(self, word), "a number ≥ 0", 0.0, STRONGEST))
        if self.closing is not None:
            seconds = _number("closing", self.closing, "a number of seconds greater than 0", 5e-324, FARTHEST)
            object.__setattr__(self, "closing", seconds)
        if self.mass == 0 and self.inertia == 0:
            raise KeyposeError("A path has mass 0 and inertia 0, so no distance at all. Give one of them a value.")
        if self.adjust is not None:
            _check_word("adjust", self.adjust, get_args(Adjust))
        _check_word("ends", self.ends, get_args(Ends))
        _check_word("turning", self.turning, get_args(Turning))

    @property
    def shaping(self) -> tuple[float, float, float]:
        """Tension, continuity and bias of keys that set none."""
        return self.tension, self.continuity, self.bias

    def said(self) -> dict[str, Any]:
        """The options that differ from the usual."""
        return {f.name: getattr(self, f.name) for f in fields(self) if getattr(self, f.name) != f.default}


def _number(word: str, value: object, remedy: str, least: float, most: float) -> float:
    try:
        found = number(value, word)
    except KeyposeError:
        found = None
    if found is None or not least <= found <= most:
        raise KeyposeError(f"A path has {word} {shown(value)}. Give {remedy}.")
    return found


def _check_word(word: str, value: object, known: tuple[str, ...]) -> None:
    if value not in known:
        raise KeyposeError(f"A path has {word}={value!r}.{did_you_mean(str(value), known)}")
