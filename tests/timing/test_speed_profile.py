"""A drawn speed: what it refuses, what it keeps, and how far it has come."""

import copy
import pickle

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.interpolate import BSpline, PchipInterpolator

from keypose.errors import KeyposeError
from keypose.timing.speed_profile import SpeedProfile

X = np.linspace(0, 1, 241)
speeds = st.one_of(st.just(0.0), st.floats(1e-3, 100))
speed_lists = st.lists(speeds, min_size=1, max_size=10).filter(any)
spline_profiles = speed_lists.map(SpeedProfile)
speed_points = st.dictionaries(st.integers(0, 100).map(lambda x: x / 100), speeds, min_size=1, max_size=8)
profiles = st.one_of(
    spline_profiles, speed_points.filter(lambda points: any(points.values())).map(SpeedProfile.through)
)
fractions = st.lists(st.floats(0, 1), min_size=1, max_size=10).map(np.array)


@pytest.mark.parametrize("wrong", [[], (), np.zeros(0)])
def test_a_profile_needs_a_value(wrong):
    with pytest.raises(KeyposeError, match=r"at least one number.* Write relative speeds such as"):
        SpeedProfile(wrong)


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ([1, float("nan")], r"Speed value 1 is nan\. Relative speeds are finite"),
        ([float("inf"), 1], r"Speed value 0 is inf\. Relative speeds are finite"),
        ([1, 2, -3], r"Speed value 2 is -3\. A profile never runs backwards"),
        ([1e300, 1], r"Speed value 0 is 1e\+300, above 1e\+100\. Only ratios count"),
        ([0, 0, 0], r"This profile never moves: no value of 3 is above 0\. Raise one"),
        ([0, 1e-200], r"This profile never moves: no value of 2 is above 1e-200"),
    ],
)
def test_invalid_speeds_are_refused_with_their_values(values, sentence):
    with pytest.raises(KeyposeError, match=sentence):
        SpeedProfile(values)


@pytest.mark.parametrize(
    "wrong", ["fast", None, 3, [[1, 2]], [[1], [2, 3]], ["1", "2"], [True], [1j], {1, 2}, object()]
)
def test_invalid_list_of_speeds_is_refused_with_reason(wrong):
    with pytest.raises(KeyposeError, match=r"Speed values must be .* was given"):
        SpeedProfile(wrong)


@pytest.mark.parametrize(
    ("points", "sentence"),
    [
        ({}, "at least one number"),
        ([(0, 1)], r"takes points \{x: speed\} such as"),
        ({"start": 1}, "must be numbers"),
        ({0: "fast"}, "must be numbers"),
        ({0: 1, 1.5: 2}, r"A point lies at x = 1\.5, outside the duration"),
        ({float("nan"): 1}, "A point lies at x = nan"),
        ({0: 1, 0.5: -2}, r"The speed at x = 0\.5 is -2"),
        ({0.3: 0, 0.9: 0}, "never moves"),
        ({0.5: 1, 0.5 + 1e-12: 2}, "nearer than 1e-09"),
    ],
)
def test_invalid_points_are_refused_with_their_values(points, sentence):
    with pytest.raises(KeyposeError, match=sentence):
        SpeedProfile.through(points)


def test_edits_refuse_unknown_indices_and_invalid_values():
    profile = SpeedProfile([1, 2, 3])
    with pytest.raises(KeyposeError, match=r"There is no value 3: there are 3, numbered 0 to 2\."):
        profile.raised(3, 1)
    with pytest.raises(KeyposeError, match="There is no value -4"):
        profile.without(-4)
    with pytest.raises(KeyposeError, match="go by whole numbers"):
        profile.without(0.5)
    with pytest.raises(KeyposeError, match="x = 2 is outside the duration"):
        profile.inserted(2, 1)
    with pytest.raises(KeyposeError, match="one finite number"):
        profile.raised(0, None)
    with pytest.raises(KeyposeError, match="is the only one of this profile"):
        SpeedProfile.steady().without(0)
    with pytest.raises(KeyposeError, match="never moves"):
        SpeedProfile([0, 5]).raised(1, 0)
    with pytest.raises(KeyposeError, match=r"a point at x = 0\.5 already\. Set it with raised\(1, 7\)"):
        SpeedProfile.through({0: 1, 0.5: 2}).inserted(0.5, 7)


@pytest.mark.parametrize("wrong", [float("nan"), [0.5, float("nan")], "noon", None, 1j])
def test_invalid_queries_are_refused(wrong):
    for method in (SpeedProfile.steady().at, SpeedProfile.steady().covered, SpeedProfile.steady().x_at_area):
        with pytest.raises(KeyposeError, match="must be numbers"):
            method(wrong)


def test_a_profile_of_too_many_values_is_refused():
    with pytest.raises(KeyposeError, match="more than 100,000"):
        SpeedProfile(np.ones(100_001))


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 9, 100])
def test_control_values_define_the_b_spline_of_scipy(count):
    values = np.random.default_rng(count).uniform(0, 9, count)
    order = min(3, count - 1)
    knots = np.concatenate([[0.0] * order, np.linspace(0, 1, count - order + 1), [1.0] * order])
    oracle = BSpline(knots, values, order)
    profile = SpeedProfile(values)
    np.testing.assert_allclose(profile.at(X), oracle(X), rtol=0, atol=1e-13)
    np.testing.assert_allclose(profile.covered(X), oracle.antiderivative()(X), rtol=0, atol=1e-13)


def test_curve_through_points_is_pchip_with_constant_ends():
    profile = SpeedProfile.through({0.9: 2, 0.2: 1, 0.5: 8, 0.6: 0})
    oracle = PchipInterpolator([0, 0.2, 0.5, 0.6, 0.9, 1], [1, 1, 8, 0, 2, 2])
    np.testing.assert_allclose(profile.at(X), oracle(X), rtol=0, atol=1e-13)
    np.testing.assert_allclose(profile.covered(X), oracle.antiderivative()(X), rtol=0, atol=1e-13)
    assert profile.at([0, 0.1, 0.95, 1]).tolist() == [1, 1, 2, 2]
    assert profile.places.tolist() == [0.2, 0.5, 0.6, 0.9]


@pytest.mark.parametrize("x", [0, 0.4, 1, 1e-12, 1 - 1e-12])
def test_one_point_is_a_constant_speed(x):
    profile = SpeedProfile.through({x: 3})
    assert np.all(profile.at(X) == 3)
    assert profile.total == 3


@settings(deadline=None)
@given(profiles)
def test_speed_stays_between_the_lowest_and_the_highest_value(profile):
    at = profile.at(X)
    assert at.min() >= profile.values.min() >= 0
    assert at.max() <= profile.values.max()


@settings(deadline=None)
@given(speed_points.filter(lambda points: any(points.values())))
def test_a_curve_through_points_passes_them(points):
    profile = SpeedProfile.through(points)
    for x, speed in points.items():
        assert profile.at(x) == speed


@settings(deadline=None)
@given(profiles)
def test_covered_increases_from_0_to_the_total(profile):
    covered = profile.covered(X)
    assert covered[0] == 0
    assert covered[-1] == profile.total > 0
    assert np.diff(covered).min() >= -1e-15 * profile.total


@settings(deadline=None)
@given(profiles, st.floats(0, 1))
def test_covered_is_the_integral_of_the_speed(profile, x):
    spans = max(1, len(profile.values) - 3)
    corners = np.arange(spans + 1) / spans if profile.kind == "b-spline" else profile.places
    edges = np.unique(np.concatenate([[0.0], corners[corners < x], [x]]))
    nodes, weights = np.polynomial.legendre.leggauss(4)  # exact for cubics
    half, middle = np.diff(edges) / 2, (edges[1:] + edges[:-1]) / 2
    area = np.sum(profile.at(middle[:, np.newaxis] + half[:, np.newaxis] * nodes) * weights * half[:, np.newaxis])
    assert profile.covered(x) == pytest.approx(area, rel=0, abs=1e-13 * profile.values.max())


@settings(deadline=None)
@given(profiles, fractions)
def test_covered_inverts_x_at_area(profile, share):
    x = profile.x_at_area(share * profile.total)
    rounding = 1e-15 * (profile.total + profile.values.max())  # of the area, and of x times the speed there
    np.testing.assert_allclose(profile.covered(x), share * profile.total, rtol=0, atol=rounding)


@settings(deadline=None)
@given(speed_lists, fractions)
def test_x_at_area_inverts_covered_where_speed_is_positive(values, x):
    profile = SpeedProfile(np.array(values) + 1)
    np.testing.assert_allclose(profile.x_at_area(profile.covered(x)), x, rtol=0, atol=1e-12)


@settings(deadline=None)
@given(profiles)
def test_x_at_area_is_clamped_and_exact_at_both_ends(profile):
    assert profile.x_at_area([-1, 0]).tolist() == [0, 0]
    assume(profile.values[-1] > 0)
    assert profile.x_at_area([profile.total, 2 * profile.total]).tolist() == [1, 1]


def test_rest_is_allowed_and_maps_to_its_beginning():
    with_stop = SpeedProfile.through({0: 2, 0.4: 0, 0.6: 0, 1: 2})
    assert np.all(with_stop.at(np.linspace(0.4, 0.6, 9)) == 0)
    assert np.all(with_stop.covered(np.linspace(0.4, 0.6, 9)) == with_stop.covered(0.4))
    assert with_stop.x_at_area(with_stop.covered(0.55)) == 0.4
    curve_with_stop = SpeedProfile([4, 0, 0, 0, 0, 4])
    third = curve_with_stop.covered(1 / 3)
    assert curve_with_stop.covered(0.5) == third
    assert curve_with_stop.x_at_area(third) == pytest.approx(1 / 3)


@settings(deadline=None)
@given(st.lists(speeds, min_size=4, max_size=12).filter(any), st.integers(0, 11), st.floats(0.1, 100))
def test_raising_a_value_changes_only_its_neighbourhood(values, index, value):
    index %= len(values)
    before = SpeedProfile(values)
    after = before.raised(index, value)
    first, last = np.array([index - 3, index + 1]) / (len(values) - 3)
    reached = (first <= X) & (last >= X)
    np.testing.assert_allclose(after.at(X[~reached]), before.at(X[~reached]), rtol=0, atol=1e-12)
    change = (after.at(X) - before.at(X)) * np.sign(value - values[index])
    assert change.min() >= -1e-12


def test_raising_a_point_changes_only_two_segments_on_each_side():
    before = SpeedProfile.through({x / 10: 1 + x % 3 for x in range(11)})
    after = before.raised(5, 9)
    far = (X < 0.3) | (X > 0.7)
    assert after.at(0.5) == 9
    np.testing.assert_allclose(after.at(X[far]), before.at(X[far]), rtol=0, atol=1e-13)


def test_edits_return_new_profiles_and_accept_negative_indices():
    profile = SpeedProfile([1, 1, 8, 2, 1])
    assert profile.raised(-1, 5) == SpeedProfile([1, 1, 8, 2, 5])
    assert profile.raised(2, 0.5) == SpeedProfile([1, 1, 0.5, 2, 1])
    assert profile.without(2) == SpeedProfile([1, 1, 2, 1])
    assert profile.without(-1) == SpeedProfile([1, 1, 8, 2])
    assert profile == SpeedProfile([1, 1, 8, 2, 1])


def test_control_value_is_inserted_at_its_position():
    profile = SpeedProfile([1, 2, 3, 4, 5])
    np.testing.assert_allclose(profile.places, [0, 1 / 6, 1 / 2, 5 / 6, 1])
    assert profile.inserted(0.1, 9).values.tolist() == [1, 9, 2, 3, 4, 5]
    assert profile.inserted(0.6, 9).values.tolist() == [1, 2, 3, 9, 4, 5]
    assert profile.inserted(0, 9).values.tolist() == [9, 1, 2, 3, 4, 5]
    assert profile.inserted(1, 9).values.tolist() == [1, 2, 3, 4, 5, 9]
    assert SpeedProfile.steady().inserted(1, 3) == SpeedProfile([1, 3])


def test_point_is_inserted_at_the_given_x():
    profile = SpeedProfile.through({0: 1, 1: 2})
    more = profile.inserted(0.25, 9)
    assert more == SpeedProfile.through({0: 1, 0.25: 9, 1: 2})
    assert more.without(1) == profile
    assert more.raised(-2, 4).at(0.25) == 4
    assert more.kind == profile.kind == "through"


def test_steady_profile_is_constant():
    steady = SpeedProfile.steady()
    assert np.all(steady.at(X) == 1)
    assert steady.total == 1
    np.testing.assert_allclose(steady.covered(X), X, rtol=0, atol=1e-16)


def test_slow_in_slow_out_starts_and_ends_at_rest_smoothly_and_is_symmetric():
    ease = SpeedProfile.slow_in_slow_out()
    assert ease.at([0, 1]).tolist() == [0, 0]
    assert ease.at(1e-4) < 1e-6
    np.testing.assert_allclose(ease.at(X), ease.at(1 - X), rtol=0, atol=1e-14)
    np.testing.assert_allclose(ease.covered(X) + ease.covered(1 - X), ease.total, rtol=0, atol=1e-14)
    rising = np.diff(ease.at(X[:121]))
    assert np.all(rising > 0)


@pytest.mark.parametrize("profile", [SpeedProfile([1, 1, 8, 2, 1]), SpeedProfile.through({0.2: 1, 0.7: 3})])
def test_a_scalar_gives_a_float_and_an_array_an_array(profile):
    for method in (profile.at, profile.covered, profile.x_at_area):
        for one in (0.3, 1, np.float64(0.3), np.array(0.3)):
            assert type(method(one)) is float
        for shape in [(0,), (3,), (2, 5), (1, 2, 3)]:
            many = method(np.full(shape, 0.3))
            assert isinstance(many, np.ndarray)
            assert many.shape == shape
            assert np.all(many == method(0.3))
        assert method([0.1, 0.2]).tolist() == [method(0.1), method(0.2)]


def test_x_beyond_the_duration_is_clamped():
    profile = SpeedProfile([1, 1, 8, 2, 3])
    assert profile.at([-1, -np.inf, 2, np.inf]).tolist() == [1, 1, 3, 3]
    assert profile.covered([-1, 2]).tolist() == [0, profile.total]


@pytest.mark.parametrize("scale", [1e-99, 1e99])
def test_only_speed_ratios_matter_at_any_scale(scale):
    values = np.array([1, 1, 8, 2, 1.0])
    plain, scaled = SpeedProfile(values), SpeedProfile(values * scale)
    np.testing.assert_allclose(scaled.covered(X) / scaled.total, plain.covered(X) / plain.total, rtol=1e-12)
    np.testing.assert_allclose(scaled.x_at_area(X * scaled.total), plain.x_at_area(X * plain.total), rtol=0, atol=1e-12)
    points = {0.0: scale, 0.5: 0.0, 0.5 + 1e-8: scale, 1.0: 3 * scale}
    assert np.isfinite(SpeedProfile.through(points).total)


def test_profiles_compare_and_hash_by_value():
    assert SpeedProfile([1, 0]) == SpeedProfile(np.array([1.0, -0.0]))
    assert SpeedProfile([1, 2]) != SpeedProfile([2, 1])
    assert SpeedProfile([1, 2]) != SpeedProfile.through({0: 1, 1: 2})
    assert SpeedProfile.through({0: 1, 1: 2}) == SpeedProfile.through({1: 2, -0.0: 1})
    assert SpeedProfile.through({0: 1, 1: 2}) != SpeedProfile.through({0: 1, 0.9: 2})
    assert SpeedProfile([1]) != [1]
    assert len({SpeedProfile([1, 0]), SpeedProfile([1, -0.0]), SpeedProfile.through({0: 1}), SpeedProfile([2])}) == 3


@pytest.mark.parametrize("profile", [SpeedProfile([0.1, 1 / 3, 8]), SpeedProfile.through({0.1: 1 / 3, 1: 2})])
def test_profiles_and_their_copies_are_immutable(profile):
    with pytest.raises(AttributeError):
        profile.kind = "other"
    for duplicate in (profile, copy.deepcopy(profile), pickle.loads(pickle.dumps(profile)), eval(repr(profile))):
        assert duplicate == profile
        assert hash(duplicate) == hash(profile)
        for array in (duplicate.values, duplicate.places):
            with pytest.raises(ValueError, match="read-only"):
                array[0] = 3


def test_profile_copies_its_input():
    values = np.array([1.0, 2.0])
    profile = SpeedProfile(values)
    values[0] = 7
    assert profile.values.tolist() == [1, 2]
