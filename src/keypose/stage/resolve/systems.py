"""How do those move who step together? Companies on a stage, the state of each, and where it puts its members."""

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from keypose.errors import At, KeyposeError, UnknownNameError, did_you_mean, shown
from keypose.fields.algebra.attached import EVERYONE
from keypose.fields.algebra.field import Field
from keypose.fields.splines.dynamic_spline import DynamicSpline
from keypose.fields.tracking.avoid import Avoid
from keypose.fields.tracking.trackers import Tracker
from keypose.motion.sensing_protocol import Sensers, Sensing
from keypose.motion.system import Company, Surroundings, SystemFactory, SystemKind
from keypose.physics.values.connection_checks import checked_connections
from keypose.physics.values.connections import Connection
from keypose.physics.values.figure import is_held
from keypose.physics.values.movers import Bodily, Follow, Free, Skin, Softly, not_a_skin
from keypose.script.clock_system import Clocks, Timed
from keypose.script.sync.sync_plan import Appointments
from keypose.stage.actor import Actor

if TYPE_CHECKING:
    pass

Senser = DynamicSpline | Follow | Free
"""Those who sense fields."""


def companies(
    actors: Mapping[str, Actor],
    fields: Mapping[str, Any],
    gravity: tuple[float, float, float],
    connections: Sequence[Connection] = (),
    plan: Appointments | None = None,
) -> dict[SystemKind, Company[Any]]:
    """The companies of a cast, by what makes them."""
    members: dict[SystemKind, dict[str, Any]] = {}
    for name, actor in actors.items():
        if actor.member is not None:
            cast = members.setdefault(actor.member.system_kind, {})
            if not isinstance(actor.member, Timed) or actor.member.system_kind == "clocks":  # or the plan speaks of it
                cast[name] = actor.member
    standing = frozenset(name for name, actor in actors.items() if actor.parent is not None)
    bodies = {name: actor.body for name, actor in actors.items() if actor.body is not None}
    said = Surroundings(tuple(actors), fields, standing, bodies, gravity, connections, _sensing, plan)
    return {kind: system_factory(kind)(cast, said) for kind, cast in members.items()}


def system_factory(kind: SystemKind) -> SystemFactory:
    """What makes the system of a kind of movers. Bodies import MuJoCo only when they begin to move."""
    if not isinstance(kind, str):
        return kind
    if kind == "bodies":
        from keypose.physics.simulation.system import Bodies

        return Bodies
    if kind == "splines":
        from keypose.fields.system import World

        return World
    return Clocks


def links_of(actor: Actor) -> dict[str, Actor]:
    """The links of what moves an actor, by their names on the stage: those of an `arm` are as `arm/hand`."""
    links: Mapping[str, Any] = getattr(actor.member, "links", {})
    return {f"{actor.name}/{link}": Actor(f"{actor.name}/{link}", one, look=actor.look) for link, one in links.items()}


def connected(given: object, actors: Mapping[str, Actor]) -> tuple[Connection, ...]:
    """What holds bodies on a stage together."""
    soft = [name for name, one in actors.items() if isinstance(one.member, Softly) and one.member.links]
    bodily = [name for name, one in actors.items() if isinstance(one.member, Bodily) or one.body is not None]
    held = [name for name in bodily if is_held(actors[name].member)]
    found = checked_connections(given, list(actors), bodily, soft, held)
    if found and not any(isinstance(one.member, Bodily) for one in actors.values()):
        raise KeyposeError("A stage has connections, and all its bodies are moved by motions. Leave them out.")
    return found


def check_carriers(actor: Actor, actors: Mapping[str, Actor]) -> None:
    """Who carries keys of a path that is followed must turn as one; motions go by the middle of a drawing."""
    if isinstance(actor.mover, Follow):
        with At("mover", "path"):
            for name in actor.mover.carriers:
                skins = [name] if isinstance(actors[name].member, Skin) else []
                not_a_skin(name, skins, f"Actor {actor.name!r} has a key relative to")


def _sensing(sensers: Sensers, said: Surroundings) -> Sensing[Any]:
    """What the fields of a stage do to those who have weight."""
    from keypose.fields.sensing.body_senses import Weighed

    return Weighed(sensers, said)


def checked_fields(fields: object, actors: Collection[str]) -> dict[str, Any]:
    """What pushes on a stage, by its name; whoever it speaks of must be there, whether or not anybody senses it."""
    if not isinstance(fields, Mapping):
        raise KeyposeError(f'A stage was given fields={shown(fields)}. Give them by name, as {{"wind": field}}.')
    for name, field in fields.items():
        if not isinstance(name, str) or not name:
            raise KeyposeError(f"A field of a stage is named {shown(name)}. Give it a name.")
        if not isinstance(field, Field | Tracker | Avoid):
            raise KeyposeError(
                f"Field {name!r} of a stage is {shown(field)}. Give a field, as fields.Uniform((1, 0, 0))."
            )
        with At("fields", name):
            _check_spoken_of(field, f"Field {name!r}", actors)
    return dict(fields)


def _check_spoken_of(field: Field | Tracker | Avoid, whose: str, actors: Collection[str]) -> None:
    for other in field.names:
        begin = other.removesuffix("*")
        if other.endswith(EVERYONE) and not any(name.startswith(begin) for name in actors):
            raise UnknownNameError(
                f"{whose} speaks of the group {shown(other)}, and nobody is in it. "
                f"Its members are called {begin}1, {begin}2 and so on."
            )
        if not other.endswith(EVERYONE) and other not in actors:
            raise UnknownNameError(
                f"{whose} speaks of {shown(other)}, who is not on the stage.{did_you_mean(other, actors)}"
            )
