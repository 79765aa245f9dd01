"""Who bumped into whom? Told once for each time two bodies meet, with where and how fast.

Who touches whom, and what is told of it? Those who have just met.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, overload

import numpy as np

from keypose.maths.arrays import Floats, Ints, Vec3
from keypose.motion.take import Event

if TYPE_CHECKING:
    from keypose.physics.engine.engine import Engine

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


class Touching:
    """Who touches whom from tick to tick, and who did not before."""

    def __init__(self, engine: "Engine", codes: Ints) -> None:
        from keypose.physics.engine.kernels import fastest, met

        self._engine = engine
        self._met: Callable[..., tuple[int, int, float]] = met
        self._seen: tuple[Ints, Ints, Floats, Floats]
        self._about = len(engine.solids), engine.place
        self._known, self._kinds, self._news = codes, 0, 0
        self._spare, self._full = np.empty((2, 0), np.int64)
        self._new, self._speeds = np.empty(0, np.int64), np.empty(0)
        self.haste = float(fastest(engine.going, engine.widest))
        """How fast the fastest point of all bodies may be now [m/s]."""

    @property
    def codes(self) -> Ints:
        """A number for each pair that touches, in order."""
        return self._known

    def look(self, before: Floats) -> int:
        """See who touches whom now, who went as before; how many have just met, and not only touched."""
        self._seen = self._engine.touching()
        count = len(self._seen[0])
        if count > len(self._new):
            self._new, self._speeds = np.empty(2 * count, np.int64), np.empty(2 * count)
        if count > len(self._spare):
            self._spare = np.empty(2 * count, np.int64)
        found = self._spare, self._new, self._speeds
        about = *self._about, before, self._engine.going, self._engine.widest, SOFTEST
        self._kinds, self._news, self.haste = self._met(*self._seen, self._known, *about, *found)
        return self._news

    @property
    def fastest(self) -> float:
        """How fast those came together who have just met [m/s]."""
        return float(self._speeds[: self._news].max(initial=0.0))

    def hits(self, time: float) -> Hits:
        """Those who have just met."""
        new = self._new[: self._news]
        geoms, solid_of, points, _ = self._seen
        return Hits(time, self._engine.names, solid_of[geoms[new]], points[new], self._speeds[: self._news].copy())

    def keep(self) -> None:
        """Know from now on who touches whom."""
        self._known, self._spare, self._full = self._spare[: self._kinds], self._full, self._spare
