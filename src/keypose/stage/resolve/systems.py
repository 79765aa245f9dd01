"""From kinds of movers to their systems, when a stage is built."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from keypose.errors import ErrorPath, KeyposeError, UnknownNameError, did_you_mean, short_repr
from keypose.fields import GROUP_SUFFIX, Avoid, DynamicSpline, Field, Tracker
from keypose.motion import Sensing, SensingBodies, System, SystemContext, SystemFactory, SystemKind
from keypose.physics import (
    BodyMover,
    Connection,
    Follow,
    Free,
    SoftSurface,
    check_connections,
    check_not_surface,
    is_static,
)
from keypose.script import ClockedMotion, ClockSystem, SyncPlan
from keypose.stage.actor import Actor

SensingMover = DynamicSpline | Follow | Free
"""Those who sense fields."""


def build_systems(
    actors: Mapping[str, Actor],
    fields: Mapping[str, Any],
    gravity: tuple[float, float, float],
    connections: Sequence[Connection] = (),
    plan: SyncPlan | None = None,
) -> dict[SystemKind, System[Any]]:
    """The companies of a cast, by what makes them."""
    movers: dict[SystemKind, dict[str, Any]] = {}
    for name, actor in actors.items():
        if actor.system_mover is not None:
            system_movers = movers.setdefault(actor.system_mover.system_kind, {})
            if (
                not isinstance(actor.system_mover, ClockedMotion) or actor.system_mover.system_kind == "clocks"
            ):  # or the plan speaks of it
                system_movers[name] = actor.system_mover
    child_actors = frozenset(name for name, actor in actors.items() if actor.parent is not None)
    bodies = {name: actor.body for name, actor in actors.items() if actor.body is not None}
    context = SystemContext(tuple(actors), fields, child_actors, bodies, gravity, connections, _build_sensing, plan)
    return {kind: system_factory(kind)(system_movers, context) for kind, system_movers in movers.items()}


def system_factory(kind: SystemKind) -> SystemFactory:
    """What makes the system of a kind of movers. Bodies import MuJoCo only when they begin to move."""
    if not isinstance(kind, str):
        return kind
    return SYSTEMS[kind]()


def _body_system() -> SystemFactory:
    from keypose.physics import BodySystem

    return BodySystem


def _spline_system() -> SystemFactory:
    from keypose.fields import SplineSystem

    return SplineSystem


SYSTEMS: dict[str, Callable[[], SystemFactory]] = {
    "bodies": _body_system,
    "splines": _spline_system,
    "clocks": lambda: ClockSystem,
}
"""The system of each kind of movers, imported only when one of them is on a stage."""


def link_actors(actor: Actor) -> dict[str, Actor]:
    """The links of what moves an actor, by their names on the stage: those of an `arm` are as `arm/hand`."""
    links: Mapping[str, Any] = getattr(actor.system_mover, "links", {})
    return {f"{actor.name}/{link}": Actor(f"{actor.name}/{link}", one, look=actor.look) for link, one in links.items()}


def resolve_connections(given: object, actors: Mapping[str, Actor]) -> tuple[Connection, ...]:
    """What holds bodies on a stage together."""
    soft = [
        name for name, one in actors.items() if isinstance(one.system_mover, Follow | Free) and one.system_mover.links
    ]
    bodily = [name for name, one in actors.items() if isinstance(one.system_mover, BodyMover) or one.body is not None]
    fixed = [name for name in bodily if is_static(actors[name].system_mover)]
    found = check_connections(given, list(actors), bodily, soft, fixed)
    if found and not any(isinstance(one.system_mover, BodyMover) for one in actors.values()):
        raise KeyposeError("A stage has connections, and all its bodies are moved by motions. Leave them out.")
    return found


def check_carriers(actor: Actor, actors: Mapping[str, Actor]) -> None:
    """Who carries keys of a path that is followed must turn as one; motions go by the middle of a drawing."""
    if isinstance(actor.mover, Follow):
        with ErrorPath("mover", "path"):
            for name in actor.mover.carriers:
                surfaces = [name] if isinstance(actors[name].system_mover, SoftSurface) else []
                check_not_surface(name, surfaces, f"Actor {actor.name!r} has a key relative to")


def _build_sensing(bodies: SensingBodies, context: SystemContext) -> Sensing[Any]:
    """What the fields of a stage do to those who have weight."""
    from keypose.fields import BodySenses

    return BodySenses(bodies, context)


def check_fields(fields: object, actors: Collection[str]) -> dict[str, Any]:
    """What pushes on a stage, by its name; whoever it speaks of must be there, whether or not anybody senses it."""
    if not isinstance(fields, Mapping):
        raise KeyposeError(f'A stage was given fields={short_repr(fields)}. Give them by name, as {{"wind": field}}.')
    for name, field in fields.items():
        if not isinstance(name, str) or not name:
            raise KeyposeError(f"A field of a stage is named {short_repr(name)}. Give it a name.")
        if not isinstance(field, Field | Tracker | Avoid):
            raise KeyposeError(
                f"Field {name!r} of a stage is {short_repr(field)}. Give a field, as fields.Uniform((1, 0, 0))."
            )
        with ErrorPath("fields", name):
            _check_references(field, f"Field {name!r}", actors)
    return dict(fields)


def _check_references(field: Field | Tracker | Avoid, owner: str, actors: Collection[str]) -> None:
    for other in field.names:
        prefix = other.removesuffix("*")
        if other.endswith(GROUP_SUFFIX) and not any(name.startswith(prefix) for name in actors):
            raise UnknownNameError(
                f"{owner} speaks of the group {short_repr(other)}, and nobody is in it. "
                f"Its members are called {prefix}1, {prefix}2 and so on."
            )
        if not other.endswith(GROUP_SUFFIX) and other not in actors:
            raise UnknownNameError(
                f"{owner} speaks of {short_repr(other)}, who is not on the stage.{did_you_mean(other, actors)}"
            )
