"""Which timing holds: the one that was given, else the keys' own times, else a steady speed."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from keypose.curves.key import Key
from keypose.curves.orientation import Orientation
from keypose.curves.path.motion_path import MotionPath
from keypose.errors import KeyposeError, UnknownNameError
from keypose.motion.motion import Motion
from keypose.timing.key_times import KeyTimes
from keypose.timing.speed_profile import SpeedProfile

POSITIONS = [(0, 0), (1, 2), (4, 2), (5, 0)]
SQUARE = [(0, 0), (1, 0), (1, 1), (0, 1)]


def timed_path(times, places=POSITIONS, **style):
    return MotionPath([Key(place, time=time) for place, time in zip(places, times, strict=True)], **style)


# ---- explicit, own, steady -------------------------------------------------------------------------------------------


def test_explicit_timing_overrides_key_times():
    path = timed_path([0, 1, 2, 3])
    assert_array_equal(Motion(path, KeyTimes([0, 2, 5, 6])).key_times, [0, 2, 5, 6])
    profiled = Motion(path, SpeedProfile([1, 4, 1]), duration=8.0)
    assert profiled.duration == 8
    assert_allclose(profiled.speed([2, 6]), profiled.speed([6, 2]))


def test_key_times_are_used_without_an_explicit_timing():
    motion = Motion(timed_path([0.5, 1, 2.5, 3]))
    assert motion.span == (0.5, 3)
    assert motion.duration == 2.5
    for time, place in zip([0.5, 1, 2.5, 3], POSITIONS, strict=True):
        assert_array_equal(motion.at(time).position, place)


def test_speed_is_constant_without_any_times():
    path = MotionPath(POSITIONS)
    motion = Motion(path, duration=4.0)
    assert_allclose(motion.speed(np.linspace(0, 4, 50)), path.length / 4)
    assert_allclose(motion.distance([0, 1, 2, 4]), [0, path.length / 4, path.length / 2, path.length])
    assert motion.path is path


# ---- some keys timed -------------------------------------------------------------------------------------------------


def test_untimed_keys_are_timed_by_distance_between_timed_keys():
    path = timed_path([0, None, None, 6])
    motion = Motion(path)
    assert_allclose(motion.key_times, 6 * path.distance(np.arange(4.0)) / path.length, rtol=1e-14)
    straight = timed_path([2, None, 3], places=[(0, 0), (1, 0), (4, 0)])
    assert_array_equal(Motion(straight).key_times, [2, 2.25, 3])


def test_timed_keys_in_between_are_passed_at_their_times():
    path = timed_path([0, None, 1, None, None, 9], places=[(0, 0), (1, 0), (2, 0), (3, 0), (5, 0), (6, 0)])
    assert_allclose(Motion(path).key_times, [0, 0.5, 1, 3, 7, 9])


def test_untimed_first_key_starts_at_zero():
    assert_allclose(
        Motion(timed_path([None, None, 3, 4], places=[(0, 0), (1, 0), (3, 0), (4, 0)])).key_times, [0, 1, 3, 4]
    )


def test_untimed_last_key_is_at_the_end_of_the_duration():
    path = timed_path([1, 2, None, None], places=[(0, 0), (1, 0), (2, 0), (4, 0)])
    assert_allclose(Motion(path, duration=4.0).key_times, [1, 2, 3, 5])


def test_coincident_untimed_keys_get_increasing_times():
    motion = Motion(timed_path([0, None, None, 2], places=[(0, 0), (1, 0), (1, 0), (2, 0)]))
    assert (np.diff(motion.key_times) > 0).all()
    assert_allclose(motion.key_times, [0, 1, 1, 2], atol=1e-8)
    assert_array_equal(Motion(timed_path([0, None, 2], places=[(1, 1)] * 3)).key_times, [0, 1, 2])


def test_tangents_of_a_partly_timed_path_use_the_inferred_times():
    motion = Motion(timed_path([0, None, None, 6]))
    assert motion.path == timed_path(motion.key_times)
    by_length = Motion(timed_path([0, None, None, 6], adjust="length"))
    assert_array_equal(by_length.path.leave, timed_path([0, None, None, 6]).leave)


@pytest.mark.parametrize(
    ("times", "duration", "message"),
    [
        ([0, 1, None, None], None, r"Key 1 is at 1 s, but the last key has no time\. Give the last key a time"),
        ([0, 1, 5, None], 4, r"Key 2 is at 5 s, but the motion ends at 4 s\. .*a duration that ends later"),
        ([None, -1, 2, 3], None, r"Key 1 is at -1 s, but key 0 before it has no time .* Give key 0 a time"),
        ([None, 0, 2, 3], None, r"Key 1 is at 0 s, but key 0 before it has no time"),
        ([None, None, None, None], None, r"no duration, and its keys have no times\. Give duration=… in seconds"),
    ],
)
def test_incomplete_times_are_refused_with_what_is_missing(times, duration, message):
    with pytest.raises(KeyposeError, match=message):
        Motion(timed_path(times), duration=duration)


# ---- key times -------------------------------------------------------------------------------------------------------


def test_key_times_derive_tangents_like_times_on_keys():
    times = [0, 3, 4, 4.5]
    assert Motion(MotionPath(POSITIONS), KeyTimes(times)).path == timed_path(times)
    assert Motion(timed_path([0, 1, 2, 3]), KeyTimes(times)).path == timed_path(times)
    for adjust in ("none", "length", "unit"):
        path = MotionPath(POSITIONS, adjust=adjust)
        assert_array_equal(Motion(path, KeyTimes(times)).path.leave, path.leave)


def test_path_with_the_same_times_is_not_derived_again():
    path = timed_path([0, 1, 2, 4])
    assert Motion(path).path is path
    assert Motion(path, KeyTimes([0, 1, 2, 4])).path is path


def test_speed_is_continuous_at_smooth_keys_with_uneven_times():
    rng = np.random.default_rng(3)
    motion = Motion(MotionPath(rng.normal(size=(8, 3))), KeyTimes.inbetweens([10, 5, 1, 30, 0, 7, 2]))
    for key in range(1, 7):
        before, after = motion.speed_jump(key)
        assert before == pytest.approx(after, rel=1e-12)
        t = motion.key_times[key]
        assert_allclose(motion.velocity(t - 1e-9), motion.velocity(t + 1e-9), rtol=1e-4, atol=1e-5)
    unadjusted = Motion(
        MotionPath(rng.normal(size=(8, 3)), adjust="none"), KeyTimes.inbetweens([10, 5, 1, 30, 0, 7, 2])
    )
    before, after = unadjusted.speed_jump(1)
    assert before / after == pytest.approx(6 / 11)


@pytest.mark.parametrize("count", [2, 3, 5, 6])
def test_a_wrong_number_of_key_times_is_refused(count):
    with pytest.raises(KeyposeError, match=rf"There are {count} key times for a path of 4 keys\. Give one per key\."):
        Motion(MotionPath(POSITIONS), KeyTimes(range(count)))


# ---- closed paths ----------------------------------------------------------------------------------------------------


def test_closed_path_accepts_an_extra_time_for_the_return():
    loop = MotionPath(SQUARE, closed=True)
    returned = Motion(loop, KeyTimes([0, 1, 2, 3, 5]))
    assert returned.span == (0, 5)
    assert_array_equal(returned.key_times, [0, 1, 2, 3])
    assert_array_equal(returned.at([3, 5]).position, [(0, 1), (0, 0)])
    same_again = Motion(loop, KeyTimes([0, 1, 3, 4.5]))  # the way back takes as long as the one before it
    assert same_again.span == (0, 6)
    with pytest.raises(KeyposeError, match=r"There are 3 key times .* Give one per key \(or 5, with the return"):
        Motion(loop, KeyTimes([0, 1, 2]))


def test_tangents_of_a_closed_path_depend_on_the_return_time():
    loop = MotionPath(SQUARE, closed=True)
    for times in ([0, 1, 2, 3, 5], [0, 2, 2.5, 6, 6.1]):
        motion = Motion(loop, KeyTimes(times))
        for key in range(4):
            before, after = motion.speed_jump(key)
            assert before == pytest.approx(after, rel=1e-12)
        assert_allclose(motion.velocity(times[0]), motion.velocity(times[-1]))
        assert_allclose(motion.velocity(times[-1] - 1e-9), motion.velocity(times[-1]), atol=1e-6)


def test_untimed_keys_of_a_loop_are_timed_over_its_duration():
    motion = Motion(timed_path([0, None, None, None], places=SQUARE, closed=True), duration=4.0)
    assert_allclose(motion.key_times, [0, 1, 2, 3])
    assert motion.span == (0, 4)
    assert_allclose(
        Motion(timed_path([1, None, 5, None], places=SQUARE, closed=True), duration=10.0).key_times, [1, 3, 5, 8]
    )
    with pytest.raises(KeyposeError, match=r"Key 2 is at 5 s, but the motion ends at 4 s"):
        Motion(timed_path([0, None, 5, None], places=SQUARE, closed=True), duration=4)


def test_profile_on_a_timed_loop_uses_the_key_duration():
    loop = timed_path([0, 1, 2, 3], places=SQUARE, closed=True)
    assert Motion(loop).duration == Motion(loop, SpeedProfile.steady()).duration == 4


# ---- profiles and captures -------------------------------------------------------------------------------------------


def test_profile_without_a_duration_uses_the_key_duration():
    assert Motion(timed_path([1, None, None, 4]), SpeedProfile.steady()).duration == 3
    with pytest.raises(KeyposeError, match=r"A motion has no duration, and its keys have no times\. Give duration"):
        Motion(MotionPath(POSITIONS), SpeedProfile.steady())


def test_profile_ignores_key_times():
    timed, plain = timed_path([0, 0.1, 0.2, 9], adjust="length"), MotionPath(POSITIONS)
    t = np.linspace(0, 2, 20)
    mine, theirs = (Motion(path, SpeedProfile([1, 3, 1]), duration=2.0) for path in (timed, plain))
    assert_allclose(mine.at(t).position, theirs.at(t).position, atol=1e-12)


def test_captured_key_is_passed_at_its_time():
    path = MotionPath([*POSITIONS[:2], Key(POSITIONS[2], name="bounce"), POSITIONS[3]])
    for second in (0.3, 0.75, 1.9):
        motion = Motion(path, SpeedProfile([1, 1, 8, 2, 1]), duration=2.0, capture={"bounce": second})
        assert_allclose(motion.at(second).position, POSITIONS[2], atol=1e-12)
        assert motion.key_times[2] == second
        assert_allclose(motion.at([0, 2.0]).position, [POSITIONS[0], POSITIONS[3]], atol=1e-12)


def test_keys_are_captured_by_name_or_index_also_at_constant_speed():
    path = MotionPath([*POSITIONS[:2], Key(POSITIONS[2], name="bounce"), POSITIONS[3]])
    motion = Motion(path, duration=2.0, capture={1: 0.5, "bounce": 0.7})
    assert_allclose(motion.key_times, [0, 0.5, 0.7, 2])
    distance = path.distance(np.arange(4.0))
    assert_allclose(motion.speed([0.2, 0.6, 1.0]), np.diff(distance) / [0.5, 0.2, 1.3])
    assert Motion(path, duration=2.0, capture={-2: 0.7}).key_times[2] == 0.7


def test_end_keys_may_be_captured_at_the_span_ends():
    motion = Motion(MotionPath(POSITIONS), SpeedProfile([1, 2, 1]), duration=2.0, capture={0: 0.0, 3: 2.0, 1: 1.0})
    assert_allclose(motion.key_times[[0, 1, 3]], [0, 1, 2])


@pytest.mark.parametrize(
    ("capture", "message"),
    [
        ({"bonce": 1.0}, r"No key is named 'bonce'\. Did you mean 'bounce'\?"),
        ({7: 1.0}, r"There is no key 7"),
        ({"bounce": 2.5}, r"Key 'bounce' is captured at 2\.5 s, outside the motion\. Give a second from 0 to 2"),
        ({"bounce": -0.1}, r"outside the motion"),
        ({"bounce": np.nan}, r"captured at nan s"),
        ({"bounce": "noon"}, r"captured at 'noon' s"),
        ({1: 1.5, "bounce": 1.0}, r"Key 2 is captured at 1 s, not after key 1 at 1\.5 s"),
        ({1: 1.0, 2: 1.0}, r"Key 2 is captured at 1 s, not after key 1 at 1 s"),
        ({"bounce": 1.0, 2: 1.2}, r"Key 2 is captured at 1\.2 s, but is passed at 1 s"),
        ({0: 1.0}, r"Key 0 is captured at 1 s, but is passed at 0 s"),
        ([("bounce", 1.0)], r"was to capture \[\('bounce', 1\.0\)\]\. Give \{key: seconds\}"),
    ],
)
def test_impossible_captures_are_refused(capture, message):
    path = MotionPath([*POSITIONS[:2], Key(POSITIONS[2], name="bounce"), POSITIONS[3]])
    with pytest.raises(KeyposeError, match=message) as refused:
        Motion(path, SpeedProfile([1, 2, 1]), duration=2.0, capture=capture)
    if "named" in message:
        assert isinstance(refused.value, UnknownNameError)


def test_profile_at_rest_before_a_captured_key_is_refused():
    rest = SpeedProfile.through({0: 0, 0.5: 0, 1: 1})
    with pytest.raises(
        KeyposeError, match=r"stands still from 0 s to 0\.8 s, but the path goes on to key 1\. Raise it"
    ):
        Motion(MotionPath(POSITIONS), rest, duration=2.0, capture={1: 0.8})


def test_capture_with_key_times_is_refused():
    for motion in (
        lambda **c: Motion(timed_path([0, 1, 2, 3]), **c),
        lambda **c: Motion(MotionPath(POSITIONS), KeyTimes(range(4)), **c),
    ):
        with pytest.raises(KeyposeError, match=r"by key times was asked to capture keys\. Change their times instead"):
            motion(capture={1: 0.5})


# ---- durations -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("wrong", [0, 0.0, -1, np.nan, np.inf, 1e200, "long", [1], True], ids=str)
def test_nonpositive_duration_is_refused(wrong):
    with pytest.raises(KeyposeError, match=r"A motion has duration .*\. Give a number of seconds greater than zero\."):
        Motion(MotionPath(POSITIONS), duration=wrong)


def test_duration_conflicting_with_key_times_is_refused():
    message = r"duration 5 s, but its key times take 3 s\. Leave the duration out, or give a SpeedProfile"
    for path, timing in ((timed_path([0, 1, 2, 3]), None), (MotionPath(POSITIONS), KeyTimes([1, 2, 3, 4]))):
        with pytest.raises(KeyposeError, match=message):
            Motion(path, timing, duration=5)
        assert Motion(path, timing, duration=3).duration == 3
    with pytest.raises(KeyposeError, match="duration 5 s, but its key times take 6 s"):
        Motion(timed_path([0, None, None, 6]), duration=5)


@pytest.mark.parametrize("wrong", [[1, 2, 3], 24, "fast"], ids=str)
def test_invalid_timing_is_refused(wrong):
    with pytest.raises(KeyposeError, match=r"as its timing\. Give a SpeedProfile or KeyTimes\."):
        Motion(MotionPath(POSITIONS), wrong, duration=1.0)


# ---- nothing to travel -----------------------------------------------------------------------------------------------


def test_orientation_only_path_rotates_at_constant_rate():
    facings = [Orientation.turned(degrees, "z") for degrees in (0, 30, 120)]
    motion = Motion(MotionPath([Key(orientation=facing) for facing in facings]), duration=2.0)
    angular_velocities = motion.angular_velocity(np.linspace(0, 2, 41))
    assert_allclose(np.linalg.norm(angular_velocities, axis=1), np.radians(120) / 2, rtol=1e-6)
    assert_allclose(motion.speed(np.linspace(0, 2, 9)), np.radians(120) / 2, rtol=1e-9)
    assert motion.at(1.0).facing.angle_to(Orientation.turned(60, "z")) < 1e-5
    assert_array_equal(motion.velocity([0.5, 1.0]), np.zeros((2, 3)))
    stationary = Motion(MotionPath([Key((1, 2), orientation=facing) for facing in facings]), duration=2.0)
    assert stationary.at(1.0).facing.angle_to(Orientation.turned(60, "z")) < 1e-5
    assert_allclose(stationary.at([0.3, 1.7]).position, [(1, 2)] * 2)


def test_zero_length_path_is_stationary_for_its_duration():
    motion = Motion(MotionPath([(1, 2), (1, 2), (1, 2)]), SpeedProfile([1, 5, 1]), duration=3.0)
    t = np.linspace(-1, 4, 11)
    assert_array_equal(motion.at(t).position, [(1, 2)] * 11)
    assert_array_equal(motion.speed(t), np.zeros(11))
    assert_array_equal(motion.velocity(t), np.zeros((11, 2)))
    assert_array_equal(motion.angular_velocity(t), np.zeros((11, 3)))
    assert motion.duration == 3
    assert np.isfinite(motion.key_times).all()
    timed = Motion(MotionPath([(1, 2), (1, 2)]), KeyTimes([0, 1]))
    assert_array_equal(timed.velocity([0, 0.5, 1]), np.zeros((3, 2)))
