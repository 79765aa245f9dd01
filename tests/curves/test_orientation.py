import copy
import pickle
from dataclasses import FrozenInstanceError
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

from keypose.curves.orientation import Orientation
from keypose.errors import KeyposeError

numbers = st.floats(-1e3, 1e3, allow_subnormal=False)
quaternion_values = st.tuples(numbers, numbers, numbers, numbers).filter(lambda q: max(map(abs, q)) > 1e-3)
angles = st.tuples(*[st.floats(-720, 720)] * 3)
FORWARD, UP = (0, 0, 1), (0, 1, 0)


@given(quaternion_values)
def test_any_four_numbers_are_normalized(q):
    assert_allclose(np.linalg.norm(Orientation(*q).wxyz), 1, atol=1e-15)
    assert Orientation(*Orientation(*q).wxyz) == Orientation(*q)


@pytest.mark.parametrize("size", [1e-320, 1e-200, 1e200])
def test_normalization_works_at_any_scale(size):
    assert_allclose(Orientation(size, 0, size, 0).wxyz, Orientation.turned(90, "y").wxyz, atol=1e-15)


@given(quaternion_values)
def test_opposite_quaternions_are_the_same_orientation(q):
    turned = Orientation(*q)
    opposite = Orientation(*(-value for value in q))
    assert turned == opposite
    assert hash(turned) == hash(opposite)
    assert turned != turned @ Orientation.turned(1, "x")


def test_orientation_keeps_its_quaternion_signs():
    assert_allclose(Orientation(-1, 0, 0, 0).wxyz, [-1, 0, 0, 0])


def test_of_accepts_an_orientation_a_list_or_an_array():
    turned = Orientation.turned(40, (1, 2, 3))
    assert Orientation.of(turned) is turned
    assert Orientation.of(list(turned.wxyz)) == turned
    assert Orientation.of(turned.wxyz) == turned
    assert_allclose(np.asarray(turned), turned.wxyz)


def test_orientation_is_immutable_and_round_trips():
    turned = Orientation.from_euler((10, 20, 30))
    with pytest.raises(FrozenInstanceError):
        turned.w = 0.0
    with pytest.raises(ValueError, match="read-only"):
        turned.wxyz[0] = 0.0
    assert copy.deepcopy(turned) == pickle.loads(pickle.dumps(turned)) == eval(repr(turned)) == turned
    assert turned != "turned"


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ((0, 0, 0, 0), "points nowhere"),
        ((1, 0, float("nan"), 0), "nan"),
        ((1, 0, float("inf"), 0), "inf"),
        ((1, 0, 0), r"\(1, 0, 0\)"),
        (np.eye(4), "four numbers"),
        ("up", "'up'"),
        (None, "None"),
        (["a", 0, 0, 0], "'a'"),
    ],
)
def test_invalid_orientation_is_refused_with_reason(wrong, message):
    with pytest.raises(KeyposeError, match=message) as refused:
        Orientation.of(wrong)
    assert str(refused.value).endswith(".")
    assert "Give four numbers w, x, y, z" in str(refused.value)


def test_rotation_is_anticlockwise_seen_from_the_tip_of_the_axis():
    assert_allclose(Orientation.turned(90, "y").rotate(FORWARD), (1, 0, 0), atol=1e-15)
    assert_allclose(Orientation.turned(90, (0, 5, 0)).rotate(FORWARD), (1, 0, 0), atol=1e-15)
    assert_allclose(Orientation.turned(90, "z").rotate([(1, 0, 0), (0, 1, 0)]), [(0, 1, 0), (-1, 0, 0)], atol=1e-15)


@pytest.mark.parametrize("about", ["x", "y", "z", (1, -2, 0.5)])
def test_half_and_full_turns_are_exact_in_both_directions(about):
    assert Orientation.turned(180, about) == Orientation.turned(-180, about) == Orientation.turned(540, about)
    assert Orientation.turned(360, about) == Orientation.turned(-720, about) == Orientation.identity


@pytest.mark.parametrize("about", ["w", "X", (0, 0, 0), (1, 2), (1, 2, float("nan"))])
def test_a_turn_needs_an_axis(about):
    with pytest.raises(KeyposeError, match="Give"):
        Orientation.turned(90, about)


def test_a_turn_needs_a_finite_angle():
    with pytest.raises(KeyposeError, match="degrees"):
        Orientation.turned(float("inf"), "x")


@given(st.tuples(numbers, numbers, numbers).filter(lambda d: np.hypot(d[0], d[2]) > 1e-3))
def test_facing_points_along_its_direction_with_up_upwards(direction):
    facing = Orientation.facing(direction)
    assert_allclose(facing.rotate(FORWARD), np.array(direction) / np.linalg.norm(direction), atol=1e-9)
    side, top = facing.rotate([(1, 0, 0), UP])
    assert abs(side[1]) < 1e-9
    assert top[1] >= 0


def test_facing_forward_is_the_identity():
    assert Orientation.facing(FORWARD) == Orientation.identity


def test_facing_straight_up_or_down_pitches_about_x():
    assert Orientation.facing(UP).angle_to(Orientation.turned(-90, "x")) < 1e-12
    assert Orientation.facing((0, -1e-30, 0)).angle_to(Orientation.turned(90, "x")) < 1e-12


@pytest.mark.parametrize("direction", [(0, 0, 2), (0, 0, -3), (1, 0, 0), (-1e300, 0, 0), (0, 1, 0), (0, -1, 0)])
@pytest.mark.parametrize("up", [(0, 1, 0), (0, 0, 1), (0, 0, -1), (2, 0, 0)])
def test_facing_parallel_to_up_is_finite(direction, up):
    looks = Orientation.facing(direction, up).rotate(FORWARD)
    assert_allclose(looks, np.sign(direction), atol=1e-14)


def test_facing_a_zero_direction_is_refused():
    with pytest.raises(KeyposeError, match="direction to face"):
        Orientation.facing((0, 0, 0))
    with pytest.raises(KeyposeError, match="up of a facing"):
        Orientation.facing(FORWARD, up=(0, 0, 0))


@given(angles, st.sampled_from(["XYZ", "ZYX", "YXZ", "ZXZ", "xyz", "zyx", "yzx", "xyx"]))
def test_euler_angles_match_scipy(degrees, order):
    theirs = Rotation.from_euler(order, degrees, degrees=True).as_quat(scalar_first=True)
    assert Orientation.from_euler(degrees, order).angle_to(theirs) < 1e-9


ORDERS = [
    order
    for letters in ("XYZ", "xyz")
    for order in map("".join, product(letters, repeat=3))
    if order[1] not in (order[0], order[2])
]


def test_euler_angles_of_every_order_match_scipy():
    assert len(ORDERS) == 24
    rotations = Rotation.random(50, rng=0)
    for order in ORDERS:
        theirs = rotations.as_euler(order, degrees=True)
        ours = [Orientation(*q).to_euler(order) for q in rotations.as_quat(scalar_first=True)]
        assert_allclose(ours, theirs, atol=1e-10, err_msg=order)


@given(angles, st.sampled_from(ORDERS))
def test_euler_angles_round_trip(degrees, order):
    turned = Orientation.from_euler(degrees, order)
    first, second, third = turned.to_euler(order)
    assert Orientation.from_euler((first, second, third), order).angle_to(turned) < 1e-6
    assert max(abs(first), abs(third)) <= 180
    assert 0 <= second <= 180 if order[0] == order[2] else abs(second) <= 90


@pytest.mark.parametrize("order", ORDERS)
def test_in_gimbal_lock_the_third_angle_is_zero_and_the_orientation_kept(order):
    for second in (0, 180) if order[0] == order[2] else (-90, 90):
        locked = Orientation.from_euler((30, second, 20), order)
        degrees = locked.to_euler(order)
        assert_allclose(degrees[1:], (second, 0), atol=1e-6)
        assert Orientation.from_euler(degrees, order).angle_to(locked) < 1e-6


def test_an_order_that_does_not_reach_every_orientation_is_refused():
    with pytest.raises(KeyposeError, match="turns about one axis twice in a row"):
        Orientation.identity.to_euler("XXY")
    with pytest.raises(KeyposeError, match="three letters"):
        Orientation.identity.to_euler("YX")


@given(quaternion_values)
def test_matrix_matches_scipy_and_round_trips(q):
    turned = Orientation(*q)
    matrix = turned.to_matrix()
    assert_allclose(matrix, Rotation.from_quat(turned.xyzw).as_matrix(), atol=1e-14)
    assert_allclose(matrix @ (1, 2, 3), turned.rotate((1, 2, 3)), atol=1e-13)
    assert Orientation.from_matrix(matrix).angle_to(turned) < 1e-6
    assert Orientation.from_matrix(matrix.astype(np.float32)).angle_to(turned) < 1e-3


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        (np.eye(4), r"shape \(4, 4\)\. Give three rows of three"),
        (2 * np.eye(3), "scales or shears. Give columns of length 1"),
        (np.diag([1.0, 1.0, -1.0]), "mirrors. Give one with determinant 1"),
        (np.full((3, 3), 1e200), "scales or shears"),
        (np.full((3, 3), np.nan), "contains nan"),
        ("up", "must be numbers"),
    ],
)
def test_invalid_matrix_is_refused_with_reason(matrix, message):
    with pytest.raises(KeyposeError, match=message):
        Orientation.from_matrix(matrix)


def test_euler_order_may_repeat_an_axis():
    assert Orientation.from_euler((10, 20, 30), "XXX").angle_to(Orientation.turned(60, "x")) < 1e-12


@pytest.mark.parametrize("order", ["XY", "XYz", "ABC", "", 3])
def test_invalid_euler_order_is_refused(order):
    with pytest.raises(KeyposeError, match="three letters"):
        Orientation.from_euler((1, 2, 3), order)


def test_xyzw_order_round_trips():
    turned = Orientation.turned(50, (3, 1, 2))
    assert Orientation.from_xyzw(*turned.xyzw) == turned
    assert Orientation.from_xyzw(turned.xyzw) == turned
    with pytest.raises(KeyposeError, match="x, y, z, w"):
        Orientation.from_xyzw(1, 2, 3)


@given(quaternion_values, quaternion_values)
def test_composition_applies_the_right_operand_first(a, b):
    a, b = Orientation(*a), Orientation(*b)
    assert_allclose((a @ b).rotate(np.eye(3)), a.rotate(b.rotate(np.eye(3))), atol=1e-14)
    assert (a @ b @ b.inverse()).angle_to(a) < 1e-12


def test_composing_with_something_else_is_a_type_error():
    with pytest.raises(TypeError):
        Orientation.identity @ "x"


def test_angles_are_in_degrees_and_exact_when_tiny():
    assert_allclose(Orientation.turned(30, "x").angle_to(Orientation.turned(-100, "x")), 130)
    assert_allclose(Orientation.identity.angle_to(Orientation.turned(1e-10, "z")), 1e-10, rtol=1e-12)
    assert_allclose(Orientation.identity.angle_to((0, 1, 0, 0)), 180)


def test_rotate_refuses_vectors_that_are_not_3d():
    with pytest.raises(KeyposeError, match=r"\(2,\)"):
        Orientation.identity.rotate((1, 2))
