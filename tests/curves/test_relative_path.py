"""Loose keys: which segments they touch, and what the path is while their carriers are elsewhere."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from keypose import Key, MotionPath, Orientation, Turn
from keypose.curves.relative.relative_path import CarrierFrames, RelativePath, to_3d
from keypose.maths import quaternion

QUARTER = Orientation.turned(90, "z").wxyz


def single_frame(place, turn=(1.0, 0, 0, 0)):
    """One instant, one loose key."""
    return CarrierFrames(np.array(place, dtype=float)[None, None], np.array(turn, dtype=float)[None, None])


def relative_path(path, *keys, **more):
    return RelativePath(path, np.array(keys), **more)


# ---- what a loose key touches ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("keys", "closed", "touched"),
    [
        ([5], False, [3, 4, 5, 6]),
        ([0], False, [0, 1]),
        ([9], False, [7, 8]),
        ([0], True, [0, 1, 8, 9]),
        ([9], True, [0, 7, 8, 9]),
        ([2, 3], False, [0, 1, 2, 3, 4]),
    ],
)
def test_relative_key_changes_two_segments_on_each_side(keys, closed, touched):
    path = MotionPath(np.random.default_rng(0).normal(size=(10, 3)), closed=closed)
    assert relative_path(path, *keys).changing_segments.tolist() == touched


def test_other_segments_stay_bitwise_identical():
    path = MotionPath(np.random.default_rng(0).normal(size=(12, 3)), bias=0.3)
    relative = relative_path(path, 5)
    moved = relative.resolved(single_frame((3, 2, 1), QUARTER), 0)
    rest = np.setdiff1d(np.arange(path.segments), relative.changing_segments)
    assert_array_equal(moved.geometry.curve[rest], path.geometry.curve[rest])
    assert (
        (moved.geometry.curve[relative.changing_segments] != path.geometry.curve[relative.changing_segments])
        .any(axis=(1, 2))
        .all()
    )


def test_segment_between_keys_with_one_frame_keeps_its_length():
    path = MotionPath(np.random.default_rng(0).normal(size=(10, 3)))
    together = relative_path(path, 2, 3, 4, 5, 6, frame_ids=np.array([7, 7, 7, 7, 7]))
    assert together.resized_segments.tolist() == [0, 1, 2, 5, 6, 7]
    moved = CarrierFrames(np.full((1, 5, 3), 4.0), np.broadcast_to(QUARTER, (1, 5, 4)))
    before, after = (np.diff(one.distance(np.arange(10.0))) for one in (path, together.resolved(moved, 0)))
    assert_allclose(after[[3, 4]], before[[3, 4]])
    assert relative_path(path, 2, 3, 4, 5, 6, frame_ids=np.array([0, 0, 1, 0, 0])).resized_segments.tolist() == list(
        range(8)
    )
    assert relative_path(path, 2, 3).resized_segments.tolist() == [0, 1, 2, 3, 4]


def test_distance_keys_are_ends_of_changing_segments_and_marks():
    path = MotionPath(np.random.default_rng(0).normal(size=(20, 3)))
    assert relative_path(path, 10).distance_keys.tolist() == [0, 8, 9, 10, 11, 12, 19]
    assert relative_path(path, 10, extra_keys=np.array([3, 9])).distance_keys.tolist() == [0, 3, 8, 9, 10, 11, 12, 19]


# ---- what a carrier moves --------------------------------------------------------------------------------------------


def test_position_orientation_and_manual_tangents_move_with_the_frame():
    turn = Turn(Orientation.turned(30, "x"), arrive=(1, 0, 0), leave=(0, 2, 0))
    path = MotionPath([(0, 0, 0), Key((1, 0, 0), arrive=(2, 0, 0), leave=(0, 0, 3), orientation=turn), (5, 0, 0)])
    moved = relative_path(path, 1).resolved(single_frame((10, 0, 0), QUARTER), 0)
    assert_allclose(moved.at(1), (10, 1, 0), atol=1e-12)
    assert_allclose(moved.arrive[1], (0, 2, 0), atol=1e-12)
    assert_allclose(moved.leave[1], (0, 0, 3), atol=1e-12)
    facing = quaternion.multiply(QUARTER, Orientation.turned(30, "x").wxyz)
    assert_allclose(moved.orientation_at(1), facing, atol=1e-12)
    assert_allclose(moved.keys[1].orientation.arrive, (0, 1, 0), atol=1e-12)
    assert_allclose(moved.keys[1].orientation.leave, (-2, 0, 0), atol=1e-12)


def test_chord_tangent_follows_the_moved_chord():
    path = MotionPath([(0, 0, 0), Key((1, 0, 0), arrive="chord"), (5, 0, 0)])
    moved = relative_path(path, 1).resolved(single_frame((0, 7, 0), QUARTER), 0)
    assert_allclose(moved.arrive[1], moved.at(1) - moved.at(0))


def test_drawing_moves_rigidly_with_the_frame():
    square = np.array([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)], dtype=float)
    moved = relative_path(MotionPath([square, square]), 1).resolved(single_frame((5, 0, 0), QUARTER), 0)
    assert_allclose(moved.at(1), np.add(quaternion.rotate(QUARTER, square), (5, 0, 0)), atol=1e-12)


def test_orientation_only_key_stays_on_the_path():
    keys = [(0, 0, 0), Key(orientation=Orientation.identity), (2, 0, 0)]
    moved = relative_path(MotionPath(keys), 1).resolved(single_frame((0, 9, 0), QUARTER), 0)
    assert_allclose(moved.at(1), (1, 0, 0), atol=1e-12)
    assert_allclose(moved.orientation_at(1), QUARTER, atol=1e-12)


def test_flat_path_can_leave_its_plane():
    path = MotionPath([(0, 0), Key((1, 0), leave=(1, 2)), Key((2, 0), leave="chord")])
    solid = to_3d(path)
    assert_array_equal(solid.at(1.5), [*path.at(1.5), 0])
    moved = RelativePath(path, np.array([2])).resolved(single_frame((0, 0, 4)), 0)
    assert_array_equal(moved.at(2), (2, 0, 4))
    assert to_3d(solid) is solid
    assert to_3d(MotionPath([(0.0,), (2.0,)])).at(1).tolist() == [2, 0, 0]
