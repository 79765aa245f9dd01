"""Are appointments kept? All are there at the same time, and go on at their own speed afterwards."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from keypose import (
    Actor,
    Body,
    Box,
    Follow,
    Key,
    Motion,
    MotionPath,
    Orientation,
    Reach,
    Run,
    Script,
    Stage,
    Still,
    shoot,
    turn,
)
from tests.physics.arms import arm
from tests.script.scripted_stages import run_until
from tests.script.straight_paths import (
    BALL,
    FPS,
    event_times,
    follower,
    meeting,
    meeting_states,
    pair,
    passing_time,
    speeds,
    spread,
    walk,
)


@pytest.mark.parametrize("of", ["targets", "bodies"])
@pytest.mark.parametrize("near", [0.5, 0.55, 1.0])
def test_participant_that_would_be_early_starts_at_its_speed_factor(near, of):
    actors = []
    for lane, (name, distance) in enumerate((("a", near), ("b", 5.0))):
        path = MotionPath([Key((0, 0, lane)), Key((distance, 0, lane), name="1"), Key((distance + 3, 0, lane))])
        actors.append(Actor(name, Follow(path, BALL, within=0.4)))
    take = shoot(Stage(actors, script=meeting({"a": "1", "b": "1"}, of=of)), 4.0, FPS)
    assert spread(take, "meeting") <= 0.02
    assert take.script.speed_factors["a"][:100].max() < near / 5 + (0.03 if of == "targets" else 0.1)
    assert abs(passing_time(take, "a", near) - passing_time(take, "b", 5.0)) <= 0.06


def test_motion_starts_at_its_speed_factor_and_a_moving_follower_changes_smoothly():
    stage = Stage([Actor("a", walk(1.0)), Actor("b", walk(5.0, 1))], script=meeting({"a": "1", "b": "1"}))
    assert_allclose(shoot(stage, 1.0, FPS).script.speed_factors["a"], 0.2, atol=0.01)
    run = run_until(Run(pair(None)), 0.5)
    run.change(script=meeting({"a": "1", "b": "1"}))
    system_states = run.moment.system_states
    (speed_factor,) = [
        system_state.system.speed_factors(system_state.state)[0] for system_state in system_states.values()
    ]
    assert speed_factor == 1.0


def test_two_followers_of_different_distance_meet_when_the_slower_one_arrives():
    take = shoot(pair(meeting({"a": "1", "b": "1"})), 4.0)
    single_take = shoot(Stage([Actor("b", follower(5, 1))], script=meeting({"b": "1"})), 4.0)
    (done,) = event_times(take, "meeting", "done")
    assert spread(take, "meeting") <= 0.02
    assert done <= 1.15 * event_times(single_take, "meeting", "done")[0]
    assert meeting_states(take, "meeting") == ["active", "done"]


@pytest.mark.parametrize(
    "options", [{"eagerness": 0.2}, {"damping": 1.5}, {"reaction": 0.25}, {"within": 0.1}], ids=str
)
def test_followers_meet_for_any_gains(options):
    take = shoot(pair(meeting({"a": "1", "b": "1"}), **options), 14.0)
    assert spread(take, "meeting") <= 0.02


@pytest.mark.parametrize(("first_distance", "second_distance"), [(1, 4), (1, 6), (3, 9), (4.9, 5)])
@pytest.mark.parametrize("of", ["targets", "bodies"])
def test_followers_meet_for_any_ratio_of_distances(first_distance, second_distance, of):
    take = shoot(pair(meeting({"a": float(first_distance), "b": float(second_distance)}, of=of), 12, 12), 6.0)
    assert spread(take, "meeting") <= 0.02 + 1e-9  # bodies are looked at every 0.02 s


@pytest.mark.parametrize("extra_distance", [2.0, 3.0, 5.0])
def test_followers_already_moving_meet_when_the_meeting_becomes_active(extra_distance):
    script = Script()
    first = script.meet({"c": "1"}, name="first")
    script.meet({"a": 4.0, "b": 4.0 + extra_distance}, after=first, name="second")
    take = shoot(pair(script, 12, 12, Actor("c", follower(2, 2))), 6.0)
    assert spread(take, "second") <= 0.02


def test_participant_early_at_minimum_speed_waits_at_its_goal():
    take = shoot(pair(meeting({"a": 0.6, "b": "1"}), 2, 9), 5.0, FPS)
    assert event_times(take, "meeting", "reached", "a") < event_times(take, "meeting", "done")
    target_x = take.targets["a"][: round(event_times(take, "meeting", "done")[0] * FPS), 0]
    assert target_x.max() == pytest.approx(0.6)
    assert meeting_states(take, "meeting") == ["active", "done"]


def test_participant_returns_to_nominal_speed_within_three_reaction_times_after_meeting():
    take = shoot(pair(meeting({"a": "1", "b": "2"}), 8, 8, segments=4), 4.0, FPS)
    (done,) = event_times(take, "meeting", "done")
    assert speeds(take, "a")[round(done * FPS) - 5] < 1.2
    assert_allclose(speeds(take, "a")[round((done + 0.3) * FPS) :][:40], 2.0, rtol=0.01)


def test_early_participant_slows_down_without_stopping():
    take = shoot(pair(meeting({"a": "1", "b": "1"})), 2.2, FPS)
    assert speeds(take, "a")[60:].min() > 0.5
    assert speeds(take, "b")[50:].min() > 1.98


def test_meeting_of_bodies_synchronizes_bodies():
    take = shoot(pair(meeting({"a": "1", "b": "2"}, of="bodies"), 8, 8, segments=4), 5.0, FPS)
    assert meeting_states(take, "meeting") == ["active", "done"]
    assert abs(passing_time(take, "a", 2.0) - passing_time(take, "b", 4.0)) <= 0.1


def test_bodies_meet_at_the_ends_of_their_paths():
    take = shoot(pair(meeting({"a": "1", "b": "1"}, of="bodies")), 5.0, FPS)
    assert meeting_states(take, "meeting") == ["active", "done"]
    assert abs(passing_time(take, "a", 1.97) - passing_time(take, "b", 4.97)) <= 0.1


@pytest.mark.parametrize(
    ("other", "goal"),
    [
        (walk(1.0), "1"),
        (walk(4.0), "1"),
        (follower(2), "1"),
        (follower(12, 0, 2), "1"),
        (follower(5, reaction=0.3), "1"),
    ],
    ids=["a quick motion", "a slow motion", "at two ends", "on the way", "a lazy one"],
)
def test_deceleration_of_a_body_at_its_path_end_is_predicted_from_the_start(other, goal):
    actors = [Actor("a", other), Actor("b", follower(6, 1))]
    take = shoot(Stage(actors, script=meeting({"a": goal, "b": "1"}, of="bodies")), 10.0)
    assert spread(take, "meeting") <= 0.02
    assert meeting_states(take, "meeting") == ["active", "done"]


def blocked_pair(of, blocked_until, gate=False):
    """Somebody whom a bar holds up shortly before its goal, and somebody who is not."""
    keys = [Key((4.6, y, 2), time=time) for y, time in ((0, 0), (0, blocked_until), (8, blocked_until + 0.5))]
    bar = Actor("bar", Motion(MotionPath(keys, tension=1)), body=Body(Box((0.2, 1, 1))))
    script = meeting({"a": "1", "b": "1"}, of=of, patience=20.0, gate=gate)
    return Stage([Actor("a", follower(10, 0, 5)), Actor("b", follower(25, 1, 5)), bar], script=script)


@pytest.mark.parametrize("gate", [False, True])
def test_arrived_body_waits_at_its_goal_for_a_blocked_one(gate):
    take = shoot(blocked_pair("bodies", 5.0, gate), 9.0, FPS)
    (first_arrival,), (last_arrival,) = (
        event_times(take, "meeting", "reached", "a"),
        event_times(take, "meeting", "reached", "b"),
    )
    assert last_arrival - first_arrival > 2.0
    assert event_times(take, "meeting", "done") == [last_arrival]
    waiting_frames = slice(round(first_arrival * FPS) + 1, round(last_arrival * FPS))
    assert np.ptp(take.targets["a"][waiting_frames, 0]) < 1e-9
    assert take["a"].position[waiting_frames, 0].min() > 2.0 - 0.05
    assert take["a"].position[waiting_frames, 0].max() < 2.0 + 0.4
    assert_allclose(speeds(take, "a")[round((last_arrival + 0.35) * FPS) :][:40], 2.0, rtol=0.01)


def test_speed_factor_is_zero_while_waiting_at_a_goal_for_a_body():
    take = shoot(blocked_pair("bodies", 5.0), 9.0, FPS)
    (first_arrival,), (last_arrival,) = (
        event_times(take, "meeting", "reached", "a"),
        event_times(take, "meeting", "done"),
    )
    assert (take.script.speed_factors["a"][round(first_arrival * FPS) + 3 : round(last_arrival * FPS) - 3] == 0).all()


def test_bodies_passing_their_goals_almost_together_do_not_slow_down():
    take = shoot(pair(meeting({"a": "1", "b": "2"}, of="bodies"), 8, 8, segments=4), 4.0, FPS)
    frame = round(min(event_times(take, "meeting", "reached")) * FPS)
    for name in "ab":
        speed_before = speeds(take, name)[frame - 10]
        assert speeds(take, name)[frame : frame + 20].min() > 0.93 * speed_before


def test_body_that_passed_its_goal_before_the_meeting_was_active_continues():
    script = Script()
    first = script.meet({"b": "3"}, name="first")
    script.meet({"a": "1", "b": "4"}, after=first, of="bodies", name="second")
    take = shoot(pair(script, 16, 8, segments=4), 6.0, FPS)
    (active,) = event_times(take, "second", "active")
    assert event_times(take, "second", "reached", "a")[0] <= active + 0.02 + 1e-9
    assert speeds(take, "a")[round(active * FPS) - 10 :][:200].min() > 1.98
    assert meeting_states(take, "second") == ["active", "done"]


def test_body_waiting_for_another_may_reach_a_goal_its_target_has_passed():
    script = meeting({"a": 2.0, "b": 5.0}, of="bodies", patience=20.0)
    script.meet({"a": 2.2}, of="bodies", name="near")
    script.meet({"a": 4.0}, of="bodies", name="far")
    take = shoot(blocked_pair("bodies", 5.0).changed(script=script), 9.0, FPS)
    assert [meeting_states(take, name)[-1] for name in ("meeting", "near", "far")] == ["done"] * 3
    (done,) = event_times(take, "meeting", "done")
    assert event_times(take, "near", "done")[0] < done < event_times(take, "far", "done")[0]


def test_meeting_of_a_body_sagging_at_its_path_end_fails():
    take = shoot(pair(meeting({"a": "1", "b": "1"}, of="bodies"), correction=None).changed(gravity=(0, -9.81, 0)), 6.0)
    assert meeting_states(take, "meeting") == ["active", "late", "failed"]


def test_six_participants_meet_at_once():
    actors = [Actor(f"{n}", follower(1 + n, n)) for n in range(6)]
    take = shoot(Stage(actors, script=meeting({f"{n}": "1" for n in range(6)})), 6.0)
    assert spread(take, "meeting") <= 0.02


def test_distance_can_be_a_goal():
    take = shoot(pair(meeting({"a": 1.0, "b": 4.0})), 4.0, FPS)
    assert spread(take, "meeting") <= 0.02
    (done,) = event_times(take, "meeting", "done")
    assert take.targets["b"][round(done * FPS)][0] == pytest.approx(4.0, abs=0.05)


def test_orientation_goals_and_position_goals_meet():
    keys = [Key((0, 0, 9), name=f"{n}", orientation=Orientation.turned(60 * n, "y")) for n in range(3)]
    dancer = Actor("dancer", Follow(MotionPath(keys), Body(Box(0.3)), within=0.4, turn_within=15))
    take = shoot(pair(meeting({"a": "1", "b": "1", "dancer": turn("2")}), 2, 5, dancer), 6.0, FPS)
    assert spread(take, "meeting") <= 0.02
    (done,) = event_times(take, "meeting", "done")
    orientation = Orientation.of(take["dancer"].orientation[round(done * FPS)])
    assert orientation.angle_to(Orientation.turned(120, "y")) <= 16


def test_bodies_with_orientation_goals_meet():
    keys = [Key((0, 0, 9), name=f"{n}", orientation=Orientation.turned(60 * n, "y")) for n in range(3)]
    dancer = Actor("dancer", Follow(MotionPath(keys), Body(Box(0.3)), within=0.4, turn_within=15))
    take = shoot(pair(meeting({"b": "1", "dancer": turn("2")}, of="bodies"), 2, 8, dancer), 8.0, FPS)
    (done,) = event_times(take, "meeting", "done")
    orientation = Orientation.of(take["dancer"].orientation[round(done * FPS)])
    assert orientation.angle_to(Orientation.turned(120, "y")) <= 2


def test_driven_limb_meets_a_follower():
    keys = [Key((0.85, 1, 0)), Key((0.6, 0.6, 0), name="down"), Key((0.4, 0.3, 0), name="end")]
    stage = Stage(
        [Actor("arm", arm()), Actor("b", follower(4, 2))],
        connections=[Reach("arm/hand", MotionPath(keys), within=0.1)],
        script=meeting({"arm/hand": "down", "b": "1"}),
        gravity=(0, -9.81, 0),
    )
    take = shoot(stage, 5.0)
    assert spread(take, "meeting") <= 0.02
    assert meeting_states(take, "meeting") == ["active", "done"]


def test_relative_keys_can_be_goals():
    path = MotionPath([Key((0, 0, 6)), Key((0, 0, 0.5), relative_to="b", name="side"), Key((9, 0, 9))])
    chaser = Actor("chaser", Follow(path, BALL, within=0.4))
    take = shoot(pair(meeting({"chaser": "side", "b": "3"}), 2, 8, chaser, segments=4), 7.0, FPS)
    assert spread(take, "meeting") <= 0.05
    frame = round(event_times(take, "meeting", "done")[0] * FPS)
    expected = take["b"].position[frame] + np.array([0, 0, 0.5])
    assert np.linalg.norm(take.targets["chaser"][frame] - expected) < 0.05


@pytest.mark.parametrize("speed", [0.4, 0.8, 1.5, 3.0])
def test_participant_of_two_meetings_propagates_the_slowest_time_to_both(speed):
    script = Script()
    script.meet({"red": "1", "blue": "1"}, name="near")
    script.meet({"red": "2", "green": "2"}, name="far")
    nominal_speeds = {"red": 2.0, "blue": 2.0, "green": speed}
    actors = [
        Actor(name, follower(4, 2 * lane, 2, speed=nominal_speed))
        for lane, (name, nominal_speed) in enumerate(nominal_speeds.items())
    ]
    take = shoot(Stage(actors, script=script), 4 / min(speed, 2.0) + 2)
    assert take.script.meetings["near"].spread <= 0.02
    assert take.script.meetings["far"].spread <= 0.02


@pytest.mark.parametrize("angle", [0, 120, 180])
def test_body_reaches_a_relative_orientation_goal_for_any_carrier_orientation(angle):
    stand = Motion(MotionPath([Key((0, 0, 5), orientation=Orientation.turned(angle, "y"))] * 2), duration=1.0)
    relative, orientation = {"relative_to": "stand", "pin": False}, Orientation.turned(60, "y")
    first_key = Key((0, 0, 0), orientation=(1, 0, 0, 0), **relative)
    path = MotionPath([first_key, Key((4, 0, 0), orientation=orientation, name="there", **relative)])
    actors = [Actor("stand", stand), Actor("f", Follow(path, BALL, within=0.4)), Actor("b", follower(5, 5))]
    take = shoot(Stage(actors, script=meeting({"f": turn("there"), "b": "1"}, of="bodies")), 6.0)
    assert meeting_states(take, "meeting") == ["active", "done"]


@pytest.mark.parametrize("options", [{}, {"speed": 1.0}, {"speed": 1.0, "correction": 0.2}])
def test_follower_slowed_from_the_start_does_not_sag(options):
    take = shoot(pair(meeting({"a": "1", "b": "1"}), 1, 6, **options).changed(gravity=(0, -9.81, 0)), 4.0)
    assert abs(take["a"].position[:, 1]).max() < 1e-3


START, DOWN, BEYOND = np.array([0.85, 1.0, 0.0]), np.array([0.6, 0.6, 0.0]), np.array([0.4, 0.3, 0.0])
FINE_FPS = 250  # frames per second


def two_arm_stage(near, endings, options):
    """Two arms, of which one has less to go, on ways that end at their goals, go on there, or come back from there."""
    actors, reaches = [], []
    for number, (name, share) in enumerate((("near", near), ("far", 1.0))):
        offset, goal = np.array([0, 0, 2.0 * number]), START + share * (DOWN - START)
        figure = arm(damping=0.2)
        actors.append(Actor(name, replace(figure, position=np.add(figure.position, offset))))
        later_positions = {"ends": [], "on": [*([DOWN] if share < 1 else []), BEYOND], "back": [START]}[endings[number]]
        path = MotionPath(
            [
                Key(START + offset),
                Key(goal + offset, name="goal"),
                *(Key(position + offset) for position in later_positions),
            ]
        )
        reaches.append(Reach(f"{name}/hand", path, **{"within": 0.1, **options[number]}))
    script = meeting({"near/hand": "goal", "far/hand": "goal"}, of="bodies")
    return Stage(actors, connections=reaches, gravity=(0, -9.81, 0), script=script)


def distance_to_goal(stage, take, name):
    """How far a hand is from its goal in each frame [m]."""
    path = next(connection.goal for connection in stage.connections if connection.link == name)
    return np.linalg.norm(take[name].position - path.at(1.0), axis=1)


SLOW_REACTION = {"reaction": 0.2}
REACH_OPTIONS = [
    ({}, {}),
    ({"within": 0.2}, {}),
    (SLOW_REACTION, {}),
    ({}, SLOW_REACTION),
    ({"eagerness": 0.2}, {"eagerness": 0.8}),
]
REACH_CASES = [*((0.5, options) for options in REACH_OPTIONS), (0.25, ({}, {}))]


@pytest.mark.parametrize(("near", "options"), REACH_CASES, ids=str)
def test_driven_arms_pass_their_goals_together(near, options):
    stage = two_arm_stage(near, ("on", "on"), options)
    take = shoot(stage, 6.0, FINE_FPS)
    assert meeting_states(take, "meeting") == ["active", "done"]
    assert spread(take, "meeting") <= 0.06 + 1e-9
    passing_times = [take.times[np.argmin(distance_to_goal(stage, take, name))] for name in ("near/hand", "far/hand")]
    assert np.ptp(passing_times) <= 0.06


@pytest.mark.parametrize(("near", "options"), REACH_CASES, ids=str)
def test_driven_arms_reach_the_ends_of_their_paths_together(near, options):
    stage = two_arm_stage(near, ("ends", "ends"), options)
    take = shoot(stage, 6.0, FINE_FPS)
    assert meeting_states(take, "meeting") == ["active", "done"]
    assert spread(take, "meeting") <= 0.06 + 1e-9
    arrival_times = [
        take.times[np.argmax(distance_to_goal(stage, take, name) <= 0.05 * hand_options.get("within", 0.1))]
        for name, hand_options in zip(("near/hand", "far/hand"), options, strict=True)
    ]
    assert np.ptp(arrival_times) <= 0.06


@pytest.mark.parametrize(("near", "options"), REACH_CASES, ids=str)
@pytest.mark.parametrize("endings", [("back", "back"), ("back", "on"), ("on", "back")], ids=str)
def test_driven_arms_reach_and_leave_reversing_goals_together(near, options, endings):
    stage = two_arm_stage(near, endings, options)
    take = shoot(stage, 6.0, FINE_FPS)
    assert meeting_states(take, "meeting") == ["active", "done"]
    assert spread(take, "meeting") <= 0.08 + 1e-9
    distances = [distance_to_goal(stage, take, name) for name in ("near/hand", "far/hand")]
    assert np.ptp([take.times[np.argmin(hand_distances)] for hand_distances in distances]) <= 0.1
    for hand_distances, ending, hand_options in zip(distances, endings, options, strict=True):
        assert ending == "on" or hand_distances.min() <= 0.05 * hand_options.get("within", 0.1)


def test_target_stops_at_a_reversing_goal_until_its_body_arrives():
    keys = [Key((0, 0, 0)), Key((2, 0, 0), name="1"), Key((0, 0, 0))]
    take = shoot(
        Stage([Actor("a", Follow(MotionPath(keys), BALL, within=0.4))], script=meeting({"a": "1"}, of="bodies")),
        4.0,
        FPS,
    )
    (arrival_time,) = event_times(take, "meeting", "reached", "a")
    target_x, body_x = take.targets["a"][:, 0], take["a"].position[:, 0]
    assert body_x.max() == pytest.approx(2.0, abs=0.05 * 0.4)
    waiting_frames = slice(round((arrival_time - 0.3) * FPS), round(arrival_time * FPS))
    assert_allclose(target_x[waiting_frames], 2.0, atol=1e-9)
    assert target_x[-1] < 0.5, "and then goes on"


def test_bodies_with_reversing_orientation_goals_meet():
    keys = [
        Key((0, 0, 9), name=f"{n}", orientation=Orientation.turned(angle, "y")) for n, angle in enumerate((0, 60, 0))
    ]
    dancer = Actor("dancer", Follow(MotionPath(keys), Body(Box(0.3)), within=0.4, turn_within=15))
    take = shoot(pair(meeting({"b": "1", "dancer": turn("1")}, of="bodies"), 2, 8, dancer, segments=4), 6.0, FPS)
    assert spread(take, "meeting") <= 0.02 + 1e-9
    angles = [
        Orientation.of(orientation).angle_to(Orientation.turned(60, "y")) for orientation in take["dancer"].orientation
    ]
    assert min(angles) <= 0.05 * 15
    assert abs(take.times[np.argmin(angles)] - passing_time(take, "b", 2.0)) <= 0.1


def test_blocked_body_counts_as_arrived_at_a_reversing_goal_when_it_gets_no_closer():
    keys = [Key((0, 0, 0)), Key((2, 0, 0), name="1"), Key((0, 0, 0))]
    wall = Actor("wall", Still(Body(Box((0.2, 1, 1))), (2.0, 0, 0)))
    stage = Stage(
        [Actor("a", Follow(MotionPath(keys), BALL, within=0.4)), wall], script=meeting({"a": "1"}, of="bodies")
    )
    take = shoot(stage, 5.0, FPS)
    assert meeting_states(take, "meeting") == ["active", "done"]
    assert take["a"].position[:, 0].max() == pytest.approx(1.8, abs=0.02)
    assert take["a"].position[-1, 0] < 0.5
