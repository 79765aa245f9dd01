"""When has a body come, or a motion beside it? When it is there; and how well it gets on is seen by itself."""

import numpy as np
import pytest

from keypose import Actor, Follow, Key, Motion, MotionPath, Script, Stage, shoot
from keypose.motion.sync_protocol import Distances
from keypose.script.sync.kernels.speed_factors import update_efficiency
from tests.script.meetings import Meetings
from tests.script.straight_paths import BALL

SECONDS = 0.02


def test_motion_in_a_meeting_of_bodies_arrives_only_at_its_goal():
    script = Script()
    script.meet({"m": "middle", "f": "middle"}, of="bodies", name="first")
    script.meet({"m": "end", "f": "end"}, after="first", of="bodies", name="second")
    motion_keys = [(0, 0, 0), Key((2, 0, 0), name="middle"), Key((4, 0, 0), name="end")]
    follower_keys = [(0, 0, 3), Key((3, 0, 3), name="middle"), Key((4, 0, 3), name="end")]
    follow = Follow(MotionPath(follower_keys), BALL, within=0.3, speed=0.8)
    stage = Stage([Actor("m", Motion(MotionPath(motion_keys), duration=2)), Actor("f", follow)], script=script)
    take = shoot(stage, seconds=8)
    for name, goal_x in (("first", 2), ("second", 4)):
        outcome = take.script.meetings[name]
        assert take["m"].at(outcome.reached["m"]).position[0] == pytest.approx(goal_x, abs=0.02)
        assert abs(outcome.reached["m"] - outcome.reached["f"]) < 0.02


@pytest.mark.parametrize("speed", [0.05, 0.5])
def test_slow_follower_arrives_at_a_reversing_goal_only_within_the_arrival_distance(speed):
    path = MotionPath([(0, 0, 0), Key((0.5, 0, 0), name="there"), (0, 0, 0)])
    script = Script()
    script.meet({"a": "there"}, of="bodies", name="met")
    stage = Stage([Actor("a", Follow(path, BALL, within=0.4, speed=speed))], script=script)
    take = shoot(stage, 1.5 / speed + 2)
    arrival_time = take.script.meetings["met"].reached["a"]
    assert take["a"].at(arrival_time).position[0] == pytest.approx(0.48, abs=0.005), "0.05 of within before it"


def updated_efficiency(
    travelled, distance_left, previous_distance, *, waits_for_bodies=True, speed_factor=1.0, is_early=False
):
    """The efficiency after 1 of a participant whose target is at its goal, the end of its path."""
    meetings = Meetings([2.0], waits_for_bodies=waits_for_bodies)
    meetings.channel_progress[:], meetings.speed_factor[:] = 2.0, speed_factor
    meetings.is_early[:], meetings.previous_distance[:] = is_early, previous_distance
    distances = Distances(np.array([travelled]), np.array([distance_left]))
    update_efficiency(meetings.graph, meetings.records, meetings.channel_progress, distances, SECONDS)
    return meetings.efficiency[0]


def test_efficiency_is_measured_from_the_body_when_its_target_has_ended():
    assert updated_efficiency(-1.0, 0.5, 0.5 + SECONDS) == pytest.approx(1.0)
    assert updated_efficiency(-1.0, 0.5, 0.5 + 0.5 * SECONDS) < 1.0
    assert updated_efficiency(-1.0, 0.5, 0.5) < updated_efficiency(-1.0, 0.5, 0.5 + 0.5 * SECONDS), (
        "which stands, gets on worst"
    )


@pytest.mark.parametrize("options", [{"speed_factor": 0.5}, {"is_early": True}, {"waits_for_bodies": False}], ids=str)
def test_efficiency_is_not_measured_from_a_slowed_early_or_unsynchronized_body(options):
    assert updated_efficiency(-1.0, 0.5, 0.5, **options) == 1.0


def test_target_ahead_of_its_body_does_not_raise_efficiency_above_one():
    assert updated_efficiency(1.4 * SECONDS, 0.5, 0.6) == pytest.approx(1.0)
    assert updated_efficiency(1.4 * SECONDS, 0.5, 0.6, waits_for_bodies=False) > 1.0
