"""Where are goals, and who can come to them? What cannot be kept is refused before anything is played."""

import re
from unittest.mock import patch

import numpy as np
import pytest

from keypose import (
    Actor,
    Body,
    DynamicSpline,
    Follow,
    Free,
    Key,
    KeyposeError,
    KeyTimes,
    Motion,
    MotionPath,
    Orientation,
    Reach,
    Script,
    Sphere,
    Stage,
    Still,
    UnknownNameError,
    turn,
)
from keypose.motion.sync_protocol import DONE, WAITING
from keypose.motion.take import RecordedMotion
from keypose.script.feasibility import FeasibilityTrial
from tests.physics.arms import arm
from tests.script.straight_paths import BALL, follower, meeting, straight_path, walk

SQUARE = [Key(position, name=name) for name, position in zip("abcd", [(0, 0), (1, 0), (1, 1), (0, 1)], strict=True)]
TURNING = [Key((i, 0, 0), name=f"{i}", orientation=Orientation.turned(60 * i, "y")) for i in range(3)]


def goal_positions(stage, actor):
    """Where the goals of somebody are, meeting by meeting."""
    plan = stage.resolved.sync_plan
    return [
        progress for progress, name in zip(plan.goal_progress.tolist(), plan.goal_actors, strict=True) if name == actor
    ]


def stage_with_mover(mover, script, *others):
    return Stage([Actor("a", mover), Actor("b", follower(4, 1, 4)), *others], script=script)


def script_of_meetings(*goals, chained=True):
    """Meetings of a alone, one after the other."""
    script, last = Script(), ()
    for number, goal in enumerate(goals):
        last = script.meet({"a": goal}, after=last if chained else (), name=f"{number}")
    return script


# ---- where goals are -------------------------------------------------------------------------------------------------


def test_key_goal_is_its_index_and_distance_goal_its_path_parameter():
    stage = stage_with_mover(follower(6, 0, 3), script_of_meetings("0", "2", "3", 1.0, 6.0, 0.0, chained=False))
    assert goal_positions(stage, "a") == pytest.approx([0, 2, 3, 0.5, 3, 0])


def test_turn_goals_are_on_a_separate_channel():
    stage = stage_with_mover(
        Follow(MotionPath(TURNING), BALL, within=0.4), script_of_meetings("1", turn("2"), turn("1"), chained=False)
    )
    assert stage.resolved.sync_plan.channels == (("a", False), ("a", True))
    assert stage.resolved.sync_plan.goal_channel.tolist() == [0, 1, 1]
    assert goal_positions(stage, "a") == [1, 2, 1]


def test_goals_of_a_motion_are_clock_times():
    motion = Motion(straight_path(4, 0, 4), KeyTimes([0, 1, 1.5, 4, 5]))
    stage = stage_with_mover(motion, script_of_meetings("2", "4", 1.0, chained=False))
    assert goal_positions(stage, "a") == pytest.approx([1.5, 5, 1.0])
    assert stage.resolved.sync_plan.follower_channels == 0


def test_turn_goals_of_a_motion_use_the_same_clock():
    motion = Motion(MotionPath(TURNING), duration=4.0)
    stage = stage_with_mover(motion, script_of_meetings("1", turn("1"), chained=False))
    assert stage.resolved.sync_plan.channels == (("a", False),)
    assert goal_positions(stage, "a") == pytest.approx([2, 2])


def test_follower_channels_precede_clock_channels():
    script = Script()
    script.meet({"a": "1", "b": "1"})
    assert stage_with_mover(walk(2.0), script).resolved.sync_plan.channels == (("b", False), ("a", False))


def test_repeated_key_of_a_closed_path_is_reached_on_consecutive_laps():
    ring = Follow(MotionPath(SQUARE, closed=True), BALL, within=0.2)
    assert goal_positions(stage_with_mover(ring, script_of_meetings("b", "b", "b")), "a") == [1, 5, 9]
    assert goal_positions(stage_with_mover(ring, script_of_meetings("c", "b", "d", "b")), "a") == [2, 5, 7, 9]
    assert goal_positions(stage_with_mover(ring, script_of_meetings("b", "b", chained=False)), "a") == [1, 1]


def test_first_key_of_a_closed_path_is_reached_after_one_lap():
    ring = Follow(MotionPath(SQUARE, closed=True), BALL, within=0.2)
    assert goal_positions(stage_with_mover(ring, script_of_meetings("a", "a")), "a") == [4, 8]


def test_laps_are_counted_across_meetings_of_other_actors():
    ring = Follow(MotionPath(SQUARE, closed=True), BALL, within=0.2)
    script = Script()
    first = script.meet({"a": "b"})
    between = script.meet({"b": "1"}, after=first)
    script.meet({"a": "b"}, after=between)
    assert goal_positions(stage_with_mover(ring, script), "a") == [1, 5]


def test_distance_goal_on_a_closed_path_may_span_several_laps():
    path = MotionPath(SQUARE, closed=True)
    stage = stage_with_mover(Follow(path, BALL, within=0.2), script_of_meetings(2.5 * path.length))
    assert goal_positions(stage, "a") == pytest.approx([10], abs=0.01)


@pytest.mark.parametrize(("start", "offset"), [(0.0, 0.0), (-2.2, -0.2), (1.4, -0.6)])
def test_distance_goal_of_a_cyclic_motion_counts_from_its_cycle_start(start, offset):
    cycle = Motion(straight_path(1), duration=1.0, start=start, outside="cycle")
    stage = stage_with_mover(cycle, script_of_meetings(0.5, 1.0, 2.5, 3.0))
    assert goal_positions(stage, "a") == pytest.approx(np.array([0.5, 1.0, 2.5, 3.0]) + offset, abs=1e-6)


@pytest.mark.parametrize(("key", "angle"), [("0", 0), ("1", 30), ("2", 60), ("3", 90), ("4", 90)])
def test_turn_goal_at_a_key_without_orientation_uses_the_interpolated_one(key, angle):
    orientations = {"0": Orientation.turned(0, "y"), "3": Orientation.turned(90, "y")}
    path = MotionPath([Key((i, 0, 0), name=f"{i}", orientation=orientations.get(f"{i}")) for i in range(5)])
    (progress,) = goal_positions(stage_with_mover(Follow(path, BALL, within=0.4), script_of_meetings(turn(key))), "a")
    orientation = Orientation.of(path.orientation_at(progress))
    assert orientation.angle_to(Orientation.turned(angle, "y")) == pytest.approx(0, abs=1e-6)


def test_repeated_turn_goals_on_a_closed_path_are_on_consecutive_laps():
    keys = [Key((i, 0, i * i), name=f"{i}", orientation=Orientation.turned(120 * i, "y")) for i in range(3)]
    ring = Follow(MotionPath(keys, closed=True), BALL, within=0.2)
    assert goal_positions(stage_with_mover(ring, script_of_meetings(turn("1"), turn("1"))), "a") == [1, 4]


def test_driven_limb_has_goals_on_its_reach_path():
    reach = Reach("arm/hand", MotionPath([Key((0.85, 1, 0)), Key((0.6, 0.6, 0), name="down")]), within=0.1)
    stage = Stage(
        [Actor("arm", arm()), Actor("b", follower(2, 1))],
        connections=[reach],
        script=meeting({"arm/hand": "down", "b": "1"}),
    )
    assert stage.resolved.sync_plan.channels == (("arm/hand", False), ("b", False))


def test_relative_keys_may_be_goals():
    path = MotionPath([Key((0, 0, 0)), Key((0, 1, 0), relative_to="b", name="meet")])
    assert goal_positions(stage_with_mover(Follow(path, BALL, within=0.2), meeting({"a": "meet", "b": "2"})), "a") == [
        1
    ]


def test_scripted_motion_is_shown_as_given_and_played_by_a_clock():
    motion = walk(2.0)
    stage = Stage([Actor("a", motion), Actor("c", walk(3.0, 2))], script=meeting({"a": "1"}))
    assert stage["a"].motion is motion
    assert [actor.motion for actor in stage.actors] == [motion, stage["c"].motion]
    assert stage.resolved.by_name["a"].motion is None
    assert stage.resolved.movers == ("a",)


def test_stage_with_a_replaced_actor_keeps_its_scripted_motions():
    stage = Stage([Actor(name, walk(2.0, lane)) for lane, name in enumerate("abc")], script=meeting({"a": "1", "b": 1}))
    for other in (stage["c"].changed(motion_or_mover=walk(5.0, 2)), stage["a"].changed(motion_or_mover=walk(5.0))):
        changed = stage.with_actor(other)
        assert [actor.name for actor in changed.actors] == ["a", "b", "c"]
        assert all(actor.motion is not None for actor in changed.actors)
        assert changed == Stage(changed.actors, script=stage.script)
        assert changed.changed(gravity=(0, -1, 0)).resolved.sync_plan.clocked_motions.keys() == {"a", "b"}
    assert stage.with_actor(stage["a"]) == stage


def test_200_meetings_of_100_actors_are_planned():
    rng, script, last, goal_keys = np.random.default_rng(1), Script(), [], [0] * 100
    for number in range(200):
        chosen = rng.choice(100, 4, replace=False).tolist()
        for actor in chosen:
            goal_keys[actor] += 1
        after = [last[index] for index in rng.choice(number, min(number, 2), replace=False)]
        last.append(script.meet({f"{actor}": f"{goal_keys[actor]}" for actor in chosen}, after=after))
    actors = [Actor(f"{lane}", follower(20, lane, 25)) for lane in range(100)]
    stage = Stage(actors, script=script)
    assert len(stage.resolved.sync_plan.goal_progress) == 800


# ---- who cannot come -------------------------------------------------------------------------------------------------


def relative_path(length=1.0):
    return MotionPath([Key((0, 0, 0)), Key((0, length, 0), relative_to="b", name="1")])


@pytest.mark.parametrize(
    ("mover", "goal", "message"),
    [
        (follower(2, 0, 3), "33", "has the goal '33' for 'a', and no key of its path is named so. Did you mean '3'"),
        (Follow(MotionPath([(0, 0), (1, 0)]), BALL, within=0.2), "arch", r"No key of that has a name: Key\(…, name="),
        (follower(2), 2.5, "has the goal 2.5 for 'a', whose path is 2 m long. Give a distance up to that"),
        (walk(2.0), 1.5, "has the goal 1.5 for 'a', whose path is 1 m long"),
        (Motion(straight_path(1), duration=1.0, outside="mirror"), 1.5, "whose path is 1 m long"),
        (follower(2), turn("1"), r"has the goal turn\('1'\) for 'a', whose path has no facings"),
        (walk(2.0), turn("1"), "whose path has no facings"),
        (Follow(MotionPath(TURNING), BALL, within=0.2), turn("7"), "no key of its path is named so"),
        (Follow(relative_path(), BALL, within=0.2), 0.5, "others carry its path, which grows and shrinks. Name a key"),
        (DynamicSpline((0, 0, 0)), 1.0, "no path to be slowed down on: fields steer it. Let it Follow a path"),
        (Free(Body(Sphere(0.1)), (0, 0, 0)), 1.0, "it goes wherever it is pushed"),
        (Still(Body(Sphere(0.1))), 1.0, "it stands still"),
        (RecordedMotion([0, 1], [(0, 0, 0), (1, 0, 0)]), 1.0, "is a recording, which has no keys"),
        (Motion(relative_path(), duration=2.0), "1", "keys that 'b' carries: .* Let it Follow that path"),
        (arm(), 1.0, "is a figure, .* Name one of its links that a Reach leads, as 'a/hand'"),
    ],
)
def test_invalid_participant_or_goal_is_refused_with_reason_and_location(mover, goal, message):
    with pytest.raises(KeyposeError, match=message) as error:
        stage_with_mover(mover, meeting({"b": "1", "a": goal}))
    assert error.value.at == ("script", 0, "goals", "a")


def test_motion_with_a_body_is_refused_as_participant():
    with pytest.raises(KeyposeError, match=r"its motion has a body. Let it Follow that path, or leave the body out"):
        Stage([Actor("a", walk(2.0), body=Body(Sphere(0.1)))], script=meeting({"a": "1"}))


def test_limb_without_a_reach_is_refused_as_participant():
    pattern = r"'arm/hand' is to meet somebody, .* Lead it by a Reach: connections=\[Reach\('arm/hand', path\)\]\."
    with pytest.raises(KeyposeError, match=pattern):
        Stage([Actor("arm", arm())], script=meeting({"arm/hand": 1.0}))


def test_unknown_participant_is_refused_with_the_nearest_name():
    with pytest.raises(UnknownNameError, match=r"goal for 'bb', who is not on the stage. Did you mean 'b'") as error:
        stage_with_mover(follower(1), meeting({"bb": "1"}))
    assert error.value.at == ("script", 0, "goals", "bb")


def test_participant_cannot_be_removed_or_replaced_by_an_invalid_one():
    stage = stage_with_mover(follower(2), meeting({"a": "1", "b": "2"}))
    with pytest.raises(UnknownNameError, match="'a', who is not on the stage"):
        stage.changed(actors=[stage["b"]])
    with pytest.raises(KeyposeError, match="it goes wherever it is pushed"):
        stage.with_actor(Actor("a", Free(BALL, (0, 0, 0))))


# ---- what can never happen -------------------------------------------------------------------------------------------


def stage_with_two_meetings(first, second, **options):
    script = Script()
    script.meet(first, name="one", **options)
    script.meet(second, name="two", **options)
    return Stage([Actor("a", follower(4, 0, 4)), Actor("b", follower(4, 1, 4))], script=script)


@pytest.mark.parametrize("options", [{}, {"of": "bodies"}, {"gate": True}])
def test_deadlocked_meetings_are_refused_with_the_circle(options):
    with pytest.raises(KeyposeError, match="wait for each other in a circle") as error:
        stage_with_two_meetings({"a": "1", "b": "2"}, {"a": "2", "b": "1"}, **options)
    text = str(error.value)
    assert re.search(r"'one' waits for 'b', who waits for 'two'", text)
    assert re.search(r"'two' waits for 'a', who waits for 'one'", text)
    assert error.value.at[0] == "script"


def test_meetings_in_path_order_or_at_the_same_goals_are_accepted():
    stage_with_two_meetings({"a": "1", "b": "1"}, {"a": "2", "b": "2"})
    stage_with_two_meetings({"a": "1", "b": "2"}, {"a": "1", "b": "2"})


def test_goal_passed_before_activation_stops_no_participant_except_at_a_gate():
    for gate in (False, True):
        script = Script()
        first = script.meet({"a": "3", "b": "1"}, name="first")
        script.meet({"a": "1", "b": "2"}, after=first, name="second", gate=gate)
        actors = [Actor("a", follower(4, 0, 4)), Actor("b", follower(4, 1, 4))]
        if not gate:
            Stage(actors, script=script)
            continue
        with pytest.raises(KeyposeError, match="'first' waits for 'a', who waits for 'second', 'second' comes after"):
            Stage(actors, script=script)


def test_circle_of_three_meetings_is_reported_without_unrelated_meetings():
    script = Script()
    for name, (one, other) in {"x": "ab", "y": "bc", "z": "ca"}.items():
        script.meet({one: "2", other: "1"}, name=name)
    script.meet({"d": "1", "a": "4"}, name="innocent")
    with pytest.raises(KeyposeError) as error:
        Stage([Actor(name, follower(4, lane, 4)) for lane, name in enumerate("abcd")], script=script)
    assert all(f"'{name}' waits for" in str(error.value) for name in "xyz")
    assert "innocent" not in str(error.value)


@pytest.mark.parametrize("need", [1, None])
def test_meeting_that_needs_one_predecessor_is_not_deadlocked_by_the_other(need):
    script = Script()
    early = script.meet({"a": "1"}, name="early")
    late = script.meet({"a": "3", "b": "2"}, name="late")
    script.meet({"a": "2", "b": "1"}, after=[early, late], need=need, name="gate", gate=True)
    actors = [Actor("a", follower(4, 0, 4)), Actor("b", follower(4, 1, 4))]
    if need == 1:
        assert Stage(actors, script=script).resolved.sync_plan.graph.meetings["need"].tolist() == [0, 0, 1]
        return
    with pytest.raises(KeyposeError, match="'gate' comes after 'late'"):
        Stage(actors, script=script)


def test_two_meetings_at_the_same_key_do_not_wait_for_each_other():
    path = MotionPath([(0, 0, 0), Key((1, 0, 0), name="here"), (2, 0, 0)])
    actors = [Actor(name, Follow(path, Body(Sphere(0.1)), within=0.2)) for name in "abc"]
    script = Script()
    script.meet({"a": 0.5}, name="first")
    script.meet({"a": "here", "b": 2.0}, name="one")
    script.meet({"a": "here", "b": "here", "c": "here"}, name="other")
    assert Stage(actors, script=script).resolved.sync_plan is not None


def test_feasibility_of_a_long_chain_takes_linear_work():
    count = 3000
    script, last = Script(), ()
    for number in range(count):
        last = script.meet({"a": 1.0 + number / count}, after=last, name=f"{number}")
    plan = Stage([Actor("a", follower(4))], script=script).resolved.sync_plan
    states = CountingList([WAITING] * count)
    trial = FeasibilityTrial.__new__(FeasibilityTrial)
    with patch.object(FeasibilityTrial, "_run"):
        trial.__init__(plan)
    trial.state = states
    trial._run()
    assert all(state == DONE for state in states)
    assert states.reads < 40 * count


class CountingList(list):
    """A list that counts how often it is asked."""

    reads = 0

    def __getitem__(self, number):
        self.reads += 1
        return super().__getitem__(number)
