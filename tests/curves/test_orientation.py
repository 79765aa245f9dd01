import copy
import pickle
from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

from keypose.curves.orientation import Orientation
from keypose.errors import KeyposeError

numbers = st.floats(-1e3, 1e3, allow_subnormal=False)
fours = st.tuples(numbers, numbers, numbers, numbers).filter(lambda q: max(map(abs, q)) > 1e-3)
angles = st.tuples(*[st.floats(-720, 720)] * 3)
FORWARD, UP = (0, 0, 1), (0, 1, 0)


@given(fours)
def test_any_four_numbers_become_a_unit(q):
    assert_allclose(np.linalg.norm(Orientation(*q).wxyz), 1, atol=1e-15)
    assert Orientation(*Orientation(*q).wxyz) == Orientation(*q)


@pytest.mark.parametrize("size", [1e-320, 1e-200, 1e200])
def test_their_size_does_not_matter(size):
    assert_allclose(Orientation(size, 0, size, 0).wxyz, Orientation.turned(90, "y").wxyz, atol=1e-15)


@given(fours)
def test_changing_all_signs_leaves_the_same_orientation(q):
    turned = Orientation(*q)
    opposite = Orientation(*(-value for value in q))
    assert turned == opposite
    assert hash(turned) == hash(opposite)
    assert turned != turned @ Orientation.turned(1, "x")


def test_an_orientation_keeps_the_signs_it_was_given():
    assert_allclose(Orientation(-1, 0, 0, 0).wxyz, [-1, 0, 0, 0])


def test_it_comes_from_an_orientation_a_list_or_an_array():
    turned = Orientation.turned(40, (1, 2, 3))
    assert Orientation.of(turned) is turned
    assert Orientation.of(list(turned.wxyz)) == turned
    assert Orientation.of(turned.wxyz) == turned
    assert_allclose(np.asarray(turned), turned.wxyz)


def test_it_is_frozen_and_can_be_copied_pickled_and_read_back():
    turned = Orientation.from_euler((10, 20, 30))
    with pytest.raises(FrozenInstanceError):
        turned.w = 0.0
    with pytest.raises(ValueError, match="read-only"):
        turned.wxyz[0] = 0.0
    assert copy.deepcopy(turned) == pickle.loads(pickle.dumps(turned)) == eval(repr(turned)) == turned
    assert turned != "turned"


@pytest.mark.parametrize(
    ("wrong", "said"),
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
def test_what_is_no_orientation_is_refused_in_a_sentence(wrong, said):
    with pytest.raises(KeyposeError, match=said) as refused:
        Orientation.of(wrong)
    assert str(refused.value).endswith(".")
    assert "Give four numbers w, x, y, z" in str(refused.value)


def test_turning_is_anticlockwise_seen_from_the_tip_of_the_axis():
    assert_allclose(Orientation.turned(90, "y").rotate(FORWARD), (1, 0, 0), atol=1e-15)
    assert_allclose(Orientation.turned(90, (0, 5, 0)).rotate(FORWARD), (1, 0, 0), atol=1e-15)
    assert_allclose(Orientation.turned(90, "z").rotate([(1, 0, 0), (0, 1, 0)]), [(0, 1, 0), (-1, 0, 0)], atol=1e-15)


@pytest.mark.parametrize("about", ["x", "y", "z", (1, -2, 0.5)])
def test_half_a_turn_either_way_and_a_whole_turn_are_exact(about):
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
def test_facing_looks_along_its_direction_with_its_top_upwards(direction):
    facing = Orientation.facing(direction)
    assert_allclose(facing.rotate(FORWARD), np.array(direction) / np.linalg.norm(direction), atol=1e-9)
    side, top = facing.rotate([(1, 0, 0), UP])
    assert abs(side[1]) < 1e-9
    assert top[1] >= 0


def test_facing_forward_is_the_identity():
    assert Orientation.facing(FORWARD) == Orientation.identity


def test_facing_straight_up_tips_the_head_back_and_straight_down_bows():
    assert Orientation.facing(UP).angle_to(Orientation.turned(-90, "x")) < 1e-12
    assert Orientation.facing((0, -1e-30, 0)).angle_to(Orientation.turned(90, "x")) < 1e-12


@pytest.mark.parametrize("direction", [(0, 0, 2), (0, 0, -3), (1, 0, 0), (-1e300, 0, 0), (0, 1, 0), (0, -1, 0)])
@pytest.mark.parametrize("up", [(0, 1, 0), (0, 0, 1), (0, 0, -1), (2, 0, 0)])
def test_facing_along_up_is_finite_and_looks_there(direction, up):
    looks = Orientation.facing(direction, up).rotate(FORWARD)
    assert_allclose(looks, np.sign(direction), atol=1e-14)


def test_facing_needs_somewhere_to_look():
    with pytest.raises(KeyposeError, match="direction to face"):
        Orientation.facing((0, 0, 0))
    with pytest.raises(KeyposeError, match="up of a facing"):
        Orientation.facing(FORWARD, up=(0, 0, 0))


@given(angles, st.sampled_from(["XYZ", "ZYX", "YXZ", "ZXZ", "xyz", "zyx", "yzx", "xyx"]))
def test_euler_angles_mean_what_scipy_means_by_them(degrees, order):
    theirs = Rotation.from_euler(order, degrees, degrees=True).as_quat(scalar_first=True)
    assert Orientation.from_euler(degrees, order).angle_to(theirs) < 1e-9


def test_an_euler_axis_may_follow_itself():
    assert Orientation.from_euler((10, 20, 30), "XXX").angle_to(Orientation.turned(60, "x")) < 1e-12


@pytest.mark.parametrize("order", ["XY", "XYz", "ABC", "", 3])
def test_an_euler_order_that_means_nothing_is_refused(order):
    with pytest.raises(KeyposeError, match="three letters"):
        Orientation.from_euler((1, 2, 3), order)


def test_w_may_come_last():
    turned = Orientation.turned(50, (3, 1, 2))
    assert Orientation.from_xyzw(*turned.xyzw) == turned
    assert Orientation.from_xyzw(turned.xyzw) == turned
    with pytest.raises(KeyposeError, match="x, y, z, w"):
        Orientation.from_xyzw(1, 2, 3)


@given(fours, fours)
def test_composition_turns_by_the_right_one_first(a, b):
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


def test_only_vectors_of_three_can_be_turned():
    with pytest.raises(KeyposeError, match=r"\(2,\)"):
        Orientation.identity.rotate((1, 2))
