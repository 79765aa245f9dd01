"""Everybody in a script is known by a colour, and by a mark where colours are much alike."""

import numpy as np
import pytest
from matplotlib.colors import to_hex, to_rgb

from keypose import Actor, Key, Motion, MotionPath, Script, Stage, plot, shoot
from keypose.plot.canvas.theme import DARK, LIGHT
from keypose.plot.marks.actor_colours import SIMILAR_DISTANCE
from keypose.plot.script.actor_markers import assign_markers


def test_actor_named_after_a_colour_has_that_colour():
    found = assign_markers(["red", "Blue", "hand", "b"], {}, LIGHT)
    assert [found[name].color for name in ("red", "Blue")] == ["#ff0000", "#0000ff"]
    assert found["b"].color != "#0000ff", "a letter is no colour to a person"


def test_look_takes_precedence_over_the_name():
    assert assign_markers(["red"], {"red": "navy"}, LIGHT)["red"].color == to_hex("navy")
    assert assign_markers(["red"], {"red": "car"}, LIGHT)["red"].color == "#ff0000"


@pytest.mark.parametrize("look", [LIGHT, DARK])
@pytest.mark.parametrize("count", [2, 12, 40])
def test_no_two_actors_share_colour_and_marker(look, count):
    names = ["red", "blue", "navy", *(f"runner {one}" for one in range(count))]
    found = list(assign_markers(names, {"runner 0": "red"}, look).values())
    for number, one in enumerate(found):
        for other in found[:number]:
            apart = np.linalg.norm(np.subtract(to_rgb(one.color), to_rgb(other.color)))
            assert one.shape != other.shape or apart >= SIMILAR_DISTANCE


def line_colours(sheet):
    return {to_hex(line.get_color()) for line in sheet.figure.axes[0].lines}


def test_script_and_report_use_the_colours_of_their_stage():
    path = MotionPath([Key((0, 0)), Key((1, 0), name="x")])
    script = Script()
    script.meet({"red": "x", "ball": "x"})
    cast = [Actor("red", Motion(path, duration=1)), Actor("ball", Motion(path, duration=1), look="#118811")]
    stage = Stage(cast, script=script)
    report = shoot(stage, 1).script
    assert report.looks == {"ball": "#118811"}
    assert {"#ff0000", "#118811"} <= line_colours(plot(report))
    assert {"#ff0000", "#118811"} <= line_colours(plot(script, stage=stage))
    assert "#ff0000" in line_colours(plot(script))
    assert "#118811" not in line_colours(plot(script))
