"""Shooting: so many frames, ticks of their own, and a take that is a motion again."""

from dataclasses import dataclass

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from keypose import Actor, FaceForward, KeyposeError, Motion, MotionPath, Orientation, Pose, Stage, shoot

UPRIGHT = np.array([1.0, 0, 0, 0])
WALK = Motion(MotionPath([(0, 0, 0), (4, 0, 0)]), duration=4.0)


@dataclass(frozen=True)
class ThrownMover:
    """Thrown up in the plane, as explicit Euler has it."""

    tick: float = 0.1
    pull: float = 10.0

    def begin(self, view):
        return np.zeros(2), np.array([1.0, 5.0])

    def step(self, state, view, dt):
        place, velocity = state
        return place + dt * velocity, velocity - [0, dt * self.pull]

    def pose(self, state):
        return Pose(state[0], UPRIGHT)


class ExactMover(ThrownMover):
    def between(self, before, after, share):
        return Pose(before[0] + share * self.tick * before[1] - [0, share * 100], UPRIGHT)


@pytest.mark.parametrize(("seconds", "fps", "frames"), [(2, 24, 49), (1, 30, 31), (0.99, 24, 25), (0.001, 24, 2)])
@pytest.mark.parametrize("thing", [WALK, ThrownMover()])
def test_frame_count_includes_both_ends(thing, seconds, fps, frames):
    take = shoot(Stage([Actor("a", thing)]), seconds, fps)
    assert len(take.times) == frames
    assert_array_equal(take.times, np.arange(frames) / fps)
    assert take["a"].position.shape == (frames, 3)
    assert take["a"].orientation.shape == (frames, 4)
    assert take.fps == fps


def walk(seconds, **options):
    return Motion(MotionPath([(0, 0, 0), (4, 0, 0)]), duration=seconds, **options)


@pytest.mark.parametrize(("seconds", "frames"), [(2.0, 49), (1.01, 26), (0.99, 25), (1 / 3 + 1 / 3 + 1 / 3, 25)])
@pytest.mark.parametrize("others", [[], [Actor("b", ThrownMover())]])
def test_take_without_seconds_includes_the_last_key(seconds, frames, others):
    take = shoot(Stage([Actor("a", walk(seconds)), *others]))
    assert len(take.times) == frames
    assert_array_equal(take.times, np.arange(frames) / 24)
    assert_array_equal(take["a"].position[-1], (4, 0, 0))


def test_frames_after_the_end_hold_the_last_pose():
    take = shoot(Stage([Actor("a", walk(1.0)), Actor("b", walk(2.01))]))
    assert_array_equal(take["a"].position[24:], [(4, 0, 0)] * 26)


def test_given_seconds_are_rounded_to_frames():
    assert len(shoot(Stage([Actor("a", walk(1.01))]), 1.01).times) == 25


def test_take_of_a_motion_equals_its_frames():
    assert_array_equal(shoot(Stage([Actor("a", WALK)]), 4.0)["a"].position, WALK.frames(24).position)


def test_frames_between_ticks_are_interpolated():
    stage = Stage([Actor("ball", ThrownMover())])
    coarse, fine = shoot(stage, 1.0, 10), shoot(stage, 1.0, 40)
    assert_array_equal(fine["ball"].position[::4], coarse["ball"].position)
    assert_allclose(fine["ball"].position[2::4], (coarse["ball"].position[1:] + coarse["ball"].position[:-1]) / 2)


def test_mover_may_define_its_own_interpolation():
    fine = shoot(Stage([Actor("ball", ExactMover())]), 0.1, 20)["ball"].position
    assert_allclose(fine[:, 1], [0, 0.25 - 50, 0.5])


def test_result_depends_on_the_tick_but_not_on_the_frame_rate():
    stage = Stage([Actor("ball", ThrownMover())])
    ends = [shoot(stage, 1.0, fps)["ball"].position[-1] for fps in (1, 7, 24, 10)]
    assert_allclose(ends, [ends[0]] * 4, atol=1e-9)
    errors = [abs(shoot(stage, 1.0, 1, tick=tick)["ball"].position[-1, 1]) for tick in (0.02, 0.01, 0.005)]
    assert_allclose(np.array(errors[:-1]) / errors[1:], 2, rtol=1e-6)  # of first order


def test_take_of_a_drawing_has_all_its_points():
    drawing = Motion(MotionPath(np.random.default_rng(0).normal(size=(3, 5, 2))), duration=1.0)
    take = shoot(Stage([Actor("sheet", drawing)]), 1.0)
    assert take["sheet"].position.shape == (25, 5, 3)
    assert take["sheet"].at(0.51).position.shape == (5, 3)


def test_orientations_between_ticks_take_the_shorter_rotation():
    take = shoot(Stage([Actor("ball", ThrownMover(), facing=FaceForward())]), 1.0, 40)
    steps = [Orientation.of(one).angle_to(two) for one, two in zip(take["ball"].orientation[4:],
             take["ball"].orientation[5:], strict=False)]  # fmt: skip
    assert max(steps) < 20


@pytest.mark.parametrize("thing", [WALK, ThrownMover()])
def test_progress_is_reported_up_to_the_last_frame(thing):
    progress = []
    shoot(Stage([Actor("a", thing)]), 1.0, progress=lambda done, frames: progress.append((done, frames)))
    assert progress[-1] == (25, 25)
    assert progress == sorted(progress)


def test_a_take_can_be_shot_again():
    take = shoot(Stage([Actor("ball", ThrownMover())]), 1.0, 10)
    again = shoot(Stage([Actor("ball", take["ball"])]), 1.0, 10)
    assert again == take


def test_nonfinite_step_is_reported_with_actor_and_time():
    with pytest.raises(KeyposeError, match=r"Actor 'ball' came to .* at 0\.1 s"):
        shoot(Stage([Actor("ball", ThrownMover(pull=float("inf")))]), 1.0)


def test_changed_point_count_or_nonfinite_interpolation_is_refused_with_reason():
    class Melting(ThrownMover):
        def pose(self, state):
            return Pose(np.zeros((3 if state[0][0] < 0.35 else 2, 3)), UPRIGHT)

    class Vague(ThrownMover):
        def between(self, before, after, share):
            return Pose(np.array([np.nan, 0, 0]), UPRIGHT)

    with pytest.raises(
        KeyposeError, match=r"'ball' had a place of shape \(3, 3\) and at 0\.4 s has one of shape \(2, 3\)"
    ):
        shoot(Stage([Actor("ball", Melting())]), 1.0)
    with pytest.raises(KeyposeError, match=r"'ball' came to .* at 0\.05 s"):
        shoot(Stage([Actor("ball", Vague())]), 1.0, 20)


@pytest.mark.parametrize(
    "bad",
    [
        lambda stage: shoot(stage, 0),
        lambda stage: shoot(stage, -1),
        lambda stage: shoot(stage, float("nan")),
        lambda stage: shoot(stage, "long"),
        lambda stage: shoot(stage, 1, 0),
        lambda stage: shoot(stage, 1, tick=0),
        lambda stage: shoot(stage, 1, tick=-0.1),
        lambda stage: shoot(WALK, 1),
    ],
)
def test_invalid_shoot_arguments_are_refused_with_reason(bad):
    with pytest.raises(KeyposeError):
        bad(Stage([Actor("a", WALK)]))


def test_take_of_motions_recorded_in_chunks_reports_progress_and_is_unchanged(monkeypatch):
    monkeypatch.setattr("keypose.stage.recorder.shoot.POSES_PER_CHUNK", 20)
    stage = Stage([Actor("a", Motion(MotionPath([(0, 0, 0), (1, 2, 0), (3, 0, 1)]), duration=2.0)),
                   Actor("b", Motion(MotionPath([(1, 0), (0, 1)]), duration=1.0), parent="a")])  # fmt: skip
    progress = []
    take = shoot(stage, 2.0, progress=lambda done, frames: progress.append((done, frames)))
    assert progress == [(10, 49), (20, 49), (30, 49), (40, 49), (49, 49)]
    assert take == shoot(stage, 2.0)
