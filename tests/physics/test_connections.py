"""What holds bodies together: springs, pins, hinges and ball joints between actors."""

import re

import numpy as np
import pytest

from keypose import (
    Actor,
    Ball,
    Body,
    Box,
    Figure,
    Follow,
    Free,
    Hinge,
    Key,
    KeyposeError,
    Link,
    Motion,
    MotionPath,
    Pin,
    Run,
    Sphere,
    Spring,
    Stage,
    Still,
    load,
    save,
    shoot,
)
from keypose.document.problems import SceneError
from keypose.document.scene import read
from keypose.maths import quaternion

BALL = Body(Sphere(0.1), mass=2.0)
DOWN = (0, -9.81, 0)


def test_body_on_a_spring_oscillates_with_the_period_of_its_mass_and_stiffness():
    ball = Actor("ball", Free(BALL, (0, 1, 0), (1, 0, 0)))
    x = shoot(Stage([ball], connections=[Spring("ball", stiffness=50, length=0)]), 3, 500)["ball"].position[:, 0]
    assert np.argmax(x) / 500 == pytest.approx(2 * np.pi * np.sqrt(2 / 50) / 4, rel=0.01)
    assert x.max() == pytest.approx(np.sqrt(2 / 50), rel=0.01)


def test_spring_between_two_bodies_does_not_accelerate_their_centre_of_mass():
    actors = [Actor("a", Free(BALL, (0, 0, 0), (0, 1, 0))), Actor("b", Free(Body(Sphere(0.1), 1.0), (1, 0, 0)))]
    take = shoot(Stage(actors, connections=[Spring("a", "b", stiffness=80, damping=1, length=0.6)]), 2)
    centre_of_mass = (2 * take["a"].position + take["b"].position) / 3
    expected = centre_of_mass[0] + take.times[:, None] * np.array([0, 2 / 3, 0])
    assert np.abs(centre_of_mass - expected).max() < 1e-3


def test_spring_attached_off_centre_rotates_a_body():
    crate = Actor("crate", Free(Body(Box(0.5)), (0, 0, 0)))
    spring = Spring("crate", stiffness=20, at=(0.25, 0, 0), to_at=(0.25, 1, 0), length=0.2)
    orientation = shoot(Stage([crate], connections=[spring]), 0.3)["crate"].orientation[-1]
    assert orientation[3] > 0.01


def tilt_with_offset_load(load_mass, shape, joint=Ball, offset=0.2, drop=0.0):
    """How far a follower of 1 kg that faces ahead is tilted [degrees] by what has hung beside its middle for 8 s."""
    keys = [Key((0, 2, 0), orientation=(1, 0, 0, 0))] * 2
    box = Actor("box", Follow(MotionPath(keys), Body(shape), within=0.4))
    ball = Actor("ball", Free(Body(Sphere(0.05), load_mass), (offset, 2 - drop, 0)))
    connections = [joint("ball", "box", **({"at": (offset, 2, 0)} if joint is Ball else {}))]
    orientation = shoot(Stage([box, ball], connections=connections, gravity=DOWN), 8)["box"].orientation[-1]
    return np.degrees(np.linalg.norm(quaternion.log(orientation)))


@pytest.mark.parametrize("joint", [Ball, Pin])
@pytest.mark.parametrize("shape", [Box(0.3), Box(0.4), Box((0.6, 0.1, 0.3)), Sphere(0.2)], ids=repr)
def test_load_attached_off_centre_does_not_tilt_a_follower(shape, joint):
    assert tilt_with_offset_load(1.0, shape, joint) < 0.1
    if joint is Ball:
        assert tilt_with_offset_load(1.0, shape, joint, drop=0.5) < 1, "though it swings"


def test_load_pinned_far_below_a_follower_does_not_swing_for_ever():
    assert tilt_with_offset_load(0.3, Box(0.3), Pin, offset=0.1, drop=1.0) < 3


def test_a_very_stiff_spring_does_not_explode():
    ball = Actor("ball", Free(Body(Sphere(0.1), 1e-3), (0, 1, 0), (1, 0, 0)))
    take = shoot(Stage([ball], connections=[Spring("ball", stiffness=1e8, damping=1e3, length=0)]), 1)
    assert np.abs(take["ball"].position - (0, 1, 0)).max() < 0.01


def test_pinned_bodies_move_as_one():
    actors = [Actor("a", Free(BALL, (0, 2, 0), (1, 3, 0), spin=(0, 0, 90))), Actor("b", Free(BALL, (0.5, 2, 0)))]
    take = shoot(Stage(actors, connections=[Pin("a", "b")], gravity=DOWN), 1)
    relative_position = quaternion.rotate(
        quaternion.conjugate(take["a"].orientation), take["b"].position - take["a"].position
    )
    assert np.abs(relative_position - (0.5, 0, 0)).max() < 0.01


def test_body_pinned_to_a_motion_moves_with_it_also_after_a_change():
    wagon = Actor("wagon", Motion(MotionPath([(0, 0, 0), (2, 0, 0)]), duration=2.0), body=Body(Box(0.3)))
    stage = Stage([wagon, Actor("load", Free(BALL, (0, 0.4, 0)))], connections=[Pin("load", "wagon")], gravity=DOWN)
    take = shoot(stage, 2)
    assert np.abs(take["load"].position - take["wagon"].position - (0, 0.4, 0)).max() < 0.02
    run = Run(stage)
    while run.time < 1.0:
        run.tick()
    run.change(gravity=(0, -5, 0))
    while run.time < 1.9:
        run.tick()
    offset = run.poses["load"].position - run.poses["wagon"].position
    assert np.abs(offset - (0, 0.4, 0)).max() < 0.02


def test_door_on_a_hinge_rotates_only_about_its_axis():
    door = Actor("door", Free(Body(Box((1, 2, 0.05))), (0.5, 1, 0), (0, 0, 1)))
    take = shoot(Stage([door], connections=[Hinge("door", at=(0, 1, 0), axis="y")], gravity=DOWN), 2)
    edge = take["door"].position + quaternion.rotate(take["door"].orientation, np.array([-0.5, 0, 0]))
    assert np.abs(edge - (0, 1, 0)).max() < 0.02
    assert np.abs(take["door"].position[:, 2]).max() > 0.3


def test_ball_joint_keeps_two_bodies_at_a_common_point():
    actors = [Actor("post", Still(BALL, (0, 2, 0))), Actor("bob", Free(BALL, (0.5, 2, 0), (0, 0, 1)))]
    take = shoot(Stage(actors, connections=[Ball("bob", "post", at=(0, 2, 0))], gravity=DOWN), 2)
    assert np.abs(np.linalg.norm(take["bob"].position - (0, 2, 0), axis=1) - 0.5).max() < 0.02


def test_connected_bodies_do_not_collide():
    actors = [Actor("a", Free(BALL, (0, 0, 0))), Actor("b", Free(BALL, (0.1, 0, 0)))]
    assert not shoot(Stage(actors, connections=[Pin("a", "b")]), 0.5).events


def test_follower_drags_the_load_jointed_to_it():
    path = MotionPath([(0, 2, 0), (3, 2, 0)])
    stage = Stage(
        [Actor("hook", Follow(path, BALL, within=0.2)), Actor("load", Free(BALL, (0, 1, 0)))],
        connections=[Ball("load", "hook", at=(0, 2, 0))],
        gravity=DOWN,
    )
    take = shoot(stage, 6)
    assert np.linalg.norm(take["hook"].position[-1] - (3, 2, 0)) < 0.05
    assert take["load"].position[-1, 0] > 2.5


def test_saved_connections_are_shot_again_bitwise_identically(tmp_path):
    actors = [Actor("a", Free(BALL, (0, 2, 0), (1, 0, 0))), Actor("b", Free(BALL, (0.5, 2, 0)))]
    connections = [Spring("a", stiffness=30, at=(0, 2.1, 0), damping=0.5), Ball("b", "a", at=(0.25, 2, 0))]
    stage = Stage(actors, connections=connections, gravity=DOWN)
    save(stage, tmp_path / "held.json")
    loaded = load(tmp_path / "held.json")
    assert loaded == stage
    assert (shoot(loaded, 0.5)["b"].position == shoot(stage, 0.5)["b"].position).all()


STILL_ACTORS = [Actor("post", Still(BALL)), Actor("wall", Still(BALL, (1, 0, 0))), Actor("ball", Free(BALL, (2, 0, 0)))]
IMMOVABLE_CONNECTIONS = {
    "a pin": (Pin("post", "wall"), "A pin holds 'post' to 'wall', and both stand still. Leave that out, or let one of"),
    "a pin to the world": (Pin("post"), "A pin holds 'post' to the world, and it stands still already. Leave that out"),
    "a hinge": (Hinge("wall", "post", at=(0, 0, 0)), "A hinge holds 'wall' to 'post', and both stand still"),
    "a ball": (Ball("wall", at=(0, 0, 0)), "A ball holds 'wall' to the world, and it stands"),
    "a spring": (Spring("wall", "post", stiffness=3), "A spring holds 'wall' to 'post', and both stand still"),
}


@pytest.mark.parametrize("case", IMMOVABLE_CONNECTIONS)
def test_connection_between_immovable_bodies_is_refused_at_construction(case):
    connection, message = IMMOVABLE_CONNECTIONS[case]
    with pytest.raises(KeyposeError, match=message) as error:
        Stage(STILL_ACTORS, connections=[Pin("ball", "wall"), connection])
    assert error.value.at[:2] == ("connections", 1)


def test_root_of_a_held_figure_counts_as_immovable_and_its_links_do_not():
    arm = Figure(BALL, [Ball(Link("hand", BALL, (0, 1, 0)), at=(0, 0.5, 0))], position=(0, 2, 0), held=True)
    Stage([*STILL_ACTORS, Actor("arm", arm)], connections=[Pin("arm/hand", "post")])
    with pytest.raises(KeyposeError, match="A pin holds 'arm' to 'post', and both stand still"):
        Stage([*STILL_ACTORS, Actor("arm", arm)], connections=[Pin("arm", "post")])


def test_scene_check_reports_a_connection_between_immovable_bodies(tmp_path):
    save(Stage(STILL_ACTORS, connections=[Pin("ball", "wall")]), tmp_path / "a.json")
    text = re.sub(r'("link": )"ball"', r'\1"post"', (tmp_path / "a.json").read_text())
    with pytest.raises(SceneError) as error:
        read(text.encode())
    (problem,) = error.value.problems
    assert problem.path == "connections[0]"
    assert "both stand still" in problem.text


def test_change_that_makes_a_connection_immovable_is_refused_and_the_run_continues():
    run = Run(Stage(STILL_ACTORS, connections=[Pin("ball", "wall")]))
    run.tick()
    with pytest.raises(KeyposeError, match="A pin holds 'ball' to 'wall', and both stand still"):
        run.change("ball", Still(BALL, (2, 0, 0)))
    assert isinstance(run.stage["ball"].mover, Free)
    run.tick()
