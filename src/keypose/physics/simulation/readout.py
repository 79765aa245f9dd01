"""What is seen of all bodies at one tick? Where they are, where they aim, and what was told of them."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from keypose.curves.relative.relative_path import Frames
from keypose.maths.arrays import Floats
from keypose.motion.pose import Pose
from keypose.motion.sync_protocol import Plans, Played
from keypose.motion.take import Event
from keypose.physics.following.follower_arrays import AIM, TURN, Race, U
from keypose.physics.relative.relative_keys import Carried
from keypose.physics.simulation.field_forces import Feeling
from keypose.physics.simulation.state import Going, Posed
from keypose.physics.sync.body_progress import Pacing
from keypose.physics.values.figure import Weighty
from keypose.physics.values.soft_surface import Skins


class Seen:
    """What can be asked of the state of a company of bodies."""

    members: Mapping[str, Weighty]
    _row: Mapping[str, int]
    _still: Mapping[str, Pose]
    _skins: Skins
    _race: Race
    _carried: Carried
    _feeling: Feeling | None
    _plan: Plans | None
    _pacing: Pacing | None
    _timed: Mapping[str, Played]

    def poses(self, state: Going) -> Mapping[str, Pose]:
        """Where everybody is."""
        return self._posed(state.place, state.skins, self._clock(state))

    def between(self, before: Going, after: Going, share: float) -> Mapping[str, Pose]:
        """Where everybody is between two ticks."""
        from keypose.physics.engine.kernels import on_the_way

        place = on_the_way(before.place, after.place, share)
        skins = before.skins + share * (after.skins - before.skins)
        first, last = self._clock(before), self._clock(after)
        return self._posed(place, skins, first + share * (last - first))

    def _posed(self, place: Floats, skins: Floats, clock: Floats) -> Posed:
        return Posed(place, skins, self._row, self._still, self._skins, self.members, self._timed, clock)

    def _clock(self, state: Going) -> Floats:
        """What time it is for those who go by clocks of their own."""
        return np.empty(0) if self._plan is None else self._plan.clocks(state.kept)

    def filmed(self, frames: Sequence[Mapping[str, Pose]]) -> dict[str, Pose]:
        """Where everybody is in each of some frames, which `poses` or `between` gave."""
        posed = [frame for frame in frames if isinstance(frame, Posed)]
        places = np.stack([frame.place for frame in posed])
        found = {name: Pose(places[:, row, :3], places[:, row, 3:]) for name, row in self._row.items()}
        found |= self._skins.filmed([frame.skins for frame in posed])
        for name, pose in self._still.items():
            found[name] = Pose(*(np.tile(values, (len(frames), 1)) for values in (pose.position, pose.orientation)))
        clocks = np.array([frame.clock for frame in posed])
        found |= {name: played.at(clocks[:, row]) for row, (name, played) in enumerate(self._timed.items())}
        return {name: found[name] for name in (*self.members, *self._timed)}

    @property
    def racers(self) -> tuple[str, ...]:
        """Who races a target."""
        return self._race.names

    def aims(self, state: Going) -> Floats:
        """Where their targets are, (racers, 3)."""
        return state.memory[:, AIM : AIM + 3]

    def gone(self, state: Going) -> Mapping[str, tuple[float, float, int]]:
        """Where the targets of their places and turns are, and of how many segments each goes round; 0 if not."""
        rounds = np.where(self._race.closed, self._race.segments[:, 1], 0).tolist()
        there = zip(self._race.names, state.memory[:, [U, TURN]].tolist(), rounds, strict=True)
        return {name: (place, turn, segments) for name, (place, turn), segments in there}

    @property
    def strands(self) -> Sequence[tuple[str, bool]]:
        """What goes on towards goals of a script, and whether it is a turn."""
        return () if self._plan is None else self._plan.strands

    def eases(self, state: Going) -> Floats:
        """(strands,) which share of its own speed each goes at."""
        return np.empty(0) if self._plan is None else self._plan.eases(state.kept)

    def progress(self, state: Going) -> Floats:
        """(strands,) where targets are on their paths, and what time it is by clocks."""
        raced = np.empty(0) if self._pacing is None else self._pacing.at(state.memory)
        return np.concatenate([raced, self._clock(state)])

    def frames(self, state: Going) -> Mapping[str, Frames]:
        """In which frames the carried keys of each stand who has some."""
        followers = enumerate(self._carried.followers.tolist())
        return {self._race.names[who]: self._carried.frames_of(number, state.frames) for number, who in followers}

    def events(self, state: Going) -> tuple[Event, ...]:
        """Who bumped into whom, who was stuck, and who feels nothing any more."""
        felt = () if self._feeling is None else self._feeling.events(state.felt)
        kept = () if self._plan is None else self._plan.events(state.kept)
        return *state.told.all, *felt, *kept

    def kept(self, state: Going) -> tuple[Plans, Any] | None:
        """The meetings there are, and how they were kept so far; None if nobody with a body meets anybody."""
        return None if self._plan is None else (self._plan, state.kept)

    def unsettled(self) -> tuple[Event, ...]:
        """A warning of each body that tracks with gains that will not settle."""
        return () if self._feeling is None else self._feeling.sensing.unsettled()
