"""What was shot is a motion again: frame by frame, and smooth in between."""

import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from keypose.curves.orientation import Orientation
from keypose.errors import KeyposeError, UnknownNameError
from keypose.maths import quaternion
from keypose.motion.motion import Motion
from keypose.motion.pose import Pose
from keypose.motion.take import Event, RecordedMotion, Take
from keypose.timing.speed_profile import SpeedProfile

TIMES = np.arange(25) / 24


def wave(t):
    return np.stack([t, np.sin(t), np.cos(2 * t)], axis=-1)


def rotation_at(t):
    return quaternion.exp(t[:, None] * np.array([0.3, 1.0, -0.2]))


def sample_take():
    drawing = np.arange(24.0).reshape(4, 2, 3)[None, :, 0] + wave(TIMES)[:, None]
    still = np.broadcast_to([1.0, 0, 0, 0], (25, 4))
    return Take(TIMES, 24, {"ball": Pose(wave(TIMES), rotation_at(TIMES)), "sheet": Pose(drawing, still)})


def test_take_contains_its_frames():
    take = sample_take()
    assert (len(take.times), take.fps, take.names, take.events) == (25, 24, ("ball", "sheet"), ())
    assert_array_equal(take.times, TIMES)
    assert_array_equal(take["ball"].position, wave(TIMES))
    assert_array_equal(take["ball"].orientation, rotation_at(TIMES))
    assert_array_equal(take["ball"].times, TIMES)
    assert take["sheet"].position.shape == (25, 4, 3)


def test_iterating_a_take_gives_its_actors():
    take = sample_take()
    assert [(actor.name, actor.position.shape) for actor in take] == [("ball", (25, 3)), ("sheet", (25, 4, 3))]
    assert len(take) == len(list(take)) == 2
    assert all(actor in take and actor.name in take and take[actor.name] is actor for actor in take)
    assert pickle.loads(pickle.dumps(take["ball"])) in take
    assert RecordedMotion(TIMES, wave(TIMES)) not in take
    assert Take(TIMES, 24, {})
    assert list(Take(TIMES, 24, {})) == []


def test_frames_of_a_take_have_number_time_and_poses():
    take = sample_take()
    frames = list(take.frames())
    assert [frame.index for frame in frames] == list(range(25))
    assert [frame.time for frame in frames] == TIMES.tolist()
    assert_array_equal(frames[7]["ball"].position, wave(TIMES)[7])
    assert frames[7].poses["sheet"] == take.poses["sheet"][7]
    assert repr(frames[6]) == "<Frame 6 at 0.25 s: ball, sheet>"
    with pytest.raises(UnknownNameError, match=r"No actor of this take is named 'bal'\. Did you mean 'ball'"):
        frames[0]["bal"]


def test_long_takes_and_recordings_have_short_reprs():
    poses = {f"bird{number}": sample_take().poses["ball"] for number in range(100)}
    assert repr(Take(TIMES, 24, poses)) == (
        "<Take: 25 frames of bird0, bird1, bird2, bird3, bird4, bird5 … and 94 more, 24 frames per second>"
    )
    assert repr(Take(TIMES, 24, {})) == "<Take: 25 frames of no actors, 24 frames per second>"
    assert repr(sample_take()["ball"]) == "<RecordedMotion: 'ball', 25 frames, 0 to 1 s>"


def test_actor_of_a_take_is_a_motion():
    ball = sample_take()["ball"]
    assert isinstance(ball, Motion)
    assert ball.span == (0, 1)
    assert ball.duration == 1
    assert ball.frames(48).position.shape == (49, 3)
    assert_allclose(ball.velocity(0.5), [1, np.cos(0.5), -2 * np.sin(1.0)], atol=3e-3)
    assert ball.retimed(SpeedProfile.steady()).duration == 1


def test_recording_at_frame_times_equals_its_frames():
    take = sample_take()
    assert_array_equal(take["ball"].at(TIMES).position, wave(TIMES))
    assert_array_equal(take["sheet"].at(TIMES[7]).position, take["sheet"].position[7])
    assert_allclose(quaternion.angle_between(take["ball"].at(TIMES).orientation, rotation_at(TIMES)), 0, atol=1e-14)


def test_recording_is_smooth_between_frames():
    take, t = sample_take(), np.linspace(0.1, 0.9, 333)
    poses = take.at(t)
    assert_allclose(poses["ball"].position, wave(t), atol=2e-5)
    assert quaternion.angle_between(poses["ball"].orientation, rotation_at(t)).max() < 1e-4
    before, after = take["ball"].speed_jump(12)
    assert before == pytest.approx(after)


def test_recording_span_does_not_derive_the_path():
    recording = RecordedMotion([2.0, 2.5, 4.0], np.zeros((3, 3)))
    assert recording.span == (2.0, 4.0)
    assert "path" not in vars(recording)
    assert (recording.path.shape, recording.duration) == ((3,), 2.0)


def test_take_holds_outside_its_span_and_accepts_single_times():
    take = sample_take()
    assert_array_equal(take.at(7.0)["ball"].position, wave(TIMES)[-1])
    assert take.at(0.2)["sheet"].position.shape == (4, 3)


def test_frames_are_read_only_and_recordings_immutable():
    ball = sample_take()["ball"]
    with pytest.raises(ValueError, match="read-only"):
        ball.position[0] = 7
    with pytest.raises(AttributeError, match="cannot be given"):
        ball.times = TIMES
    with pytest.raises(AttributeError, match="no 'postion'"):
        ball.postion  # noqa: B018


def test_takes_compare_by_value_and_can_be_pickled():
    take = sample_take()
    assert take == sample_take()
    assert hash(take) == hash(sample_take())
    assert take != Take(TIMES, 25, take.poses)
    assert pickle.loads(pickle.dumps(take)) == take
    assert pickle.loads(pickle.dumps(take["ball"])) == take["ball"]
    assert take["ball"] is take["ball"]
    assert "ball" in take
    assert "bal" not in take


def test_unknown_name_error_suggests_the_nearest_name():
    with pytest.raises(UnknownNameError, match=r"named 'bal'\. Did you mean 'ball'"):
        sample_take()["bal"]
    with pytest.raises(UnknownNameError, match=r"named 'gg'\. Did you mean 'g'"):
        Take([0, 1], 1, {"g": Pose(np.zeros((2, 3)), rotation_at(np.zeros(2)))})["gg"]


def test_recording_can_be_made_from_positions_only():
    recording = RecordedMotion([0, 1, 3], [(0, 0), (1, 0), (2, 2)])
    assert recording.at(1.0).facing == Orientation.identity
    assert "3 frames" in repr(recording)
    assert len(recording) == 3


@pytest.mark.parametrize(
    "bad",
    [
        lambda: RecordedMotion([0], [(0, 0)]),
        lambda: RecordedMotion([0, 1], [(0, 0)]),
        lambda: RecordedMotion([0, 1], [(0, 0), (1, 1)], [(1, 0, 0, 0)]),
        lambda: RecordedMotion([1, 0], [(0, 0), (1, 1)]),
        lambda: Take([0, 1], 24, {"a": Pose(np.zeros((3, 3)), np.zeros((3, 4)))}),
        lambda: Take([0, 1], 0, {}),
        lambda: Take([0, 1], 24, [Pose(np.zeros((2, 3)), np.ones((2, 4)))]),
        lambda: Take([0, 1], 24, {"a": np.zeros((2, 3))}),
        lambda: Take([0, 1], 24, {5: Pose(np.zeros((2, 3)), np.ones((2, 4)))}),
        lambda: Take([0, 1], 24, {}, "an event"),
        lambda: Take([0, 1], 24, {}, ["an event"]),
        lambda: RecordedMotion([0, 1], "here"),
        lambda: RecordedMotion([0, 1], [0.0, 1.0]),
        lambda: RecordedMotion([0, 1], [(0, True), (1, 1)]),
    ],
)
def test_mismatched_frames_are_refused_with_reason(bad):
    with pytest.raises(KeyposeError):
        bad()


@pytest.mark.parametrize("wrong", [np.nan, np.inf, 1e101])
def test_nonfinite_frame_is_refused_with_its_index(wrong):
    with pytest.raises(KeyposeError, match=r"A recording is at \[.*\] in frame 1 and faces .*Give finite numbers"):
        RecordedMotion([0, 1, 2], [(0, 0), (wrong, 1), (2, 2)])
    take = Take([0, 1], 24, {"ball": Pose([(0, 0, 0), (0, 0, wrong)], np.ones((2, 4)))})
    with pytest.raises(KeyposeError, match=r"Actor 'ball' is at .* in frame 1"):
        take["ball"]


def test_zero_orientation_in_a_frame_is_refused():
    with pytest.raises(KeyposeError, match=r"in frame 0 and faces \[0\.0, 0\.0, 0\.0, 0\.0\]\. .*not all zero"):
        RecordedMotion([0, 1], [(0, 0), (1, 1)], [(0, 0, 0, 0), (1, 0, 0, 0)])


def test_recording_copies_its_input():
    places = np.zeros((2, 3))
    recording = RecordedMotion([0, 1], places)
    places[:] = 5
    assert not recording.position.any()


def test_events_are_kept():
    event = Event(0.5, "hand", "The carrier ended.")
    assert Take([0, 1], 1, {}, [event]).events == (event,)
