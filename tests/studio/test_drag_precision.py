"""Do dragged places read well in the file, and stay exact where nothing was dragged?"""

import numpy as np
import pytest

from keypose import Actor, Key, Motion, MotionPath, Stage
from keypose.studio.edits.apply import apply_edit
from keypose.studio.protocol import commands

POSITIONS = [(0, 0, 0), (-1, 0.1, 1 / 3), (4, 0, 0)]
RING = np.array([[0.0, 0.0], [1.0, 1 / 3], [0.5, 1.0]])
STAGE = Stage(
    [
        Actor("red", Motion(MotionPath(POSITIONS), duration=1.0)),
        Actor("blob", Motion(MotionPath([Key(RING), Key(RING + 1)]), duration=1.0)),
    ]
)
BY = (0.21030928621587, 0.2, 1e-17)  # as a view from the front has it


def edited_key(kind, actor="red", index=1, **options):
    edited, _ = apply_edit(STAGE, kind(id=1, actor=actor, **options))
    return edited[actor].keys[index]


def test_dragged_key_is_rounded_and_keeps_its_depth():
    moved = edited_key(commands.MoveKeys, keys=(1,), by=BY, digits=3)
    assert moved.position.tolist() == [-0.79, 0.3, 1 / 3]


def test_move_without_digits_is_exact():
    assert edited_key(commands.MoveKeys, keys=(1,), by=BY).position.tolist() == (np.array(POSITIONS[1]) + BY).tolist()


@pytest.mark.parametrize(("digits", "x"), [(-2, 1200), (0, 1235), (12, 1234.56789)])
def test_drag_precision_step_scales_with_the_scene(digits, x):
    assert edited_key(commands.MoveKeys, keys=(1,), by=(1235.56789, 0, 0), digits=digits).position[0] == x


def test_dragged_tangent_is_rounded_without_residue():
    dragged = edited_key(commands.DragTangent, key=1, side="both", to=(0.123456, 2e-17, -0.00004), digits=3)
    assert dragged.arrive.tolist() == dragged.leave.tolist() == [0.123, 0, 0]


def test_dragged_point_is_rounded_and_the_others_stay():
    moved = edited_key(commands.MovePoints, "blob", 0, key=0, points=(1,), by=(0.123456, 0, 0), digits=2)
    assert moved.position.tolist() == [[0, 0], [1.12, 1 / 3], [0.5, 1]]


def test_redrawn_points_are_rounded():
    positions = [(0.12345, 0.5, 0), (1, 0.66666, 0), (0.5, 1, 0)]
    assert edited_key(commands.DrawPoints, "blob", 0, key=0, places=tuple(positions), digits=2).position.tolist() == [
        [0.12, 0.5],
        [1, 0.67],
        [0.5, 1],
    ]
