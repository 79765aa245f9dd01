"""The synchronizer: the states of meetings from waiting to done, and the speeds of their participants on the way.

A `Synchronizer` works on a copy of a state for some ticks, and leaves another one.
"""

from collections.abc import Iterable, Sized

import numpy as np

from keypose.maths import PROGRESS_TOLERANCE, Bools, Floats
from keypose.motion import ACTIVE, DONE, FAILED, DelayReason, Distances, MeetingEvent, MeetingState
from keypose.script.events import meeting_event
from keypose.script.plan import Plan
from keypose.script.sync.rule_set import current_rules
from keypose.script.sync.rules.deadlock import Deadlocks
from keypose.script.sync.rules.delays import (
    BLOCKED,
    DEADLOCK_CHECK_AFTER,
    EVENT_FAILED,
    EVENT_LATE,
    EVENT_RESUMED,
    EVENT_SOON,
    HAS_EVENT,
    LONG_WAIT,
    OUTPACED,
    RESUMED,
    SLOW,
)
from keypose.script.sync.rules.speed_factors import CHECK_PERIOD, REGULATION_PERIOD
from keypose.script.sync.state import SyncState


def _default_delay_reason(_: tuple[str, bool], is_blocked: bool) -> str:
    return "stands still" if is_blocked else "hardly moves"


class Synchronizer:
    """Meetings as they are synchronized, for some ticks."""

    def __init__(self, plan: Plan, state: SyncState) -> None:
        self._plan, self._rules = plan, current_rules()
        self.graph, self.records = plan.graph, state.records.copy()
        self._clocks_changed, self._since_regulated = state.clocks_changed, state.since_regulated
        self._events, self._new_events = state.events, list[MeetingEvent]()
        self.wants_delay_reason = state.wants_delay_reason
        """Whether a delay will be reported at the next regulation: its reason is worth finding."""
        self._needs_deadlock_check = False  # until a meeting becomes active or fails, or a participant waits for long
        self._has_new_body_meetings = False

    def freeze(self) -> SyncState:
        """The current state, read-only."""
        if self._new_events:  # else all ticks share the events
            self._events, self._new_events = (*self._events, *self._new_events), []
        records = self.records.copy()
        for array in records:
            array.setflags(write=False)
        return SyncState(records, self._clocks_changed, self._since_regulated, self.wants_delay_reason, self._events)

    def begin(self, progress: Floats, time: float) -> None:
        """Activate the first meetings, with targets at `progress` (follower channels,)."""
        all_progress, channels = self._all_progress(progress), self.records.channels
        np.minimum(
            channels["last_progress"], all_progress, out=channels["last_progress"]
        )  # travel before a change counts
        self._advance_meetings(all_progress, time)
        self._rules.update_stops(self.graph, self.records, all_progress)

    def set_initial_speeds(self, progress: Floats, distance_left: Floats, is_new: Bools, time: float) -> None:
        """Set new targets (follower channels,) to their speed factors; at 0 s all clocks, too.

        Those that move already approach theirs smoothly.
        """
        records, clocks, is_first = self.records, self.records.clocks, time == 0.0
        all_new = np.concatenate([is_new, np.full(len(clocks), is_first)])
        if not all_new.any():
            return
        self._update_clock_distances(distance_left)
        progress = self._all_progress(progress)
        self._rules.set_initial_speeds(self.graph, records, progress, distance_left, all_new)
        self._update_stops(progress)
        if is_first:
            first = self._plan.follower_channels
            is_stopped = clocks["time"] >= records.channels["stop_at"][first:] - PROGRESS_TOLERANCE
            clocks["rate"][:] = np.where(is_stopped, 0.0, records.channels["speed_factor"][first:])

    def _update_stops(self, progress: Floats) -> None:
        """Update stops after early participants are known, and how long clocks wait there."""
        if self._plan.has_body_meetings:  # else only arrivals and failures change stops, which update them
            self._rules.update_stops(self.graph, self.records, progress)
        if len(self.records.clocks):
            self._rules.update_clock_waits(self.graph, self.records)

    def _update_clock_distances(self, distance_left: Floats) -> None:
        if len(self.records.clocks):
            self._rules.update_clock_distances(self.graph, self.records, distance_left)

    def _all_progress(self, progress: Floats) -> Floats:
        return np.concatenate([progress, self.records.clocks["time"]]) if len(self.records.clocks) else progress

    def advance_clock(self, dt: float) -> bool:
        """Advance by `dt` seconds; return whether arrivals are to be checked: with clocks in every tick."""
        previous, self._since_regulated = self._since_regulated, self._since_regulated + dt
        return len(self.records.clocks) > 0 or int(self._since_regulated / CHECK_PERIOD + 1e-6) > int(
            previous / CHECK_PERIOD + 1e-6
        )

    def update(self, progress: Floats, time: float, dt: float) -> bool:
        """Check arrivals of targets, and advance clocks by `dt` seconds; return whether stops have changed."""
        if len(self.records.clocks):
            return self._update_clocks(progress, time, dt)
        if self._rules.mark_targets(self.graph, self.records, progress, time):
            self._advance_meetings(progress, time, has_changed=True)
            return True
        return False

    def _update_clocks(self, targets: Floats, time: float, dt: float) -> bool:
        """The same with clocks: one that may pass its stop within a tick advances as if there had been none."""
        unclamped, has_changed = np.empty(len(self.records.clocks)), False
        self._rules.update_clock_rates(self.graph, self.records, dt, unclamped)
        while True:
            self._rules.clamp_clocks(self.graph, self.records, unclamped)
            progress = self._all_progress(targets)
            if not self._rules.mark_targets(self.graph, self.records, progress, time):
                self._clocks_changed |= has_changed
                return has_changed
            self._advance_meetings(progress, time, has_changed=True)
            has_changed = True

    def mark_bodies(self, distance_left: Floats, progress: Floats, time: float) -> None:
        """Check which bodies have already reached goals of meetings that have just become active."""
        self._has_new_body_meetings = False
        self._update_clock_distances(distance_left)
        progress = self._all_progress(progress)
        if self._rules.mark_bodies(self.graph, self.records, distance_left, time, REGULATION_PERIOD):
            self._advance_meetings(progress, time, has_changed=True)
        else:  # now it is known whose targets stay at their goals
            self._rules.update_stops(self.graph, self.records, progress)

    @property
    def wants_bodies(self) -> bool:
        """Whether a meeting of bodies has just become active."""
        return self._has_new_body_meetings

    @property
    def is_due(self) -> bool:
        """Whether speeds are to be regulated now: after a period, or at once for clocks whose stops have changed."""
        return self._clocks_changed or self._since_regulated >= REGULATION_PERIOD * (1 - 1e-9)

    def regulate(
        self,
        progress: Floats,
        distances: Distances,
        time: float,
        delay_reason: DelayReason = _default_delay_reason,
    ) -> None:
        """Regulate all speeds, with targets at `progress` (follower channels,).

        `delay_reason` describes what delays a channel, as "is stuck".
        """
        travelled, distance_left = distances
        if clocks := len(self.records.clocks):
            progress = self._all_progress(progress)
            last_progress = self.records.channels["last_progress"][-clocks:]
            travelled = np.concatenate([travelled, self.records.clocks["time"] - last_progress])
            self._update_clock_distances(distance_left)
        distances = Distances(travelled, distance_left)
        flags = self._rules.regulate(self.graph, self.records, progress, distances, time, self._since_regulated)
        self._since_regulated, self._clocks_changed, self.wants_delay_reason = 0.0, False, bool(flags & EVENT_SOON)
        self._update_stops(progress)
        if flags & HAS_EVENT:
            self._needs_deadlock_check |= bool(flags & LONG_WAIT)
            self._report_delays(time, delay_reason)
            self._advance_meetings(progress, time, has_changed=True)  # failed meetings stop nothing any more
            self._clocks_changed = clocks > 0

    # ---- from one state to the next ----------------------------------------------------------------------------------

    def _advance_meetings(self, progress: Floats, time: float, has_changed: bool = False) -> None:
        """Advance the states of meetings, and fail those in a deadlock, until nothing changes."""
        is_changed = self._advance_states(progress, time) or has_changed
        while self._needs_deadlock_check and self._break_deadlock(progress, time):
            self._advance_states(progress, time)
            is_changed = True
        if is_changed:
            self._rules.update_stops(self.graph, self.records, progress)

    def _advance_states(self, progress: Floats, time: float) -> bool:
        """Advance the states of meetings until nothing changes, and report new arrivals; return whether any changed."""
        records, has_changed = self.records, False
        state, next_states = records.meetings["state"], np.empty(len(records.meetings), np.int64)
        while True:
            self._report_arrivals(time)
            if not self._rules.update_meeting_states(self.graph, records, next_states):
                return has_changed
            has_changed = True
            for meeting in np.flatnonzero(next_states != state).tolist():
                if next_states[meeting] == DONE:
                    self._complete(meeting, time)
                elif next_states[meeting] == ACTIVE:
                    self._activate(meeting, progress, time)
                else:
                    self._fail_after_parents(meeting, time)

    def _report_arrivals(self, time: float) -> None:
        """Report the goals that have been reached and are not reported yet."""
        goals = self.records.goals
        for goal in np.flatnonzero((goals["reached_at"] >= 0.0) & ~goals["is_reported"]).tolist():
            meeting, actor = int(self.graph.goals[goal].meeting), self._plan.goal_actors[goal]
            self._report(time, actor, meeting, "reached", "Has come to its goal of meeting {}.")
            goals[goal].is_reported = True

    def _activate(self, meeting: int, progress: Floats, time: float) -> None:
        plan = self._plan
        self.records.meetings[meeting].state, self._needs_deadlock_check = ACTIVE, True
        waits_for_bodies, goals = bool(self.graph.meetings[meeting].waits_for_bodies), plan.goals_of(meeting)
        self._has_new_body_meetings |= waits_for_bodies
        for goal in goals:
            is_at_goal = progress[plan.goal_channel[goal]] >= plan.goal_progress[goal] - PROGRESS_TOLERANCE
            if is_at_goal and not waits_for_bodies:
                self.records.goals[goal].reached_at = time
        names = dict.fromkeys(plan.goal_actors[goal] for goal in goals)
        description = f"{_join_names(names)} {'is on its' if len(names) == 1 else 'are on their'} way"
        self._report(time, plan.goal_actors[goals.start], meeting, "active", f"Meeting {{}} is active: {description}.")

    def _complete(self, meeting: int, time: float) -> None:
        plan, goals = self._plan, self._plan.goals_of(meeting)
        self.records.meetings[meeting].state = DONE
        reached_at = self.records.goals["reached_at"][goals.start : goals.stop]
        last = plan.goal_actors[goals.start + int(np.argmax(reached_at))]
        self._report(
            time, last, meeting, "done", f"Meeting {{}} is done, {np.ptp(reached_at):.3g} s after the first came."
        )

    # ---- delays and failures -----------------------------------------------------------------------------------------

    def _report_delays(self, time: float, delay_reason: DelayReason) -> None:
        """Report meetings that are late, or resumed, or fail as a participant stands still for too long."""
        plan, delay_events, delay_cause = (
            self._plan,
            self.records.meetings["delay_event"],
            self.records.goals["delay_cause"],
        )
        for meeting in np.flatnonzero(delay_events).tolist():
            goals, event = plan.goals_of(meeting), int(delay_events[meeting])
            causes = {
                EVENT_LATE: (SLOW, BLOCKED, OUTPACED),
                EVENT_RESUMED: (RESUMED,),
                EVENT_FAILED: (BLOCKED, OUTPACED),
            }[event]
            delayed_actors = dict[str, int]()
            for goal in goals:
                if delay_cause[goal] in causes:
                    delayed_actors.setdefault(plan.goal_actors[goal], goal)
            actor = next(iter(delayed_actors), plan.goal_actors[goals.start])
            waiting = list(
                dict.fromkeys(name for goal in goals if (name := plan.goal_actors[goal]) not in delayed_actors)
            )
            described = delayed_actors.items() if event != EVENT_RESUMED else ()
            description = ", ".join(f"{name!r} {self._delay_reason(goal, delay_reason)}" for name, goal in described)
            if event == EVENT_FAILED:
                others_continue = f" {_join_names(waiting)} {_conjugate('go', waiting)} on." if waiting else ""
                self._fail(meeting, actor, f"Meeting {{}} has failed: {description}.{others_continue}", time)
            elif event == EVENT_LATE:
                others_wait = f", and {_join_names(waiting)} {_conjugate('wait', waiting)}" if waiting else ""
                self._report(time, actor, meeting, "late", f"Meeting {{}} is late: {description}{others_wait}.")
            else:
                resumed = f"{_join_names(delayed_actors)} {_conjugate('move', delayed_actors)}"
                self._report(time, actor, meeting, "active", f"Meeting {{}} goes on: {resumed} again.")

    def _delay_reason(self, goal: int, delay_reason: DelayReason) -> str:
        """What delays the participant with this goal."""
        cause, channel = self.records.goals[goal].delay_cause, self._plan.channels[self._plan.goal_channel[goal]]
        return "comes no nearer to its goal" if cause == OUTPACED else delay_reason(channel, bool(cause == BLOCKED))

    def _fail_after_parents(self, meeting: int, time: float) -> None:
        """Fail a meeting that comes after too many failed ones."""
        plan, state = self._plan, self.records.meetings["state"]
        names = _join_names(plan.names[parent] for parent in plan.parents[meeting] if state[parent] == FAILED)
        self._fail(meeting, self._first_actor(meeting), f"Meeting {{}} has failed: it comes after {names}.", time)

    def _break_deadlock(self, progress: Floats, time: float) -> bool:
        """Fail the meetings of a deadlock, if a participant has been stopped for long; return whether there was one."""
        self._needs_deadlock_check = False
        meetings, names = self.records.meetings, self._plan.names
        candidates = (meetings["waiting_for"] >= DEADLOCK_CHECK_AFTER * (1 - 1e-9)) & (meetings["state"] == ACTIVE)
        if not candidates.any() or not self._rules.has_deadlock(self.graph, self.records, progress, candidates):
            return False
        cycle = Deadlocks(self.graph, self.records, progress).find_cycle(np.flatnonzero(candidates).tolist())
        for meeting in sorted(member for member in cycle if meetings["state"][member] == ACTIVE):
            others = _join_names(names[other] for other in sorted(cycle) if other != meeting)
            text = f"Meeting {{}} has failed: it and {others} wait for each other."
            self._fail(meeting, self._first_actor(meeting), text, time)
        return bool(cycle)

    def _first_actor(self, meeting: int) -> str:
        """The actor with the first goal of a meeting."""
        return self._plan.goal_actors[self._plan.goals_of(meeting).start]

    def _fail(self, meeting: int, actor: str, text: str, time: float) -> None:
        self.records.meetings[meeting].state, self._needs_deadlock_check = FAILED, True
        self._report(time, actor, meeting, "failed", text)

    def _report(self, time: float, actor: str, meeting: int, state: MeetingState, text: str) -> None:
        name = self._plan.names[meeting]
        self._new_events.append(meeting_event(time, actor, name, state, text.replace("{}", repr(name))))


def _join_names(names: Iterable[str]) -> str:
    *others, last = [repr(name) for name in names] or [""]
    return f"{', '.join(others)} and {last}" if others else last


def _conjugate(verb: str, names: Sized) -> str:
    return verb if len(names) > 1 else "goes" if verb == "go" else f"{verb}s"
