"""How far is left to a goal? Lengths and angles along paths as they are bent."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from keypose import Actor, Body, Follow, Key, Meeting, MotionPath, Orientation, Script, Sphere, Stage, shoot
from keypose.physics.following.follower_arrays import SAMPLES_PER_SEGMENT, FollowerArrays
from keypose.physics.sync.body_progress import _cumulative_angles
from keypose.physics.sync.kernels import arc_length, arc_length_by_segments, cumulative_angle

settled = settings(deadline=None, max_examples=50)
PATH = MotionPath([(0, 0, 0), (1, 0.5, 0), (2, -0.5, 1), (2, 2, 2)])
RING = MotionPath([(0, 0, 0), (1, 0, 0), (1, 0.7, 0.5), (0, 1, 0)], closed=True)


def raced(path):
    return FollowerArrays.of({"a": Follow(path, Body(Sphere(0.1)), within=0.2)}, [0], 0.0)


@pytest.mark.parametrize("path", [PATH, RING], ids=["open", "closed"])
@settled
@given(st.floats(0, 1), st.floats(0, 1))
def test_the_way_from_one_place_to_another_is_as_long_as_the_path_says(path, one, two):
    race = raced(path)
    u, to = one * path.segments, two * path.segments
    found = arc_length(race.cubics, 0, path.segments, path.closed, u, to)
    assert_allclose(found, path.distance(to) - path.distance(u), atol=2e-3 * path.length)
    assert_allclose(arc_length(race.cubics, 0, path.segments, path.closed, to, u), -found, atol=1e-12)


def test_the_way_round_a_closed_path_is_counted_round_after_round():
    race = raced(RING)
    assert_allclose(arc_length(race.cubics, 0, 4, True, 0.5, 12.5), 3 * RING.length, rtol=2e-3)


@settled
@given(st.floats(0, 9), st.floats(0, 4), st.integers(0, 5))
def test_whole_rounds_and_the_rest_are_the_way_segment_by_segment(u, rest, rounds):
    race, to = raced(RING), u + 4 * rounds + rest
    assert_allclose(
        arc_length(race.cubics, 0, 4, True, u, to), arc_length_by_segments(race.cubics, 0, 4, True, u, to), atol=1e-3
    )


@pytest.mark.parametrize("rounds", [1e9, 1e18, 1e300])
def test_a_way_of_any_number_of_rounds_is_known_at_once(rounds):
    race = raced(RING)
    assert_allclose(arc_length(race.cubics, 0, 4, True, 0.0, 4 * rounds), rounds * RING.length, rtol=2e-3)
    assert_allclose(arc_length(race.cubics, 0, 4, True, 4 * rounds, 0.0), -rounds * RING.length, rtol=2e-3)


@pytest.mark.parametrize("far", [1e9, 1e300])
@pytest.mark.parametrize("of", ["targets", "bodies"])
def test_a_goal_ever_so_many_rounds_away_keeps_nobody_waiting(far, of):
    red = Actor("red", Follow(RING, Body(Sphere(0.1)), within=0.2))
    script = Script([Meeting(name="one day", goals={"red": far}, of=of)])
    take = shoot(Stage([red], script=script), 0.5)
    assert take.script.speed_factors["red"].min() > 0.999
    assert take.script.state("one day", 0.5) == "active"


def test_a_turn_is_counted_along_all_facings_and_round_after_round():
    keys = [Key((i, 0, 0), orientation=Orientation.turned(120 * i, "y")) for i in range(3)]
    race = raced(MotionPath(keys))
    table, count = _cumulative_angles(race), int(race.segment_ranges[0, 3])
    assert_allclose(
        np.degrees([cumulative_angle(table, 0, count, SAMPLES_PER_SEGMENT * v) for v in (0, 1, 2)]),
        [0, 120, 240],
        atol=0.5,
    )
    assert_allclose(np.degrees(cumulative_angle(table, 0, count, SAMPLES_PER_SEGMENT * 5.0)), 600, atol=1.0)
