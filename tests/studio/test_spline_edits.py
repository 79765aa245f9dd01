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
    made, says = do(stage, commands.LinkActors, actors=("leaf",), field="whirl", affinity=1.0)
    assert made["leaf"].mover.senses["whirl"] == 1
    assert says == "link leaf to whirl"
    made, says = do(made, commands.LinkActors, actors=("leaf",), field="wind", affinity=0.25)
    assert next(iter(made["leaf"].mover.senses.items())) == ("wind", 0.25), "a link keeps its place among the others"
    assert says == "affinity of leaf to wind"
    made, says = do(made, commands.LinkActors, actors=("leaf", "letter"), field="wind", affinity=None)
    assert "wind" not in made["leaf"].mover.senses
    assert "wind" not in made["letter"].mover.senses
    assert says == "cut the link of 2 actors to wind"


def test_link_with_its_own_tracker_is_added_and_cut(stage):
    follow = {"kind": "keep_offset", "target": "cup"}
    made, says = do(stage, commands.LinkActors, actors=("leaf",), field=follow, affinity=0.3)
    assert made["leaf"].mover.senses[fields.KeepOffset("cup")] == 0.3
    assert says == "link leaf: keeps its offset to cup"
    again, _ = do(made, commands.LinkActors, actors=("leaf",), field=follow, affinity=None)
    assert again == stage


@pytest.mark.parametrize(("actors", "field", "affinity", "why"), [
    (("leaf",), "wind", 1.5, "affinity"),
    (("leaf",), "wind", -0.1, "affinity"),
    (("leaf",), "wihrl", 1.0, "Did you mean 'whirl'?"),
    (("leaf",), "whirl", None, "There is no link of leaf to whirl. Nothing to cut."),
    (("leaf",), {"kind": "keep_offset", "target": "leaf"}, 1.0, "leaf"),
    (("leaf", "red"), "wind", 1.0, "Actor 'red' is not pushed by fields."),
    (("lief",), "wind", 1.0, "Did you mean 'leaf'?"),
])  # fmt: skip
def test_invalid_link_is_refused(stage, actors, field, affinity, why):
    assert why in refused(stage, commands.LinkActors, actors=actors, field=field, affinity=affinity)


def test_dynamic_spline_options_are_changed_for_one_or_many(stage):
    made, says = do(stage, commands.SetSplines, actors=("leaf",), changes={"friction": 0.5})
    assert made["leaf"].mover.friction == 0.5
    assert made["leaf"].mover.senses == stage["leaf"].mover.senses
    assert says == "friction of leaf"
    made, says = do(
        stage, commands.SetSplines, actors=("leaf", "letter"), changes={"velocity": [0, 1, 0], "friction": 1}
    )
    assert made["letter"].mover.velocity.tolist() == [[0, 1, 0]] * 3
    assert says == "velocity and friction of 2 actors"
    made, _ = do(made, commands.SetSplines, actors=("leaf", "letter"), changes={"velocity": None, "friction": None})
    assert not made["leaf"].mover.velocity.any()
    assert made["letter"].mover.friction == 0
    made, _ = do(stage, commands.SetSplines, actors=("leaf",), changes={"position": [1, 2, 3]})
    assert made["leaf"].mover.position.tolist() == [1, 2, 3]


@pytest.mark.parametrize(("changes", "why"), [
    ({}, "Nothing was said of leaf"),
    ({"friction": 2}, "friction: It is 2."),
    ({"frition": 1}, "Did you mean 'friction'?"),
    ({"frition": None}, "Did you mean 'friction'?"),
    ({"position": None}, "Give a place"),
    ({"position": [[0, 0], [1, 1]]}, "is one place"),
    ({"beta": 2}, "which only continuity"),
    ({"velocity": [[1, 0, 0], [1, 0, 0]]}, "velocity"),
])  # fmt: skip
def test_invalid_dynamic_spline_options_are_refused(stage, changes, why):
    assert why in refused(stage, commands.SetSplines, actors=("leaf",), changes=changes)


def test_start_positions_are_moved_for_drawings_and_in_the_parent_frame(stage):
    made, says = do(stage, commands.MoveSplines, actors=("leaf", "letter", "passenger"), by=(1, 0, 0))
    assert made["leaf"].mover.position.tolist() == [1, 3, 0]
    assert made["letter"].mover.position.tolist() == [[1, 0, 0], [2, 0, 0], [2, 1, 0]]
    assert_allclose(made["passenger"].mover.position, (0, 1, 1), atol=1e-12)  # the table is turned to the left
    assert says == "move the beginning of 3 actors"
    one, two = (shoot(each, 0.1)["passenger"].position[0] for each in (stage, made))
    assert_allclose(two - one, (1, 0, 0), atol=1e-12)
    assert "The way of the beginning of leaf" in refused(
        stage, commands.MoveSplines, actors=("leaf",), by=(np.nan, 0, 0)
    )
