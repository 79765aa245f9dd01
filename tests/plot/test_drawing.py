"""A drawing fills its panels in order, compares them at one scale, and looks alike on every machine."""

import numpy as np
import pytest

from keypose import Key, KeyposeError, Motion, MotionPath, Orientation
from keypose.plot.drawing import Drawing

PATH = MotionPath([(0, 0), (2, 1), (3, 0)])


def test_panels_fill_rows_from_left_to_right_and_can_span():
    drawing = Drawing(2, 2)
    wide, left, right = drawing.panel(span=2), drawing.panel(), drawing.panel()
    boxes = [panel.ax.get_position() for panel in (wide, left, right)]
    assert boxes[0].width > 2 * boxes[1].width
    assert boxes[0].y0 > boxes[1].y1
    assert boxes[1].x1 < boxes[2].x0
    with pytest.raises(KeyposeError, match="This drawing of 2 × 2 panels is full"):
        drawing.panel()


def test_aligned_panels_show_the_same_area_and_diagrams_are_unchanged():
    drawing = Drawing(1, 4)
    small, large = drawing.panel().path(PATH), drawing.panel().path(MotionPath([(0, 0), (9, 5)]))
    bar = drawing.panel("time bar").time_bar(Motion(PATH, duration=1))
    diagram = drawing.panel(axes=("x", "y")).graph([0, 1], [0, 1000])
    drawing.align()
    assert small.ax.get_xlim() == large.ax.get_xlim()
    assert small.ax.get_ylim() == large.ax.get_ylim()
    assert bar.ax.get_xlim() == (-0.01, 1.01)
    assert diagram.ax.get_ylim()[1] > 900


def test_a_drawing_of_diagrams_alone_has_nothing_to_align():
    drawing = Drawing()
    drawing.panel(axes=("x", "y")).graph([0, 1], [0, 1])
    assert drawing.align() is drawing


def test_drawing_is_independent_of_matplotlib_settings(tmp_path):
    import matplotlib as mpl

    def save_sample(name):
        drawing = Drawing(2, 1)
        drawing.panel("a title").path(PATH).keys(PATH).tangents(PATH).label((1, 1), "label").arrow((0, 0), (1, 1))
        drawing.panel(axes=("x", "y")).graph([0, 1], [0, 1], label="graph").area([0, 1], [0, 1])
        return drawing.save(tmp_path / name).read_bytes()

    plain = save_sample("plain.svg")
    with mpl.rc_context({"font.size": 30, "lines.linestyle": ":", "text.color": "red", "axes.grid": True}):
        assert save_sample("odd.svg") == plain


def test_orientation_axes_are_drawn_at_oriented_keys_and_optionally_between():
    from keypose.plot.canvas.labels import Labels
    from keypose.plot.canvas.theme import LIGHT
    from keypose.plot.canvas.views import FLAT
    from keypose.plot.marks import path_marks

    keys = [Key((0, 0), orientation=Orientation.turned(90, "z")), Key((2, 1)), Key((3, 0), orientation=(1, 0, 0, 0))]
    panel = Drawing().panel()
    path_marks.draw_orientation_axes(panel.ax, MotionPath(keys), FLAT, LIGHT, Labels(panel.ax), count=2)
    x_axes = panel.ax.lines[0].get_xydata().reshape(-1, 3, 2)
    np.testing.assert_allclose(x_axes[:, 0], [(0, 0), (3, 0)])
    np.testing.assert_allclose(np.sign(np.round(x_axes[:, 1] - x_axes[:, 0], 9)), [(0, 1), (1, 0)])
    assert len(panel.ax.lines[3].get_xydata()) == 2 * 3
