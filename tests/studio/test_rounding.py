"""Do dragged places read well in the file, and stay exact where nothing was dragged?"""

import numpy as np
import pytest

from keypose import Actor, Key, Motion, MotionPath, Stage
from keypose.studio.edits import apply_edit
from keypose.studio.protocol import commands

PLACES = [(0, 0, 0), (-1, 0.1, 1 / 3), (4, 0, 0)]
RING = np.array([[0.0, 0.0], [1.0, 1 / 3], [0.5, 1.0]])
STAGE = Stage(
    [
        Actor("red", Motion(MotionPath(PLACES), duration=1.0)),
        Actor("blob", Motion(MotionPath([Key(RING), Key(RING + 1)]), duration=1.0)),
    ]
)
BY = (0.21030928621587, 0.2, 1e-17)  # as a view from the front has it


def key(kind, actor="red", index=1, **words):
    made, _ = apply_edit(STAGE, kind(id=1, actor=actor, **words))
    return made[actor].keys[index]


def test_a_dragged_key_comes_to_a_round_place_and_keeps_its_depth():
    moved = key(commands.MoveKeys, keys=(1,), by=BY, digits=3)
    assert moved.position.tolist() == [-0.79, 0.3, 1 / 3]


def test_what_is_moved_by_a_number_is_moved_exactly():
    assert key(commands.MoveKeys, keys=(1,), by=BY).position.tolist() == (np.array(PLACES[1]) + BY).tolist()


@pytest.mark.parametrize(("digits", "x"), [(-2, 1200), (0, 1235), (12, 1234.56789)])
def test_the_step_is_as_large_as_the_scene(digits, x):
    assert key(commands.MoveKeys, keys=(1,), by=(1235.56789, 0, 0), digits=digits).position[0] == x


def test_a_dragged_tangent_is_round_and_has_no_dust():
    dragged = key(commands.DragTangent, key=1, side="both", to=(0.123456, 2e-17, -0.00004), digits=3)
    assert dragged.arrive.tolist() == dragged.leave.tolist() == [0.123, 0, 0]


def test_a_dragged_point_is_round_and_the_others_are_as_they_were():
    moved = key(commands.MovePoints, "blob", 0, key=0, points=(1,), by=(0.123456, 0, 0), digits=2)
    assert moved.position.tolist() == [[0, 0], [1.12, 1 / 3], [0.5, 1]]


def test_a_drawing_is_drawn_in_round_numbers():
    drawn = [(0.12345, 0.5, 0), (1, 0.66666, 0), (0.5, 1, 0)]
    assert key(commands.DrawPoints, "blob", 0, key=0, places=tuple(drawn), digits=2).position.tolist() == [
        [0.12, 0.5],
        [1, 0.67],
        [0.5, 1],
    ]
