"""What Gascuel and Lyon (1995) say about speed (sections 5 and 7), one test per claim."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import quad

from keypose import Motion, MotionPath, SpeedProfile
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

# ---- §5.1: speed uniformization --------------------------------------------------------------------------------------


def test_hermite_splines_are_not_uniform():
    pace = MotionPath(UNEVEN).geometry.pace(np.linspace(3, 4, 101)[:-1])
    assert pace.max() > 1.2 * pace.min()


def test_small_steps_between_points_add_up_to_the_length():
    path = MotionPath(UNEVEN)
    sums = [np.linalg.norm(np.diff(path.at(np.linspace(0, 5, n + 1)), axis=0), axis=1).sum() for n in (500, 5000)]
    assert sums[0] < sums[1] < path.length
    assert sums[1] == pytest.approx(path.length, rel=1e-6)


def test_small_angles_between_orientations_add_up_to_the_turn():
    path = orientation_path(ORIENTATIONS)
    q = path.orientation_at(np.linspace(0, 5, 5001))
    assert quaternion.angle_between(q[1:], q[:-1]).sum() == pytest.approx(path.length, rel=1e-6)


def test_printed_angle_is_always_1():
    """‖Q(u+du) Q̄(u)‖ is the norm of a unit quaternion; the angle is that of its logarithm."""
    for steps in (10, 1000):
        q = orientation_path(ORIENTATIONS).orientation_at(np.linspace(0, 5, steps + 1))
        assert_allclose(np.linalg.norm(quaternion.multiply(q[1:], quaternion.conjugate(q[:-1])), axis=1), 1, rtol=1e-12)


@pytest.mark.parametrize(("mass", "inertia"), [(1, 1), (2, 0.1), (0.3, 5)])
def test_travel_and_turn_combine_as_the_root_of_weighted_squares(mass, inertia):
    path, u = pose_path(mass=mass, inertia=inertia), np.linspace(0, 5, 5001)
    travel = np.linalg.norm(np.diff(path.at(u), axis=0), axis=1)
    q = path.orientation_at(u)
    turn = quaternion.angle_between(q[1:], q[:-1])
    assert np.sqrt(mass * travel**2 + inertia * turn**2).sum() == pytest.approx(path.length, rel=1e-5)


def test_printed_combined_length_tends_to_zero_under_refinement():
    def printed(steps):
        u = np.linspace(0, 5, steps + 1)
        travel, q = np.linalg.norm(np.diff(pose_path().at(u), axis=0), axis=1), pose_path().orientation_at(u)
        return (travel**2 + quaternion.angle_between(q[1:], q[:-1]) ** 2).sum()

    sums = [printed(steps) for steps in (500, 1000, 2000)]
    assert_allclose(np.divide(sums[:-1], sums[1:]), 2, rtol=0.02)  # half as much at half the step


def test_a_third_of_the_trace_is_the_mean_of_an_inertia_matrix_over_all_axes():
    j = np.array([(3, 0.4, 0), (0.4, 1, -0.2), (0, -0.2, 7)])
    axes = np.random.default_rng(0).normal(size=(20_000, 3))
    axes /= np.linalg.norm(axes, axis=1)[:, None]
    assert np.einsum("ni,ij,nj->n", axes, j, axes).mean() == pytest.approx(np.trace(j) / 3, rel=0.01)


def test_uniform_motion_is_linear_in_time():
    motion = Motion(MotionPath(UNEVEN), duration=SECONDS, start=3.0)
    t = np.linspace(3, 5, 33)
    assert_allclose(motion.distance(t), motion.path.length * (t - 3) / (5 - 3), rtol=0, atol=1e-12)
    assert_allclose(motion.speed(t), motion.path.length / 2)


def test_uniformization_spaces_the_frames_evenly():
    """Figure 4: five segments joined with the same direction but not the same speed."""
    path = MotionPath(UNEVEN)
    by_parameter = np.diff(path.distance(np.linspace(0, 5, 49)))
    uniform = np.diff(path.distance(path.parameter(Motion(path, duration=SECONDS).distance(np.linspace(0, 2, 49)))))
    assert by_parameter.max() > 5 * by_parameter.min()
    assert_allclose(uniform, path.length / 48, rtol=1e-8)


def test_uniform_motion_includes_rotation_with_inertia():
    path = pose_path(mass=2, inertia=3)
    motion, t = Motion(path, duration=SECONDS), np.linspace(0.01, 1.99, 50)
    effort = 2 * (motion.velocity(t) ** 2).sum(axis=1) + 3 * (motion.angular_velocity(t) ** 2).sum(axis=1)
    assert_allclose(np.sqrt(effort), path.length / SECONDS, rtol=1e-8)


# ---- §5.2: adding speed variations -----------------------------------------------------------------------------------

PROFILE = SpeedProfile.through({0: 0.5, 0.3: 4, 0.6: 1, 1: 2})


def test_distance_runs_monotonically_from_zero_to_the_length():
    motion = Motion(MotionPath(UNEVEN), PROFILE, duration=SECONDS, start=1.0)
    assert motion.distance(1.0) == 0
    assert motion.distance(3.0) == motion.path.length
    assert (np.diff(motion.distance(np.linspace(1, 3, 999))) > 0).all()


def test_speeds_known_at_some_times_are_interpolated():
    assert PROFILE.at([0, 0.3, 0.6, 1]).tolist() == [0.5, 4, 1, 2]
    between = PROFILE.at(np.linspace(0.3, 0.6, 31))
    assert (np.diff(between) < 0).all()  # never beyond the speeds on either side, so never below zero


def test_the_speed_curve_is_integrated():
    for x in (0.1, 0.3, 0.77, 1):
        assert PROFILE.covered(x) == pytest.approx(quad(PROFILE.at, 0, x, points=[0.3, 0.6])[0], abs=1e-10)


def test_the_integral_is_rescaled_to_the_length_of_the_path():
    motion = Motion(MotionPath(UNEVEN), PROFILE, duration=SECONDS, start=1.0)
    t = np.linspace(1, 3, 41)
    expected = motion.path.length / PROFILE.covered(1) * PROFILE.covered((t - 1) / (3 - 1))
    assert_allclose(motion.distance(t), expected, rtol=0, atol=1e-12)


def test_speed_variations_space_the_frames_and_leave_the_shape_alone():
    """Figure 6: the same curve with uniform speed and with the animator's."""
    path = MotionPath(UNEVEN)
    uniform, varied = Motion(path, duration=SECONDS), Motion(path, PROFILE, duration=SECONDS)
    assert_allclose(np.diff(uniform.time_bar(FPS)), path.length / 48, rtol=1e-8)
    assert np.diff(varied.time_bar(FPS)).max() > 3 * np.diff(varied.time_bar(FPS)).min()
    assert_allclose(varied.frames(FPS).position, path.along(varied.time_bar(FPS)), rtol=0, atol=1e-12)


def test_a_slammed_door_arrives_at_speed_and_a_gently_closed_one_at_rest():
    door = orientation_path([orientation(90), orientation(0)])
    slammed = Motion(door, SpeedProfile.through({0: 0, 0.5: 1, 1: 1}), duration=1.0)
    gentle = Motion(door, SpeedProfile.through({0: 0, 0.5: 1, 1: 0}), duration=1.0)
    assert slammed.speed(1.0) == pytest.approx(slammed.speed(0.7))
    assert slammed.speed(1.0) > np.radians(90)
    assert gentle.speed(1.0) == 0
    for motion in (slammed, gentle):
        assert motion.at(1.0).facing.angle_to(orientation(0)) < 1e-6


# ---- §7: optimized implementation ------------------------------------------------------------------------------------


def test_the_equations_factor_into_what_changes_each_step_and_what_does_not():
    path = MotionPath(UNEVEN)
    once = HERMITE @ np.stack([UNEVEN[2], UNEVEN[3], path.leave[2], path.arrive[3]])  # per segment
    assert_allclose(path.at(2 + np.linspace(0, 1, 99)), powers(np.linspace(0, 1, 99)) @ once, rtol=0, atol=1e-13)


def test_moved_key_leaves_the_lengths_of_far_segments_unchanged():
    places = np.random.default_rng(3).normal(size=(12, 3))
    path = MotionPath(places)
    before, after = (np.diff(p.distance(np.arange(12))) for p in (path, path.with_key(5, position=(4, 4, 4))))
    far = [0, 1, 2, 7, 8, 9, 10]
    assert_allclose(before[far], after[far], rtol=0, atol=1e-13)
    assert (np.abs(before - after)[3:7] > 1e-3).all()


@pytest.mark.parametrize("tension", [0, 0.9])
def test_table_of_100_entries_is_much_less_accurate_than_our_inverse(tension):
    path = MotionPath(UNEVEN, tension=tension)
    entries = np.arange(501) / 100  # a hundred to a segment
    nodes, weights = np.polynomial.legendre.leggauss(20)

    def distance(u):
        """The distance within the segment of u, by quadrature between the entries around it."""
        start = np.floor(u * 100) / 100
        half = (u - start)[:, None] / 2
        speed = np.linalg.norm(path.velocity(start[:, None] + half * (1 + nodes)), axis=-1)
        return np.interp(start, entries, table) + (speed * weights * half).sum(axis=1)

    table = np.zeros(501)
    steps = entries[:-1, None] + (1 + nodes) / 200
    table[1:] = np.cumsum((np.linalg.norm(path.velocity(steps), axis=-1) * weights / 200).sum(axis=1))
    wanted = np.linspace(0, table[-1], 1003)[1:-1]
    by_table = np.abs(distance(np.interp(wanted, table, entries)) - wanted).max()
    ours = np.abs(distance(path.parameter(wanted)) - wanted).max()
    assert ours < 1e-8
    assert by_table > 1e4 * ours


def test_linear_interpolation_between_entries_is_a_succession_of_constant_speeds():
    """Figure 10: the last trapeze mends it; our integral is exact everywhere."""
    entries = np.linspace(0, 1, 101)
    table = PROFILE.covered(entries)
    x = np.linspace(0.1501, 0.1599, 25)  # inside one entry, while the drawn speed rises
    linear = np.interp(x, entries, table)
    assert_allclose(np.diff(linear) / np.diff(x), np.diff(linear)[0] / np.diff(x)[0])
    trapeze = table[15] + (x - entries[15]) * (PROFILE.at(entries[15]) + PROFILE.at(x)) / 2
    true = np.array([quad(PROFILE.at, 0, end, epsabs=1e-13)[0] for end in x])
    errors = [np.abs(estimate - true).max() for estimate in (linear, trapeze, PROFILE.covered(x))]
    assert errors[0] > 1e-4
    assert errors[1] < errors[0] / 10
    assert errors[2] < 1e-12
