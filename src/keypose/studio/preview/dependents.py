"""Whose picture changes when an actor does? Its own, and those who stand on it, meet it, look at it or watch it."""

from collections.abc import Hashable, Mapping

from keypose.motion import LookAt
from keypose.stage import Actor, Stage


def dependents(before: Stage, after: Stage) -> frozenset[str]:
    """The actors of the new stage whose pictures may differ from the old one's."""
    old = source_actors(before)
    pending: list[Hashable] = [actor.name for actor in after.actors if old.get(actor.name) is not actor]
    has_same_forces = before.fields == after.fields and before.gravity == after.gravity
    if not has_same_forces or before.connections != after.connections:
        pending += [name for name in after.resolved.movers if name not in after.resolved.single_movers]
    if before.script != after.script:
        pending += [
            name
            for one in (before, after)
            if one.resolved.sync_plan is not None
            for name in one.resolved.sync_plan.participants
        ]
    referrers: dict[Hashable, list[Hashable]] = {}
    for actor in after.actors:
        for name in (*_referenced_names(actor), *after.resolved.watches.get(actor.name, ())):
            referrers.setdefault(name, []).append(actor.name)
    for kind, system in after.resolved.systems.items():  # those who step together may act on each other: all, or none
        for name in system.watches:
            referrers.setdefault(name, []).append(kind)
        referrers[kind] = list(system.watches)
    found = set(pending)
    while pending:
        for one in referrers.get(pending.pop(), ()):
            if one not in found:
                found.add(one)
                pending.append(one)
    return frozenset(name for name in after.resolved.names if name in found)


def source_actors(stage: Stage) -> Mapping[str, Actor]:
    """Everybody as it was said; motions that meet somebody are played as something else."""
    return stage.resolved.by_name if stage.resolved.sync_plan is None else {actor.name: actor for actor in stage.actors}


def _referenced_names(actor: Actor) -> tuple[str, ...]:
    parent = () if actor.parent is None else (actor.parent,)
    looked_at = (actor.facing.name,) if isinstance(actor.facing, LookAt) else ()
    return (*parent, *looked_at, *actor.carriers)
