"""Bodies as MuJoCo moves them: they fall, bounce, rub, and are pushed by what a motion moves."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from keypose import (
    Actor,
    Body,
    Box,
    Capsule,
    Follow,
    Free,
    KeyposeError,
    Mesh,
    Motion,
    MotionPath,
    Orientation,
    Plane,
    Sphere,
    Stage,
    Still,
    shoot,
)
from keypose.motion import CollisionEvent
from keypose.physics.diagnostics.collisions import collision_event
from keypose.physics.engine.contact_model.restitution import damping_ratio, restitution

DOWN = (0, -9.81, 0)
FLOOR = Actor("floor", Still(Body(Plane())))


def test_free_body_falls_as_newton_predicts():
    take = shoot(Stage([Actor("a", Free(Body(Sphere(0.1)), (0, 50, 0), (1, 2, 0)))], gravity=DOWN), 2.0)
    t = take.times
    assert_allclose(take["a"].position[:, 0], t, atol=1e-9)
    assert_allclose(take["a"].position[:, 1], 50 + 2 * t - 9.81 * t**2 / 2, atol=9.81 * 0.002 * 2.0)


@pytest.mark.parametrize("bounce", [0.3, 0.5, 0.6, 0.8, 0.95])
def test_rebound_speed_ratio_equals_bounce(bounce):
    ball = Actor("a", Free(Body(Sphere(0.1), bounce=bounce), (0, 1.1, 0)))
    take = shoot(Stage([ball, FLOOR], gravity=DOWN), 1.5, fps=500)
    heights = take["a"].position[:, 1]
    rebound_frame = int(np.flatnonzero(np.diff(heights) > 0)[0])
    assert_allclose(np.sqrt((heights[rebound_frame:].max() - 0.1) / 1.0), bounce, atol=0.05)


@pytest.mark.parametrize("bounce", [0.1, 0.15, 0.2])
def test_small_bounce_equals_the_mean_rebound_speed_ratio_of_many_hits(bounce):
    body, tick_distance = Body(Sphere(0.3), bounce=bounce), 3 * 0.002
    balls = [
        Actor(f"{number}", Free(body, (number, 0.5 + fraction * tick_distance, 0), (0, -3, 0)))
        for number, fraction in enumerate(np.arange(20) / 20)
    ]
    take = shoot(Stage([*balls, FLOOR]), 0.3)
    rebound_ratios = [np.diff(take[ball.name].position[-2:, 1])[0] * 24 / 3 for ball in balls]
    assert_allclose(np.mean(rebound_ratios), bounce, atol=0.025)


def test_body_without_bounce_stays_on_the_floor():
    take = shoot(Stage([Actor("a", Free(Body(Sphere(0.1)), (0, 1.1, 0))), FLOOR], gravity=DOWN), 2.0)
    final_heights = take["a"].position[take.times > 0.55, 1]
    assert_allclose(final_heights, 0.1, atol=2e-3)


@pytest.mark.parametrize("bounce", [0.05, 0.2, 0.5, 0.9])
def test_contact_damping_ratio_gives_the_requested_restitution(bounce):
    assert_allclose(restitution(damping_ratio(bounce)), bounce, rtol=1e-9)


@pytest.mark.parametrize(("friction", "slides"), [(0.0, True), (0.9, False)])
def test_friction_decides_whether_a_box_slides_down_a_slope(friction, slides):
    tilt = Orientation.turned(-25, "z")
    slope = Actor("slope", Still(Body(Box((20, 0.2, 4)), friction=friction), (0, 0, 0), tilt))
    start = np.array(tilt.rotate((0, 0.31, 0)))
    box = Actor("a", Free(Body(Box(0.4), friction=friction), tuple(start), orientation=tilt))
    take = shoot(Stage([slope, box], gravity=DOWN), 1.0)
    distance = np.linalg.norm(take["a"].position[-1] - start)
    assert (distance > 1.0) == slides
    assert slides or distance < 0.05


def test_a_capsule_stands_along_y():
    take = shoot(Stage([Actor("a", Free(Body(Capsule(0.1, 1.0)), (0, 0.7, 0))), FLOOR], gravity=DOWN), 0.4)
    assert_allclose(take["a"].position[-1, 1], 0.6, atol=5e-3)


def test_plane_of_any_orientation_stops_a_body_in_front_of_it():
    normal = np.array([1.0, 2.0, -0.5]) / np.linalg.norm([1.0, 2.0, -0.5])
    wall = Actor("wall", Still(Body(Plane(tuple(normal), 0.4))))
    take = shoot(Stage([wall, Actor("a", Free(Body(Sphere(0.2)), tuple(3 * normal)))], gravity=tuple(-5 * normal)), 3.0)
    assert_allclose(take["a"].position[-1] @ normal, 0.6, atol=2e-3)


def test_mesh_can_be_a_body(tmp_path):
    file = tmp_path / "cube.obj"
    corners = [(x, y, z) for x in (-0.2, 0.2) for y in (-0.2, 0.2) for z in (-0.2, 0.2)]
    faces = ["1 2 4", "1 4 3", "5 7 8", "5 8 6", "1 5 6", "1 6 2", "3 4 8", "3 8 7", "1 3 7", "1 7 5", "2 6 8", "2 8 4"]
    file.write_text("\n".join([*(f"v {x} {y} {z}" for x, y, z in corners), *(f"f {face}" for face in faces)]))
    take = shoot(Stage([Actor("a", Free(Body(Mesh(str(file))), (0, 0.5, 0))), FLOOR], gravity=DOWN), 1.0)
    assert_allclose(take["a"].position[-1, 1], 0.2, atol=5e-3)
    with pytest.raises(KeyposeError, match="no such file"):
        shoot(Stage([Actor("a", Free(Body(Mesh("nowhere.obj")), (0, 0, 0)))]), 0.1)


def test_kinematic_body_pushes_bodies_with_its_speed_and_is_not_pushed():
    paddle = Actor("paddle", Motion(MotionPath([(-2, 0, 0), (2, 0, 0)]), duration=1.0), body=Body(Box((0.2, 1, 1))))
    ball = Actor("ball", Free(Body(Sphere(0.2), 5.0, bounce=0.8), (0, 0, 0)))
    take = shoot(Stage([paddle, ball]), 1.5)
    speed = (take["ball"].position[-1, 0] - take["ball"].position[-6, 0]) / (5 / take.fps)
    assert_allclose(speed, (1 + 0.8) * 4.0, rtol=0.02)
    assert_allclose(take["paddle"].position, paddle.motion.at(take.times).position)


@pytest.mark.parametrize("with_foam", [False, True])
@pytest.mark.parametrize("base_moves", [False, True])
@pytest.mark.parametrize("depth", [0.0, 0.005, 0.05])
def test_body_on_a_keyed_board_is_unaffected_by_what_the_board_scrapes(depth, base_moves, with_foam):
    base_body, base_height = Body(Box((0.3, 0.3, 0.3))), 0.25 + depth
    base_motion = Motion(MotionPath([(0, base_height, 0), (1, base_height, 0)]), duration=2)
    base_actor = (
        Actor("base", base_motion, body=base_body)
        if base_moves
        else Actor("base", Still(base_body, (0, base_height, 0)))
    )
    foam = [Actor("foam", Free(Body(Sphere(0.1), stiffness=5e4), (9, 0.1, 0)))] if with_foam else []
    reference, scraping = (_crate_on_board([*foam, *others]) for others in ([], [base_actor]))
    assert_allclose(scraping["crate"].position, reference["crate"].position, atol=1e-9)
    collision_pairs = [(event.actor, event.other) for event in scraping.events if isinstance(event, CollisionEvent)]
    assert not any("crate" in pair for pair in collision_pairs)
    assert any(event.kind == "warning" for event in scraping.events) == (depth > 0.01), "who is deep in whom is told"


def _crate_on_board(others):
    board = Motion(MotionPath([(0, 0.45, 0), (1, 0.45, 0)]), duration=2)
    actors = [
        Actor("board", board, body=Body(Box((0.9, 0.1, 0.5)))),
        Actor("crate", Free(Body(Box(0.2), 0.3), (0, 0.6, 0), (0.5, 0, 0))),
        *others,
    ]
    return shoot(Stage(actors, gravity=(0, -9.81, 0)), 0.5, fps=100)


def test_two_keyed_bodies_pass_through_each_other_and_the_collision_is_reported():
    forward_path, return_path = MotionPath([(0, 1, 0), (2, 1, 0)]), MotionPath([(2, 1, 0), (0, 1, 0)])
    actors = [
        Actor(name, Motion(path, duration=2), body=Body(Box(0.2)))
        for name, path in {"a": forward_path, "b": return_path}.items()
    ]
    take = shoot(Stage([*actors, FLOOR]), 2, fps=50)
    collision = next(event for event in take.events if isinstance(event, CollisionEvent))
    assert {collision.actor, collision.other} == {"a", "b"}
    assert collision.time == pytest.approx(0.9, abs=0.01)
    assert collision.speed == pytest.approx(2, rel=0.01)
    assert_allclose(take["a"].position[:, 0], take.times, atol=1e-12)


def test_collision_of_different_masses_conserves_momentum():
    heavy = Actor("heavy", Free(Body(Sphere(0.2), 4.0, bounce=0.5), (-1, 0, 0), (2, 0, 0)))
    light = Actor("light", Free(Body(Sphere(0.2), 1.0, bounce=0.5), (0, 0, 0)))
    take = shoot(Stage([heavy, light]), 2.0)
    heavy_velocity, light_velocity = (
        (take[name].position[-1] - take[name].position[-3])[0] * take.fps / 2 for name in ("heavy", "light")
    )
    assert_allclose(4 * heavy_velocity + light_velocity, 8.0, rtol=1e-6)
    assert_allclose(light_velocity - heavy_velocity, 0.5 * 2.0, rtol=0.12)


def test_collision_event_has_bodies_place_time_and_speed():
    take = shoot(Stage([Actor("a", Free(Body(Sphere(0.1), bounce=0.5), (0, 1.1, 0))), FLOOR], gravity=DOWN), 1.0)
    collision = take.events[0]
    assert (collision.actor, collision.other) == ("a", "floor")
    assert_allclose(collision.time, np.sqrt(2 / 9.81), atol=0.005)
    assert_allclose(collision.place, (0, 0, 0), atol=0.01)
    assert_allclose(collision.speed, np.sqrt(2 * 9.81), rtol=0.01)
    assert "Hits 'floor'" in collision.text
    assert "-0," not in collision_event(1.0, "ball", "floor", (2.0, -0.0, -0.0001), 1.0).text, "nobody is at minus zero"


def test_body_that_starts_on_the_floor_reports_no_collision():
    take = shoot(Stage([Actor("a", Free(Body(Sphere(0.1)), (0, 0.1, 0))), FLOOR], gravity=DOWN), 1.0)
    assert take.events == ()


def test_fast_bodies_do_not_go_deep_into_a_wall():
    bullet = Actor("bullet", Free(Body(Sphere(0.05), 0.1), (-2, 0, 0), (20, 0, 0)))
    wall = Actor("wall", Still(Body(Box((0.4, 2, 2)))))
    take = shoot(Stage([bullet, wall]), 0.5, fps=500)
    assert take["bullet"].position[:, 0].max() < -0.2


@pytest.mark.parametrize("speed", [1.0, 3.0])
def test_sliding_body_stays_on_the_ground_and_stops_at_the_friction_distance(speed):
    crate = Actor("crate", Free(Body(Box(0.5), 10), (0, 0.25, 0), velocity=(speed, 0, 0)))
    take = shoot(Stage([FLOOR, crate], gravity=DOWN), 2.0, fps=100)
    positions = take["crate"].position
    assert positions[:, 1].max() < 0.251
    assert_allclose(positions[-1, 0], speed**2 / (2 * 0.5 * 9.81), rtol=0.02)


def test_crate_following_a_path_on_the_ground_does_not_hop_or_report_collisions():
    path = MotionPath([(0, 0.25, 0), (4, 0.25, 0)])
    take = shoot(Stage([FLOOR, Actor("crate", Follow(path, Body(Box(0.5), 10), within=0.4))], gravity=DOWN), 4.0)
    assert take["crate"].position[:, 1].max() < 0.251
    assert take.events == ()


def test_body_at_rest_on_a_slope_does_not_creep_down():
    slope = np.radians(20)
    normal = np.array([np.sin(slope), np.cos(slope), 0])
    box = Free(Body(Box(0.4), 5), tuple(0.2 * normal), orientation=Orientation.turned(-20, "z"))
    ramp = Actor("ramp", Still(Body(Plane(tuple(normal), 0))))
    positions = shoot(Stage([ramp, Actor("box", box)], gravity=DOWN), 4.0)["box"].position
    assert np.linalg.norm(positions[-1] - positions[0]) < 1e-3


def test_mesh_that_is_not_solid_is_refused_with_its_actor_and_file(tmp_path):
    file = tmp_path / "flat.obj"
    file.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    with pytest.raises(KeyposeError, match=r"Actor 'a' has the mesh '.*flat.obj', which is no solid: .* Give a closed"):
        shoot(
            Stage(
                [Actor("ball", Free(Body(Sphere(1)), (5, 0, 0))), Actor("a", Free(Body(Mesh(str(file))), (0, 0, 0)))]
            ),
            0.1,
        )
