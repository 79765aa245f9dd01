"""Soft bodies give way, slide round what is in their way and come back to their shape (LG95 figure 3, curve 3)."""

import json
import subprocess
import sys

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from keypose import (
    Actor,
    Body,
    Box,
    Capsule,
    Figure,
    Follow,
    Free,
    Key,
    KeyposeError,
    LookAt,
    Motion,
    MotionPath,
    Orientation,
    Pin,
    Plane,
    Reach,
    Run,
    Sphere,
    Spring,
    Stage,
    Still,
    fields,
    load,
    save,
    shoot,
)
from keypose.maths import quaternion
from keypose.physics.values.soft_lattice import build_lattice
from tests.physics.replays import check_batch_stepping, check_rewinding, poses_after, same_poses

DOWN = (0, -9.81, 0)
FLOOR = Actor("floor", Still(Body(Plane())))
JELLY = Body(Sphere(0.3), 2.0, stiffness=500)
STRAIGHT = MotionPath([(0, 0, 0), (3, 0, 0)])
UPRIGHT = MotionPath([Key((0, 0, 0), orientation=(1, 0, 0, 0)), Key((3, 0, 0), orientation=(1, 0, 0, 0))])
POST = Actor("post", Still(Body(Capsule(0.15, 2.0)), (1.5, 0, 0.15)))


def relative_deformation(take, name, body):
    """How far the surface is from its rest shape at most in each frame, of its own size."""
    lattice, surface, pose = build_lattice(body.shape), take[f"{name}/skin"].position, take[name]
    offsets = surface - pose.position[:, None]
    local_points = np.stack(
        [
            quaternion.rotate(quaternion.conjugate(orientation), points)
            for orientation, points in zip(pose.orientation, offsets, strict=True)
        ]
    )
    rest_points = lattice.points[lattice.surface_indices]
    return np.linalg.norm(local_points - rest_points, axis=2).max(axis=1) / np.ptp(rest_points, axis=0).max()


def heights(take, name):
    return np.ptp(take[f"{name}/skin"].position[:, :, 1], axis=1)


# ---- how they move ---------------------------------------------------------------------------------------------------


def test_soft_ball_deforms_on_the_floor_and_recovers_in_the_air():
    ball = Body(Sphere(0.3), 2.0, stiffness=500, bounce=0.3)
    take = shoot(Stage([Actor("ball", Free(ball, (0, 0.35, 0), (0, -3, 0))), FLOOR]), 3.0)
    height = heights(take, "ball")
    assert height.min() < 0.8 * height[0]
    assert take["ball"].position[-1, 1] > 1.0
    assert_allclose(height[-1], height[0], rtol=0.01)
    assert relative_deformation(take, "ball", ball)[-1] < 0.01


def test_soft_ball_recovers_from_strong_compression():
    take = shoot(Stage([Actor("ball", Free(JELLY, (0, 0.35, 0), (0, -12, 0))), FLOOR]), 3.0)
    assert heights(take, "ball").min() < 0.4 * heights(take, "ball")[0]
    assert relative_deformation(take, "ball", JELLY)[-1] < 0.01


@pytest.mark.parametrize("shape", [Sphere(0.3), Box((0.5, 0.4, 0.6)), Capsule(0.2, 0.5)], ids=str)
def test_soft_body_rests_lower_than_a_rigid_one(shape):
    soft = Actor("soft", Free(Body(shape, 2.0, stiffness=2000), (0, 0.6, 0)))
    hard = Actor("hard", Free(Body(shape, 2.0), (3, 0.6, 0)))
    take = shoot(Stage([soft, hard, FLOOR], gravity=DOWN), 2.5)
    gap = take["hard"].position[-1, 1] - take["soft"].position[-1, 1]
    assert 0.002 < gap < 0.1
    assert take["soft/skin"].position[-1, :, 1].min() > -0.005


@pytest.mark.parametrize(("stiffness", "min_ratio", "max_ratio"), [(500, 0.7, 0.8), (50, 0.0, 0.15)])
def test_two_kilogram_ball_sags_by_a_quarter_at_500_pascals_and_lies_flat_at_50(stiffness, min_ratio, max_ratio):
    ball = Actor("ball", Free(Body(Sphere(0.3), 2.0, stiffness=stiffness), (0, 0.3, 0)))
    height = heights(shoot(Stage([ball, FLOOR], gravity=DOWN), 2.0), "ball")
    assert min_ratio * height[0] < height[-1] < max_ratio * height[0]


def test_soft_follower_deforms_at_a_post_passes_it_and_arrives_undeformed():
    take = shoot(Stage([Actor("ball", Follow(UPRIGHT, JELLY, within=0.4)), POST]), 4.0)
    deformation = relative_deformation(take, "ball", JELLY)
    assert deformation.max() > 0.08
    assert np.abs(take["ball"].position[:, 2]).max() > 0.03
    assert_allclose(take["ball"].position[-1], (3, 0, 0), atol=0.01)
    assert deformation[-1] < 0.01
    distances = np.linalg.norm(take["ball/skin"].position[:, :, [0, 2]] - (1.5, 0.15), axis=2)
    assert distances.min() > 0.15 - 0.03


def test_stiffer_body_deforms_less():
    deformations = []
    for stiffness in (500, 3000, 20000):
        ball = Body(Sphere(0.3), 2.0, stiffness=stiffness)
        deformations.append(
            relative_deformation(
                shoot(Stage([Actor("ball", Follow(UPRIGHT, ball, within=0.4)), POST]), 2.0), "ball", ball
            ).max()
        )
    assert deformations[0] > 1.5 * deformations[1] > 2.25 * deformations[2]


def test_soft_follower_moves_like_a_rigid_one_and_compensates_its_weight():
    parallel_path = MotionPath([(0, 0, 5), (3, 0, 5)])
    soft, hard = Follow(STRAIGHT, JELLY, within=0.4), Follow(parallel_path, Body(Sphere(0.3), 2.0), within=0.4)
    stage = Stage([Actor("soft", soft), Actor("hard", hard)], gravity=DOWN)
    take = shoot(stage, 4.0)
    assert_allclose(take["soft"].position, take["hard"].position - (0, 0, 5), atol=0.005)


def test_a_soft_follower_turns_with_its_path():
    orientation = Orientation.turned(90, "y")
    path = MotionPath([Key((0, 0, 0), orientation=(1, 0, 0, 0)), Key((2, 0, 0), orientation=orientation)])
    brick = Body(Box((0.6, 0.3, 0.3)), 2.0, stiffness=2000)
    take = shoot(Stage([Actor("brick", Follow(path, brick, within=0.4))]), 4.0)
    assert_allclose(np.abs(take["brick"].orientation[-1] @ orientation.wxyz), 1.0, atol=1e-3)
    assert relative_deformation(take, "brick", brick)[-1] < 0.01


def test_soft_body_keeps_its_initial_velocity_and_spin():
    actor = Actor("a", Free(Body(Box((0.4, 0.2, 0.3)), stiffness=5000), (0, 0, 0), (1, 2, 0), spin=(0, 90, 0)))
    take = shoot(Stage([actor]), 1.0)
    assert_allclose(take["a"].position[-1], (1, 2, 0), atol=1e-6)
    assert_allclose(np.abs(take["a"].orientation[-1] @ Orientation.turned(90, "y").wxyz), 1.0, atol=1e-4)


def test_fast_spin_stretches_a_soft_body():
    ball = Body(Sphere(0.3), 2.0, stiffness=500)
    take = shoot(Stage([Actor("a", Free(ball, (0, 0, 0), spin=(0, 400, 0)))]), 1.0)
    width, _, _ = np.ptp(take["a/skin"].position[-1], axis=0)
    assert width > 1.05 * np.ptp(take["a/skin"].position[-1, :, 1])


def test_collision_of_soft_and_rigid_bodies_conserves_momentum():
    soft = Actor("soft", Free(Body(Sphere(0.3), 2.0, stiffness=5000), (-0.5, 0, 0), (2, 0, 0)))
    hard = Actor("hard", Free(Body(Sphere(0.3), 1.0), (0.4, 0.05, 0), (-1, 0, 0)))
    other = Actor("other", Free(Body(Sphere(0.2), 1.0, stiffness=900), (1.2, 0, 0), (-1, 0, 0)))
    take = shoot(Stage([soft, hard, other]), 2.0)
    velocities = {
        name: (take[name].position[-1] - take[name].position[-2]) * take.fps for name in ("soft", "hard", "other")
    }
    assert_allclose(2 * velocities["soft"] + velocities["hard"] + velocities["other"], (2, 0, 0), atol=1e-3)
    assert {frozenset((event.actor, event.other)) for event in take.events} >= {
        frozenset(("soft", "hard")),
        frozenset(("hard", "other")),
    }


def test_kinematic_body_pushes_a_soft_body():
    paddle = Actor("paddle", Motion(MotionPath([(-2, 0, 0), (2, 0, 0)]), duration=2.0), body=Body(Box((0.2, 1, 1))))
    take = shoot(Stage([paddle, Actor("ball", Free(JELLY, (0, 0, 0)))]), 2.5)
    assert_allclose(take["paddle"].position, paddle.motion.at(take.times).position)
    assert take["ball"].position[-1, 0] > 1.5


@pytest.mark.parametrize("bounce", [0.3, 0.5, 0.7])
def test_rigid_bodies_keep_their_bounce_on_a_stage_with_a_soft_body(bounce):
    ball, jelly = Body(Sphere(0.1), bounce=bounce), Actor("jelly", Free(JELLY, (5, 0.3, 0)))
    take = shoot(Stage([Actor("a", Free(ball, (0, 1.1, 0))), jelly, FLOOR], gravity=DOWN), 1.5, fps=500)
    height = take["a"].position[:, 1]
    rebound_frame = int(np.flatnonzero(np.diff(height) > 0)[0])
    assert_allclose(np.sqrt(height[rebound_frame:].max() - 0.1), bounce, atol=0.05)


# ---- what is told and taken ------------------------------------------------------------------------------------------


def test_take_has_the_centre_and_the_surface_of_a_soft_body():
    take = shoot(Stage([Actor("ball", Free(JELLY, (0, 1, 0))), FLOOR], gravity=DOWN), 0.5)
    frames = len(take.times)
    assert list(take.poses) == ["ball", "ball/skin", "floor"]
    assert take["ball"].position.shape == (frames, 3)
    assert take["ball/skin"].position.shape == (frames, 218, 3)
    assert_array_equal(take["ball/skin"].orientation, np.tile([1.0, 0, 0, 0], (frames, 1)))
    assert_allclose(np.linalg.norm(take["ball/skin"].position[0] - (0, 1, 0), axis=1), 0.297)


def test_collision_of_a_soft_body_is_reported_once_with_place_and_speed():
    take = shoot(Stage([Actor("ball", Free(JELLY, (0, 1.3, 0))), FLOOR], gravity=DOWN), 1.0)
    (collision, *later_events) = take.events
    assert (collision.actor, collision.other) == ("ball", "floor")
    assert_allclose(collision.time, np.sqrt(2 / 9.81), atol=0.01)
    assert_allclose(collision.speed, np.sqrt(2 * 9.81), rtol=0.02)
    assert_allclose(collision.place, (0, 0, 0), atol=0.02)
    assert all(event.time > collision.time + 0.2 for event in later_events)


def test_stuck_soft_body_reports_its_obstacle():
    wall = Actor("wall", Still(Body(Box((0.2, 4, 4))), (1.5, 0, 0)))
    take = shoot(Stage([Actor("ball", Follow(STRAIGHT, JELLY, within=0.4)), wall]), 3.0)
    warning = next(event for event in take.events if event.kind == "warning")
    assert warning.actor == "ball"
    assert "'wall' (" in warning.text
    assert take["ball/skin"].position[-1, :, 0].max() < 1.41


def test_lost_soft_body_is_named():
    actor = Actor("wild", Free(JELLY, (0, 0, 0), (9.9e5, 0, 0)))
    run = Run(Stage([Actor("calm", Free(JELLY, (5, 5, 5))), actor]))
    with pytest.raises(KeyposeError, match=r"body of 'wild' is lost at [\d.]+ s"):
        poses_after(run, 5000)
    assert np.isfinite(run.poses["wild/skin"].position).all()


# ---- played again ----------------------------------------------------------------------------------------------------


def scene(stiffness=500):
    path = MotionPath([(0, 0.31, 0), (3, 0.31, 0)])
    jelly = Body(Sphere(0.3), 2.0, stiffness=stiffness)
    return Stage(
        [
            Actor("ball", Follow(path, jelly, within=0.4)),
            Actor("brick", Free(Body(Box(0.4), 1.0, stiffness=3000), (0.9, 1.0, 0.1), spin=(40, 90, 10))),
            Actor("stone", Free(Body(Sphere(0.1), 1.0, bounce=0.5), (1.2, 0.5, 0.1))),
            FLOOR,
        ],
        gravity=DOWN,
    )


def test_rewind_with_soft_bodies_is_bitwise_identical():
    run = Run(scene())
    assert "ball/skin" in run.poses
    check_rewinding(run, 300, 0.45, 0.111, 0.0)


def test_batch_steps_of_soft_bodies_are_bitwise_identical_to_single_ticks():
    check_batch_stepping(scene(), 0.6, "ball", "ball/skin", "brick/skin", "stone")


def test_soft_bodies_replay_bitwise_identically_in_fresh_processes():
    code = """
import json, hashlib
from tests.physics.test_soft import scene
from keypose import shoot
take = shoot(scene(), 0.8)
told = b"".join(pose.position.tobytes() + pose.orientation.tobytes() for pose in take.poses.values())
print(json.dumps([hashlib.sha256(told).hexdigest(), len(take.events)]))
"""
    outputs = [
        json.loads(subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout)
        for _ in range(2)
    ]
    assert outputs[0] == outputs[1]


def test_saved_scene_with_soft_bodies_is_shot_again_bitwise_identically(tmp_path):
    save(scene(), tmp_path / "soft.json")
    loaded = load(tmp_path / "soft.json")
    assert loaded == scene()
    one, two = shoot(scene(), 0.4), shoot(loaded, 0.4)
    assert_array_equal(one["ball/skin"].position, two["ball/skin"].position)
    assert "skin" not in (tmp_path / "soft.json").read_text(encoding="utf-8")


def test_changed_soft_body_keeps_its_pose():
    run = Run(scene())
    for _ in range(250):
        run.tick()
    poses_before = run.poses
    run.change("brick", Free(Body(Box(0.4), 5.0, stiffness=9000), (0.9, 1.0, 0.1)))
    assert same_poses(run.poses, poses_before)
    run.change("brick", Free(Body(Box(0.4), 5.0), (0.9, 1.0, 0.1)))
    assert_allclose(run.poses["brick"].position, poses_before["brick"].position, atol=1e-12)
    assert "brick/skin" not in run.poses
    run.change("stone", Free(Body(Sphere(0.1), 1.0, stiffness=1e5), (1.2, 0.5, 0.1)))
    assert_allclose(run.poses["stone"].position, poses_before["stone"].position, atol=1e-12)
    assert run.poses["stone/skin"].position.shape == (218, 3)
    run.tick()


def test_stage_without_soft_bodies_uses_the_default_integrator():
    from keypose.physics.engine.engine import Engine
    from keypose.physics.engine.model_spec import BodySpec

    engine = Engine([BodySpec("a", Body(Sphere(0.1)), (0, 0, 0), (1, 0, 0, 0))], DOWN, 0.002)
    assert engine._model.opt.integrator == 0


# ---- what cannot be soft ---------------------------------------------------------------------------------------------


def test_only_a_spring_may_connect_a_soft_body():
    ball = Actor("ball", Free(JELLY, (0, 1, 0)))
    with pytest.raises(KeyposeError, match=r"A pin holds 'ball', who is soft\. Use a spring"):
        Stage([ball], connections=[Pin("ball")])
    with pytest.raises(KeyposeError, match=r"A spring holds 'ball/skin', .* Name the body itself, 'ball'\."):
        Stage([ball], connections=[Spring("ball/skin", stiffness=10.0)])
    take = shoot(Stage([ball], connections=[Spring("ball", stiffness=200.0, damping=20.0)], gravity=DOWN), 3.0)
    assert take["ball"].position[-1, 1] == pytest.approx(1 - 2 * 9.81 / 200, abs=0.05)


PATH_TO_SURFACE = MotionPath([(0, 2, 0), Key((0, 0.5, 0), relative_to="ball/skin", pin=False)])
SURFACE_FIELD = fields.Attractor(2.0).carried_by("ball/skin")
STONE = Body(Sphere(0.1))


@pytest.mark.parametrize(
    ("actor_options", "options"),
    [
        ({"mover": Follow(PATH_TO_SURFACE, STONE, within=0.2)}, {}),
        ({}, {"connections": [Reach("a", PATH_TO_SURFACE, within=0.2)]}),
        ({}, {"connections": [Reach("a", "ball/skin", within=0.2)]}),
        ({}, {"connections": [Reach("ball/skin", STRAIGHT, within=0.2)]}),
        ({"mover": Free(STONE, (0, 3, 0), senses={SURFACE_FIELD: 1.0})}, {}),
        ({"mover": Free(STONE, (0, 3, 0), senses={"glow": 1.0})}, {"fields": {"glow": SURFACE_FIELD}}),
    ],
)
def test_surface_name_is_refused_in_place_of_its_body(actor_options, options):
    ball, mover = Actor("ball", Free(JELLY, (0, 1, 0))), actor_options.get("mover", Free(STONE, (0, 3, 0)))
    with pytest.raises(KeyposeError, match=r"'ball/skin', .*surface of a soft body\. Name the body itself, 'ball'\."):
        Stage([ball, Actor("a", mover)], **options)


def test_refused_surface_name_is_located():
    with pytest.raises(KeyposeError) as error:
        Stage([Actor("ball", Free(JELLY, (0, 1, 0))), Actor("a", Follow(PATH_TO_SURFACE, STONE, within=0.2))])
    assert error.value.at == ("actors", 1, "mover", "path")


def test_surface_as_parent_target_or_carrier_stands_for_its_centre():
    ball = Actor("ball", Free(JELLY, (0, 1, 0), (1, 0, 0)))
    motion = Motion(MotionPath([(0, 2, 0), (0, 3, 0)]), duration=1.0)
    takes = [
        shoot(
            Stage(
                [
                    ball,
                    Actor("hat", motion, parent=name),
                    Actor("eye", motion, facing=LookAt(name)),
                    Actor("late", Motion(MotionPath([(0, 2, 0), Key((0, 1, 0), relative_to=name)]), duration=1.0)),
                ]
            ),
            0.5,
        )
        for name in ("ball", "ball/skin")
    ]
    for name in ("hat", "eye", "late"):
        assert_allclose(takes[1][name].position, takes[0][name].position, atol=1e-9)
        assert_allclose(takes[1][name].orientation, takes[0][name].orientation, atol=1e-9)


def test_group_of_soft_bodies_is_sensed_without_surfaces():
    def positions_with(*names):
        soft_actors = [Actor(f"flock/{number}", Free(JELLY, (2.0 * number, 1, 0))) for number in (1, 2)]
        senses = {fields.Attractor(2.0).carried_by(name): 1.0 for name in names}
        return shoot(Stage([*soft_actors, Actor("a", Free(STONE, (0, 3, 0), senses=senses))]), 0.2)["a"].position

    assert_allclose(positions_with("flock/*"), positions_with("flock/1", "flock/2"), atol=1e-9)


def test_the_parts_of_a_figure_are_rigid():
    with pytest.raises(KeyposeError, match=r"root of a figure has a body with stiffness=500"):
        Figure(JELLY, [])
