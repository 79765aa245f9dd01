"""Circles: of pure motions none is possible; a mover in one reads where the others were at the last tick."""

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from keypose import (
    Actor,
    FaceForward,
    Key,
    KeyposeError,
    KeyTimes,
    LookAt,
    Motion,
    MotionPath,
    Orientation,
    Pose,
    Run,
    Stage,
    shoot,
)
from keypose.maths import quaternion

UPRIGHT = np.array([1.0, 0, 0, 0])
FORWARD = np.array([0.0, 0, 1])
WALK = Motion(MotionPath([(0, 0, 0), (4, 0, 0), (4, 0, 4)]), duration=4.0)
STEP = Motion(MotionPath([(1, 0, 0), (1, 0, 0)]), KeyTimes([0, 1]))


@dataclass(frozen=True)
class Drifter:
    """Goes straight from a place; perhaps it begins where others are."""

    place: tuple[float, float, float] = (0.0, 0.0, 0.0)
    velocity: tuple[float, float, float] = (0.0, 0.0, 1.0)
    tick: float = 0.1
    watches: tuple[str, ...] = ()
    turn: float = 0.0

    def begin(self, view):
        return sum((view[name].position for name in self.watches), np.array(self.place))

    def step(self, state, view, dt):
        return state + dt * np.array(self.velocity)

    def pose(self, state):
        return Pose(state, Orientation.turned(self.turn, "y").wxyz if self.turn else UPRIGHT)


class IndependentStarter(Drifter):
    """Watches others, and begins on its own."""

    def begin(self, view):
        return np.array(self.place)


def tick_many(run, count):
    for _ in range(count):
        run.tick()
    return run


def same_poses(one, two):
    return one.keys() == two.keys() and all(one[name] == two[name] for name in one)


# ---- what is read ----------------------------------------------------------------------------------------------------


def test_mutual_parents_use_poses_of_the_previous_tick():
    stage = Stage([Actor("a", Drifter((1.0, 0.0, 0.0)), parent="b"), Actor("b", Drifter((0.0, 1.0, 0.0)), parent="a")])
    run = Run(stage)
    assert_array_equal(run.poses["a"].position, (1, 1, 0))  # each on the other, who stands in the world by itself
    assert_array_equal(run.poses["b"].position, (1, 1, 0))
    for tick in range(1, 5):
        before = run.poses
        now = tick_many(run, 1).poses
        own = 0.1 * tick
        assert_allclose(now["a"].position, np.add(before["b"].position, (1, 0, own)), atol=1e-12)
        assert_allclose(now["b"].position, np.add(before["a"].position, (0, 1, own)), atol=1e-12)


def test_motion_in_a_cycle_uses_current_poses_and_mover_previous_ones():
    stage = Stage([Actor("dog", Drifter(), parent="man"), Actor("man", WALK, parent="dog")])
    run = tick_many(Run(stage), 7)
    before, now = run.poses, tick_many(run, 1).poses
    assert_allclose(now["dog"].position, np.add(before["man"].position, (0, 0, 0.8)), atol=1e-12)
    assert_array_equal(now["man"].position, now["dog"].position + WALK.at(0.8).position)


def test_mover_may_look_at_its_child():
    bulb = Motion(MotionPath([(1, 1, 0), (0, 1, 1)]), duration=1.0)
    run = tick_many(
        Run(Stage([Actor("lamp", Drifter(), facing=LookAt("bulb")), Actor("bulb", bulb, parent="lamp")])), 4
    )
    was, now = run.poses["bulb"].position, tick_many(run, 1).poses["lamp"]
    ahead = quaternion.rotate(now.orientation, FORWARD)
    assert_allclose(ahead, (was - now.position) / np.linalg.norm(was - now.position), atol=1e-12)


def test_mover_may_be_child_of_an_actor_with_a_key_relative_to_it():
    reach = Motion(MotionPath([Key((0, 0, 0)), Key((0, 1, 0), relative_to="dog", pin=False)]), duration=1.0)
    stage = Stage([Actor("hand", reach), Actor("dog", Drifter((1.0, 0.0, 0.0)), parent="hand")])
    run = tick_many(Run(stage), 12)
    before, now = run.poses, tick_many(run, 1).poses
    assert_allclose(now["dog"].position, np.add(before["hand"].position, (1, 0, 1.3)), atol=1e-12)
    assert_allclose(now["hand"].position, np.add(now["dog"].position, (0, 1, 0)), atol=1e-12)


def test_mover_in_a_cycle_sees_others_in_its_own_frame():
    class Spy(Drifter):
        def step(self, state, view, dt):
            flag_positions.append(view["flag"].position)
            return super().step(state, view, dt)

        def begin(self, view):
            return np.array(self.place)

    flag_positions = []
    spy = Spy((1.0, 0.0, 0.0), watches=("flag",), turn=90.0)
    stage = Stage([Actor("spy", spy, parent="man"), Actor("man", WALK, parent="spy"), Actor("flag", STEP)])
    run = tick_many(Run(stage), 3)
    states = [run.moment.mover_states["spy"].pose]
    tick_many(run, 1)
    own = quaternion.rotate(quaternion.conjugate(states[0].orientation), flag_positions[-1] - states[0].position)
    run.rewind(0.3)
    spy_pose = run.poses["spy"]  # what it sees from its frame is what the world holds
    assert_allclose(spy_pose.position + quaternion.rotate(spy_pose.orientation, own), (1, 0, 0), atol=1e-12)


def test_previous_tick_poses_are_interpolated_between_ticks():
    stage = Stage([Actor("dog", Drifter(tick=0.5), parent="man"), Actor("man", WALK, parent="dog")])
    coarse, fine = shoot(stage, 2.0, 2), shoot(stage, 2.0, 16)
    for name in stage.names:
        assert_array_equal(fine[name].position[::8], coarse[name].position)
    for frame in range(1, 32):
        share = frame % 8 / 8
        low, high = (coarse["dog"].position[min(frame // 8 + side, 4)] for side in (0, 1))
        assert_allclose(fine["dog"].position[frame], (1 - share) * low + share * high, atol=1e-12)


def test_only_dependencies_in_a_cycle_read_the_previous_tick():
    rider = Actor("rider", Drifter(), parent="a", facing=LookAt("b"))
    stage = Stage([rider, Actor("a", Drifter(), parent="b"), Actor("b", WALK, parent="a"), Actor("c", Drifter())])
    assert stage.resolved.previous_reads == {("a", False): ("b", False)}
    run = tick_many(Run(stage), 5)
    assert_allclose(run.poses["rider"].position, np.add(run.poses["a"].position, (0, 0, 0.5)), atol=1e-12)


# ---- order, rewinding, changes ---------------------------------------------------------------------------------------

CYCLIC_CAST = [
    Actor("a", Drifter((1.0, 0.0, 0.0), turn=30.0), parent="d"),
    Actor("b", Drifter((0.0, 1.0, 0.0), (1.0, 0.0, 0.5)), parent="a", facing=LookAt("e")),
    Actor("c", WALK, parent="b", facing=FaceForward(0.3)),
    Actor("d", IndependentStarter((0.5, 0.5, 0.0), watches=("b", "e")), parent="c", facing=FaceForward()),
    Actor("e", Motion(MotionPath([Key((0, 0, 0)), Key((0, 1, 0), relative_to="a"), Key((2, 2, 2))]), duration=1.0),
          parent="b"),
    Actor("f", STEP, parent="e", facing=LookAt("a")),
]  # fmt: skip


@settings(deadline=None, max_examples=2)
@given(st.permutations(CYCLIC_CAST))
def test_actor_order_in_a_cycle_does_not_matter(cast):
    one, two = Run(Stage(CYCLIC_CAST)), Run(Stage(cast))
    for _ in range(8):
        assert same_poses(one.poses, {name: two.poses[name] for name in one.poses})
        one.tick()
        two.tick()
    films = [shoot(Stage(each), 0.35, 24) for each in (CYCLIC_CAST, cast)]
    for name in "abcdef":
        assert films[0][name] == films[1][name]


def test_replay_and_take_of_a_cycle_are_bitwise_identical():
    run = Run(Stage(CYCLIC_CAST))
    history = [run.poses]
    for _ in range(30):
        run.tick()
        history.append(run.poses)
    for back in (2.05, 0.71):
        run.rewind(back)
        while run.ticks < 30:
            assert same_poses(run.poses, history[run.ticks])
            run.tick()
    take = shoot(Stage(CYCLIC_CAST), 3.0, 10)
    for frame, poses in enumerate(history):
        for name, pose in poses.items():
            assert_array_equal(pose.position, take[name].position[frame])
            assert_array_equal(pose.orientation, take[name].orientation[frame])


def test_cycle_may_be_closed_and_opened_during_a_run():
    run = tick_many(Run(Stage([Actor("a", Drifter(), parent="b"), Actor("b", Drifter((0.0, 1.0, 0.0)))])), 5)
    before = run.poses
    run.change("b", parent="a")
    assert_allclose(run.poses["b"].position, np.add(before["a"].position, (0, 1, 0.5)), atol=1e-12)
    assert_allclose(run.poses["a"].position, np.add(before["b"].position, (0, 0, 0.5)), atol=1e-12)
    late = tick_many(run, 5).poses
    run.rewind(0.2)
    assert same_poses(tick_many(run, 8).poses, late)
    run.change("b", look="red")
    assert same_poses(run.poses, late)
    run.change(Stage([*run.stage.actors, Actor("c", Drifter(), parent="d"), Actor("d", WALK, parent="c")]))
    assert_allclose(run.poses["c"].position, WALK.at(1.0).position, atol=1e-12)
    run.change("b", parent=None)
    assert run.stage.resolved.previous_reads == {("c", False): ("d", False)}
    assert_allclose(run.poses["b"].position, (0, 1, 1), atol=1e-12)


# ---- what stays refused ----------------------------------------------------------------------------------------------


def test_cycle_of_motions_is_refused_with_its_actor_names():
    motions = [Actor("x", WALK, parent="y"), Actor("y", WALK, facing=LookAt("x"))]
    with pytest.raises(KeyposeError, match=r"in a circle: x → y → x\. Give one .*or let it be a mover: that reads"):
        Stage([Actor("a", Drifter(), parent="x"), *motions, Actor("b", Drifter(), parent="a")])
    reach = Motion(MotionPath([Key((0, 0, 0)), Key((0, 1, 0), relative_to="x", pin=False)]), duration=1.0)
    with pytest.raises(KeyposeError, match=r"in a circle: h → x → h\."):
        Stage([Actor("m", Drifter(), parent="h"), Actor("h", reach, parent="m"), Actor("x", WALK, parent="h")])


def test_suggested_remedy_for_a_cycle_works():
    cast = [Actor("a", WALK, parent="c"), Actor("b", WALK, facing=LookAt("a")), Actor("c", WALK, parent="b")]
    with pytest.raises(KeyposeError, match="let it be a mover"):
        Stage(cast)
    for index in range(3):
        one = list(cast)
        one[index] = one[index].changed(motion_or_mover=Drifter())
        assert np.isfinite(shoot(Stage(one), 1.0)["a"].position).all()


def test_long_cycle_of_initial_states_is_refused_with_names():
    ring = [Actor(f"{index}", Drifter(watches=(f"{(index + 1) % 300}",))) for index in range(300)]
    with pytest.raises(KeyposeError, match=r"begin by looking at each other: .* → .*\. One must begin on its own"):
        Run(Stage(ring))
    ring[17] = Actor("17", IndependentStarter(watches=("18",)))
    assert len(Run(Stage(ring)).poses) == 300


def test_long_dependency_chains_do_not_exceed_the_recursion_limit():
    chain = [Actor(f"{index}", Drifter(), parent=f"{(index + 1) % 2000}") for index in range(2000)]
    assert len(Stage(chain).resolved.previous_reads) == 2000
    straight = [Actor(f"{index}", Drifter((1.0, 0.0, 0.0)), parent=f"{index - 1}" if index else None)
                for index in range(2000)]  # fmt: skip
    assert_allclose(tick_many(Run(Stage(straight[::-1])), 1).poses["1999"].position, (2000, 0, 200))


def test_long_chain_of_carriers_is_solved_in_order():
    hands = [Actor("0", WALK)]
    for index in range(1, 120):
        keys = [Key((0, 0, 0), time=0), Key((0, 1, 0), relative_to=f"{index - 1}", time=0.5)]
        hands.append(Actor(f"{index}", Motion(MotionPath(keys))))
    place = Stage(hands[::-1]).at(0.5)["119"].position
    assert_allclose(place, np.add(WALK.at(0.5).position, (0, 119, 0)))
    live = Stage([Actor("0", Drifter()), *hands[1:]][::-1])
    assert_allclose(Run(live).poses["119"].position, (0, 0, 0), atol=1e-9)
