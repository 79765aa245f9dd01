"""Who must be placed before whom? From the root up: an actor stands on its parent, meets the carriers of its keys, and
looks at where another is.

Only where somebody *is* matters to who looks at it, so two actors may look at each other; standing on each other is a
circle that no order solves.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from keypose.errors import KeyposeError
from keypose.motion.facing import LookAt

N = TypeVar("N", bound=Hashable)
Step = tuple[str, bool]  # an actor's name, and whether it is turned to what it looks at, or just stands


class Bound(Protocol):
    """What ties an actor to others."""

    @property
    def parent(self) -> str | None:
        """Whom it stands on."""
        ...

    @property
    def facing(self) -> Any:
        """Perhaps whom it looks at."""
        ...

    @property
    def carriers(self) -> tuple[str, ...]:
        """Who carries keys of its path."""
        ...


def stands(actors: Mapping[str, Bound], name: str) -> Step:
    """The step after which an actor can be stood upon: it is placed, and turned if it looks at somebody."""
    return name, isinstance(actors[name].facing, LookAt)


def needs(actors: Mapping[str, Bound], step: Step) -> tuple[Step, ...]:
    """What must be done before a step."""
    name, turned = step
    actor = actors[name]
    if turned:
        assert isinstance(actor.facing, LookAt)
        return (name, False), (actor.facing.name, False)
    under = [] if actor.parent is None else [actor.parent]
    return tuple(stands(actors, other) for other in dict.fromkeys([*under, *actor.carriers]))


def steps_for(actors: Mapping[str, Bound], names: Iterable[str]) -> list[Step]:
    """All that has to be done, in order, to know these actors' poses. A circle is refused by its names."""
    return in_order(
        [stands(actors, name) for name in names], lambda step: needs(actors, step), lambda ring: _refuse(actors, ring)
    )


def in_order(wanted: Iterable[N], needs: Callable[[N], Sequence[N]], circle: Callable[[list[N]], None]) -> list[N]:
    """What is wanted with all it needs, each after its needs. `circle` is told of every ring of needs found."""
    done: dict[N, None] = {}
    for first in wanted:
        trail: dict[N, list[N]] = {} if first in done else {first: list(needs(first))[::-1]}
        while trail:  # not by recursion: chains may be longer than Python's stack
            node, waiting = next(reversed(trail.items()))
            if not waiting:
                done[node] = None
                del trail[node]
                continue
            following = waiting.pop()
            if following in trail:
                names = list(trail)
                circle(names[names.index(following) :])
            elif following not in done:
                trail[following] = list(needs(following))[::-1]
    return list(done)


def _refuse(actors: Mapping[str, Bound], ring: list[Step]) -> None:
    names = [name for name, _ in ring]
    names = [name for index, name in enumerate(names) if name != names[index - 1]]
    first = names.index(min(names))  # told from the same actor whichever was found first
    told = " → ".join([*names[first:], *names[:first], names[first]])
    raise KeyposeError(
        f"These actors stand on, look at or are carried by each other in a circle: {told}. "
        "Give one of them another parent, facing or carrier, or let it be a mover that watches the other.",
        at=("actors", list(actors).index(names[first]), _word(actors[names[first]], (names * 2)[first + 1])),
    )


def _word(actor: Bound, other: str) -> str:
    """Which of an actor's words speaks of another."""
    if actor.parent == other:
        return "parent"
    return "path" if other in actor.carriers else "facing"
