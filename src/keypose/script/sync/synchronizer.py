"""How are appointments kept while it is played? Waiting, then active, then done: and everybody's ease on the way.

What is kept is a value. A `Synchronizer` works on a copy of it for some ticks, and leaves another one.
"""

from collections.abc import Sized
from functools import partial
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from keypose.maths import PROGRESS_TOLERANCE, Bools, Floats, fast_call
from keypose.motion import ACTIVE, DONE, FAILED, DelayReason, GoalArrays, MeetingEvent, MeetingState
from keypose.script.events import meeting_event
from keypose.script.plan import Plan
from keypose.script.sync.deadlock import Deadlocks
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
    """Appointments while they are kept, for some ticks."""

    def __init__(self, plan: Plan, state: SyncState) -> None:
        self._plan = plan
        self._kernels = rule_kernels(plan)
        self._state, self._reached_at = state.state.copy(), state.reached_at.copy()
        self._is_early, self._holds_target = state.is_early.copy(), state.holds_target.copy()
        self._reached_at[self._reached_at < 0] = np.nan
        wait_times = state.late_for, state.blocked_for, state.waiting_for
        self._late_for, self._blocked_for, self._waiting_for = (values.copy() for values in wait_times)
        self._previous_distance, self._delay_cause = state.previous_distance.copy(), state.delay_cause.copy()
        self._efficiency, self._delay_events = state.efficiency.copy(), np.zeros(len(state.state), np.int64)
        self.speed_factor, self.stop_at, self.last_progress = (
            state.speed_factor.copy(),
            state.stop_at.copy(),
            state.last_progress.copy(),
        )
        """How fast each strand may go, of its own speed; where it has to stop; where it was when that was found."""
        self.clock, self._clock_rate, self._clock_wait = (
            state.clock.copy(),
            state.clock_rate.copy(),
            state.clock_wait.copy(),
        )
        self._clocks_changed = state.clocks_changed
        self._since_regulated, self._events, self._new_events = (
            state.since_regulated,
            state.events,
            list[MeetingEvent](),
        )
        self.wants_delay_reason = state.wants_delay_reason
        """Whether it is worth while to see what is in somebody's way, as a delay is told of next time."""
        self._is_at_goal = ~np.isnan(self._reached_at)
        self._needs_deadlock_check = False  # that changes when one is active or fails, or somebody is held for long
        goals = plan.goal_channel, plan.goal_progress, plan.goal_offsets, plan.waits_for_bodies
        self._goal_arrays = *goals, self._state
        self._regulation_inputs = (
            *goals,
            plan.patience,
            plan.nominal_speed,
            plan.min_speed_factor,
            plan.reaction,
            plan.follower_channels,
            self._state,
        )
        self._own_times, self._meeting_times = np.empty(len(plan.goal_progress)), np.empty(len(state.state))
        delays = self._late_for, self._blocked_for, self._waiting_for, self._previous_distance, self._delay_cause
        speeds = (
            self._efficiency,
            self.speed_factor,
            self.stop_at,
            self._own_times,
            self._meeting_times,
            self._delay_events,
        )
        self._regulation_state = self._reached_at, self._is_early, *delays, *speeds
        goal_states = self._state, self._reached_at, self._is_early, self._holds_target
        self._stop_inputs = *goals, plan.gates, *goal_states, *plan.channel_order, self.stop_at
        self._has_new_body_meetings = False

    def freeze(self) -> SyncState:
        """All of it as it is now, for good."""
        reached_at = np.where(np.isnan(self._reached_at), -1.0, self._reached_at)
        if self._new_events:  # else all ticks share what was told
            self._events, self._new_events = (*self._events, *self._new_events), []
        state = SyncState(
            self._state.copy(),
            reached_at,
            self._is_early.copy(),
            self._holds_target.copy(),
            self._late_for.copy(),
            self._blocked_for.copy(),
            self._waiting_for.copy(),
            self._previous_distance.copy(),
            self._delay_cause.copy(),
            self._efficiency.copy(),
            self.speed_factor.copy(),
            self.stop_at.copy(),
            self.last_progress.copy(),
            self.clock.copy(),
            self._clock_rate.copy(),
            self._clock_wait.copy(),
            self._clocks_changed,
            self._since_regulated,
            self.wants_delay_reason,
            self._events,
        )
        for value in vars(state).values():
            if isinstance(value, np.ndarray):
                value.flags.writeable = False
        return state

    @property
    def goals(self) -> GoalArrays:
        """All goals: their strands, where they are, where those of each meeting begin, whose, states, who is early.

        And where targets stay until their bodies have come, which whoever moves them says.
        """
        return *self._goal_arrays, self._is_early, self._holds_target

    def begin(self, progress: Floats, time: float) -> None:
        """Let the first meetings be active, where targets are at `progress` (races,)."""
        all_progress = self._all_progress(progress)
        self.last_progress[:] = np.minimum(self.last_progress, all_progress)  # what was gone before a change counts
        self._advance_meetings(all_progress, time)
        self._kernels["update_stops"](all_progress, *self._stop_inputs)

    def set_initial_speeds(self, progress: Floats, distance_left: Floats, is_new: Bools, time: float) -> None:
        """Let targets that are new (races,) go at their shares from the first moment on, and clocks if that is now.

        Who is on its way already comes to another speed smoothly.
        """
        plan, is_first = self._plan, time == 0.0
        all_new = np.concatenate([is_new, np.full(len(self.clock), is_first)])
        if not all_new.any():
            return
        self._fill_clock_distances(distance_left)
        progress = self._all_progress(progress)
        goals = (
            plan.goal_channel,
            plan.goal_progress,
            plan.goal_offsets,
            plan.waits_for_bodies,
            plan.nominal_speed,
            plan.min_speed_factor,
            plan.follower_channels,
        )
        state = (
            self._state,
            self._reached_at,
            self._is_early,
            self._efficiency,
            self.speed_factor,
            self._own_times,
            self._meeting_times,
        )
        self._kernels["set_initial_speeds"](progress, distance_left, all_new, *goals, *state)
        self._update_stops(progress)
        if is_first:
            self._clock_rate[:] = np.where(
                self.clock >= self.stop_at[plan.follower_channels :] - PROGRESS_TOLERANCE,
                0.0,
                self.speed_factor[plan.follower_channels :],
            )

    def _update_stops(self, progress: Floats) -> None:
        """Find again where everybody is held, once it is known who is early, and how long clocks have to wait there."""
        plan = self._plan
        if plan.has_body_meetings:  # at goals of targets only who comes or fails changes that, and is seen when it does
            self._kernels["update_stops"](progress, *self._stop_inputs)
        if len(self.clock):
            goals = (
                plan.goal_channel,
                plan.goal_progress,
                plan.goal_offsets,
                plan.gates,
                self._state,
                self._own_times,
                self._meeting_times,
            )
            self._kernels["update_clock_waits"](*goals, self.stop_at, plan.follower_channels, self._clock_wait)

    def _fill_clock_distances(self, distance_left: Floats) -> None:
        """Fill what is left to goals of clocks [s]."""
        if len(self.clock):
            plan = self._plan
            self._kernels["update_clock_times_left"](
                self.clock,
                self._clock_rate,
                plan.goal_channel,
                plan.goal_progress,
                plan.follower_channels,
                distance_left,
            )

    def _all_progress(self, progress: Floats) -> Floats:
        return np.concatenate([progress, self.clock]) if len(self.clock) else progress

    def advance_clock(self, dt: float) -> bool:
        """Let so many seconds pass; whether it is time to look. Clocks are looked at in every tick, for they go on."""
        previous, self._since_regulated = self._since_regulated, self._since_regulated + dt
        return len(self.clock) > 0 or int(self._since_regulated / CHECK_PERIOD + 1e-6) > int(
            previous / CHECK_PERIOD + 1e-6
        )

    def update(self, progress: Floats, time: float, dt: float) -> bool:
        """See who has come where, targets at `progress` (races,), clocks `dt` seconds later; whether holds changed."""
        if len(self.clock):
            return self._update_clocks(progress, time, dt)
        if self._kernels["mark_targets"](progress, *self._goal_arrays, time, self._reached_at):
            self._advance_meetings(progress, time, has_changed=True)
            return True
        return False

    def _update_clocks(self, targets: Floats, time: float, dt: float) -> bool:
        """The same where some go by clocks: who is let pass within a tick goes on as if nobody had held it."""
        follower_channels, unclamped, has_changed = self._plan.follower_channels, np.empty_like(self.clock), False
        speed_factor, stop_at = self.speed_factor[follower_channels:], self.stop_at[follower_channels:]
        self._kernels["update_clock_rates"](
            self.clock, self._clock_rate, speed_factor, stop_at, self._clock_wait, dt, unclamped
        )
        while True:
            self._kernels["clamp_clocks"](self.clock, unclamped, stop_at)
            progress = self._all_progress(targets)
            if not self._kernels["mark_targets"](progress, *self._goal_arrays, time, self._reached_at):
                self._clocks_changed |= has_changed
                return has_changed
            self._advance_meetings(progress, time, has_changed=True)
            has_changed = True

    def mark_bodies(self, distance_left: Floats, progress: Floats, time: float) -> None:
        """Mark which bodies have reached goals of meetings that have just become active, by `distance_left`."""
        self._has_new_body_meetings, plan = False, self._plan
        goals = plan.goal_channel, plan.goal_offsets, plan.waits_for_bodies, plan.nominal_speed
        self._fill_clock_distances(distance_left)
        progress = self._all_progress(progress)
        if self._kernels["mark_bodies"](
            distance_left, *goals, self._state, time, REGULATION_PERIOD, self._reached_at, self._is_early
        ):
            self._advance_meetings(progress, time, has_changed=True)
        else:  # it is known now whose targets have to stay
            self._kernels["update_stops"](progress, *self._stop_inputs)

    @property
    def wants_bodies(self) -> bool:
        """Whether a meeting of bodies has just become active: some may have come already."""
        return self._has_new_body_meetings

    @property
    def is_due(self) -> bool:
        """Whether speeds are to be regulated now: now and then, and if a clock has to know at once what is new."""
        return self._clocks_changed or self._since_regulated >= REGULATION_PERIOD * (1 - 1e-9)

    def regulate(
        self,
        progress: Floats,
        travelled: Floats,
        distance_left: Floats,
        time: float,
        delay_reason: DelayReason = _default_delay_reason,
    ) -> None:
        """Regulate all speeds, where strands are at `progress` and have `travelled` so far, so far is `distance_left`
        to each goal.

        `delay_reason` tells of a strand that stands still, or hardly moves, what is known of that, as "is stuck".
        """
        seconds = self._since_regulated
        if len(self.clock):
            progress = self._all_progress(progress)
            travelled = np.concatenate([travelled, self.clock - self.last_progress[self._plan.follower_channels :]])
            self._fill_clock_distances(distance_left)
        flags = self._kernels["regulate"](
            progress, travelled, distance_left, *self._regulation_inputs, time, seconds, *self._regulation_state
        )
        self._since_regulated, self._clocks_changed, self.wants_delay_reason = 0.0, False, bool(flags & EVENT_SOON)
        self.last_progress[:] = progress
        self._update_stops(progress)
        if flags & HAS_EVENT:
            self._needs_deadlock_check |= bool(flags & LONG_WAIT)
            self._report_delays(time, delay_reason)
            self._advance_meetings(progress, time, has_changed=True)  # of who has failed, nobody is held any more
            self._clocks_changed = len(self.clock) > 0

    # ---- from one state to the next ----------------------------------------------------------------------------------

    def _advance_meetings(self, progress: Floats, time: float, has_changed: bool = False) -> None:
        """Let meetings go on from state to state, and fail that hold each other up, until nothing changes."""
        is_changed = self._advance_states(progress, time) or has_changed
        while self._needs_deadlock_check and self._break_deadlock(progress, time):
            self._advance_states(progress, time)
            is_changed = True
        if is_changed:
            self._kernels["update_stops"](progress, *self._stop_inputs)

    def _advance_states(self, progress: Floats, time: float) -> bool:
        """Let meetings be done, others active, and fail that come after too many that have; whether any did."""
        plan, next_states, has_changed = self._plan, np.empty_like(self._state), False
        while True:
            is_at_goal = ~np.isnan(self._reached_at)
            for goal in np.flatnonzero(is_at_goal & ~self._is_at_goal).tolist():
                meeting = int(np.searchsorted(plan.goal_offsets, goal, side="right")) - 1
                self._report(time, plan.goal_actors[goal], meeting, "reached", "Has come to its goal of meeting {}.")
            self._is_at_goal = is_at_goal
            if not self._kernels["update_meeting_states"](
                self._state, self._reached_at, *plan.graph_arrays, next_states
            ):
                return has_changed
            has_changed = True
            for meeting in np.flatnonzero(next_states != self._state).tolist():
                if next_states[meeting] == DONE:
                    self._complete(meeting, time)
                elif next_states[meeting] == ACTIVE:
                    self._activate(meeting, progress, time)
                else:
                    self._fail_after_parents(meeting, time)

    def _activate(self, meeting: int, progress: Floats, time: float) -> None:
        plan = self._plan
        self._state[meeting], self._needs_deadlock_check = ACTIVE, True
        self._has_new_body_meetings |= bool(plan.waits_for_bodies[meeting])
        goals = plan.goals_of(meeting)
        for goal in goals:
            if (
                progress[plan.goal_channel[goal]] >= plan.goal_progress[goal] - PROGRESS_TOLERANCE
                and not plan.waits_for_bodies[meeting]
            ):
                self._reached_at[goal] = time
        names = dict.fromkeys(plan.goal_actors[goal] for goal in goals)
        description = f"{_join_names(names)} {'is on its' if len(names) == 1 else 'are on their'} way"
        self._report(time, plan.goal_actors[goals.start], meeting, "active", f"Meeting {{}} is active: {description}.")

    def _complete(self, meeting: int, time: float) -> None:
        plan, goals = self._plan, self._plan.goals_of(meeting)
        self._state[meeting] = DONE
        reached_at = self._reached_at[goals.start : goals.stop]
        last = plan.goal_actors[goals.start + int(np.argmax(reached_at))]
        self._report(
            time, last, meeting, "done", f"Meeting {{}} is done, {np.ptp(reached_at):.3g} s after the first came."
        )

    # ---- when it goes wrong ------------------------------------------------------------------------------------------

    def _report_delays(self, time: float, delay_reason: DelayReason) -> None:
        """Tell of meetings that wait for somebody who hardly moves, or moves again, or has stood for too long."""
        plan = self._plan
        for meeting in np.flatnonzero(self._delay_events).tolist():
            goals, event = plan.goals_of(meeting), int(self._delay_events[meeting])
            causes = {
                EVENT_LATE: (SLOW, BLOCKED, OUTPACED),
                EVENT_RESUMED: (RESUMED,),
                EVENT_FAILED: (BLOCKED, OUTPACED),
            }[event]
            delayed_actors = dict[str, int]()
            for goal in goals:
                if self._delay_cause[goal] in causes:
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
        """What is told of somebody who is to blame for a delay."""
        if self._delay_cause[goal] == OUTPACED:
            return "comes no nearer to its goal"
        return delay_reason(
            self._plan.channels[self._plan.goal_channel[goal]], bool(self._delay_cause[goal] == BLOCKED)
        )

    def _fail_after_parents(self, meeting: int, time: float) -> None:
        """Let a meeting fail that comes after too many that have."""
        plan = self._plan
        names = _join_names(plan.names[parent] for parent in plan.parents[meeting] if self._state[parent] == FAILED)
        actor = plan.goal_actors[plan.goal_offsets[meeting]]
        self._fail(meeting, actor, f"Meeting {{}} has failed: it comes after {names}.", time)

    def _break_deadlock(self, progress: Floats, time: float) -> bool:
        """Let meetings fail that hold each other up, where somebody has stood so for a while; whether any did."""
        self._needs_deadlock_check = False
        candidates = (self._waiting_for >= DEADLOCK_CHECK_AFTER * (1 - 1e-9)) & (self._state == ACTIVE)
        plan, state = self._plan, (self._state, self._reached_at, self._is_early, self._holds_target)
        if not candidates.any() or not self._kernels["has_deadlock"](
            candidates, progress, *plan.deadlock_arrays, *state
        ):
            return False
        cycle = Deadlocks(plan, *state, progress).find_cycle(np.flatnonzero(candidates).tolist())
        for meeting in sorted(meeting_index for meeting_index in cycle if self._state[meeting_index] == ACTIVE):
            others = _join_names(plan.names[other] for other in sorted(cycle) if other != meeting)
            text = f"Meeting {{}} has failed: it and {others} wait for each other."
            self._fail(meeting, plan.goal_actors[plan.goal_offsets[meeting]], text, time)
        return bool(cycle)

    def _fail(self, meeting: int, actor: str, text: str, time: float) -> None:
        self._state[meeting], self._needs_deadlock_check = FAILED, True
        self._report(time, actor, meeting, "failed", text)

    def _report(self, time: float, actor: str, meeting: int, state: MeetingState, text: str) -> None:
        name = self._plan.names[meeting]
        self._new_events.append(meeting_event(time, actor, name, state, text.replace("{}", repr(name))))


def _join_names(names: Any) -> str:
    *others, last = [repr(name) for name in names] or [""]
    return f"{', '.join(others)} and {last}" if others else last


def _conjugate(verb: str, names: Sized) -> str:
    return verb if len(names) > 1 else "goes" if verb == "go" else f"{verb}s"


_kernels: "WeakKeyDictionary[Plan, dict[str, Any]]" = WeakKeyDictionary()


def rule_kernels(plan: Plan) -> dict[str, Any]:
    """The compiled loops over the arrays of a plan, by their names; the same ones for the same plan."""
    from keypose.script.sync.kernels.clock_rates import (
        clamp_clocks,
        update_clock_rates,
        update_clock_times_left,
        update_clock_waits,
    )
    from keypose.script.sync.kernels.deadlock import has_deadlock
    from keypose.script.sync.kernels.step import (
        mark_bodies,
        mark_targets,
        regulate,
        set_initial_speeds,
        update_meeting_states,
        update_stops,
    )

    if plan not in _kernels:
        found = (
            mark_bodies,
            update_meeting_states,
            update_stops,
            mark_targets,
            regulate,
            set_initial_speeds,
            has_deadlock,
            update_clock_rates,
            clamp_clocks,
            update_clock_times_left,
            update_clock_waits,
        )
        kernels: dict[str, Any] = {}
        for one in found:
            kernels[one.__name__] = fast_call(one, partial(kernels.__setitem__, one.__name__))
        _kernels[plan] = kernels  # only when complete: other threads may look for it meanwhile
    return _kernels[plan]
