"""Shooting: so many frames, ticks of their own, and a take that is a motion again."""

from dataclasses import dataclass

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from keypose import Actor, FaceForward, KeyposeError, Motion, MotionPath, Orientation, Pose, Stage, shoot

UPRIGHT = np.array([1.0, 0, 0, 0])
WALK = Motion(MotionPath([(0, 0, 0), (4, 0, 0)]), duration=4.0)


@dataclass(frozen=True)
class Thrown:
    """Thrown up in the plane, as explicit Euler has it."""

    tick: float = 0.1
    pull: float = 10.0

    def begin(self, sight):
        return np.zeros(2), np.array([1.0, 5.0])

    def step(self, state, sight, dt):
        place, velocity = state
        return place + dt * velocity, velocity - [0, dt * self.pull]

    def pose(self, state):
        return Pose(state[0], UPRIGHT)


class Exact(Thrown):
    def between(self, before, after, share):
        return Pose(before[0] + share * self.tick * before[1] - [0, share * 100], UPRIGHT)


@pytest.mark.parametrize(("seconds", "fps", "frames"), [(2, 24, 49), (1, 30, 31), (0.99, 24, 25), (0.001, 24, 2)])
@pytest.mark.parametrize("thing", [WALK, Thrown()])
def test_there_are_as_many_frames_as_fit_and_one(thing, seconds, fps, frames):
    take = shoot(Stage([Actor("a", thing)]), seconds, fps)
    assert len(take) == frames
    assert_array_equal(take.times, np.arange(frames) / fps)
    assert take["a"].position.shape == (frames, 3)
    assert take["a"].orientation.shape == (frames, 4)
    assert take.fps == fps


def test_motions_are_shot_as_they_are():
    assert_array_equal(shoot(Stage([Actor("a", WALK)]), 4.0)["a"].position, WALK.frames(24).position)


def test_frames_between_ticks_lie_on_the_way_between_them():
    stage = Stage([Actor("ball", Thrown())])
    coarse, fine = shoot(stage, 1.0, 10), shoot(stage, 1.0, 40)
    assert_array_equal(fine["ball"].position[::4], coarse["ball"].position)
    assert_allclose(fine["ball"].position[2::4], (coarse["ball"].position[1:] + coarse["ball"].position[:-1]) / 2)


def test_a_mover_may_say_itself_how_it_gets_along():
    fine = shoot(Stage([Actor("ball", Exact())]), 0.1, 20)["ball"].position
    assert_allclose(fine[:, 1], [0, 0.25 - 50, 0.5])


def test_frames_do_not_change_what_happens_and_ticks_do():
    stage = Stage([Actor("ball", Thrown())])
    ends = [shoot(stage, 1.0, fps)["ball"].position[-1] for fps in (1, 7, 24, 10)]
    assert_allclose(ends, [ends[0]] * 4, atol=1e-9)
    errors = [abs(shoot(stage, 1.0, 1, tick=tick)["ball"].position[-1, 1]) for tick in (0.02, 0.01, 0.005)]
    assert_allclose(np.array(errors[:-1]) / errors[1:], 2, rtol=1e-6)  # of first order


def test_a_drawings_take_has_all_its_points():
    drawing = Motion(MotionPath(np.random.default_rng(0).normal(size=(3, 5, 2))), duration=1.0)
    take = shoot(Stage([Actor("sheet", drawing)]), 1.0)
    assert take["sheet"].position.shape == (25, 5, 3)
    assert take["sheet"].at(0.51).position.shape == (5, 3)


def test_facings_between_ticks_turn_by_the_shorter_way():
    take = shoot(Stage([Actor("ball", Thrown(), facing=FaceForward())]), 1.0, 40)
    steps = [Orientation.of(one).angle_to(two) for one, two in zip(take["ball"].orientation[4:],
             take["ball"].orientation[5:], strict=False)]  # fmt: skip
    assert max(steps) < 20


@pytest.mark.parametrize("thing", [WALK, Thrown()])
def test_progress_is_told_up_to_the_last_frame(thing):
    told = []
    shoot(Stage([Actor("a", thing)]), 1.0, progress=lambda done, frames: told.append((done, frames)))
    assert told[-1] == (25, 25)
    assert told == sorted(told)


def test_a_take_can_be_shot_again():
    take = shoot(Stage([Actor("ball", Thrown())]), 1.0, 10)
    again = shoot(Stage([Actor("ball", take["ball"])]), 1.0, 10)
    assert again == take


def test_a_step_to_nowhere_is_named_with_actor_and_time():
    with pytest.raises(KeyposeError, match=r"Actor 'ball' came to .* at 0\.1 s"):
        shoot(Stage([Actor("ball", Thrown(pull=float("inf")))]), 1.0)


def test_a_mover_that_loses_points_or_its_way_between_ticks_gets_a_sentence():
    class Melting(Thrown):
        def pose(self, state):
            return Pose(np.zeros((3 if state[0][0] < 0.35 else 2, 3)), UPRIGHT)

    class Vague(Thrown):
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
def test_what_cannot_be_shot_gets_a_sentence(bad):
    with pytest.raises(KeyposeError):
        bad(Stage([Actor("a", WALK)]))


def test_a_long_take_of_motions_tells_how_far_it_is_and_is_the_same_take(monkeypatch):
    monkeypatch.setattr("keypose.stage.recorder.shoot.POSES_PER_CHUNK", 20)
    stage = Stage([Actor("a", Motion(MotionPath([(0, 0, 0), (1, 2, 0), (3, 0, 1)]), duration=2.0)),
                   Actor("b", Motion(MotionPath([(1, 0), (0, 1)]), duration=1.0), parent="a")])  # fmt: skip
    told = []
    take = shoot(stage, 2.0, progress=lambda done, frames: told.append((done, frames)))
    assert told == [(10, 49), (20, 49), (30, 49), (40, 49), (49, 49)]
    assert take == shoot(stage, 2.0)
