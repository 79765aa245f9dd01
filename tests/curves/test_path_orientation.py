"""The turns of a path: through the facings some of its keys have, shaped as the path is or in their own way."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from keypose import Key, MotionPath, Orientation, OrientationPath, Turn, effects
from keypose.curves.key_columns import KeyColumns, Keys
from keypose.curves.path.path_orientation import build_path_orientation, manual_orientation_tangents, orientation_tcb
from keypose.curves.path_options import PathOptions
from keypose.maths import quaternion

ANGLES = np.array([0.0, 50, 80, 20, -40])


def orientation_at_angle(degrees, axis="z"):
    return Orientation.turned(float(degrees), axis)


def angle_about_z(quaternions):
    """The turn about z in degrees."""
    return np.degrees(2 * np.arctan2(quaternions[..., 3], quaternions[..., 0]))


def keys_on_a_line(x, angles, times=None):
    times = [None] * len(x) if times is None else times
    return [
        Key((float(place), 0), time=time, orientation=None if angle is None else orientation_at_angle(angle))
        for place, angle, time in zip(x, angles, times, strict=True)
    ]


def angle_between(one, two):
    """The angle between orientations [rad]."""
    return quaternion.angle_between(one, two)


# ---- which keys it goes through --------------------------------------------------------------------------------------


def test_path_without_orientations_has_the_identity():
    path = MotionPath([(0, 0), (1, 1)])
    assert path.geometry.turns is None
    assert path.orientation_at([0, 0.5, 9]).tolist() == [[1, 0, 0, 0]] * 3
    assert path.angular_velocity([0, 1]).tolist() == [[0, 0, 0]] * 2
    assert build_path_orientation(Keys.of([(0, 0), (1, 1)]), PathOptions(), "length", np.ones(1)) is None


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("where", [0, 1, 2])
def test_single_orientation_is_constant_along_the_path(closed, where):
    keys = [Key((i, 0), orientation=orientation_at_angle(40) if i == where else None) for i in range(3)]
    path = MotionPath(keys, closed=closed)
    assert_allclose(angle_about_z(path.orientation_at(np.linspace(0, 3, 13))), 40, rtol=1e-14)
    assert not path.angular_velocity(np.linspace(0, 3, 13)).any()


def test_orientation_is_constant_outside_the_oriented_keys():
    path = MotionPath(keys_on_a_line(range(6), [None, None, 30, 60, None, None]))
    assert_allclose(angle_about_z(path.orientation_at([0, 1, 1.5, 2])), 30, rtol=1e-14)
    assert_allclose(angle_about_z(path.orientation_at([3, 3.5, 4, 5, 99])), 60, rtol=1e-14)
    assert not path.angular_velocity([0, 1, 3, 4, 5]).any()


@settings(deadline=None, max_examples=40)
@given(st.sets(st.integers(0, 6), min_size=1), st.booleans(), st.booleans(), st.integers(0, 99))
def test_path_passes_through_every_key_orientation(faced, closed, timed, seed):
    rng = np.random.default_rng(seed)
    facings = quaternion.normalize(rng.normal(size=(7, 4)))
    keys = [
        Key(rng.normal(size=2), time=float(i * i) if timed else None, orientation=facings[i] if i in faced else None)
        for i in range(7)
    ]
    path = MotionPath(keys, closed=closed)
    for index in faced:
        assert angle_between(path.orientation_at(index), facings[index]) < 1e-9
    u = np.linspace(0, path.segments, 400)
    found = path.orientation_at(u)
    assert_allclose(np.linalg.norm(found, axis=1), 1, rtol=1e-12)
    assert angle_between(found[1:], found[:-1]).max() < 0.35  # no jumps, not at the seam of a loop either


# ---- keys without a facing do not bend the turn ----------------------------------------------------------------------


def test_unoriented_keys_are_interpolated_by_distance():
    x = [0, 1, 4, 5, 9, 10]
    path = MotionPath(keys_on_a_line(x, [0, None, 50, 80, None, 20]))
    alone = MotionPath(keys_on_a_line([0, 4, 5, 10], [0, 50, 80, 20]))
    for place in np.linspace(0, 10, 41):
        u, v = np.interp(place, x, range(6)), np.interp(place, [0, 4, 5, 10], range(4))
        assert angle_between(path.orientation_at(u), alone.orientation_at(v)) < 1e-9


def test_unoriented_keys_of_a_timed_path_are_interpolated_by_time():
    x, times = np.array([0, 1, 4, 5, 9, 10]), [0, 3, 4, 5, 5.5, 8]
    path = MotionPath(keys_on_a_line(x, [0, None, 50, 80, None, 20], times))
    alone = MotionPath(keys_on_a_line(x[[0, 2, 3, 5]], [0, 50, 80, 20], [0, 4, 5, 8]))
    for time in np.linspace(0, 8, 41):
        u, v = np.interp(time, times, range(6)), np.interp(time, [0, 4, 5, 8], range(4))
        assert angle_between(path.orientation_at(u), alone.orientation_at(v)) < 1e-9


@pytest.mark.parametrize("timed", [False, True])
def test_closed_path_may_start_with_an_unoriented_key(timed):
    """Begun at a key that has one, it is the same loop of turns."""
    ring = [(np.cos(a), np.sin(a)) for a in np.linspace(0, 2 * np.pi, 7)[:-1]]
    angles = [None, 0, None, 50, 80, None]

    def loop(first):
        keys = [
            Key(
                ring[i % 6],
                time=float(k) if timed else None,
                orientation=None if a is None else orientation_at_angle(a),
            )
            for k, (i, a) in enumerate((first + j, angles[(first + j) % 6]) for j in range(6))
        ]
        return MotionPath(keys, closed=True)

    u = np.linspace(0, 6, 61)
    assert angle_between(loop(0).orientation_at(u + 1), loop(1).orientation_at(u)).max() < 1e-7
    assert angle_between(loop(0).orientation_at(u + 3), loop(3).orientation_at(u)).max() < 1e-7


def test_coincident_keys_interpolate_orientation_by_index():
    path = MotionPath(
        [
            Key((1, 1), orientation=orientation_at_angle(0)),
            Key((1, 1)),
            Key((1, 1), orientation=orientation_at_angle(60)),
        ]
    )
    assert_allclose(angle_about_z(path.orientation_at([0.5, 1, 1.5])), [15, 30, 45], rtol=1e-12)


# ---- tension, continuity and bias ------------------------------------------------------------------------------------


def same_orientations(path, expected, turns=None):
    v = np.linspace(0, len(expected) - 1, 41)
    return angle_between((turns or path.geometry.turns).at(v), expected.at(v)).max() < 1e-9


def test_turn_inherits_tcb_of_its_key_unless_set():
    quaternions = np.array([orientation_at_angle(angle).wxyz for angle in ANGLES])
    keys = [
        Key((0, 0), orientation=orientation_at_angle(0)),
        Key((1, 0), tension=0.5, bias=1, orientation=orientation_at_angle(50)),
        Key((2, 0), tension=0.5, orientation=Turn(orientation_at_angle(80), tension=-0.5, continuity=0.3)),
        Key((3, 0), orientation=Turn(orientation_at_angle(20))),
        Key((4, 0), orientation=orientation_at_angle(-40)),
    ]
    path = MotionPath(keys, continuity=0.1)
    tcb = np.array([[0, 0.1, 0], [0.5, 0.1, 1], [-0.5, 0.3, 0], [0, 0.1, 0], [0, 0.1, 0]])
    assert_allclose(orientation_tcb(KeyColumns.from_keys(keys), PathOptions(continuity=0.1)), tcb)
    assert same_orientations(path, OrientationPath(quaternions, tcb, spans=np.ones(4)))


def test_orientation_uses_the_key_spans_of_the_path():
    """By length and by time, a turn that keeps pace with the path is as steady as the path."""
    x = np.array([0, 1, 4, 4.5, 9])
    for times in (None, [0, 2, 8, 9, 18]):
        path = MotionPath(keys_on_a_line(x, 10 * x, times))
        u = np.linspace(0, 4, 33)
        assert_allclose(angle_about_z(path.orientation_at(u)), 10 * path.at(u)[:, 0], rtol=0, atol=1e-12)


@pytest.mark.parametrize("adjust", ["length", "none", "unit"])
def test_orientation_tangents_follow_length_rules_even_with_key_times(adjust):
    x, angles = [0, 1, 4, 4.5, 9], [0, 30, 20, 50, 90]
    timed = MotionPath(keys_on_a_line(x, angles, [0, 5, 6, 20, 21]), adjust=adjust)
    untimed = MotionPath(keys_on_a_line(x, angles), adjust=adjust)
    assert_array_equal(timed.geometry.turns.leave, untimed.geometry.turns.leave)
    assert_array_equal(timed.geometry.turns.arrive, untimed.geometry.turns.arrive)


def test_path_options_apply_to_orientations():
    keys = keys_on_a_line(range(5), ANGLES)
    quaternions, even = np.array([orientation_at_angle(angle).wxyz for angle in ANGLES]), np.ones(4)
    for ends in ("reflect", "still", "zero-chord"):
        expected = OrientationPath(quaternions, np.zeros((5, 3)), spans=even, ends=ends)
        assert same_orientations(MotionPath(keys, ends=ends), expected)
    historical = OrientationPath(quaternions, np.zeros((5, 3)), spans=even, turning="log")
    assert same_orientations(MotionPath(keys, turning="log"), historical)


def test_linear_keys_rotate_at_constant_rate_along_the_chord():
    keys = [key.changed(**effects.linear) for key in keys_on_a_line([0, 1, 4, 5, 9], ANGLES, [0, 1, 5, 6, 6.5])]
    u = np.linspace(0, 4, 81)
    path = MotionPath(keys)
    assert_allclose(angle_about_z(path.orientation_at(u)), np.interp(u, range(5), ANGLES), rtol=0, atol=1e-11)
    assert_allclose(
        np.degrees(path.angular_velocity(u[:-1] + 1e-9)[:, 2]), np.diff(ANGLES)[(u[:-1] + 1e-9).astype(int)], rtol=1e-9
    )


def test_linear_orientation_only_keys_rotate_at_constant_rate():
    keys = [Key(orientation=orientation_at_angle(angle), **effects.linear) for angle in ANGLES]
    u = np.linspace(0, 4, 81)
    assert_allclose(
        angle_about_z(MotionPath(keys).orientation_at(u)), np.interp(u, range(5), ANGLES), rtol=0, atol=1e-11
    )


def test_manual_turn_tangents_override_the_chord_of_their_key():
    keys = [
        Key((0, 0), leave="chord", orientation=Turn(orientation_at_angle(0), leave=(0, 0, 2))),
        Key((1, 0), arrive=(1, 0), orientation=orientation_at_angle(50)),
        Key((2, 0), orientation=Turn(orientation_at_angle(80), arrive="chord")),
    ]
    rows = KeyColumns.from_keys(keys)
    assert manual_orientation_tangents(rows, "leave").tolist()[0] == [0, 0, 2]
    assert np.isnan(manual_orientation_tangents(rows, "arrive")[:2]).all()
    assert np.isinf(manual_orientation_tangents(rows, "arrive")[2]).all()
    path = MotionPath(keys)
    assert_allclose(path.geometry.turns.leave[0], [0, 0, 2], atol=1e-14)
    assert_allclose(path.geometry.turns.arrive[2], [0, 0, np.radians(30)], atol=1e-14)
    assert manual_orientation_tangents(KeyColumns.from_keys([Key((0, 0)), Key((1, 0))]), "leave") is None


# ---- angular velocity ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("turning", ["casteljau", "log"])
def test_angular_velocity_is_the_rate_of_orientation_change(closed, turning):
    rng = np.random.default_rng(3)
    facings = quaternion.normalize(rng.normal(size=(6, 4)) + np.array([3, 0, 0, 0]))
    keys = [Key(rng.normal(size=2), orientation=None if i in (0, 3) else facings[i]) for i in range(6)]
    path = MotionPath(keys, closed=closed, turning=turning)
    u, h = np.linspace(0, path.segments, 38)[1:-1] + 1e-3, 1e-6
    step = quaternion.multiply(path.orientation_at(u + h), quaternion.conjugate(path.orientation_at(u - h)))
    assert_allclose(path.angular_velocity(u), quaternion.log(step) / (2 * h), rtol=0, atol=1e-6)


def test_angular_velocity_at_a_key_is_that_of_the_outgoing_side():
    path = MotionPath(keys_on_a_line([0, 1, 2, 4], [0, 30, None, 90]), adjust="none")
    assert_allclose(
        path.angular_velocity(1.0)[2], path.geometry.turns.leave[1, 2] / 3, rtol=1e-12
    )  # a third of the way to the next facing
    assert_allclose(path.angular_velocity(3.0)[2], path.geometry.turns.arrive[2, 2] * 2 / 3, rtol=1e-12)


def test_two_orientations_at_one_position_are_both_passed():
    keys = [
        Key((0, 0, 0), orientation=Orientation.turned(0, "y")),
        Key((1, 0, 0)),
        Key((2, 0, 0), orientation=Orientation.turned(40, "y")),
        Key((2, 0, 0), orientation=Orientation.turned(90, "y")),
    ]
    for closed in (False, True):
        path = MotionPath(keys, closed=closed)
        assert Orientation.of(path.orientation_at(2.0)).angle_to(keys[2].orientation) < 1e-9
        assert Orientation.of(path.orientation_at(3.0)).angle_to(keys[3].orientation) < 1e-9
