"""Which goals are reached, and the next state of each meeting (LG95 §5). `kernels.arrivals` does the same, compiled."""

from collections.abc import Sequence

import numpy as np

from keypose.maths import PROGRESS_TOLERANCE, Bools, Floats, Ints
from keypose.motion import ACTIVE, DONE, FAILED, NOT_REACHED, WAITING, SyncGraph, SyncRecords
from keypose.script.sync.rules.speed_factors import MAX_EFFICIENCY


def mark_targets(graph: SyncGraph, records: SyncRecords, progress: Floats, time: float) -> bool:
    """Mark the goals of active meetings that targets or clocks have reached; return whether any is new."""
    is_new = _open_goals(graph, records, of_bodies=False) & (
        progress[graph.goals["channel"]] >= graph.goals["progress"] - PROGRESS_TOLERANCE
    )
    records.goals["reached_at"][is_new] = time
    return bool(is_new.any())


def mark_bodies(graph: SyncGraph, records: SyncRecords, distance_left: Floats, time: float, seconds: float) -> bool:
    """Mark the goals of active meetings that bodies have reached; return whether any is new.

    A body that has reached its goal in the last `seconds` waits there for the others.
    """
    is_new = _open_goals(graph, records, of_bodies=True) & (distance_left <= 0.0)
    for goal in np.flatnonzero(is_new).tolist():
        nominal_speed = graph.channels[graph.goals[goal].channel].nominal_speed
        records.goals[goal].reached_at = time
        records.goals[goal].is_early = is_new_arrival(distance_left[goal], nominal_speed, seconds)
    return bool(is_new.any())


def _open_goals(graph: SyncGraph, records: SyncRecords, of_bodies: bool) -> Bools:
    """(goals,) whether each is a goal of an active meeting, of bodies or of targets, and not reached yet."""
    is_active = (records.meetings["state"] == ACTIVE) & (graph.meetings["waits_for_bodies"] == of_bodies)
    is_open: Bools = is_active[graph.goals["meeting"]] & (records.goals["reached_at"] == NOT_REACHED)
    return is_open


def is_new_arrival(distance_left: float, nominal_speed: float, seconds: float) -> bool:
    """Whether a body has reached its goal in the last `seconds`, and not before: then it waits there."""
    return bool(-MAX_EFFICIENCY * nominal_speed * seconds < distance_left <= 0)


def update_meeting_states(graph: SyncGraph, records: SyncRecords, next_states: Ints) -> bool:
    """Fill `next_states` (meetings,) with the state of each meeting after this one; return whether any is another."""
    states = records.meetings["state"]
    for number, meeting in enumerate(graph.meetings):
        is_complete = bool((records.goals["reached_at"][meeting.first_goal : meeting.end_goal] != NOT_REACHED).all())
        parent_states = states[graph.parents[meeting.first_parent : meeting.end_parent]].tolist()
        next_states[number] = next_meeting_state(int(states[number]), is_complete, parent_states, int(meeting.need))
    return bool((next_states != states).any())


def next_meeting_state(state: int, is_complete: bool, parent_states: Sequence[int], need: int) -> int:
    """The state of a meeting after `state`: the same one, if nothing has changed.

    It is done when all its goals are reached, active when as many of its parents are done as it needs, and failed when
    too many of them have failed.
    """
    if state == ACTIVE and is_complete:
        return DONE
    if state == WAITING and parent_states.count(DONE) >= need:
        return ACTIVE
    if state == WAITING and len(parent_states) - parent_states.count(FAILED) < need:
        return FAILED
    return state
