"""A path travelled in time: where, which way and how fast, at any instant (BH89, GL95 §5)."""

import pickle
from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

from keypose.curves.key import Key
from keypose.curves.motion_path import MotionPath
from keypose.curves.orientation import Orientation
from keypose.errors import KeyposeError, UnknownNameError
from keypose.maths import kernel, quaternion
from keypose.motion.motion import Motion
from keypose.timing.key_times import KeyTimes
from keypose.timing.speed_profile import SpeedProfile

DRAWN = SpeedProfile([1, 1, 8, 2, 1])


def some_path(count=6, seed=0, tension=0.0, **style):
    rng = np.random.default_rng(seed)
    facings = quaternion.exp(0.7 * rng.normal(size=(count, 3)))
    return MotionPath(
        [Key(rng.normal(size=3), orientation=facing, name=f"k{i}") for i, facing in enumerate(facings)],
        tension=tension,
        **style,
    )


MOTIONS = {
    "steady": lambda: Motion(some_path(), duration=2.0),
    "drawn": lambda: Motion(some_path(), DRAWN, duration=2.0, start=0.25),
    "captured": lambda: Motion(some_path(), DRAWN, duration=2.0, capture={"k2": 0.6, "k4": 1.3}),
    "timed": lambda: Motion(some_path(), KeyTimes([0, 0.2, 0.9, 1, 1.7, 2]), start=-1.0),
    "loop drawn": lambda: Motion(some_path(closed=True), DRAWN, duration=2.0),
    "loop timed": lambda: Motion(some_path(closed=True), KeyTimes([0, 0.2, 0.9, 1, 1.7, 2, 3])),
    "heavy": lambda: Motion(some_path(inertia=0.5, mass=2.0), DRAWN, duration=2.0),
    "heavy timed": lambda: Motion(some_path(inertia=0.5), KeyTimes([0, 0.2, 0.9, 1, 1.7, 2])),
    "turning": lambda: Motion(
        MotionPath([Key(orientation=Orientation.turned(a, "x")) for a in (0, 50, 80)]), DRAWN, duration=2.0
    ),
}


@pytest.fixture(params=MOTIONS)
def motion(request):
    return MOTIONS[request.param]()


@pytest.fixture(params=["definition", "kernels"])
def way(request, monkeypatch):
    """By the readable definitions, and by their compiled twins however little there is to do."""
    monkeypatch.setattr(kernel, "_allowed", request.param == "kernels")
    monkeypatch.setattr(kernel, "WORTH_LOADING", 0)
    return request.param


def inside(motion, count=60, apart=1e-4):
    """Moments well inside the span, none of them near a key."""
    first, last = motion.span
    t = np.linspace(first, last, count + 2)[1:-1] + 0.00137
    keys = np.append(motion.key_times, last)
    return t[(np.abs(t[:, None] - keys).min(axis=1) > apart) & (t < last - apart)]


# ---- a pure function of time -----------------------------------------------------------------------------------------


def test_one_instant_gives_the_same_bits_as_an_element_of_many(way, motion):
    first, last = motion.span
    t = np.random.default_rng(0).uniform(first - 0.5, last + 0.5, (2, 4))
    for answer in (motion.velocity, motion.speed, motion.distance, motion.spin):
        many = answer(t)
        for place in np.ndindex(t.shape):
            assert_array_equal(many[place], answer(float(t[place])))
    for place in np.ndindex(t.shape):
        assert_array_equal(motion.at(t).position[place], motion.at(float(t[place])).position)
        assert_array_equal(motion.at(t).orientation[place], motion.at(float(t[place])).orientation)


def test_backwards_is_the_same_as_forwards(motion):
    t = np.linspace(motion.span[0] - 1, motion.span[1] + 1, 100)
    assert motion.at(t[::-1]) == motion.at(t)[::-1]
    assert_array_equal(motion.velocity(t[::-1]), motion.velocity(t)[::-1])
    shuffled = np.random.default_rng(0).permutation(100)
    assert_array_equal(motion.at(t[shuffled]).position, motion.at(t).position[shuffled])


def test_it_starts_at_the_first_key_and_ends_at_the_last(way, motion):
    first, last = motion.span
    end = float(motion.path.segments)
    assert_allclose(motion.at([first, last]).position, motion.path.at([0.0, end]), atol=1e-14)
    assert_allclose(motion.at([first, last]).orientation, motion.path.orientation_at([0.0, end]), atol=1e-14)
    assert last - first == pytest.approx(motion.duration)


def test_every_key_is_passed_at_its_key_time(motion):
    keys = np.arange(float(len(motion.path)))
    assert_allclose(motion.at(motion.key_times).position, motion.path.at(keys), atol=1e-9)
    assert (np.diff(motion.key_times) > 0).all()


def test_a_start_moves_the_clock_and_nothing_else():
    early, late = Motion(some_path(), DRAWN, duration=2.0), Motion(some_path(), DRAWN, duration=2.0, start=5.0)
    t = np.linspace(-1, 3, 50)
    assert_allclose(late.at(t + 5).position, early.at(t).position, atol=1e-12)
    assert_allclose(late.velocity(t + 5), early.velocity(t), atol=1e-9)
    assert late.span == (5, 7)
    assert_allclose(late.key_times, early.key_times + 5)
    assert Motion(some_path(), KeyTimes([1, 2, 3, 4, 5, 6]), start=-1.0).span == (0, 5)


def test_whole_numbers_lists_and_read_only_times_will_do(way, motion):
    t = np.array([0.0, 1.0, 2.0])
    t.flags.writeable = False
    assert motion.at(t) == motion.at([0, 1, 2])
    assert motion.at(1) == motion.at(1.0)
    assert motion.at([]).position.shape == (0, 3)


@pytest.mark.parametrize("wrong", [np.nan, [0, np.nan], "noon", None], ids=str)
def test_what_is_no_time_is_refused(motion, wrong):
    for answer in (motion.at, motion.velocity, motion.speed, motion.distance, motion.spin):
        with pytest.raises(KeyposeError, match="A time must be numbers"):
            answer(wrong)


# ---- outside ---------------------------------------------------------------------------------------------------------


def outside(how, timing=None, **said):
    path = MotionPath([(0, 0), (1, 0), (4, 0), (6, 0)])
    return Motion(path, timing, duration=None if timing else 2.0, outside=how, **said)


@pytest.mark.parametrize("timing", [None, KeyTimes([0, 0.5, 1, 2])], ids=["steady", "timed"])
def test_outside_it_holds(timing):
    motion = outside("hold", timing)
    assert_array_equal(motion.at([-np.inf, -1, 0, 2, 3, np.inf]).position[:, 0], [0, 0, 0, 6, 6, 6])
    assert_array_equal(motion.velocity([-1, 3]), np.zeros((2, 2)))
    assert_array_equal(motion.speed([-1, 3]), [0, 0])
    assert motion.speed(2.0) > 0
    assert_array_equal(motion.distance([-1, 9]), [0, 6])


@pytest.mark.parametrize("timing", [None, KeyTimes([0, 0.5, 1, 2])], ids=["steady", "timed"])
def test_outside_it_cycles(timing):
    motion, held = outside("cycle", timing), outside("hold", timing)
    t = np.linspace(0.01, 1.99, 23)
    for lap in (-4, -2, 2, 20):
        assert_allclose(motion.at(t + lap).position, held.at(t).position, atol=1e-12)
        assert_allclose(motion.velocity(t + lap), held.velocity(t), atol=1e-9)
        assert_allclose(motion.speed(t + lap), held.speed(t), atol=1e-9)
    assert_array_equal(motion.at([0, 2]).position[:, 0], [0, 6])  # inside, the last moment is the end
    assert_array_equal(motion.at([-2, 4, 8]).position[:, 0], [0, 0, 0])  # elsewhere a lap begins


@pytest.mark.parametrize("timing", [None, KeyTimes([0, 0.5, 1, 2])], ids=["steady", "timed"])
def test_outside_it_mirrors(timing):
    motion, held = outside("mirror", timing), outside("hold", timing)
    t = np.linspace(0.01, 1.99, 23)
    for lap in (-4, 4, 20):
        assert_allclose(motion.at(t + lap).position, held.at(t).position, atol=1e-12)
        assert_allclose(motion.velocity(t + lap), held.velocity(t), atol=1e-9)
    for lap in (-2, 2, 6):
        assert_allclose(motion.at(lap + 2 - t).position, held.at(t).position, atol=1e-12)
        assert_allclose(motion.velocity(lap + 2 - t), -held.velocity(t), atol=1e-9)
        assert_allclose(motion.speed(lap + 2 - t), held.speed(t), atol=1e-9)
        assert_allclose(motion.spin(lap + 2 - t), -held.spin(t), atol=1e-9)
    assert_array_equal(motion.at([-2, 0, 2, 4, 6]).position[:, 0], [6, 0, 6, 0, 6])
    assert_allclose(motion.at(-t).position, motion.at(t).position, atol=1e-12)


@pytest.mark.parametrize("how", ["cycle", "mirror"])
def test_a_repeating_motion_has_no_place_at_infinity(how):
    with pytest.raises(KeyposeError, match=r"asked for an infinite time\. Give finite seconds\."):
        outside(how).at([0.0, np.inf])


@pytest.mark.parametrize("how", ["hold", "cycle", "mirror"])
def test_however_far_off_a_time_is_it_has_a_place(how):
    positions = outside(how, start=0.1).at([-1e308, -1e18, 1e12 + 0.3, 1e308]).position[:, 0]
    assert ((positions >= 0) & (positions <= 6)).all()


def test_an_end_is_an_end_however_the_clock_rounds():
    for start in np.linspace(0, 3, 40):
        for how in ("hold", "cycle", "mirror"):
            for motion in (outside(how, start=start), outside(how, KeyTimes([0.3, 0.5, 0.7, 1.4]), start=start)):
                first, last = motion.span
                assert_allclose(motion.at([first, last]).position[:, 0], [0, 6], atol=1e-12)
                assert (motion.speed([first, last]) > 0.5).all()


def test_an_unknown_outside_is_answered_with_the_nearest():
    with pytest.raises(KeyposeError, match=r"outside='miror'\. Did you mean 'mirror'\?"):
        outside("miror")


# ---- velocity and speed ----------------------------------------------------------------------------------------------


def test_velocity_speed_and_spin_are_rates_of_change(motion):
    t, h = inside(motion), 1e-6
    assert len(t) > 40
    before, after = motion.at(t - h), motion.at(t + h)
    assert_allclose(motion.velocity(t), (after.position - before.position) / (2 * h), rtol=1e-4, atol=1e-5)
    assert_allclose(motion.speed(t), (motion.distance(t + h) - motion.distance(t - h)) / (2 * h), rtol=1e-5, atol=1e-6)
    turn = quaternion.multiply(after.orientation, quaternion.conjugate(before.orientation))
    assert_allclose(motion.spin(t), quaternion.log(turn) / (2 * h), rtol=1e-4, atol=1e-5)


def test_the_speed_is_the_size_of_the_velocity():
    for name in ("steady", "drawn", "captured", "timed", "loop drawn", "loop timed"):
        motion = MOTIONS[name]()
        t = np.linspace(motion.span[0] - 0.3, motion.span[1] + 0.3, 200)
        assert_allclose(np.linalg.norm(motion.velocity(t), axis=-1), motion.speed(t), rtol=1e-9, atol=1e-12)


def test_with_inertia_the_speed_counts_travel_and_turn():
    motion = MOTIONS["heavy"]()
    t = inside(motion)
    travel, turn = np.sum(motion.velocity(t) ** 2, axis=-1), np.sum(motion.spin(t) ** 2, axis=-1)
    assert_allclose(np.sqrt(2.0 * travel + 0.5 * turn), motion.speed(t), rtol=1e-7)
    assert_allclose(motion.speed(t) / DRAWN.at(t / 2), motion.path.length / DRAWN.total / 2, rtol=1e-12)


def test_the_speed_is_what_was_drawn_also_where_the_path_has_none():
    path = MotionPath([(0, 0), Key((3, 0), tension=1, name="stop"), (3, 4)], ends="still")
    motion = Motion(path, DRAWN, duration=2.0)
    assert path.pace(1.0) == 0
    times = np.array([0.0, motion.key_times[1], 2.0])
    expected = path.length * DRAWN.at(times / 2) / DRAWN.total / 2
    assert_allclose(motion.speed(times), expected, rtol=1e-12)
    directions = motion.velocity(times) / expected[:, None]
    assert_allclose(directions[[0, 2]], [(1, 0), (0, 1)], atol=1e-6)
    assert np.linalg.norm(directions[1]) == pytest.approx(1)
    captured = Motion(path, DRAWN, duration=2.0, capture={"stop": 0.5})
    assert_allclose(captured.velocity(0.5), captured.velocity(0.5 + 1e-6), rtol=1e-4, atol=1e-6)
    assert_allclose(captured.velocity(0.5), (0, captured.speed(0.5)), atol=1e-9)


def test_it_spins_on_through_a_key_where_path_and_turn_stop_together():
    keys = [Key((x, 0, 0), tension=1, orientation=Orientation.turned(40 * x, "y")) for x in range(3)]
    motion = Motion(MotionPath(keys), duration=2.0, capture={1: 1.0})
    assert_allclose(motion.spin([0.0, 1.0, 2.0]), [(0, np.radians(40), 0)] * 3, rtol=1e-4, atol=1e-9)


def test_by_key_times_a_key_of_tension_one_is_a_stop():
    motion = Motion(MotionPath([(0, 0), Key((3, 0), tension=1), (3, 4)]), KeyTimes([0, 1, 2]))
    assert_array_equal(motion.velocity(1.0), (0, 0))
    assert motion.speed(1.0) == 0
    assert motion.speed_jump(1) == (0, 0)


def test_rounding_never_mixes_the_two_sides_of_a_key():
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
def test_it_solves_the_differential_equation_of_bh89(values):
    path, profile = MotionPath(np.random.default_rng(2).normal(size=(4, 2)), tension=0.2), SpeedProfile(values)
    motion = Motion(path, profile, duration=2.0)
    alpha = np.linspace(0, 1, 25)
    rate = sampled_rate(path, profile, path.length / profile.total)
    solved = solve_ivp(rate, (0, 1), [0.0], t_eval=alpha, method="DOP853", rtol=1e-10, atol=1e-12, max_step=0.02)
    assert_allclose(motion.at(2 * alpha).position, path.at(solved.y[0]), atol=1e-7)


def test_k_in_closed_form_is_the_k_the_paper_searches_for():
    path, profile = MotionPath([(0, 0), (1, 2), (3, 1)]), SpeedProfile([1, 1, 8, 2, 1])

    def miss(k):
        whole = MotionPath([*path.keys, path.at(2.0) + path.leave[2]])  # the paper's slack beyond the end
        assert_array_equal(whole.at([0.5, 1.5]), path.at([0.5, 1.5]))
        return solve_ivp(sampled_rate(whole, profile, k), (0, 1), [0.0], rtol=1e-9, max_step=0.05).y[0, -1] - 2

    k = Motion(path, profile, duration=1.0).path.length / profile.total
    assert miss(0.99 * k) < 0 < miss(1.01 * k)
    assert brentq(miss, 0.99 * k, 1.01 * k, xtol=1e-7) == pytest.approx(k, rel=1e-6)


def test_the_runge_kutta_of_the_paper_comes_nearer_by_the_fourth_power_of_its_step():
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
    path = some_path()
    motion = Motion(path, DRAWN, duration=2.0)
    x = np.linspace(0, 1, 50)
    assert_allclose(motion.speed(2 * x) / DRAWN.at(x), path.length / DRAWN.total / 2, rtol=1e-12)
    assert_allclose(motion.distance(2 * x), path.length * DRAWN.covered(x) / DRAWN.total, rtol=1e-12)
    twice = Motion(path, SpeedProfile([2, 2, 16, 4, 2]), duration=2.0)
    assert_allclose(twice.at(2 * x).position, motion.at(2 * x).position, atol=1e-12)


def test_slow_in_slow_out_starts_and_ends_at_rest():
    motion = Motion(some_path(), SpeedProfile.slow_in_slow_out(), duration=2.0)
    assert_array_equal(motion.speed([0, 2]), [0, 0])
    assert_array_equal(motion.velocity([0, 2]), np.zeros((2, 3)))
    assert motion.key_times[-1] == 2


# ---- captured keys ---------------------------------------------------------------------------------------------------


def test_the_speed_jump_at_a_captured_key_is_the_jump_of_k():
    path = some_path()
    for start in (0.0, 0.1, 0.37):
        for second in np.linspace(0.2, 1.8, 30):
            motion = Motion(path, DRAWN, duration=2.0, start=start, capture={"k2": second})
            before, after = motion.speed_jump("k2")
            way, area = path.distance(2.0), DRAWN.covered(second / 2)
            relative = DRAWN.at(second / 2) / 2
            assert before == pytest.approx(relative * way / area, rel=1e-9)
            assert after == pytest.approx(relative * (path.length - way) / (DRAWN.total - area), rel=1e-9)
            assert motion.key_times[2] == start + second
            assert motion.speed_jump("k4")[0] == motion.speed_jump("k4")[1]


def test_the_speed_just_before_and_after_a_captured_key_are_the_jump():
    motion = MOTIONS["captured"]()
    for name, second in (("k2", 0.6), ("k4", 1.3)):
        assert_allclose(motion.speed([second - 1e-9, second + 1e-9]), motion.speed_jump(name), rtol=1e-6)
        assert motion.speed(second) == motion.speed_jump(name)[1]


def test_a_key_captured_where_it_comes_anyway_makes_no_jump():
    plain = Motion(some_path(), DRAWN, duration=2.0)
    captured = Motion(some_path(), DRAWN, duration=2.0, capture={"k3": plain.key_times[3]})
    before, after = captured.speed_jump("k3")
    assert before == pytest.approx(after, rel=1e-9)
    t = np.linspace(0, 2, 40)
    assert_allclose(captured.at(t).position, plain.at(t).position, atol=1e-9)


def test_by_key_times_the_jump_is_what_the_shape_breaks():
    path = MotionPath([(0, 0), Key((1, 0), arrive=(2, 0), leave=(0, 3), name="hit"), (1, 4)])
    motion = Motion(path, KeyTimes([0, 0.5, 2.0]))
    assert motion.speed_jump("hit") == (pytest.approx(4), pytest.approx(2))
    assert_allclose(motion.speed([0.5 - 1e-9, 0.5]), motion.speed_jump("hit"), rtol=1e-6)
    turning = Motion(MOTIONS["turning"]().path, KeyTimes([0, 1, 3]))
    assert_allclose(turning.speed_jump(1), turning.speed([1 - 1e-9, 1 + 1e-9]), rtol=1e-6)
    with pytest.raises(UnknownNameError, match="Did you mean 'hit'"):
        motion.speed_jump("hitt")


# ---- edits and values ------------------------------------------------------------------------------------------------


def test_retimed_by_a_profile_it_goes_the_same_way_in_the_same_time():
    motion = Motion(some_path(), DRAWN, duration=2.0, start=1.0, capture={"k2": 0.6}, outside="mirror")
    calm = motion.retimed(SpeedProfile.slow_in_slow_out())
    assert calm == Motion(
        some_path(),
        SpeedProfile.slow_in_slow_out(),
        duration=2.0,
        start=1.0,
        capture={"k2": 0.6},
        outside="mirror",
    )
    timed = Motion(some_path(), KeyTimes([0, 1, 2, 3, 4, 9]))
    assert timed.retimed(DRAWN).duration == 9
    assert timed.retimed(DRAWN).path == some_path()


def test_retimed_by_key_times_it_passes_its_keys_then():
    motion = Motion(some_path(), DRAWN, duration=2.0, capture={"k2": 0.6})
    timed = motion.retimed(KeyTimes([0, 1, 2, 3, 4, 9]))
    assert timed == Motion(some_path(), KeyTimes([0, 1, 2, 3, 4, 9]))
    assert timed.retimed(DRAWN).retimed(KeyTimes([0, 1, 2, 3, 4, 9])) == timed


def test_motions_compare_by_what_was_said():
    def said(**more):
        return Motion(some_path(), DRAWN, **{"duration": 2, "capture": {"k1": 0.3, "k2": 0.6}, **more})

    assert said() == said(duration=2.0, capture={"k2": 0.6, "k1": 0.3})
    assert hash(said()) == hash(said(capture={"k2": 0.6, "k1": 0.3}))
    assert "capture={1: 0.3}" in repr(said(capture={np.int64(1): np.float64(0.3)}))
    for other in ({"duration": 3}, {"start": 1}, {"outside": "cycle"}, {"capture": {"k1": 0.3}}):
        assert said() != said(**other)
    assert said() != said().path


def test_a_motion_reads_as_it_was_written():
    path = MotionPath([(0, 0), Key((1, 1), name="top"), (2, 0)])
    for motion in (
        Motion(path, duration=2.0),
        Motion(path, DRAWN, duration=1.5, start=1.0, capture={"top": 0.5}, outside="cycle"),
        Motion(path, KeyTimes([0, 1, 3])),
    ):
        assert eval(repr(motion)) == motion
    assert repr(Motion(path, duration=2.0)) == f"Motion({path!r}, duration=2.0)"


def test_a_motion_is_frozen_and_can_be_sent_elsewhere(motion):
    for word in ("path", "timing", "start", "outside", "duration"):
        with pytest.raises(FrozenInstanceError, match=f"'{word}'"):
            setattr(motion, word, None)
    with pytest.raises(FrozenInstanceError, match="cannot lose its 'path'"):
        del motion.path
    twin = pickle.loads(pickle.dumps(motion))
    assert twin == motion
    assert twin.at([0.5, 1.5]) == motion.at([0.5, 1.5])


def test_a_motion_needs_a_path():
    with pytest.raises(KeyposeError, match=r"was given \[\(0, 0\)\] as its path\. Give a MotionPath\."):
        Motion([(0, 0)], duration=1)


@pytest.mark.parametrize("wrong", [np.nan, np.inf, "noon", None, [1, 2]], ids=str)
def test_a_start_is_one_finite_moment(wrong):
    with pytest.raises(KeyposeError, match="A motion's start must be"):
        Motion(some_path(), duration=1, start=wrong)


def test_a_new_timing_starts_when_the_old_one_did():
    path = MotionPath([Key((0, 0), time=10), Key((1, 1), time=11), Key((2, 0), time=13)])
    assert Motion(path).retimed(SpeedProfile.steady()).span == (10, 13)
    assert Motion(path, start=2).retimed(SpeedProfile.steady()).span == (12, 15)


def test_a_duration_agrees_with_late_key_times_up_to_rounding():
    path = MotionPath([(0, 0), (1, 1), (2, 0)])
    assert Motion(path, KeyTimes([1.7e9, 1.7e9 + 1.1, 1.7e9 + 2.2]), duration=2.2).duration == pytest.approx(2.2)


@pytest.mark.parametrize("name", MOTIONS)
def test_its_parameter_leads_to_its_pose(name):
    motion = MOTIONS[name]()
    t = np.linspace(-2, 5, 36).reshape(4, 9)
    assert_array_equal(motion.path.at(motion.parameter(t)), motion.at(t).position)
    assert motion.parameter(0.5) == motion.parameter([0.5])[0]
    assert motion.clock.span == (motion.span[0] - motion.start, motion.span[1] - motion.start)


@pytest.mark.parametrize(("outside", "senses"), [("hold", [0, 1, 0]), ("cycle", [1, 1, 1]), ("mirror", [-1, 1, -1])])
def test_its_sense_tells_forth_from_back_and_rest(outside, senses):
    motion = Motion(some_path(), duration=2.0, start=1.0, outside=outside)
    assert_array_equal(motion.sense([0.5, 1.5, 3.5]), senses)
    assert motion.sense(1.5) == 1
