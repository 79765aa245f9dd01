"""Bodies are seen as large as they are, from every side: in a stage's picture, a take's, and films."""

from itertools import pairwise

import numpy as np
import pytest
from numpy.testing import assert_allclose

from keypose import (
    Actor,
    Body,
    Box,
    Capsule,
    Figure,
    Follow,
    Free,
    Hinge,
    Key,
    KeyposeError,
    Link,
    Motion,
    MotionPath,
    Orientation,
    Plane,
    Pose,
    Reach,
    Sphere,
    Stage,
    Still,
    plot,
    shoot,
)
from keypose.plot.canvas.views import FLAT, FRONT, SIDE, TOP, perspective
from keypose.plot.drawing import Drawing
from keypose.plot.film import Film
from keypose.plot.marks.bodies import body_shape, body_shapes, convex_hull, ground_line, silhouette
from keypose.plot.stage.track_builder import tracks_of_stage, tracks_of_take

SAMPLE_POSE = Pose(np.array([1.0, 2.0, 3.0]), np.array([1.0, 0, 0, 0]))
ROTATED = Pose(np.array([1.0, 2.0, 0.0]), Orientation.turned(90, "z").wxyz)
PATH = MotionPath([(0, 1, 0), (2, 1, 0)])
STAGE = Stage(
    [
        Actor("a", Follow(PATH, Body(Sphere(0.3)), within=0.4), look="#aa0000"),
        Actor("floor", Still(Body(Plane()))),
        Actor("crate", Free(Body(Box((0.4, 0.2, 0.6))), (1, 3, 0))),
        Actor("paddle", Motion(PATH, duration=1.0), body=Body(Capsule(0.1, 0.5))),
        Actor("ghost", Motion(PATH, duration=1.0)),
    ]
)

ARM = Figure(
    Body(Box(0.1)),
    [
        Hinge(Link("upper", Body(Capsule(0.04, 0.3)), (0, -0.2, 0)), at=(0, 0, 0)),
        Hinge(Link("hand", Body(Sphere(0.06), 0.4), (0, -0.45, 0)), "upper", at=(0, -0.4, 0)),
    ],
    position=(0, 1, 0),
    held=True,
)
ARM_REACH = Reach("arm/hand", MotionPath([(0, 0.55, 0), Key((-0.2, 0, 0), relative_to="cup")]), within=0.1)
SOFT = Stage(
    [
        Actor("jelly", Free(Body(Sphere(0.3), mass=2.0, stiffness=500), (0, 0.35, 0))),
        Actor("floor", Still(Body(Plane()))),
    ],
    gravity=(0, -9.81, 0),
)


def silhouette_size(shape, view, pose=SAMPLE_POSE):
    return np.ptp(silhouette(shape, pose, view), axis=0)


@pytest.mark.parametrize("view", [FLAT, FRONT, SIDE, TOP])
def test_sphere_is_as_wide_as_high_in_every_view(view):
    assert_allclose(silhouette_size(Sphere(0.3), view), 0.6, rtol=5e-3)


def test_sphere_outline_starts_on_the_right_in_every_view():
    rim = silhouette(Sphere(0.5), SAMPLE_POSE, FRONT)
    assert_allclose(rim[[0, 12, 24]], [(1.5, 2), (1, 2.5), (0.5, 2)], atol=1e-12)
    leaning = silhouette(Sphere(0.5), SAMPLE_POSE, perspective(np.array([(0, 0, 0), (1, 1, 1)])))
    assert leaning[0, 0] == pytest.approx(leaning[:, 0].max(), rel=0.01)


def test_box_shows_two_of_its_sides():
    box = Box((0.4, 0.2, 0.6))
    assert_allclose(silhouette_size(box, FRONT), (0.4, 0.2))
    assert_allclose(silhouette_size(box, TOP), (0.4, 0.6))
    assert_allclose(silhouette_size(box, SIDE), (0.6, 0.2))
    assert_allclose(silhouette_size(box, FRONT, ROTATED), (0.2, 0.4))


def test_capsule_is_along_y_unless_rotated():
    assert_allclose(silhouette_size(Capsule(0.1, 0.5), FRONT), (0.2, 0.7), rtol=0.01)
    assert_allclose(silhouette_size(Capsule(0.1, 0.5), FRONT, ROTATED), (0.7, 0.2), rtol=0.01)


def test_nearer_bodies_look_larger_in_perspective():
    view = perspective(np.array([(-2.0, -2, -2), (2, 2, 2)]))
    near, far = (Pose(np.array([0, 0, z]), SAMPLE_POSE.orientation) for z in (2.0, -2.0))
    assert silhouette_size(Sphere(0.3), view, near)[0] > 1.1 * silhouette_size(Sphere(0.3), view, far)[0]


def test_convex_hull_contains_all_points_and_its_corners_are_points():
    points = np.random.default_rng(2).normal(size=(60, 2))
    around = convex_hull(points)
    assert_allclose(around[0], around[-1])
    for (x, y), (u, v) in pairwise(around):
        assert ((u - x) * (points[:, 1] - y) - (v - y) * (points[:, 0] - x) > -1e-12).all()
    assert all((corner == points).all(axis=1).any() for corner in around)


def test_soft_body_is_drawn_by_its_surface():
    drawing = Drawing()
    panel = drawing.panel().body(
        Sphere(0.2), Pose(np.array([(0.0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]), SAMPLE_POSE.orientation)
    )
    assert_allclose(np.ptp(panel.ax.lines[0].get_xydata(), axis=0), (1, 1))


def test_plane_is_a_line_from_the_side_and_invisible_from_above():
    foot, along, behind = ground_line(Plane(offset=0.5), Pose(np.zeros(3), SAMPLE_POSE.orientation), FRONT)
    assert_allclose(foot, (0, 0.5))
    assert_allclose(np.abs(along), (1, 0))
    assert_allclose(behind, (0, -1))
    assert ground_line(Plane(), SAMPLE_POSE, TOP) is None
    assert_allclose(ground_line(Plane(), SAMPLE_POSE, FRONT)[0], (1, 2)), "moved with who is one"


def test_every_actor_with_a_body_has_a_shape():
    assert [body_shape(actor) for actor in STAGE.actors] == [
        Sphere(0.3), Plane(), Box((0.4, 0.2, 0.6)), Capsule(0.1, 0.5), None,
    ]  # fmt: skip


def test_stage_and_take_tracks_have_shapes_and_targets():
    take = shoot(STAGE, 1.0)
    for cast in (tracks_of_stage(STAGE, 24, 1.0), tracks_of_take(take, STAGE)):
        tracks = cast.by_name
        assert [player.shape for player in cast.actors] == [body_shape(actor) for actor in STAGE.actors]
        assert tracks["a"].look == "#aa0000"
        assert_allclose(tracks["a"].targets, take.targets["a"])
        assert not len(tracks["crate"].targets)
    assert tracks_of_take(take).by_name["a"].shape is None


def test_take_plotted_with_its_stage_shows_bodies():
    take = shoot(STAGE, 1.0)
    plain, dressed = (plot(take, **options).figure for options in ({}, {"stage": STAGE}))
    assert [len(figure.axes[0].patches) for figure in (plain, dressed)] == [0, 6], "each at first and at last"
    with pytest.raises(KeyposeError, match="Only a field"):
        plot(take, stage=take)


def test_body_fits_into_the_picture_and_ground_spans_it(tmp_path):
    drawing = Drawing()
    panel = (
        drawing.panel().body(Box(2.0), Pose(np.zeros(3), SAMPLE_POSE.orientation)).body(Plane(offset=-1.0), SAMPLE_POSE)
    )
    drawing.save(tmp_path / "a.png")
    assert panel.ax.get_xlim()[0] < -1
    assert panel.ax.get_xlim()[1] > 1
    ground = panel.ax.lines[-1].get_xydata()
    assert np.ptp(ground[:, 0]) >= np.ptp(panel.ax.get_xlim()) - 1e-9
    assert_allclose(ground[:, 1], 1.0)


def test_body_of_a_film_is_at_the_given_pose():
    drawing = Drawing()
    panel = drawing.panel()
    film = Film(drawing, 1.0).body(
        panel, Sphere(0.2), lambda time: Pose(np.array([time, 0, 0]), SAMPLE_POSE.orientation)
    )
    film.show(0.5)
    assert_allclose(panel.ax.lines[0].get_xydata().mean(axis=0), (0.5, 0), atol=0.01)


def test_figure_shows_all_links_and_a_driven_link_has_its_own_track():
    stage = Stage(
        [Actor("arm", ARM, look="#0000aa"), Actor("cup", Still(Body(Box(0.1)), (0.5, 0.6, 0)))], connections=[ARM_REACH]
    )
    take = shoot(stage, 1.0)
    for cast in (tracks_of_stage(stage, 24, 1.0), tracks_of_take(take, stage)):
        assert list(cast.by_name) == ["arm", "arm/hand", "cup"]
        assert [shape for shape, _ in cast.by_name["arm"].parts] == [Capsule(0.04, 0.3)]
        assert cast.by_name["arm/hand"].shape == Sphere(0.06)
        assert_allclose(cast.by_name["arm"].parts[0][1].position, take["arm/upper"].position)
        assert_allclose(cast.by_name["arm/hand"].targets, take.targets["arm/hand"])
        assert cast.by_name["arm/hand"].look == "#0000aa"
    assert tracks_of_stage(stage, 24, 1.0).distance_pairs == (("arm/hand", "cup"),)
    assert len(plot(stage, seconds=1.0).figure.axes[0].patches) == 2 * 4, "root, links and cup, at first and at last"


def test_events_of_an_undriven_link_are_marked_in_the_row_of_its_figure():
    wall = Actor("wall", Still(Body(Box((0.2, 2, 2))), (0.3, 1, 0)))
    falls = Figure(Body(Box(0.1)), ARM.joints, position=(0, 1, 0), orientation=Orientation.turned(-60, "z"), held=True)
    stage = Stage([wall, Actor("arm", falls)], gravity=(9.81, 0, 0))
    sheet, events = plot(stage, seconds=1.0).figure, shoot(stage, 1.0).events
    assert {event.actor for event in events} <= {"arm/upper", "arm/hand"}
    marks = [line for line in sheet.axes[-1].lines if line.get_marker() == "D"]
    assert len(marks) == len(events) > 0
    assert {mark.get_ydata()[0] for mark in marks} == {1}


def test_key_relative_to_an_undriven_link_has_no_distance_diagram():
    ball = Follow(MotionPath([(1, 1, 0), Key((0, 0.3, 0), relative_to="arm/upper")]), Body(Sphere(0.1)), within=0.2)
    assert tracks_of_stage(Stage([Actor("arm", ARM), Actor("ball", ball)]), 24, 0.2).distance_pairs == ()


def test_soft_body_is_drawn_once_by_its_surface_on_stage_and_in_take():
    take = shoot(SOFT, 0.5)
    for cast in (tracks_of_stage(SOFT, 24, 0.5), tracks_of_take(take, SOFT), tracks_of_take(take)):
        assert list(cast.by_name) == ["jelly", "floor"]
        assert_allclose(cast.by_name["jelly"].surface.position, take["jelly/skin"].position)
    for sheet in (plot(SOFT, seconds=0.5), plot(take, stage=SOFT), plot(take)):
        jelly = [patch for patch in sheet.figure.axes[0].patches if len(patch.get_xy())]
        assert len(jelly) == 2, "at first and at last"
        assert np.ptp(jelly[-1].get_xy(), axis=0)[1] < 0.55, "it lies flat on the floor"


def test_drawing_and_film_of_a_soft_body_contain_its_surface_only():
    take = shoot(SOFT, 0.5)
    assert list(body_shapes(SOFT)) == ["jelly/skin", "floor"]
    assert list(body_shapes(SOFT, ["jelly"])) == ["jelly/skin"]
    panel = Drawing().panel().bodies(SOFT, take.at(0.5), of=["jelly"])
    (rim, spoke) = panel.ax.lines
    assert_allclose(np.ptp(rim.get_xydata(), axis=0), np.ptp(take["jelly/skin"].position[-1, :, :2], axis=0))
    assert not len(spoke.get_xydata())


def test_names_in_diagrams_stay_inside_them(tmp_path):
    quick = Motion(MotionPath([(0, 0, 0), (0, 1, 0), (0, 0, 0), (0, 1, 0)]), duration=0.5, outside="cycle")
    figure = plot(Stage([Actor(f"a long name/{number}", quick) for number in range(4)]), seconds=5.0).figure
    figure.savefig(tmp_path / "a.png")
    speed = next(ax for ax in figure.axes if ax.get_title(loc="left").startswith("speed"))
    for text in speed.texts:
        box, frame = text.get_window_extent(), speed.get_window_extent()
        assert box.x0 >= frame.x0 - 1
        assert box.x1 <= frame.x1 + 1
