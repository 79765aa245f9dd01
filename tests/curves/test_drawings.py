"""Key frames that are whole drawings: (points, dim), each point on its way, measured as one (KB84 §2)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.integrate import quad

from keypose.curves.key import Key, at_depth
from keypose.curves.orientation import Orientation
from keypose.curves.path.motion_path import MotionPath
from keypose.errors import KeyposeError
from keypose.maths import kernel_switch
from keypose.motion.motion import Motion
from keypose.timing.key_times import KeyTimes
from keypose.timing.speed_profile import SpeedProfile


def random_drawings(count=5, points=4, dim=2, seed=0):
    return np.random.default_rng(seed).normal(size=(count, points, dim))


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("adjust", ["none", "time", "velocity"])
def test_points_of_a_drawing_are_independent_without_length_adjustment(adjust, closed):
    figures, times = random_drawings(), [0, 1, 1.5, 4, 4.5]
    keys = [Key(figure, time=time, tension=0.1 * time) for figure, time in zip(figures, times, strict=True)]
    path = MotionPath(keys, adjust=adjust, closed=closed)
    u = np.linspace(-1, 6, 50)
    for point in range(4):
        alone = MotionPath([key.changed(position=key.position[point]) for key in keys], adjust=adjust, closed=closed)
        assert_allclose(path.at(u)[:, point], alone.at(u), atol=1e-14)
        assert_allclose(path.velocity(u)[:, point], alone.velocity(u), atol=1e-13)
        assert_allclose(path.leave[:, point], alone.leave, atol=1e-14)


def test_result_shape_ends_with_the_shape_of_the_drawing():
    path = MotionPath(random_drawings(points=4, dim=3))
    assert path.shape == (4, 3)
    assert path.arrive.shape == path.leave.shape == (5, 4, 3)
    for method in (path.at, path.velocity, path.acceleration, path.geometry.heading, path.along):
        assert method(1.5).shape == (4, 3)
        assert method(2).shape == (4, 3)
        assert method(np.zeros((2, 6))).shape == (2, 6, 4, 3)
    assert np.shape(path.distance(0.5)) == np.shape(path.geometry.pace(0.5)) == ()
    assert path.orientation_at([0.5, 1.0]).shape == (2, 4)


def test_list_and_array_of_drawings_give_the_same_path():
    figures = random_drawings()
    assert MotionPath(figures) == MotionPath([Key(figure) for figure in figures]) == MotionPath(list(figures))
    assert_array_equal(MotionPath(figures).at(2.0), figures[2])


@pytest.mark.parametrize("points", [3, 400], ids=["narrow", "wide"])
@pytest.mark.parametrize("closed", [False, True])
def test_kernels_match_the_reference_for_drawings(monkeypatch, points, closed):
    path = MotionPath(random_drawings(points=points), closed=closed)
    u = np.random.default_rng(1).uniform(-2, 7, 100)
    monkeypatch.setattr(kernel_switch, "allowed", False)
    defined = [path.at(u), path.velocity(u), path.acceleration(u), path.at(1.3)]
    monkeypatch.setattr(kernel_switch, "allowed", True)
    monkeypatch.setattr(kernel_switch, "WORTH_LOADING", 0)
    out = np.empty((100, points, 2))
    assert path.at(u, out=out) is out
    for compiled, definition in zip([out, path.velocity(u), path.acceleration(u), path.at(1.3)], defined, strict=True):
        assert_allclose(compiled, definition, atol=1e-13)


def test_out_array_of_wrong_shape_is_refused():
    path = MotionPath(random_drawings())
    with pytest.raises(KeyposeError, match=r"`out` has shape \(3, 8\) .* float64 array \(3, 4, 2\)"):
        path.at([0, 1, 2], out=np.empty((3, 8)))


# ---- distance --------------------------------------------------------------------------------------------------------


def test_distance_is_the_root_mean_square_over_the_points():
    path = MotionPath(random_drawings())

    def rate(u):
        return np.sqrt(np.mean(np.sum(path.velocity(u) ** 2, axis=-1)))

    assert path.length == pytest.approx(sum(quad(rate, i, i + 1, epsabs=1e-12)[0] for i in range(4)), rel=1e-9)
    assert path.geometry.pace(1.3) == pytest.approx(rate(1.3))
    d = np.linspace(0, path.length, 20)
    assert_allclose(path.distance(path.parameter(d)), d, atol=1e-9)


def test_length_of_a_translated_drawing_is_the_path_length_of_any_point():
    figure, positions = random_drawings(1)[0], np.random.default_rng(1).normal(size=(6, 2))
    path, point = MotionPath([figure + place for place in positions]), MotionPath(positions)
    assert path.length == pytest.approx(point.length, rel=1e-12)
    d = np.linspace(0, point.length, 30)
    assert_allclose(path.along(d), figure + point.along(d)[:, None], atol=1e-9)


def test_half_the_points_at_rest_divide_the_length_by_root_two():
    figures = np.zeros((2, 4, 2))
    figures[1, :2, 0] = 3.0
    assert MotionPath(figures).length == pytest.approx(3 / np.sqrt(2))


def test_duplicating_every_point_keeps_curve_and_length():
    figures = random_drawings()
    once, twice = MotionPath(figures), MotionPath(np.concatenate([figures, figures], axis=1))
    assert twice.length == pytest.approx(once.length, rel=1e-12)
    u = np.linspace(0, 4, 30)
    assert_allclose(twice.at(u)[:, :4], once.at(u), atol=1e-14)


# ---- edits and motions -----------------------------------------------------------------------------------------------


def test_drawings_are_edited_like_any_other_key():
    path = MotionPath([Key(figure, name=f"k{index}") for index, figure in enumerate(random_drawings())])
    other = random_drawings(1, seed=9)[0]
    assert_array_equal(path.with_key("k2", position=other).at(2.0), other)
    inserted = path.insert(1.25)
    u = np.linspace(0, 1, 9)
    assert_allclose(inserted.at(1 + u), path.at(1 + 0.25 * u), atol=1e-14)
    assert_allclose(inserted.at(2 + u), path.at(1.25 + 0.75 * u), atol=1e-14)
    assert path.without_key(0) == MotionPath([*path.keys[1:]])
    hand = np.ones((4, 2))
    assert_array_equal(path.with_key(1, leave=hand).leave[1], hand)
    lost = path.with_key(1, leave=path.leave[1] + [[0, 0], [27, 0], [0, 0], [0, 0]]).lost_by_tcb(1)
    assert lost.max_displacement == pytest.approx(4)  # the farthest point counts


def test_drawing_can_be_animated_like_a_point():
    path = MotionPath(random_drawings())
    motion = Motion(path, SpeedProfile([1, 5, 1]), duration=2.0)
    assert motion.frames(24).position.shape == (49, 4, 2)
    assert motion.frames(24).orientation.shape == (49, 4)
    t, h = np.linspace(0.1, 1.9, 25), 1e-6
    difference = (motion.at(t + h).position - motion.at(t - h).position) / (2 * h)
    assert_allclose(motion.velocity(t), difference, atol=1e-6)
    assert motion.velocity(1.0).shape == (4, 2)
    assert_allclose(motion.speed(t), np.sqrt(np.mean(np.sum(motion.velocity(t) ** 2, axis=-1), axis=-1)), rtol=1e-9)
    by_times = Motion(path, KeyTimes([0, 1, 3, 4, 7]))
    assert_array_equal(by_times.at(3.0).position, path.keys[2].position)


def test_drawing_keys_may_have_orientations():
    figures = random_drawings(3, dim=3)
    path = MotionPath([Key(figures[0], orientation=(1, 0, 0, 0)), figures[1],
                       Key(figures[2], orientation=Orientation.turned(90, "z"))])  # fmt: skip
    assert path.orientation_at([0.0, 2.0]).shape == (2, 4)
    assert Motion(path, duration=1.0).at(1.0).facing.angle_to(Orientation.turned(90, "z")) < 1e-6


# ---- planes at depth -------------------------------------------------------------------------------------------------


def test_at_depth_places_a_flat_drawing_on_a_plane():
    figure = random_drawings(1)[0]
    placed = at_depth(figure, -2.5)
    assert placed.shape == (4, 3)
    assert_array_equal(placed[:, :2], figure)
    assert_array_equal(placed[:, 2], [-2.5] * 4)
    assert_array_equal(at_depth((1, 2), 3), (1, 2, 3))


def test_drawings_at_depth_stay_on_their_plane_and_move_between_planes():
    figures = random_drawings(4)
    layer = MotionPath([Key(at_depth(figure, 5.0)) for figure in figures])
    assert_allclose(layer.at(np.linspace(0, 3, 40))[..., 2], 5.0)
    through = MotionPath([Key(at_depth(figure, depth)) for depth, figure in enumerate(figures)], adjust="none")
    u = np.linspace(0, 3, 40)
    depths = through.at(u)[..., 2]
    assert_allclose(depths, np.broadcast_to(u[:, None], depths.shape), atol=1e-14)  # flat at every moment
    assert_allclose(through.at(u)[..., :2], MotionPath(figures, adjust="none").at(u), atol=1e-14)


@pytest.mark.parametrize(
    ("drawing", "depth", "message"),
    [
        (np.zeros((4, 3)), 1, r"shape \(4, 3\)\. Give points in 2-D"),
        ([(0, np.nan)], 1, "Coordinates must be finite"),
        ([(0, 1)], None, "depth None"),
        ([(0, 1)], np.inf, "depth inf"),
        ("cat", 1, "not a list of numbers"),
    ],
)
def test_at_depth_refuses_invalid_input(drawing, depth, message):
    with pytest.raises(KeyposeError, match=message):
        at_depth(drawing, depth)


def test_drawings_with_different_point_counts_are_refused():
    with pytest.raises(KeyposeError, match=r"Key 1 .* shape \(3, 2\).*\(4, 2\)"):
        MotionPath([np.zeros((4, 2)), np.zeros((3, 2))])
    with pytest.raises(KeyposeError, match=r"Key 1 .* shape \(2,\).*\(4, 2\)"):
        MotionPath([Key(np.zeros((4, 2))), Key((1, 2))])
