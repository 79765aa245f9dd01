"""Any moment of any meetings, whether it could come to that or not."""

import numpy as np

from keypose.motion.sync_protocol import ACTIVE, DONE, FAILED, NO_STOP, WAITING


class RandomSyncState:
    """Some meetings of some strands, the last of which are clocks, in any state; nobody is in one of them twice."""

    def __init__(self, seed, max_meetings=5):
        self.rng = rng = np.random.default_rng(seed)
        self.follower_channels, clock_count = rng.integers(0, 4), rng.integers(0, 4)
        channel_count = int(self.follower_channels + clock_count) or 1
        meeting_count = int(rng.integers(1, max_meetings + 1))
        meeting_channels = [
            rng.choice(channel_count, rng.integers(1, min(channel_count, 3) + 1), replace=False)
            for _ in range(meeting_count)
        ]
        self.goal_channel = np.concatenate(meeting_channels)
        self.goal_offsets = np.cumsum([0, *map(len, meeting_channels)])
        self.goal_meeting = np.repeat(np.arange(meeting_count), [len(channels) for channels in meeting_channels])
        goal_count = len(self.goal_channel)
        self.goal_progress = np.round(rng.uniform(0, 9, goal_count), 1)
        self.progress = np.round(rng.uniform(0, 9, channel_count), 1)
        self.state = rng.choice([WAITING, ACTIVE, ACTIVE, ACTIVE, DONE, FAILED], meeting_count)
        self.waits_for_bodies, self.gates = rng.random((2, meeting_count)) < 0.4
        self.waits_for_bodies[np.unique(self.goal_meeting[self.goal_channel >= self.follower_channels])] = (
            False  # clocks have no bodies
        )
        self.patience = rng.uniform(0.5, 3, meeting_count)
        self.reached_at = np.where(rng.random(goal_count) < 0.4, 1.0, np.nan)
        self.is_early, self.holds_target = rng.random((2, goal_count)) < 0.4
        self.distance_left = np.round(rng.uniform(-1, 9, goal_count), 1)
        self.nominal_speed, self.reaction = rng.uniform(0.2, 3, (2, channel_count))
        self.min_speed_factor, self.speed_factor = (
            rng.choice([0.1, 0.3], channel_count),
            rng.uniform(0.1, 1, channel_count),
        )
        self.efficiency = np.where(
            np.arange(channel_count) < self.follower_channels, rng.uniform(0.3, 1.5, channel_count), 1.0
        )
        self.stop_at = np.where(rng.random(channel_count) < 0.5, self.progress, NO_STOP)
        self.late_for, self.blocked_for, self.waiting_for = rng.uniform(0, 1.5, (3, meeting_count))

    @property
    def channel_order(self):
        """The place of each goal when they stand strand by strand, which they are then, and where strands begin."""
        goal_order = np.lexsort((self.goal_progress, self.goal_channel))
        offsets = np.searchsorted(self.goal_channel[goal_order], np.arange(len(self.progress) + 1))
        return np.argsort(goal_order), goal_order, offsets
