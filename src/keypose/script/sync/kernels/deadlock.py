"""Compiled loop: can all meetings be that somebody asks for? The twin of what `Deadlocks` finds, for it is asked
often.
"""

import numpy as np

from keypose.maths import PROGRESS_TOLERANCE, Bools, Floats, Ints, kernel
from keypose.motion import ACTIVE, DONE, WAITING


@kernel
def has_deadlock(
    candidates: Bools,
    progress: Floats,
    goal_channel: Ints,
    goal_progress: Floats,
    goal_offsets: Ints,
    waits_for_bodies: Bools,
    gates: Bools,
    meeting_of: Ints,
    channel_goals: Ints,
    channel_offsets: Ints,
    parents: Ints,
    parent_offsets: Ints,
    needs: Ints,
    state: Ints,
    reached_at: Floats,
    is_early: Bools,
    holds_target: Bools,
) -> bool:
    """Whether some of those who ask (meetings,) can never be, as they and others wait for each other.

    Goals stand strand by strand in `channel_goals`, from the first on, each strand's from its `channel_offsets`; the
    parents of each meeting in `parents`, from where it is `parent_offsets`. What can be is found round after round,
    until nothing more can.
    """
    can_happen, has_changed = state == DONE, True
    while has_changed:
        has_changed = False
        for meeting in range(len(state)):
            if can_happen[meeting] or (state[meeting] != WAITING and state[meeting] != ACTIVE):
                continue
            is_free = True
            if state[meeting] == WAITING:
                ready = 0
                for number in range(parent_offsets[meeting], parent_offsets[meeting + 1]):
                    ready += can_happen[parents[number]]
                is_free = ready >= needs[meeting]
            else:
                for goal in range(goal_offsets[meeting], goal_offsets[meeting + 1]):
                    if (
                        not np.isnan(reached_at[goal])
                        or progress[goal_channel[goal]] >= goal_progress[goal] - PROGRESS_TOLERANCE
                    ):
                        continue
                    for number in range(channel_offsets[goal_channel[goal]], channel_offsets[goal_channel[goal] + 1]):
                        earlier = channel_goals[number]
                        if goal_progress[earlier] >= goal_progress[goal]:
                            break
                        other = meeting_of[earlier]
                        if other != meeting and not can_happen[other]:
                            is_free &= not is_blocking(
                                earlier,
                                other,
                                progress,
                                goal_channel,
                                goal_progress,
                                waits_for_bodies,
                                gates,
                                state,
                                is_early,
                                holds_target,
                            )
            if is_free:
                can_happen[meeting] = has_changed = True
    return bool((candidates & ~can_happen).any())


@kernel
def is_blocking(
    goal: int,
    meeting: int,
    progress: Floats,
    goal_channel: Ints,
    goal_progress: Floats,
    waits_for_bodies: Bools,
    gates: Bools,
    state: Ints,
    is_early: Bools,
    holds_target: Bools,
) -> bool:
    """Whether a strand waits at its goal of a meeting, or will: the twin of `Deadlocks._is_blocking`."""
    if state[meeting] == ACTIVE and waits_for_bodies[meeting]:
        return bool(
            is_early[goal]
            or (holds_target[goal] and progress[goal_channel[goal]] <= goal_progress[goal] + PROGRESS_TOLERANCE)
        )
    if state[meeting] != ACTIVE and not (state[meeting] == WAITING and gates[meeting]):
        return False
    return bool(progress[goal_channel[goal]] <= goal_progress[goal] + PROGRESS_TOLERANCE)
