"""Can the pictures of LG95's appointments be read: whose is what moves, and is anything cut off or under something?"""

import runpy
from pathlib import Path

import numpy as np
import pytest

PAPERS = Path(__file__).parents[2] / "examples" / "papers"


@pytest.fixture(scope="module")
def figure():
    known = {}
    return lambda number: known.setdefault(number, runpy.run_path(str(PAPERS / f"lg95_{number:02}.py")))


def moving_dot_colours(panel):
    """The colours of all dots that move in a panel of a film; they have no place yet."""
    return [line.get_color() for line in panel.ax.lines if line.get_marker() == "o" and len(line.get_xdata()) == 0]


def texts_are_inside(drawing, panel):
    """Whether no text of a panel with axes runs past them."""
    drawing.figure.canvas.draw()
    axes_box = panel.ax.get_window_extent()
    boxes = [text.get_window_extent() for text in panel.ax.texts if text.get_text()]
    return boxes and all(axes_box.x0 <= box.x0 and box.x1 <= axes_box.x1 for box in boxes)


def test_figure_8_dots_match_their_ball_colours_and_curves_stay_inside_their_axes(figure):
    namespace = figure(8)
    scene, graph = namespace["film"]().drawing.panels
    own = [getattr(graph.palette, color) for color in namespace["COLORS"].values()]
    assert moving_dot_colours(scene) == moving_dot_colours(graph) == own
    for name in namespace["PATHS"]:
        speed = namespace["speeds"](name)
        assert np.isnan(speed[[0, -1]]).all(), "no dot at the first or the last moment"
        assert np.nanmax(speed) < graph.ax.get_ylim()[1]


@pytest.mark.parametrize(("number", "colours"), [(1, ["path"]), (4, ["key", "path"]), (6, ["key", "other", "speed"])])
def test_dots_in_a_graph_have_the_colour_of_their_curve(figure, number, colours):
    graph = figure(number)["film"]().drawing.panels[-1]
    assert moving_dot_colours(graph) == [getattr(graph.palette, color) for color in colours]


@pytest.mark.parametrize("number", [4, 8, 9])
def test_texts_in_a_graph_stay_inside_its_axes(figure, number):
    drawing = figure(number)["background"]()
    assert all(texts_are_inside(drawing, panel) for panel in drawing.panels if not panel.is_space)


def test_film_has_the_texts_of_its_still_picture(figure):
    for number, panel in ((6, 0), (8, 1)):
        still, film = (
            drawing.panels[panel].ax for drawing in (figure(number)["draw"](), figure(number)["film"]().drawing)
        )
        assert {text.get_text() for text in still.texts} == {text.get_text() for text in film.texts} != set()


def test_figure_7_balls_stay_in_the_picture(figure):
    namespace = figure(7)
    for panel, (_, take) in zip(namespace["background"]().panels, namespace["KICKS"].values(), strict=True):
        low, high = panel.ax.get_xlim()
        x = take["ball"].position[:, 0]
        assert low < x.min() - namespace["BALL"].radius < x.max() + namespace["BALL"].radius < high


def test_figure_11_arches_hide_what_is_behind_and_nothing_is_clipped(figure):
    namespace = figure(11)
    drawing = namespace["film"]().drawing
    panel, graph = drawing.panels
    assert moving_dot_colours(graph) == [getattr(graph.palette, color) for color in namespace["COLORS"].values()]
    assert texts_are_inside(drawing, graph)
    left = namespace["VIEW"].project(namespace["rim"]("blue", 0.0))[:, 0].min()
    assert panel.ax.get_xlim()[0] < left
    assert not np.isnan(namespace["rim"]("red", 0.0)).any()
    under = max(namespace["arch_times"]("first").values())
    assert 0 < np.isnan(namespace["rim"]("red", under)[:, 0]).mean() < 0.5


def test_figure_10_texts_do_not_touch_lines_of_other_meetings(figure):
    drawing = figure(10)["draw"]()
    chart = drawing.panels[-1]
    drawing.figure.canvas.draw()
    last = figure(10)["REPORT"].meetings["C₄"].done
    line = chart.ax.transData.transform((last, 0))[0]
    boxes = {text.get_text()[:2]: text.get_window_extent() for text in chart.ax.texts if text.get_text()}
    assert all(boxes[name].x1 < line - 5 for name in ("C₁", "C₂", "C₃"))


def test_figure_9_labels_the_heavy_arm(figure):
    for panel in figure(9)["background"]().panels[:2]:
        assert [text.get_text() for text in panel.ax.texts] == ["light", "level", "heavy", "level"]


def test_figure_1_states_its_precision_inside_the_picture(figure):
    drawing = figure(1)["film"]().drawing
    assert texts_are_inside(drawing, drawing.panels[0])


def test_figure_3_spring_reaches_from_the_rest_position_to_the_obstacle(figure):
    namespace = figure(3)
    take = namespace["TAKES"]["b"]["2"]
    farthest = take.times[namespace["displacements"](take).argmax()]
    for time in (0.0, farthest):
        coil = namespace["spring"](take, time)
        ends = coil[[-len(namespace["COIL"]) - 2, -1]]
        np.testing.assert_allclose(ends, [namespace["AT"][:2], take["post"].at(time).position[:2]])


def test_figure_7_wheels_are_on_the_floor_and_roll(figure):
    namespace = figure(7)
    for speed, (_, take) in namespace["KICKS"].items():
        for name in namespace["AXLES"]:
            wheel = take[name]
            np.testing.assert_allclose(wheel.position[:, 1], namespace["WHEEL"].radius)
            turned = -2 * np.unwrap(np.arctan2(wheel.orientation[:, 3], wheel.orientation[:, 0]), period=np.pi)
            np.testing.assert_allclose(turned, speed * take.times / namespace["WHEEL"].radius, atol=1e-5)


def test_figure_10_meetings_are_framed_when_active_and_ticked_when_done(figure):
    namespace = figure(10)
    film, report = namespace["film"](), namespace["REPORT"]
    panel = film.drawing.panels[0]
    moving = [line for line in panel.ax.lines if len(line.get_xdata()) == 0]
    for time in (0.0, 1.0, 2.0, 3.0, 4.0, 6.0):
        film.show(time)
        states = [report.state(name, time) for name in namespace["POSITIONS"]]
        visible = [bool(np.isfinite(line.get_xdata()).all()) for line in moving]
        assert visible[::2] == [state != "waiting" for state in states]
        assert visible[1::2] == [state == "done" for state in states]
