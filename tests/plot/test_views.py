"""Four views of space, right-handed and Y up, each seen as a person standing there would see it."""

import numpy as np
import pytest

from keypose import Motion, MotionPath, plot
from keypose.plot.canvas.views import FLAT, FRONT, LINE, SIDE, TOP, perspective, views_for, widest_view

X, Y, Z = np.eye(3)
SCENE = np.array([(0, 0, 0), (6, 2, -4), (3, 1, 3)], dtype=float)


def paper(view, place):
    return tuple(float(value) for value in view.project(np.asarray(place, dtype=float)) + 0.0)


@pytest.mark.parametrize(("view", "towards_us"), [(FRONT, Z), (TOP, Y), (SIDE, X)])
def test_the_right_hand_and_the_head_of_the_viewer_point_where_they_must(view, towards_us):
    right, up = view.project(np.eye(3)).T  # the directions in space that run right and up on paper
    np.testing.assert_array_equal(np.cross(right, up), towards_us)


def test_the_front_view_shows_x_to_the_right_and_y_up():
    assert (paper(FRONT, X), paper(FRONT, Y), paper(FRONT, Z)) == ((1, 0), (0, 1), (0, 0))


def test_the_top_view_has_what_comes_towards_us_at_the_bottom():
    assert (paper(TOP, X), paper(TOP, Y), paper(TOP, Z)) == ((1, 0), (0, 0), (0, -1))


def test_from_the_right_side_the_right_hand_points_away_from_z():
    assert (paper(SIDE, X), paper(SIDE, Y), paper(SIDE, -Z)) == ((0, 0), (0, 1), (1, 0))


def test_in_perspective_up_is_up_and_poles_stand_upright_or_nearly():
    view = perspective(SCENE)
    for foot in SCENE * (1, 0, 1):
        pole = view.project(np.stack([foot, foot + Y]))
        rise = pole[1] - pole[0]
        assert rise[1] > 0
        assert abs(rise[0]) < 0.15 * rise[1]


def test_perspective_looks_from_the_right_and_from_above_with_the_near_larger():
    view = perspective(SCENE)
    middle = (SCENE.min(axis=0) + SCENE.max(axis=0)) / 2
    assert paper(view, middle) == pytest.approx((0, 0))
    assert paper(view, middle + X)[0] > 0
    assert paper(view, middle + Z)[0] < 0
    assert paper(view, middle + Z)[1] < 0  # what comes towards us comes down
    assert np.linalg.norm(paper(view, middle + Z + Y)) > np.linalg.norm(paper(view, middle - Z - Y))
    assert view.nearness(middle + X + Y + Z) > 0 > view.nearness(middle - X - Y - Z)


def test_a_line_and_a_plane_need_one_view_and_space_needs_four():
    assert views_for(np.array([[0.0], [2]])) == [LINE]
    assert views_for(np.array([[0.0, 1], [2, 2]])) == [FLAT]
    assert views_for(np.array([[0.0, 1, 7], [2, 2, 7]])) == [FLAT]
    assert [view.name for view in views_for(SCENE)] == ["top", "perspective", "front", "side"]
    assert len(views_for(SCENE * (1, 0, 1))) == 4  # on the ground


def test_the_widest_view_shows_most_and_is_the_front_where_it_can_be():
    views = views_for(SCENE)
    assert widest_view(views, SCENE * (1, 0, 1)) is TOP
    assert widest_view(views, SCENE * (0, 1, 1)) is SIDE
    assert widest_view(views, np.stack([X - X, X + Y + Z])) is FRONT
    assert widest_view([FLAT], SCENE) is FLAT


def test_the_top_view_stands_above_the_front_view_and_the_side_view_beside_it():
    sheet = plot(Motion(MotionPath(SCENE), duration=1))
    top, perspective_, front, side = (ax.get_position() for ax in sheet.figure.axes[:4])
    assert top.x0 == front.x0
    assert top.y0 > front.y1
    assert side.y0 == front.y0
    assert side.x0 > front.x1
    assert perspective_.x0 == side.x0


def test_every_view_is_named_with_its_directions_and_measured_views_have_a_scale():
    sheet = plot(MotionPath(SCENE))
    texts = [[text.get_text() for text in ax.texts] for ax in sheet.figure.axes[:4]]
    assert [head[0] for head in texts if not head[0].endswith(" m")]
    names = ["top: x →, z ↓", "perspective", "front: x →, y ↑", "side: z ←, y ↑"]
    assert all(name in shown for name, shown in zip(names, texts, strict=True))
    scales = [[text for text in shown if text.endswith(" m")] for shown in texts]
    assert [len(scale) for scale in scales] == [1, 0, 1, 1]


def test_the_scale_bar_is_as_long_as_it_says():
    for size in (1e-6, 1.0, 3e6):
        ax = plot(MotionPath(size * SCENE)).figure.axes[0]
        bar = next(line for line in ax.lines if line.get_marker() == "|")
        metres = float(next(text.get_text() for text in ax.texts if text.get_text().endswith(" m"))[:-2])
        low, high = ax.get_xlim()
        assert np.ptp(bar.get_xdata()) * (high - low) == pytest.approx(metres)


def test_a_metre_across_is_as_long_as_a_metre_up():
    for ax in plot(MotionPath(SCENE)).figure.axes[:4]:
        across, up = ax.transData.transform([(1, 0), (0, 1)]) - ax.transData.transform((0, 0))
        assert across[0] == pytest.approx(up[1])
