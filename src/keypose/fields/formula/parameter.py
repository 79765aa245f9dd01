"""How far can a parameter of a formula be moved? A value with the range it can be dragged through."""

from dataclasses import dataclass

from keypose.errors import KeyposeError
from keypose.maths import parse_number


@dataclass(frozen=True)
class Slider:
    """A named number of a formula, `low` ≤ `value` ≤ `high`: `Formula("(wind, 0, 0)", wind=Slider(2, 0, 10))`."""

    value: float
    low: float
    high: float

    def __post_init__(self) -> None:
        for name in ("value", "low", "high"):
            object.__setattr__(self, name, parse_number(getattr(self, name), f"A slider's {name}"))
        if not self.low < self.high:
            raise KeyposeError(f"A slider goes from {self.low:g} to {self.high:g}. Give a high that is above its low.")
        if not self.low <= self.value <= self.high:
            message = f"A slider from {self.low:g} to {self.high:g} has value {self.value:g}. Give one between them."
            raise KeyposeError(message, at=("value",))

    def at(self, value: object) -> "Slider":
        """The same slider, moved."""
        return Slider(parse_number(value, "A slider's value"), self.low, self.high)
