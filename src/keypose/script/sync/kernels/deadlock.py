"""Kernel of `rules.deadlock.has_deadlock`, which is asked often."""

from typing import Any

import numpy as np

from keypose.maths import PROGRESS_TOLERANCE, Bools, Floats, kernel
from keypose.motion import ACTIVE, DONE, WAITING, SyncGraph, SyncRecords


@kernel
def has_deadlock(graph: SyncGraph, records: SyncRecords, progress: Floats, candidates: Bools) -> bool:
    """Whether any of the `candidates` (meetings,) can never be done, as meetings wait for each other.

    Round after round it finds the meetings that can be done, until there are no more.
    """
    can_happen, has_changed = np.zeros(len(graph.meetings), np.bool_), True
    for number in range(len(graph.meetings)):
        can_happen[number] = records.meetings[number].state == DONE
    while has_changed:
        has_changed = False
        for number in range(len(graph.meetings)):
            meeting, state = graph.meetings[number], records.meetings[number].state
            if can_happen[number] or (state != WAITING and state != ACTIVE):
                continue
            is_free = True
            if state == WAITING:
                ready = 0
                for index in range(meeting.first_parent, meeting.end_parent):
                    ready += can_happen[graph.parents[index]]
                is_free = ready >= meeting.need
            else:
                for goal in range(meeting.first_goal, meeting.end_goal):
                    is_free &= can_reach(graph, records, progress, goal, can_happen)
            if is_free:
                can_happen[number] = has_changed = True
    return bool((candidates & ~can_happen).any())


@kernel
def can_reach(graph: SyncGraph, records: SyncRecords, progress: Floats, number: int, can_happen: Bools) -> bool:
    """Whether a channel can reach one of its goals: the meetings `can_happen` that stop it before that."""
    goal = graph.goals[number]
    channel, channel_progress = graph.channels[goal.channel], progress[goal.channel]
    if records.goals[number].reached_at >= 0.0 or channel_progress >= goal.progress - PROGRESS_TOLERANCE:
        return True
    for rank in range(channel.first_rank, channel.end_rank):
        earlier_number = graph.channel_goals[rank]
        earlier = graph.goals[earlier_number]
        if earlier.progress >= goal.progress:
            break
        if earlier.meeting != goal.meeting and not can_happen[earlier.meeting]:
            meeting, state = graph.meetings[earlier.meeting], records.meetings[earlier.meeting].state
            is_before = channel_progress <= earlier.progress + PROGRESS_TOLERANCE
            if is_blocking(meeting, state, records.goals[earlier_number], is_before):
                return False
    return True


@kernel
def is_blocking(meeting: Any, state: int, goal_state: Any, is_before: bool) -> bool:
    """Whether a channel stops at its goal of a meeting, or will: the kernel of `rules.deadlock.is_blocking`.

    `is_before` tells whether the channel has not passed the goal.
    """
    if state == ACTIVE and meeting.waits_for_bodies:
        return bool(goal_state.is_early or (goal_state.holds_target and is_before))
    if state != ACTIVE and not (state == WAITING and meeting.is_gate):
        return False
    return is_before
