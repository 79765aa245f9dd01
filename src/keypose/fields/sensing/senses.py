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

from keypose.fields.algebra.field import FieldQuery
from keypose.fields.film_units import FILM_FRAME, field_per_frame, frames_per_tick
from keypose.fields.sensing.link_arrays import build_link_arrays
from keypose.fields.sensing.links import Link, Links, TrackerLink, build_links, transfer_memories
from keypose.fields.sensing.observed_poses import ObservedPoses, PoseHistory, build_pose_lookup, observe_targets
from keypose.fields.splines.integrators import MAX_COORDINATE, PointState
from keypose.fields.tracking.trackers import Tracker, TrackerMemory
from keypose.maths import Bools, Floats, Ints
from keypose.motion import Event, SystemContext

AdviceFunction = Callable[[str, float, Tracker], str | None]

STOPPED_TEXT = "Stopped"
MAX_PUSH = 1e300  # [m/frame²]: whether a larger push has a value depends on which of its factors come first


class PushAccumulator:
    """The pushes (rows, 3) [m/frame²] of one tick, at `time` [s]."""

    def __init__(
        self,
        rows: Mapping[str, Ints],
        is_stopped: Bools,
        events: tuple[Event, ...],
        time: float,
        stop_text: str = STOPPED_TEXT,
    ) -> None:
        self.is_stopped = is_stopped.copy()
        self._stop_text = stop_text
        self._events = events
        self._new_events: dict[str, Event] = {}
        self._rows = rows
        self._time = time

    @property
    def events(self) -> tuple[Event, ...]:
        """What was told before and at this tick; of who stopped once more, the last time."""
        if not self._new_events:
            return self._events
        before = (
            event for event in self._events if not (event.about == STOPPED_TEXT and event.actor in self._new_events)
        )
        return (*before, *self._new_events.values())

    @cached_property
    def f(self) -> Floats:
        """The sum as it is so far; zero at first, unless it began with many pushes in one."""
        return np.zeros((len(self.is_stopped), 3))

    def start_with(self, f: Floats) -> None:
        """Begin with many pushes (rows, 3) in one."""
        self.f = f

    def clear_invalid(self) -> Bools | None:
        """Where that comes to hardly a number it is zero; (rows,) whom to ask one by one, None if there is nobody."""
        is_invalid = ~(np.abs(self.f) <= MAX_PUSH).all(axis=1)
        self.f[is_invalid] = 0.0
        is_invalid &= ~self.is_stopped
        return is_invalid if is_invalid.any() else None

    def add(self, link: Link, push: Floats) -> None:
        """A push (n, 3) for affinity 1; where it is no number the object stops, all of it."""
        is_invalid = ~np.isfinite(push).all(axis=1) & ~self.is_stopped[link.rows]
        for name in dict.fromkeys(link.names[is_invalid].tolist()):
            self._stop(name, f"{link.title} has no value where it is.")
        self.f[link.rows] += link.affinity * push

    def stop_out_of_bounds(self, after: PointState) -> None:
        """Stop those who would leave all bounds."""
        if after.is_bounded:
            return
        size = np.maximum(np.abs(after.P).max(axis=1, initial=0.0), np.abs(after.T).max(axis=1, initial=0.0))
        is_outside = ~(size <= MAX_COORDINATE) & ~self.is_stopped
        if is_outside.any():
            for name, rows in self._rows.items():
                if is_outside[rows].any():
                    self._stop(name, "it is driven beyond all bounds. Give it friction, or a weaker field.")

    def _stop(self, name: str, reason: str) -> None:
        self.is_stopped[self._rows[name]] = True
        self._new_events[name] = Event(self._time, name, f"{self._stop_text}: {reason}", "warning", STOPPED_TEXT)


@dataclass(frozen=True, eq=False)
class FieldState:
    """What is remembered from tick to tick of all who sense."""

    memories: tuple[Any, ...]
    """What each of the `tracks` remembers."""
    target_positions: Floats
    """Where those were who are tracked and take no part, (targets, 3)."""
    delayed_carriers: tuple[str, ...]
    """Those of whom it is known where they were: who carries a delayed field."""
    pose_history: PoseHistory
    """Where these were at the last ticks."""
    is_stopped: Bools
    """Whose field has no value any more, (rows,)."""
    events: tuple[Event, ...]
    """Who had to stop, and who does not settle as it is linked now: of each object and tracker once."""
    tick: float
    """How long it was since the tick before [s]."""


class Senses:
    """What some objects sense. `rows` are those of their points among all points of a company, and of other objects.

    `advice(name, affinity, tracker)` tells what to do about an object that will not settle. `stop_text` is what
    becomes of those whose field has no value any more.
    """

    def __init__(
        self,
        senses_by_name: Mapping[str, Mapping[Any, float]],
        rows: Mapping[str, Ints],
        context: SystemContext,
        objects: Collection[str],
        advice: AdviceFunction,
        stop_text: str = STOPPED_TEXT,
    ) -> None:
        self.senses_by_name, self.rows, self._fields = senses_by_name, rows, context.fields
        self.links: Links = build_links(senses_by_name, rows, context, objects)
        self.total = sum(map(len, rows.values()))
        self._link_arrays = build_link_arrays(self.links.field_links, rows, self.total)
        self._advice, self._stop_text = advice, stop_text
        target_names = (name for track in self.links.tracker_links for name in track.targets)
        self._outside_targets = tuple(dict.fromkeys(name for name in target_names if name not in rows))

    @property
    def has_link_arrays(self) -> bool:
        """Whether thousands of plain pushes are worked out in one."""
        return self._link_arrays is not None

    def begin(self, observed: ObservedPoses) -> FieldState:
        """What is remembered at first, with warnings of those who will not settle."""
        carriers, memories, time = self.links.delayed_carriers, [], observed.context.time
        for link in self.links.tracker_links:
            P_T, v_T = observe_targets(link, observed, {})
            memories.append(link.tracker.begin(observed.P[link.rows], observed.v[link.rows], P_T, v_T, time))
        target_positions, _ = observed.poses_of(self._outside_targets)
        history = PoseHistory(np.empty(0), np.empty((0, len(carriers), 3)), np.empty((0, len(carriers), 4)))
        is_stopped = np.zeros(self.total, dtype=bool)
        return FieldState(
            tuple(memories), target_positions, carriers, history, is_stopped, self.stability_warnings(time), FILM_FRAME
        )

    def resume(
        self, observed: ObservedPoses, before: "Senses", state: FieldState, unchanged: Iterable[str]
    ) -> FieldState:
        """Who was there goes on as it was, linked as it is now. Who had stopped tries again, unless it is unchanged."""
        initial = self.begin(observed)
        is_stopped = initial.is_stopped
        if state.is_stopped.any() and self._fields == before._fields:
            for name in unchanged:
                is_stopped[self.rows[name]] = state.is_stopped[before.rows[name]]
        previous_targets = dict(zip(before._outside_targets, state.target_positions, strict=True))
        target_positions = np.array(
            [
                previous_targets.get(name, position)
                for name, position in zip(self._outside_targets, initial.target_positions, strict=True)
            ]
        )
        first_times = {(event.actor, event.about): event.time for event in state.events}
        warnings = (
            replace(event, time=first_times.get((event.actor, event.about), event.time)) for event in initial.events
        )
        return replace(
            initial,
            memories=transfer_memories(
                before.links.tracker_links, state.memories, self.links.tracker_links, initial.memories
            ),
            target_positions=target_positions.reshape(-1, 3),
            pose_history=state.pose_history
            if self.links.delayed_carriers == before.links.delayed_carriers
            else initial.pose_history,
            is_stopped=is_stopped,
            events=(*(event for event in state.events if event.about == STOPPED_TEXT), *warnings),
            tick=state.tick,
        )

    def step(
        self, state: FieldState, observed: ObservedPoses, dt: float, is_checked: bool = True
    ) -> tuple[PushAccumulator, FieldState]:
        """All pushes of a tick [m/frame²], and what is remembered then.

        Only if it `is_checked` thousands of plain pushes in one are looked through for those that have no value.
        """
        time, history = observed.context.time, state.pose_history
        if self.links.delayed_carriers:
            history = history.with_tick(time, *observed.poses_of(self.links.delayed_carriers))
        pushes = PushAccumulator(self.rows, state.is_stopped, state.events, time, self._stop_text)
        pose_lookup = build_pose_lookup(observed, history, self.links.delayed_carriers)
        separate_links = self.links.field_links
        if self._link_arrays is not None:
            pushes.start_with(self._link_arrays.total_push(observed))
            invalid_rows = pushes.clear_invalid() if is_checked else None
            failed_links = (
                () if invalid_rows is None else (link.select(invalid_rows) for link in self._link_arrays.field_links)
            )
            separate_links = *(link for link in failed_links if len(link.rows)), *self._link_arrays.other_links
        for link in separate_links:
            query = FieldQuery(observed.P[link.rows], np.array(time), observed.v[link.rows], pose_lookup, link.names)
            with np.errstate(all="ignore"):
                pushes.add(link, field_per_frame(link.field.push(query)))
        target_positions, _ = observed.poses_of(self._outside_targets)
        target_velocities = dict(
            zip(self._outside_targets, (target_positions - state.target_positions) / state.tick, strict=True)
        )
        memories = tuple(
            self._add_pull(tracker_link, memory, observed, target_velocities, dt, pushes)
            for tracker_link, memory in zip(self.links.tracker_links, state.memories, strict=True)
        )
        return pushes, FieldState(
            memories, target_positions, self.links.delayed_carriers, history, pushes.is_stopped, pushes.events, dt
        )

    def stability_warnings(self, time: float = 0.0) -> tuple[Event, ...]:
        """A warning of each object that tracks with gains that will not settle: they are known before it moves."""
        warnings = []
        for link in self.links.tracker_links:
            if not isinstance(link.tracker, Tracker):
                continue
            gains = dict(zip(link.names.tolist(), link.affinity[:, 0].tolist(), strict=True))
            for name, gain in gains.items():
                advice = self._advice(name, gain, link.tracker)
                if advice is not None:
                    warnings.append(Event(time, name, f"{link.title}: {advice}", "warning", link.subject))
        return tuple(warnings)

    def _add_pull(
        self,
        link: TrackerLink,
        memory: Any,
        observed: ObservedPoses,
        target_velocities: Mapping[str, Floats],
        dt: float,
        pushes: PushAccumulator,
    ) -> Any:
        """Add what a tracker pulls; what it remembers then."""
        P_T, v_T = observe_targets(link, observed, target_velocities)
        with np.errstate(all="ignore"):
            pull, new_memory = link.tracker.pull(
                memory,
                observed.P[link.rows],
                observed.v[link.rows],
                P_T,
                v_T,
                observed.context.time,
                frames_per_tick(dt),
            )
        pushes.add(link, pull)
        return new_memory if new_memory is None else _keep_finite(new_memory, memory)


def _keep_finite(memory: TrackerMemory, before: TrackerMemory) -> TrackerMemory:
    """A memory; where it came to no number it stays as it was before, for whom it is that feels nothing any more."""
    parts = (memory.reference, memory.last_error, memory.error_sum)
    if all(np.isfinite(part).all() for part in parts):
        return memory
    old_parts = (before.reference, before.last_error, before.error_sum)
    return TrackerMemory(*(np.where(np.isfinite(new), new, old) for new, old in zip(parts, old_parts, strict=True)))
