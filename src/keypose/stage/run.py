"""What happens if I change it while it runs? A live run: tick by tick, changed at any time, rewound to any tick.

A change belongs to the tick it was made at: rewound to before it and played on, it comes again. A new change made there
is the beginning of another story, and what came after is forgotten.
"""

from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from keypose.errors import KeyposeError, shown
from keypose.maths.given import number
from keypose.maths.kernel import settle
from keypose.motion.motion import Motion
from keypose.motion.mover import Mover, checked_tick
from keypose.motion.pose import Pose
from keypose.motion.take import Event
from keypose.stage.moment import ON_A_TICK, Moment, begun
from keypose.stage.stage import Stage

KEPT_EVERY = 24  # ticks: between kept moments a rewind plays at most so many again


@dataclass(frozen=True, eq=False)
class Snapshot:
    """A run as it was at one tick, with its story so far; give it to `rewind` to be there again."""

    ticks: int
    tick: float
    kept: MappingProxyType[int, Moment]

    @property
    def time(self) -> float:
        """The moment [s] it was taken at."""
        return moment_of(self.ticks, self.tick)


class Run:
    """A stage played live from 0 s on. `tick` [s] is that of the stage's finest mover unless said."""

    def __init__(self, stage: Stage, *, tick: float | None = None) -> None:
        if not isinstance(stage, Stage):
            raise KeyposeError(f"A run was given {shown(stage)}. Give a Stage.")
        settle()
        self._tick = stage.tick if tick is None else checked_tick(tick, "The tick of a run")
        self._ticks = 0
        self._now = begun(stage, 0.0)
        self._kept = {0: self._now}  # every so many ticks, and wherever something was changed

    @property
    def stage(self) -> Stage:
        """The stage as it is now, with all changes."""
        return self._now.stage

    @property
    def ticks(self) -> int:
        """How many ticks have passed."""
        return self._ticks

    @property
    def time(self) -> float:
        """Seconds since the beginning."""
        return self._now.time

    @property
    def poses(self) -> dict[str, Pose]:
        """Everybody's pose in the world."""
        return dict(self._now.poses)

    @property
    def events(self) -> tuple[Event, ...]:
        """What was worth telling so far."""
        return self._now.events

    def tick(self) -> float:
        """Let one tick pass; the time [s] it is now. If a mover fails, the run stays at its last good moment."""
        following = self._ticks + 1
        known = self._kept.get(following)
        now = self._now.stepped(moment_of(following, self._tick), self._tick) if known is None else known
        if following % KEPT_EVERY == 0:
            self._kept[following] = now
        self._ticks, self._now = following, now
        return now.time

    def change(self, name: str, thing: Motion | Mover[Any] | None = None, **said: Any) -> None:
        """Give an actor another motion or mover from now on, or another `parent`, `facing` or `look`.

        A mover keeps its state if the new one is of the same type; else it begins anew.
        """
        if thing is not None:
            said = {"motion_or_mover": thing, **said}
        now = self._now.changed(self.stage[name].changed(**said))
        self._kept = {ticks: moment for ticks, moment in self._kept.items() if ticks < self._ticks}
        self._kept[self._ticks] = self._now = now

    def snapshot(self) -> Snapshot:
        """The run as it is now, to come back to with `rewind`."""
        kept = {ticks: moment for ticks, moment in self._kept.items() if ticks <= self._ticks}
        return Snapshot(self._ticks, self._tick, MappingProxyType({**kept, self._ticks: self._now}))

    def rewind(self, t: float | Snapshot = 0.0) -> float:
        """Go back to the last tick not after t [s], or to a snapshot; the time [s] it is now."""
        if isinstance(t, Snapshot):
            self._tick, self._ticks, self._kept = t.tick, t.ticks, dict(t.kept)
            self._now = self._kept[t.ticks]
            return self.time
        seconds = number(t, "A time to rewind to")
        if not 0 <= seconds <= self.time + ON_A_TICK * self._tick:
            raise KeyposeError(
                f"A run is at {self.time:g} s and cannot be rewound to {seconds:g} s. Give a time between."
            )
        wanted = min(int(seconds / self._tick + ON_A_TICK), self._ticks)
        self._ticks = max(ticks for ticks in self._kept if ticks <= wanted)
        self._now = self._kept[self._ticks]
        while self._ticks < wanted:
            self.tick()
        return self.time


def moment_of(ticks: int, tick: float) -> float:
    """The time [s] after so many ticks: counted, not added up, and exact where a second is a whole number of them."""
    a_second = round(1 / tick)
    return ticks / a_second if a_second and abs(a_second * tick - 1) < 1e-12 else ticks * tick
