"""What does an animator call a set of tension, continuity and bias? Named effects (KB84 §5).

`Key(position, **effects.overshoot)`. Your own: `snap = effects.Effect(tension=0.4, bias=-0.5)`.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from keypose.errors import KeyposeError, short_repr
from keypose.maths import as_number, parse_flag

__all__ = ["Effect", "corner", "linear", "loose", "overshoot", "still", "tight", "undershoot"]


class Effect(Mapping[str, Any]):
    """A named look: tension, continuity and bias for a key, to be unpacked into it with `**`."""

    __slots__ = ("_values",)

    def __init__(
        self, tension: float = 0.0, continuity: float = 0.0, bias: float = 0.0, *, along_chords: bool = False
    ) -> None:
        values: dict[str, float | str] = {}
        for name, value in (("tension", tension), ("continuity", continuity), ("bias", bias)):
            number = as_number(value)
            if number is None:
                raise KeyposeError(
                    f"An effect's {name} is {short_repr(value)}. Give a finite number; -1 … 1 is the scale."
                )
            values[name] = number
        if parse_flag(along_chords, "An effect has along_chords"):
            values |= {"arrive": "chord", "leave": "chord"}
        self._values = values

    def __getitem__(self, name: str) -> Any:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __hash__(self) -> int:
        return hash(tuple(self._values.items()))

    def __repr__(self) -> str:
        options = [f"{name}={value!r}" for name, value in self._values.items() if value and value != "chord"]
        return f"Effect({', '.join(options + ['along_chords=True'] * ('arrive' in self))})"


overshoot = Effect(tension=-0.3, bias=1.0)  # KB84 §5: follows through past the key
undershoot = Effect(tension=-0.3, bias=-1.0)  # turns early, before the key
corner = Effect(continuity=-1.0)  # a hit: changes direction at full speed
tight = Effect(tension=0.5)
loose = Effect(tension=-0.5)
still = Effect(tension=1.0)  # slows to a stop at the key
linear = Effect(
    continuity=-1.0, along_chords=True
)  # the plain chord on both sides, never adjusted: straight and steady


def __dir__() -> list[str]:
    return __all__
