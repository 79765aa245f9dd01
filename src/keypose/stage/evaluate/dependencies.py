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
from keypose.motion import LookAt, Pose, forward_orientations, pose_center, to_world

N = TypeVar("N", bound=Hashable)
PoseStep = tuple[str, bool]  # an actor's name, and whether it is turned to what it looks at, or just stands

PreviousReads = Mapping[PoseStep, PoseStep]  # a step, and what of another it reads as that was at the last tick
NO_PREVIOUS_READS: PreviousReads = {}


class ActorDependencies(Protocol):
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


def final_step(actors: Mapping[str, ActorDependencies], name: str) -> PoseStep:
    """The step after which an actor can be stood upon: it is placed, and turned if it looks at somebody."""
    return name, isinstance(actors[name].facing, LookAt)


def required_steps(
    actors: Mapping[str, ActorDependencies], step: PoseStep, previous_reads: PreviousReads = NO_PREVIOUS_READS
) -> tuple[PoseStep, ...]:
    """What must be done before a step."""
    name, is_aimed = step
    own_steps: tuple[PoseStep, ...] = ((name, False),) if is_aimed else ()
    carriers = () if is_aimed else (final_step(actors, other) for other in actors[name].carriers)
    other = None if step in previous_reads else _read_step(actors, step)
    return tuple(dict.fromkeys([*own_steps, *([] if other is None else [other]), *carriers]))


def _read_step(actors: Mapping[str, ActorDependencies], step: PoseStep) -> PoseStep | None:
    """What of another a step is done upon: what an actor stands on, or what it turns to."""
    name, is_aimed = step
    actor = actors[name]
    if is_aimed:
        assert isinstance(actor.facing, LookAt)
        return actor.facing.name, False
    return None if actor.parent is None else final_step(actors, actor.parent)


def find_previous_reads(actors: Mapping[str, ActorDependencies]) -> PreviousReads:
    """The steps of movers that lie on a circle, and what each of them reads as it was at the last tick.

    All of a circle that movers could read late they do, so the order of actors does not matter.
    """
    cycles: list[list[PoseStep]] = []
    order = topological_order(
        [final_step(actors, name) for name in actors], lambda step: required_steps(actors, step), cycles.append
    )
    if not cycles:
        return NO_PREVIOUS_READS
    component = _strong_components(order, lambda step: required_steps(actors, step))
    read_steps = {step: _read_step(actors, step) for step in order if actors[step[0]].mover is not None}
    return {
        step: other for step, other in read_steps.items() if other is not None and component[step] == component[other]
    }


def _strong_components(order: list[N], required: Callable[[N], Sequence[N]]) -> dict[N, N]:
    """One of its circle for each of these, which are in order; who is on none is alone (Kosaraju's algorithm)."""
    dependents: dict[N, list[N]] = {one: [] for one in order}
    for one in order:
        for other in required(one):
            dependents[other].append(one)
    found: dict[N, N] = {}
    for first in reversed(order):
        pending = [first]
        while pending:
            one = pending.pop()
            if one not in found:
                found[one] = first
                pending += dependents[one]
    return found


def ordered_steps(
    actors: Mapping[str, ActorDependencies], names: Iterable[str], previous_reads: PreviousReads = NO_PREVIOUS_READS
) -> list[PoseStep]:
    """All that has to be done, in order, to know these actors' poses. A circle is refused by its names."""
    return topological_order(
        [final_step(actors, name) for name in names],
        lambda step: required_steps(actors, step, previous_reads),
        lambda cycle: _raise_cycle(actors, cycle),
    )


def topological_order(
    wanted: Iterable[N], required: Callable[[N], Sequence[N]], on_cycle: Callable[[list[N]], None]
) -> list[N]:
    """What is wanted with all it needs, each after its needs. `on_cycle` is told of every ring of needs found."""
    done: dict[N, None] = {}
    for first in wanted:
        stack: dict[N, list[N]] = {} if first in done else {first: list(required(first))[::-1]}
        while stack:  # not by recursion: chains may be longer than Python's stack
            node, pending = next(reversed(stack.items()))
            if not pending:
                done[node] = None
                del stack[node]
                continue
            next_node = pending.pop()
            if next_node in stack:
                names = list(stack)
                on_cycle(names[names.index(next_node) :])
            elif next_node not in done:
                stack[next_node] = list(required(next_node))[::-1]
    return list(done)


def _raise_cycle(actors: Mapping[str, ActorDependencies], cycle: list[PoseStep]) -> None:
    names = [name for name, _ in cycle]
    names = [name for index, name in enumerate(names) if name != names[index - 1]]
    first = names.index(min(names))  # told from the same actor whichever was found first
    chain = " → ".join([*names[first:], *names[:first], names[first]])
    raise KeyposeError(
        f"These actors stand on, look at or are carried by each other in a circle: {chain}. "
        "Give one of them another parent, facing or carrier, or let it be a mover: that reads the last tick.",
        at=(
            "actors",
            list(actors).index(names[first]),
            _reference_option(actors[names[first]], (names * 2)[first + 1]),
        ),
    )


def _reference_option(actor: ActorDependencies, other: str) -> str:
    """Which of an actor's words speaks of another."""
    if actor.parent == other:
        return "parent"
    return "path" if other in actor.carriers else "facing"


MIN_BATCH = 8  # poses: fewer are composed one by one in the time it takes to lay them side by side


def group_levels(
    actors: Mapping[str, ActorDependencies],
    steps: Sequence[PoseStep],
    previous_reads: PreviousReads = NO_PREVIOUS_READS,
) -> list[list[PoseStep]]:
    """Steps in order, each in the first level after those of all it needs."""
    level: dict[PoseStep, int] = {}
    groups: list[list[PoseStep]] = []
    for step in steps:
        level[step] = max((level[other] + 1 for other in required_steps(actors, step, previous_reads)), default=0)
        if level[step] == len(groups):
            groups.append([])
        groups[level[step]].append(step)
    return groups


def to_world_batch(parents: Sequence[Pose], children: Sequence[Pose]) -> list[Pose]:
    """`to_world` for each parent and child, all at equally many instants (n,)."""
    if len(children) < MIN_BATCH or any(child.position.ndim > 2 for child in children):
        return [to_world(parent, child) for parent, child in zip(parents, children, strict=True)]
    parent_poses = Pose.of(
        np.concatenate([pose_center(parent) for parent in parents]),
        np.concatenate([parent.orientation for parent in parents]),
    )
    local_poses = Pose.of(
        np.concatenate([child.position for child in children]),
        np.concatenate([child.orientation for child in children]),
    )
    world, shape = to_world(parent_poses, local_poses), (len(children), -1)
    return list(map(Pose.of, world.position.reshape(*shape, 3), world.orientation.reshape(*shape, 4)))


def look_at_batch(poses: Sequence[Pose], others: Sequence[Pose]) -> list[Pose]:
    """Each of these poses turned to look at the other, all at equally many instants (n,)."""
    if not poses:
        return []
    directions = np.stack([pose_center(other) - pose_center(here) for here, other in zip(poses, others, strict=True)])
    orientations = forward_orientations(directions, np.stack([here.orientation for here in poses]))
    return [Pose.of(here.position, orientation) for here, orientation in zip(poses, orientations, strict=True)]
