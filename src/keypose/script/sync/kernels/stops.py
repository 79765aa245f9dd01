"""Kernels of `rules.stops`: where each channel stops."""

from keypose.maths import PROGRESS_TOLERANCE, Floats, kernel
from keypose.motion import ACTIVE, DONE, FAILED, NO_STOP, WAITING, SyncGraph, SyncRecords
from keypose.script.sync.rules.stops import LOOKAHEAD_GOALS


@kernel
def update_stops(graph: SyncGraph, records: SyncRecords, progress: Floats) -> None:
    """Update where each channel stops, at `progress` (channels,): see `rules.stops.find_stop`."""
    for channel in range(len(graph.channels)):
        records.channels[channel].stop_at = NO_STOP
    for number in range(len(graph.meetings)):
        meeting, state = graph.meetings[number], records.meetings[number].state
        is_gate = state == WAITING and meeting.is_gate
        if not is_gate and state != ACTIVE:
            continue
        is_one_missing = not is_gate and not meeting.waits_for_bodies and has_one_missing(graph, records, number)
        for goal_number in range(meeting.first_goal, meeting.end_goal):
            goal, goal_state = graph.goals[goal_number], records.goals[goal_number]
            channel_state, stop = records.channels[goal.channel], goal.progress
            stops = progress[goal.channel] <= stop + PROGRESS_TOLERANCE
            if state == ACTIVE and meeting.waits_for_bodies:
                stops = goal_state.is_early or (goal_state.holds_target and stops)
            elif is_one_missing and goal_state.reached_at < 0.0:
                stop = next_stop(graph, records, goal.rank + 1, graph.channels[goal.channel].end_rank)
            if stops:
                channel_state.stop_at = min(channel_state.stop_at, stop)


@kernel
def has_one_missing(graph: SyncGraph, records: SyncRecords, number: int) -> bool:
    """Whether all participants of a meeting but one have reached their goals."""
    missing, meeting = 0, graph.meetings[number]
    for goal in range(meeting.first_goal, meeting.end_goal):
        missing += records.goals[goal].reached_at < 0.0
    return missing == 1


@kernel
def next_stop(graph: SyncGraph, records: SyncRecords, rank: int, end_rank: int) -> float:
    """Where a channel may have to stop next, from one of its goals on: see `rules.stops.next_stop`."""
    last = min(end_rank, rank + LOOKAHEAD_GOALS)
    while rank < last:
        goal, goal_state = graph.goals[graph.channel_goals[rank]], records.goals[graph.channel_goals[rank]]
        meeting, state = graph.meetings[goal.meeting], records.meetings[goal.meeting].state
        can_pass = state in (DONE, FAILED)
        if meeting.waits_for_bodies:
            can_pass |= not goal_state.is_early and not meeting.is_gate
        elif state == WAITING:
            can_pass |= not meeting.is_gate and meeting.end_goal == meeting.first_goal + 1
        elif state == ACTIVE:
            can_pass |= goal_state.reached_at < 0.0 and has_one_missing(graph, records, goal.meeting)
        if not can_pass:
            return float(goal.progress)
        rank += 1
    return float(graph.goals[graph.channel_goals[last]].progress) if last < end_rank else NO_STOP
