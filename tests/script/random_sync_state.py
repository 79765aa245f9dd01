"""Any state of any meetings, whether it can be reached or not."""

import numpy as np

from keypose.motion.sync_protocol import ACTIVE, DONE, FAILED, NO_STOP, NOT_REACHED, WAITING, Distances
from keypose.script.sync.rules.delays import BLOCKED, NO_DELAY, OUTPACED, RESUMED, SLOW
from keypose.script.sync.rules.speed_factors import REGULATION_PERIOD
from tests.script.sync_arrays import SyncArrays

TIMES = 0.955, 0.97, 0.99, 1.0, 1.01, 1.19, 0.0, 0.5  # [s] around the limits from which events are reported, too


def random_sync_state(seed, max_meetings=5):
    """Some meetings of some channels, the last of which are clocks; no channel is in a meeting twice."""
    rng = np.random.default_rng(seed)
    follower_channels, clock_count = rng.integers(0, 4), rng.integers(0, 4)
    channel_count = int(follower_channels + clock_count) or 1
    meeting_count = int(rng.integers(1, max_meetings + 1))
    goal_channels = [
        rng.choice(channel_count, rng.integers(1, min(channel_count, 3) + 1), replace=False)
        for _ in range(meeting_count)
    ]
    goal_progress = [np.round(rng.uniform(0, 9, len(channels)), 1) for channels in goal_channels]
    parents = [rng.permutation(number)[: rng.integers(0, 3)].tolist() for number in range(meeting_count)]
    sync = SyncArrays(goal_progress, goal_channels, channel_count, int(follower_channels), parents)
    goal_count, is_clock = len(sync.channel), np.arange(channel_count) >= follower_channels
    sync.need[:] = [rng.integers(1, len(one) + 1) if one else 0 for one in parents]
    sync.state[:] = rng.choice([WAITING, ACTIVE, ACTIVE, ACTIVE, DONE, FAILED], meeting_count)
    sync.waits_for_bodies[:], sync.is_gate[:] = rng.random((2, meeting_count)) < 0.4
    sync.waits_for_bodies[sync.meeting[is_clock[sync.channel]]] = False  # clocks have no bodies
    sync.patience[:] = rng.choice([0.5, 1.02, 3.0], meeting_count)
    sync.late_for[:], sync.blocked_for[:], sync.waiting_for[:] = rng.choice(TIMES, (3, meeting_count))
    sync.reached_at[:] = np.where(rng.random(goal_count) < 0.4, 1.0, NOT_REACHED)
    sync.is_early[:], sync.holds_target[:] = rng.random((2, goal_count)) < 0.4
    sync.delay_cause[:] = rng.choice([NO_DELAY, BLOCKED, SLOW, OUTPACED, RESUMED], goal_count)
    sync.nominal_speed[:], sync.reaction[:] = rng.uniform(0.2, 3, (2, channel_count))
    sync.min_speed_factor[:] = rng.choice([0.1, 0.3], channel_count)
    sync.speed_factor[:] = rng.choice([1.0, *rng.uniform(0.1, 1, 3)], channel_count)
    sync.efficiency[:] = np.where(is_clock, 1.0, rng.uniform(0.3, 1.5, channel_count))
    sync.nominal_speed[is_clock] = 1.0
    sync.channel_progress = np.round(rng.uniform(0, 9, channel_count), 1)
    sync.stop_at[:] = np.where(rng.random(channel_count) < 0.5, sync.channel_progress, NO_STOP)
    sync.time[:], sync.rate[:] = sync.channel_progress[is_clock], rng.choice([0.0, 1.0, rng.random()], is_clock.sum())
    sync.wait[:] = rng.choice([0.0, np.inf, *rng.uniform(0.001, 3, 2)], is_clock.sum())
    distance_left = np.round(rng.uniform(-1, 9, goal_count), 1)
    distance_left[rng.random(goal_count) < 0.2] = -0.01  # just reached
    nominal_distance = sync.nominal_speed * sync.speed_factor * REGULATION_PERIOD
    travelled = nominal_distance * rng.choice([0.0, 0.005, 0.05, 0.5, 1.0], channel_count)
    is_at_rest = (rng.random(channel_count) < 0.2) & (travelled > 0)  # the target is at its end, and its body moves
    sync.distances = Distances(np.where(is_at_rest, -travelled / REGULATION_PERIOD, travelled), distance_left)
    sync.previous_distance[:] = distance_left + nominal_distance[sync.channel] * rng.choice(
        [-1.0, 0.05, 0.5, 1.0, np.inf], goal_count
    )
    sync.own_time[:], sync.time_left[:] = rng.uniform(0, 3, goal_count), rng.uniform(0, 3, meeting_count)
    sync.rng = rng
    return sync
