"""The paths of followers with relative keys, as their carriers stand at one tick."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from keypose.maths.arrays import Floats
from keypose.maths.kernel_switch import quick
from keypose.motion.pose import Pose
from keypose.physics.following.follower_arrays import AIM, IS_NEW, Race
from keypose.physics.relative.relative_keys import Carried


class Carriers:
    """Where everybody is who carries keys: fellow bodies in the engine, those whom others move as they are seen."""

    def __init__(
        self, names: Sequence[str], row: Mapping[str, int], still: Mapping[str, Pose], watched: Sequence[str]
    ) -> None:
        known = {name: number for number, name in enumerate(watched)}
        fellows = [number for number, name in enumerate(names) if name in row and name not in known]
        self._fellows, self._rows = (
            np.array(fellows, np.int64),
            np.array([row[names[one]] for one in fellows], np.int64),
        )
        seen = [(number, known[name]) for number, name in enumerate(names) if name in known]
        self._outside, self._seen = np.array(seen, np.int64).reshape(-1, 2).T.copy()
        self._at_rest = np.zeros((len(names), 7))
        for number, name in enumerate(names):
            if name in still:
                self._at_rest[number] = *still[name].position, *still[name].orientation

    def poses(self, place: Floats, seen: Floats) -> Floats:
        """All of them, (names, 7), when bodies are at `place` and those who are watched are seen so, (watched, 7)."""
        if len(self._outside) == len(self._at_rest):  # as most often
            return seen.take(self._seen, axis=0)
        poses = self._at_rest.copy()
        if len(self._fellows):
            poses[self._fellows] = place[self._rows]
        if len(self._outside):
            poses[self._outside] = seen[self._seen]
        return poses


class Carrying:
    """The paths of a race as they are bent now."""

    def __init__(self, carried: Carried, race: Race) -> None:
        from keypose.physics.relative.position_kernels import be_in, carry

        self._carried = carried
        self.race = replace(race, cubics=race.cubics.copy(), facings=race.facings.copy())
        """The same on these paths; of their facings only those are right that targets may read in this tick."""
        self.swings = carried.swings.begun()
        self._be_in, self._carry = quick(be_in), quick(carry)

    def be_at(self, frames: Floats) -> None:
        """Bend all paths as they are in these frames."""
        self._be_in(self._carried.bends, self.swings, frames, self.race.cubics)

    def begin(self, frames: Floats, memory: Floats) -> None:
        """Be at the first moment: targets that are new are where their paths begin."""
        from keypose.physics.relative.position_kernels import aims

        self.be_at(frames)
        followers = self._carried.followers
        places = np.empty((len(followers), 3))
        aims(followers, self.race.segments, self.race.closed, self.race.cubics, memory, places)
        new = memory[followers, IS_NEW] != 0.0
        memory[followers[new], AIM : AIM + 3] = places[new]

    def go_on(self, poses: Floats, dt: float, frames: Floats, memory: Floats) -> None:
        """Let carriers be at `poses` (names, 7), `dt` seconds after they were where these frames say; both are filled.

        Then paths are bent so, and how fast they move and turn where their targets are is remembered.
        """
        carried, race = self._carried, self.race
        paths = carried.followers, race.segments, race.closed, race.reach
        bent = race.cubics, race.facings
        self._carry(carried.keys, carried.bends, self.swings, *paths, poses, dt, frames, memory, *bent)
