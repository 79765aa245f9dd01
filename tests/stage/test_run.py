"""A live run: tick by tick, and changed while it runs."""

import re
from dataclasses import dataclass

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from keypose import (
    Actor,
    FaceForward,
    KeyposeError,
    LookAt,
    Motion,
    MotionPath,
    Pose,
    Run,
    Stage,
    UnknownNameError,
    shoot,
)
from keypose.maths import quaternion
from keypose.motion.hierarchy import to_local
from tests.stage.sample_movers import TURN, UPRIGHT, WALK, Drifter, Follower, same_poses, tick_many


@dataclass(frozen=True)
class NonFiniteMover:
    """Comes to nothing after half a second, in its place or in its velocity."""

    where: str = "place"

    def begin(self, view):
        return 0.0, 1.0

    def step(self, state, view, dt):
        place, velocity = state
        broken = view.time > 0.5
        return np.nan if broken and self.where == "place" else place + dt, np.nan if broken else velocity

    def pose(self, state):
        return Pose(np.array([state[0], 0, 0]), UPRIGHT)


# ---- ticks -----------------------------------------------------------------------------------------------------------


def test_tick_is_the_shortest_of_all_movers_else_one_film_frame():
    assert tick_many(Run(Stage([Actor("man", WALK)])), 24).time == 1
    assert tick_many(Run(Stage([Actor("a", Drifter()), Actor("b", Follower(("a",)))])), 1).time == 1 / 24
    assert tick_many(Run(Stage([Actor("a", Drifter())])), 30).time == 3
    assert tick_many(Run(Stage([Actor("a", Drifter())]), tick=0.3), 3).time == pytest.approx(0.9)


def test_motions_are_evaluated_at_the_run_time():
    run = tick_many(Run(Stage([Actor("man", WALK)])), 36)
    assert run.time == 1.5
    assert same_poses(run.poses, run.stage.at(1.5))


def test_mover_steps_from_its_state():
    assert_allclose(tick_many(Run(Stage([Actor("a", Drifter())])), 10).poses["a"].position, (0, 0, 1))


def test_mover_sees_poses_of_the_previous_tick():
    observed = []

    class Spy(Drifter):
        def step(self, state, view, dt):
            observed.append((view.time, view["man"].position[0], view["other"].position[2]))
            return super().step(state, view, dt)

    run = Run(Stage([Actor("spy", Spy(("man", "other"))), Actor("man", WALK), Actor("other", Drifter())]))
    tick_many(run, 3)
    assert_allclose(observed, [(t, WALK.at(t).position[0], t) for t in (0, 0.1, 0.2)], atol=1e-12)


def test_mover_may_have_any_parent_and_sees_others_in_its_frame():
    stage = Stage([Actor("man", WALK), Actor("flag", TURN), Actor("fly", Follower(("flag",)), parent="man")])
    run = tick_many(Run(stage), 24 * 8)
    assert_allclose(run.poses["fly"].position, (9, 0, 0), atol=1e-3)  # in its own frame it went to (5, 0, -4)


def test_child_movers_see_all_actors_in_their_own_frame():
    observed = {}

    class Spy(Drifter):
        def begin(self, view):
            return np.zeros(3)

        def step(self, state, view, dt):
            observed.update({(self.velocity[0], name): view[name] for name in self.watches})
            return state

    drawing = Motion(MotionPath(np.arange(18.0).reshape(2, 3, 3)), duration=9.0)
    cast = [Actor("man", WALK, facing=FaceForward()), Actor("boat", TURN), Actor("sheet", drawing), Actor("flag", WALK)]
    spies = [Actor(f"{index}", Spy(("man", "sheet", "flag", "0"), (float(index), 0.0, 0.0)), parent=parent)
             for index, parent in enumerate(["man", "boat", "boat", "man", None])]  # fmt: skip
    run = tick_many(Run(Stage([*cast, *spies])), 12)
    poses = run.poses
    run.tick()
    for (index, name), pose in observed.items():
        parent = run.stage[f"{index:g}"].parent
        world = poses[name] if parent is None else to_local(poses[parent], poses[name])
        assert_allclose(pose.position, world.position, atol=1e-12)
        assert_allclose(pose.orientation, world.orientation, atol=1e-12)
    assert len(observed) == 20


def test_initial_states_follow_the_order_of_watched_movers():
    late, early = Actor("late", Drifter(("early",))), Actor("early", Drifter(("man",)))
    man = Actor("man", Motion(MotionPath([(5, 0, 0), (9, 0, 0)]), duration=1.0))
    assert_array_equal(Run(Stage([late, early, man])).poses["late"].position, (5, 0, 0))
    chain = [Actor(f"{index}", Drifter((f"{index - 1}",) if index else ("man",))) for index in range(2000)]
    assert_array_equal(Run(Stage([*chain[::-1], man])).poses["1999"].position, (5, 0, 0))
    hats = [Actor(f"hat {index}", TURN, parent=f"{index}") for index in range(500)]
    under = [Actor(f"{index}", Drifter((f"hat {index - 1}",) if index else ("man",))) for index in range(500)]
    assert_array_equal(Run(Stage([*under[::-1], *hats, man])).poses["499"].position, (5 + 9 * 499, 0, 0))


def test_cycle_of_initial_states_is_refused_with_names():
    with pytest.raises(KeyposeError, match=r"begin by looking at each other: (a → b → a|b → a → b)\. One must"):
        Run(Stage([Actor("a", Drifter(("b",))), Actor("b", Drifter(("a",)))]))


def test_face_forward_mover_banks_and_keeps_its_direction_at_rest():
    stage = Stage(
        [Actor("dog", Follower(("man",), place=(-1.0, 0.0, 0.0)), facing=FaceForward(0.5)), Actor("man", WALK)]
    )
    run = tick_many(Run(stage), 30)
    before = run.poses["dog"]
    run.tick()
    displacement = run.poses["dog"].position - before.position
    ahead = quaternion.rotate(run.poses["dog"].orientation, np.array([0.0, 0, 1]))
    assert_allclose(ahead, displacement / np.linalg.norm(displacement), atol=1e-9)
    tick_many(run, 24 * 40)
    assert_allclose(quaternion.rotate(run.poses["dog"].orientation, np.array([0.0, 0, 1])), (0, 0, 1), atol=0.1)


def test_drag_precision_does_not_rotate_a_resting_mover():
    class Trembling(Drifter):
        def step(self, state, view, dt):
            return state + dt if view.time < 0.5 else np.nextafter(state, state + (-1) ** round(10 * view.time))

    run = tick_many(Run(Stage([Actor("a", Trembling(), facing=FaceForward(1.0))])), 8)
    before = run.poses["a"].orientation
    for _ in range(10):
        run.tick()
        assert_array_equal(run.poses["a"].orientation, before)


def test_actor_may_look_at_a_mover():
    stage = Stage([Actor("eye", TURN, facing=LookAt("a")), Actor("a", Drifter())])
    pose = tick_many(Run(stage), 10).poses
    away = pose["a"].position - pose["eye"].position
    assert_allclose(quaternion.rotate(pose["eye"].orientation, np.array([0.0, 0, 1])), away / np.linalg.norm(away))


# ---- changes ---------------------------------------------------------------------------------------------------------


def test_changed_mover_keeps_its_state_only_for_the_same_type():
    run = tick_many(Run(Stage([Actor("a", Drifter()), Actor("man", WALK)])), 10)
    run.change("a", Drifter(velocity=(1.0, 0.0, 0.0)))
    assert_allclose(tick_many(run, 10).poses["a"].position, (1, 0, 1))
    run.change("a", Follower(("man",)))
    assert_array_equal(run.poses["a"].position, (0, 1, 0))
    run.change("a", WALK)
    assert_array_equal(run.poses["a"].position, WALK.at(2.0).position)


def test_parent_facing_and_look_can_be_changed_during_a_run():
    run = tick_many(Run(Stage([Actor("a", Drifter()), Actor("man", WALK)])), 10)
    run.change("a", parent="man", look="red", facing=LookAt("man"))
    assert_allclose(run.poses["a"].position, np.add(WALK.at(1.0).position, (0, 0, 1)))
    assert run.stage["a"].look == "red"


def test_invalid_change_is_refused_and_has_no_effect():
    run = tick_many(Run(Stage([Actor("a", Drifter()), Actor("man", WALK)])), 10)
    before = run.poses
    for bad in (lambda: run.change("b", WALK), lambda: run.change("a", parent="b"), lambda: run.change("a", 3),
                lambda: run.change("a", parent="a"), lambda: run.change("a", colour="red")):  # fmt: skip
        with pytest.raises(KeyposeError):
            bad()
    with pytest.raises(UnknownNameError, match=r"named 'mann'\. Did you mean 'man'"):
        run.change("mann", WALK)
    assert same_poses(run.poses, before)


# ---- what others rely on cannot be written to ------------------------------------------------------------------------


def test_step_that_mutates_its_old_state_fails():
    class Careless(Drifter):
        def step(self, state, view, dt):
            state += dt
            return state

    run = Run(Stage([Actor("a", Careless())]))
    with pytest.raises(ValueError, match="read-only"):
        run.tick()
    assert_array_equal(run.poses["a"].position, (0, 0, 0))


@pytest.mark.parametrize("parent", [None, "man"])
def test_observed_poses_are_read_only(parent):
    class Greedy(Drifter):
        def step(self, state, view, dt):
            view["b"].position[:] = 7

    run = Run(Stage([Actor("a", Greedy(("b",)), parent=parent), Actor("b", Drifter()), Actor("man", WALK)]))
    with pytest.raises(ValueError, match="read-only"):
        run.tick()
    with pytest.raises(ValueError, match="read-only"):
        run.poses["b"].position[:] = 7


# ---- bad input -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("where", ["place", "velocity"])
def test_nonfinite_step_is_reported_and_the_last_valid_state_kept(where):
    run = Run(Stage([Actor("ball", NonFiniteMover(where)), Actor("a", Drifter(tick=1 / 24))]))
    with pytest.raises(KeyposeError, match=r"Actor 'ball' came to .* not finite at 0\.583333 s\. Change the mover"):
        tick_many(run, 99)
    assert run.time == 13 / 24
    assert np.isfinite(run.poses["ball"].position).all()
    with pytest.raises(KeyposeError, match="'ball'"):
        run.tick()
    run.change("ball", Drifter(tick=1 / 24))
    assert tick_many(run, 24).time == 37 / 24


@pytest.mark.parametrize(
    ("pose", "sentence"),
    [
        (3, "says at 0 s that it is at 3"),
        (Pose(np.zeros((2, 2, 3)), UPRIGHT), r"shapes \(2, 2, 3\)"),
        (Pose(np.zeros(4), UPRIGHT), r"shapes \(4,\)"),
        (Pose(np.zeros(3), np.zeros((2, 4))), r"\(2, 4\)"),
    ],
)
def test_mover_with_an_invalid_pose_is_refused_with_reason(pose, sentence):
    class Lost(Drifter):
        def pose(self, state):
            return pose

    with pytest.raises(KeyposeError, match=f"'lost' .*{sentence}"):
        Run(Stage([Actor("lost", Lost())]))


class FailingMover(Drifter):
    """Fails in one of its methods after a while."""

    def __init__(self, where, error):
        super().__init__()
        self.__dict__.update(where=where, error=error)

    def _fail(self, where, state):
        if self.where == where and (where == "begin" or np.sum(state) > 0.25):
            raise self.error

    def begin(self, view):
        self._fail("begin", 1)
        return np.zeros(3)

    def step(self, state, view, dt):
        self._fail("step", state)
        return super().step(state, view, dt)

    def pose(self, state):
        self._fail("pose", state)
        return super().pose(state)

    def between(self, before, after, share):
        self._fail("between", before)
        return super().pose(before)


FAILURE_TIMES = {"begin": "0 s", "step": r"0\.4 s", "pose": r"0\.3 s", "between": r"0\.3\d* s"}


@pytest.mark.parametrize("where", FAILURE_TIMES)
def test_mover_error_names_actor_and_time_and_leaves_the_run_unchanged(where):
    own, foreign = FailingMover(where, KeyposeError("Too far.")), FailingMover(where, ZeroDivisionError("oh"))

    def play(mover):
        runs.append(Run(Stage([Actor("man", WALK), Actor("ball", mover)])))
        tick_many(runs[-1], 9)
        shoot(Stage([Actor("man", WALK), Actor("ball", mover)]), 1.0)

    runs = []
    with pytest.raises(KeyposeError, match=rf"^Actor 'ball' at {FAILURE_TIMES[where]}: Too far\.$"):
        play(own)
    with pytest.raises(ZeroDivisionError, match=r"^oh") as caught:
        play(foreign)
    (note,) = caught.value.__notes__
    assert re.fullmatch(rf"This is the mover of actor 'ball' at {FAILURE_TIMES[where]}\.", note)
    if where in ("step", "pose"):
        assert [run.ticks for run in runs] == [3, 3] if where == "step" else [2, 2]
        assert_allclose(runs[0].poses["ball"].position, (0, 0, runs[0].time))
        runs[0].change("ball", Drifter())
        assert tick_many(runs[0], 5).ticks > 5


def test_unknown_watched_actor_is_reported_with_actor_and_time():
    class Curious(Drifter):
        def step(self, state, view, dt):
            return view["mann"].position

    with pytest.raises(UnknownNameError, match=r"^Actor 'a' at 0\.1 s: A mover looks at 'mann', .*mean 'man'\?"):
        Run(Stage([Actor("man", WALK), Actor("a", Curious(("man",)))])).tick()


def test_orientation_of_any_nonzero_norm_is_normalized():
    class Facing(Drifter):
        def pose(self, state):
            return Pose(np.zeros(3), np.array([0.0, 3.0, 0.0, 4.0]) * self.velocity[0])

    for size in (1.0, 0.2, 1e-300, 1e300, 1e-310):
        turned = Run(Stage([Actor("a", Facing(velocity=(size, 0.0, 0.0)))])).poses["a"].orientation
        assert_allclose(turned, (0, 0.6, 0, 0.8), rtol=1e-9)
    with pytest.raises(KeyposeError, match=r"actor 'a' faces \(0, 0, 0, 0\) at 0 s.*as \(1, 0, 0, 0\)"):
        Run(Stage([Actor("a", Facing())]))


def test_invalid_run_is_refused_with_reason():
    with pytest.raises(KeyposeError, match="Give a Stage"):
        Run([Actor("man", WALK)])
    with pytest.raises(KeyposeError, match="tick of a run"):
        Run(Stage([]), tick=0)
