"""Bones join each actor to its parent, thinner towards the tips, pale where they were; and they move in a film."""

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from numpy.testing import assert_allclose

from keypose import Actor, Key, KeyposeError, Motion, MotionPath, Orientation, Stage, shoot
from keypose.plot.canvas.theme import LIGHT
from keypose.plot.canvas.views import TOP
from keypose.plot.drawing import Drawing
from keypose.plot.film import Film
from keypose.plot.marks.bones import MIN_STRENGTH, PIVOT_SIZE, RIM_WIDTH, TAPER, fade_color, link_depths


def joint(place, degrees=90):
    turns = [Key(place, time=0, orientation=Orientation.identity)]
    return Motion(MotionPath([*turns, Key(time=1, orientation=Orientation.turned(degrees, "z"))]))


# Given from the tips down: the order on the stage does not matter. The sun is linked to nobody.
STAGE = Stage(
    [
        Actor("finger", joint((1, 0, 0)), parent="hand"),
        Actor("thumb", joint((0, 1, 0)), parent="hand"),
        Actor("hand", joint((2, 0, 0)), parent="arm"),
        Actor("arm", joint((0, 0, 0))),
        Actor("sun", joint((9, 9, 9))),
    ]
)


def bone_artists(panel):
    """The links (n, 2, 2) in the order they were drawn, with colours and widths; rims and pivots aside."""
    lines = [line for line in panel.ax.lines if line.get_marker() == "None" and line.get_color() != LIGHT.paper]
    return np.array([line.get_xydata() for line in lines]), lines


def test_every_child_is_linked_starting_from_the_root():
    below = link_depths(STAGE)
    assert below == {"hand": 0, "finger": 1, "thumb": 1}
    assert next(iter(below)) == "hand"


def test_links_connect_joints_to_parents_and_taper():
    panel = Drawing().panel().bones(STAGE, STAGE.at(0.0), width=10)
    ends, lines = bone_artists(panel)
    assert_allclose(ends, [[(0, 0), (2, 0)], [(2, 0), (3, 0)], [(2, 0), (2, 1)]], atol=1e-12)
    assert [line.get_linewidth() for line in lines] == [10, 10 * TAPER, 10 * TAPER]
    assert {line.get_color() for line in lines} == {LIGHT.path}


def test_each_link_has_a_rim_and_a_pivot():
    panel = Drawing().panel().bones(STAGE, STAGE.at(1.0), width=10)
    rims, bones, pivots = (panel.ax.lines[i : i + 3] for i in (0, 3, 6))
    for rim, bone, pivot in zip(rims, bones, pivots, strict=True):
        assert_allclose(rim.get_xydata(), bone.get_xydata())
        assert rim.get_linewidth() == bone.get_linewidth() + RIM_WIDTH
        assert_allclose(pivot.get_xydata(), bone.get_xydata()[:1])
        assert pivot.get_markersize() == PIVOT_SIZE * bone.get_linewidth()


def test_first_of_many_poses_is_pale_and_the_last_is_strong_and_on_top():
    times = np.linspace(0, 1, 5)
    ends, lines = bone_artists(Drawing().panel().bones(STAGE, STAGE.at(times), "key"))
    hands = STAGE.at(times)["hand"].position
    assert_allclose(ends[::3, 1], hands[:, :2], atol=1e-12)
    away = np.linalg.norm([np.subtract(to_rgb(line.get_color()), to_rgb(LIGHT.paper)) for line in lines[::3]], axis=1)
    assert (np.diff(away) > 0).all()
    assert away[0] / away[-1] == pytest.approx(MIN_STRENGTH, abs=0.01)
    assert lines[-1].get_color() == LIGHT.key


def test_faded_colour_goes_from_itself_to_the_paper():
    assert [fade_color("#204060", "#ffffff", strength) for strength in (1, 0.5, 0)] == ["#204060", "#90a0b0", "#ffffff"]


def test_take_is_drawn_like_its_stage():
    take = shoot(STAGE, 1)
    ours, theirs = (bone_artists(Drawing().panel().bones(STAGE, at(0.5)))[0] for at in (STAGE.at, take.at))
    assert_allclose(ours, theirs, atol=1e-9)


def test_bones_use_the_view_of_their_panel_and_are_all_visible():
    panel = Drawing().panel(view=TOP).bones(STAGE, STAGE.at(np.linspace(0, 1, 9)))
    ends, _ = bone_artists(panel)
    assert_allclose(ends[..., 1], 0, atol=1e-12)  # it turns in the plane of x and y
    low, high = panel.ax.get_xlim()
    assert low < ends[..., 0].min()
    assert ends[..., 0].max() < high


def test_no_label_covers_a_bone_in_its_full_width(tmp_path):
    drawing = Drawing()
    drawing.panel().bones(STAGE, STAGE.at(0.0), width=24).label((1, 0), "upper arm")
    drawing.save(tmp_path / "bones.png", dpi=drawing.figure.dpi)
    ax = drawing.panels[0].ax
    box, at = ax.texts[0].get_window_extent(), ax.transData.transform((0, 0))[1]
    assert abs((box.y0 + box.y1) / 2 - at) > box.height / 2 + 12 * drawing.figure.dpi / 72


def test_bones_in_a_film_take_the_pose_of_each_time():
    drawing = Drawing()
    panel = drawing.panel()
    film = Film(drawing, seconds=1).bones(panel, STAGE, STAGE.at, strength=0.5)
    for time in (0.0, 0.4, 1.0):
        film.show(time)
        ends, lines = bone_artists(panel)
        assert_allclose(ends[0, 1], STAGE.at(time)["hand"].position[:2], atol=1e-12)
        assert lines[0].get_color() == fade_color(LIGHT.path, LIGHT.paper, 0.5)


def test_a_stage_without_parents_has_no_bones():
    alone = Stage([Actor("sun", joint((9, 9, 9)))])
    with pytest.raises(KeyposeError, match="Nobody on this stage has a parent"):
        Drawing().panel().bones(alone, alone.at(0.0))


@pytest.mark.parametrize("poses", [{}, {"arm": STAGE.at(0.0)["arm"]}])
def test_missing_poses_are_refused(poses):
    with pytest.raises(KeyposeError, match=r"There is no pose of '(arm|finger)'\. Give everybody's"):
        Drawing().panel().bones(STAGE, poses)
