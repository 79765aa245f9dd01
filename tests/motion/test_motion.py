"""A path travelled in time: where and which way, at any instant, within its span and outside (BH89, GL95 §5)."""

import pickle
from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from keypose.curves.key import Key
from keypose.curves.path.motion_path import MotionPath
from keypose.errors import KeyposeError
from keypose.motion.motion import Motion
from keypose.timing.key_times import KeyTimes
from keypose.timing.speed_profile import SpeedProfile
from tests.motion.motions import MOTIONS, UNEVEN, random_path

# ---- a pure function of time -----------------------------------------------------------------------------------------


def test_single_instant_is_bitwise_identical_to_a_batch(backend, motion):
    first, last = motion.span
    t = np.random.default_rng(0).uniform(first - 0.5, last + 0.5, (2, 4))
    for method in (motion.velocity, motion.speed, motion.distance, motion.angular_velocity):
        many = method(t)
        for place in np.ndindex(t.shape):
            assert_array_equal(many[place], method(float(t[place])))
    for place in np.ndindex(t.shape):
        assert_array_equal(motion.at(t).position[place], motion.at(float(t[place])).position)
        assert_array_equal(motion.at(t).orientation[place], motion.at(float(t[place])).orientation)


def test_results_are_independent_of_query_order(motion):
    t = np.linspace(motion.span[0] - 1, motion.span[1] + 1, 100)
    assert motion.at(t[::-1]) == motion.at(t)[::-1]
    assert_array_equal(motion.velocity(t[::-1]), motion.velocity(t)[::-1])
    shuffled = np.random.default_rng(0).permutation(100)
    assert_array_equal(motion.at(t[shuffled]).position, motion.at(t).position[shuffled])


def test_motion_starts_at_the_first_key_and_ends_at_the_last(backend, motion):
    first, last = motion.span
    end = float(motion.path.segments)
    assert_allclose(motion.at([first, last]).position, motion.path.at([0.0, end]), atol=1e-14)
    assert_allclose(motion.at([first, last]).orientation, motion.path.orientation_at([0.0, end]), atol=1e-14)
    assert last - first == pytest.approx(motion.duration)


def test_every_key_is_passed_at_its_key_time(motion):
    keys = np.arange(float(len(motion.path)))
    assert_allclose(motion.at(motion.key_times).position, motion.path.at(keys), atol=1e-9)
    assert (np.diff(motion.key_times) > 0).all()


def test_start_shifts_the_clock_only():
    early, late = (
        Motion(random_path(), UNEVEN, duration=2.0),
        Motion(random_path(), UNEVEN, duration=2.0, start=5.0),
    )
    t = np.linspace(-1, 3, 50)
    assert_allclose(late.at(t + 5).position, early.at(t).position, atol=1e-12)
    assert_allclose(late.velocity(t + 5), early.velocity(t), atol=1e-9)
    assert late.span == (5, 7)
    assert_allclose(late.key_times, early.key_times + 5)
    assert Motion(random_path(), KeyTimes([1, 2, 3, 4, 5, 6]), start=-1.0).span == (0, 5)


def test_integers_lists_and_read_only_times_are_accepted(backend, motion):
    t = np.array([0.0, 1.0, 2.0])
    t.flags.writeable = False
    assert motion.at(t) == motion.at([0, 1, 2])
    assert motion.at(1) == motion.at(1.0)
    assert motion.at([]).position.shape == (0, 3)


@pytest.mark.parametrize("wrong", [np.nan, [0, np.nan], "noon", None], ids=str)
def test_invalid_time_is_refused(motion, wrong):
    for method in (motion.at, motion.velocity, motion.speed, motion.distance, motion.angular_velocity):
        with pytest.raises(KeyposeError, match="A time must be numbers"):
            method(wrong)


# ---- outside ---------------------------------------------------------------------------------------------------------


def motion_with_outside(how, timing=None, **options):
    path = MotionPath([(0, 0), (1, 0), (4, 0), (6, 0)])
    return Motion(path, timing, duration=None if timing else 2.0, outside=how, **options)


@pytest.mark.parametrize("timing", [None, KeyTimes([0, 0.5, 1, 2])], ids=["steady", "timed"])
def test_hold_is_constant_outside_the_span(timing):
    motion = motion_with_outside("hold", timing)
    assert_array_equal(motion.at([-np.inf, -1, 0, 2, 3, np.inf]).position[:, 0], [0, 0, 0, 6, 6, 6])
    assert_array_equal(motion.velocity([-1, 3]), np.zeros((2, 2)))
    assert_array_equal(motion.speed([-1, 3]), [0, 0])
    assert motion.speed(2.0) > 0
    assert_array_equal(motion.distance([-1, 9]), [0, 6])


@pytest.mark.parametrize("timing", [None, KeyTimes([0, 0.5, 1, 2])], ids=["steady", "timed"])
def test_cycle_repeats_outside_the_span(timing):
    motion, holding = motion_with_outside("cycle", timing), motion_with_outside("hold", timing)
    t = np.linspace(0.01, 1.99, 23)
    for lap in (-4, -2, 2, 20):
        assert_allclose(motion.at(t + lap).position, holding.at(t).position, atol=1e-12)
        assert_allclose(motion.velocity(t + lap), holding.velocity(t), atol=1e-9)
        assert_allclose(motion.speed(t + lap), holding.speed(t), atol=1e-9)
    assert_array_equal(motion.at([0, 2]).position[:, 0], [0, 6])  # inside, the last moment is the end
    assert_array_equal(motion.at([-2, 4, 8]).position[:, 0], [0, 0, 0])  # elsewhere a lap begins


@pytest.mark.parametrize("timing", [None, KeyTimes([0, 0.5, 1, 2])], ids=["steady", "timed"])
def test_mirror_runs_back_and_forth_outside_the_span(timing):
    motion, holding = motion_with_outside("mirror", timing), motion_with_outside("hold", timing)
    t = np.linspace(0.01, 1.99, 23)
    for lap in (-4, 4, 20):
        assert_allclose(motion.at(t + lap).position, holding.at(t).position, atol=1e-12)
        assert_allclose(motion.velocity(t + lap), holding.velocity(t), atol=1e-9)
    for lap in (-2, 2, 6):
        assert_allclose(motion.at(lap + 2 - t).position, holding.at(t).position, atol=1e-12)
        assert_allclose(motion.velocity(lap + 2 - t), -holding.velocity(t), atol=1e-9)
        assert_allclose(motion.speed(lap + 2 - t), holding.speed(t), atol=1e-9)
        assert_allclose(motion.angular_velocity(lap + 2 - t), -holding.angular_velocity(t), atol=1e-9)
    assert_array_equal(motion.at([-2, 0, 2, 4, 6]).position[:, 0], [6, 0, 6, 0, 6])
    assert_allclose(motion.at(-t).position, motion.at(t).position, atol=1e-12)


@pytest.mark.parametrize("how", ["cycle", "mirror"])
def test_repeating_motion_refuses_infinite_times(how):
    with pytest.raises(KeyposeError, match=r"asked for an infinite time\. Give finite seconds\."):
        motion_with_outside(how).at([0.0, np.inf])


@pytest.mark.parametrize("how", ["hold", "cycle", "mirror"])
def test_very_distant_times_give_valid_positions(how):
    positions = motion_with_outside(how, start=0.1).at([-1e308, -1e18, 1e12 + 0.3, 1e308]).position[:, 0]
    assert ((positions >= 0) & (positions <= 6)).all()


def test_span_ends_are_exact_despite_rounding_of_the_start():
    for start in np.linspace(0, 3, 40):
        for how in ("hold", "cycle", "mirror"):
            for motion in (
                motion_with_outside(how, start=start),
                motion_with_outside(how, KeyTimes([0.3, 0.5, 0.7, 1.4]), start=start),
            ):
                first, last = motion.span
                assert_allclose(motion.at([first, last]).position[:, 0], [0, 6], atol=1e-12)
                assert (motion.speed([first, last]) > 0.5).all()


def test_unknown_outside_option_suggests_the_nearest():
    with pytest.raises(KeyposeError, match=r"outside='miror'\. Did you mean 'mirror'\?"):
        motion_with_outside("miror")


# ---- edits and values ------------------------------------------------------------------------------------------------


def test_retiming_by_a_profile_keeps_path_and_duration():
    motion = Motion(random_path(), UNEVEN, duration=2.0, start=1.0, capture={"k2": 0.6}, outside="mirror")
    retimed = motion.retimed(SpeedProfile.slow_in_slow_out())
    assert retimed == Motion(
        random_path(),
        SpeedProfile.slow_in_slow_out(),
        duration=2.0,
        start=1.0,
        capture={"k2": 0.6},
        outside="mirror",
    )
    timed = Motion(random_path(), KeyTimes([0, 1, 2, 3, 4, 9]))
    assert timed.retimed(UNEVEN).duration == 9
    assert timed.retimed(UNEVEN).path == random_path()


def test_retiming_by_key_times_passes_keys_at_those_times():
    motion = Motion(random_path(), UNEVEN, duration=2.0, capture={"k2": 0.6})
    timed = motion.retimed(KeyTimes([0, 1, 2, 3, 4, 9]))
    assert timed == Motion(random_path(), KeyTimes([0, 1, 2, 3, 4, 9]))
    assert timed.retimed(UNEVEN).retimed(KeyTimes([0, 1, 2, 3, 4, 9])) == timed


def test_motions_compare_by_value():
    def build_motion(**more):
        return Motion(random_path(), UNEVEN, **{"duration": 2, "capture": {"k1": 0.3, "k2": 0.6}, **more})

    assert build_motion() == build_motion(duration=2.0, capture={"k2": 0.6, "k1": 0.3})
    assert hash(build_motion()) == hash(build_motion(capture={"k2": 0.6, "k1": 0.3}))
    assert "capture={1: 0.3}" in repr(build_motion(capture={np.int64(1): np.float64(0.3)}))
    for other in ({"duration": 3}, {"start": 1}, {"outside": "cycle"}, {"capture": {"k1": 0.3}}):
        assert build_motion() != build_motion(**other)
    assert build_motion() != build_motion().path


def test_repr_of_a_motion_round_trips():
    path = MotionPath([(0, 0), Key((1, 1), name="top"), (2, 0)])
    for motion in (
        Motion(path, duration=2.0),
        Motion(path, UNEVEN, duration=1.5, start=1.0, capture={"top": 0.5}, outside="cycle"),
        Motion(path, KeyTimes([0, 1, 3])),
    ):
        assert eval(repr(motion)) == motion
    assert repr(Motion(path, duration=2.0)) == f"Motion({path!r}, duration=2.0)"


def test_repr_of_a_long_motion_gives_its_keys_and_its_span():
    long = MotionPath(np.zeros((1000, 3)) + np.arange(1000)[:, None])
    assert repr(Motion(long, duration=2.5, start=1)) == "<Motion: 1,000 keys, 1 to 3.5 s>"
    assert repr(Motion(long, duration=2, outside="cycle")) == "<Motion: 1,000 keys, 0 to 2 s, outside='cycle'>"


def test_motion_is_immutable_and_can_be_pickled(motion):
    for word in ("path", "timing", "start", "outside", "duration"):
        with pytest.raises(FrozenInstanceError, match=f"'{word}'"):
            setattr(motion, word, None)
    with pytest.raises(FrozenInstanceError, match="cannot lose its 'path'"):
        del motion.path
    unpickled = pickle.loads(pickle.dumps(motion))
    assert unpickled == motion
    assert unpickled.at([0.5, 1.5]) == motion.at([0.5, 1.5])


def test_a_motion_needs_a_path():
    with pytest.raises(KeyposeError, match=r"was given \[\(0, 0\)\] as its path\. Give a MotionPath\."):
        Motion([(0, 0)], duration=1)


@pytest.mark.parametrize("wrong", [np.nan, np.inf, "noon", None, [1, 2]], ids=str)
def test_nonfinite_start_is_refused(wrong):
    with pytest.raises(KeyposeError, match="A motion's start must be"):
        Motion(random_path(), duration=1, start=wrong)


def test_retiming_keeps_the_start_time():
    path = MotionPath([Key((0, 0), time=10), Key((1, 1), time=11), Key((2, 0), time=13)])
    assert Motion(path).retimed(SpeedProfile.steady()).span == (10, 13)
    assert Motion(path, start=2).retimed(SpeedProfile.steady()).span == (12, 15)


def test_a_duration_agrees_with_late_key_times_up_to_rounding():
    path = MotionPath([(0, 0), (1, 1), (2, 0)])
    assert Motion(path, KeyTimes([1.7e9, 1.7e9 + 1.1, 1.7e9 + 2.2]), duration=2.2).duration == pytest.approx(2.2)


@pytest.mark.parametrize("name", MOTIONS)
def test_path_at_parameter_equals_the_pose(name):
    motion = MOTIONS[name]()
    t = np.linspace(-2, 5, 36).reshape(4, 9)
    assert_array_equal(motion.path.at(motion.parameter(t)), motion.at(t).position)
    assert motion.parameter(0.5) == motion.parameter([0.5])[0]
    assert motion.clock.span == (motion.span[0] - motion.start, motion.span[1] - motion.start)


@pytest.mark.parametrize(("outside", "senses"), [("hold", [0, 1, 0]), ("cycle", [1, 1, 1]), ("mirror", [-1, 1, -1])])
def test_time_direction_is_forward_backward_or_zero(outside, senses):
    motion = Motion(random_path(), duration=2.0, start=1.0, outside=outside)
    assert_array_equal(motion.time_direction([0.5, 1.5, 3.5]), senses)
    assert motion.time_direction(1.5) == 1
