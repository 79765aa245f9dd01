"""Who bumped into whom? Told once for each time two bodies meet, with where and how fast."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import overload

from keypose.maths.arrays import Floats, Ints, Vec3
from keypose.motion.take import Event

SOFTEST = 0.1  # [m/s]: slower ones lie on each other, and are not told


@dataclass(frozen=True)
class Hit(Event):
    """Two bodies met: the other one, where [m], and how fast [m/s] they came together."""

    other: str = ""
    place: Vec3 = field(default=(0.0, 0.0, 0.0))
    speed: float = 0.0


class Hits(Sequence[Event]):
    """Pairs (n, 2) of bodies with these names who met at one time [s], where [m] and how fast [m/s].

    Each is told when asked for: a crowd bumps into each other all the time.
    """

    def __init__(self, time: float, names: Sequence[str], pairs: Ints, places: Floats, speeds: Floats) -> None:
        self._time, self._names, self._met = time, names, (pairs, places, speeds)

    def __len__(self) -> int:
        return len(self._met[0])

    @overload
    def __getitem__(self, number: int) -> Event: ...

    @overload
    def __getitem__(self, number: slice) -> Sequence[Event]: ...

    def __getitem__(self, number: int | slice) -> Event | Sequence[Event]:
        if isinstance(number, slice):
            return [self[one] for one in range(len(self))[number]]
        pair, (x, y, z), speed = (values[number].tolist() for values in self._met)
        return hit(self._time, self._names[min(pair)], self._names[max(pair)], (x, y, z), speed)


class Told:
    """What was told so far. More can be told, and what was told stays as it is: so every tick can keep it."""

    def __init__(self, before: "Told | None" = None, new: Sequence[Event] = ()) -> None:
        self._before, self._new = before, new

    def and_(self, new: Sequence[Event]) -> "Told":
        """That, and more."""
        return Told(self, new) if len(new) else self

    @property
    def all(self) -> tuple[Event, ...]:
        """All of it, in order."""
        parts: list[Sequence[Event]] = []
        told: Told | None = self
        while told is not None:
            parts.append(told._new)
            told = told._before
        return tuple(chain.from_iterable(reversed(parts)))


def blocked(by: Mapping[str, float], rubbing: Collection[str], turns: bool, short: float | None) -> str:
    """What is told of somebody who is stuck on its way or its turn, by what is in its way and pushes so [N].

    Whose target has come to an end is so far `short` of that [m].
    """
    if by:
        return hindered(by, turns, rubbing=rubbing)
    how = f"Is stuck{' in its turn' if turns else ''}"
    if short is not None:
        how = f"Rests {short:.2g} m short of its goal"
    return (
        f"{how}, and nothing is in its way: it is pulled off its path, or cannot reach so far. Let it be more eager, "
        "or what holds it less stiff; or a limb be longer, stronger, or helped."
    )


def hindered(by: Mapping[str, float], turns: bool, stands: bool = True, rubbing: Collection[str] = ()) -> str:
    """What is in the way of somebody who stands, or hardly moves, and pushes so [N]; `rubbing`, only by friction."""
    how = f"Is {'stuck' if stands else 'slowed down'}{' in its turn' if turns else ''}"
    names = ((f"the friction of {other!r}" if other in rubbing else repr(other), push) for other, push in by.items())
    who, one = " and ".join(f"{name} ({push:.3g} N)" for name, push in names), len(by) == 1
    if by.keys() <= set(rubbing):
        return f"{how}: {who} {'holds' if one else 'hold'} it."
    return f"{how}: {who} {'is' if one else 'are'} in its way."


def hit(time: float, actor: str, other: str, place: Vec3, speed: float) -> Hit:
    """Somebody bumped into somebody."""
    at = ", ".join(f"{round(value, 3) + 0.0:g}" for value in place)  # nobody is at minus zero
    text = f"Hits {other!r} at ({at}) with {speed:.3g} m/s."
    return Hit(time, actor, text, "note", f"hits {other} {time}", other=other, place=place, speed=speed)
