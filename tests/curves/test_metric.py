"""Distance of what travels and turns at once: ∫√(m dl² + j dθ²)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from keypose import Key, MotionPath, Orientation
from keypose.curves.path.metric import Metric, build_metric_table
from keypose.maths import quaternion

NODES, WEIGHTS = np.polynomial.legendre.leggauss(12)


def random_path(seed=0, count=6, **style):
    rng = np.random.default_rng(seed)
    facings = quaternion.normalize(rng.normal(size=(count, 4)))
    return MotionPath([Key(rng.normal(size=3), orientation=facing) for facing in facings], **style)


def quadrature_length(path, mass, inertia, start=0.0, stop=None):
    """The integral by many small pieces, from the path's own velocity and angular velocity."""
    stop = path.segments if stop is None else stop
    ends = np.linspace(start, stop, round(256 * (stop - start)) + 1)
    half = np.diff(ends)[:, None] / 2
    u = (ends[:-1, None] + half) + half * NODES
    travel, turn = path.velocity(u), path.angular_velocity(u)
    speed = np.sqrt(mass * (travel**2).sum(axis=-1) + inertia * (turn**2).sum(axis=-1))
    return (speed * WEIGHTS * half).sum()


def rotation(degrees):
    return Orientation.turned(float(degrees), (1, 2, -2))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("mass", "inertia"), [(1, 1), (2, 0.01), (0.5, 30), (0, 1)])
@pytest.mark.parametrize("tension", [0, 0.7, 1])
def test_length_integrates_translation_and_rotation(seed, mass, inertia, tension):
    path = random_path(seed, mass=mass, inertia=inertia, tension=tension)
    assert path.length == pytest.approx(quadrature_length(path, mass, inertia), rel=1e-9)
    assert path.distance(2.6) - path.distance(2.1) == pytest.approx(
        quadrature_length(path, mass, inertia, 2.1, 2.6), rel=1e-8
    )


@pytest.mark.parametrize("turning", ["casteljau", "log"])
@pytest.mark.parametrize("style", [{"closed": True}, {"continuity": -1}, {"tension": -1, "bias": 0.5}])
def test_length_of_loops_corners_and_wide_rotations_matches_quadrature(style, turning):
    path = random_path(4, inertia=0.5, turning=turning, **style)
    assert path.length == pytest.approx(quadrature_length(path, 1, 0.5), rel=1e-8)


def test_rotation_counts_only_between_oriented_keys():
    keys = [Key((i, 0), orientation=rotation(90 * i) if i in (1, 3) else None) for i in range(5)]
    path = MotionPath(keys, inertia=2)
    assert path.length == pytest.approx(quadrature_length(path, 1, 2), rel=1e-9)
    assert path.distance(1) == pytest.approx(1, rel=1e-12)  # no turn before the first facing
    assert path.length - path.distance(3) == pytest.approx(1, rel=1e-12)


@pytest.mark.parametrize(("mass", "inertia"), [(1, 1), (4, 0.25), (0, 2)])
def test_uniform_rotation_on_a_line_adds_in_quadrature(mass, inertia):
    x = np.array([0, 1, 4, 4.5, 10])
    keys = [Key((2 * place, 0, 0), orientation=rotation(12 * place)) for place in x]
    path = MotionPath(keys, mass=mass, inertia=inertia)
    per_unit = np.sqrt(mass * 2**2 + inertia * np.radians(12) ** 2)
    assert path.length == pytest.approx(10 * per_unit, rel=1e-9)
    assert_allclose(path.distance(np.arange(5)), x * per_unit, rtol=0, atol=1e-9 * path.length)
    assert_allclose(path.along(per_unit * np.linspace(0, 10, 9))[:, 0], np.linspace(0, 20, 9), rtol=0, atol=1e-8)


def test_distance_without_translation_is_the_angle():
    on_the_spot = MotionPath([Key((1, 1), orientation=rotation(angle)) for angle in (0, 40, 100)])
    no_place = MotionPath([Key(orientation=rotation(angle)) for angle in (0, 40, 100)])
    for path in (on_the_spot, no_place):
        assert path.length == pytest.approx(np.radians(100), rel=1e-9)
        assert path.distance(1) == pytest.approx(np.radians(40), rel=1e-9)


def test_rotation_there_and_back_is_measured_in_full():
    path = MotionPath([Key(orientation=rotation(angle)) for angle in (0, 90, 0)], ends="still")
    assert path.length == pytest.approx(np.radians(180), rel=1e-9)
    assert path.parameter(np.radians(90)) == pytest.approx(1, abs=1e-4)


def test_rotation_between_two_stops_matches_closed_form():
    path = MotionPath([Key(orientation=rotation(angle), tension=1) for angle in (0, 90)])
    share = np.linspace(0, 1, 21)
    assert_allclose(path.distance(share) / path.length, share**2 * (3 - 2 * share), rtol=0, atol=1e-9)


def test_mass_matters_only_with_inertia():
    plain = MotionPath([(0, 0), (1, 2), (3, 1)])
    assert_allclose(MotionPath([(0, 0), (1, 2), (3, 1)], mass=9, inertia=5).length, 3 * plain.length, rtol=1e-9)
    assert random_path(mass=9).length == random_path().length


def test_pace_is_the_slope_of_distance():
    path = random_path(2, mass=2, inertia=0.7)
    u, h = np.linspace(0.05, 4.95, 50) + 1e-3, 1e-4
    slope = (path.distance(u + h) - path.distance(u - h)) / (2 * h)
    assert_allclose(path.geometry.pace(u), slope, rtol=1e-5)


def test_combined_speed_is_one_when_parametrized_by_distance():
    path = random_path(5, mass=2, inertia=0.7)
    wanted = np.linspace(0, path.length, 200)
    assert_allclose(path.distance(path.parameter(wanted)), wanted, rtol=0, atol=1e-9 * path.length)
    heading, u = path.geometry.heading(path.parameter(wanted)), path.parameter(wanted)
    turn = path.angular_velocity(u) / path.geometry.pace(u)[:, None]
    assert_allclose(2 * (heading**2).sum(axis=1) + 0.7 * (turn**2).sum(axis=1), 1, rtol=1e-9)


def test_metric_table_has_sixteen_parts_per_segment():
    path = random_path()
    ruler = build_metric_table(path.geometry.rope.whole, path.geometry.orientation, Metric(1.0, 1.0))
    assert ruler.quartics.shape == (5, 16, 5)
    speed = np.sqrt(ruler.quartics[:, :, 0])
    u = np.arange(5)[:, None] + np.arange(16) / 16
    expected = np.sqrt((path.velocity(u) ** 2).sum(axis=-1) + (path.angular_velocity(u) ** 2).sum(axis=-1))
    assert_allclose(speed, expected, rtol=1e-5)
