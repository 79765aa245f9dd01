"""How do those move who step together? Companies on a stage, the state of each, and where it puts its members."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from keypose.errors import At, KeyposeError, UnknownNameError, did_you_mean, shown
from keypose.fields.avoiding import Avoid
from keypose.fields.carrying import EVERYONE
from keypose.fields.field import Field
from keypose.fields.tracking import Tracker
from keypose.motion.company import Company, Outlook, Surroundings
from keypose.motion.hierarchy import middle
from keypose.motion.pose import Pose
from keypose.stage.actor import Actor
from keypose.stage.instants import Instants, looking
from keypose.stage.states import NotFiniteError, kept
from keypose.stage.track import Track, posed_at

if TYPE_CHECKING:
    from keypose.stage.stage import Stage

Floats = NDArray[np.float64]
Maker = Callable[[Mapping[str, Any], Surroundings], Company[Any]]


def companies(
    actors: Mapping[str, Actor], fields: Mapping[str, Any], gravity: tuple[float, float, float]
) -> dict[Maker, Company[Any]]:
    """The companies of a cast, by what makes them."""
    members: dict[Maker, dict[str, Any]] = {}
    for name, actor in actors.items():
        if actor.member is not None:
            members.setdefault(actor.member.company, {})[name] = actor.member
    standing = frozenset(name for name, actor in actors.items() if actor.parent is not None)
    bodies = {name: actor.body for name, actor in actors.items() if actor.body is not None}
    said = Surroundings(tuple(actors), fields, standing, bodies, gravity)
    return {made: made(cast, said) for made, cast in members.items()}


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


def outlook(stage: "Stage", instant: Instants, time: float) -> Outlook:
    """What companies see at a moment."""
    look = looking(stage.instants)
    movers = frozenset(stage.movers)

    def pose(name: str) -> Pose:
        found = instant.pose(name)
        return Pose(middle(found)[0], found.orientation[0])

    def under(name: str) -> Pose | None:
        found = instant.under(name)
        return None if found is None else Pose(middle(found)[0], found.orientation[0])

    def past(name: str, t: Floats) -> Pose | None:
        if any(other in movers for other, _ in stage.steps_to(name)):
            return None
        found = look(name, t)
        return Pose(middle(found), found.orientation)

    return Outlook(time, pose, under, past)


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
