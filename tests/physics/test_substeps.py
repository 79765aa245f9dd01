"""Are steps made smaller wherever bodies meet so fast that they would go deep into each other?"""

import numpy as np
import pytest

from keypose import Actor, Body, Box, Free, Mesh, Motion, MotionPath, Orientation, Run, Sphere, Stage, Still
from keypose.curves.key_columns import Key

BULLET = Actor("bullet", Free(Body(Sphere(0.05)), (0, 0, 0), (20, 0, 0)))
WALL = Actor("wall", Still(Body(Box((0.2, 2, 2))), (1, 0, 0)))
TETRAHEDRON = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"


def max_substep_level(stage, seconds=0.2):
    """How often steps were halved at most."""
    run, max_level = Run(stage), 0
    (system,) = stage.resolved.systems
    while run.time < seconds:
        run.tick()
        max_level = max(max_level, run.moment.system_states[system].state.substeps[0])
    return max_level


def test_bullet_hitting_a_wall_takes_smaller_steps():
    assert max_substep_level(Stage([BULLET, WALL])) > 0


def test_mesh_without_rotation_does_not_change_the_substep_level(tmp_path):
    file = tmp_path / "stone.obj"
    file.write_text(TETRAHEDRON)
    stone = Actor("stone", Free(Body(Mesh(str(file))), (0, 50, 0)))
    assert max_substep_level(Stage([BULLET, WALL, stone])) == max_substep_level(Stage([BULLET, WALL]))


def test_size_of_a_mesh_is_read_from_its_file(tmp_path):
    file = tmp_path / "stone.obj"
    file.write_text(TETRAHEDRON)
    stage = Stage(
        [
            Actor("stone", Free(Body(Mesh(str(file), 3.0)), (0, 0, 0))),
            Actor("ball", Free(Body(Sphere(9.0)), (50, 0, 0))),
        ]
    )
    (system,) = stage.resolved.systems.values()
    Run(stage)
    engine = system.engines.engine(None)  # built before
    small, large = engine.half_widths
    assert 0.5 < small < 1.5
    assert large == 9.0
    assert engine.max_bounding_radius >= 9.0


def test_substeps_follow_the_tip_speed_of_a_rotating_keyed_paddle():
    keys = [Key((0, 0, 0), orientation=Orientation.turned(angle, "z")) for angle in (0, 120, 240)]
    paddle = Actor("paddle", Motion(MotionPath(keys), duration=0.4), body=Body(Box((6, 0.2, 0.2))))
    ball = Actor("ball", Free(Body(Sphere(0.1)), (2.6, 1.2, 0)))
    assert max_substep_level(Stage([paddle, ball]), 0.4) > 0


@pytest.mark.parametrize("radius", [0.0, 3.0])
def test_max_point_speed_includes_angular_velocity_times_radius(radius):
    from keypose.physics.engine.kernels import max_point_speed

    velocity = np.array([[1.0, 0, 0, 0, 0, 2.0]])
    assert max_point_speed(velocity, radius) == 1.0 + 2.0 * radius
