"""What Gascuel and Lyon (1995) say in words, one test per claim, and what is wrong in print (sections 1-4).

Their corrected spline (eq. 3) is `adjust="length"`, the default of keys without times; `adjust="unit"` is the rule for
which their remark about lengths is true. Sections 5 and 7 are in `test_gl95_speed.py`, 6 in
`test_gl95_stage.py` and `test_gl95_rendezvous.py`.
"""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from keypose import Key, Motion, MotionPath, Orientation, Turn
from keypose.maths import quaternion
from tests.papers.gl95_paths import (
    FPS,
    HERMITE,
    ORIENTATIONS,
    SECONDS,
    UNEVEN,
    orientation,
    orientation_path,
    pose_path,
    powers,
)

EVEN = np.array([(0, 0), (3, 4), (8, 4), (11, 0), (16, 0)], dtype=float)  # 5 m from key to key
EVEN_X, UNEVEN_X = [(0, 0), (1, 1), (2, 2), (3, 3)], [(0, 0), (1, 1), (12, 2), (13, 3)]  # figure 2, (a) and (b)


def angles_between(a, b):
    """Degrees between two rows of orientations."""
    return np.degrees(quaternion.angle_between(a, b))


def middle_length(before, own=1.0, adjust="length", side=-1):
    """The length of the middle segment between two neighbours at right angles to it."""
    path = MotionPath([(0, side * before), (0, 0), (own, 0), (own, own)], adjust=adjust)
    return path.distance(2) - path.distance(1)


# ---- §1: why interpolate ---------------------------------------------------------------------------------------------


def test_local_control_adjusts_only_a_part_of_the_motion():
    rng, u = np.random.default_rng(1), (np.arange(900) + 0.5) / 100  # between the keys, which stay
    path = MotionPath([Key(rng.normal(size=3), orientation=rng.normal(size=4)) for _ in range(10)], adjust="none")
    edited = path.with_key(5, position=(3, 3, 3), orientation=orientation(40))
    for one, other in [(path.at(u), edited.at(u)), (path.orientation_at(u), edited.orientation_at(u))]:
        changed = np.any(one != other, axis=1)
        assert_array_equal(changed, (u > 3) & (u < 7))


# ---- §2: previous work -----------------------------------------------------------------------------------------------


def test_a_segment_is_defined_by_its_end_points_and_tangents():
    start, stop, leave, arrive = np.array([(0, 0, 0), (4, 1, 0), (2, 3, 1), (3, -2, 0)], dtype=float)
    path = MotionPath([Key(start, leave=leave), Key(stop, arrive=arrive)])
    assert_array_equal(path.at([0, 1]), [start, stop])
    assert_array_equal(path.velocity([0, 1]), [leave, arrive])


def test_equation_1_is_the_segment():
    path, u = MotionPath(UNEVEN, tension=0.2, bias=0.4), np.linspace(0, 1, 21)
    for i in range(5):
        corners = np.stack([UNEVEN[i], UNEVEN[i + 1], path.leave[i], path.arrive[i + 1]])
        assert_allclose(path.at(i + u), powers(u) @ HERMITE @ corners, rtol=0, atol=1e-13)


def test_section_2_1_as_printed_reverses_the_sign_of_continuity():
    """It leaves key i with KB84's incoming tangent and reaches key i + 1 with the outgoing one."""
    t, c, b = 0.2, 0.5, -0.3
    chord = np.diff(UNEVEN, axis=0)
    into, out_of = chord[:-1], chord[1:]
    source = (1 - t) * (1 - c) * (1 + b) / 2 * into + (1 - t) * (1 + c) * (1 - b) / 2 * out_of  # DS, leaving
    destination = (1 - t) * (1 + c) * (1 + b) / 2 * into + (1 - t) * (1 - c) * (1 - b) / 2 * out_of  # DD, arriving
    ours, opposite = (MotionPath(UNEVEN, tension=t, continuity=x, bias=b, adjust="none") for x in (c, -c))
    assert_allclose(opposite.leave[1:-1], source, atol=1e-13)
    assert_allclose(opposite.arrive[1:-1], destination, atol=1e-13)
    assert_allclose(ours.arrive[1:-1], source, atol=1e-13)  # KB84's meaning, which is kept
    assert_allclose(ours.leave[1:-1], destination, atol=1e-13)


def test_beyond_the_ends_the_first_and_last_point_are_reflected():
    before, after = 2 * UNEVEN[0] - UNEVEN[1], 2 * UNEVEN[-1] - UNEVEN[-2]
    longer = MotionPath([before, *UNEVEN, after], tension=0.3, continuity=-0.2, bias=0.5)
    path = MotionPath(UNEVEN, tension=0.3, continuity=-0.2, bias=0.5)
    u = np.linspace(0, 5, 101)
    assert_allclose(path.at(u), longer.at(u + 1), rtol=0, atol=1e-13)


@pytest.mark.parametrize("adjust", ["none", "length", "unit"])
def test_zero_for_all_three_parameters_gives_the_cardinal_spline(adjust):
    path = MotionPath(EVEN, adjust=adjust)
    assert_allclose(path.leave[1:-1], (EVEN[2:] - EVEN[:-2]) / 2)
    assert_allclose(path.arrive[1:-1], (EVEN[2:] - EVEN[:-2]) / 2)


def test_quaternions_are_unique_but_for_their_sign():
    assert Orientation(*ORIENTATIONS[0]) == Orientation(*-ORIENTATIONS[0])
    assert Orientation(*ORIENTATIONS[0]).angle_to(-ORIENTATIONS[0]) == 0
    assert Orientation(*ORIENTATIONS[0]) != Orientation(*ORIENTATIONS[1])


def test_euler_angles_are_not_unique():
    """Looking straight up, any split of 30° between the first and the last angle is the same orientation."""
    straight_up = [Orientation.from_euler((30 - last, 90, last)) for last in (0, 10, 30, 77)]
    assert max(straight_up[0].angle_to(other) for other in straight_up) < 1e-6


def test_quaternions_have_no_singularity():
    """A turn through straight up, where Euler angles jump, is as steady as any other."""
    path = orientation_path([Orientation.from_euler((0, degrees, 0)) for degrees in (60, 90, 120)])
    assert_allclose(np.linalg.norm(path.angular_velocity(np.linspace(0, 2, 41)), axis=1), np.radians(30), rtol=1e-9)


def test_the_logarithm_of_a_quaternion_is_a_rotation_vector():
    axis = np.array([2, -1, 2]) / 3
    path = orientation_path([orientation(0), orientation(80, axis)], turning="log")
    assert_allclose(path.geometry.turns.leave[0], np.radians(80) * axis, atol=1e-12)


def test_equation_2_is_equation_1_on_logarithms():
    path, u = orientation_path(ORIENTATIONS, turning="log", adjust="none", tension=0.2), np.linspace(0, 1, 21)
    logs = quaternion.log(ORIENTATIONS)
    chord = np.diff(logs, axis=0)
    tangents = 0.8 * np.concatenate([chord[:1], (chord[:-1] + chord[1:]) / 2, chord[-1:]])
    for i in range(5):
        corners = np.stack([logs[i], logs[i + 1], tangents[i], tangents[i + 1]])
        expected = quaternion.exp(powers(u) @ HERMITE @ corners)
        assert angles_between(path.orientation_at(i + u), expected).max() < 1e-9


def test_about_one_axis_logarithms_and_slerps_are_the_same_turn():
    facings, u = [orientation(degrees) for degrees in (-20, 0, 50, 65)], np.linspace(0, 3, 61)
    assert (
        angles_between(
            orientation_path(facings).orientation_at(u), orientation_path(facings, turning="log").orientation_at(u)
        ).max()
        < 1e-9
    )


def test_logarithms_depend_on_the_axes_of_the_world_and_slerps_do_not():
    rng, u = np.random.default_rng(0), np.linspace(0, 4, 41)
    found = {"log": [], "casteljau": []}
    for _ in range(60):
        keys, (turn,) = (quaternion.normalize(rng.normal(size=(count, 4))) for count in (5, 1))
        for kind, differences in found.items():
            path, other = (orientation_path(q, turning=kind) for q in (keys, quaternion.multiply(turn, keys)))
            rotated = quaternion.multiply(turn, path.orientation_at(u))
            differences.append(angles_between(rotated, other.orientation_at(u)))
    between_keys = np.array(found["log"])[:, u % 1 > 0]
    assert np.median(between_keys) > 20
    assert between_keys.max() > 170
    assert np.max(found["casteljau"]) < 1e-9


def test_logarithms_depend_on_the_sign_of_a_quaternion_and_slerps_do_not():
    flipped, u = ORIENTATIONS * np.array([1, 1, -1, 1, 1, 1])[:, None], np.linspace(0, 5, 101)
    for kind, differs in [("log", True), ("casteljau", False)]:
        one, other = (orientation_path(q, turning=kind).orientation_at(u) for q in (ORIENTATIONS, flipped))
        assert (angles_between(one, other).max() > 30) == differs


def test_logarithms_may_turn_by_344_degrees_between_keys_16_degrees_apart():
    keys = [orientation(172), orientation(-172)]
    assert keys[0].angle_to(keys[1]) == pytest.approx(16)
    assert np.degrees(orientation_path(keys, turning="log").length) == pytest.approx(344)
    assert np.degrees(orientation_path(keys).length) == pytest.approx(16)


def test_the_default_turn_is_the_same_backwards():
    u = np.linspace(0, 5, 101)
    assert (
        angles_between(
            orientation_path(ORIENTATIONS).orientation_at(u), orientation_path(ORIENTATIONS[::-1]).orientation_at(5 - u)
        ).max()
        < 1e-9
    )


# ---- §3: improving existing models -----------------------------------------------------------------------------------


def test_with_evenly_spaced_points_the_curve_goes_left_to_right():
    assert (MotionPath(EVEN_X, adjust="none").velocity(np.linspace(0, 3, 301))[:, 0] > 0).all()


def test_with_unevenly_spaced_points_the_curve_of_kb84_may_go_backwards():
    path = MotionPath(UNEVEN_X, adjust="none")
    assert path.velocity(1 / 3)[0] == pytest.approx(-2 / 3)
    assert (path.velocity(np.linspace(0, 3, 301))[:, 0] < 0).any()


def test_the_correction_removes_the_backwards_part():
    assert (MotionPath(UNEVEN_X, adjust="length").velocity(np.linspace(0, 3, 301))[:, 0] > 0).all()


def test_the_correction_changes_nothing_where_points_are_evenly_spaced():
    u = np.linspace(0, 4, 101)
    words = {"tension": 0.2, "continuity": -0.3, "bias": 0.4}
    plain, corrected = (MotionPath(EVEN, adjust=adjust, **words) for adjust in ("none", "length"))
    assert_allclose(corrected.at(u), plain.at(u), rtol=0, atol=1e-13)


def test_equation_3_scales_each_tangent_with_its_own_segment():
    words = {"tension": 0.2, "continuity": -0.3, "bias": 0.4}
    plain, corrected = (MotionPath(UNEVEN, adjust=adjust, **words) for adjust in ("none", "length"))
    length = np.linalg.norm(np.diff(UNEVEN, axis=0), axis=1)[:, None]
    total = length[:-1] + length[1:]
    assert_allclose(corrected.arrive[1:-1], plain.arrive[1:-1] * 2 * length[:-1] / total, atol=1e-13)
    assert_allclose(corrected.leave[1:-1], plain.leave[1:-1] * 2 * length[1:] / total, atol=1e-13)


def test_with_equation_3_points_on_a_line_give_exactly_linear_motion():
    x = np.array([0, 1, 1.2, 5, 30])
    path = MotionPath(np.column_stack([x, 2 * x]))
    for i, chord in enumerate(np.diff(x)):
        s = np.linspace(0, 0.99, 12)
        assert_allclose(path.at(i + s)[:, 0], x[i] + s * chord, rtol=1e-13, atol=1e-13)
    chord = np.diff(x)
    swapped = (x[2:] - x[:-2]) / 2 * 2 * chord[:-1] / (chord[:-1] + chord[1:])  # the ratio of the other segment
    assert not np.allclose(swapped, chord[1:], rtol=0.1)
    assert_allclose(path.leave[1:-1, 0], chord[1:])


def test_the_curve_does_not_always_follow_the_control_points():
    """Figure 3 says it does. These points go left to right, and the corrected curve between 10 and 10.01 does not."""
    path = MotionPath([(0, 0), (10, 0), (10.01, 10), (20, 10)], adjust="length")
    x = path.at(np.linspace(1, 2, 2001))[:, 0]
    assert (x.min(), x.max()) == pytest.approx((9.53, 10.48), abs=0.005)
    assert path.velocity(1.5)[0] < 0


def test_a_segments_length_is_not_a_function_of_its_own_chord_alone():
    """The first remark of §3. Chords parallel on both sides; then with both neighbours on one side."""
    assert [middle_length(before) for before in (0.1, 1, 100)] == pytest.approx([1.020, 1.030, 1.093], abs=5e-4)
    assert [middle_length(before, side=1) for before in (0.1, 1, 100)] == pytest.approx([1.024, 1.051, 1.134], abs=5e-4)


def test_with_unit_chords_segment_length_is_linear_in_its_chord():
    lengths = [middle_length(before, adjust="unit") for before in (0.1, 1, 100)]
    assert_allclose(lengths, lengths[0], rtol=1e-12)
    assert_allclose([middle_length(3, own, "unit") for own in (0.01, 2, 50)], np.array([0.01, 2, 50]) * lengths[0])


def test_without_correction_segment_length_depends_much_more_on_neighbours():
    assert middle_length(100, adjust="none", side=1) > 14


def test_the_joints_keep_their_direction_but_not_their_speed():
    path = MotionPath(UNEVEN, adjust="length")
    arrive, leave = path.arrive[1:-1], path.leave[1:-1]
    sizes = np.linalg.norm(arrive, axis=1), np.linalg.norm(leave, axis=1)
    assert_allclose(arrive / sizes[0][:, None], leave / sizes[1][:, None], atol=1e-14)  # G1
    length = np.linalg.norm(np.diff(UNEVEN, axis=0), axis=1)
    assert_allclose(sizes[0] / sizes[1], length[:-1] / length[1:])  # not C1
    assert (np.abs(sizes[0] / sizes[1] - 1) > 0.1).any()


def test_speed_uniformization_smooths_the_joints():
    motion = Motion(MotionPath(UNEVEN), duration=SECONDS)
    keys = motion.key_times[1:-1]
    assert_allclose(motion.velocity(keys - 1e-7), motion.velocity(keys + 1e-7), rtol=0, atol=1e-4)


def test_uniformization_does_not_affect_the_shape_of_the_curve():
    path = MotionPath(UNEVEN)
    frames = Motion(path, duration=SECONDS).frames(FPS).position
    u = path.parameter(np.linspace(0, path.length, 49))
    assert_allclose(frames, path.at(u), rtol=0, atol=1e-12)


def test_points_in_a_plane_give_a_curve_in_that_plane():
    normal = np.array([1, -2, 2]) / 3
    places = UNEVEN - np.outer(UNEVEN @ normal, normal)
    path = MotionPath(places, tension=-0.5, continuity=0.3, bias=0.7)
    assert_allclose(path.at(np.linspace(0, 5, 301)) @ normal, 0, atol=1e-13)
    by_hand = path.with_key(2, leave=3 * normal)  # which is why there is a full mode
    assert np.abs(by_hand.at(np.linspace(2, 3, 9)) @ normal).max() > 0.3


def test_in_tcb_mode_tangents_are_recomputed_when_a_point_is_moved():
    path = MotionPath(EVEN)
    moved = path.with_key(3, position=(11, 9))
    assert_array_equal(moved.leave, MotionPath([*EVEN[:3], (11, 9), EVEN[4]]).leave)
    assert np.linalg.norm(moved.leave[2] - path.leave[2]) > 1


def test_in_full_mode_tangents_survive_when_points_are_moved():
    path = MotionPath(EVEN).with_key(2, arrive=(1, 2), leave=(3, -4))
    for moved in (1, 2, 3):
        after = path.with_key(moved, position=(20, 20))
        assert after.arrive[2].tolist() == [1, 2]
        assert after.leave[2].tolist() == [3, -4]


def test_dragging_one_tangent_leaves_the_other_half_to_tcb():
    path, dragged = MotionPath(EVEN), MotionPath(EVEN).with_key(2, leave=(3, -4))
    assert dragged.leave[2].tolist() == [3, -4]
    assert_array_equal(dragged.arrive, path.arrive)


def test_tangents_set_by_hand_are_not_silently_discarded():
    path = MotionPath(EVEN).with_key(2, leave=(3, -4))
    lost = path.lost_by_tcb(2)
    assert lost.sides == ("leave",)
    assert lost.tangents[0].tolist() == [3, -4]
    assert "set by hand" in str(lost)
    assert MotionPath(EVEN).lost_by_tcb(2) is None
    assert_array_equal(path.with_key(2, leave=None).leave, MotionPath(EVEN).leave)


# ---- §4: movement interpolation --------------------------------------------------------------------------------------


def test_a_motion_splits_into_a_translation_and_a_rotation():
    motion, t = Motion(pose_path(), duration=SECONDS), np.linspace(0, SECONDS, 25)
    assert_array_equal(motion.at(t).position, Motion(MotionPath(UNEVEN), duration=SECONDS).at(t).position)
    passed = motion.at(motion.key_times)
    assert_allclose(passed.position, UNEVEN, atol=1e-9)
    assert angles_between(passed.orientation, ORIENTATIONS).max() < 1e-6


def test_translation_and_rotation_have_the_same_tension_continuity_and_bias():
    """Keys whose angle grows with the way: then the tangents of place and turn are in the same proportion."""
    x = np.array([0, 1, 1.5, 4, 6])
    keys = [Key((place, 0, 0), orientation=orientation(20 * place)) for place in x]
    path = MotionPath(keys, tension=0.3, continuity=-0.6, bias=0.5)
    assert_allclose(path.geometry.turns.leave[:, 1], np.radians(20) * path.leave[:, 0], rtol=1e-12)
    assert_allclose(path.geometry.turns.arrive[:, 1], np.radians(20) * path.arrive[:, 0], rtol=1e-12)


def test_a_bounce_changes_the_direction_of_rotation_abruptly_too():
    keys = [Key((0, 1, 0), orientation=orientation(0)), Key((1, 0, 0), orientation=orientation(90)), Key((2, 1, 0))]
    keys[2] = keys[2].changed(orientation=orientation(90, "x"))
    smooth, bounce = MotionPath(keys), MotionPath(keys).with_key(1, continuity=-1)
    assert_allclose(smooth.angular_velocity(1 - 1e-9), smooth.angular_velocity(1.0), atol=1e-6)
    assert np.linalg.norm(bounce.angular_velocity(1 - 1e-9) - bounce.angular_velocity(1.0)) > 1
    assert np.linalg.norm(bounce.velocity(1 - 1e-9) - bounce.velocity(1.0)) > 1


def test_orientation_parameters_may_differ_from_those_of_position():
    keys = [Key((x, 0, 0), orientation=orientation(90 * x)) for x in range(3)]
    keys[1] = Key((1, 0, 0), tension=1, orientation=Turn(orientation(90), tension=0))
    path = MotionPath(keys)
    assert_array_equal(path.leave[1], np.zeros(3))
    assert path.geometry.turns.leave[1, 1] == pytest.approx(np.radians(90))
