"""Who bumped into whom? Told once for each time two bodies meet, with where and how fast."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from keypose.motion.take import Event

Vector = tuple[float, float, float]

SOFTEST = 0.1  # [m/s]: slower ones lie on each other, and are not told


@dataclass(frozen=True)
class Hit(Event):
    """Two bodies met: the other one, where [m], and how fast [m/s] they came together."""

    other: str = ""
    place: Vector = field(default=(0.0, 0.0, 0.0))
    speed: float = 0.0


class Told:
    """What was told so far. More can be told, and what was told stays as it is: so every tick can keep it."""

    def __init__(self, before: "Told | None" = None, new: tuple[Event, ...] = ()) -> None:
        self._before, self._new = before, new

    def and_(self, new: Sequence[Event]) -> "Told":
        """That, and more."""
        return Told(self, tuple(new)) if new else self

    @property
    def all(self) -> tuple[Event, ...]:
        """All of it, in order."""
        parts: list[tuple[Event, ...]] = []
        told: Told | None = self
        while told is not None:
            parts.append(told._new)
            told = told._before
        return tuple(chain.from_iterable(reversed(parts)))


def blocked(by: Mapping[str, float]) -> str:
    """What is told of somebody who is stuck, by those in its way and how strongly they push [N]."""
    if not by:
        return "Is stuck, and nothing touches it: what pulls it off its path is too strong. Let it be more eager."
    who = " and ".join(f"{other!r} ({push:.3g} N)" for other, push in by.items())
    return f"Is stuck: {who} {'is' if len(by) == 1 else 'are'} in its way."


def hit(time: float, actor: str, other: str, place: Vector, speed: float) -> Hit:
    """Somebody bumped into somebody."""
    at = ", ".join(f"{round(value, 3):g}" for value in place)
    text = f"Hits {other!r} at ({at}) with {speed:.3g} m/s."
    return Hit(time, actor, text, "note", f"hits {other} {time}", other=other, place=place, speed=speed)
