"""What is no number stops bodies within one step: who is lost is named with the moment, and the last good one stays."""

from dataclasses import dataclass
from unittest.mock import patch

import mujoco
import numpy as np
import pytest

from keypose import (
    Actor,
    Body,
    Follow,
    Free,
    Key,
    KeyposeError,
    MotionPath,
    Orientation,
    Pose,
    Reach,
    Run,
    Sphere,
    Stage,
    shoot,
)
from tests.physics.arms import DOWN, HAND_PATH, arm
from tests.physics.replays import poses_after, same_poses

BALL = Body(Sphere(0.3))
UNAFFECTED = Actor("calm", Free(BALL, (9, 9, 9), spin=(10, 20, 30)))
TURNING = MotionPath([Key((3 * i, 0, 0), orientation=Orientation.turned(60 * i, "y")) for i in range(3)])
GOOD_TICKS = 100  # ticks: a run is well until then
LOST_MESSAGE = r"body of 'lost' is lost at 0\.202 s"


def stage_with_unaffected(actor, **options):
    return Stage([UNAFFECTED, actor], gravity=DOWN, **options)


FREE = stage_with_unaffected(Actor("lost", Free(BALL, (0, 5, 0))))
FOLLOWING = stage_with_unaffected(Actor("lost", Follow(TURNING, BALL, within=0.4)))
REACHING = stage_with_unaffected(Actor("arm", arm()), connections=[Reach("arm/hand", HAND_PATH, within=0.1)])
SOFT = stage_with_unaffected(Actor("lost", Free(Body(Sphere(0.3), 2.0, stiffness=500), (0, 5, 0))))
STAGES = {
    "what is free": FREE,
    "a follower": FOLLOWING,
    "a hand": REACHING,
    "what hangs": stage_with_unaffected(Actor("arm", arm())),
}


def engine_of(run):
    (system_state,) = run.moment.system_states.values()
    return system_state.system.engines.engine(None)  # built before


def nan_in_step(array_name, time):
    """MuJoCo comes to no number in the last of its numbers, once, in the step that ends at a time [s]."""
    step, written = mujoco.mj_step2, []

    def step_with_nan(model, data):
        step(model, data)
        if data.time > time - 1e-9 and not written:
            written.append(time)
            getattr(data, array_name)[-1] = np.nan

    return patch.object(mujoco, "mj_step2", step_with_nan)


def check_run_continues(run, stage):
    """A run that was stopped goes on to the bit as one that never was, from now and from earlier."""
    reference = Run(stage)
    expected = poses_after(reference, GOOD_TICKS + 50)
    assert same_poses(poses_after(run, GOOD_TICKS + 50 - run.ticks), expected)
    run.rewind(0.07)
    assert same_poses(poses_after(run, GOOD_TICKS + 50 - run.ticks), expected)
    assert run.events == reference.events


@pytest.mark.parametrize("column", [0, 4])
@pytest.mark.parametrize("array_name", ["poses", "velocities"])
@pytest.mark.parametrize("stage", [FREE, FOLLOWING])
def test_nonfinite_position_or_velocity_stops_the_run_with_body_and_time(stage, array_name, column):
    for row, name in enumerate(("calm", "lost")):
        run = Run(stage)
        expected = poses_after(run, GOOD_TICKS)
        getattr(engine_of(run), array_name)[row, column] = np.nan
        with pytest.raises(KeyposeError, match=f"body of '{name}' is lost at 0.2 s"):
            run.tick()
        assert run.ticks == GOOD_TICKS
        assert same_poses(run.poses, expected)
        check_run_continues(run, stage)


@pytest.mark.parametrize("array_name", ["qpos", "qvel"])
@pytest.mark.parametrize("case", STAGES)
def test_step_with_nonfinite_result_is_discarded_and_names_body_and_time(case, array_name):
    stage = STAGES[case]
    lost_name = "'lost'" if "lost" in stage.names else "'arm/"
    run = Run(stage)
    expected = poses_after(run, GOOD_TICKS)
    with (
        nan_in_step(array_name, run.time + 0.002),
        pytest.raises(KeyposeError, match=f"body of {lost_name}.* lost at 0.202 s"),
    ):
        run.tick()
    assert run.ticks == GOOD_TICKS
    assert same_poses(run.poses, expected)
    check_run_continues(run, stage)


@pytest.mark.parametrize("array_name", ["qpos", "qvel"])
@pytest.mark.parametrize("case", STAGES)
def test_batch_of_steps_stops_at_the_first_nonfinite_result(case, array_name):
    stage = STAGES[case]
    lost_name = "'lost'" if "lost" in stage.names else "'arm/"
    with nan_in_step(array_name, 0.202), pytest.raises(KeyposeError, match=f"body of {lost_name}.* lost at 0.202 s"):
        shoot(stage, 0.5)
    take, run = shoot(stage, 0.3, fps=10), Run(stage)
    poses_after(run, 150)
    assert all((take[name].position[-1] == pose.position).all() for name, pose in run.poses.items())


@pytest.mark.parametrize("column", [0, 4])
def test_nonfinite_force_stops_the_run_at_the_last_good_tick(column):
    run = Run(FREE)
    expected = poses_after(run, GOOD_TICKS)
    engine_of(run).forces[1, column] = np.nan
    with pytest.raises(KeyposeError, match=r"body of '\w+' is lost at 0.202 s"):
        run.tick()
    assert same_poses(run.poses, expected)
    check_run_continues(run, FREE)


@pytest.mark.parametrize("column", [0, 4])
def test_nonfinite_force_is_reported_with_its_body(column):
    run = Run(FREE)
    poses_after(run, GOOD_TICKS)
    engine_of(run).forces[1, column] = np.nan
    with pytest.raises(KeyposeError, match="body of 'lost'"):
        run.tick()


def test_soft_body_with_nonfinite_position_is_named():
    run = Run(SOFT)
    poses_after(run, GOOD_TICKS)
    with nan_in_step("qpos", run.time + 0.002), pytest.raises(KeyposeError, match=LOST_MESSAGE):
        run.tick()


def test_soft_body_with_nonfinite_velocity_is_named_and_the_run_keeps_its_state():
    run = Run(SOFT)
    expected = poses_after(run, GOOD_TICKS)
    with nan_in_step("qvel", run.time + 0.002), pytest.raises(KeyposeError, match=LOST_MESSAGE):
        run.tick()
    assert same_poses(run.poses, expected)
    check_run_continues(run, SOFT)


@dataclass(frozen=True)
class NanMover:
    """A mover that is nowhere after a while."""

    tick = 0.002

    def begin(self, view):
        return 0

    def step(self, state, view, dt):
        return state + 1

    def pose(self, state):
        return Pose.of(np.array([np.nan if state > GOOD_TICKS else 1.0, 0.0, 0.0]), np.array([1.0, 0, 0, 0]))


def test_carrier_with_nonfinite_pose_is_named_before_its_follower_is_lost():
    keys = [(0, 0, 0), Key((0, 0, 1), relative_to="carrier", pin=False)]
    follower = Actor("follower", Follow(MotionPath(keys), BALL, within=0.4))
    run = Run(Stage([Actor("carrier", NanMover()), follower]))
    expected = poses_after(run, GOOD_TICKS)
    for _ in range(2):
        with pytest.raises(KeyposeError, match=r"'carrier' .* at 0.202 s"):
            run.tick()
        assert same_poses(run.poses, expected)
    run.rewind(0.1)
    assert same_poses(poses_after(run, GOOD_TICKS - run.ticks), expected)
