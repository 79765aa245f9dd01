"""LG95 §3: a body races its target along a rough path, at a speed that is known, and comes back from what hits it."""

import re

import numpy as np
import pytest
from numpy.testing import assert_allclose

from keypose import (
    Actor,
    Body,
    Box,
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
    shoot,
)
from keypose.maths import quaternion

BALL = Body(Sphere(0.3), 2.0)
LINE = MotionPath([(0, 0, 0), (12, 0, 0)])
DOWN = (0, -9.81, 0)


def speed_of(take, start, end):
    """Metres a second along x between two moments."""
    positions = take["a"].position[:, 0]
    first, last = (round(time * take.fps) for time in (start, end))
    return (positions[last] - positions[first]) / (end - start)


@pytest.mark.parametrize(
    "options",
    [
        {"within": 0.4},
        {"within": 0.4, "eagerness": 0.3},
        {"within": 0.2, "damping": 1.5},
        {"within": 0.4, "reaction": 0.2},
        {"within": 0.8, "eagerness": 0.8, "reaction": 0.3},
        {"within": 0.5, "speed": 2.5},
    ],
    ids=str,
)
def test_follower_speed_is_eagerness_times_within_over_damping_times_reaction(options):
    follow = Follow(LINE, BALL, **options)
    take = shoot(Stage([Actor("a", follow)]), 4.5, fps=100)
    assert_allclose(speed_of(take, 3.0, 4.0), follow.pace, rtol=1e-3)


@pytest.mark.parametrize("degrees", [10.0, 5.0, 1.0])
def test_turn_speed_is_eagerness_times_turn_within_over_damping_times_reaction(degrees):
    keys = [Key((0, 0, 0), orientation=Orientation.turned(angle, "y")) for angle in (0, 150, 300)]
    follow = Follow(MotionPath(keys), Body(Box(0.4)), within=0.4, turn_within=degrees, reaction=degrees / 100)
    take = shoot(Stage([Actor("a", follow)]), 2.0, fps=100)
    eagerness, damping = follow.pull
    expected = eagerness * degrees / (damping * follow.reaction)
    first, second = (take["a"].orientation[frame] for frame in (60, 160))
    angle_turned = np.degrees(2 * np.arccos(min(1.0, abs(first @ second))))
    assert_allclose(angle_turned, expected, rtol=2e-3)


@pytest.mark.parametrize("tick", [0.002, 0.0005, 0.005])
def test_the_speed_does_not_depend_on_the_step_of_the_simulation(tick):
    take = shoot(Stage([Actor("a", Follow(LINE, BALL, within=0.4))]), 4.0, fps=100, tick=tick)
    assert_allclose(speed_of(take, 3.0, 4.0), 2.0, rtol=1e-3)


@pytest.mark.parametrize("reaction", [0.1, 0.004, 0.0005])
def test_follower_is_stable_for_any_reaction_time(reaction):
    path = MotionPath([(0, 0, 0), (1, 0, 0)])
    take = shoot(Stage([Actor("a", Follow(path, BALL, within=0.1, reaction=reaction))]), 4.0)
    assert_allclose(take["a"].position[-1], (1, 0, 0), atol=1e-3)
    assert np.abs(take["a"].position[:, 1:]).max() < 1e-9


def test_gravity_does_not_pull_a_corrected_follower_off_its_path():
    path = MotionPath([(0, 0, 0), (1, 0, 0)])
    sags = {}
    for correction in (0.1, None):
        take = shoot(Stage([Actor("a", Follow(path, BALL, within=0.4, correction=correction))], gravity=DOWN), 6.0)
        sags[correction] = -take["a"].position[-1, 1]
    assert abs(sags[0.1]) <= 1e-3
    assert_allclose(sags[None], 0.098, rtol=0.05)  # gΔt²/(2α), and the little that makes the pull stable


def test_gravity_added_during_a_run_is_compensated():
    run = Run(Stage([Actor("a", Follow(MotionPath([(0, 0, 0), (1, 0, 0)]), BALL, within=0.4))]))
    run.skip(0.5)
    run.change(gravity=DOWN)
    lowest = 0.0
    for _ in range(2000):
        run.tick()
        lowest = min(lowest, run.poses["a"].position[1])
    assert lowest < -0.01
    assert abs(run.poses["a"].position[1]) <= 1e-3


def test_follower_starting_in_the_air_compensates_its_weight_from_the_first_tick():
    take = shoot(Stage([Actor("a", Follow(MotionPath([(0, 2, 0), (1, 2, 0)]), BALL, within=0.4))], gravity=DOWN), 2.0)
    assert_allclose(take["a"].position[:, 1], 2.0, atol=1e-6)


def test_follower_starting_on_the_floor_is_not_lifted_by_weight_compensation():
    floor = Actor("floor", Still(Body(Plane())))
    follow = Follow(MotionPath([(0, 0.3, 0), (2, 0.3, 0)]), BALL, within=0.4)
    take = shoot(Stage([Actor("a", follow), floor], gravity=DOWN), 2.0)
    assert_allclose(take["a"].position[:, 1], 0.3, atol=1e-3)


def test_target_never_moves_backwards_and_body_passes_every_key_within_lead_distance():
    rng = np.random.default_rng(4)
    path = MotionPath(np.cumsum(rng.normal(size=(8, 3)), axis=0))
    take = shoot(Stage([Actor("a", Follow(path, BALL, within=0.3))]), 25.0, fps=60)
    positions = take["a"].position
    min_distances = [np.linalg.norm(positions - key.position, axis=1).min() for key in path.keys]
    assert max(min_distances) < 0.3
    closest_frames = [int(np.linalg.norm(positions - key.position, axis=1).argmin()) for key in path.keys]
    assert closest_frames == sorted(closest_frames)


def test_on_a_path_that_crosses_itself_the_target_takes_no_short_cut():
    path = MotionPath([(-2, 0, 0), (0, 0, 0), (2, 2, 0), (0, 3, 0), (-2, 2, 0), (0, 0, 0), (2, 0, 0)])
    take = shoot(Stage([Actor("a", Follow(path, BALL, within=0.4))]), 14.0)
    assert take["a"].position[:, 1].max() > 2.5


def test_a_follower_on_a_closed_path_goes_round_and_round():
    path = MotionPath([(2, 0, 0), (0, 2, 0), (-2, 0, 0), (0, -2, 0)], closed=True)
    take = shoot(Stage([Actor("a", Follow(path, BALL, within=0.3, speed=3.0))]), 20.0)
    angle = np.unwrap(np.arctan2(take["a"].position[:, 1], take["a"].position[:, 0]))
    assert angle[-1] > 3 * 2 * np.pi
    assert take.events == ()


def test_follower_of_any_shape_follows_the_orientations_of_its_keys():
    orientations = [Orientation.turned(0, "y"), Orientation.turned(170, "y"), Orientation.turned(90, "x")]
    path = MotionPath([Key((4 * i, 0, 0), orientation=orientation) for i, orientation in enumerate(orientations)])
    brick = Body(Box((0.6, 0.1, 0.3)), 3.0)
    take = shoot(Stage([Actor("a", Follow(path, brick, within=0.4, turn_within=40))], gravity=DOWN), 9.0)
    assert Orientation.of(take["a"].orientation[-1]).angle_to(orientations[-1]) < 0.1
    min_angle = min(Orientation.of(orientation).angle_to(orientations[1]) for orientation in take["a"].orientation)
    assert min_angle < 40


def test_follower_on_a_closed_path_continues_rotating_every_lap():
    corners = [(2, 0, 0), (0, 0, 2), (-2, 0, 0), (0, 0, -2)]
    keys = [Key(position, orientation=Orientation.turned(-90 * i, "y")) for i, position in enumerate(corners)]
    stage = Stage([Actor("a", Follow(MotionPath(keys, closed=True), BALL, within=0.4, turn_within=20))])
    take = shoot(stage, 18.0)
    forward = np.array([Orientation.of(orientation).rotate((0, 0, 1)) for orientation in take["a"].orientation])
    angle = np.unwrap(np.arctan2(forward[:, 0], forward[:, 2]))
    assert angle[-1] < -1.5 * 2 * np.pi


def test_follower_on_a_closed_path_at_one_position_keeps_rotating():
    keys = [Key((0, 0, 0), orientation=Orientation.turned(angle, "y")) for angle in (0, 120, 240)]
    follow = Follow(MotionPath(keys, closed=True), BALL, within=0.4)
    take = shoot(Stage([Actor("a", follow)]), 2.0, fps=50)["a"]
    angle_turned = np.degrees(quaternion.angle_between(take.orientation[:-1], take.orientation[1:])).sum()
    assert angle_turned > 90
    assert_allclose(take.position, 0.0, atol=1e-9)


def test_path_without_orientations_leaves_rotation_to_collisions():
    wall = Actor("wall", Still(Body(Sphere(0.5)), (3, -0.5, 0.1)))
    take = shoot(Stage([Actor("a", Follow(LINE, Body(Box(0.5)), within=0.4)), wall]), 5.0)
    assert Orientation.of(take["a"].orientation[-1]).angle_to((1, 0, 0, 0)) > 1


def test_follower_pushed_aside_returns_to_its_path():
    post = Actor("post", Still(Body(Sphere(0.3)), (3, 0.2, 0)))
    take = shoot(Stage([Actor("a", Follow(LINE, BALL, within=0.6)), post]), 8.0)
    offsets = np.abs(take["a"].position[:, 1])
    assert offsets.max() > 0.1
    assert offsets[-1] < 1e-3
    (event, *_) = take.events
    assert event.actor == "a"
    assert event.other == "post"


# ---- stuck -----------------------------------------------------------------------------------------------------------


def stall_events(take):
    return [event for event in take.events if event.about.startswith("stuck")]


def test_stuck_follower_is_reported_once_with_obstacle_and_force():
    wall = Actor("wall", Still(Body(Box((0.2, 4, 4))), (3, 0, 0)))
    take = shoot(Stage([Actor("a", Follow(LINE, BALL, within=0.4)), wall]), 6.0)
    (stall,) = [event for event in take.events if event.kind == "warning"]
    assert stall.actor == "a"
    assert "'wall' (" in stall.text
    assert "N)" in stall.text
    assert 2.0 < stall.time < 3.5


def test_floor_under_a_follower_is_not_reported_as_obstacle():
    floor, wall = Actor("floor", Still(Body(Plane()))), Actor("wall", Still(Body(Box((0.2, 4, 4))), (3, 0, 0)))
    path = MotionPath([(0, 0.3, 0), (6, 0.3, 0)])
    take = shoot(Stage([Actor("a", Follow(path, BALL, within=0.4)), floor, wall], gravity=DOWN), 6.0)
    (stall,) = [event for event in take.events if event.kind == "warning"]
    assert "'wall' (" in stall.text
    assert "floor" not in stall.text


def test_stalled_rotation_is_reported():
    keys = [Key((0, 0, 0), orientation=Orientation.turned(angle, "z")) for angle in (0, 120)]
    follow = Follow(MotionPath(keys), Body(Box((2, 0.2, 0.2))), within=0.4)
    post = Actor("post", Still(Body(Box(0.4)), (0.7, 0.55, 0)))
    take = shoot(Stage([Actor("bar", follow), post]), 5.0)
    (stall,) = [event for event in take.events if event.kind == "warning"]
    assert stall.text.startswith("Is stuck in its turn: 'post' (")
    assert shoot(Stage([Actor("bar", follow)]), 5.0).events == ()


def test_slow_sliding_is_not_reported_as_stuck():
    slope = Actor("slope", Still(Body(Box((40, 0.2, 4)), friction=0.3), (0, -0.35, 0)))
    follow = Follow(LINE, Body(Sphere(0.3), 2.0, friction=0.3), within=0.4, speed=0.06)
    take = shoot(Stage([Actor("a", follow), slope], gravity=DOWN), 10.0)
    assert [event for event in take.events if event.about == "stuck"] == []


def slow_slab_on_floor(*others, friction=0.8, **options):
    """A slow slab that slides on a floor."""
    floor = Actor("floor", Still(Body(Plane(), friction=friction)))
    slab = Body(Box((0.8, 0.2, 0.8)), friction=friction)
    follow = Follow(MotionPath([(0, 0.1, 0), (5, 0.1, 0)]), slab, within=0.4, speed=0.1, **options)
    return Stage([Actor("a", follow), floor, *others], gravity=DOWN)


def test_follower_still_overcoming_static_friction_is_not_reported_as_stuck():
    take = shoot(slow_slab_on_floor(), 12.0)
    assert stall_events(take) == []
    start_time = take.times[np.argmax(take["a"].position[:, 0] > 0.05)]
    stiffness = 4 * (0.1 / 0.4) ** 2
    assert start_time == pytest.approx(0.8 * 9.81 * 0.1 / (stiffness * 0.4), rel=0.25), "about as docs/bodies.md says"


@pytest.mark.parametrize("options", [{"correction": None}, {"friction": 2.5, "correction": 0.02}], ids=str)
def test_follower_stopped_by_friction_is_reported_with_the_other_body(options):
    (event,) = stall_events(shoot(slow_slab_on_floor(**options), 11.0))
    assert re.fullmatch(r"Is stuck: the friction of 'floor' \([\d.]+ N\) holds it\.", event.text)


def test_wall_blocking_a_slow_follower_on_a_floor_is_reported():
    wall = Actor("wall", Still(Body(Box((0.2, 4, 4))), (0.8, 0, 0)))
    (event,) = stall_events(shoot(slow_slab_on_floor(wall, friction=0.01), 10.0))
    assert "'wall' (" in event.text


def test_arrived_follower_is_not_reported_as_stuck():
    take = shoot(Stage([Actor("a", Follow(MotionPath([(0, 0, 0), (1, 0, 0)]), BALL, within=0.4))]), 5.0)
    assert take.events == ()


def test_follower_swept_away_from_its_path_end_is_reported():
    ram = Motion(MotionPath([(1, 0, -3), (1, 0, 3)]), duration=6.0)
    follow = Follow(MotionPath([(0, 0, 0), (1, 0, 0)]), Body(Sphere(0.1)), within=0.4)
    take = shoot(Stage([Actor("a", follow), Actor("ram", ram, body=Body(Box((3, 0.6, 0.4))))]), 12.0)
    assert np.linalg.norm(take["a"].position[-1] - (1, 0, 0)) > 3
    (event,) = stall_events(take)
    assert (event.actor, event.time) == ("a", pytest.approx(6.8, abs=0.2))
    assert re.fullmatch(r"Is stuck: 'ram' \([\d.]+ N\) is in its way\.", event.text)


def test_follower_blocked_before_its_path_end_is_reported():
    post = Actor("post", Still(Body(Box(0.2)), (0.4, 0, 0)))
    follow = Follow(MotionPath([(0, 0, 0), (1, 0, 0)]), Body(Sphere(0.1)), within=0.9)
    (event,) = stall_events(shoot(Stage([Actor("a", follow), post]), 5.0))
    assert "'post' (" in event.text


def test_follower_blocked_before_its_last_orientation_is_reported():
    keys = [Key((0, 0, 0), orientation=Orientation.turned(angle, "z")) for angle in (0, 30)]
    follow = Follow(MotionPath(keys), Body(Box((2, 0.2, 0.2))), within=0.4, turn_within=40)
    post, beam = (Actor("post", Still(Body(Box(0.4)), (0.7, y, 0))) for y in (0.55, 0.8))
    (event,) = stall_events(shoot(Stage([Actor("bar", follow), post]), 5.0))
    assert event.text.startswith("Is stuck in its turn: 'post' (")
    assert not stall_events(shoot(Stage([Actor("bar", follow), beam]), 5.0)), "it rests beside it"


@pytest.mark.parametrize("options", [{}, {"correction": None}, {"speed": 0.3}], ids=str)
@pytest.mark.parametrize(("height", "stiffness"), [(0.3, None), (0.27, None), (0.33, None), (0.27, 3000)])
def test_follower_resting_on_the_floor_at_its_path_end_is_not_reported_as_stuck(height, stiffness, options):
    ball = Body(Sphere(0.3), 2.0, stiffness=stiffness)
    path = MotionPath([(0, height, 0), (0.5, height, 0)])
    floor = Actor("floor", Still(Body(Plane())))
    assert not stall_events(
        shoot(Stage([Actor("a", Follow(path, ball, within=0.4, **options)), floor], gravity=DOWN), 5.0)
    )


def test_follower_sagging_at_its_path_end_and_touched_lightly_is_not_stuck():
    path = MotionPath([(0, 0, 0), (1, 0, 0)])
    follow = Follow(path, BALL, within=0.4, speed=1.3, correction=None)
    feather = Actor("feather", Free(Body(Sphere(0.05), 0.001), (1, 0.5, 0)))
    take = shoot(Stage([Actor("a", follow), feather], gravity=DOWN), 6.0)
    assert take["a"].position[-1, 1] < -0.15
    assert not stall_events(take)


def test_stall_caused_by_sag_is_reported_without_obstacle():
    follow = Follow(LINE, BALL, within=0.05, correction=None)
    take = shoot(Stage([Actor("a", follow)], gravity=DOWN), 4.0)
    assert "nothing is in its way" in take.events[0].text


# ---- bad input -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"within": 0}, "within"),
        ({"within": 0.4, "speed": 2, "eagerness": 0.2}, "Give one"),
        ({"within": 0.4, "turn_within": 200}, "turn_within"),
        ({"within": 0.4, "damping": 0}, "damping"),
        ({"within": np.nan}, "within"),
        (
            {"within": 1e-4, "speed": 1e4, "reaction": 1e4},
            r"speed=10000, within=0.0001 and reaction=10000: .* eagerness would be 2e\+24, .* 7.07e-06 to 2.24e\+03\.",
        ),
        ({"within": 0.4, "speed": 1e-4, "reaction": 1e-3}, r"eagerness would be 1.25e-13, .* be 7.07e-06 to"),
        (
            {"within": 0.4, "speed": 1e4, "damping": 1e3, "reaction": 1},
            r"eagerness would be 2.5e\+07, .* be 1e-13 to 1e\+04\.",
        ),
    ],
)
def test_invalid_follower_is_refused_with_reason(options, message):
    with pytest.raises(KeyposeError, match=message):
        Follow(LINE, BALL, **options)


def test_a_body_with_a_parent_is_refused():
    with pytest.raises(KeyposeError, match="Bodies are in the world"):
        Stage([Actor("a", Follow(LINE, BALL, within=0.4), parent="b"), Actor("b", Still(Body(Box(1.0)), (5, 0, 0)))])
