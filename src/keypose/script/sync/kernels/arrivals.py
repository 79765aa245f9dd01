"""Kernels of `rules.arrivals`: which goals are reached, and the next state of each meeting."""

from keypose.maths import PROGRESS_TOLERANCE, Floats, Ints, kernel
from keypose.motion import ACTIVE, DONE, FAILED, WAITING, SyncGraph, SyncRecords
from keypose.script.sync.rules.speed_factors import MAX_EFFICIENCY


@kernel
def mark_targets(graph: SyncGraph, records: SyncRecords, progress: Floats, time: float) -> bool:
    """Mark the goals of active meetings that targets or clocks have reached; return whether any is new."""
    has_changed = False
    for number in range(len(graph.meetings)):
        meeting = graph.meetings[number]
        if records.meetings[number].state != ACTIVE or meeting.waits_for_bodies:
            continue
        for goal_number in range(meeting.first_goal, meeting.end_goal):
            goal, goal_state = graph.goals[goal_number], records.goals[goal_number]
            if goal_state.reached_at < 0.0 and progress[goal.channel] >= goal.progress - PROGRESS_TOLERANCE:
                goal_state.reached_at, has_changed = time, True
    return has_changed


@kernel
def mark_bodies(graph: SyncGraph, records: SyncRecords, distance_left: Floats, time: float, seconds: float) -> bool:
    """Mark the goals of active meetings that bodies have reached; return whether any is new.

    A body that has reached its goal in the last `seconds` waits there for the others.
    """
    has_changed = False
    for number in range(len(graph.meetings)):
        meeting = graph.meetings[number]
        if records.meetings[number].state != ACTIVE or not meeting.waits_for_bodies:
            continue
        for goal_number in range(meeting.first_goal, meeting.end_goal):
            goal, goal_state = graph.goals[goal_number], records.goals[goal_number]
            if goal_state.reached_at < 0.0 and distance_left[goal_number] <= 0.0:
                goal_state.reached_at, has_changed = time, True
                nominal_speed = graph.channels[goal.channel].nominal_speed
                goal_state.is_early = distance_left[goal_number] > -MAX_EFFICIENCY * nominal_speed * seconds
    return has_changed


@kernel
def update_meeting_states(graph: SyncGraph, records: SyncRecords, next_states: Ints) -> bool:
    """Fill `next_states` (meetings,) with the state of each meeting after this one; return whether any is another."""
    has_changed = False
    for number in range(len(graph.meetings)):
        meeting, state = graph.meetings[number], records.meetings[number].state
        next_states[number] = state
        if state == ACTIVE:
            is_done = True
            for goal in range(meeting.first_goal, meeting.end_goal):
                is_done &= records.goals[goal].reached_at >= 0.0
            if is_done:
                next_states[number] = DONE
        elif state == WAITING:
            done = possible = 0
            for index in range(meeting.first_parent, meeting.end_parent):
                parent_state = records.meetings[graph.parents[index]].state
                done += parent_state == DONE
                possible += parent_state != FAILED
            if done >= meeting.need:
                next_states[number] = ACTIVE
            elif possible < meeting.need:
                next_states[number] = FAILED
        has_changed |= next_states[number] != state
    return has_changed
