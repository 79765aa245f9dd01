"""How do those move who step together? Companies on a stage, the state of each, and where it puts its members."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from keypose.errors import At, KeyposeError, UnknownNameError, did_you_mean, shown
from keypose.fields.avoiding import Avoid
from keypose.fields.carrying import EVERYONE
from keypose.fields.dynamic_spline import DynamicSpline
from keypose.fields.field import Field
from keypose.fields.tracking import Tracker
from keypose.maths.arrays import Floats
from keypose.motion.appointments import Plans
from keypose.motion.company import Company, Keeping, Outlook, Surroundings
from keypose.motion.hierarchy import middle
from keypose.motion.pose import Pose
from keypose.motion.sensing import Sensers, Sensing
from keypose.physics.connections import Connection
from keypose.physics.figure import is_held
from keypose.physics.joined import checked_connections
from keypose.physics.movers import Bodily, Follow, Free, Softly
from keypose.physics.skin import Skin, not_a_skin
from keypose.script.appointments import Appointments
from keypose.script.clocks import Timed
from keypose.stage.actor import Actor
from keypose.stage.instants import Instants, looking
from keypose.stage.states import NotFiniteError, kept
from keypose.stage.track import Track, posed_at

if TYPE_CHECKING:
    from keypose.stage.stage import Stage

Senser = DynamicSpline | Follow | Free
"""Those who sense fields."""
Maker = Callable[[Mapping[str, Any], Surroundings], Company[Any]]


def companies(
    actors: Mapping[str, Actor],
    fields: Mapping[str, Any],
    gravity: tuple[float, float, float],
    connections: Sequence[Connection] = (),
    plan: Appointments | None = None,
) -> dict[Maker, Company[Any]]:
    """The companies of a cast, by what makes them."""
    members: dict[Maker, dict[str, Any]] = {}
    for name, actor in actors.items():
        if actor.member is not None:
            cast = members.setdefault(actor.member.company, {})
            if not isinstance(actor.member, Timed) or actor.member.maker is None:  # or the plan speaks of it
                cast[name] = actor.member
    standing = frozenset(name for name, actor in actors.items() if actor.parent is not None)
    bodies = {name: actor.body for name, actor in actors.items() if actor.body is not None}
    said = Surroundings(tuple(actors), fields, standing, bodies, gravity, connections, _sensing, plan)
    return {made: made(cast, said) for made, cast in members.items()}


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
    from keypose.fields.weighed import Weighed

    return Weighed(sensers, said)


@dataclass(frozen=True, eq=False)
class Together:
    """One company at one tick."""

    company: Company[Any]
    state: Any

    @classmethod
    def of(cls, company: Company[Any], state: Any, time: float) -> "Together":
        """A company with a state it came to."""
        try:
            return cls(company, kept(state))
        except NotFiniteError:
            who = ", ".join(list(company.watches)[:3])
            raise KeyposeError(
                f"What moves {who} and others came to a state that is not finite at {time:g} s. Take a shorter tick."
            ) from None

    @cached_property
    def poses(self) -> Mapping[str, Pose]:
        """Where its members are, each in the frame it stands in."""
        return self.company.poses(self.state)

    def on_the_way_from(self, before: "Together", share: float) -> Mapping[str, Pose]:
        """Where its members are at a share of the way from the last tick to this one."""
        known: tuple[float, Mapping[str, Pose]] | None = self.__dict__.get("_way")
        if known is None or known[0] != share:  # asked for one member after the other
            known = self.__dict__["_way"] = share, self.company.between(before.state, self.state, share)
        return known[1]


class Tracks(Mapping[str, Track]):
    """A track for each mover. Of a company most leave no more behind than a pose: theirs are made when asked for."""

    def __init__(self, own: dict[str, Track], casts: Iterable[Together]) -> None:
        self._own = own
        self._casts = tuple(casts)

    def __getitem__(self, name: str) -> Track:
        found = self._own.get(name)
        if found is None:
            poses = next((cast.poses for cast in self._casts if name in cast.company.watches), {})
            found = self._own[name] = posed_at(poses[name])
        return found

    def __iter__(self) -> Iterator[str]:
        return iter({**self._own, **{name: None for cast in self._casts for name in cast.company.watches}})

    def __len__(self) -> int:
        return sum(1 for _ in self)


def kept_by(casts: Iterable[Together]) -> tuple[Plans, Any] | None:
    """The meetings there are, and how they are kept, by whichever company does that."""
    found = (cast.company.kept(cast.state) for cast in casts if isinstance(cast.company, Keeping))
    return next((kept for kept in found if kept is not None), None)


def outlook(stage: "Stage", instant: Instants, time: float, met: tuple[Plans, Any] | None = None) -> Outlook:
    """What companies see at a moment; right after a change, how meetings were kept until then."""
    look = looking(stage.instants)

    def pose(name: str) -> Pose:
        found = instant.pose(name)
        return Pose(middle(found)[0], found.orientation[0])

    def under(name: str) -> Pose | None:
        found = instant.under(name)
        return None if found is None else Pose(middle(found)[0], found.orientation[0])

    def past(name: str, t: Floats) -> Pose | None:
        if any(stage.by_name[other].mover is not None for other, _ in stage.steps_to(name)):
            return None
        found = look(name, t)
        return Pose(middle(found), found.orientation)

    return Outlook(time, pose, under, past, met)


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
