"""Where is everybody at any moment, movers too? Motions are asked; what takes ticks is looked up in a take shot before.

The take is shot beside everything else (`shooting`), so until it is there those who need it stand where they were in
the last one, or nowhere.
"""

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from keypose.motion.motion import Motion
from keypose.motion.pose import Pose
from keypose.motion.take import Take
from keypose.stage.stage import Stage

Floats = NDArray[np.float64]

UNENDING = 10.0  # [s] of what never ends by itself are shown
TAKE_FPS = 60.0
LONGEST_TAKE = 600.0  # [s]: a page scrubs through minutes, not through days


class Film:
    """A stage, and a take of it if some of its cast take ticks."""

    def __init__(self, stage: Stage, take: Take | None = None) -> None:
        self.stage = stage
        self.take = take
        self._key_times: dict[str, Floats] = {}

    @cached_property
    def ticking(self) -> frozenset[str]:
        """Those who take ticks or depend on somebody who does."""
        movers = set(self.stage.movers)
        if not movers:
            return frozenset()
        return frozenset(
            name for name in self.stage.names if any(other in movers for other, _ in self.stage.steps_to(name))
        )

    @cached_property
    def duration(self) -> float:
        """Seconds to play: until the last motion has ended; of those that never end, one round."""
        ends = [actor.motion.span[1] for actor in self.stage.actors if actor.motion is not None]
        return self.stage.duration or max([UNENDING if self.stage.movers else 0.0, *ends])

    def key_times(self, name: str, motion: Motion) -> Floats:
        """When an actor's keys are first passed [s], as its motion says; looked for once."""
        if name not in self._key_times:
            self._key_times[name] = motion.key_times
        return self._key_times[name]

    @property
    def take_seconds(self) -> float:
        """How much of it a take shall show."""
        return min(self.duration, LONGEST_TAKE)

    def poses(self, name: str, t: Floats) -> Pose | None:
        """One actor's poses in the world at times (n,); None while nobody knows."""
        if name not in self.ticking:
            return self.stage.instants(t).pose(name)
        return None if self.take is None or name not in self.take else self.take[name].at(t)

    def everybody(self, t: float) -> list[Pose | None]:
        """All poses at one moment, (1, …) each, in the stage's order."""
        asked = np.array([t])
        if not self.ticking:
            return list(self.stage.instants(asked).everybody().values())
        now = self.stage.instants(asked)
        return [self.poses(name, asked) if name in self.ticking else now.pose(name) for name in self.stage.names]
