"""Meetings that are watched and regulated without anybody who goes there."""

import numpy as np

from keypose.motion.sync_protocol import ACTIVE, NO_STOP
from keypose.script.sync.kernels.step import regulate, update_stops
from keypose.script.sync.rules.delays import HAS_EVENT

SECONDS = 0.01


class Meetings:
    """Some meetings, each of as many strands as its goals are, none of which is in two of them."""

    def __init__(self, *goals, state=ACTIVE, waits_for_bodies=False, gates=False):
        self.goal_progress = np.concatenate([np.asarray(meeting_goals, dtype=float) for meeting_goals in goals])
        goal_count, meeting_count = len(self.goal_progress), len(goals)
        self.goal_channel = np.arange(goal_count)
        self.goal_offsets = np.cumsum([0, *map(len, goals)])
        self.state = np.full(meeting_count, state)
        self.waits_for_bodies, self.gates = np.full(meeting_count, waits_for_bodies), np.full(meeting_count, gates)
        self.patience = np.full(meeting_count, 2.0)
        self.late_for, self.blocked_for, self.waiting_for = np.zeros((3, meeting_count))
        self.events = np.zeros(meeting_count, np.int64)
        self.nominal_speed, self.min_speed_factor, self.reaction = (
            np.ones(goal_count),
            np.full(goal_count, 0.1),
            np.full(goal_count, 0.1),
        )
        self.progress, self.reached_at = np.zeros(goal_count), np.full(goal_count, np.nan)
        self.is_early, self.holds_target, self.delay_cause = (
            *np.zeros((2, goal_count), np.bool_),
            np.zeros(goal_count, np.int64),
        )
        self.previous_distance = np.full(goal_count, np.inf)
        self.efficiency, self.speed_factor, self.stop_at = (
            np.ones(goal_count),
            np.ones(goal_count),
            np.full(goal_count, NO_STOP),
        )

    @property
    def channel_order(self):
        """All goals, strand by strand."""
        goal_order = np.lexsort((self.goal_progress, self.goal_channel))
        offsets = np.searchsorted(self.goal_channel[goal_order], np.arange(len(self.progress) + 1))
        return (
            np.argsort(goal_order),
            goal_order,
            offsets,
            np.repeat(np.arange(len(self.state)), np.diff(self.goal_offsets)),
        )

    def set_stops(self):
        goals = self.goal_channel, self.goal_progress, self.goal_offsets, self.waits_for_bodies
        goal_states = self.state, self.reached_at, self.is_early, self.holds_target
        update_stops(self.progress, *goals, self.gates, *goal_states, *self.channel_order, self.stop_at)
        return self.stop_at

    def regulate(self, distance_left, travelled=None, approach=None, time=1.0, seconds=SECONDS):
        """All have gone at their speed, unless said, and come as much nearer, unless said."""
        travelled = (
            self.nominal_speed * self.speed_factor * seconds
            if travelled is None
            else np.asarray(travelled, dtype=float)
        )
        self.previous_distance[:] = (
            distance_left + np.asarray(travelled if approach is None else approach)[self.goal_channel]
        )
        goals = self.goal_channel, self.goal_progress, self.goal_offsets, self.waits_for_bodies
        parameters = self.patience, self.nominal_speed, self.min_speed_factor, self.reaction, len(self.progress)
        delays = self.late_for, self.blocked_for, self.waiting_for, self.previous_distance, self.delay_cause
        own_time, meeting_time = np.empty(len(self.goal_progress)), np.empty(len(self.state))
        outputs = (
            self.reached_at,
            self.is_early,
            *delays,
            self.efficiency,
            self.speed_factor,
            self.stop_at,
            own_time,
            meeting_time,
            self.events,
        )
        distance_left = np.asarray(distance_left, dtype=float)
        flags = regulate(
            self.progress, travelled, distance_left, *goals, *parameters, self.state, time, seconds, *outputs
        )
        self.set_stops()
        return bool(flags & HAS_EVENT)
