"""Four views of space, right-handed and Y up, each seen as a person standing there would see it."""

import numpy as np
import pytest

from keypose import Motion, MotionPath, plot
from keypose.plot.canvas.views import FLAT, FRONT, LINE, SIDE, TOP, perspective, views_for, widest_view

X, Y, Z = np.eye(3)
SCENE = np.array([(0, 0, 0), (6, 2, -4), (3, 1, 3)], dtype=float)


def projected(view, place):
    return tuple(float(value) for value in view.project(np.asarray(place, dtype=float)) + 0.0)


@pytest.mark.parametrize(("view", "towards_us"), [(FRONT, Z), (TOP, Y), (SIDE, X)])
def test_views_are_right_handed(view, towards_us):
    right, up = view.project(np.eye(3)).T  # the directions in space that run right and up on paper
    np.testing.assert_array_equal(np.cross(right, up), towards_us)


def test_the_front_view_shows_x_to_the_right_and_y_up():
    assert (projected(FRONT, X), projected(FRONT, Y), projected(FRONT, Z)) == ((1, 0), (0, 1), (0, 0))


def test_top_view_has_positive_z_at_the_bottom():
    assert (projected(TOP, X), projected(TOP, Y), projected(TOP, Z)) == ((1, 0), (0, 0), (0, -1))


def test_side_view_has_negative_z_to_the_right():
    assert (projected(SIDE, X), projected(SIDE, Y), projected(SIDE, -Z)) == ((0, 0), (0, 1), (1, 0))


def test_vertical_lines_stay_nearly_vertical_in_perspective():
    view = perspective(SCENE)
    for foot in SCENE * (1, 0, 1):
        pole = view.project(np.stack([foot, foot + Y]))
        rise = pole[1] - pole[0]
        assert rise[1] > 0
        assert abs(rise[0]) < 0.15 * rise[1]


def test_perspective_is_from_the_upper_right_and_nearer_points_are_larger():
    view = perspective(SCENE)
    middle = (SCENE.min(axis=0) + SCENE.max(axis=0)) / 2
    assert projected(view, middle) == pytest.approx((0, 0))
    assert projected(view, middle + X)[0] > 0
    assert projected(view, middle + Z)[0] < 0
    assert projected(view, middle + Z)[1] < 0  # what comes towards us comes down
    assert np.linalg.norm(projected(view, middle + Z + Y)) > np.linalg.norm(projected(view, middle - Z - Y))
    assert view.nearness(middle + X + Y + Z) > 0 > view.nearness(middle - X - Y - Z)


def test_a_line_and_a_plane_need_one_view_and_space_needs_four():
    assert views_for(np.array([[0.0], [2]])) == [LINE]
    assert views_for(np.array([[0.0, 1], [2, 2]])) == [FLAT]
    assert views_for(np.array([[0.0, 1, 7], [2, 2, 7]])) == [FLAT]
    assert [view.name for view in views_for(SCENE)] == ["top", "perspective", "front", "side"]
    assert len(views_for(SCENE * (1, 0, 1))) == 4  # on the ground


def test_widest_view_shows_most_and_prefers_the_front():
    views = views_for(SCENE)
    assert widest_view(views, SCENE * (1, 0, 1)) is TOP
    assert widest_view(views, SCENE * (0, 1, 1)) is SIDE
    assert widest_view(views, np.stack([X - X, X + Y + Z])) is FRONT
    assert widest_view([FLAT], SCENE) is FLAT


def test_top_view_is_above_the_front_view_and_side_view_beside_it():
    sheet = plot(Motion(MotionPath(SCENE), duration=1))
    top, perspective_, front, side = (ax.get_position() for ax in sheet.figure.axes[:4])
    assert top.x0 == front.x0
    assert top.y0 > front.y1
    assert side.y0 == front.y0
    assert side.x0 > front.x1
    assert perspective_.x0 == side.x0


def test_every_view_is_named_and_orthographic_views_have_a_scale():
    sheet = plot(MotionPath(SCENE))
    texts = [[text.get_text() for text in ax.texts] for ax in sheet.figure.axes[:4]]
    assert [head[0] for head in texts if not head[0].endswith(" m")]
    names = ["top: x →, z ↓", "perspective", "front: x →, y ↑", "side: z ←, y ↑"]
    assert all(name in shown for name, shown in zip(names, texts, strict=True))
    scales = [[text for text in shown if text.endswith(" m")] for shown in texts]
    assert [len(scale) for scale in scales] == [1, 0, 1, 1]


def test_scale_bar_has_its_stated_length():
    for size in (1e-6, 1.0, 3e6):
        ax = plot(MotionPath(size * SCENE)).figure.axes[0]
        bar = next(line for line in ax.lines if line.get_marker() == "|")
        metres = float(next(text.get_text() for text in ax.texts if text.get_text().endswith(" m"))[:-2])
        low, high = ax.get_xlim()
        assert np.ptp(bar.get_xdata()) * (high - low) == pytest.approx(metres)


def test_horizontal_and_vertical_scales_are_equal():
    for ax in plot(MotionPath(SCENE)).figure.axes[:4]:
        across, up = ax.transData.transform([(1, 0), (0, 1)]) - ax.transData.transform((0, 0))
        assert across[0] == pytest.approx(up[1])
