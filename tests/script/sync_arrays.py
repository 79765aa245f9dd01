"""Graphs of meetings and their states, without a plan."""

import numpy as np

from keypose.motion import (
    CHANNEL,
    CHANNEL_STATE,
    CLOCK_STATE,
    GOAL,
    GOAL_STATE,
    MEETING,
    MEETING_STATE,
    NO_STOP,
    NOT_REACHED,
    SyncGraph,
    SyncRecords,
)


class SyncArrays:
    """A graph of meetings and its state; the fields of both are attributes.

    `goal_progress` and `goal_channels` have a sequence for each meeting, `parents` the meetings that each comes after.
    """

    def __init__(self, goal_progress, goal_channels, channel_count, follower_channels, parents=None):
        parents = parents or [()] * len(goal_channels)
        meetings, goals = np.zeros(len(goal_channels), MEETING), np.zeros(sum(map(len, goal_channels)), GOAL)
        channels = np.zeros(channel_count, CHANNEL)
        meetings["end_goal"], meetings["end_parent"] = (
            np.cumsum([*map(len, goal_channels)]),
            np.cumsum([*map(len, parents)]),
        )
        meetings["first_goal"][1:], meetings["first_parent"][1:] = (
            meetings["end_goal"][:-1],
            meetings["end_parent"][:-1],
        )
        meetings["need"], meetings["patience"] = [*map(len, parents)], 2.0
        goals["channel"], goals["progress"] = np.concatenate(goal_channels), np.concatenate(goal_progress)
        goals["meeting"] = np.repeat(np.arange(len(meetings)), [*map(len, goal_channels)])
        channels["nominal_speed"], channels["min_speed_factor"], channels["reaction"] = 1.0, 0.1, 0.1
        order = np.lexsort((goals["progress"], goals["channel"]))
        goals["rank"][order] = np.arange(len(goals))
        channels["first_rank"] = np.searchsorted(goals["channel"][order], np.arange(channel_count))
        channels["end_rank"] = np.searchsorted(goals["channel"][order], np.arange(channel_count), side="right")
        parent_numbers = np.array([parent for of_one in parents for parent in of_one], dtype=np.int64)
        self.graph = SyncGraph(meetings, goals, channels, order, parent_numbers, follower_channels)
        self.records = SyncRecords(
            np.zeros(len(meetings), MEETING_STATE),
            np.zeros(len(goals), GOAL_STATE),
            np.zeros(channel_count, CHANNEL_STATE),
            np.zeros(channel_count - follower_channels, CLOCK_STATE),
        )
        self.reached_at[:], self.previous_distance[:], self.stop_at[:] = NOT_REACHED, np.inf, NO_STOP
        self.efficiency[:], self.speed_factor[:], self.rate[:] = 1.0, 1.0, 1.0
        self.channel_progress = np.zeros(channel_count)

    def __getattr__(self, name):
        if not name.startswith("_"):
            for array in (*self.records, *self.graph[:3]):
                if name in array.dtype.names:
                    return array[name]
        raise AttributeError(name)
