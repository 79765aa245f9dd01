"""The curve through the keys: asked by parameter, by distance, for its tangents; and a path as a value."""

import copy
import pickle
from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.integrate import quad

from keypose.curves import effects
from keypose.curves.key import Key, Turn
from keypose.curves.motion_path import MotionPath
from keypose.curves.orientation import Orientation
from keypose.errors import KeyposeError, UnknownNameError
from keypose.maths import kernel, quaternion

ADJUST = ["none", "time", "velocity", "length", "unit"]
ENDS = ["reflect", "still", "zero-chord"]


def turned(degrees, about="y"):
    return Orientation.turned(degrees, about)


def uneven_keys(count=7, dim=3, seed=0, timed=False, shaped=True, faced=False):
    rng = np.random.default_rng(seed)
    times = np.cumsum(rng.uniform(0.2, 2.0, count)).tolist() if timed else [None] * count
    keys = []
    for time in times:
        shaping = dict(zip(("tension", "continuity", "bias"), rng.uniform(-1, 1, 3), strict=True)) if shaped else {}
        facing = quaternion.normalized(rng.normal(size=4)) if faced else None
        keys.append(Key(rng.normal(size=dim), time=time, orientation=facing, **shaping))
    return keys


def styles():
    """Every rule for uneven keys with every end, open and closed."""
    return [
        {"adjust": adjust, "ends": ends, "closed": closed}
        for adjust in [*ADJUST, None]
        for ends, closed in [("reflect", False), ("still", False), ("zero-chord", False), ("reflect", True)]
    ]


@pytest.fixture(params=["definition", "kernels"])
def way(request, monkeypatch):
    """By the readable definitions, and by their compiled twins however little there is to do."""
    monkeypatch.setattr(kernel, "_allowed", request.param == "kernels")
    monkeypatch.setattr(kernel, "WORTH_LOADING", 0)
    return request.param


# ---- by parameter ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("style", styles(), ids=str)
def test_key_i_is_passed_at_u_equal_to_i(style):
    keys = uneven_keys(timed=True)
    path = MotionPath(keys, **style)
    assert path.segments == len(keys) - (not style["closed"])
    for index, key in enumerate(keys):
        assert_array_equal(path.at(float(index)), key.position)
    assert_array_equal(path.at(np.arange(7)), [key.position for key in keys])


@pytest.mark.parametrize("dim", [1, 2, 3, 5])
def test_a_path_may_have_any_number_of_dimensions(dim):
    path = MotionPath(uneven_keys(dim=dim))
    assert path.shape == (dim,)
    for answer in (path.at, path.velocity, path.acceleration, path.heading):
        assert answer(0.5).shape == (dim,)
        assert answer(np.zeros((2, 3))).shape == (2, 3, dim)
    for number in (path.distance, path.parameter, path.pace):
        assert np.shape(number(0.5)) == ()
        assert number(np.zeros((2, 0, 3))).shape == (2, 0, 3)
    assert path.along(0.5).shape == (dim,)
    assert path.orientation_at(np.zeros((4, 1))).shape == (4, 1, 4)
    assert path.spin(0.5).shape == (3,)


def test_an_array_of_any_shape_gives_as_many_places_of_the_same_bits_as_one_by_one(way):
    for path in (MotionPath(uneven_keys(faced=True)), MotionPath(uneven_keys(faced=True), closed=True)):
        u = np.random.default_rng(1).uniform(-3, 12, size=(2, 3, 5))
        for answer in (path.at, path.velocity, path.acceleration, path.heading, path.orientation_at, path.spin):
            many = answer(u)
            for place in np.ndindex(u.shape):
                assert_array_equal(many[place], answer(float(u[place])))
        for number in (path.distance, path.parameter, path.pace):
            assert_array_equal(number(u), [[[number(float(v)) for v in row] for row in block] for block in u])


def test_whole_numbers_lists_and_strided_or_read_only_arrays_will_do(way):
    path = MotionPath(uneven_keys())
    u = np.linspace(0, 6, 14)
    frozen = u.copy()
    frozen.flags.writeable = False
    assert_array_equal(path.at(frozen), path.at(u))
    assert_array_equal(path.at(u[::3]), path.at(u)[::3])
    assert_array_equal(path.at([2, 3]), path.at([2.0, 3.0]))
    assert_array_equal(path.at(2), path.at(2.0))
    assert_array_equal(path.at(np.float32(2.5)), path.at(2.5))
    assert_array_equal(path.parameter(frozen), path.parameter(u))
    assert path.at([]).shape == (0, 3)


def test_the_places_are_written_into_out(way):
    path = MotionPath(uneven_keys())
    u = np.linspace(-1, 8, 60).reshape(20, 3)
    out = np.full((20, 3, 3), np.nan)
    assert path.at(u, out=out) is out
    assert_array_equal(out, path.at(u))
    single = np.empty(3)
    assert path.at(2.5, out=single) is single
    assert_array_equal(single, path.at(2.5))


@pytest.mark.parametrize(
    "wrong",
    [
        np.empty((4, 2)),
        np.empty((5, 3)),
        np.empty((4, 3), dtype=np.float32),
        np.empty((3, 4)).T,
        np.empty((8, 3))[::2],
        np.frombuffer(bytes(96)).reshape(4, 3),
    ],
    ids=["dim", "count", "type", "order", "strided", "read-only"],
)
def test_an_out_that_cannot_hold_the_answer_is_refused(wrong):
    with pytest.raises(KeyposeError, match=r"`out` has shape .* Give a writable, C-ordered float64 array \(4, 3\)\."):
        MotionPath(uneven_keys()).at(np.zeros(4), out=wrong)


def test_an_out_that_is_no_array_is_refused():
    with pytest.raises(KeyposeError, match=r"`out` is \[0, 0\]\. Give a float64 array of shape \(2, 3\)\."):
        MotionPath(uneven_keys()).at([0, 1], out=[0, 0])


def test_an_open_path_holds_beyond_its_ends(way):
    path = MotionPath(uneven_keys(faced=True))
    for u, end in ((-0.5, 0), (-np.inf, 0), (6.5, 6), (1e300, 6), (np.inf, 6)):
        assert_array_equal(path.at(u), path.at(end))
        assert_array_equal(path.at([u]), path.at([end]))
        assert_array_equal(path.orientation_at(u), path.orientation_at(end))
        assert path.distance(u) == path.distance(end)


def test_a_closed_path_goes_round_and_round(way):
    path = MotionPath(uneven_keys(faced=True), closed=True)
    u = np.linspace(0.0, 7.0, 29)[:-1]  # quarters: exact in every lap
    for lap in (-14, -7, 7, 70):
        assert_array_equal(path.at(u + lap), path.at(u))
        assert_array_equal(path.velocity(u + lap), path.velocity(u))
        assert_allclose(path.orientation_at(u + lap), path.orientation_at(u), atol=1e-15)
    assert_array_equal(path.at(7.0), path.keys[0].position)


@pytest.mark.parametrize("word", ["at", "velocity", "orientation_at", "spin", "distance", "parameter", "along", "pace"])
@pytest.mark.parametrize("wrong", [np.inf, [0.0, -np.inf]], ids=str)
def test_a_closed_path_has_no_place_at_infinity(way, word, wrong):
    path = MotionPath(uneven_keys(faced=True), closed=True)
    with pytest.raises(KeyposeError, match=r"on a closed path is infinite: .*inf.*\. Give finite numbers\."):
        getattr(path, word)(wrong)


@pytest.mark.parametrize("word", ["at", "velocity", "orientation_at", "spin", "distance", "parameter", "along"])
@pytest.mark.parametrize("wrong", [np.nan, [1.0, np.nan], "halfway", None, 1j, True], ids=str)
def test_what_is_no_number_is_refused_with_its_value(way, word, wrong):
    with pytest.raises(KeyposeError, match=r"A (parameter|distance) must be numbers, but .*(nan|halfway|None|1j|True)"):
        getattr(MotionPath(uneven_keys()), word)(wrong)


@pytest.mark.parametrize("style", styles(), ids=str)
def test_velocity_and_acceleration_are_the_first_and_second_derivative(way, style):
    path = MotionPath(uneven_keys(timed=True), **style)
    u, h = np.concatenate([i + np.linspace(0.1, 0.9, 5) for i in range(path.segments)]), 1e-3
    before, here, after = path.at(u - h), path.at(u), path.at(u + h)
    third = path.acceleration(u + h) - path.acceleration(u)  # of a cubic: constant, so the central difference is exact
    assert_allclose(path.velocity(u), (after - before) / (2 * h) - third * h / 6, atol=1e-11)
    assert_allclose(path.acceleration(u), (before - 2 * here + after) / h**2, atol=1e-7)


def test_a_key_where_the_path_breaks_answers_with_its_leaving_side():
    path = MotionPath([(0, 0), Key((1, 1), continuity=-1), (2, 0)])
    assert_array_equal(path.velocity(1.0), path.leave[1])
    assert_array_equal(path.velocity(2.0), path.arrive[2])
    assert not np.allclose(path.leave[1], path.arrive[1])


# ---- tangents --------------------------------------------------------------------------------------------------------


def one_sided(path, index, sign):
    """dP/du of the segment before or after a key, from four of its points alone: exact for a cubic."""
    s = np.array([0.2, 0.4, 0.6, 0.8])
    cubic = np.polyfit(s, path.at(index + sign * s), 3)
    return sign * cubic[2]


@pytest.mark.parametrize("style", styles(), ids=str)
def test_arrive_and_leave_are_the_one_sided_derivatives_at_each_key(style):
    path = MotionPath(uneven_keys(timed=True), **style)
    inner = range(7) if style["closed"] else range(1, 6)
    for index in inner:
        assert_allclose(path.arrive[index], one_sided(path, index, -1), atol=1e-11)
        assert_allclose(path.leave[index], one_sided(path, index, +1), atol=1e-11)
    if not style["closed"]:
        assert_allclose(path.leave[0], one_sided(path, 0, +1), atol=1e-11)
        assert_allclose(path.arrive[6], one_sided(path, 6, -1), atol=1e-11)


@pytest.mark.parametrize("style", styles(), ids=str)
def test_tangents_fed_back_by_hand_draw_the_same_path_bit_for_bit(style):
    path = MotionPath(uneven_keys(timed=True, faced=True), **style)
    keys = [key.changed(arrive=path.arrive[i], leave=path.leave[i]) for i, key in enumerate(path.keys)]
    by_hand = MotionPath(keys, tension=0.7, bias=0.3, **style)
    u = np.linspace(0, path.segments, 200)
    assert_array_equal(by_hand.at(u), path.at(u))
    assert_array_equal(by_hand.arrive, path.arrive)
    assert_array_equal(by_hand.leave, path.leave)
    assert by_hand.length == path.length


def test_tangents_of_paths_with_keys_that_only_turn_can_be_fed_back_too():
    keys = [Key((0, 0)), Key(orientation=turned(9)), Key((2, 1)), Key((3, 0)), Key(orientation=turned(5)), Key((5, 1))]
    for style in ({}, {"closed": True}, {"ends": "still"}):
        path = MotionPath(keys, **style)
        again = [k.changed(arrive=a, leave=b) if k.position is not None else k
                 for k, a, b in zip(path.keys, path.arrive, path.leave, strict=True)]  # fmt: skip
        u = np.linspace(0, path.segments, 100)
        assert_allclose(MotionPath(again, **style).at(u), path.at(u), atol=1e-14)


def test_one_side_set_by_hand_leaves_the_other_to_tcb():
    plain = MotionPath([(0, 0), (1, 1), (3, 0), (4, 2)])
    path = MotionPath([(0, 0), Key((1, 1), leave=(0, 5)), (3, 0), (4, 2)])
    assert_array_equal(path.leave[1], (0, 5))
    assert_array_equal(path.arrive[1], plain.arrive[1])
    assert_array_equal(path.at(np.linspace(0, 1, 9)), plain.at(np.linspace(0, 1, 9)))


def test_reported_tangents_are_read_only():
    path = MotionPath(uneven_keys())
    for tangents in (path.arrive, path.leave):
        assert tangents.shape == (7, 3)
        with pytest.raises(ValueError, match="read-only"):
            tangents[0] = 1


def test_the_outer_tangents_of_an_open_path_follow_their_own_rule():
    even = MotionPath([(0, 0), (1, 0), (2, 0)])
    assert_array_equal(even.arrive, [[1, 0]] * 3)
    assert_array_equal(even.leave, [[1, 0]] * 3)
    still = MotionPath([(0, 0), (1, 0), (2, 0)], ends="still")
    assert_array_equal(still.arrive, [[0, 0], [1, 0], [0, 0]])
    assert_array_equal(still.leave, [[0, 0], [1, 0], [0, 0]])


def test_what_a_key_says_holds_over_what_the_path_says():
    places = np.random.default_rng(5).normal(size=(5, 2))
    everywhere = MotionPath(places, tension=0.4, continuity=-0.2, bias=0.6)
    each = MotionPath([Key(place, tension=0.4, continuity=-0.2, bias=0.6) for place in places], tension=-1, bias=-1)
    assert_array_equal(each.leave, everywhere.leave)
    loose = MotionPath([*places[:2], Key(places[2], tension=0), *places[3:]], tension=1)
    assert_array_equal(loose.leave[[0, 1, 3, 4]], np.zeros((4, 2)))
    assert_array_equal(loose.leave[2], MotionPath(places).leave[2])
    only_bias = MotionPath([*places[:2], Key(places[2], bias=0.6), *places[3:]], tension=0.4, continuity=-0.2)
    assert_array_equal(only_bias.arrive[2], everywhere.arrive[2])


def test_adjust_none_is_by_time_if_every_key_has_one_else_by_length():
    places = np.random.default_rng(6).normal(size=(4, 2))
    timed = [Key(place, time=time) for place, time in zip(places, (0, 1, 3, 3.5), strict=True)]
    assert MotionPath(timed).adjust == "time"
    assert MotionPath(places).adjust == "length"
    assert MotionPath([*timed[:3], places[3]]).adjust == "length"
    assert_array_equal(MotionPath(timed).leave, MotionPath(timed, adjust="time").leave)
    assert_array_equal(MotionPath(places).leave, MotionPath(timed, adjust="length").leave)
    for adjust in ADJUST:
        assert MotionPath(timed, adjust=adjust).adjust == adjust
    leaves = [MotionPath(timed, adjust=adjust).leave[1].tobytes() for adjust in ADJUST]
    assert len(set(leaves)) == 5


def test_each_end_has_its_own_first_tangent():
    keys = [(0, 0), (2, 0), (4, 0), (6, 0)]
    assert_array_equal(MotionPath(keys, ends="reflect").leave[0], (2, 0))
    assert_array_equal(MotionPath(keys, ends="zero-chord").leave[0], (1, 0))  # half the only chord there is
    assert_array_equal(MotionPath(keys, ends="still").leave[0], (0, 0))
    u = np.linspace(0, 3, 20)
    assert_allclose(MotionPath(keys).at(u), np.stack([2 * u, 0 * u], axis=1), atol=1e-15)


@pytest.mark.parametrize("ends", ENDS)
@pytest.mark.parametrize("adjust", ADJUST)
def test_two_keys_make_a_straight_line(ends, adjust):
    path = MotionPath([Key((1, 2), time=0), Key((4, 6), time=2)], ends=ends, adjust=adjust)
    on_the_line = path.at(np.linspace(0, 1, 11))
    assert_allclose(np.cross([*(4 - 1, 6 - 2), 0], np.c_[on_the_line - (1, 2), np.zeros(11)])[:, 2], 0, atol=1e-14)
    assert path.length == pytest.approx(5)


@pytest.mark.parametrize("timed", [False, True])
@pytest.mark.parametrize("adjust", [None, *ADJUST])
def test_a_closed_path_does_not_care_which_key_comes_first(adjust, timed):
    keys = uneven_keys(6)
    if timed or adjust in ("time", "velocity"):  # an even clock: it has no first key either
        keys = [key.changed(time=index) for index, key in enumerate(keys)]
        turned_on = [key.changed(time=index) for index, key in enumerate(keys[2:] + keys[:2])]
    else:
        turned_on = keys[2:] + keys[:2]
    path, other = MotionPath(keys, closed=True, adjust=adjust), MotionPath(turned_on, closed=True, adjust=adjust)
    u = np.linspace(0, 6, 100)
    assert_allclose(other.at(u), path.at(u + 2), atol=1e-14)
    assert other.length == pytest.approx(path.length, rel=1e-12)


def test_two_keys_can_be_closed():
    path = MotionPath([(0, 0), (1, 0)], closed=True)
    assert path.segments == 2
    assert_array_equal(path.at([0, 1, 2]), [[0, 0], [1, 0], [0, 0]])
    assert path.length == pytest.approx(2)


def test_the_effect_linear_runs_straight_and_steadily_between_uneven_keys():
    places, times = [(0, 0), (1, 0), (1, 5), (2, 5)], [0, 1, 1.5, 4]
    keys = [Key(place, time=time, **effects.linear) for place, time in zip(places, times, strict=True)]
    for adjust in ADJUST:
        u = np.linspace(0, 3, 31)
        expected = np.stack([np.interp(u, range(4), column) for column in np.array(places).T], axis=1)
        assert_allclose(MotionPath(keys, adjust=adjust).at(u), expected, atol=1e-14)


# ---- by distance -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("closed", [False, True])
def test_the_length_is_the_integral_of_the_pace(way, closed):
    path = MotionPath(uneven_keys(), closed=closed)
    expected = sum(quad(path.pace, i, i + 1, epsabs=1e-12)[0] for i in range(path.segments))
    assert path.length == pytest.approx(expected, rel=1e-9)
    assert isinstance(path.length, float)
    u = np.random.default_rng(2).uniform(0, path.segments, 20)
    reached = [quad(path.pace, 0, v, points=range(1, int(v) + 1), epsabs=1e-12)[0] for v in u]
    assert_allclose(path.distance(u), reached, rtol=1e-9)


def test_a_straight_path_is_as_long_as_a_ruler_says():
    path = MotionPath([(0, 0), (3, 4), (6, 8), (9, 12)])
    assert path.length == pytest.approx(15, rel=1e-14)
    assert_allclose(path.distance([0, 0.5, 1, 2.25]), [0, 2.5, 5, 11.25])
    assert_allclose(path.along(7.5), (4.5, 6))


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 10_000), st.booleans(), st.sampled_from(ENDS), st.sampled_from(["none", "length", "unit"]))
def test_parameter_and_distance_are_inverses(seed, closed, ends, adjust):
    path = MotionPath(uneven_keys(2 + seed % 9, seed=seed), closed=closed, ends=ends, adjust=adjust)
    laps = (-3.0, 3.0) if closed else (0.0, 1.0)
    distance = np.random.default_rng(seed).uniform(*laps, 40) * path.length
    assert_allclose(path.distance(path.parameter(distance)), distance, atol=1e-9 * path.length)
    assert_array_equal(path.along(distance), path.at(path.parameter(distance)))
    u = np.sort(np.random.default_rng(seed).uniform(*laps, 40)) * path.segments
    assert (np.diff(path.distance(u)) >= 0).all()
    assert_allclose(path.at(path.parameter(path.distance(u))), path.at(u), atol=1e-8 * path.length)


def test_outside_an_open_path_the_distance_is_held(way):
    path = MotionPath(uneven_keys(faced=True))
    beyond = [-1.0, 0.0, path.length, path.length + 1, np.inf, -np.inf]
    assert_array_equal(path.parameter(beyond), [0, 0, 6, 6, 6, 0])
    assert [path.parameter(d) for d in beyond] == [0, 0, 6, 6, 6, 0]
    assert_array_equal(path.along(beyond), path.at([0, 0, 6, 6, 6, 0]))


def test_a_closed_path_is_measured_lap_by_lap(way):
    path = MotionPath(uneven_keys(), closed=True)
    lap = path.length
    assert_allclose(path.distance([-7, 0, 7, 21]), [-lap, 0, lap, 3 * lap], atol=1e-12)
    assert_allclose(path.parameter([-lap, 0, lap, 2.5 * lap]), [-7, 0, 7, 14 + path.parameter(lap / 2)], atol=1e-9)
    assert path.parameter(lap) == 7
    d = np.linspace(-2, 3, 50) * lap
    assert_allclose(path.along(d), path.along(d + lap), atol=1e-9)


def test_a_path_starts_at_its_first_key_and_ends_at_its_last_even_if_keys_stand_on_one_spot(way):
    places = [(0, 0), (0, 0), (1, 0), (1, 0), (1, 0)]
    path = MotionPath([Key(place, tension=1) for place in places])
    assert path.length == pytest.approx(1)
    assert_array_equal(path.parameter([0, path.length]), [0, 4])
    nowhere = MotionPath([(2, 3)] * 3)
    assert nowhere.length == 0
    assert nowhere.parameter(0.0) == 0
    assert_array_equal(nowhere.along([-1, 0, 1]), [(2, 3)] * 3)


def test_equal_steps_of_distance_are_equal_steps_in_space():
    path = MotionPath([(0, 0), Key((3, 4), tension=1), (3.03, 4.04), (30, 40)])
    steps = np.diff(path.along(np.linspace(0, 50, 4001)), axis=0)
    assert_allclose(steps, np.broadcast_to((30 / 4000, 40 / 4000), steps.shape), rtol=1e-6)


def test_the_pace_is_metres_per_key():
    path = MotionPath(uneven_keys())
    u = np.linspace(0.05, 5.95, 30)
    h = 1e-5
    assert_allclose(path.pace(u), (path.distance(u + h) - path.distance(u - h)) / (2 * h), rtol=1e-5)


def test_the_heading_is_a_direction_also_where_the_path_stops():
    path = MotionPath([(0, 0), Key((2, 0), tension=1), (2, 3)], ends="still")
    assert_allclose(path.heading([0, 0.3, 1.0, 2.0]), [(1, 0), (1, 0), (0, 1), (0, 1)], atol=1e-12)
    assert_array_equal(MotionPath([(1, 1), (1, 1)]).heading([0, 0.5, 1]), np.zeros((3, 2)))


# ---- facings ---------------------------------------------------------------------------------------------------------


def angle(one, two):
    """Degrees between orientations (…, 4), also small ones."""
    turn = quaternion.multiply(one, quaternion.conjugate(two))
    return np.degrees(2 * np.arctan2(np.linalg.norm(turn[..., 1:], axis=-1), np.abs(turn[..., 0])))


def test_a_path_without_facings_faces_as_it_was_made():
    path = MotionPath([(0, 0), (1, 0)])
    assert_array_equal(path.orientation_at([0, 0.5, 9]), [[1, 0, 0, 0]] * 3)
    assert_array_equal(path.spin([0, 0.5]), np.zeros((2, 3)))
    assert path.turns is None


def test_facings_on_some_keys_are_passed_and_held_outside():
    path = MotionPath(
        [(0, 0), Key((1, 0), orientation=turned(20)), (2, 0), Key((3, 0), orientation=turned(80)), (5, 0)]
    )
    assert_allclose(angle(path.orientation_at([0, 0.5, 1, 2, 3, 3.5, 4]), turned(0).wxyz), [20, 20, 20, 50, 80, 80, 80])


def test_a_key_without_a_facing_turns_in_proportion_to_the_way():
    path = MotionPath([Key((0, 0), orientation=turned(0)), (1, 0), Key((4, 0), orientation=turned(40))])
    assert_allclose(angle(path.orientation_at(1.0), turned(0).wxyz), 10)


def test_a_key_without_a_facing_on_a_timed_path_turns_in_proportion_to_the_time():
    path = MotionPath([Key((0, 0), time=0, orientation=turned(0)), Key((1, 0), time=3),
                       Key((4, 0), time=4, orientation=turned(40))])  # fmt: skip
    assert_allclose(angle(path.orientation_at(1.0), turned(0).wxyz), 30)


def test_a_closed_path_turns_on_through_its_first_key():
    keys = [Key((0, 0)), Key((1, 0), orientation=turned(0)), Key((1, 1)), Key((0, 1), orientation=turned(90))]
    path = MotionPath(keys, closed=True)
    for u, degrees in ((1, 0), (2, 45), (3, 90), (4, 45), (0, 45), (-1, 90), (5, 0)):
        assert_allclose(angle(path.orientation_at(float(u)), turned(degrees).wxyz), 0, atol=1e-6)


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("faces", [slice(None), slice(1, None, 2)], ids=["all", "some"])
def test_the_spin_is_the_rate_of_turning(closed, faces):
    keys = uneven_keys(faced=True)
    kept = set(range(7)[faces])
    keys = [key if i in kept else key.changed(orientation=None) for i, key in enumerate(keys)]
    path = MotionPath(keys, closed=closed)
    u, h = np.linspace(0.05, path.segments - 0.05, 43), 1e-5
    turn = quaternion.log(quaternion.multiply(path.orientation_at(u + h), quaternion.conjugate(path.orientation_at(u))))
    assert_allclose(path.spin(u + h / 2), turn / h, atol=1e-6)


def test_a_turn_may_have_a_tension_of_its_own():
    shared = MotionPath([Key((0, 0), orientation=turned(0)), Key((1, 1), tension=1, orientation=turned(30)),
                         Key((2, 0), orientation=turned(90))])  # fmt: skip
    own = shared.with_key(1, orientation=Turn(turned(30), tension=0))
    assert_array_equal(shared.spin(1.0), np.zeros(3))
    assert np.linalg.norm(own.spin(1.0)) > 0.3
    assert_array_equal(own.velocity(1.0), np.zeros(2))


def test_a_key_that_only_turns_lies_on_the_curve_through_the_others():
    keys = [Key((0, 0, 0)), Key((1, 2, 0)), Key((3, 1, 1))]
    path = MotionPath(keys)
    turning = MotionPath([keys[0], Key(orientation=turned(30)), keys[1], keys[2]])
    assert_allclose(turning.at([0, 0.5, 1, 2, 3]), path.at([0, 0.25, 0.5, 1, 2]), atol=1e-15)
    assert turning.length == pytest.approx(path.length, rel=1e-12)
    timed = [key.changed(time=time) for key, time in zip(keys, (0, 2, 3), strict=True)]
    turning = MotionPath([timed[0], Key(orientation=turned(30), time=0.5), *timed[1:]])
    assert_allclose(turning.at(1.0), MotionPath(timed).at(0.25), atol=1e-15)


def test_a_path_that_only_turns_is_measured_in_radians():
    path = MotionPath([Key(orientation=turned(0)), Key(orientation=turned(90)), Key(orientation=turned(180))])
    assert path.shape == (3,)
    assert_array_equal(path.at([0, 1.5]), np.zeros((2, 3)))
    assert path.length == pytest.approx(np.pi, rel=1e-9)
    assert path.parameter(np.pi / 2) == pytest.approx(1, abs=1e-8)
    assert path.pace(0.5) == pytest.approx(np.pi / 2)
    here = MotionPath([Key((1, 2), orientation=turned(0)), Key((1, 2), orientation=turned(90))])
    assert here.length == pytest.approx(np.pi / 2, rel=1e-9)


@pytest.mark.parametrize(("mass", "inertia"), [(1.0, 0.5), (3.0, 2.0), (0.0, 4.0)])
def test_with_inertia_distance_counts_travel_and_turn_together(mass, inertia):
    keys = uneven_keys(faced=True, shaped=False)
    path = MotionPath(keys, mass=mass, inertia=inertia)
    plain = MotionPath(keys)

    def rate(u):
        travel, turn = plain.velocity(u), plain.spin(u)
        return np.sqrt(mass * travel @ travel + inertia * turn @ turn)

    expected = sum(quad(rate, i, i + 1, epsabs=1e-11, limit=200)[0] for i in range(6))
    assert path.length == pytest.approx(expected, rel=1e-7)
    assert path.pace(2.3) == pytest.approx(rate(2.3))
    d = np.linspace(0, path.length, 30)
    assert_allclose(path.distance(path.parameter(d)), d, atol=1e-7 * path.length)


def test_inertia_weighs_a_turn_on_the_spot_too():
    keys = [Key(orientation=turned(0)), Key(orientation=turned(90))]
    assert MotionPath(keys, inertia=4).length == pytest.approx(np.pi, rel=1e-9)
    assert MotionPath(keys, inertia=4).pace(0.5) == pytest.approx(np.pi)


def test_turning_by_logarithms_can_be_chosen():
    keys = uneven_keys(faced=True)
    log, casteljau = MotionPath(keys, turning="log"), MotionPath(keys)
    for index, key in enumerate(keys):
        assert angle(log.orientation_at(float(index)), key.orientation.wxyz) < 1e-6
    assert angle(log.orientation_at(1.5), casteljau.orientation_at(1.5)) > 0.1


# ---- as a value ------------------------------------------------------------------------------------------------------


def test_paths_compare_by_what_was_said():
    keys = uneven_keys(timed=True, faced=True)
    path = MotionPath(keys, tension=0.5)
    assert path == MotionPath(tuple(keys), tension=0.5)
    assert hash(path) == hash(MotionPath(keys, tension=0.5))
    assert path != MotionPath(keys)
    assert path != MotionPath(keys, tension=0.5, closed=True)
    assert path != MotionPath(keys[:-1], tension=0.5)
    assert path != MotionPath([*keys[:-1], keys[-1].changed(name="end")], tension=0.5)
    assert path != keys
    places = np.array([(0.0, -0.0), (1.0, 2.0)])
    assert MotionPath(places) == MotionPath([(0, 0), (1, 2)])
    assert len({MotionPath([(0, 0), (1, 1)]), MotionPath([(0, 0), (1, 1)]), MotionPath([(0, 0), (1, 2)])}) == 2


def test_a_small_path_reads_as_it_was_written():
    path = MotionPath(
        [Key((0, 0), name="start"), Key((1, 2.5), time=1, **effects.overshoot), Key((3, 0), arrive=(1, 0))],
        tension=0.25,
        ends="still",
    )
    assert eval(repr(path)) == path
    assert (
        repr(MotionPath([(0, 0), (1, 1)], closed=True)) == "MotionPath([Key([0.0, 0.0]), Key([1.0, 1.0])], closed=True)"
    )
    assert len(repr(MotionPath(np.zeros((1000, 3))))) < 500


def test_a_path_is_frozen():
    places = np.array([(0.0, 0.0), (1.0, 1.0), (2.0, 0.0)])
    path = MotionPath([Key(place, time=time) for time, place in enumerate(places)])
    from_array = MotionPath(places)
    places[:] = 9
    assert_array_equal(path.at(1.0), (1, 1))
    assert_array_equal(from_array.at(1.0), (1, 1))
    for word in ("keys", "style", "closed", "length", "tension"):
        with pytest.raises(FrozenInstanceError, match=f"'{word}'"):
            setattr(path, word, None)
    with pytest.raises(FrozenInstanceError, match="cannot lose its 'keys'"):
        del path.keys
    with pytest.raises(ValueError, match="read-only"):
        path.times[0] = -5
    with pytest.raises(ValueError, match="read-only"):
        path.keys[0].position[0] = -5
    assert path.times is not None
    assert from_array.times is None


def test_a_path_can_be_copied_and_sent_elsewhere():
    path = MotionPath(uneven_keys(timed=True, faced=True), closed=True, bias=0.2)
    path.at(0.5), path.length
    for twin in (copy.copy(path), copy.deepcopy(path), pickle.loads(pickle.dumps(path))):
        assert twin == path
        assert_array_equal(twin.at(np.linspace(0, 7, 20)), path.at(np.linspace(0, 7, 20)))
        assert twin.length == path.length


def test_keys_read_like_a_list_of_keys():
    keys = uneven_keys()
    path = MotionPath(keys)
    assert len(path) == 7
    assert list(path.keys) == keys
    assert path.keys[-1] == keys[-1]
    assert path.keys[1:3] == tuple(keys[1:3])


def test_an_unknown_key_is_answered_with_the_nearest_name():
    path = MotionPath([Key((0, 0), name="start"), Key((1, 1), name="bounce")])
    for wrong in (path.with_key, path.without_key, path.lost_by_tcb):
        with pytest.raises(UnknownNameError, match=r"No key is named 'bonce'\. Did you mean 'bounce'\?"):
            wrong("bonce")
        with pytest.raises(UnknownNameError, match=r"There is no key 2\. This path has keys 0 … 1\."):
            wrong(2)


def test_as_if_timed_the_tangents_are_those_of_a_timed_path():
    places, times = np.random.default_rng(4).normal(size=(4, 2)), np.array([0, 1, 1.5, 4])
    path = MotionPath(places).timed(times)
    assert path == MotionPath([Key(place, time=time) for place, time in zip(places, times, strict=True)])
    assert path.adjust == "time"
    assert_array_equal(MotionPath(places, adjust="unit").timed(times).leave, MotionPath(places, adjust="unit").leave)


def test_a_key_is_found_by_its_name_too():
    path = MotionPath([Key((0, 0)), Key((1, 1), name="top"), Key((2, 0))])
    assert path.keys["top"] == path.keys[1]


def test_nothing_asked_for_is_nothing_written():
    path = MotionPath([(0, 0, 0), (1, 1, 1)])
    out = np.empty((0, 3))
    assert path.at([], out=out) is out


def test_tangents_by_hand_at_the_ends_are_reported_beside_keys_that_only_turn():
    path = MotionPath([Key((0, 0), arrive=(5, 5)), Key(orientation=(1, 0, 0, 0)), Key((2, 0), leave=(7, 7))])
    assert path.arrive[0].tolist() == [5, 5]
    assert path.leave[-1].tolist() == [7, 7]


def test_its_curve_can_be_read_but_not_written():
    path = MotionPath([(0, 0), (1, 1), (2, 0)])
    assert path.curve.shape == (2, 4, 2)
    assert_array_equal(path.curve[:, 2], path.leave[:2])
    with pytest.raises(ValueError, match="read-only"):
        path.curve[0, 0] = 7


def test_its_ruler_is_as_long_as_it_is():
    path = MotionPath([(0, 0), (1, 1), (2, 0)])
    assert path.ruler.length == path.length
    assert len(path.ruler) == path.segments


def test_it_knows_where_its_keys_lie_in_its_turns():
    facing = turned(30)
    assert MotionPath([(0, 0), (1, 1)]).turns_at_keys is None
    assert MotionPath([Key((x, 0), orientation=facing) for x in range(3)]).turns_at_keys.tolist() == [0, 1, 2]
    some = MotionPath([Key((0, 0), orientation=facing), Key((1, 0)), Key((4, 0), orientation=turned(60)), Key((5, 0))])
    assert_allclose(some.turns_at_keys, [0, 0.25, 1, 1])
    u = np.linspace(0, 3, 31)
    own = np.interp(u, range(4), some.turns_at_keys)
    assert_array_equal(some.orientation_at(u), some.turns.at(own))
