"""Whose picture changes when an actor does? Its own, and those who stand on it, meet it, look at it or watch it."""

from collections.abc import Hashable, Mapping

from keypose.motion.facing import LookAt
from keypose.stage.actor import Actor
from keypose.stage.stage import Stage


def dependents(before: Stage, after: Stage) -> frozenset[str]:
    """The actors of the new stage whose pictures may differ from the old one's."""
    old = said_by(before)
    changed: list[Hashable] = [actor.name for actor in after.actors if old.get(actor.name) is not actor]
    pushes = before.fields == after.fields and before.gravity == after.gravity
    if not pushes or before.connections != after.connections:
        changed += [name for name in after.movers if name not in after.alone]
    if before.script != after.script:
        changed += [name for one in (before, after) if one.plan is not None for name in one.plan.runners]
    speakers: dict[Hashable, list[Hashable]] = {}
    for actor in after.actors:
        for name in (*_spoken_of(actor), *after.watches.get(actor.name, ())):
            speakers.setdefault(name, []).append(actor.name)
    for kind, company in after.companies.items():  # those who step together may act on each other: all, or none
        for name in company.watches:
            speakers.setdefault(name, []).append(kind)
        speakers[kind] = list(company.watches)
    found = set(changed)
    while changed:
        for one in speakers.get(changed.pop(), ()):
            if one not in found:
                found.add(one)
                changed.append(one)
    return frozenset(name for name in after.names if name in found)


def said_by(stage: Stage) -> Mapping[str, Actor]:
    """Everybody as it was said; motions that meet somebody are played as something else."""
    return stage.by_name if stage.plan is None else {actor.name: actor for actor in stage.actors}


def _spoken_of(actor: Actor) -> tuple[str, ...]:
    parent = () if actor.parent is None else (actor.parent,)
    looked_at = (actor.facing.name,) if isinstance(actor.facing, LookAt) else ()
    return (*parent, *looked_at, *actor.carriers)
