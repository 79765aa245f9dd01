"""Meetings that are regulated without actors that move to their goals."""

import numpy as np

from keypose.motion.sync_protocol import ACTIVE, Distances
from keypose.script.sync.rule_set import kernel_rules
from keypose.script.sync.rules.delays import HAS_EVENT
from tests.script.sync_arrays import SyncArrays

SECONDS = 0.01


class Meetings(SyncArrays):
    """Some meetings with these goals, each on a channel of its own or on `channels`, which are those of followers."""

    def __init__(self, *goals, channels=None, state=ACTIVE, waits_for_bodies=False, gates=False):
        goal_count = sum(map(len, goals))
        channels = np.arange(goal_count) if channels is None else np.asarray(channels)
        goal_channels = np.split(channels, np.cumsum([len(meeting_goals) for meeting_goals in goals])[:-1])
        super().__init__(goals, goal_channels, channels.max() + 1, int(channels.max()) + 1)
        self.state[:], self.waits_for_bodies[:], self.is_gate[:] = state, waits_for_bodies, gates

    def set_stops(self):
        kernel_rules().update_stops(self.graph, self.records, self.channel_progress)
        return self.stop_at

    def regulate(self, distance_left, travelled=None, approach=None, time=1.0, seconds=SECONDS):
        """All have travelled at their speed, unless given, and have come as much nearer, unless given."""
        if travelled is None:
            travelled = self.nominal_speed * self.speed_factor * seconds
        travelled, distance_left = np.asarray(travelled, dtype=float), np.asarray(distance_left, dtype=float)
        self.previous_distance[:] = (
            distance_left + np.asarray(travelled if approach is None else approach)[self.channel]
        )
        distances = Distances(travelled, distance_left)
        flags = kernel_rules().regulate(self.graph, self.records, self.channel_progress, distances, time, seconds)
        self.set_stops()
        return bool(flags & HAS_EVENT)
