"""PF89's figures show what their captions say, in the takes that are drawn."""

import runpy
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

PAPERS = Path(__file__).parents[2] / "examples" / "papers"


@pytest.fixture(params=range(1, 6))
def figure(request):
    return runpy.run_path(str(PAPERS / f"pf89_{request.param:02}.py"))


def take(number):
    return runpy.run_path(str(PAPERS / f"pf89_{number:02}.py"))["TAKE"]


def headings(take, frame):
    """The way each actor is going at a frame [°] below level."""
    steps = np.array([np.diff(take[name].position[frame : frame + 2], axis=0)[0] for name in take.names])
    return np.degrees(np.arctan2(-steps[:, 1], steps[:, 0]))


def test_figure_1_faster_objects_bend_less_and_all_fall_alike():
    shown = take(1)
    widths = np.array([shown[name].position[-1, 0] for name in "abcd"])
    assert_allclose(widths[1:], widths[:-1] / 2)
    assert_allclose([shown[name].position[:, 1] for name in "bcd"], [shown["a"].position[:, 1]] * 3)
    assert (np.diff(headings(shown, 60)) > 0).all()


def test_figure_2_stronger_fields_deflect_more_and_zero_field_not_at_all():
    shown = take(2)
    turned = headings(shown, 140) - headings(shown, 0)
    assert turned[0] == pytest.approx(0, abs=1e-9)
    assert (np.diff(turned) > 5).all()


def test_figure_3_affinity_one_half_is_halfway():
    shown = take(3)
    a, b, c = (shown[name].position[:, 1] for name in "abc")
    assert_allclose(a, 0, atol=1e-12)
    assert_allclose(b, c / 2, atol=1e-12)
    assert c.max() > 1
    assert c.min() > -1e-9


def test_figure_4_friction_stops_objects_sooner_and_shrinks_ellipses():
    shown = take(4)
    distances = [shown[name].position[-1, 0] for name in "abc"]
    assert distances[0] > 1.5 * distances[1] > 2 * distances[2]
    sizes = {name: np.linalg.norm(shown[name].position, axis=1) for name in "def"}
    turns = np.array([[size[:250].max(), size[250:].max()] for size in sizes.values()])
    assert (turns[:, 1] < 0.95 * turns[:, 0]).all()
    assert (np.diff(turns[:, 1]) < 0).all()


def test_figure_5_arrows_point_to_the_tracker_target():
    namespace = runpy.run_path(str(PAPERS / "pf89_05.py"))
    shown, pulls = namespace["TAKE"], namespace["tracker_pulls"]()
    missed = shown["a"].position + namespace["B"] - namespace["A"] - shown["b"].position
    lengths = np.linalg.norm(missed, axis=1)
    assert 0.1 < lengths.max() < 0.4
    far = lengths[::4] > 0.1
    along = np.sum(pulls * missed[::4], axis=1) / (np.linalg.norm(pulls, axis=1) * lengths[::4] + 1e-12)
    assert (along[far] > 0.6).all()


def test_curve_between_the_dots_is_sampled(figure):
    assert figure["TAKE"].fps == 96


def test_arrows_lie_within_their_panels(figure):
    drawing = figure["draw"]()
    quivers = [each for panel in drawing.panels for each in panel.ax.collections if hasattr(each, "U")]
    assert quivers
    for panel in drawing.panels:
        low, high = np.array([panel.ax.get_xlim(), panel.ax.get_ylim()]).T
        for each in panel.ax.collections:
            if hasattr(each, "U"):
                tips = np.stack([each.X + each.U, each.Y + each.V], axis=-1)
                assert ((tips > low) & (tips < high)).all()
