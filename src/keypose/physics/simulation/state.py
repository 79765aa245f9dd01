"""How are all bodies at one tick? What an engine needs to go on with the same bits, and what is remembered beside."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from keypose.maths.arrays import Floats, Ints
from keypose.motion.pose import Pose
from keypose.motion.sync_protocol import Played
from keypose.physics.diagnostics.collisions import Told
from keypose.physics.values.soft_surface import Skins


@dataclass(frozen=True, eq=False)
class Going:
    """All bodies at one tick."""

    simulated: Floats
    """What the engine needs to go on."""
    place: Floats
    """(moving, 7)"""
    skins: Floats
    """(points, 3): the surfaces of soft bodies, one after the other."""
    memory: Floats
    """What is remembered of each follower, see `racing`."""
    frames: Floats
    """What is remembered of each carried key, see `carried`."""
    touching: Ints
    """Pairs of those who touch, as numbers."""
    lingering: Floats
    """Who is deep in whom since steps were longer, see `Engine.linger`."""
    sinking: Ints
    """Who sinks into whom, see `sinking`."""
    told: Told
    halved: tuple[int, int]
    """How often a step is halved now, and for how many ticks it need not have been."""
    felt: Any
    """What is remembered of the fields that some sense, see `feeling`; None if nobody does."""
    kept: Any
    """What is remembered of the meetings of a script; None without one."""

    @property
    def keeps_itself(self) -> bool:
        """Whether all of it is known to be finite and read-only, as it is where no field has a part in it."""
        return self.felt is None


class Posed(Mapping[str, Pose]):
    """Where bodies are, made when asked for."""

    def __init__(
        self,
        place: Floats,
        skins: Floats,
        row: Mapping[str, int],
        still: Mapping[str, Pose],
        soft: Skins,
        members: Mapping[str, object],
        timed: Mapping[str, Played],
        clock: Floats,
    ) -> None:
        self.place, self.skins, self._row, self._still, self._soft = place, skins, row, still, soft
        self._members, self._timed, self.clock = members, timed, clock
        self._clocks = {name: number for number, name in enumerate(timed)} if timed else {}

    def __getitem__(self, name: str) -> Pose:
        if name in self._still:
            return self._still[name]
        if name in self._soft.parts:
            return self._soft.pose(name, self.skins)
        if name in self._timed:
            return self._timed[name].at(float(self.clock[self._clocks[name]]))
        here = self.place[self._row[name]]
        return Pose.of(here[:3], here[3:])

    def __iter__(self) -> Iterator[str]:
        return iter([*self._members, *self._timed])

    def __len__(self) -> int:
        return len(self._members) + len(self._timed)
