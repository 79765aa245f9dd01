"""What Bartels and Hardtke (1989) say in words, one test per claim, and what is wrong in print.

Their speed-profile curve φ is `SpeedProfile`; α, which runs over 0 … f for control values v₀ … v_f, is x = α/f here, a
share of the duration. The paper's integration and search (figure 3) are written out below and compared with ours.
"""

from functools import cache

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.interpolate import BSpline
from scipy.optimize import brentq

from keypose import Key, KeyposeError, KeyTimes, Motion, MotionPath, Orientation, SpeedProfile

PATH = MotionPath([(0, 0), (1, 2), (4, 2.5), (5, 0), (9, 1)])
HIGH, LOW = 25, 1  # the range of figures 4-6
SLOW_MIDDLE = SpeedProfile([HIGH, HIGH, LOW, LOW, LOW, HIGH, HIGH])
SLOW_ENDS = SpeedProfile([LOW, LOW, HIGH, HIGH, HIGH, LOW, LOW])
MILD = SpeedProfile([8, 12, 9, 13, 8, 11, 9])
PROFILES = [SLOW_MIDDLE, SLOW_ENDS, MILD, SpeedProfile.steady(), SpeedProfile([1, 1, 8, 2, 1])]
FPS, SECONDS = 24, 2.0

RIGHT, PRINTED = (1, 2, 2, 1), (1, 1, 1, 1)  # weights of the four slopes of Runge and Kutta; the second as printed
ARC = MotionPath([Key((0, 0), leave=(2, 3)), Key((4, 0), arrive=(3, -2))])  # one smooth segment, so that orders show
BUMP = SpeedProfile([1, 3, 2, 1])


def timed_motion(profile, path=PATH, **options):
    return Motion(path, profile, duration=SECONDS, **options)


def frame_distances(motion):
    """The distance along the path from frame to frame."""
    return np.diff(motion.time_bar(FPS))


def integrated(k, steps, weights):
    """Figure 3 for ARC and BUMP: s at f/2 and at f, by so many steps; beyond the end the path is taken to go on."""
    f = len(BUMP.values) - 1

    def rate(alpha, s):
        return k * BUMP.at(alpha / f) / np.linalg.norm(ARC.velocity(s))

    h, s, half = f / steps, 0.0, 0.0
    for step in range(steps):
        half = s if step == steps // 2 else half
        alpha = step * h
        f1 = rate(alpha, s) * h
        f2 = rate(alpha + h / 2, s + f1 / 2) * h
        f3 = rate(alpha + h / 2, s + f2 / 2) * h
        f4 = rate(alpha + h, s + f3) * h
        s += np.dot(weights, [f1, f2, f3, f4]) / 6
    return half, s


@cache
def searched(steps, weights):
    """K such that the integration ends at the end of the path (ZEROIN, which scipy calls brentq), and s at f/2."""
    k = brentq(lambda k: integrated(k, steps, weights)[1] - 1, 0.5 * closed_form(), 2 * closed_form(), xtol=1e-12)
    return k, integrated(k, steps, weights)[0]


def closed_form():
    """K = l/∫φ, with φ over 0 … f."""
    return ARC.length / (BUMP.total * (len(BUMP.values) - 1))


def convergence_order(of):
    """By which power of the step an error falls."""
    return np.log2(of(20) / of(40))


# ---- §3: trajectory --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("profile", PROFILES, ids=repr)
def test_the_profile_changes_the_timing_and_never_the_path(profile):
    motion = timed_motion(profile)
    assert motion.path == PATH
    t = np.linspace(0, SECONDS, 99)
    assert_allclose(motion.at(t).position, PATH.along(motion.distance(t)), rtol=0, atol=1e-12)
    on_path = PATH.along(motion.time_bar(FPS))
    assert_allclose(motion.frames(FPS).position, on_path, rtol=0, atol=1e-12)


def test_the_path_goes_through_every_key_whatever_the_profile():
    for profile in PROFILES:
        motion = timed_motion(profile)
        assert_allclose(motion.at(motion.key_times).position, PATH.at(np.arange(5)), rtol=0, atol=1e-9)


def test_even_steps_of_the_parameter_are_uneven_steps_in_space():
    """Why a simple system's motion is unsatisfying: s has no fixed relation to the way."""
    even_in_s = np.diff(PATH.distance(np.linspace(0, 4, 49)))
    assert even_in_s.max() > 2 * even_in_s.min()
    assert_allclose(frame_distances(timed_motion(SpeedProfile.steady())), PATH.length / 48, rtol=1e-9)


def test_dense_frames_are_slow_motion_and_sparse_frames_are_fast():
    motion = timed_motion(SLOW_MIDDLE)
    middle = motion.frame_times(FPS)[:-1] + 0.5 / FPS
    assert_allclose(frame_distances(motion) * FPS, motion.speed(middle), rtol=0.05)


def test_profile_works_in_three_dimensions():
    path = MotionPath([(0, 0, 0), (1, 2, 3), (4, 2, -1), (5, 0, 0)])
    motion = timed_motion(BUMP, path)
    x = np.linspace(0, 1, 33)
    assert_allclose(motion.speed(SECONDS * x), path.length * BUMP.at(x) / BUMP.total / SECONDS)


def test_profile_works_for_rotation_angles():
    path = MotionPath([Key(orientation=Orientation.turned(degrees, "y")) for degrees in (0, 30, 170)])
    motion = timed_motion(BUMP, path)
    x = np.linspace(0, 1, 33)
    assert_allclose(
        motion.angular_velocity(SECONDS * x)[:, 1], np.radians(170) * BUMP.at(x) / BUMP.total / SECONDS, rtol=1e-6
    )


# ---- §4: the speed-profile curve -------------------------------------------------------------------------------------


def test_peaks_spread_the_frames_and_valleys_crowd_them():
    motion = timed_motion(SLOW_ENDS)
    speeds = SLOW_ENDS.at(np.arange(48) / 48 + 1 / 96)
    assert frame_distances(motion).argmax() == pytest.approx(speeds.argmax(), abs=1)
    assert_allclose(frame_distances(motion) / frame_distances(motion).max(), speeds / speeds.max(), rtol=0, atol=0.01)


def test_spacing_is_measured_along_the_arc():
    """The same profile on two paths: equal shares of the way, not of the parameter."""
    other = MotionPath([(0, 0), (0.1, 0), (5, 5), (5, 9), (-3, 2)])
    shares = [timed_motion(SLOW_MIDDLE, path).time_bar(FPS) / path.length for path in (PATH, other)]
    assert_allclose(shares[0], shares[1], rtol=0, atol=1e-12)


@pytest.mark.parametrize("profile", PROFILES, ids=repr)
def test_the_curve_stays_between_the_smallest_and_the_largest_value(profile):
    speeds = profile.at(np.linspace(0, 1, 999))
    assert speeds.min() >= profile.values.min()
    assert speeds.max() <= profile.values.max()


def test_the_curve_is_a_clamped_uniform_cubic_b_spline():
    """The paper leaves the knots open. These keep its convex hull and begin and end at the first and last value."""
    values = [1, 9, 4, 25, 3, 3, 12]
    knots = np.concatenate([[0] * 3, np.linspace(0, 1, 5), [1] * 3])
    x = np.linspace(0, 1, 101)
    assert_allclose(SpeedProfile(values).at(x), BSpline(knots, values, 3)(x), rtol=1e-12)
    assert SpeedProfile(values).at([0, 1]).tolist() == [1, 12]


def test_lowering_one_value_changes_the_curve_in_its_neighbourhood_alone():
    """Figures 1 and 2: v₄ is lowered."""
    before = SpeedProfile([4, 9, 14, 8, 18, 12, 6, 10, 5])
    after = before.raised(4, 5)
    x = (np.arange(600) + 0.5) / 600
    changed = before.at(x) != after.at(x)
    assert_array_equal(changed, (x > 1 / 6) & (x < 5 / 6))  # four of the six spans between knots
    assert (after.at(x) <= before.at(x)).all()
    assert x[(before.at(x) - after.at(x)).argmax()] == pytest.approx(before.places[4], abs=0.002)


def test_control_values_are_at_their_spline_abscissae():
    profile = SpeedProfile([4, 9, 14, 8, 18, 12, 6, 10, 5])
    assert_allclose(profile.places, [0, 1 / 18, 1 / 6, 1 / 3, 1 / 2, 2 / 3, 5 / 6, 17 / 18, 1])
    assert profile.at([0.0, 1.0]).tolist() == [4, 5]


def test_values_can_be_inserted_deleted_raised_and_lowered():
    profile = SpeedProfile([4, 9, 8])
    assert profile.inserted(0.25, 7).values.tolist() == [4, 7, 9, 8]
    assert profile.without(1).values.tolist() == [4, 8]
    assert profile.raised(0, 6).values.tolist() == [6, 9, 8]
    assert profile.raised(0, 2).values.tolist() == [2, 9, 8]


def test_raising_a_value_spreads_the_frames_there():
    values = SpeedProfile([5, 5, 5, 5, 5, 5, 5])
    before, after = frame_distances(timed_motion(values)), frame_distances(timed_motion(values.raised(3, 25)))
    assert (after[20:28] > 1.3 * before[20:28]).all()
    assert (after[:8] < before[:8]).all()  # the same frames and the same way: elsewhere they come closer
    assert (after[-8:] < before[-8:]).all()


# ---- §5: sampling ----------------------------------------------------------------------------------------------------


def test_a_constant_profile_gives_a_constant_change_in_arc_length():
    motion = timed_motion(SpeedProfile([7, 7, 7, 7]))
    assert_allclose(motion.speed(np.linspace(0, SECONDS, 50)), PATH.length / SECONDS)
    assert_allclose(frame_distances(motion), PATH.length / 48, rtol=1e-9)


def test_the_sampling_satisfies_the_differential_equation():
    """Eq. 5.1, ds/dα = Kφ/‖dP/ds‖, as a difference quotient of s(α)."""
    f, k = 3, closed_form()
    motion, alpha, h = Motion(ARC, BUMP, duration=f), np.linspace(0.1, 2.9, 57), 1e-4
    s = ARC.parameter(motion.distance(alpha))
    slope = (ARC.parameter(motion.distance(alpha + h)) - ARC.parameter(motion.distance(alpha - h))) / (2 * h)
    assert_allclose(slope, k * BUMP.at(alpha / f) / np.linalg.norm(ARC.velocity(s), axis=1), rtol=1e-6)


@pytest.mark.parametrize("profile", PROFILES, ids=repr)
def test_the_motion_starts_at_the_first_key(profile):
    assert timed_motion(profile).distance(0.0) == 0
    assert_array_equal(timed_motion(profile).at(0.0).position, PATH.at(0.0))


@pytest.mark.parametrize("profile", PROFILES, ids=repr)
def test_the_motion_ends_at_the_last_key_when_its_time_is_over(profile):
    assert timed_motion(profile).distance(SECONDS) == PATH.length
    assert_array_equal(timed_motion(profile).at(SECONDS).position, PATH.at(4.0))


def test_only_the_relative_speed_counts():
    fast = SpeedProfile(100 * SLOW_MIDDLE.values)
    assert_allclose(timed_motion(fast).time_bar(FPS), timed_motion(SLOW_MIDDLE).time_bar(FPS), rtol=0, atol=1e-12)


@pytest.mark.parametrize("profile", PROFILES, ids=repr)
def test_the_total_time_is_kept(profile):
    motion = timed_motion(SpeedProfile.steady()).retimed(profile)
    assert motion.duration == SECONDS
    assert len(motion.frames(FPS)) == 49
    assert motion.time_bar(FPS)[-1] == PATH.length


@pytest.mark.parametrize("n", [1, 2, 7, 48, 100, 241])
def test_there_are_exactly_n_plus_1_frames(n):
    motion = Motion(PATH, MILD, duration=n / FPS)
    frames = motion.frames(FPS).position
    assert len(frames) == n + 1
    assert_array_equal(frames[[0, -1]], PATH.at([0.0, 4.0]))
    assert_allclose(np.diff(motion.frame_times(FPS)), 1 / FPS)


def test_printed_loop_often_takes_a_step_too_many_and_never_samples_frame_0():
    def loop(f, n, k=10):
        alpha, h, i, steps, samples = 0.0, f / (k * n), 0, 0, []
        while alpha < f:
            alpha, i, steps = alpha + h, i + 1, steps + 1
            if i == k:
                i = 0
                samples.append(alpha)
        return steps - k * n, samples

    runs = {(f, n): loop(f, n) for f in (1, 3, 6) for n in range(1, 101)}
    too_many = [excess for excess, _ in runs.values()]
    assert set(too_many) == {0, 1}
    assert 0.4 < np.mean(too_many) < 0.7
    for (f, n), (_, samples) in runs.items():
        assert len(samples) == n  # not n + 1
        assert samples[0] == pytest.approx(f / n)  # not 0


def test_inner_keys_fall_on_frames_only_by_chance():
    motion = timed_motion(SLOW_MIDDLE)
    frames = motion.frames(FPS).position
    for key in (1, 2, 3):
        assert np.linalg.norm(frames - PATH.at(float(key)), axis=1).min() > 1e-3


def test_capturing_a_key_puts_it_into_a_frame():
    motion = timed_motion(SLOW_MIDDLE, capture={1: 12 / FPS, 3: 40 / FPS})
    frames = motion.frames(FPS).position
    assert_allclose(frames[[12, 40]], PATH.at([1.0, 3.0]), rtol=0, atol=1e-12)
    assert len(frames) == 49


def test_captured_key_ends_one_part_and_begins_the_next():
    """The same motion as two, each with its own share of the profile and a K of its own; the speed may jump."""
    cut = 0.6
    whole = timed_motion(BUMP, capture={2: cut * SECONDS})
    x = np.linspace(0, 1, 41)
    first = PATH.distance(2.0) * BUMP.covered(cut * x) / BUMP.covered(cut)
    rest = BUMP.covered(cut + (1 - cut) * x) - BUMP.covered(cut)
    second = PATH.distance(2.0) + (PATH.length - PATH.distance(2.0)) * rest / rest[-1]
    assert_allclose(whole.distance(SECONDS * cut * x), first, rtol=0, atol=1e-12)
    assert_allclose(whole.distance(SECONDS * (cut + (1 - cut) * x)), second, rtol=0, atol=1e-12)
    before, after = whole.speed_jump(2)
    assert after != pytest.approx(before, rel=0.1)


def test_too_small_a_k_falls_short_and_too_large_a_k_overshoots():
    ends = [integrated(share * closed_form(), 20, RIGHT)[1] for share in (0.8, 0.99, 1, 1.01)]
    assert (np.diff(ends) > 0).all()
    assert ends[1] < 1 < ends[3]


def test_the_k_in_closed_form_is_the_k_of_the_search():
    """The equation separates: ∫‖P′‖ds = K∫φdα, so K = l/∫φ."""
    k, half = searched(40, RIGHT)
    assert k == pytest.approx(closed_form(), rel=1e-7)
    assert half == pytest.approx(ARC.parameter(Motion(ARC, BUMP, duration=1.0).distance(0.5)), abs=1e-7)


def test_correct_weights_give_fourth_order_convergence():
    exact = ARC.parameter(Motion(ARC, BUMP, duration=1.0).distance(0.5))
    assert convergence_order(lambda steps: abs(searched(steps, RIGHT)[1] - exact)) == pytest.approx(4, abs=0.2)


def test_printed_weights_give_first_order_convergence_hidden_by_the_search():
    exact = ARC.parameter(Motion(ARC, BUMP, duration=1.0).distance(0.5))
    assert convergence_order(lambda steps: abs(searched(steps, PRINTED)[1] - exact)) == pytest.approx(1, abs=0.1)
    assert searched(40, PRINTED)[0] / closed_form() == pytest.approx(1.5, abs=0.001)
    assert integrated(closed_form(), 40, PRINTED)[1] < 0.8  # without the search it stops well before the end


def test_our_sampling_is_more_accurate_than_the_printed_one():
    """How far the middle of the motion is from where it should be, the way being known from dense quadrature."""
    nodes, weights = np.polynomial.legendre.leggauss(60)
    half = ARC.length * BUMP.covered(0.5) / BUMP.total

    def miss(s):
        return abs(np.dot(weights, np.linalg.norm(ARC.velocity((nodes + 1) * s / 2), axis=1)) * s / 2 - half)

    ours = ARC.parameter(Motion(ARC, BUMP, duration=1.0).distance(0.5))
    assert miss(ours) < 1e-9
    assert miss(searched(20, RIGHT)[1]) > 1e-7
    assert miss(searched(20, PRINTED)[1]) > 1e-3


def test_key_of_tension_1_stops_the_printed_equation_and_not_ours():
    """dP/ds = 0 there: F is infinite. Between two stops the way is 3s² − 2s³, so steady motion is known exactly."""
    path = MotionPath([(0, 0), (5, 0)], tension=1)
    with np.errstate(divide="ignore"):
        assert np.isinf(1 / np.linalg.norm(path.velocity(0.0)))
    motion = Motion(path, SpeedProfile.steady(), duration=1.0)
    t = np.linspace(0, 1, 101)
    assert_allclose(motion.at(t).position[:, 0], 5 * t, rtol=0, atol=1e-11)
    assert_allclose(motion.speed(t), 5)
    assert_allclose(motion.velocity(t)[:, 0], 5, rtol=1e-6)


def test_profile_of_zero_is_a_hold():
    motion = timed_motion(SpeedProfile([1, 1, 1, 0, 0, 0, 0, 1, 1, 1]))
    t = SECONDS * np.linspace(3.01 / 7, 3.99 / 7, 9)
    assert_array_equal(motion.speed(t), np.zeros(9))
    assert len(np.unique(motion.distance(t))) == 1
    assert motion.distance(SECONDS) == PATH.length


def test_a_profile_that_never_moves_is_an_error():
    with pytest.raises(KeyposeError, match="never moves"):
        SpeedProfile([0, 0, 0])


def test_a_low_speed_in_the_central_portion_crowds_the_frames_there():
    between = frame_distances(timed_motion(SLOW_MIDDLE))
    assert between[[0, -1]].min() > 10 * between[20:28].max()


def test_a_low_speed_at_the_ends_crowds_the_frames_there():
    between = frame_distances(timed_motion(SLOW_ENDS))
    assert between[20:28].min() > 10 * between[[0, -1]].max()


def test_mild_variations_of_speed_vary_the_frames_mildly():
    between = frame_distances(timed_motion(MILD))
    assert 1.2 < between.max() / between.min() < 13 / 8
    assert frame_distances(timed_motion(SLOW_ENDS)).max() / frame_distances(timed_motion(SLOW_ENDS)).min() > 10


# ---- §6: the prototype system ----------------------------------------------------------------------------------------


def test_time_bar_has_a_stripe_per_frame_proportional_to_distance():
    for profile in PROFILES:
        motion = timed_motion(profile)
        stripes = motion.time_bar(FPS)
        assert_allclose(stripes, PATH.length * profile.covered(np.arange(49) / 48) / profile.total, atol=1e-12)


def test_a_key_can_be_shifted_a_frame_forward_or_backward():
    motion = Motion(PATH, KeyTimes.inbetweens([11, 11, 11, 11], FPS))
    later, earlier = motion.nudged(2, 1, FPS), motion.nudged(2, -1, FPS)
    assert_allclose((later.key_times - motion.key_times) * FPS, [0, 0, 1, 0, 0], atol=1e-12)
    assert_allclose((earlier.key_times - motion.key_times) * FPS, [0, 0, -1, 0, 0], atol=1e-12)
    assert_allclose(later.frames(FPS).position[25], PATH.at(2.0), atol=1e-12)


def test_reversed_times_give_the_same_motion():
    motion, t = timed_motion(SLOW_MIDDLE), np.linspace(0, SECONDS, 49)
    assert_array_equal(motion.at(t[::-1]).position, motion.at(t).position[::-1])


def test_a_profile_need_not_be_anchored_to_key_frames():
    """Its control values are spread over the duration, however many keys there are and whenever they are passed."""
    fewer = MotionPath(PATH.at([0, 4.0]))
    assert_allclose(timed_motion(BUMP).speed(1.0) / PATH.length, timed_motion(BUMP, fewer).speed(1.0) / fewer.length)
    timed = MotionPath(
        [Key(place, time=time) for place, time in zip(PATH.at(np.arange(5)), [0, 1, 4, 5, 9], strict=True)]
    )
    x = np.linspace(0, 1, 21)
    assert_allclose(
        timed_motion(BUMP, timed).distance(SECONDS * x) / timed.length, BUMP.covered(x) / BUMP.total, atol=1e-12
    )
