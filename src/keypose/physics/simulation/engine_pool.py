"""What simulates all bodies of a company, and how is a state of it left, and taken up again?

The state is a value: what MuJoCo needs to go on with the same bits, what is remembered of each follower, and what was
told. An engine is kept for each thread, as it was left: one that is asked to go on from another state is put there.
"""

import threading
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from keypose.errors import KeyposeError
from keypose.maths.arrays import Floats, Ints
from keypose.maths.finite import is_finite
from keypose.motion.pose import Pose
from keypose.motion.sync_protocol import Keeps
from keypose.motion.system import Outlook, Surroundings
from keypose.physics.diagnostics.collisions import Told
from keypose.physics.following.follower_arrays import Race
from keypose.physics.relative.relative_path_cache import Carrying
from keypose.physics.simulation.initial_poses import openings
from keypose.physics.simulation.readout import Seen
from keypose.physics.simulation.state import Going
from keypose.physics.values.body import RUNAWAY
from keypose.physics.values.connections import Reach

if TYPE_CHECKING:
    from keypose.physics.engine.engine import Engine


MISSING = "Bodies need MuJoCo. Install it with: pip install 'keypose[physics]'."


class Simulated(Seen):
    """A company of bodies with what simulates it."""

    _said: Surroundings
    _driven: Sequence[str]
    _order: Sequence[str]
    _reaches: Mapping[str, Reach]
    _local: threading.local
    """Of each thread: its engine, what pulls in it, the paths as they are bent there, and the state it was left in."""

    def _engine(self, outlook: Outlook) -> "Engine":
        """The engine of the thread that asks."""
        if not hasattr(self._local, "engine"):
            try:
                from keypose.physics.simulation.engine_assembly import built
            except ImportError as missing:
                raise KeyposeError(MISSING) from missing

            first = self._first(lambda name: _at_first(outlook, name))
            first = {**first, **{name: _at_first(outlook, name) for name in self._driven}}
            made = built(self.members, self._said, self._row, first, self._raced, self._reaches)
            self._local.engine, self._local.pulls = made
            self._local.now = None
        engine: Engine = self._local.engine
        return engine

    @cached_property
    def _openings(self) -> Mapping[str, Pose]:
        return openings(self.members, self._still, None)

    def _first(self, look: Callable[[str], Pose]) -> Mapping[str, Pose]:
        """Where everybody begins, if it is so where they look."""
        return openings(self.members, self._still, look) if self._carried else self._openings

    def _carrying(self) -> Carrying | None:
        """The bent paths of the thread that asks; None if nobody carries anything."""
        if self._carried and not hasattr(self._local, "carrying"):
            self._local.carrying = Carrying(self._carried, self._race)
        found: Carrying | None = getattr(self._local, "carrying", None)
        return found

    @property
    def _raced(self) -> Race:
        """The race on all paths as they are bent now."""
        carrying = self._carrying()
        return self._race if carrying is None else carrying.race

    def _be_at(self, engine: "Engine", state: Going) -> None:
        """Take up a state, if that is not where the engine was left."""
        if getattr(self._local, "now", None) is not state.simulated:
            engine.lingering, engine.sinking = state.lingering, state.sinking
            engine.restore(state.simulated)
        self._local.now = None  # until it has got somewhere else

    def _left(
        self,
        engine: "Engine",
        time: float,
        memory: Floats,
        frames: Floats,
        touching: Ints,
        told: Told,
        halved: tuple[int, int],
        felt: Any,
        keeper: Keeps | None,
    ) -> Going:
        """The state it is in now, for good: what is remembered must not change any more."""
        skins = engine.skins([self._row[name] for name in self._skins.bodies])
        arrays = engine.state(), engine.place.copy(), skins, memory, frames, touching.copy()
        if not all(map(is_finite, arrays[:5])):
            raise self._lost(engine, time)
        for array in arrays:
            array.flags.writeable = False
        self._local.now = arrays[0]
        return Going(
            *arrays, engine.lingering, engine.sinking, told, halved, felt, None if keeper is None else keeper.left()
        )

    def _lost(self, engine: "Engine", time: float) -> KeyposeError:
        """Whose body is lost. The state before stays as it was."""
        with np.errstate(all="ignore"):
            size = np.abs(np.concatenate([engine.place, engine.going], axis=1)).max(axis=1, initial=0.0)
        pushed = ~np.isfinite(engine.force).all(axis=1)  # which everybody who touches somebody has caught by now
        name = self._order[int(np.argmax(pushed if pushed.any() else ~(size <= RUNAWAY)))]
        return KeyposeError(
            f"The body of {name!r} is lost at {time:g} s: it is too fast, too far away or nowhere at all. "
            "Look for bodies that begin in each other, masses that differ too much, gravity or fields that are too "
            "strong; or take a shorter tick."
        )


def _at_first(outlook: Outlook, name: str) -> Pose:
    """Where somebody is at the first moment; now, if that is not known any more."""
    past = outlook.past(name, np.zeros(1))
    return outlook.pose(name) if past is None else past[0]
