"""A plan of meetings, and how it is kept: what a system of bodies or clocks asks for."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import numpy as np

from keypose.maths import PROGRESS_TOLERANCE, Floats
from keypose.motion import NO_STOP, MeetingEvent
from keypose.script.meeting import Meeting, TurnGoal
from keypose.script.plan import Plan, StartProgress, TargetParameters
from keypose.script.sync.state import SyncState
from keypose.script.sync.synchronizer import Synchronizer

PlanAndState = tuple[Plan, SyncState]


@dataclass(frozen=True, eq=False)
class SyncPlan(Plan):
    """A plan, and how it is kept."""

    def initial_state(self, time: float, previous: PlanAndState | None = None) -> SyncState:
        """What is kept from a time [s] on; where that was another plan before, it goes on."""
        return initial_sync_state(self, time) if previous is None else resume_sync_state(self, time, *previous)

    def find_start_progress(
        self, time: float, previous: tuple[Any, SyncState] | None, target_parameters: TargetParameters
    ) -> StartProgress:
        """Where those who go in rounds are when meetings are said: by their clocks, or how far they have gone round.

        At a time [s], if it was not before; `target_parameters` says where the targets of followers are on their paths.
        """
        plan = None if previous is None else previous[0]
        clocks = (
            {} if previous is None else dict(zip(previous[0].clocked_motions, previous[1].clock.tolist(), strict=True))
        )
        start_progress: dict[tuple[str, str], float] = {}
        for meeting in self.script:
            is_same = plan is not None and _is_same_meeting(meeting, plan)
            for name, goal in meeting.goals.items():
                participant = self.participants[name]
                if not participant.lap_length:
                    continue
                if participant.motion is None:
                    is_known, progress = (
                        name in target_parameters,
                        participant.lap_progress(target_parameters.get(name), isinstance(goal, TurnGoal)),
                    )
                else:
                    is_known, progress = name in clocks, clocks.get(name, time)
                if plan is not None and is_same and is_known:
                    progress = plan.start_progress.get((meeting.name, name), 0.0)
                if progress:
                    start_progress[meeting.name, name] = progress
        return start_progress

    @cached_property
    def synchronizer(self) -> Callable[[SyncState], Synchronizer]:
        """Appointments to be kept for some ticks, from a state on."""
        return partial(Synchronizer, self)

    def events(self, state: SyncState) -> tuple[MeetingEvent, ...]:
        """What was worth telling so far."""
        return state.events

    def speed_factors(self, state: SyncState) -> Floats:
        """(strands,) which share of its own speed each goes at; 0 for who is held."""
        progress, speed_factors = state.last_progress.copy(), state.speed_factor.copy()
        progress[self.follower_channels :], speed_factors[self.follower_channels :] = state.clock, state.clock_rate
        return np.where(progress >= state.stop_at - PROGRESS_TOLERANCE, 0.0, speed_factors)

    def clock_times(self, state: SyncState) -> Floats:
        """(clocks,) what time it is for each motion that goes by its own [s]."""
        return state.clock


def initial_sync_state(plan: Plan, time: float) -> SyncState:
    """All appointments before the first tick, at a time [s]: that of all clocks, too."""
    meetings, goals, channels = len(plan.names), len(plan.goal_progress), len(plan.channels)
    no_stops = np.full(channels, NO_STOP)
    return SyncState(
        np.zeros(meetings, np.int64),
        np.full(goals, -1.0),
        np.zeros(goals, np.bool_),
        np.zeros(goals, np.bool_),
        np.zeros(meetings),
        np.zeros(meetings),
        np.zeros(meetings),
        np.full(goals, np.inf),
        np.zeros(goals, np.int64),
        np.ones(channels),
        np.ones(channels),
        no_stops,
        no_stops.copy(),
        np.full(channels - plan.follower_channels, time),
        np.ones(channels - plan.follower_channels),
        np.zeros(channels - plan.follower_channels),
        False,
        0.0,
        False,
        (),
    )


def _is_same_meeting(meeting: Meeting, previous_plan: Plan) -> bool:
    """Whether a meeting was there before, with the same goals."""
    return meeting.name in previous_plan.script and previous_plan.script[meeting.name].goals == meeting.goals


def resume_sync_state(plan: Plan, time: float, previous_plan: Plan, previous: SyncState) -> SyncState:
    """What is kept where the plan was another one before: of meetings and strands that are still there, as it was."""
    resumed = initial_sync_state(plan, time)
    previous_rows = {name: number for number, name in enumerate(previous_plan.names)}
    is_same_script = plan.script == previous_plan.script and np.array_equal(
        plan.goal_progress, previous_plan.goal_progress
    )
    for number, name in enumerate(plan.names):
        if _is_same_meeting(plan.script[name], previous_plan):
            goals, previous_goals = plan.goals_of(number), previous_plan.goals_of(previous_rows[name])
            resumed.state[number] = previous.state[previous_rows[name]]
            resumed.late_for[number], resumed.blocked_for[number] = (
                previous.late_for[previous_rows[name]],
                previous.blocked_for[previous_rows[name]],
            )
            if is_same_script:  # else it is looked again who holds whom up
                resumed.waiting_for[number] = previous.waiting_for[previous_rows[name]]
                resumed.previous_distance[goals.start : goals.stop] = previous.previous_distance[
                    previous_goals.start : previous_goals.stop
                ]
            resumed.reached_at[goals.start : goals.stop] = previous.reached_at[
                previous_goals.start : previous_goals.stop
            ]
            resumed.is_early[goals.start : goals.stop] = previous.is_early[previous_goals.start : previous_goals.stop]
            resumed.holds_target[goals.start : goals.stop] = previous.holds_target[
                previous_goals.start : previous_goals.stop
            ]
            resumed.delay_cause[goals.start : goals.stop] = previous.delay_cause[
                previous_goals.start : previous_goals.stop
            ]
    previous_channels = {channel: number for number, channel in enumerate(previous_plan.channels)}
    for number, channel in enumerate(plan.channels):
        row = previous_channels.get(channel)
        if row is not None and (number < plan.follower_channels) == (row < previous_plan.follower_channels):
            for values, previous_values in (
                (resumed.efficiency, previous.efficiency),
                (resumed.speed_factor, previous.speed_factor),
                (resumed.last_progress, previous.last_progress),
            ):
                values[number] = previous_values[row]
            if number >= plan.follower_channels:
                clock, previous_clock = number - plan.follower_channels, row - previous_plan.follower_channels
                resumed.clock[clock], resumed.clock_rate[clock] = (
                    previous.clock[previous_clock],
                    previous.clock_rate[previous_clock],
                )
                resumed.clock_wait[clock] = previous.clock_wait[previous_clock]
    clocks_changed = previous.clocks_changed or (not is_same_script and plan.follower_channels < len(plan.channels))
    return replace(
        resumed,
        clocks_changed=clocks_changed,
        since_regulated=previous.since_regulated,
        wants_delay_reason=previous.wants_delay_reason,
        events=previous.events,
    )
