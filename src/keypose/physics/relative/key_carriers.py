"""To whom does a follower go? To whoever carries the key that its target goes to: to touch that one is the point."""

from collections.abc import Mapping
from math import ceil

from keypose.physics.following.follower_arrays import Race
from keypose.physics.relative.relative_keys import Carried
from keypose.physics.values.figure import Figure, Limb, Weighty


class Sought:
    """Those whom followers go to."""

    def __init__(self, carried: Carried, race: Race, members: Mapping[str, Weighty]) -> None:
        self._race = race
        self._by: dict[tuple[int, int], frozenset[str]] = {}
        for carrier, who, number in zip(*(column.tolist() for column in carried.keys[:3]), strict=True):
            self._by[who, number] = all_of(carried.names[carrier], members)

    def by(self, follower: int, at: float) -> frozenset[str]:
        """Whom a follower goes to, by its number in the race, whose target is at this parameter of its path."""
        key = ceil(at)
        if self._race.closed[follower]:
            key %= int(self._race.segments[follower, 1])
        return self._by.get((follower, key), frozenset())


def all_of(name: str, members: Mapping[str, Weighty]) -> frozenset[str]:
    """Somebody, with all who are of the same figure: whoever shakes a hand may touch the arm."""
    member = members.get(name)
    root = name.removesuffix(f"/{member.link}") if isinstance(member, Limb) else name
    figure = members.get(root)
    if not isinstance(figure, Figure):
        return frozenset({name})
    return frozenset({root, *(f"{root}/{link}" for link in figure.links)})
