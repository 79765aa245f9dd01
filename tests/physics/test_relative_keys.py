"""LG95 §4: bodies follow paths whose keys others carry, meet them wherever they go, and pin what they have passed."""

import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from keypose import (
    Actor,
    Body,
    Box,
    DynamicSpline,
    Follow,
    Free,
    Key,
    KeyposeError,
    Motion,
    MotionPath,
    Orientation,
    Plane,
    Run,
    Sphere,
    Stage,
    Still,
    load,
    save,
    shoot,
)
from keypose.errors import UnknownNameError
from keypose.motion import CollisionEvent
from tests.physics.replays import check_batch_stepping, check_rewinding, poses_after, same_poses

DOWN = (0, -9.81, 0)
HAND = Sphere(0.1)
EXAMPLES = Path(__file__).parents[2] / "examples"


def follow(keys, mass=1.0, within=0.2, **options):
    return Follow(MotionPath(keys), Body(HAND, mass), within=within, **options)


def rolling_wagon(speed, body=None, start=(0, 0, 0), seconds=20.0):
    """A wagon that rolls along x."""
    x, y, z = start
    path = MotionPath([start, (x + max(speed, 1e-9) * seconds, y, z)])
    return Actor("wagon", Motion(path, duration=seconds), body=body)


def handshake(ratio=1.0, eagerness=0.5):
    """Two hands, each of which is to come to where the other one is; the second one so many times as heavy."""
    left = [(-1, 1, 0), (-0.6, 1.3, 0), Key((-0.15, 0, 0), relative_to="right")]
    right = [(1, 1, 0), (0.6, 1.3, 0), Key((0.15, 0, 0), relative_to="left")]
    actors = [Actor("left", follow(left)), Actor("right", follow(right, ratio, eagerness=eagerness))]
    return Stage(actors, gravity=DOWN)


def kick_stage(speed):
    """A ball on a wagon, and a foot that is to pass through where the ball is."""
    ball = Free(Body(Sphere(0.1), 0.3), (0, 0.2, 0), (speed, 0, 0))
    keys = [
        (-1.0, 0.8, 0.2),
        Key((-0.4, 0.1, 0.0), relative_to="ball"),
        Key((0.3, 0.1, 0.0), relative_to="ball", arrive=(1, 0, 0)),
    ]
    wagon = rolling_wagon(speed, Body(Box((2, 0.2, 1)), friction=1.0))
    return Stage([wagon, Actor("ball", ball), Actor("foot", follow(keys, mass=2.0, speed=1.5))], gravity=DOWN)


def scene():
    """A bit of everything: carried by a motion with and without a body, by fellow bodies, with facings, unpinned."""
    head_keys = [
        Key((0, 2, 0), orientation=Orientation.turned(20, "y"), relative_to="wagon"),
        Key((1, 2, 0), orientation=Orientation.turned(80, "y"), relative_to="lamp", pin=False),
        Key((1, 3, 1), orientation=Orientation.turned(10, "x")),
    ]
    swing_path = MotionPath([Key((0, 0, 3), orientation=(1, 0, 0, 0)), Key((2, 0, 3), orientation=(0, 1, 0, 0))])
    lamp = Motion(swing_path, duration=3.0)
    post = Actor("post", Still(Body(Box(0.2)), (3, 0, 0), Orientation.turned(90, "y")))
    tap_keys = [(3, 1, 0), Key((0, 0.15, 0.1), relative_to="post"), Key((0, 0.15, 0), relative_to="ball", pin=False)]
    actors = [
        *kick_stage(0.4).actors,
        Actor("lamp", lamp),
        post,
        Actor("head", follow(head_keys)),
        Actor("tap", follow(tap_keys)),
    ]
    return Stage([*actors, *handshake(2).actors], gravity=DOWN)


def first_contact_time(take, one, two):
    """When two bodies first hit each other [s]; None if they never do."""
    collisions = (event for event in take.events if isinstance(event, CollisionEvent))
    return next((event.time for event in collisions if {event.actor, event.other} == {one, two}), None)


def speed_along(positions, fps, start, end):
    first, last = round(start * fps), round(end * fps)
    return np.linalg.norm(positions[last] - positions[first]) / (end - start)


# ---- meeting ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ratio", [1.0, 1.5, 2.0, 3.0, 4.0])
def test_two_hands_shake_whatever_their_masses(ratio):
    assert first_contact_time(shoot(handshake(ratio), 4.0), "left", "right") is not None


def test_hands_of_equal_eagerness_meet_in_the_middle_and_nearer_to_the_one_that_is_less_eager():
    positions = [shoot(handshake(1.0, eagerness), 4.0).events[0].place[0] for eagerness in (0.5, 0.3, 0.15)]
    assert abs(positions[0]) < 1e-9
    assert positions[0] + 0.1 < positions[1] < positions[2] - 0.1


@pytest.mark.parametrize("speed", [0.0, 0.2, 0.4])
def test_a_ball_on_a_wagon_is_kicked_however_fast_the_wagon_rolls(speed):
    take = shoot(kick_stage(speed), 4.0)
    contact_time = first_contact_time(take, "ball", "foot")
    assert contact_time is not None
    position_before = take["ball"].position[round(contact_time * 24) - 1]
    assert_allclose(
        position_before[:2], (speed * (contact_time - 1 / 24), 0.2), atol=0.03
    )  # it lay on the wagon and went along with it


def test_a_thrown_glass_is_caught():
    glass = Actor("glass", Free(Body(Sphere(0.05), 0.2), (-2, 1, 0), (2.0, 4.5, 0)))
    keys = [(0.5, 1.0, 0.5), Key((0, -0.14, 0), relative_to="glass", pin=False)]
    hand = follow(keys, mass=2.0, within=0.3, reaction=0.04, eagerness=0.5)
    take = shoot(Stage([glass, Actor("hand", hand)], gravity=DOWN), 1.2, fps=100)
    distances = np.linalg.norm(take["hand"].position - take["glass"].position, axis=1)
    assert distances[0] > 2
    assert (distances[100:] < 0.17).all()


@pytest.mark.parametrize("example", ["14_shaking_hands", "19_a_handshake_on_time"])
def test_follower_touching_the_carrier_it_goes_to_is_not_stuck(example):
    take = shoot(load(EXAMPLES / f"{example}.json"), 6.0)
    assert first_contact_time(take, *(name for name in take.poses if name.endswith("/hand")))
    assert not [event for event in take.events if event.about.startswith("stuck")]


def test_follower_blocked_before_its_carrier_is_reported_as_stuck():
    goal = Actor("goal", Still(Body(Sphere(0.1)), (2, 0, 0)))
    wall = Actor("wall", Still(Body(Box((0.2, 2, 2))), (1, 0, 0)))
    hand = Actor("hand", follow([(0, 0, 0), Key((0, 0, 0), relative_to="goal")]))
    (event,) = [event for event in shoot(Stage([hand, goal, wall]), 4.0).events if event.about == "stuck"]
    assert re.fullmatch(r"Is stuck: 'wall' \([\d.]+ N\) is in its way\.", event.text)
    longer_hand = Actor("hand", follow([(0, 0, 0), Key((0, 0, 0), relative_to="goal"), (4, 0, 0)], within=0.6))
    (event,) = [event for event in shoot(Stage([longer_hand, goal]), 6.0).events if event.about == "stuck"]
    assert "'goal' (" in event.text, "it is to go on, and cannot"


def test_hand_reaches_a_key_carried_by_a_dynamic_spline():
    fly = Actor("fly", DynamicSpline((0, 1, 0), (0.3, 0, 0)))
    hand = Actor("hand", follow([(0, 0, 0), Key((0, 0, 0), relative_to="fly", pin=False)], speed=1.0))
    stage = Stage([fly, hand])
    assert stage.resolved.batch_kind is None
    take = shoot(stage, 6.0)
    assert_allclose(take["hand"].position[-1], take["fly"].position[-1], atol=2e-3)


# ---- as on the ground ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("speed", [0.0, 0.4, 2.5])
def test_following_on_a_moving_wagon_equals_following_on_the_ground(speed):
    positions = [(0, 1, 0), (2, 1, 0), (4, 1, 1)]
    relative_follow = follow([Key(position, relative_to="wagon", pin=False) for position in positions], speed=0.5)
    ground_positions = shoot(Stage([Actor("a", follow(positions, speed=0.5))]), 12.0, fps=100)["a"].position
    take = shoot(Stage([rolling_wagon(speed), Actor("a", relative_follow)]), 12.0, fps=100)
    relative_positions = take["a"].position - take["wagon"].position
    assert_allclose(speed_along(relative_positions, 100, 3.0, 3.5), relative_follow.pace, rtol=1e-3)
    assert_allclose(
        relative_positions[300:, 2],
        np.interp(relative_positions[300:, 0], ground_positions[:, 0], ground_positions[:, 2]),
        atol=1e-4,
    )
    assert_allclose(relative_positions[-1], (4, 1, 1), atol=1e-4)


@pytest.mark.parametrize("tick", [0.002, 0.0005, 0.01])
def test_follower_at_a_moving_relative_key_stays_there_without_lag(tick):
    hand = follow([(0, 1, 0), Key((0, 0.5, 0), relative_to="wagon", pin=False)])
    take = shoot(Stage([rolling_wagon(0.4), Actor("a", hand)]), 8.0, tick=tick)
    relative_positions = take["a"].position - take["wagon"].position
    assert_allclose(relative_positions[-24:], np.tile((0, 0.5, 0), (24, 1)), atol=1e-6 if tick <= 0.002 else 0.4 * tick)


def test_follower_of_a_rotating_carrier_rotates_without_lag():
    table_keys = [Key((0, 0, 0), orientation=Orientation.turned(90 * n, "y"), time=2.0 * n) for n in range(5)]
    carrier = Actor("table", Motion(MotionPath(table_keys)))
    keys = [
        Key((1, 0, 0), orientation=(1, 0, 0, 0)),
        Key((1, 0, 0), orientation=(1, 0, 0, 0), relative_to="table", pin=False),
    ]
    take = shoot(Stage([carrier, Actor("cup", follow(keys, turn_within=30.0))]), 6.0)
    for orientation, table_orientation, position in zip(
        take["cup"].orientation[-24:], take["table"].orientation[-24:], take["cup"].position[-24:], strict=True
    ):
        assert Orientation.of(orientation).angle_to(table_orientation) < 0.5
        assert_allclose(
            position, Orientation.of(table_orientation).rotate((1, 0, 0)), atol=0.01
        )  # it goes round: a²/r pulls it out


def test_carrier_jump_does_not_add_path_velocity_to_its_follower():
    wagon_motion = Motion(MotionPath([(0, 0, 0), (1, 0, 0)]), duration=2.0, outside="cycle")
    hand = follow([(0, 1, 0), Key((0, 1, 0), relative_to="wagon", pin=False)])
    take = shoot(Stage([Actor("wagon", wagon_motion), Actor("a", hand)]), 6.0, fps=100)
    max_speed = np.abs(np.diff(take["a"].position[:, 0])).max() * 100
    assert max_speed < 6.0  # the way back of 1 m at once would have kicked it with 20 m/s


# ---- pinned ----------------------------------------------------------------------------------------------------------


def test_the_first_key_is_pinned_where_it_is_at_the_start():
    hand = follow([Key((0, 1, 0), relative_to="wagon"), (0, 1, 5)])
    take = shoot(Stage([rolling_wagon(0.4, start=(2, 0, 0)), Actor("a", hand)]), 5.0)
    assert_array_equal(take["a"].position[0], (2, 1, 0))
    x, z = take["a"].position[:, 0], take["a"].position[:, 2]
    assert_allclose(x, 2 * (1 - z / 5), atol=0.03)


def test_passed_key_stops_moving():
    keys = [(0, 1, 0), Key((1, 1, 0), relative_to="wagon"), (1, 1, 3)]
    run, u = Run(Stage([rolling_wagon(0.4), Actor("a", follow(keys))])), 0.0
    pinned = None
    while run.time < 4.0:
        run.tick()
        (system_state,) = run.moment.system_states.values()
        last, u = u, system_state.state.followers[0].u
        if last < 1 <= u:
            pinned = run.poses["wagon"].position
        if pinned is not None:
            assert_allclose(system_state.state.relative_keys[0, 1:4], pinned, atol=0.4 * 0.0041)
    assert pinned is not None
    assert run.poses["wagon"].position[0] > pinned[0] + 0.5


def test_key_without_pin_keeps_moving_with_its_carrier():
    ends = {}
    for pin in (True, False):
        hand = follow([(0, 1, 0), Key((0, 1, 1), relative_to="wagon", pin=pin)])
        ends[pin] = shoot(Stage([rolling_wagon(0.4), Actor("a", hand)]), 6.0)["a"].position[-1, 0]
    assert_allclose(ends[False], 2.4, atol=0.02)
    assert ends[True] < 0.6


def test_target_positions_are_reported_in_world_space():
    stage = Stage(
        [rolling_wagon(0.4, start=(2, 0, 0)), Actor("a", follow([Key((0, 1, 0), relative_to="wagon"), (0, 1, 5)]))]
    )
    run = Run(stage)
    (system,) = stage.resolved.systems.values()

    def target_position():
        (system_state,) = run.moment.system_states.values()
        return system.targets(system_state.state)[system.followers.index("a")]

    assert_array_equal(target_position(), (2, 1, 0))
    for _ in range(500):
        run.tick()
    assert_allclose(np.linalg.norm(target_position() - run.poses["a"].position), 0.2, atol=0.01)


def test_explicit_tangents_rotate_with_their_carrier():
    table_motion = Motion(
        MotionPath([Key((0, 0, 0), orientation=Orientation.turned(90, "y")), Key((0, 0, 1e-9))]), duration=1.0
    )
    keys = [(0, 1, 2), Key((0, 1, 0), relative_to="table", arrive=(3, 0, 0)), (0, 1, -2)]
    world_keys = [(0, 1, 2), Key((0, 1, 0), arrive=(0, 0, -3)), (0, 1, -2)]
    takes = [
        shoot(Stage([Actor("table", table_motion), Actor("a", follow(path_keys))]), 3.0)["a"]
        for path_keys in (keys, world_keys)
    ]
    assert_allclose(takes[0].position, takes[1].position, atol=1e-6)


# ---- to the bit ------------------------------------------------------------------------------------------------------


def test_rewind_with_relative_keys_is_bitwise_identical():
    run = Run(scene())
    check_rewinding(run, 700, 1.1, 0.31, 0.0)
    snapshot = run.snapshot()
    expected = poses_after(run, 1)
    run.rewind(snapshot)
    assert same_poses(poses_after(run, 1), expected)


def test_batch_steps_with_relative_keys_equal_single_ticks():
    check_batch_stepping(scene(), 1.5, "head", "tap", "foot", "left", "ball")


def test_two_threads_may_shoot_one_stage_with_relative_keys_at_once():
    stage = scene()
    reference = shoot(stage, 0.7)
    with ThreadPoolExecutor(2) as pool:
        takes = list(pool.map(lambda _: shoot(stage, 0.7), range(3)))
    for take in takes:
        for name in ("head", "tap", "left"):
            assert_array_equal(take[name].position, reference[name].position)
            assert_array_equal(take[name].orientation, reference[name].orientation)


def test_saved_scene_with_relative_keys_is_shot_again_bitwise_identically(tmp_path):
    stage = scene()
    save(stage, tmp_path / "scene.json")
    loaded = load(tmp_path / "scene.json")
    assert loaded == stage
    one, two = shoot(stage, 1.0), shoot(loaded, 1.0)
    for name in one.poses:
        assert_array_equal(one[name].position, two[name].position)


def test_pinned_key_stays_pinned_when_another_key_is_changed():
    hand = follow([(0, 1, 0), Key((0.5, 1, 0), relative_to="wagon"), (1, 1, 2), (0, 1, 4)])
    run = Run(Stage([rolling_wagon(0.4), Actor("a", hand)]))
    while run.time < 2.0:
        run.tick()

    def frames():
        (system_state,) = run.moment.system_states.values()
        return system_state.state.relative_keys

    frames_before, poses_before = frames(), run.poses
    assert frames_before[0, 0] == 1.0
    run.change("a", follow([(0, 1, 0), Key((0.5, 1, 0), relative_to="wagon"), (1, 1, 2), (0, 2, 4)]))
    assert_array_equal(frames(), frames_before)
    assert same_poses(run.poses, poses_before)
    run.tick()
    assert_array_equal(frames(), frames_before)
    run.change("a", follow([(0, 1, 0), Key((0.5, 1, 0), relative_to="wagon"), (1, 1, 2)]))
    assert frames()[0, 0] == 0.0


def test_path_velocity_is_zero_after_relative_keys_are_removed():
    orientations = [Orientation.turned(degrees, "y") for degrees in (0, 90)]
    relative_keys = [Key((x, 1, 0), orientation=orientations[x], relative_to="wagon", pin=False) for x in range(2)]
    plain = [Key((x, 1, 0), orientation=orientations[x]) for x in range(2)]
    wagon_motion = Motion(MotionPath([Key((9 * x, 0, 0), orientation=orientations[x]) for x in range(2)]), duration=6.0)
    run = Run(Stage([Actor("wagon", wagon_motion), Actor("a", follow(relative_keys))]))
    while run.time < 1.0:
        run.tick()
    run.change("a", follow(plain))
    while run.time < 5.0:
        run.tick()
    assert_allclose(run.poses["a"].position, (1, 1, 0), atol=1e-3)
    assert Orientation.of(run.poses["a"].orientation).angle_to(orientations[1]) < 0.1


def test_follower_added_during_a_run_starts_at_its_carrier():
    run = Run(Stage([Actor("ball", Free(Body(Sphere(0.1)), (0, 0, 0), (1, 0, 0)))]))
    while run.time < 1.0:
        run.tick()
    run.change(run.stage.with_actor(Actor("a", follow([Key((0, 1, 0), relative_to="ball"), (5, 1, 0)]))))
    assert_allclose(run.poses["a"].position, (1, 1, 0), atol=1e-9)


def test_follower_without_relative_keys_is_unaffected_by_others_with_them():
    plain = Actor("plain", follow([(0, 5, 0), (2, 5, 0), (2, 5, 3)]))
    reference = shoot(Stage([plain], gravity=DOWN), 2.0)["plain"]
    with_others = shoot(Stage([*handshake().actors, plain], gravity=DOWN), 2.0)["plain"]
    assert_array_equal(reference.position, with_others.position)


# ---- who carries whom ------------------------------------------------------------------------------------------------


def test_unknown_carrier_is_refused_with_the_nearest_name():
    with pytest.raises(UnknownNameError, match=r"'a' has a key relative to 'wagn'.*'wagon'"):
        Stage([rolling_wagon(0.1), Actor("a", follow([(0, 0, 0), Key((1, 0, 0), relative_to="wagn")]))])


def test_a_follower_cannot_carry_its_own_keys():
    with pytest.raises(KeyposeError, match="'a' carries a key of its own"):
        Stage([Actor("a", follow([(0, 0, 0), Key((1, 0, 0), relative_to="a")]))])


def test_circular_initial_relative_keys_are_refused():
    actors = [Actor(one, follow([Key((1, 0, 0), relative_to=two), (0, 0, 0)])) for one, two in ("ab", "ba")]
    with pytest.raises(KeyposeError, match=r"begin relative to each other in a circle: a → b → a"):
        Stage(actors)


def test_initial_relative_keys_are_resolved_in_dependency_order():
    actors = [Actor("a", follow([Key((0, 1, 0), relative_to="b"), (9, 0, 0)]))]
    actors += [Actor("b", follow([Key((0, 1, 0), relative_to="c"), (9, 0, 0)]))]
    actors += [Actor("c", Free(Body(HAND), (1, 0, 0))), Actor("floor", Still(Body(Plane(offset=-5))))]
    assert_allclose(Run(Stage(actors)).poses["a"].position, (1, 2, 0))


def test_key_may_be_relative_to_a_child_of_a_body():
    flag_motion = Motion(MotionPath([(0, 1, 0), (0, 1, 1e-9)]), duration=1.0)
    actors = [Actor("ball", Free(Body(HAND), (0, 0, 0), (0.2, 0, 0))), Actor("flag", flag_motion, parent="ball")]
    hand = follow([(0, 2, 1), Key((0, 0.3, 0), relative_to="flag", pin=False)])
    take = shoot(Stage([*actors, Actor("a", hand)]), 5.0)
    assert_allclose(take["a"].position[-1], (1.0, 1.3, 0), atol=2e-3)
    initial_hand = follow([Key((0, 0.3, 0), relative_to="flag"), (0, 2, 1)])
    assert_allclose(Run(Stage([*actors, Actor("a", initial_hand)])).poses["a"].position, (0, 1.3, 0), atol=1e-9)


def test_a_motion_may_meet_a_follower_that_meets_it():
    hand = follow([(0, 1, 0), Key((0, 0, 0.3), relative_to="walker", pin=False)])
    walker = Motion(MotionPath([(4, 1, 0), Key((0, 0, -0.3), relative_to="hand")]), duration=3.0)
    take = shoot(Stage([Actor("hand", hand), Actor("walker", walker)]), 5.0)
    assert np.linalg.norm(take["hand"].position[-1] - take["walker"].position[-1]) < 0.35
