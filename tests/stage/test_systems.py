"""Movers that act on each other step together, as one company: rewound, changed, met and stood upon like any other."""

from dataclasses import dataclass

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from keypose import Actor, FaceForward, Key, Motion, MotionPath, Pose, Run, Stage, shoot
from keypose.motion.events import Event
from keypose.motion.system import StepContext, SystemContext

UPRIGHT = np.array([1.0, 0, 0, 0])


class CentroidSystem:
    """A company of those who go to where all of them are on average; a state is their places, in the world's frame."""

    def __init__(self, members, context):
        assert isinstance(context, SystemContext)
        self.members = members
        self.watches = {name: mover.watches for name, mover in members.items()}

    def initial_poses(self):
        return {name: Pose(np.array(mover.place), UPRIGHT) for name, mover in self.members.items()}

    def begin(self, context):
        assert isinstance(context, StepContext)
        return np.array([mover.place for mover in self.members.values()])

    def resume(self, context, before, state):
        known = dict(zip(before.members, state, strict=True))
        return np.array([known.get(name, mover.place) for name, mover in self.members.items()])

    def step(self, state, context, dt):
        others = [context.pose(name).position for watched_names in self.watches.values() for name in watched_names]
        return state + dt * (np.mean([*state, *others], axis=0) - state)

    def poses(self, state):
        return {name: Pose(place, UPRIGHT) for name, place in zip(self.members, state, strict=True)}

    def between(self, before, after, share):
        return self.poses(before + share**2 * (after - before))

    def events(self, state):
        return (Event(0.5, "a", "cosy", "note"),) if np.ptp(state, axis=0).max() < 1 else ()


@dataclass(frozen=True)
class CentroidMover:
    place: tuple[float, float, float]
    watches: tuple[str, ...] = ()
    tick: float = 0.1

    system_kind = CentroidSystem


PAIR = [Actor("a", CentroidMover((0.0, 0, 0))), Actor("b", CentroidMover((4.0, 0, 0)))]
WALK = Motion(MotionPath([(0, 0, 0), (8, 0, 0)]), duration=2.0)


def tick_many(run, ticks):
    for _ in range(ticks):
        run.tick()
    return run


def x_position(run, name):
    return run.poses[name].position[0]


def test_system_movers_step_together_in_any_actor_order():
    for actors in (PAIR, PAIR[::-1]):
        run = tick_many(Run(Stage(actors)), 3)
        assert x_position(run, "a") == pytest.approx(2 - 2 * 0.9**3)
        assert x_position(run, "b") == pytest.approx(2 + 2 * 0.9**3)


def test_replay_of_a_system_is_bitwise_identical():
    run = tick_many(Run(Stage(PAIR)), 40)
    first = run.poses["a"].position
    run.rewind(1.3)
    assert_array_equal(tick_many(run, 40 - run.ticks).poses["a"].position, first)


def test_system_interpolates_poses_between_ticks():
    take = shoot(Stage(PAIR), 1.0, fps=20)
    ticks = shoot(Stage(PAIR), 1.0, fps=10)["a"].position[:, 0]
    assert_allclose(take["a"].position[::2, 0], ticks)
    assert_allclose(take["a"].position[1::2, 0], ticks[:-1] + 0.25 * np.diff(ticks))


def test_movers_can_leave_and_join_a_system_during_a_run():
    run = tick_many(Run(Stage(PAIR)), 5)
    a, b = x_position(run, "a"), x_position(run, "b")
    run.change(Stage([Actor("c", CentroidMover((9.0, 0, 0))), PAIR[1]]))
    assert (x_position(run, "b"), x_position(run, "c")) == (b, 9)
    run.tick()
    assert x_position(run, "b") == pytest.approx(b + 0.1 * (9 - b) / 2)
    run.rewind(0.4)
    assert x_position(tick_many(run, 0), "a") < a


def test_system_movers_can_watch_and_be_parents_carriers_and_targets():
    hand = MotionPath([Key((0, 2, 0)), Key((0, 0, 0), relative_to="a")])
    stage = Stage(
        [
            Actor("a", CentroidMover((0.0, 0, 0), watches=("man",)), facing=FaceForward()),
            Actor("rider", Motion(MotionPath([(0, 1, 0)] * 2), duration=1.0), parent="a"),
            Actor("hand", Motion(hand, duration=1.0)),
            Actor("man", WALK),
        ]
    )
    take = shoot(stage, 1.0, fps=10)
    assert take["a"].position[-1, 0] > 0.1
    assert_allclose(take["rider"].position, take["a"].position + np.array([0, 1, 0]), atol=1e-12)
    assert_allclose(take["hand"].position[-1], take["a"].position[-1], atol=1e-9)
    assert_allclose(take["a"].orientation[-1], np.array([1, 0, 1, 0]) / np.sqrt(2), atol=1e-9)


def test_system_mover_may_be_child_of_another():
    stage = Stage([Actor("a", CentroidMover((0.0, 0, 0))), Actor("b", CentroidMover((4.0, 1, 0)), parent="a")])
    run = Run(stage)
    assert_array_equal(run.poses["b"].position, (4, 1, 0))
    tick_many(run, 3)
    assert x_position(run, "b") - x_position(run, "a") == pytest.approx(2 + 2 * 0.9**3)


def test_system_events_are_recorded_in_the_take():
    take = shoot(Stage(PAIR), 2.0, fps=10)
    assert [(event.actor, event.text) for event in take.events] == [("a", "cosy")]
