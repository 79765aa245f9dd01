"""What is steered by fields is linked, said otherwise, and begins elsewhere: one, or a whole flock at once."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from keypose import fields, shoot
from keypose.studio.protocol import commands
from tests.studio.edit_calls import do, refused
from tests.studio.scenes import field_stage


@pytest.fixture
def stage():
    return field_stage()


def test_links_are_made_changed_and_cut(stage):
    edited, label = do(stage, commands.LinkActors, actors=("leaf",), field="whirl", affinity=1.0)
    assert edited["leaf"].mover.senses["whirl"] == 1
    assert label == "link leaf to whirl"
    edited, label = do(edited, commands.LinkActors, actors=("leaf",), field="wind", affinity=0.25)
    assert next(iter(edited["leaf"].mover.senses.items())) == ("wind", 0.25), "a link keeps its place among the others"
    assert label == "affinity of leaf to wind"
    edited, label = do(edited, commands.LinkActors, actors=("leaf", "letter"), field="wind", affinity=None)
    assert "wind" not in edited["leaf"].mover.senses
    assert "wind" not in edited["letter"].mover.senses
    assert label == "cut the link of 2 actors to wind"


def test_link_with_its_own_tracker_is_added_and_cut(stage):
    follow = {"kind": "keep_offset", "target": "cup"}
    edited, label = do(stage, commands.LinkActors, actors=("leaf",), field=follow, affinity=0.3)
    assert edited["leaf"].mover.senses[fields.KeepOffset("cup")] == 0.3
    assert label == "link leaf: keeps its offset to cup"
    cut, _ = do(edited, commands.LinkActors, actors=("leaf",), field=follow, affinity=None)
    assert cut == stage


@pytest.mark.parametrize(("actors", "field", "affinity", "reason"), [
    (("leaf",), "wind", 1.5, "affinity"),
    (("leaf",), "wind", -0.1, "affinity"),
    (("leaf",), "wihrl", 1.0, "Did you mean 'whirl'?"),
    (("leaf",), "whirl", None, "There is no link of leaf to whirl. Nothing to cut."),
    (("leaf",), {"kind": "keep_offset", "target": "leaf"}, 1.0, "leaf"),
    (("leaf", "red"), "wind", 1.0, "Actor 'red' is not pushed by fields."),
    (("lief",), "wind", 1.0, "Did you mean 'leaf'?"),
])  # fmt: skip
def test_invalid_link_is_refused(stage, actors, field, affinity, reason):
    assert reason in refused(stage, commands.LinkActors, actors=actors, field=field, affinity=affinity)


def test_dynamic_spline_options_are_changed_for_one_or_many(stage):
    edited, label = do(stage, commands.SetSplines, actors=("leaf",), changes={"friction": 0.5})
    assert edited["leaf"].mover.friction == 0.5
    assert edited["leaf"].mover.senses == stage["leaf"].mover.senses
    assert label == "friction of leaf"
    edited, label = do(
        stage, commands.SetSplines, actors=("leaf", "letter"), changes={"velocity": [0, 1, 0], "friction": 1}
    )
    assert edited["letter"].mover.velocity.tolist() == [[0, 1, 0]] * 3
    assert label == "velocity and friction of 2 actors"
    edited, _ = do(edited, commands.SetSplines, actors=("leaf", "letter"), changes={"velocity": None, "friction": None})
    assert not edited["leaf"].mover.velocity.any()
    assert edited["letter"].mover.friction == 0
    edited, _ = do(stage, commands.SetSplines, actors=("leaf",), changes={"position": [1, 2, 3]})
    assert edited["leaf"].mover.position.tolist() == [1, 2, 3]


@pytest.mark.parametrize(("changes", "reason"), [
    ({}, "Nothing was said of leaf"),
    ({"friction": 2}, "friction: It is 2."),
    ({"frition": 1}, "Did you mean 'friction'?"),
    ({"frition": None}, "Did you mean 'friction'?"),
    ({"position": None}, "Give a place"),
    ({"position": [[0, 0], [1, 1]]}, "is one place"),
    ({"beta": 2}, "which only continuity"),
    ({"velocity": [[1, 0, 0], [1, 0, 0]]}, "velocity"),
])  # fmt: skip
def test_invalid_dynamic_spline_options_are_refused(stage, changes, reason):
    assert reason in refused(stage, commands.SetSplines, actors=("leaf",), changes=changes)


def test_start_positions_are_moved_for_drawings_and_in_the_parent_frame(stage):
    edited, label = do(stage, commands.MoveSplines, actors=("leaf", "letter", "passenger"), by=(1, 0, 0))
    assert edited["leaf"].mover.position.tolist() == [1, 3, 0]
    assert edited["letter"].mover.position.tolist() == [[1, 0, 0], [2, 0, 0], [2, 1, 0]]
    assert_allclose(edited["passenger"].mover.position, (0, 1, 1), atol=1e-12)  # the table is turned to the left
    assert label == "move the beginning of 3 actors"
    one, two = (shoot(each, 0.1)["passenger"].position[0] for each in (stage, edited))
    assert_allclose(two - one, (1, 0, 0), atol=1e-12)
    assert "The way of the beginning of leaf" in refused(
        stage, commands.MoveSplines, actors=("leaf",), by=(np.nan, 0, 0)
    )
