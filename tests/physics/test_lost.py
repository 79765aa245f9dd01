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
from tests.physics.arms import DOWN, WAY, arm
from tests.physics.replays import played, same

BALL = Body(Sphere(0.3))
CALM = Actor("calm", Free(BALL, (9, 9, 9), spin=(10, 20, 30)))
TURNING = MotionPath([Key((3 * i, 0, 0), orientation=Orientation.turned(60 * i, "y")) for i in range(3)])
LAST = 100  # ticks: a run is well until then
LOST = r"body of 'lost' is lost at 0\.202 s"


def with_calm(actor, **said):
    return Stage([CALM, actor], gravity=DOWN, **said)


FREE = with_calm(Actor("lost", Free(BALL, (0, 5, 0))))
FOLLOWING = with_calm(Actor("lost", Follow(TURNING, BALL, within=0.4)))
REACHING = with_calm(Actor("arm", arm()), connections=[Reach("arm/hand", WAY, within=0.1)])
SOFT = with_calm(Actor("lost", Free(Body(Sphere(0.3), 2.0, stiffness=500), (0, 5, 0))))
STAGES = {
    "what is free": FREE,
    "a follower": FOLLOWING,
    "a hand": REACHING,
    "what hangs": with_calm(Actor("arm", arm())),
}


def engine_of(run):
    (cast,) = run.moment.system_states.values()
    return cast.system._local.engine


def gone_wrong(numbers, at):
    """MuJoCo comes to no number in the last of its numbers, once, in the step that ends at a time [s]."""
    step, wrong = mujoco.mj_step2, []

    def stepped(model, data):
        step(model, data)
        if data.time > at - 1e-9 and not wrong:
            wrong.append(at)
            getattr(data, numbers)[-1] = np.nan

    return patch.object(mujoco, "mj_step2", stepped)


def check_it_goes_on(run, stage):
    """A run that was stopped goes on to the bit as one that never was, from now and from earlier."""
    clean = Run(stage)
    there = played(clean, LAST + 50)
    assert same(played(run, LAST + 50 - run.ticks), there)
    run.rewind(0.07)
    assert same(played(run, LAST + 50 - run.ticks), there)
    assert run.events == clean.events


@pytest.mark.parametrize("column", [0, 4])
@pytest.mark.parametrize("numbers", ["poses", "velocities"])
@pytest.mark.parametrize("stage", [FREE, FOLLOWING])
def test_a_place_or_a_speed_that_is_no_number_stops_the_run_with_whose_it_is_and_when(stage, numbers, column):
    for row, name in enumerate(("calm", "lost")):
        run = Run(stage)
        there = played(run, LAST)
        getattr(engine_of(run), numbers)[row, column] = np.nan
        with pytest.raises(KeyposeError, match=f"body of '{name}' is lost at 0.2 s"):
            run.tick()
        assert run.ticks == LAST
        assert same(run.poses, there)
        check_it_goes_on(run, stage)


@pytest.mark.parametrize("numbers", ["qpos", "qvel"])
@pytest.mark.parametrize("case", STAGES)
def test_a_step_that_comes_to_no_number_is_not_taken_and_names_who_was_lost_and_when(case, numbers):
    stage = STAGES[case]
    lost = "'lost'" if "lost" in stage.names else "'arm/"
    run = Run(stage)
    there = played(run, LAST)
    with gone_wrong(numbers, run.time + 0.002), pytest.raises(KeyposeError, match=f"body of {lost}.* lost at 0.202 s"):
        run.tick()
    assert run.ticks == LAST
    assert same(run.poses, there)
    check_it_goes_on(run, stage)


@pytest.mark.parametrize("numbers", ["qpos", "qvel"])
@pytest.mark.parametrize("case", STAGES)
def test_many_steps_at_once_stop_at_the_one_that_comes_to_no_number(case, numbers):
    stage = STAGES[case]
    lost = "'lost'" if "lost" in stage.names else "'arm/"
    with gone_wrong(numbers, 0.202), pytest.raises(KeyposeError, match=f"body of {lost}.* lost at 0.202 s"):
        shoot(stage, 0.5)
    take, run = shoot(stage, 0.3, fps=10), Run(stage)
    played(run, 150)
    assert all((take[name].position[-1] == pose.position).all() for name, pose in run.poses.items())


@pytest.mark.parametrize("column", [0, 4])
def test_a_force_that_is_no_number_stops_the_run_where_it_was(column):
    run = Run(FREE)
    there = played(run, LAST)
    engine_of(run).forces[1, column] = np.nan
    with pytest.raises(KeyposeError, match=r"body of '\w+' is lost at 0.202 s"):
        run.tick()
    assert same(run.poses, there)
    check_it_goes_on(run, FREE)


@pytest.mark.parametrize("column", [0, 4])
def test_a_force_that_is_no_number_is_named_with_whom_it_pushes(column):
    run = Run(FREE)
    played(run, LAST)
    engine_of(run).forces[1, column] = np.nan
    with pytest.raises(KeyposeError, match="body of 'lost'"):
        run.tick()


def test_a_soft_body_that_is_nowhere_is_named_as_others_are():
    run = Run(SOFT)
    played(run, LAST)
    with gone_wrong("qpos", run.time + 0.002), pytest.raises(KeyposeError, match=LOST):
        run.tick()


def test_a_soft_body_that_is_too_fast_to_say_is_named_and_the_run_stays_where_it_was():
    run = Run(SOFT)
    there = played(run, LAST)
    with gone_wrong("qvel", run.time + 0.002), pytest.raises(KeyposeError, match=LOST):
        run.tick()
    assert same(run.poses, there)
    check_it_goes_on(run, SOFT)


@dataclass(frozen=True)
class Fading:
    """A mover that is nowhere after a while."""

    tick = 0.002

    def begin(self, sight):
        return 0

    def step(self, state, sight, dt):
        return state + 1

    def pose(self, state):
        return Pose.of(np.array([np.nan if state > LAST else 1.0, 0.0, 0.0]), np.array([1.0, 0, 0, 0]))


def test_a_carrier_that_is_nowhere_is_named_before_the_body_that_follows_its_keys_is_lost():
    keys = [(0, 0, 0), Key((0, 0, 1), relative_to="carrier", pin=False)]
    follower = Actor("follower", Follow(MotionPath(keys), BALL, within=0.4))
    run = Run(Stage([Actor("carrier", Fading()), follower]))
    there = played(run, LAST)
    for _ in range(2):
        with pytest.raises(KeyposeError, match=r"'carrier' .* at 0.202 s"):
            run.tick()
        assert same(run.poses, there)
    run.rewind(0.1)
    assert same(played(run, LAST - run.ticks), there)
