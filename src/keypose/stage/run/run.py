"""What happens if I change it while it runs? A live run: tick by tick, changed at any time, rewound to any tick.

A change belongs to the tick it was made at: rewound to before it and played on, it comes again. A new change made there
is the beginning of another story, and what came after is forgotten.
"""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from types import MappingProxyType
from typing import Any

from keypose.errors import KeyposeError, shown
from keypose.maths.inputs import number
from keypose.maths.kernel_switch import settle
from keypose.motion.motion import Motion
from keypose.motion.mover import Mover, checked_tick
from keypose.motion.pose import Pose
from keypose.motion.take import Event
from keypose.stage.actor import Actor
from keypose.stage.run.change import changed, going_on
from keypose.stage.run.moment import Moment
from keypose.stage.run.start import begun
from keypose.stage.run.tick_time import ON_A_TICK, Beat
from keypose.stage.stage import WORDS, Stage

KEPT_EVERY = 24  # ticks: between kept moments a rewind plays so many again
KEPT_CLOSE = 32  # kept moments: further back only every second is kept, twice as far every fourth, and so on
KEPT_APART = 384  # ticks at most: of bodies, which take 500 a second, never more than a second is played again


@dataclass(frozen=True, eq=False)
class Snapshot:
    """A run as it was at one tick, with its story so far; give it to `rewind` to be there again."""

    moment: Moment
    kept: Mapping[int, Moment]
    changes: Mapping[int, Moment]
    given: float | None
    """The tick [s] the run was given, if any."""

    @property
    def ticks(self) -> int:
        """How many ticks had passed."""
        return self.moment.beat.ticks

    @property
    def time(self) -> float:
        """The moment [s] it was taken at."""
        return self.moment.time

    def near(self, seconds: float) -> "Snapshot":
        """The same story at the last tick it knows that is not after a time [s]; more ticks lead on from there."""
        wanted = number(seconds, "A time to be near")
        known = {**self.kept, **self.changes, self.ticks: self.moment}
        return replace(self, moment=known[_last_by(wanted, known)])


class Run:
    """A stage played live from 0 s on. `tick` [s] is that of the stage's finest mover unless said."""

    def __init__(self, stage: Stage, *, tick: float | None = None) -> None:
        if not isinstance(stage, Stage):
            raise KeyposeError(f"A run was given {shown(stage)}. Give a Stage.")
        settle()
        self._given = None if tick is None else checked_tick(tick, "The tick of a run")
        self._now = begun(stage, Beat(self._given or stage.tick))
        self._changes = {0: self._now}  # the beginning, and wherever something was changed
        self._kept: dict[int, Moment] = {}  # every so many ticks, fewer further back

    @property
    def stage(self) -> Stage:
        """The stage as it is now, with all changes."""
        return self._now.stage

    @property
    def moment(self) -> Moment:
        """Everybody's state, as it is now."""
        return self._now

    @property
    def ticks(self) -> int:
        """How many ticks have passed."""
        return self._now.beat.ticks

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
        following = self.ticks + 1
        known = self._changes.get(following, self._kept.get(following))
        self._now = self._now.stepped() if known is None else known
        if following % KEPT_EVERY == 0:
            self._kept[following] = self._now
            self._kept = {ticks: moment for ticks, moment in self._kept.items() if _is_worth_keeping(ticks, following)}
        return self.time

    def skip(self, t: float) -> float:
        """Let ticks pass up to the last but one before t [s], many at once where that can be; the time [s] it is now.

        It is as by as many ticks, and stops before any tick that is kept or known, where `tick` must be let pass.
        """
        beat, wanted = self._now.beat, number(t, "A time to skip to")
        known = [ticks for ticks in (*self._changes, *self._kept) if ticks > self.ticks]
        stop = min([self.ticks + KEPT_EVERY - self.ticks % KEPT_EVERY, *known])
        with suppress(KeyposeError):  # tick by tick it comes as far as it can
            self._now = self._now.nearly_at(min(wanted, beat.reaching(stop).time))
        return self.time

    def change(self, name: str | Stage | None = None, /, thing: Motion | Mover[Any] | None = None, **said: Any) -> None:
        """Let something be different from now on: one actor, the stage, or all of it.

        `change("dog", mover)` gives an actor another motion or mover, `change("dog", parent="boat")` another `parent`,
        `facing` or `look`; `change(gravity=…)` says something of the stage differently; `change(stage)` goes on with a
        whole other stage, on which some may have come or gone. A mover goes on from its state if the new one of its
        name is of the same type; else it begins now. Keys that were passed stay passed. Unless the run was given its
        tick, ticks take as long as the changed stage needs from now on.
        """
        stage = going_on(self._now, self._said(name, thing, said))
        beat = self._now.beat
        now = changed(self._now, stage, beat if self._given is not None else beat.taking(stage.tick))
        self._kept = _before(self._kept, self.ticks)
        self._changes = {**_before(self._changes, self.ticks), self.ticks: now}
        self._now = now

    def _said(self, name: str | Stage | None, thing: Motion | Mover[Any] | None, said: dict[str, Any]) -> Stage:
        """The stage that a change speaks of."""
        if isinstance(name, Stage):
            if thing is not None or said:
                raise KeyposeError(
                    f"A run was given a whole stage and {', '.join(said) or shown(thing)} beside it. "
                    "Give the stage alone: it says everything."
                )
            return name
        if name is None:
            return self._stage_said(thing, said)
        actor = self.stage[name]
        if thing is None and not said:
            raise KeyposeError(
                f"A run was to change nothing about actor {name!r}. Give another motion or mover, or what is new about "
                "it, as parent=None."
            )
        for word in said:
            if word == "name":
                raise KeyposeError(
                    f"Actor {name!r} was to be named {shown(said[word])}, but on a stage others know it by its name. "
                    "Give change a whole stage on which it has another."
                )
            if word in WORDS:
                raise KeyposeError(
                    f"Actor {name!r} was to have another {word!r}, which belongs to the stage. "
                    f"Leave the name out: run.change({word}=…)."
                )
        if thing is not None:
            if "motion_or_mover" in said:
                raise KeyposeError(f"Actor {name!r} was given two things to move it. Give one.")
            said = {"motion_or_mover": thing, **said}
        return self.stage.with_actor(actor.changed(**said))

    def _stage_said(self, thing: Motion | Mover[Any] | None, said: dict[str, Any]) -> Stage:
        if thing is not None or not said:
            raise KeyposeError(
                f"A run was to change nobody{'' if thing is None else f' to {shown(thing)}'}. Give the name of an "
                "actor and what is new about it, something of the stage as gravity=(0, -9.81, 0), or a whole Stage."
            )
        for word in (field.name for field in fields(Actor)):
            if word in said:
                raise KeyposeError(
                    f"A run was to change {word!r}, which belongs to an actor. "
                    f"Give the name of the actor first: run.change({self._somebody!r}, …)."
                )
        return self.stage.changed(**said)

    @property
    def _somebody(self) -> str:
        return next(iter(self.stage.names), "man")

    @property
    def begins(self) -> float:
        """The earliest moment [s] it can be rewound to: 0 unless something was forgotten."""
        return self._changes[min(self._changes)].time

    def forget(self, changes: int) -> None:
        """Keep of all changes until now the last so many, and nothing from before them; the beginning counts as one.

        Each holds a whole stage, and somebody who drags makes one at every tick.
        """
        count = number(changes, "How many changes a run keeps")
        if count < 1 or count != round(count):
            raise KeyposeError(f"A run was to keep {shown(changes)} changes. Give a whole number from 1 on.")
        past = sorted(ticks for ticks in self._changes if ticks <= self.ticks)
        if len(past) > count:
            first = past[-round(count)]
            self._changes, self._kept = (
                {ticks: moment for ticks, moment in moments.items() if ticks >= first}
                for moments in (self._changes, self._kept)
            )

    def snapshot(self) -> Snapshot:
        """The run as it is now, to come back to with `rewind`."""
        kept, changes = (_before(moments, self.ticks + 1) for moments in (self._kept, self._changes))
        return Snapshot(self._now, MappingProxyType(kept), MappingProxyType(changes), self._given)

    def rewind(self, t: float | Snapshot = 0.0) -> float:
        """Go back to the last tick not after t [s], or to a snapshot; the time [s] it is now."""
        if isinstance(t, Snapshot):
            self._given, self._kept, self._changes, self._now = t.given, dict(t.kept), dict(t.changes), t.moment
            return self.time
        seconds = number(t, "A time to rewind to")
        following = self._now.beat.following  # before that one, now is the last tick
        if not self.begins <= seconds < following.time - ON_A_TICK * following.tick:
            since = f" and is known since {self.begins:g} s" if self.begins else ""
            raise KeyposeError(
                f"A run is at {self.time:g} s{since} and cannot be rewound to {seconds:g} s. Give a time between."
            )
        known = _before({**self._kept, **self._changes}, self.ticks + 1)
        now = known[_last_by(seconds, known)]
        wanted = min(now.beat.ticks_by(seconds), self.ticks)
        self._now = now
        while self.ticks < wanted:
            self.tick()
        return self.time


def _last_by(seconds: float, moments: Mapping[int, Moment]) -> int:
    """The last of these ticks that is not after a time [s], or else the first."""
    by_then = (ticks for ticks, moment in moments.items() if moment.time <= seconds + ON_A_TICK * moment.beat.tick)
    return max(by_then, default=min(moments))


def _before(moments: Mapping[int, Moment], ticks: int) -> dict[int, Moment]:
    return {number: moment for number, moment in moments.items() if number < ticks}


def _is_worth_keeping(ticks: int, now: int) -> bool:
    """Whether a moment is near enough to now, or one of the few kept further back: 24, 48, 96 … ticks apart."""
    number = ticks // KEPT_EVERY
    apart = KEPT_EVERY * (number & -number)  # the largest 24, 48, 96 … that divides it
    return apart >= KEPT_APART or now - ticks <= KEPT_CLOSE * apart
