"""How fast a motion is: its velocity, a drawn speed (BH89), and keys captured under it."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

from keypose.curves.key import Key
from keypose.curves.orientation import Orientation
from keypose.curves.path.motion_path import MotionPath
from keypose.errors import UnknownNameError
from keypose.maths import quaternion
from keypose.motion.motion import Motion
from keypose.timing.key_times import KeyTimes
from keypose.timing.speed_profile import SpeedProfile
from tests.motion.motions import MOTIONS, UNEVEN, random_path


def times_inside(motion, count=60, apart=1e-4):
    """Moments well inside the span, none of them near a key."""
    first, last = motion.span
    t = np.linspace(first, last, count + 2)[1:-1] + 0.00137
    keys = np.append(motion.key_times, last)
    return t[(np.abs(t[:, None] - keys).min(axis=1) > apart) & (t < last - apart)]


# ---- velocity and speed ----------------------------------------------------------------------------------------------


def test_velocity_speed_and_angular_velocity_are_rates_of_change(motion):
    t, h = times_inside(motion), 1e-6
    assert len(t) > 40
    before, after = motion.at(t - h), motion.at(t + h)
    assert_allclose(motion.velocity(t), (after.position - before.position) / (2 * h), rtol=1e-4, atol=1e-5)
    assert_allclose(motion.speed(t), (motion.distance(t + h) - motion.distance(t - h)) / (2 * h), rtol=1e-5, atol=1e-6)
    turn = quaternion.multiply(after.orientation, quaternion.conjugate(before.orientation))
    assert_allclose(motion.angular_velocity(t), quaternion.log(turn) / (2 * h), rtol=1e-4, atol=1e-5)


def test_speed_is_the_norm_of_the_velocity():
    for name in ("steady", "drawn", "captured", "timed", "loop drawn", "loop timed"):
        motion = MOTIONS[name]()
        t = np.linspace(motion.span[0] - 0.3, motion.span[1] + 0.3, 200)
        assert_allclose(np.linalg.norm(motion.velocity(t), axis=-1), motion.speed(t), rtol=1e-9, atol=1e-12)


def test_speed_with_inertia_combines_translation_and_rotation():
    motion = MOTIONS["heavy"]()
    t = times_inside(motion)
    travel, turn = np.sum(motion.velocity(t) ** 2, axis=-1), np.sum(motion.angular_velocity(t) ** 2, axis=-1)
    assert_allclose(np.sqrt(2.0 * travel + 0.5 * turn), motion.speed(t), rtol=1e-7)
    assert_allclose(motion.speed(t) / UNEVEN.at(t / 2), motion.path.length / UNEVEN.total / 2, rtol=1e-12)


def test_speed_follows_the_profile_where_the_path_pace_is_zero():
    path = MotionPath([(0, 0), Key((3, 0), tension=1, name="stop"), (3, 4)], ends="still")
    motion = Motion(path, UNEVEN, duration=2.0)
    assert path.geometry.pace(1.0) == 0
    times = np.array([0.0, motion.key_times[1], 2.0])
    expected = path.length * UNEVEN.at(times / 2) / UNEVEN.total / 2
    assert_allclose(motion.speed(times), expected, rtol=1e-12)
    directions = motion.velocity(times) / expected[:, None]
    assert_allclose(directions[[0, 2]], [(1, 0), (0, 1)], atol=1e-6)
    assert np.linalg.norm(directions[1]) == pytest.approx(1)
    captured = Motion(path, UNEVEN, duration=2.0, capture={"stop": 0.5})
    assert_allclose(captured.velocity(0.5), captured.velocity(0.5 + 1e-6), rtol=1e-4, atol=1e-6)
    assert_allclose(captured.velocity(0.5), (0, captured.speed(0.5)), atol=1e-9)


def test_angular_velocity_is_continuous_where_path_and_rotation_stop_together():
    keys = [Key((x, 0, 0), tension=1, orientation=Orientation.turned(40 * x, "y")) for x in range(3)]
    motion = Motion(MotionPath(keys), duration=2.0, capture={1: 1.0})
    assert_allclose(motion.angular_velocity([0.0, 1.0, 2.0]), [(0, np.radians(40), 0)] * 3, rtol=1e-4, atol=1e-9)


def test_key_of_tension_one_is_a_stop_with_key_times():
    motion = Motion(MotionPath([(0, 0), Key((3, 0), tension=1), (3, 4)]), KeyTimes([0, 1, 2]))
    assert_array_equal(motion.velocity(1.0), (0, 0))
    assert motion.speed(1.0) == 0
    assert motion.speed_jump(1) == (0, 0)


def test_velocity_near_a_key_is_always_that_of_the_outgoing_side():
    rng = np.random.default_rng(1)
    for _ in range(60):
        count = int(rng.integers(3, 8))
        timing = KeyTimes.inbetweens(rng.integers(0, 12, count - 1), fps=24)
        motion = Motion(MotionPath(rng.normal(size=(count, 2))), timing, start=float(rng.choice([0, 0.1, 1.7])))
        t = motion.key_times[1:-1]
        leaving = motion.path.leave[1:-1] / timing.intervals[1:, None]
        for nearby in (t, np.nextafter(t, -9), np.nextafter(t, 99)):
            assert_allclose(motion.velocity(nearby), leaving, rtol=1e-9, atol=1e-9)


# ---- BH89: drawn speed -----------------------------------------------------------------------------------------------


def sampled_rate(path, profile, k):
    """BH89 eq. 5.1: ds/dα, with α running over 0 … 1."""
    return lambda alpha, s: k * profile.at(alpha) / np.linalg.norm(path.velocity(float(np.ravel(s)[0])))


@pytest.mark.parametrize("values", [[1, 1, 8, 2, 1], [1, 25, 1], [3, 1, 1, 9, 1, 1, 3], [2, 1]], ids=str)
def test_motion_solves_the_differential_equation_of_bh89(values):
    path, profile = MotionPath(np.random.default_rng(2).normal(size=(4, 2)), tension=0.2), SpeedProfile(values)
    motion = Motion(path, profile, duration=2.0)
    alpha = np.linspace(0, 1, 25)
    rate = sampled_rate(path, profile, path.length / profile.total)
    solved = solve_ivp(rate, (0, 1), [0.0], t_eval=alpha, method="DOP853", rtol=1e-10, atol=1e-12, max_step=0.02)
    assert_allclose(motion.at(2 * alpha).position, path.at(solved.y[0]), atol=1e-7)


def test_closed_form_k_equals_the_k_searched_for_in_bh89():
    path, profile = MotionPath([(0, 0), (1, 2), (3, 1)]), SpeedProfile([1, 1, 8, 2, 1])

    def miss(k):
        whole = MotionPath([*path.keys, path.at(2.0) + path.leave[2]])  # the paper's slack beyond the end
        assert_array_equal(whole.at([0.5, 1.5]), path.at([0.5, 1.5]))
        return solve_ivp(sampled_rate(whole, profile, k), (0, 1), [0.0], rtol=1e-9, max_step=0.05).y[0, -1] - 2

    k = Motion(path, profile, duration=1.0).path.length / profile.total
    assert miss(0.99 * k) < 0 < miss(1.01 * k)
    assert brentq(miss, 0.99 * k, 1.01 * k, xtol=1e-7) == pytest.approx(k, rel=1e-6)


def test_runge_kutta_of_bh89_converges_with_fourth_order():
    path, profile = MotionPath([Key((0, 0), leave=(2, 3)), Key((4, 0), arrive=(3, -2))]), SpeedProfile([1, 3, 2, 1])
    f = sampled_rate(path, profile, path.length / profile.total)
    exact = path.parameter(Motion(path, profile, duration=1.0).distance(0.75))

    def error(steps):
        s, h = 0.0, 0.75 / steps
        for step in range(steps):
            a = step * h
            f1 = f(a, s)
            f2 = f(a + h / 2, s + h * f1 / 2)
            f3 = f(a + h / 2, s + h * f2 / 2)
            f4 = f(a + h, s + h * f3)
            s += h * (f1 + 2 * f2 + 2 * f3 + f4) / 6  # the paper prints 1, 1, 1, 1
        return abs(s - exact)

    assert 12 < error(20) / error(40) < 20
    assert error(160) < 1e-8


def test_the_speed_follows_the_profile():
    path = random_path()
    motion = Motion(path, UNEVEN, duration=2.0)
    x = np.linspace(0, 1, 50)
    assert_allclose(motion.speed(2 * x) / UNEVEN.at(x), path.length / UNEVEN.total / 2, rtol=1e-12)
    assert_allclose(motion.distance(2 * x), path.length * UNEVEN.covered(x) / UNEVEN.total, rtol=1e-12)
    twice = Motion(path, SpeedProfile([2, 2, 16, 4, 2]), duration=2.0)
    assert_allclose(twice.at(2 * x).position, motion.at(2 * x).position, atol=1e-12)


def test_slow_in_slow_out_starts_and_ends_at_rest():
    motion = Motion(random_path(), SpeedProfile.slow_in_slow_out(), duration=2.0)
    assert_array_equal(motion.speed([0, 2]), [0, 0])
    assert_array_equal(motion.velocity([0, 2]), np.zeros((2, 3)))
    assert motion.key_times[-1] == 2


# ---- captured keys ---------------------------------------------------------------------------------------------------


def test_the_speed_jump_at_a_captured_key_is_the_jump_of_k():
    path = random_path()
    for start in (0.0, 0.1, 0.37):
        for second in np.linspace(0.2, 1.8, 30):
            motion = Motion(path, UNEVEN, duration=2.0, start=start, capture={"k2": second})
            before, after = motion.speed_jump("k2")
            distance, area = path.distance(2.0), UNEVEN.covered(second / 2)
            relative = UNEVEN.at(second / 2) / 2
            assert before == pytest.approx(relative * distance / area, rel=1e-9)
            assert after == pytest.approx(relative * (path.length - distance) / (UNEVEN.total - area), rel=1e-9)
            assert motion.key_times[2] == start + second
            assert motion.speed_jump("k4")[0] == motion.speed_jump("k4")[1]


def test_speed_jump_matches_the_speed_on_both_sides_of_a_captured_key():
    motion = MOTIONS["captured"]()
    for name, second in (("k2", 0.6), ("k4", 1.3)):
        assert_allclose(motion.speed([second - 1e-9, second + 1e-9]), motion.speed_jump(name), rtol=1e-6)
        assert motion.speed(second) == motion.speed_jump(name)[1]


def test_key_captured_at_its_natural_time_makes_no_jump():
    plain = Motion(random_path(), UNEVEN, duration=2.0)
    captured = Motion(random_path(), UNEVEN, duration=2.0, capture={"k3": plain.key_times[3]})
    before, after = captured.speed_jump("k3")
    assert before == pytest.approx(after, rel=1e-9)
    t = np.linspace(0, 2, 40)
    assert_allclose(captured.at(t).position, plain.at(t).position, atol=1e-9)


def test_speed_jump_with_key_times_comes_from_the_tangents():
    path = MotionPath([(0, 0), Key((1, 0), arrive=(2, 0), leave=(0, 3), name="hit"), (1, 4)])
    motion = Motion(path, KeyTimes([0, 0.5, 2.0]))
    assert motion.speed_jump("hit") == (pytest.approx(4), pytest.approx(2))
    assert_allclose(motion.speed([0.5 - 1e-9, 0.5]), motion.speed_jump("hit"), rtol=1e-6)
    turning = Motion(MOTIONS["turning"]().path, KeyTimes([0, 1, 3]))
    assert_allclose(turning.speed_jump(1), turning.speed([1 - 1e-9, 1 + 1e-9]), rtol=1e-6)
    with pytest.raises(UnknownNameError, match="Did you mean 'hit'"):
        motion.speed_jump("hitt")
