"""The state of a system of movers at one tick, and the step context that it reads."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from keypose.errors import KeyposeError
from keypose.maths.arrays import Floats
from keypose.motion.hierarchy import middle
from keypose.motion.pose import Pose
from keypose.motion.sync_protocol import Plans
from keypose.motion.system import Company, Keeping, Outlook
from keypose.stage.evaluate.poses import Instants, looking
from keypose.stage.run.frozen_state import NotFiniteError, kept
from keypose.stage.run.mover_state import Track, posed_at

if TYPE_CHECKING:
    from keypose.stage.stage import Stage


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
