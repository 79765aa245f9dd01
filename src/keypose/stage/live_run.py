"""What happens if I change it while it runs? A live run: tick by tick, changed at any time, rewound to any tick.

A change belongs to the tick it was made at: rewound to before it and played on, it comes again. A new change made there
is the beginning of another story, and what came after is forgotten.
"""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from types import MappingProxyType
from typing import Any

from keypose.errors import KeyposeError, list_names, short_repr
from keypose.maths import load_kernels, parse_number
from keypose.motion import Event, Motion, Mover, Pose, SystemMover, Take, check_tick
from keypose.stage.actor import Actor
from keypose.stage.recorder.run_take import record_run
from keypose.stage.run.change import apply_change, stage_after_change
from keypose.stage.run.moment import Moment
from keypose.stage.run.start import initial_moment
from keypose.stage.run.tick_time import TICK_TOLERANCE, TickTime
from keypose.stage.stage import OPTIONS, Stage

CHECKPOINT_INTERVAL = 24  # ticks: between kept moments a rewind plays so many again
DENSE_CHECKPOINTS = 32  # kept moments: further back only every second is kept, twice as far every fourth, and so on
MAX_CHECKPOINT_INTERVAL = (
    384  # ticks at most: of bodies, which take 500 a second, never more than a second is played again
)


INTERNAL_SNAPSHOT_ATTRIBUTES = frozenset({"changes", "checkpoints", "fixed_tick", "moment"})
"""For other modules and packages; not shown by tab completion."""


@dataclass(frozen=True, eq=False, repr=False)
class Snapshot:
    """A run as it was at one tick, with its story so far; give it to `rewind` to be there again."""

    moment: Moment
    checkpoints: Mapping[int, Moment]
    changes: Mapping[int, Moment]
    fixed_tick: float | None
    """The tick [s] the run was given, if any."""

    def __repr__(self) -> str:
        return f"<Snapshot at {self.time:g} s, {self.ticks:,} ticks: {list_names(self.moment.stage.names)}>"

    def __dir__(self) -> list[str]:
        return [name for name in super().__dir__() if name not in INTERNAL_SNAPSHOT_ATTRIBUTES]

    @property
    def ticks(self) -> int:
        """How many ticks had passed."""
        return self.moment.tick_time.ticks

    @property
    def time(self) -> float:
        """The moment [s] it was taken at."""
        return self.moment.time

    def near(self, seconds: float) -> "Snapshot":
        """The same story at the last tick it knows that is not after a time [s]; more ticks lead on from there."""
        time = parse_number(seconds, "A time to be near")
        known = {**self.checkpoints, **self.changes, self.ticks: self.moment}
        return replace(self, moment=known[_last_tick_by(time, known)])


INTERNAL_RUN_ATTRIBUTES = frozenset({"moment", "skip"})
"""For other modules and packages; not shown by tab completion."""


class Run:
    """A stage played live from 0 s on. `tick` [s] is that of the stage's finest mover unless said."""

    def __init__(self, stage: Stage, *, tick: float | None = None) -> None:
        if not isinstance(stage, Stage):
            raise KeyposeError(f"A run was given {short_repr(stage)}. Give a Stage.")
        load_kernels()
        self._fixed_tick = None if tick is None else check_tick(tick, "The tick of a run")
        self._moment = initial_moment(stage.resolved, TickTime(self._fixed_tick or stage.resolved.tick))
        self._changes = {0: self._moment}  # the beginning, and wherever something was changed
        self._checkpoints: dict[int, Moment] = {}  # every so many ticks, fewer further back

    def __repr__(self) -> str:
        return f"<Run at {self.time:g} s, {self.ticks:,} ticks: {list_names(self.stage.names)}>"

    def __dir__(self) -> list[str]:
        return [name for name in super().__dir__() if name not in INTERNAL_RUN_ATTRIBUTES]

    @property
    def stage(self) -> Stage:
        """The stage as it is now, with all changes."""
        return self._moment.stage.spec

    @property
    def moment(self) -> Moment:
        """Everybody's state, as it is now."""
        return self._moment

    @property
    def ticks(self) -> int:
        """How many ticks have passed."""
        return self._moment.tick_time.ticks

    @property
    def time(self) -> float:
        """Seconds since the beginning."""
        return self._moment.time

    @property
    def poses(self) -> dict[str, Pose]:
        """Everybody's pose in the world."""
        return dict(self._moment.poses)

    @property
    def events(self) -> tuple[Event, ...]:
        """What was worth telling so far."""
        return self._moment.events

    def tick(self) -> float:
        """Let one tick pass; the time [s] it is now. If a mover fails, the run stays at its last good moment."""
        next_tick = self.ticks + 1
        known = self._changes.get(next_tick, self._checkpoints.get(next_tick))
        self._moment = self._moment.step() if known is None else known
        if next_tick % CHECKPOINT_INTERVAL == 0:
            self._checkpoints[next_tick] = self._moment
            self._checkpoints = {
                ticks: moment for ticks, moment in self._checkpoints.items() if _is_checkpoint(ticks, next_tick)
            }
        return self.time

    def skip(self, t: float) -> float:
        """Let ticks pass up to the last but one before t [s], many at once where that can be; the time [s] it is now.

        It is as by as many ticks, and stops before any tick that is kept or known, where `tick` must be let pass.
        """
        tick_time, time = self._moment.tick_time, parse_number(t, "A time to skip to")
        known = [ticks for ticks in (*self._changes, *self._checkpoints) if ticks > self.ticks]
        stop = min([self.ticks + CHECKPOINT_INTERVAL - self.ticks % CHECKPOINT_INTERVAL, *known])
        with suppress(KeyposeError):  # tick by tick it comes as far as it can
            self._moment = self._moment.advance_near(min(time, tick_time.at_tick(stop).time))
        return self.time

    def change(
        self, name: str | Stage | None = None, /, thing: Motion | Mover[Any] | SystemMover | None = None, **options: Any
    ) -> None:
        """Let something be different from now on: one actor, the stage, or all of it.

        `change("dog", mover)` gives an actor another motion or mover, `change("dog", parent="boat")` another `parent`,
        `facing` or `look`; `change(gravity=…)` says something of the stage differently; `change(stage)` goes on with a
        whole other stage, on which some may have come or gone. A mover goes on from its state if the new one of its
        name is of the same type; else it begins now. Keys that were passed stay passed. Unless the run was given its
        tick, ticks take as long as the changed stage needs from now on.
        """
        stage = stage_after_change(self._moment, self._stage_for_change(name, thing, options)).resolved
        tick_time = self._moment.tick_time
        moment = apply_change(
            self._moment, stage, tick_time if self._fixed_tick is not None else tick_time.with_tick(stage.tick)
        )
        self._checkpoints = _before_tick(self._checkpoints, self.ticks)
        self._changes = {**_before_tick(self._changes, self.ticks), self.ticks: moment}
        self._moment = moment

    def _stage_for_change(
        self, name: str | Stage | None, thing: Motion | Mover[Any] | SystemMover | None, options: dict[str, Any]
    ) -> Stage:
        """The stage that a change speaks of."""
        if isinstance(name, Stage):
            if thing is not None or options:
                raise KeyposeError(
                    f"A run was given a whole stage and {', '.join(options) or short_repr(thing)} beside it. "
                    "Give the stage alone: it says everything."
                )
            return name
        if name is None:
            return self._stage_with_options(thing, options)
        actor = self.stage[name]
        if thing is None and not options:
            raise KeyposeError(
                f"A run was to change nothing about actor {name!r}. Give another motion or mover, or what is new about "
                "it, as parent=None."
            )
        for option in options:
            if option == "name":
                raise KeyposeError(
                    f"Actor {name!r} was to be named {short_repr(options[option])}, but on a stage others "
                    "know it by its name. "
                    "Give change a whole stage on which it has another."
                )
            if option in OPTIONS:
                raise KeyposeError(
                    f"Actor {name!r} was to have another {option!r}, which belongs to the stage. "
                    f"Leave the name out: run.change({option}=…)."
                )
        if thing is not None:
            if "motion_or_mover" in options:
                raise KeyposeError(f"Actor {name!r} was given two things to move it. Give one.")
            options = {"motion_or_mover": thing, **options}
        return self.stage.with_actor(actor.changed(**options))

    def _stage_with_options(self, thing: Motion | Mover[Any] | SystemMover | None, options: dict[str, Any]) -> Stage:
        if thing is not None or not options:
            raise KeyposeError(
                f"A run was to change nobody{'' if thing is None else f' to {short_repr(thing)}'}. Give the name of an "
                "actor and what is new about it, something of the stage as gravity=(0, -9.81, 0), or a whole Stage."
            )
        for option in (field.name for field in fields(Actor)):
            if option in options:
                raise KeyposeError(
                    f"A run was to change {option!r}, which belongs to an actor. "
                    f"Give the name of the actor first: run.change({self._example_name!r}, …)."
                )
        return self.stage.changed(**options)

    def take(self, fps: float = 24) -> Take:
        """The take of the run so far: the frames from 0 s, or from the earliest known time, up to now.

        A run without changes gives the same take as `shoot` of its stage. After changes the take has the actors of
        the stage as it is now; one that came later holds its first pose before. The ticks are simulated again for it.
        """
        changes = [self._changes[ticks] for ticks in sorted(self._changes) if ticks <= self.ticks]
        return record_run(changes, self._moment, fps)

    @property
    def _example_name(self) -> str:
        return next(iter(self._moment.stage.names), "man")

    @property
    def earliest_time(self) -> float:
        """The earliest moment [s] it can be rewound to: 0 unless something was forgotten."""
        return self._changes[min(self._changes)].time

    def forget(self, changes: int) -> None:
        """Keep of all changes until now the last so many, and nothing from before them; the beginning counts as one.

        Each holds a whole stage, and somebody who drags makes one at every tick.
        """
        count = parse_number(changes, "How many changes a run keeps")
        if count < 1 or count != round(count):
            raise KeyposeError(f"A run was to keep {short_repr(changes)} changes. Give a whole number from 1 on.")
        past = sorted(ticks for ticks in self._changes if ticks <= self.ticks)
        if len(past) > count:
            first = past[-round(count)]
            self._changes, self._checkpoints = (
                {ticks: moment for ticks, moment in moments.items() if ticks >= first}
                for moments in (self._changes, self._checkpoints)
            )

    def snapshot(self) -> Snapshot:
        """The run as it is now, to come back to with `rewind`."""
        checkpoints, changes = (_before_tick(moments, self.ticks + 1) for moments in (self._checkpoints, self._changes))
        return Snapshot(self._moment, MappingProxyType(checkpoints), MappingProxyType(changes), self._fixed_tick)

    def rewind(self, t: float | Snapshot = 0.0) -> float:
        """Go back to the last tick not after t [s], or to a snapshot; the time [s] it is now."""
        if isinstance(t, Snapshot):
            self._fixed_tick, self._checkpoints, self._changes, self._moment = (
                t.fixed_tick,
                dict(t.checkpoints),
                dict(t.changes),
                t.moment,
            )
            return self.time
        seconds = parse_number(t, "A time to rewind to")
        next_tick = self._moment.tick_time.next_tick  # before that one, now is the last tick
        if not self.earliest_time <= seconds < next_tick.time - TICK_TOLERANCE * next_tick.tick:
            known_since = f" and is known since {self.earliest_time:g} s" if self.earliest_time else ""
            raise KeyposeError(
                f"A run is at {self.time:g} s{known_since} and cannot be rewound to {seconds:g} s. Give a time between."
            )
        known = _before_tick({**self._checkpoints, **self._changes}, self.ticks + 1)
        moment = known[_last_tick_by(seconds, known)]
        ticks = min(moment.tick_time.last_tick_by(seconds), self.ticks)
        self._moment = moment
        while self.ticks < ticks:
            self.tick()
        return self.time


def _last_tick_by(seconds: float, moments: Mapping[int, Moment]) -> int:
    """The last of these ticks that is not after a time [s], or else the first."""
    by_then = (
        ticks for ticks, moment in moments.items() if moment.time <= seconds + TICK_TOLERANCE * moment.tick_time.tick
    )
    return max(by_then, default=min(moments))


def _before_tick(moments: Mapping[int, Moment], ticks: int) -> dict[int, Moment]:
    return {number: moment for number, moment in moments.items() if number < ticks}


def _is_checkpoint(ticks: int, now: int) -> bool:
    """Whether a moment is near enough to now, or one of the few kept further back: 24, 48, 96 … ticks apart."""
    number = ticks // CHECKPOINT_INTERVAL
    interval = CHECKPOINT_INTERVAL * (number & -number)  # the largest 24, 48, 96 … that divides it
    return interval >= MAX_CHECKPOINT_INTERVAL or now - ticks <= DENSE_CHECKPOINTS * interval
