"""Does a path lead back from a goal? As seen from so far before and behind it, however it is bent in between."""

import numpy as np
import pytest

from keypose import Body, Follow, Key, MotionPath, Orientation, Sphere
from keypose.physics.following.follower_arrays import SAMPLES_PER_SEGMENT, FollowerArrays
from keypose.physics.sync.kernels import path_reverses, rotation_reverses


def follower_arrays(path):
    return FollowerArrays.of({"a": Follow(path, Body(Sphere(0.1)), within=0.2)}, [0], 0.0)


def reverses_at(keys, u, distance=0.2, **options):
    path = MotionPath(keys, **options)
    arrays = follower_arrays(path)
    return path_reverses(arrays.cubics, arrays.specs[0], u, distance)


@pytest.mark.parametrize(
    ("angle", "tension", "reverses"),
    [
        (0, 0.0, False),
        (60, 0.0, False),
        (80, 1.0, False),
        (100, 1.0, True),
        (150, 0.0, True),
        (150, 1.0, True),
        (180, 0.0, True),
        (180, 1.0, True),
    ],
)
def test_path_reverses_where_it_bends_by_more_than_a_right_angle(angle, tension, reverses):
    end_position = np.array([np.cos(np.radians(angle)), np.sin(np.radians(angle)), 0])
    assert reverses_at([(-1, 0, 0), (0, 0, 0), end_position], 1.0, tension=tension) == reverses
    assert reverses_at([end_position, (0, 0, 0), (-1, 0, 0)], 1.0, tension=tension) == reverses


def test_path_does_not_reverse_at_its_ends():
    assert not reverses_at([(-1, 0, 0), (0, 0, 0)], 0.0)
    assert not reverses_at([(-1, 0, 0), (0, 0, 0)], 1.0)


def test_path_ending_soon_after_a_reversal_reverses():
    assert reverses_at([(-1, 0, 0), (0, 0, 0), (-0.05, 0, 0)], 1.0)


def test_only_a_bend_narrower_than_the_lead_distance_is_a_reversal():
    arc = [(np.sin(a), 1 - np.cos(a), 0) for a in np.linspace(-np.pi, np.pi, 9)]
    assert not reverses_at(arc, 4.0, distance=0.2)
    assert reverses_at(arc, 4.0, distance=1.6)


@pytest.mark.parametrize("u", [0.0, 2.0, 4e9])
def test_reversal_on_a_closed_path_is_found_on_every_lap(u):
    keys = [(1, 0, 0), (0, 1, 0), (-1, 0, 0), (0, -1, 0)]
    assert not reverses_at(keys, u, closed=True)
    assert reverses_at([(1, 0, 0), (0, 0.01, 0), (-1, 0, 0), (0, -0.01, 0)], u + 2.0, closed=True)


@pytest.mark.parametrize("search_angle", [10.0, 80.0, 170.0])
@pytest.mark.parametrize(("last_angle", "reverses"), [(120, False), (60, False), (10, True), (-60, True)])
def test_rotation_reverses_where_it_turns_back(last_angle, reverses, search_angle):
    keys = [Key((i, 0, 0), orientation=Orientation.turned(angle, "y")) for i, angle in enumerate((0, 60, last_angle))]
    arrays = follower_arrays(MotionPath(keys))
    samples = arrays.orientation_samples, arrays.specs[0]
    assert rotation_reverses(*samples, 1.0 * SAMPLES_PER_SEGMENT, np.radians(search_angle)) == reverses
    assert not rotation_reverses(*samples, 0.0, np.radians(search_angle))
    assert not rotation_reverses(*samples, 2.0 * SAMPLES_PER_SEGMENT, np.radians(search_angle))
