"""How far is left to a goal? Lengths and angles along paths as they are bent."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from keypose import Actor, Body, Follow, Key, Meeting, MotionPath, Orientation, Script, Sphere, Stage, shoot
from keypose.physics.following.follower_arrays import FollowerArrays
from keypose.physics.sync.body_progress import cumulative_angles
from keypose.physics.sync.kernels import arc_length, arc_length_by_segments, cumulative_angle

few_examples = settings(deadline=None, max_examples=50)
PATH = MotionPath([(0, 0, 0), (1, 0.5, 0), (2, -0.5, 1), (2, 2, 2)])
RING = MotionPath([(0, 0, 0), (1, 0, 0), (1, 0.7, 0.5), (0, 1, 0)], closed=True)


def follower_arrays(path):
    return FollowerArrays.of({"a": Follow(path, Body(Sphere(0.1)), within=0.2)}, [0], 0.0)


@pytest.mark.parametrize("path", [PATH, RING], ids=["open", "closed"])
@few_examples
@given(st.floats(0, 1), st.floats(0, 1))
def test_arc_length_between_two_parameters_equals_the_path_distance(path, start_fraction, end_fraction):
    arrays = follower_arrays(path)
    u, to = start_fraction * path.segments, end_fraction * path.segments
    found = arc_length(arrays.cubics, arrays.specs[0], u, to)
    assert_allclose(found, path.distance(to) - path.distance(u), atol=2e-3 * path.length)
    assert_allclose(arc_length(arrays.cubics, arrays.specs[0], to, u), -found, atol=1e-12)


def test_arc_length_on_a_closed_path_accumulates_over_laps():
    arrays = follower_arrays(RING)
    assert_allclose(arc_length(arrays.cubics, arrays.specs[0], 0.5, 12.5), 3 * RING.length, rtol=2e-3)


@few_examples
@given(st.floats(0, 9), st.floats(0, 4), st.integers(0, 5))
def test_arc_length_by_laps_equals_the_sum_over_segments(u, remainder, laps):
    arrays, to = follower_arrays(RING), u + 4 * laps + remainder
    assert_allclose(
        arc_length(arrays.cubics, arrays.specs[0], u, to),
        arc_length_by_segments(arrays.cubics, arrays.specs[0], u, to),
        atol=1e-3,
    )


@pytest.mark.parametrize("laps", [1e9, 1e18, 1e300])
def test_arc_length_of_any_number_of_laps_is_evaluated_at_once(laps):
    arrays = follower_arrays(RING)
    assert_allclose(arc_length(arrays.cubics, arrays.specs[0], 0.0, 4 * laps), laps * RING.length, rtol=2e-3)
    assert_allclose(arc_length(arrays.cubics, arrays.specs[0], 4 * laps, 0.0), -laps * RING.length, rtol=2e-3)


@pytest.mark.parametrize("distance", [1e9, 1e300])
@pytest.mark.parametrize("of", ["targets", "bodies"])
def test_goal_very_many_laps_away_does_not_block_the_shoot(distance, of):
    red = Actor("red", Follow(RING, Body(Sphere(0.1)), within=0.2))
    script = Script([Meeting(name="one day", goals={"red": distance}, of=of)])
    take = shoot(Stage([red], script=script), 0.5)
    assert take.script.speed_factors["red"].min() > 0.999
    assert take.script.state("one day", 0.5) == "active"


def test_cumulative_angle_covers_all_orientations_and_accumulates_over_laps():
    keys = [Key((i, 0, 0), orientation=Orientation.turned(120 * i, "y")) for i in range(3)]
    arrays = follower_arrays(MotionPath(keys))
    table, spec = cumulative_angles(arrays), arrays.specs[0]
    assert_allclose(
        np.degrees([cumulative_angle(table, spec, v) for v in (0, 1, 2)]),
        [0, 120, 240],
        atol=0.5,
    )
    assert_allclose(np.degrees(cumulative_angle(table, spec, 5.0)), 600, atol=1.0)
