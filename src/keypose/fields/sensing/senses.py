"""What do those feel who sense fields? At each tick the sum of all pushes, and what is remembered for the next.

Dynamic splines and bodies sense alike: every field is asked where they are, and every tracker pulls as it sees its
target. All see how it was at the last tick. Whose field has no value any more is told of and feels nothing from then
on; those who do not sense it go on to the bit.

What pushes an object all in all? Σ Aₖ fₖ over everything it senses; and who has to stop because one has no value.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from keypose.fields.algebra.field import Asked
from keypose.fields.film_units import FILM, field_per_frame, frames
from keypose.fields.sensing.link_arrays import flattened
from keypose.fields.sensing.links import Link, Links, Track, linked, remembered
from keypose.fields.sensing.observed_poses import Past, Survey, aimed, looking
from keypose.fields.splines.integrators import FARTHEST, State
from keypose.fields.tracking.trackers import Memory, Tracker
from keypose.maths.arrays import Bools, Floats, Ints
from keypose.motion.system import Surroundings
from keypose.motion.take import Event

Advice = Callable[[str, float, Tracker], str | None]

STOPPED = "Stopped"
HARDLY = 1e300  # [m/frame²]: whether a larger push has a value depends on which of its factors come first


class Sums:
    """The pushes (rows, 3) [m/frame²] of one tick, at `time` [s]."""

    def __init__(
        self, rows: Mapping[str, Ints], stopped: Bools, told: tuple[Event, ...], time: float, how: str = STOPPED
    ) -> None:
        self.stopped = stopped.copy()
        self._how = how
        self._told = told
        self._new: dict[str, Event] = {}
        self._rows = rows
        self._time = time

    @property
    def told(self) -> tuple[Event, ...]:
        """What was told before and at this tick; of who stopped once more, the last time."""
        if not self._new:
            return self._told
        before = (event for event in self._told if not (event.about == STOPPED and event.actor in self._new))
        return (*before, *self._new.values())

    @cached_property
    def f(self) -> Floats:
        """The sum as it is so far; zero at first, unless it began with many pushes in one."""
        return np.zeros((len(self.stopped), 3))

    def begin(self, f: Floats) -> None:
        """Begin with many pushes (rows, 3) in one."""
        self.f = f

    def fails(self) -> Bools | None:
        """Where that comes to hardly a number it is zero; (rows,) whom to ask one by one, None if there is nobody."""
        fails = ~(np.abs(self.f) <= HARDLY).all(axis=1)
        self.f[fails] = 0.0
        fails &= ~self.stopped
        return fails if fails.any() else None

    def add(self, link: Link, push: Floats) -> None:
        """A push (n, 3) for affinity 1; where it is no number the object stops, all of it."""
        fails = ~np.isfinite(push).all(axis=1) & ~self.stopped[link.rows]
        for name in dict.fromkeys(link.who[fails].tolist()):
            self._stop(name, f"{link.called} has no value where it is.")
        self.f[link.rows] += link.affinity * push

    def beyond(self, after: State) -> None:
        """Stop those who would leave all bounds."""
        if after.is_bounded:
            return
        size = np.maximum(np.abs(after.P).max(axis=1, initial=0.0), np.abs(after.T).max(axis=1, initial=0.0))
        leaves = ~(size <= FARTHEST) & ~self.stopped
        if leaves.any():
            for name, rows in self._rows.items():
                if leaves[rows].any():
                    self._stop(name, "it is driven beyond all bounds. Give it friction, or a weaker field.")

    def _stop(self, name: str, why: str) -> None:
        self.stopped[self._rows[name]] = True
        self._new[name] = Event(self._time, name, f"{self._how}: {why}", "warning", STOPPED)


@dataclass(frozen=True, eq=False)
class Felt:
    """What is remembered from tick to tick of all who sense."""

    memories: tuple[Any, ...]
    """What each of the `tracks` remembers."""
    targets: Floats
    """Where those were who are tracked and take no part, (targets, 3)."""
    remembered: tuple[str, ...]
    """Those of whom it is known where they were: who carries a delayed field."""
    past: Past
    """Where these were at the last ticks."""
    stopped: Bools
    """Whose field has no value any more, (rows,)."""
    told: tuple[Event, ...]
    """Who had to stop, and who does not settle as it is linked now: of each object and tracker once."""
    tick: float
    """How long it was since the tick before [s]."""


class Senses:
    """What some objects sense. `rows` are those of their points among all points of a company, and of other objects.

    `advice(name, affinity, tracker)` tells what to do about an object that will not settle. `how` is what becomes of
    those whose field has no value any more.
    """

    def __init__(
        self,
        members: Mapping[str, Mapping[Any, float]],
        rows: Mapping[str, Ints],
        said: Surroundings,
        objects: Collection[str],
        advice: Advice,
        how: str = STOPPED,
    ) -> None:
        self.members, self.rows, self._fields = members, rows, said.fields
        self.links: Links = linked(members, rows, said, objects)
        self.total = sum(map(len, rows.values()))
        self._flat = flattened(self.links.pushes, rows, self.total)
        self._advice, self._how = advice, how
        tracked = (name for track in self.links.tracks for name in track.targets)
        self._tracked = tuple(dict.fromkeys(name for name in tracked if name not in rows))

    @property
    def is_flat(self) -> bool:
        """Whether thousands of plain pushes are worked out in one."""
        return self._flat is not None

    def begun(self, survey: Survey) -> Felt:
        """What is remembered at first, with warnings of those who will not settle."""
        known, memories, time = self.links.remembered, [], survey.outlook.time
        for track in self.links.tracks:
            P_T, v_T = aimed(track, survey, {})
            memories.append(track.tracker.begin(survey.P[track.rows], survey.v[track.rows], P_T, v_T, time))
        targets, _ = survey.where(self._tracked)
        never = Past(np.empty(0), np.empty((0, len(known), 3)), np.empty((0, len(known), 4)))
        stopped = np.zeros(self.total, dtype=bool)
        return Felt(tuple(memories), targets, known, never, stopped, self.unsettled(time), FILM)

    def gone_on(self, survey: Survey, before: "Senses", felt: Felt, unchanged: Iterable[str]) -> Felt:
        """Who was there goes on as it was, linked as it is now. Who had stopped tries again, unless it is unchanged."""
        begun = self.begun(survey)
        stopped = begun.stopped
        if felt.stopped.any() and self._fields == before._fields:
            for name in unchanged:
                stopped[self.rows[name]] = felt.stopped[before.rows[name]]
        known = dict(zip(before._tracked, felt.targets, strict=True))
        targets = np.array([known.get(name, place) for name, place in zip(self._tracked, begun.targets, strict=True)])
        since = {(event.actor, event.about): event.time for event in felt.told}
        unsettled = (replace(event, time=since.get((event.actor, event.about), event.time)) for event in begun.told)
        return replace(
            begun,
            memories=remembered(before.links.tracks, felt.memories, self.links.tracks, begun.memories),
            targets=targets.reshape(-1, 3),
            past=felt.past if self.links.remembered == before.links.remembered else begun.past,
            stopped=stopped,
            told=(*(event for event in felt.told if event.about == STOPPED), *unsettled),
            tick=felt.tick,
        )

    def step(self, felt: Felt, survey: Survey, dt: float, is_wary: bool = True) -> tuple[Sums, Felt]:
        """All pushes of a tick [m/frame²], and what is remembered then.

        Only if it `is_wary` thousands of plain pushes in one are looked through for those that have no value.
        """
        time, past = survey.outlook.time, felt.past
        if self.links.remembered:
            past = past.and_now(time, *survey.where(self.links.remembered))
        sums = Sums(self.rows, felt.stopped, felt.told, time, self._how)
        look = looking(survey, past, self.links.remembered)
        rest = self.links.pushes
        if self._flat is not None:
            sums.begin(self._flat.pushed(survey))
            fails = sums.fails() if is_wary else None
            some = () if fails is None else (push.of(fails) for push in self._flat.pushes)
            rest = *(push for push in some if len(push.rows)), *self._flat.rest
        for push in rest:
            asked = Asked(survey.P[push.rows], np.array(time), survey.v[push.rows], look, push.who)
            with np.errstate(all="ignore"):
                sums.add(push, field_per_frame(push.field.push(asked)))
        targets, _ = survey.where(self._tracked)
        going = dict(zip(self._tracked, (targets - felt.targets) / felt.tick, strict=True))
        memories = tuple(
            self._pulled(track, memory, survey, going, dt, sums)
            for track, memory in zip(self.links.tracks, felt.memories, strict=True)
        )
        return sums, Felt(memories, targets, self.links.remembered, past, sums.stopped, sums.told, dt)

    def unsettled(self, time: float = 0.0) -> tuple[Event, ...]:
        """A warning of each object that tracks with gains that will not settle: they are known before it moves."""
        found = []
        for track in self.links.tracks:
            if not isinstance(track.tracker, Tracker):
                continue
            gains = dict(zip(track.who.tolist(), track.affinity[:, 0].tolist(), strict=True))
            for name, gain in gains.items():
                told = self._advice(name, gain, track.tracker)
                if told is not None:
                    found.append(Event(time, name, f"{track.called}: {told}", "warning", track.about))
        return tuple(found)

    def _pulled(
        self, track: Track, memory: Any, survey: Survey, going: Mapping[str, Floats], dt: float, sums: Sums
    ) -> Any:
        """Add what a tracker pulls; what it remembers then."""
        P_T, v_T = aimed(track, survey, going)
        with np.errstate(all="ignore"):
            pull, after = track.tracker.pull(
                memory, survey.P[track.rows], survey.v[track.rows], P_T, v_T, survey.outlook.time, frames(dt)
            )
        sums.add(track, pull)
        return after if after is None else _of_numbers(after, memory)


def _of_numbers(memory: Memory, before: Memory) -> Memory:
    """A memory; where it came to no number it stays as it was before, for whom it is that feels nothing any more."""
    parts = (memory.wanted, memory.last, memory.total)
    if all(np.isfinite(part).all() for part in parts):
        return memory
    known = (before.wanted, before.last, before.total)
    return Memory(*(np.where(np.isfinite(now), now, then) for now, then in zip(parts, known, strict=True)))
