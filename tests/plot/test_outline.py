"""An outline goes where its poses take it, pale where it was and strong where it is, and moves in a film."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from keypose import Actor, Key, Motion, MotionPath, Orientation, Pose, Stage
from keypose.plot.canvas.theme import LIGHT
from keypose.plot.canvas.views import TOP
from keypose.plot.drawing import Drawing
from keypose.plot.film import Film
from keypose.plot.marks.outline import MIN_STRENGTH, pose_outline

GAP = (np.nan,) * 3
FLAG = np.array([(0, 0, 0), (0, 2, 0), GAP, (0, 2, 0), (1, 1.5, 0)], dtype=float)
TURNED = np.array([(0, 0, 0), (-2, 0, 0), GAP, (-2, 0, 0), (-1.5, 1, 0)])  # a quarter about z
TARGET = np.array([4.0, 1, 0])
STAGE = Stage(
    [
        Actor(
            "flag",
            Motion(
                MotionPath(
                    [
                        Key((0, 0, 0), time=0, orientation=Orientation.identity),
                        Key(TARGET, time=1, orientation=Orientation.turned(90, "z")),
                    ]
                )
            ),
        )
    ]
)


def flags(times):
    return STAGE.at(times)["flag"]


def test_outline_is_rotated_then_translated():
    assert_allclose(pose_outline(FLAG, flags(0.0)), FLAG, atol=1e-15)
    assert_allclose(pose_outline(FLAG, flags(1.0)), TURNED + TARGET, atol=1e-12)


def test_poses_at_many_times_give_one_outline_each():
    poses = flags(np.linspace(0, 1, 7))
    together = pose_outline(FLAG, poses)
    assert together.shape == (7, 5, 3)
    for index in range(7):
        assert_allclose(together[index], pose_outline(FLAG, poses[index]), atol=1e-15)


def test_outline_on_a_flat_path_is_at_z_0():
    flat = Pose(TARGET[:2], np.array([1.0, 0, 0, 0]))
    assert_allclose(pose_outline(FLAG, flat), FLAG + TARGET)


def test_gaps_in_an_outline_are_kept():
    panel = Drawing().panel().outline(FLAG, flags(1.0))
    (line,) = panel.ax.lines
    assert np.isnan(line.get_xydata()).all(axis=1).tolist() == [False, False, True, False, False]


def test_single_pose_is_strong_and_of_many_the_first_is_pale_and_the_last_on_top():
    panel = Drawing().panel()
    (one,) = panel.outline(FLAG, flags(0.5), "key").ax.lines
    assert (one.get_color(), one.get_alpha()) == (LIGHT.key, 1.0)
    many = panel.outline(FLAG, flags(np.linspace(0, 1, 5)), width=2, strength=0.5).ax.lines[1:]
    assert [line.get_alpha() for line in many] == pytest.approx(np.linspace(MIN_STRENGTH, 1, 5) * 0.5)
    assert {line.get_linewidth() for line in many} == {2}
    assert_allclose(many[-1].get_xydata(), (TURNED + TARGET)[:, :2], atol=1e-12)


def test_outline_uses_the_view_of_its_panel_and_is_all_visible():
    panel = Drawing().panel(view=TOP).outline(FLAG, flags(np.array([0.0, 1.0])))
    assert_allclose(panel.ax.lines[-1].get_xydata()[:2], [(4, 0), (2, 0)], atol=1e-12)
    low, high = panel.ax.get_xlim()
    assert low < 0
    assert high > 4


def test_no_label_covers_an_outline(tmp_path):
    drawing = Drawing()
    drawing.panel().outline(FLAG, flags(0.0)).label((0, 1), "the pole of a flag")
    drawing.save(tmp_path / "flag.png", dpi=drawing.figure.dpi)
    ax = drawing.panels[0].ax
    box = ax.texts[0].get_window_extent()
    pole = ax.transData.transform([(0, y) for y in np.linspace(0, 2, 200)])
    assert not ((pole > box.min) & (pole < box.max)).all(axis=1).any()


def test_outline_in_a_film_takes_the_pose_of_each_time():
    drawing = Drawing()
    panel = drawing.panel(view=TOP)
    film = Film(drawing, seconds=1).outline(panel, FLAG, flags, "key", 2, strength=0.5)
    (line,) = panel.ax.lines
    assert (line.get_color(), line.get_linewidth(), line.get_alpha()) == (LIGHT.key, 2, 0.5)
    for time in (0.0, 0.4, 1.0):
        film.show(time)
        assert_allclose(line.get_xydata(), TOP.project(pose_outline(FLAG, flags(time))), atol=1e-12)


def test_line_in_a_film_takes_the_points_of_each_time():
    drawing = Drawing()
    panel = drawing.panel()
    film = Film(drawing, seconds=1).line(panel, lambda time: [(0, 0), (time, 1), (2, 2 * time)])
    film.show(0.5)
    assert_allclose(panel.ax.lines[0].get_xydata(), [(0, 0), (0.5, 1), (2, 1)])
