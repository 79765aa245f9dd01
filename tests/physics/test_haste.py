"""Are steps made smaller wherever bodies meet so fast that they would go deep into each other?"""

import numpy as np
import pytest

from keypose import Actor, Body, Box, Free, Mesh, Motion, MotionPath, Orientation, Run, Sphere, Stage, Still
from keypose.curves.key_columns import Key

BULLET = Actor("bullet", Free(Body(Sphere(0.05)), (0, 0, 0), (20, 0, 0)))
WALL = Actor("wall", Still(Body(Box((0.2, 2, 2))), (1, 0, 0)))
TETRAHEDRON = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"


def halved(stage, seconds=0.2):
    """How often steps were halved at most."""
    run, most = Run(stage), 0
    (company,) = stage.systems
    while run.time < seconds:
        run.tick()
        most = max(most, run._moment.system_states[company].state.substeps[0])
    return most


def test_a_bullet_that_meets_a_wall_takes_smaller_steps():
    assert halved(Stage([BULLET, WALL])) > 0


def test_a_mesh_that_does_not_turn_makes_no_difference_to_that(tmp_path):
    file = tmp_path / "stone.obj"
    file.write_text(TETRAHEDRON)
    stone = Actor("stone", Free(Body(Mesh(str(file))), (0, 50, 0)))
    assert halved(Stage([BULLET, WALL, stone])) == halved(Stage([BULLET, WALL]))


def test_how_large_a_mesh_is_is_read_from_its_file(tmp_path):
    file = tmp_path / "stone.obj"
    file.write_text(TETRAHEDRON)
    stage = Stage(
        [
            Actor("stone", Free(Body(Mesh(str(file), 3.0)), (0, 0, 0))),
            Actor("ball", Free(Body(Sphere(9.0)), (50, 0, 0))),
        ]
    )
    (company,) = stage.systems.values()
    Run(stage)
    engine = company._local.engine
    small, large = engine.half_widths
    assert 0.5 < small < 1.5
    assert large == 9.0
    assert engine.max_bounding_radius >= 9.0


def test_a_long_paddle_that_a_motion_turns_is_as_fast_as_its_tip():
    turns = [Key((0, 0, 0), orientation=Orientation.turned(angle, "z")) for angle in (0, 120, 240)]
    paddle = Actor("paddle", Motion(MotionPath(turns), duration=0.4), body=Body(Box((6, 0.2, 0.2))))
    ball = Actor("ball", Free(Body(Sphere(0.1)), (2.6, 1.2, 0)))
    assert halved(Stage([paddle, ball]), 0.4) > 0


@pytest.mark.parametrize("far", [0.0, 3.0])
def test_the_tip_of_a_spinning_body_counts_however_little_its_middle_moves(far):
    from keypose.physics.engine.kernels import max_point_speed

    going = np.array([[1.0, 0, 0, 0, 0, 2.0]])
    assert max_point_speed(going, far) == 1.0 + 2.0 * far
