"""The curve through the keys, asked by parameter, and its tangents."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from keypose.curves import effects
from keypose.curves.key import Key
from keypose.curves.path.motion_path import MotionPath
from keypose.errors import KeyposeError
from tests.curves.sample_paths import ENDS, turned, uneven_keys

ADJUST = ["none", "time", "velocity", "length", "unit"]


def styles():
    """Every rule for uneven keys with every end, open and closed."""
    return [
        {"adjust": adjust, "ends": ends, "closed": closed}
        for adjust in [*ADJUST, None]
        for ends, closed in [("reflect", False), ("still", False), ("zero-chord", False), ("reflect", True)]
    ]


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
    for method in (path.at, path.velocity, path.acceleration, path.geometry.heading):
        assert method(0.5).shape == (dim,)
        assert method(np.zeros((2, 3))).shape == (2, 3, dim)
    for number in (path.distance, path.parameter, path.geometry.pace):
        assert np.shape(number(0.5)) == ()
        assert number(np.zeros((2, 0, 3))).shape == (2, 0, 3)
    assert path.along(0.5).shape == (dim,)
    assert path.orientation_at(np.zeros((4, 1))).shape == (4, 1, 4)
    assert path.angular_velocity(0.5).shape == (3,)


def test_array_query_is_bitwise_identical_to_single_queries(backend):
    for path in (MotionPath(uneven_keys(faced=True)), MotionPath(uneven_keys(faced=True), closed=True)):
        u = np.random.default_rng(1).uniform(-3, 12, size=(2, 3, 5))
        for method in (
            path.at,
            path.velocity,
            path.acceleration,
            path.geometry.heading,
            path.orientation_at,
            path.angular_velocity,
        ):
            many = method(u)
            for place in np.ndindex(u.shape):
                assert_array_equal(many[place], method(float(u[place])))
        for number in (path.distance, path.parameter, path.geometry.pace):
            assert_array_equal(number(u), [[[number(float(v)) for v in row] for row in block] for block in u])


def test_integers_lists_and_strided_or_read_only_arrays_are_accepted(backend):
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


def test_positions_are_written_into_out(backend):
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
def test_unsuitable_out_array_is_refused(wrong):
    with pytest.raises(KeyposeError, match=r"`out` has shape .* Give a writable, C-ordered float64 array \(4, 3\)\."):
        MotionPath(uneven_keys()).at(np.zeros(4), out=wrong)


def test_out_that_is_not_an_array_is_refused():
    with pytest.raises(KeyposeError, match=r"`out` is \[0, 0\]\. Give a float64 array of shape \(2, 3\)\."):
        MotionPath(uneven_keys()).at([0, 1], out=[0, 0])


def test_open_path_is_clamped_beyond_its_ends(backend):
    path = MotionPath(uneven_keys(faced=True))
    for u, end in ((-0.5, 0), (-np.inf, 0), (6.5, 6), (1e300, 6), (np.inf, 6)):
        assert_array_equal(path.at(u), path.at(end))
        assert_array_equal(path.at([u]), path.at([end]))
        assert_array_equal(path.orientation_at(u), path.orientation_at(end))
        assert path.distance(u) == path.distance(end)


def test_closed_path_repeats_every_lap(backend):
    path = MotionPath(uneven_keys(faced=True), closed=True)
    u = np.linspace(0.0, 7.0, 29)[:-1]  # quarters: exact in every lap
    for lap in (-14, -7, 7, 70):
        assert_array_equal(path.at(u + lap), path.at(u))
        assert_array_equal(path.velocity(u + lap), path.velocity(u))
        assert_allclose(path.orientation_at(u + lap), path.orientation_at(u), atol=1e-15)
    assert_array_equal(path.at(7.0), path.keys[0].position)


@pytest.mark.parametrize(
    "word", ["at", "velocity", "orientation_at", "angular_velocity", "distance", "parameter", "along"]
)
@pytest.mark.parametrize("wrong", [np.inf, [0.0, -np.inf]], ids=str)
def test_infinite_parameter_on_a_closed_path_is_refused(backend, word, wrong):
    path = MotionPath(uneven_keys(faced=True), closed=True)
    with pytest.raises(KeyposeError, match=r"on a closed path is infinite: .*inf.*\. Give finite numbers\."):
        getattr(path, word)(wrong)


@pytest.mark.parametrize(
    "word", ["at", "velocity", "orientation_at", "angular_velocity", "distance", "parameter", "along"]
)
@pytest.mark.parametrize("wrong", [np.nan, [1.0, np.nan], "halfway", None, 1j, True], ids=str)
def test_nonnumeric_parameter_is_refused_with_its_value(backend, word, wrong):
    with pytest.raises(KeyposeError, match=r"A (parameter|distance) must be numbers, but .*(nan|halfway|None|1j|True)"):
        getattr(MotionPath(uneven_keys()), word)(wrong)


@pytest.mark.parametrize("style", styles(), ids=str)
def test_velocity_and_acceleration_are_the_first_and_second_derivative(backend, style):
    path = MotionPath(uneven_keys(timed=True), **style)
    u, h = np.concatenate([i + np.linspace(0.1, 0.9, 5) for i in range(path.segments)]), 1e-3
    before, middle, after = path.at(u - h), path.at(u), path.at(u + h)
    third = path.acceleration(u + h) - path.acceleration(u)  # of a cubic: constant, so the central difference is exact
    assert_allclose(path.velocity(u), (after - before) / (2 * h) - third * h / 6, atol=1e-11)
    assert_allclose(path.acceleration(u), (before - 2 * middle + after) / h**2, atol=1e-7)


def test_velocity_at_a_corner_is_that_of_the_outgoing_side():
    path = MotionPath([(0, 0), Key((1, 1), continuity=-1), (2, 0)])
    assert_array_equal(path.velocity(1.0), path.leave[1])
    assert_array_equal(path.velocity(2.0), path.arrive[2])
    assert not np.allclose(path.leave[1], path.arrive[1])


# ---- tangents --------------------------------------------------------------------------------------------------------


def one_sided_derivative(path, index, sign):
    """dP/du of the segment before or after a key, from four of its points alone: exact for a cubic."""
    s = np.array([0.2, 0.4, 0.6, 0.8])
    cubic = np.polyfit(s, path.at(index + sign * s), 3)
    return sign * cubic[2]


@pytest.mark.parametrize("style", styles(), ids=str)
def test_arrive_and_leave_are_the_one_sided_derivatives_at_each_key(style):
    path = MotionPath(uneven_keys(timed=True), **style)
    inner = range(7) if style["closed"] else range(1, 6)
    for index in inner:
        assert_allclose(path.arrive[index], one_sided_derivative(path, index, -1), atol=1e-11)
        assert_allclose(path.leave[index], one_sided_derivative(path, index, +1), atol=1e-11)
    if not style["closed"]:
        assert_allclose(path.leave[0], one_sided_derivative(path, 0, +1), atol=1e-11)
        assert_allclose(path.arrive[6], one_sided_derivative(path, 6, -1), atol=1e-11)


@pytest.mark.parametrize("style", styles(), ids=str)
def test_derived_tangents_set_manually_give_a_bitwise_identical_path(style):
    path = MotionPath(uneven_keys(timed=True, faced=True), **style)
    keys = [key.changed(arrive=path.arrive[i], leave=path.leave[i]) for i, key in enumerate(path.keys)]
    by_hand = MotionPath(keys, tension=0.7, bias=0.3, **style)
    u = np.linspace(0, path.segments, 200)
    assert_array_equal(by_hand.at(u), path.at(u))
    assert_array_equal(by_hand.arrive, path.arrive)
    assert_array_equal(by_hand.leave, path.leave)
    assert by_hand.length == path.length


def test_derived_tangents_of_paths_with_orientation_only_keys_can_be_set_manually():
    keys = [Key((0, 0)), Key(orientation=turned(9)), Key((2, 1)), Key((3, 0)), Key(orientation=turned(5)), Key((5, 1))]
    for style in ({}, {"closed": True}, {"ends": "still"}):
        path = MotionPath(keys, **style)
        again = [k.changed(arrive=a, leave=b) if k.position is not None else k
                 for k, a, b in zip(path.keys, path.arrive, path.leave, strict=True)]  # fmt: skip
        u = np.linspace(0, path.segments, 100)
        assert_allclose(MotionPath(again, **style).at(u), path.at(u), atol=1e-14)


def test_manual_tangent_on_one_side_leaves_the_other_to_tcb():
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


def test_end_tangents_of_an_open_path_follow_the_ends_option():
    even = MotionPath([(0, 0), (1, 0), (2, 0)])
    assert_array_equal(even.arrive, [[1, 0]] * 3)
    assert_array_equal(even.leave, [[1, 0]] * 3)
    still = MotionPath([(0, 0), (1, 0), (2, 0)], ends="still")
    assert_array_equal(still.arrive, [[0, 0], [1, 0], [0, 0]])
    assert_array_equal(still.leave, [[0, 0], [1, 0], [0, 0]])


def test_key_tcb_overrides_path_tcb():
    places = np.random.default_rng(5).normal(size=(5, 2))
    everywhere = MotionPath(places, tension=0.4, continuity=-0.2, bias=0.6)
    each = MotionPath([Key(place, tension=0.4, continuity=-0.2, bias=0.6) for place in places], tension=-1, bias=-1)
    assert_array_equal(each.leave, everywhere.leave)
    one_relaxed = MotionPath([*places[:2], Key(places[2], tension=0), *places[3:]], tension=1)
    assert_array_equal(one_relaxed.leave[[0, 1, 3, 4]], np.zeros((4, 2)))
    assert_array_equal(one_relaxed.leave[2], MotionPath(places).leave[2])
    only_bias = MotionPath([*places[:2], Key(places[2], bias=0.6), *places[3:]], tension=0.4, continuity=-0.2)
    assert_array_equal(only_bias.arrive[2], everywhere.arrive[2])


def test_default_adjust_is_time_if_every_key_has_one_else_length():
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


def test_first_tangent_for_each_ends_option():
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
def test_closed_path_is_independent_of_its_first_key(adjust, timed):
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


def test_linear_effect_is_straight_at_constant_speed_between_uneven_keys():
    places, times = [(0, 0), (1, 0), (1, 5), (2, 5)], [0, 1, 1.5, 4]
    keys = [Key(place, time=time, **effects.linear) for place, time in zip(places, times, strict=True)]
    for adjust in ADJUST:
        u = np.linspace(0, 3, 31)
        expected = np.stack([np.interp(u, range(4), column) for column in np.array(places).T], axis=1)
        assert_allclose(MotionPath(keys, adjust=adjust).at(u), expected, atol=1e-14)
