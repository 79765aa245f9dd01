"""To whom does a follower go? To whoever carries the key that its target goes to: to touch that one is the point."""

from collections.abc import Mapping
from math import ceil

from keypose.physics.following.follower_arrays import FollowerArrays
from keypose.physics.relative.relative_keys import RelativeKeys
from keypose.physics.values.figure import AnyBodyMover, Figure, FigureLink


class KeyCarriers:
    """Those whom followers go to."""

    def __init__(
        self, relative_keys: RelativeKeys, follower_arrays: FollowerArrays, movers: Mapping[str, AnyBodyMover]
    ) -> None:
        self._follower_arrays = follower_arrays
        self._carriers: dict[tuple[int, int], frozenset[str]] = {}
        for carrier, follower, key in zip(*(column.tolist() for column in relative_keys.keys[:3]), strict=True):
            self._carriers[follower, key] = figure_names(relative_keys.carriers[carrier], movers)

    def at_target(self, follower: int, u: float) -> frozenset[str]:
        """Whom a follower goes to, by its number in the race, whose target is at this parameter of its path."""
        key = ceil(u)
        spec = self._follower_arrays.specs[follower]
        if spec.closed:
            key %= int(spec.segment_count)
        return self._carriers.get((follower, key), frozenset())


def figure_names(name: str, movers: Mapping[str, AnyBodyMover]) -> frozenset[str]:
    """Somebody, with all who are of the same figure: whoever shakes a hand may touch the arm."""
    mover = movers.get(name)
    root = name.removesuffix(f"/{mover.link}") if isinstance(mover, FigureLink) else name
    figure = movers.get(root)
    if not isinstance(figure, Figure):
        return frozenset({name})
    return frozenset({root, *(f"{root}/{link}" for link in figure.links)})
