"""Carriers that turn far quicker than anybody looks: keys are passed when brute force says, and nobody goes back."""

from dataclasses import replace

import numpy as np
import pytest

from keypose import Actor, Key, Motion, MotionPath, SpeedProfile, Stage
from keypose.stage.evaluate.poses import pose_lookup

SEEDS = range(16)


def fast_carrier_stage(seed):
    """A hand that reaches for a glass, which is shaken once in some milliseconds up to seconds."""
    rng = np.random.default_rng(seed)
    keys, period, seconds = rng.integers(2, 8), 10 ** rng.uniform(-2.2, 0.3), rng.uniform(0.5, 2)
    places = rng.normal(size=(keys, 3)) * rng.uniform(0.2, 2) + [3, 0, 0]
    shaken = MotionPath([tuple(place) for place in places], closed=keys > 4, continuity=rng.uniform(-1, 1))
    glass_profile, hand_profile = (SpeedProfile(rng.uniform(0.05, 3, size=rng.integers(1, 9))) for _ in range(2))
    glass = Motion(shaken, glass_profile, duration=period, outside=str(rng.choice(["cycle", "mirror"])))
    reach = MotionPath([(0, 0, 0), Key((0, 0.1, 0), relative_to="glass"), (6, 0, 1), (8, 0, 0)][: rng.integers(3, 5)])
    return Stage([Actor("glass", glass), Actor("hand", Motion(reach, hand_profile, duration=seconds))]), seconds


def distance_schedule(stage, t):
    """How far the hand wants to be, and how far away its second key is, before that is passed."""
    relative_motion = stage.resolved.relative_keys.relative_motion("hand")
    empty_log = relative_motion.empty_log
    pass_log = replace(empty_log, passed_at=np.where(np.arange(len(empty_log.passed_at)) == 0, 0.0, np.inf)).with_hold(
        0.0, 0.0
    )
    schedule = relative_motion.distance_schedule(t, pose_lookup(stage.resolved.evaluator), pass_log)
    return schedule.target_distance, schedule.distances_at_keys[:, relative_motion.distance_key_indices[0]]


@pytest.mark.parametrize("seed", SEEDS)
def test_key_on_a_shaken_carrier_is_passed_at_the_earliest_instant(seed):
    stage, seconds = fast_carrier_stage(seed)
    t = np.linspace(0, seconds, 15_001)
    goal, key = distance_schedule(stage, t)
    marched = t[np.argmax(goal >= key)]
    met = stage.resolved.relative_keys.relative_motion("hand").pass_time(
        1, stage.resolved.relative_keys.pass_log("hand")
    )
    assert met <= marched + 1e-9
    goal, key = distance_schedule(stage, np.array([met - 1e-9 * met, met]))
    assert goal[1] >= key[1] - 1e-9
    assert goal[0] < key[0]


@pytest.mark.parametrize("seed", SEEDS)
def test_distance_to_a_shaken_carrier_never_decreases(seed):
    stage, _ = fast_carrier_stage(seed)
    log = stage.resolved.relative_keys.pass_log("hand")
    t = np.linspace(0, stage.resolved.relative_keys.relative_motion("hand").pass_time(1, log), 15_001)[:-1]
    goal, _ = distance_schedule(stage, t)
    distance = np.maximum(goal, log.hold_at(t))
    assert (np.maximum.accumulate(goal) - distance).max() < 1e-6
