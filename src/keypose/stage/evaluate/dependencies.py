"""Who must be placed before whom? From the root up: an actor stands on its parent, meets the carriers of its keys, and
looks at where another is.

Only where somebody *is* matters to who looks at it, so two actors may look at each other; standing on each other is a
circle that no order solves. A mover in it does: it takes ticks anyway, and reads where the others were at the last one.

How do a thousand actors stand on a thousand others? Level by level, from those up who need nobody.

All of a level are composed in one call, and so are all who turn to look at somebody.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

import numpy as np

from keypose.errors import KeyposeError
from keypose.motion.facing import LookAt, towards
from keypose.motion.hierarchy import middle, stood_on
from keypose.motion.pose import Pose

N = TypeVar("N", bound=Hashable)
Step = tuple[str, bool]  # an actor's name, and whether it is turned to what it looks at, or just stands

Late = Mapping[Step, Step]  # a step, and what of another it reads as that was at the last tick
NONE_LATE: Late = {}


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
    def mover(self) -> Any:
        """What moves it, if that takes ticks."""
        ...

    @property
    def carriers(self) -> tuple[str, ...]:
        """Who carries keys of its path."""
        ...


def stands(actors: Mapping[str, Bound], name: str) -> Step:
    """The step after which an actor can be stood upon: it is placed, and turned if it looks at somebody."""
    return name, isinstance(actors[name].facing, LookAt)


def needs(actors: Mapping[str, Bound], step: Step, late: Late = NONE_LATE) -> tuple[Step, ...]:
    """What must be done before a step."""
    name, turned = step
    own: tuple[Step, ...] = ((name, False),) if turned else ()
    carriers = () if turned else (stands(actors, other) for other in actors[name].carriers)
    other = None if step in late else _reads(actors, step)
    return tuple(dict.fromkeys([*own, *([] if other is None else [other]), *carriers]))


def _reads(actors: Mapping[str, Bound], step: Step) -> Step | None:
    """What of another a step is done upon: what an actor stands on, or what it turns to."""
    name, turned = step
    actor = actors[name]
    if turned:
        assert isinstance(actor.facing, LookAt)
        return actor.facing.name, False
    return None if actor.parent is None else stands(actors, actor.parent)


def late_steps(actors: Mapping[str, Bound]) -> Late:
    """The steps of movers that lie on a circle, and what each of them reads as it was at the last tick.

    All of a circle that movers could read late they do, so the order of actors does not matter.
    """
    rings: list[list[Step]] = []
    order = in_order([stands(actors, name) for name in actors], lambda step: needs(actors, step), rings.append)
    if not rings:
        return NONE_LATE
    circle = _circles(order, lambda step: needs(actors, step))
    read = {step: _reads(actors, step) for step in order if actors[step[0]].mover is not None}
    return {step: other for step, other in read.items() if other is not None and circle[step] == circle[other]}


def _circles(order: list[N], needs: Callable[[N], Sequence[N]]) -> dict[N, N]:
    """One of its circle for each of these, which are in order; who is on none is alone (Kosaraju's algorithm)."""
    asking: dict[N, list[N]] = {one: [] for one in order}
    for one in order:
        for other in needs(one):
            asking[other].append(one)
    found: dict[N, N] = {}
    for first in reversed(order):
        waiting = [first]
        while waiting:
            one = waiting.pop()
            if one not in found:
                found[one] = first
                waiting += asking[one]
    return found


def steps_for(actors: Mapping[str, Bound], names: Iterable[str], late: Late = NONE_LATE) -> list[Step]:
    """All that has to be done, in order, to know these actors' poses. A circle is refused by its names."""
    return in_order(
        [stands(actors, name) for name in names],
        lambda step: needs(actors, step, late),
        lambda ring: _refuse(actors, ring),
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
        "Give one of them another parent, facing or carrier, or let it be a mover: that reads the last tick.",
        at=("actors", list(actors).index(names[first]), _word(actors[names[first]], (names * 2)[first + 1])),
    )


def _word(actor: Bound, other: str) -> str:
    """Which of an actor's words speaks of another."""
    if actor.parent == other:
        return "parent"
    return "path" if other in actor.carriers else "facing"


WORTH_JOINING = 8  # poses: fewer are composed one by one in the time it takes to lay them side by side


def levels(actors: Mapping[str, Bound], steps: Sequence[Step], late: Late = NONE_LATE) -> list[list[Step]]:
    """Steps in order, each in the first level after those of all it needs."""
    level: dict[Step, int] = {}
    found: list[list[Step]] = []
    for step in steps:
        level[step] = max((level[other] + 1 for other in needs(actors, step, late)), default=0)
        if level[step] == len(found):
            found.append([])
        found[level[step]].append(step)
    return found


def stood_together(parents: Sequence[Pose], children: Sequence[Pose]) -> list[Pose]:
    """`stood_on` for each parent and child, all at equally many instants (n,)."""
    if len(children) < WORTH_JOINING or any(child.position.ndim > 2 for child in children):
        return [stood_on(parent, child) for parent, child in zip(parents, children, strict=True)]
    under = Pose.of(
        np.concatenate([middle(parent) for parent in parents]),
        np.concatenate([parent.orientation for parent in parents]),
    )
    own = Pose.of(
        np.concatenate([child.position for child in children]),
        np.concatenate([child.orientation for child in children]),
    )
    world, shape = stood_on(under, own), (len(children), -1)
    return list(map(Pose.of, world.position.reshape(*shape, 3), world.orientation.reshape(*shape, 4)))


def turned_together(poses: Sequence[Pose], others: Sequence[Pose]) -> list[Pose]:
    """Each of these poses turned to look at the other, all at equally many instants (n,)."""
    if not poses:
        return []
    away = np.stack([middle(other) - middle(here) for here, other in zip(poses, others, strict=True)])
    facings = towards(away, np.stack([here.orientation for here in poses]))
    return [Pose.of(here.position, facing) for here, facing in zip(poses, facings, strict=True)]
