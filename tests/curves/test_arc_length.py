"""Distance along a path and back: against closed forms and scipy's quadrature, also where the path (nearly) stops."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.polynomial import Polynomial
from numpy.testing import assert_allclose, assert_array_equal
from scipy.integrate import quad

from keypose import Key, MotionPath
from keypose.curves.distance import inverse_arc_length
from keypose.curves.distance import length_table as length_table_module
from keypose.curves.distance.inverse_arc_length import distances, parameters
from keypose.curves.distance.length_table import LengthTable, build_length_table
from keypose.maths import hermite


def segment_with_velocity(*velocity):
    """One segment (1, 4, dim) whose velocity is the given polynomial in each direction."""
    places = [part.integ() for part in velocity]
    rows = [[part(0) for part in places], [part(1) for part in places]]
    return np.array([[*rows, [part(0) for part in velocity], [part(1) for part in velocity]]])


def length_table_of(curve, points=1):
    return build_length_table(hermite.speed_quartics(curve, points)[:, None])


def quadrature_length(speed, breaks=()):
    """∫ speed over 0 … 1, with breaks and ever finer steps towards each of them."""
    near = [b + side * 10.0**-k for b in breaks for side in (-1, 1) for k in range(1, 12)]
    ends = sorted({0.0, 1.0, *(b for b in [*breaks, *near] if 0 < b < 1)})
    return sum(quad(speed, a, b, epsabs=1e-16, epsrel=1e-12)[0] for a, b in pairwise(ends))


def segment_quadrature_length(path, segment):
    return quadrature_length(lambda s: float(path.geometry.pace(segment + s)))


def random_path(count=8, seed=0, shape=(3,), **style):
    return MotionPath(np.random.default_rng(seed).normal(size=(count, *shape)), **style)


# ---- against closed forms --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("a", [0.0, 1e-6, 0.1, 1.0, 30.0])
def test_parabola_length_matches_closed_form(a):
    ruler = length_table_of(segment_with_velocity(Polynomial([1.0]), Polynomial([0.0, 2 * a])))

    def until(x):
        return 0.5 * x * np.hypot(1, 2 * a * x) + (np.arcsinh(2 * a * x) / (4 * a) if a else 0.5 * x)

    s = np.linspace(0, 1, 41)
    assert_allclose(distances(ruler, np.zeros(41, dtype=np.int64), s), until(s), rtol=1e-9, atol=1e-10 * until(1))
    assert ruler.length == pytest.approx(until(1), rel=1e-10)


def test_parameter_between_two_stops_matches_closed_form():
    path = MotionPath([Key((0, 0), tension=1), Key((3, 4), tension=1)])
    share = np.linspace(0, 1, 201)
    assert path.length == pytest.approx(5, rel=1e-14)
    assert_allclose(path.distance(share) / 5, share**2 * (3 - 2 * share), rtol=0, atol=1e-14)
    assert_allclose(path.parameter(path.length * share), 0.5 - np.sin(np.arcsin(1 - 2 * share) / 3), rtol=0, atol=1e-11)
    assert_allclose(path.along(path.length * share), share[:, None] * [3, 4], rtol=0, atol=1e-11)


def test_straight_uniform_path_has_linear_distance():
    path = MotionPath([(0, 0), (3, 4)])
    assert path.length == pytest.approx(5, rel=1e-15)
    assert_allclose(path.parameter([0, 1, 2.5, 5]), [0, 0.2, 0.5, 1], rtol=1e-15)


@settings(deadline=None, max_examples=200)
@given(st.floats(-0.5, 1.5), st.floats(-0.5, 1.5), st.sampled_from([1.0, 1e-3, 1e-6]))
def test_reversals_on_a_line_are_measured_exactly(c, distance, scale):
    """Velocity (s - c)(s - d): the path turns back at c and at d, however near to each other or to an end they are."""
    d = c + scale * distance
    velocity = Polynomial.fromroots([c, d])
    ruler = length_table_of(segment_with_velocity(velocity))
    stops = sorted({0.0, 1.0, *(x for x in (c, d) if 0 < x < 1)})
    place = velocity.integ()
    expected = np.abs(np.diff([place(x) for x in stops])).sum()
    assert ruler.length == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("c", [1e-6, 1e-4, 1e-3, 0.01, 0.02, 1 / 32, 1 / 16, 0.3, 0.5, 0.9, 0.97, 0.99, 0.9999])
def test_stop_inside_a_segment_is_measured_exactly(c):
    ruler = length_table_of(segment_with_velocity(Polynomial([-c, 1])))
    assert ruler.length == pytest.approx((c * c + (1 - c) ** 2) / 2, rel=1e-13)
    s = np.array([c / 2, c, (1 + c) / 2])
    expected = [(c * c - (c / 2) ** 2) / 2, c * c / 2, (c * c + ((1 - c) / 2) ** 2) / 2]
    assert_allclose(distances(ruler, np.zeros(3, dtype=np.int64), s), expected, rtol=0, atol=1e-13)
    assert_allclose(parameters(ruler, np.array(expected)), s, rtol=0, atol=1e-6)  # near a stop s² is known, not s


@pytest.mark.parametrize("width", [1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 3e-6, 1e-6, 1e-7])
@pytest.mark.parametrize("c", [0.0, 0.003, 0.0631, 0.31, 0.5, 0.92152, 0.98, 1.0, 1.0001])
def test_near_stop_is_measured_accurately(c, width):
    velocity = Polynomial([-c, 1]) * Polynomial([1, 0.3]), Polynomial([width, 0.1 * width])
    expected = quadrature_length(lambda s: np.hypot(velocity[0](s), velocity[1](s)), [c])
    assert length_table_of(segment_with_velocity(*velocity)).length == pytest.approx(expected, rel=1e-9)


def test_halves_that_agree_by_chance_are_refined_again():
    """Here one division and its halves agree to 1e-12, and all three are wrong by 5e-8."""
    c, width = 0.5380342074036818, 0.00940317441838928
    along = Polynomial([-c, 1]) * Polynomial([1, 2.0552819308018586])
    across = Polynomial([width, 0.7466186780338682 * width])
    expected = quadrature_length(lambda s: np.hypot(along(s), across(s)), [c])
    assert length_table_of(segment_with_velocity(along, across)).length == pytest.approx(expected, rel=1e-9)


# ---- against scipy's quadrature --------------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", [(1,), (2,), (3,), (5, 2), (40, 3)])
@pytest.mark.parametrize("tension", [-1, 0, 0.7])
def test_length_matches_scipy_quadrature(shape, tension):
    path = random_path(5, shape=shape, tension=tension)
    if shape == (1,):  # a line turns back where its velocity is zero: quadrature must be told
        velocity = [Polynomial(_velocity_of(segment)) for segment in path.geometry.curve[:, :, 0]]
        expected = [quadrature_length(lambda s, v=v: abs(v(s)), v.roots()[np.isreal(v.roots())].real) for v in velocity]
    else:
        expected = [segment_quadrature_length(path, segment) for segment in range(4)]
    assert_allclose(np.diff(path.distance(np.arange(5.0))), expected, rtol=1e-9)


def _velocity_of(row):
    start, stop, leave, arrive = row
    chord = stop - start
    return [leave, 2 * (3 * chord - 2 * leave - arrive), 3 * (leave + arrive - 2 * chord)]


@pytest.mark.parametrize("scale", [1e-30, 1e-9, 1.0, 1e9, 1e50])
def test_relative_accuracy_is_independent_of_path_scale(scale):
    path, scaled = random_path(), MotionPath(random_path().keys.column("position") * scale)
    assert scaled.length == pytest.approx(path.length * scale, rel=1e-12)
    share = np.linspace(0, 1, 31)
    assert_allclose(scaled.parameter(share * scaled.length), path.parameter(share * path.length), rtol=0, atol=1e-9)


def test_short_segment_stays_accurate_beside_a_long_one(monkeypatch):
    curve = np.concatenate(
        [1e20 * segment_with_velocity(Polynomial([1.0])), segment_with_velocity(Polynomial([1.0, 1.0]))]
    )
    for by_kernel in (False, True):
        monkeypatch.setattr(inverse_arc_length, "use_kernels", lambda work, allowed=by_kernel: allowed)
        ruler = length_table_of(curve)
        assert ruler.distances[-1] == pytest.approx(1.5, rel=1e-14)


def test_drawing_length_is_root_mean_square_over_points():
    path = MotionPath(np.array([np.zeros((4, 2)), [[3, 4], [0, 0], [0, 0], [3, 4]]]))
    assert path.length == pytest.approx(np.sqrt((25 + 25) / 4), rel=1e-14)


# ---- there and back --------------------------------------------------------------------------------------------------

PATHS = {
    "points": random_path(12),
    "drawings": random_path(6, shape=(9, 2)),
    "stops": MotionPath([Key(place, tension=1) for place in np.random.default_rng(3).normal(size=(6, 2))]),
    "reversals": MotionPath(np.array([[0.0], [3], [1], [1.5], [-4]]), tension=-1),
    "repeated keys": MotionPath([(0, 0), (0, 0), (1, 1), (1, 1), (1, 1), (3, 0), (3, 0)]),
    "corners": random_path(8, continuity=-1),
    "closed": random_path(7, closed=True),
    "uneven": MotionPath(np.cumsum(10.0 ** np.random.default_rng(0).uniform(-6, 3, size=(20, 2)), axis=0)),
}


@pytest.mark.parametrize("name", PATHS)
@pytest.mark.parametrize("by_kernel", [False, True])
def test_distance_inverts_parameter(monkeypatch, name, by_kernel):
    monkeypatch.setattr(inverse_arc_length, "use_kernels", lambda work: by_kernel)
    path = PATHS[name]
    wanted = np.linspace(0, path.length, 401)
    u = path.parameter(wanted)
    assert_allclose(path.distance(u), wanted, rtol=0, atol=1e-12 * path.length)
    assert (np.diff(u) >= 0).all()
    assert u[-1] == path.segments


@pytest.mark.parametrize("name", PATHS)
def test_distance_never_decreases(name):
    path = PATHS[name]
    along = path.distance(np.linspace(0, path.segments, 5001)[: None if not path.closed else -1])
    assert np.diff(along).min() >= -1e-15 * path.length


@pytest.mark.parametrize("name", ["points", "drawings", "stops", "corners", "closed", "uneven"])
def test_speed_is_one_when_parametrized_by_distance(name):
    path = PATHS[name]
    at_keys = path.distance(np.arange(path.segments + 0.0))
    wanted = np.linspace(0, path.length, 301)[1:-1]
    gap = 1e-5 * path.length
    clear = np.abs(wanted[:, None] - np.append(at_keys, path.length)).min(axis=1) > 2 * gap
    step = path.along(wanted + gap / 2) - path.along(wanted - gap / 2)
    speed = path.geometry.pace_of(step, np.zeros(3)) / gap
    assert clear.sum() > 150
    assert np.percentile(np.abs(speed[clear] - 1), 90) < 1e-5
    assert (speed[clear] < 1 + 1e-7).all()


def test_distances_beyond_the_ends_are_clamped():
    path = random_path()
    assert path.parameter([-1, -1e-300, 0]).tolist() == [0, 0, 0]
    assert path.parameter([path.length, path.length + 1, np.inf]).tolist() == [7, 7, 7]
    assert path.distance([-3, 99]).tolist() == [0, path.length]


def test_path_with_one_position_has_zero_length():
    path = MotionPath([(1, 2), (1, 2), (1, 2)])
    assert path.length == 0
    assert path.along([-1, 0, 1]).tolist() == [[1, 2]] * 3
    assert path.distance([0, 1, 1.5]).tolist() == [0, 0, 0]


def test_path_with_repeated_last_key_ends_at_its_last_key():
    path = MotionPath([(0, 0), (1, 0), (1, 0)])
    assert path.parameter(path.length) == 2


def test_distance_on_a_closed_path_accumulates_per_lap():
    path = random_path(6, closed=True)
    u = np.linspace(-7, 13, 101)
    assert_allclose(path.parameter(path.distance(u)), u, rtol=0, atol=1e-9)
    assert_allclose(path.distance(u + 6), path.distance(u) + path.length, rtol=1e-12)


# ---- rulers ----------------------------------------------------------------------------------------------------------


def test_sliced_length_table_equals_table_of_the_slice():
    curve = PATHS["uneven"].geometry.curve
    whole = length_table_of(curve)
    for start, stop in [(0, 19), (0, 1), (5, 9), (18, 19)]:
        part, fresh = whole.sliced(start, stop), length_table_of(curve[start:stop])
        for word in ("quartics", "first_piece", "piece_ends", "distances", "segment_starts", "segment_lookup"):
            assert_array_equal(getattr(part, word), getattr(fresh, word))


def test_concatenated_length_tables_equal_table_of_the_whole():
    curve = PATHS["uneven"].geometry.curve
    whole = length_table_of(curve)
    joined = LengthTable.concatenate([length_table_of(curve[:4]), length_table_of(curve[4:5]), whole.sliced(5, 19)])
    for word in ("quartics", "first_piece", "piece_ends", "distances", "segment_starts", "segment_lookup"):
        assert_array_equal(getattr(joined, word), getattr(whole, word))


def test_pieces_of_each_segment_end_at_its_end():
    ruler = length_table_of(PATHS["reversals"].geometry.curve)
    assert (ruler.piece_ends[ruler.first_piece[1:] - 1] == 1).all()
    for segment in range(len(ruler)):
        mine = slice(ruler.first_piece[segment], ruler.first_piece[segment + 1])
        assert (np.diff(ruler.piece_ends[mine]) > 0).all()
        assert (np.diff(ruler.distances[mine]) >= 0).all()


def test_simple_segments_need_few_pieces_and_near_stops_more():
    plain = length_table_of(segment_with_velocity(Polynomial([1.0]), Polynomial([0.1, 0.1])))
    nearly = length_table_of(segment_with_velocity(Polynomial([-0.4, 1.0]), Polynomial([1e-4])))
    assert len(plain.piece_ends) == 2
    assert 20 < len(nearly.piece_ends) < 100


def test_length_of_smooth_segments_agrees_with_a_finer_table():
    """The stated tolerance, measured: a ruler ten times as fine agrees."""
    path = random_path(30, seed=5)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(length_table_module, "LENGTH_TOLERANCE", 1e-14)
        fine = length_table_of(path.geometry.curve)
    assert path.length == pytest.approx(fine.length, rel=1e-10)
