"""Keys that only turn lie on the curve through the others; keys that only stand lie in the turn between the others."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from keypose import Key, MotionPath, Orientation
from keypose.curves.key_columns import Keys
from keypose.curves.path.partial_keys import all_curve_parameters, build_partial_segments, complete_times, key_clock
from keypose.curves.path_options import PathOptions

POSITIONS = np.random.default_rng(6).normal(size=(5, 2))
TIMES = np.array([0.0, 1.0, 1.5, 4.0, 4.25])
SHAPING = {"tension": 0.2, "continuity": 0.1, "bias": -0.3}


def orientation_key(degrees=30.0, time=None):
    return Key(orientation=Orientation.turned(degrees, "z"), time=time)


def placed_keys(timed, places=POSITIONS):
    return [Key(place, time=t if timed else None) for place, t in zip(places, TIMES, strict=True)]


def with_orientation_keys(timed, gaps):
    """The keys above with so many turning keys in each gap, and at what share of the gap each of them lies."""
    keys, shares = [], []
    for index, key in enumerate(placed_keys(timed)):
        keys.append(key)
        count = gaps[index] if index < len(gaps) else 0
        end = TIMES[index + 1] if index < 4 else TIMES[-1] + (TIMES[-1] - TIMES[-2])
        share = [(k + 1) / (count + 1) for k in range(count)]
        if timed:
            share = [value**2 for value in share]
        keys += [orientation_key(time=TIMES[index] + s * (end - TIMES[index]) if timed else None) for s in share]
        shares.append([0.0, *share, 1.0])
    return keys, shares[: len(gaps)]


# ---- on the curve through the others ---------------------------------------------------------------------------------


@settings(deadline=None, max_examples=40)
@given(
    st.booleans(),
    st.lists(st.integers(0, 3), min_size=4, max_size=4).filter(any),
    st.sampled_from(["none", "length", "unit"]),
    st.sampled_from(["reflect", "still", "zero-chord"]),
)
def test_orientation_only_keys_do_not_change_the_curve(timed, gaps, adjust, ends):
    keys, shares = with_orientation_keys(timed, gaps)
    style = {"adjust": "time" if timed else adjust, "ends": ends, **SHAPING}
    plain, path = MotionPath(placed_keys(timed), **style), MotionPath(keys, **style)
    x = np.linspace(0, 1, 7)
    u = 0
    for gap, stations in enumerate(shares):
        for start, stop in pairwise(stations):
            assert_allclose(path.at(u + x), plain.at(gap + start + x * (stop - start)), rtol=0, atol=1e-14)
            u += 1
    assert path.length == pytest.approx(plain.length, rel=1e-9)


@pytest.mark.parametrize("timed", [False, True])
def test_orientation_only_keys_do_not_change_a_closed_curve(timed):
    keys, shares = with_orientation_keys(timed, [1, 0, 2, 0, 3])
    times = np.array([key.time for key in keys], dtype=float)
    plain, path = (MotionPath(some, closed=True, **SHAPING) for some in (placed_keys(timed), keys))
    if timed:
        plain = plain.timed(TIMES, closing=0.25)
        path = path.timed(times, closing=TIMES[-1] + 0.25 - times[-1])
    x = np.linspace(0, 0.99, 7)
    u = 0
    for gap, stations in enumerate(shares):
        for start, stop in pairwise(stations):
            assert_allclose(path.at(u + x), plain.at(gap + start + x * (stop - start)), rtol=0, atol=1e-14)
            u += 1
    assert u == path.segments


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("first", [1, 2, 3])
def test_path_may_start_with_orientation_only_keys(closed, first):
    """On a loop they lie on the closing segment; on an open path nothing is before the first place: it holds."""
    keys = [*[orientation_key()] * first, *placed_keys(False)]
    path, plain = MotionPath(keys, closed=closed), MotionPath(placed_keys(False), closed=closed)
    x = np.linspace(0, 4, 41)
    assert_allclose(path.at(first + x), plain.at(x), rtol=0, atol=1e-14)
    before = np.linspace(0, first, 11)
    if closed:
        assert_allclose(path.at(before), plain.at(4 + (1 + before) / (first + 1)), rtol=0, atol=1e-14)
    else:
        assert_array_equal(path.at(before), np.tile(POSITIONS[0], (11, 1)))


def test_open_paths_are_constant_before_the_first_and_after_the_last_position():
    path = MotionPath([orientation_key(), *placed_keys(False), orientation_key(), orientation_key()])
    assert_array_equal(path.at([0, 0.5, 1]), np.tile(POSITIONS[0], (3, 1)))
    assert_array_equal(path.at([5, 5.5, 6, 7]), np.tile(POSITIONS[4], (4, 1)))
    assert not path.velocity([0, 0.5, 5.5, 7]).any()
    assert path.length == pytest.approx(MotionPath(placed_keys(False)).length, rel=1e-12)


@pytest.mark.parametrize("closed", [False, True])
def test_path_with_one_position_stays_there(closed):
    path = MotionPath([orientation_key(0), Key((3, 4)), orientation_key(90)], closed=closed)
    assert_array_equal(path.at(np.linspace(0, 3, 13)), np.tile([3.0, 4.0], (13, 1)))
    assert path.shape == (2,)


@pytest.mark.parametrize("closed", [False, True])
def test_path_without_positions_rotates_at_the_origin(closed):
    path = MotionPath([orientation_key(0), orientation_key(60), orientation_key(90)], closed=closed)
    assert path.at(np.linspace(0, 3, 13)).tolist() == [[0, 0, 0]] * 13
    if closed:  # there, round the turning points, and back
        assert np.radians(180) < path.length < np.radians(190)
    else:
        assert path.length == pytest.approx(np.radians(90), rel=1e-9)


@pytest.mark.parametrize("closed", [False, True])
def test_rotation_in_place_is_independent_of_the_position(closed):
    def turned(place):
        angles = (0, 50, 70, 200)
        keys = [orientation_key(angle).changed(position=None if 0 < angle < 100 else place) for angle in angles]
        return MotionPath(keys, closed=closed)

    path, rotated = turned((0.0, 0.0, 0.0)), turned((0.1, 1.7, 0.33))
    u = np.linspace(0, path.segments, 40)
    assert_allclose(rotated.orientation_at(u), path.orientation_at(u), atol=1e-12)
    assert_allclose(rotated.length, path.length)


def test_drawings_may_have_orientation_only_keys_between():
    drawings = np.random.default_rng(0).normal(size=(3, 6, 2))
    path = MotionPath([Key(drawings[0]), orientation_key(), Key(drawings[1]), Key(drawings[2])])
    plain = MotionPath(drawings)
    assert_allclose(path.at([0.5, 1, 1.5]), plain.at([0.25, 0.5, 0.75]), rtol=0, atol=1e-14)
    assert_allclose(path.at([2.5, 3]), plain.at([1.5, 2]), rtol=0, atol=1e-14)


# ---- tangents by hand ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("closed", [False, True])
def test_manual_tangents_are_reported_by_the_path(closed):
    """They belong to the segment at their key, up to the next key of any kind."""
    keys = [
        Key((0, 0), leave=(0, 3), arrive=(1, 1)),
        orientation_key(),
        orientation_key(),
        Key((2, 0), arrive=(5, 0), leave="chord"),
        Key((3, 3), arrive=(0, 2), leave=(7, 7)),
        orientation_key(),
    ]
    path = MotionPath(keys, closed=closed)
    assert_allclose(path.leave[0], [0, 3], rtol=1e-15)
    assert_allclose(path.arrive[3], [5, 0], rtol=1e-15)
    assert_allclose(path.leave[3], [1, 3], rtol=1e-15)
    assert_allclose(path.arrive[4], [0, 2], rtol=1e-15)
    if closed:
        assert_allclose(path.leave[4], [7, 7], rtol=1e-15)
        assert_allclose(path.arrive[0], [1, 1], rtol=1e-15)
    assert_allclose(path.arrive[1], path.leave[1], rtol=1e-14)  # nothing bends where it only turns


def test_insertion_beside_orientation_only_keys_keeps_the_curve():
    path = MotionPath([Key((0, 0)), orientation_key(), Key((2, 0)), orientation_key(60), Key((3, 2)), Key((5, 2))])
    inserted = path.insert(0.5)
    assert_allclose(inserted.at(np.linspace(3, 6, 31)), path.at(np.linspace(2, 5, 31)), rtol=0, atol=1e-14)
    assert_allclose(inserted.at(np.linspace(0, 1, 11)), path.at(np.linspace(0, 0.5, 11)), rtol=0, atol=1e-14)


# ---- the clock -------------------------------------------------------------------------------------------------------


def test_key_clock_uses_times_else_summed_spans_else_indices():
    timed, untimed = Keys.of(placed_keys(True)), Keys.of(placed_keys(False))
    assert key_clock(timed, PathOptions()).tolist() == TIMES.tolist()
    assert key_clock(timed, PathOptions(), np.ones(4)).tolist() == TIMES.tolist()
    assert key_clock(timed, PathOptions(closed=True)).tolist() == [*TIMES, 4.5]
    assert key_clock(timed, PathOptions(closed=True, closing=3.0)).tolist() == [*TIMES, 7.25]
    assert key_clock(untimed, PathOptions()).tolist() == [0, 1, 2, 3, 4]
    assert key_clock(untimed, PathOptions(closed=True)).tolist() == [0, 1, 2, 3, 4, 5]
    assert key_clock(untimed, PathOptions(), np.array([1.0, 0, 2, 3])).tolist() == [0, 1, 1, 3, 6]
    assert key_clock(untimed, PathOptions(), np.zeros(4)).tolist() == [0, 1, 2, 3, 4]


def test_complete_times_requires_a_time_at_every_key():
    keys = placed_keys(True)
    assert complete_times(Keys.of(keys)).tolist() == TIMES.tolist()
    assert complete_times(Keys.of([*keys[:2], Key((9, 9)), *keys[2:]])) is None
    assert complete_times(Keys.of(placed_keys(False))) is None


def test_curve_parameters_follow_the_clock_and_are_clamped_outside():
    clock = np.array([0.0, 1, 2, 4, 5])
    assert all_curve_parameters(clock, np.array([1, 3]), False).tolist() == [0, 0, 1 / 3, 1, 1]
    assert all_curve_parameters(clock, np.array([2]), False).tolist() == [0, 0, 0, 0, 0]


def test_curve_parameters_of_a_closed_path_continue_past_the_first_key():
    clock = np.array([0.0, 1, 2, 3, 4])  # four keys and the return
    assert all_curve_parameters(clock, np.array([1, 3]), True).tolist() == [1.5, 2, 2.5, 3, 3.5]
    assert all_curve_parameters(clock, np.array([0, 2]), True).tolist() == [0, 0.5, 1, 1.5, 2]
    assert all_curve_parameters(clock, np.array([2]), True).tolist() == [0.5, 0.75, 1, 1.25, 1.5]


@pytest.mark.parametrize("closed", [False, True])
def test_keys_at_equal_clock_values_keep_their_order(closed):
    """Several on one spot: an unfaced one lies at the facing after it, and nothing turns ahead and back again."""
    clock = np.array([0.0, 1, 1, 1, 1, 2])
    assert all_curve_parameters(clock, np.array([0, 2, 4]), closed)[:5].tolist() == [0, 1, 1, 2, 2]


@settings(deadline=None)
@given(st.lists(st.floats(0.01, 10), min_size=2, max_size=8), st.data())
def test_one_lap_passes_every_selected_key_once(gaps, data):
    clock = np.cumsum([0.0, *gaps])
    count = len(gaps)
    chosen = np.array(sorted(data.draw(st.sets(st.integers(0, count - 1), min_size=1))))
    own = all_curve_parameters(clock, chosen, True)
    assert (np.diff(own) > 0).all()
    assert own[-1] - own[0] == pytest.approx(len(chosen), rel=1e-12)
    assert_allclose(np.mod(own[chosen] + 0.5, len(chosen)), np.arange(len(chosen)) + 0.5, rtol=0, atol=1e-9)


def test_partial_segments_join_without_a_gap():
    keys = Keys.of(
        [orientation_key(), *placed_keys(False)[:2], orientation_key(), orientation_key(), *placed_keys(False)[2:]]
    )
    curve = build_partial_segments(keys, PathOptions(closed=True), "length").curve
    assert_allclose(curve[:, 1], np.roll(curve[:, 0], -1, axis=0), rtol=0, atol=1e-15)
