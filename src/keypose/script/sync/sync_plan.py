"""A plan of meetings with its synchronization: what a system of bodies or clocks asks for."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import numpy as np

from keypose.maths import PROGRESS_TOLERANCE, Floats
from keypose.motion import (
    CHANNEL_STATE,
    CLOCK_STATE,
    GOAL_STATE,
    MEETING_STATE,
    NO_STOP,
    NOT_REACHED,
    MeetingEvent,
    SyncRecords,
)
from keypose.script.meeting import Meeting, TurnGoal
from keypose.script.plan import Plan, StartProgress, TargetParameters
from keypose.script.sync.state import SyncState
from keypose.script.sync.synchronizer import Synchronizer

PlanAndState = tuple[Plan, SyncState]


@dataclass(frozen=True, eq=False)
class SyncPlan(Plan):
    """A plan, and its states."""

    def initial_state(self, time: float, previous: PlanAndState | None = None) -> SyncState:
        """The state at a time [s]; after a change of plan that of `previous` continues."""
        return initial_sync_state(self, time) if previous is None else resume_sync_state(self, time, *previous)

    def find_start_progress(
        self, time: float, previous: tuple[Any, SyncState] | None, target_parameters: TargetParameters
    ) -> StartProgress:
        """The progress of laps when meetings are given: times of clocks, or parameters of targets on closed paths.

        That of a meeting that was there before stays; that of another one is the one at `time` [s].
        """
        plan = None if previous is None else previous[0]
        clocks = (
            {}
            if previous is None
            else dict(zip(previous[0].clocked_motions, previous[1].records.clocks["time"].tolist(), strict=True))
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
        """Makes a synchronizer that continues from a state."""
        return partial(Synchronizer, self)

    def events(self, state: SyncState) -> tuple[MeetingEvent, ...]:
        """All events so far."""
        return state.events

    def speed_factors(self, state: SyncState) -> Floats:
        """(channels,) of the nominal speed; 0 at a stop."""
        channels, clocks = state.records.channels, state.records.clocks
        progress, speed_factors = channels["last_progress"].copy(), channels["speed_factor"].copy()
        progress[self.follower_channels :], speed_factors[self.follower_channels :] = clocks["time"], clocks["rate"]
        return np.where(progress >= channels["stop_at"] - PROGRESS_TOLERANCE, 0.0, speed_factors)

    def clock_times(self, state: SyncState) -> Floats:
        """(clocks,) the time of each motion with a clock of its own [s]."""
        times: Floats = state.records.clocks["time"]
        return times


def initial_sync_state(plan: Plan, time: float) -> SyncState:
    """The state of all meetings before the first tick, at a time [s]: that of all clocks, too."""
    records = SyncRecords(
        np.zeros(len(plan.graph.meetings), MEETING_STATE),
        np.zeros(len(plan.graph.goals), GOAL_STATE),
        np.zeros(len(plan.graph.channels), CHANNEL_STATE),
        np.zeros(len(plan.channels) - plan.follower_channels, CLOCK_STATE),
    )
    records.goals["reached_at"][:], records.goals["previous_distance"][:] = NOT_REACHED, np.inf
    records.channels["efficiency"][:] = records.channels["speed_factor"][:] = 1.0
    records.channels["stop_at"][:] = records.channels["last_progress"][:] = NO_STOP
    records.clocks["time"][:], records.clocks["rate"][:] = time, 1.0
    return SyncState(records, clocks_changed=False, since_regulated=0.0, wants_delay_reason=False, events=())


def _is_same_meeting(meeting: Meeting, previous_plan: Plan) -> bool:
    """Whether a meeting was there before, with the same goals."""
    return meeting.name in previous_plan.script and previous_plan.script[meeting.name].goals == meeting.goals


def resume_sync_state(plan: Plan, time: float, previous_plan: Plan, previous: SyncState) -> SyncState:
    """The state after a change of plan: meetings and channels that are still there continue."""
    resumed = initial_sync_state(plan, time)
    is_same_script = plan.script == previous_plan.script and np.array_equal(
        plan.goal_progress, previous_plan.goal_progress
    )
    _resume_meetings(plan, resumed.records, previous_plan, previous.records, is_same_script)
    _resume_channels(plan, resumed.records, previous_plan, previous.records)
    clocks_changed = previous.clocks_changed or (not is_same_script and plan.follower_channels < len(plan.channels))
    return replace(previous, records=resumed.records, clocks_changed=clocks_changed)


def _resume_meetings(
    plan: Plan, records: SyncRecords, previous_plan: Plan, previous: SyncRecords, is_same_script: bool
) -> None:
    """Copy the states of meetings with the same goals, and of these goals."""
    previous_rows = {name: number for number, name in enumerate(previous_plan.names)}
    for number, name in enumerate(plan.names):
        if not _is_same_meeting(plan.script[name], previous_plan):
            continue
        goals, previous_goals = plan.goals_of(number), previous_plan.goals_of(previous_rows[name])
        records.meetings[number] = previous.meetings[previous_rows[name]]
        records.goals[goals.start : goals.stop] = previous.goals[previous_goals.start : previous_goals.stop]
        if not is_same_script:  # which channels stop others is found again
            records.meetings[number].waiting_for = 0.0
            records.goals["previous_distance"][goals.start : goals.stop] = np.inf


def _resume_channels(plan: Plan, records: SyncRecords, previous_plan: Plan, previous: SyncRecords) -> None:
    """Copy the states of channels that were there before, and of their clocks."""
    previous_channels = {channel: number for number, channel in enumerate(previous_plan.channels)}
    for number, channel in enumerate(plan.channels):
        row, clock = previous_channels.get(channel), number - plan.follower_channels
        if row is None or (clock < 0) != (row < previous_plan.follower_channels):
            continue
        records.channels[number] = previous.channels[row]
        records.channels[number].stop_at = NO_STOP
        if clock >= 0:
            records.clocks[clock] = previous.clocks[row - previous_plan.follower_channels]
