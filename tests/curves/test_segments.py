"""From what keys say to cubic segments: on all keys at once or on a window of them, with the same bits."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from keypose import Key
from keypose.curves.key_columns import Keys
from keypose.curves.path.segments import (
    SegmentRun,
    build_segment_run,
    build_segments,
    chord_lengths,
    closing_span,
    key_tangents,
    key_window,
    resolve_adjust,
    segment_count,
    time_spans,
)
from keypose.curves.path_options import PathOptions
from keypose.maths import hermite

ADJUST = ["none", "time", "velocity", "length", "unit"]


def random_keys(count=9, seed=0, shape=(2,)):
    rng = np.random.default_rng(seed)
    times = np.cumsum(rng.uniform(0.1, 3, count))
    return Keys.of(
        [
            Key(
                rng.normal(size=shape),
                time=time,
                tension=rng.choice([None, 0.3]),
                bias=rng.choice([None, -0.5]),
                arrive=rng.normal(size=shape) if rng.random() < 0.3 else None,
                leave="chord" if rng.random() < 0.3 else None,
            )
            for time in times
        ]
    )


def test_default_adjust_is_time_if_all_keys_have_one_else_length():
    places = [(0, 0), (1, 1), (3, 0)]
    timed = Keys.of([Key(place, time=t) for place, t in zip(places, (0, 1, 2), strict=True)])
    assert resolve_adjust(timed, PathOptions()) == "time"
    assert resolve_adjust(timed.spliced(1, 2, [Key((1, 1))]), PathOptions()) == "length"
    assert resolve_adjust(Keys.of(places), PathOptions()) == "length"
    assert resolve_adjust(timed, PathOptions(adjust="unit")) == "unit"


def test_closed_path_has_one_more_segment():
    assert segment_count(random_keys(5), PathOptions()) == 4
    assert segment_count(random_keys(5), PathOptions(closed=True)) == 5


@settings(deadline=None, max_examples=60)
@given(
    st.integers(2, 9),
    st.sampled_from(ADJUST),
    st.sampled_from(["reflect", "still", "zero-chord"]),
    st.booleans(),
    st.data(),
)
def test_window_of_segments_is_bitwise_identical_to_the_whole(count, adjust, ends, closed, data):
    keys, style = random_keys(count), PathOptions(tension=0.1, ends=ends, closed=closed)
    total = segment_count(keys, style)
    start = data.draw(st.integers(0, total - 1))
    stop = data.draw(st.integers(start + 1, total))
    whole = build_segments(keys, style, adjust, 0, total).curve
    assert_array_equal(build_segments(keys, style, adjust, start, stop).curve, whole[start:stop])


@pytest.mark.parametrize("closed", [False, True])
def test_segments_run_from_key_to_key_with_their_tangents(closed):
    keys, style = random_keys(), PathOptions(closed=closed)
    count = segment_count(keys, style)
    curve = build_segments(keys, style, "time", 0, count).curve
    arrive, leave = key_tangents(keys, style, "time", 0, len(keys))
    places = keys.column("position")
    for segment in range(count):
        following = (segment + 1) % len(keys)
        assert_array_equal(curve[segment], [places[segment], places[following], leave[segment], arrive[following]])


def test_moved_key_changes_four_segments():
    keys, style = random_keys(9), PathOptions()
    moved = keys.spliced(4, 5, [keys[4].changed(position=(9, 9), arrive=None, leave=None)])
    keys = keys.spliced(4, 5, [keys[4].changed(arrive=None, leave=None)])
    old, new = (build_segments(k, style, "length", 0, 8).curve for k in (keys, moved))
    touched = np.flatnonzero((old != new).any(axis=(1, 2)))
    assert set(touched) <= {2, 3, 4, 5}
    assert {3, 4} <= set(touched)


def test_key_tcb_overrides_path_tcb():
    keys = Keys.of([(0, 0), Key((1, 0), tension=0.5), Key((2, 1), bias=0.0), (2, 2)])
    style = PathOptions(tension=-1, bias=1)
    arrive, _ = key_tangents(keys, style, "none", 0, 4)
    assert_allclose(arrive[1], 0.5 * np.array([1, 0]))  # its own tension, the path's bias
    assert_allclose(arrive[2], 2 * np.array([1, 2]) / 2)  # the path's tension, its own bias


# ---- windows ---------------------------------------------------------------------------------------------------------


def test_key_window_includes_existing_neighbours():
    keys = Keys.of(np.arange(5.0)[:, None])

    def window(start, stop, closed):
        rows, before, after = key_window(keys, start, stop, closed)
        return rows.arrays["position"][:, 0].tolist(), before, after

    assert window(0, 5, False) == ([0, 1, 2, 3, 4], 0, 0)
    assert window(2, 3, False) == ([1, 2, 3], 1, 1)
    assert window(0, 1, False) == ([0, 1], 0, 1)
    assert window(4, 5, False) == ([3, 4], 1, 0)
    assert window(2, 3, True) == ([1, 2, 3], 1, 1)
    assert window(0, 2, True) == ([4, 0, 1, 2], 1, 1)
    assert window(4, 6, True) == ([3, 4, 0, 1], 1, 1)
    assert window(0, 6, True) == ([4, 0, 1, 2, 3, 4, 0, 1], 1, 1)


def test_two_keys_can_form_a_closed_path():
    keys = Keys.of([(0.0, 0), (2.0, 0)])
    curve = build_segments(keys, PathOptions(closed=True), "length", 0, 2).curve
    assert_allclose(curve[0], [[0, 0], [2, 0], [0, 0], [0, 0]], atol=1e-15)
    assert_allclose(curve[1], [[2, 0], [0, 0], [0, 0], [0, 0]], atol=1e-15)


# ---- spans -----------------------------------------------------------------------------------------------------------


def test_closing_span_is_given_or_equals_the_last_interval():
    keys = Keys.of([Key((i, 0), time=t) for i, t in enumerate((0, 1, 5))])
    assert closing_span(keys, PathOptions(closed=True)) == 4
    assert closing_span(keys, PathOptions(closed=True, closing=0.5)) == 0.5
    assert time_spans(np.array([5.0, 0, 1, 5, 0]), 0.5).tolist() == [0.5, 1, 4, 0.5]
    assert time_spans(np.array([0.0, 1, 5])).tolist() == [1, 4]


def test_chord_lengths_of_drawings_are_root_mean_square():
    assert chord_lengths(np.array([[0.0, 0], [3, 4], [3, 4]])).tolist() == [5, 0]
    drawings = np.zeros((2, 4, 2))
    drawings[1, 0] = [3, 4]
    assert chord_lengths(drawings).tolist() == [2.5]
    moved = np.stack([np.zeros((7, 3)), np.tile([2.0, 3, 6], (7, 1))])
    assert_allclose(chord_lengths(moved), [7])


# ---- stretches -------------------------------------------------------------------------------------------------------


def random_segment_run(count=6, seed=3):
    rng = np.random.default_rng(seed)
    return build_segment_run(*rng.normal(size=(3, count + 1, 2)))


def test_segment_run_stores_positions_and_tangents_per_segment():
    places, arrive, leave = np.random.default_rng(0).normal(size=(3, 4, 5, 3))
    segments = build_segment_run(places, arrive, leave)
    assert segments.points == 5
    assert segments.curve.shape == (3, 4, 15)
    assert_array_equal(segments.curve[1].reshape(4, 5, 3), [places[1], places[2], leave[1], arrive[2]])


def test_length_table_is_built_once_on_first_use():
    some = random_segment_run()
    assert not some.is_measured
    assert some.length_table is some.length_table


def test_slices_of_a_measured_run_reuse_its_length_table():
    some = random_segment_run()
    assert not some.sliced(1, 3).is_measured
    length = np.diff(some.length_table.segment_starts)
    part = some.sliced(2, 5)
    assert part.is_measured
    assert_allclose(np.diff(part.length_table.segment_starts), length[2:5], rtol=1e-14)
    assert np.shares_memory(part.curve, some.curve)
    assert len(some.sliced(2, 2)) == 0


def test_concatenated_runs_measure_only_new_segments():
    one, two = random_segment_run(3, 1), random_segment_run(2, 2)
    assert not SegmentRun.concatenate([one, two]).is_measured
    ruler = one.length_table
    joined = SegmentRun.concatenate([one, two])
    assert joined.is_measured
    assert_array_equal(joined.length_table.piece_ends[: len(ruler.piece_ends)], ruler.piece_ends)
    fresh = SegmentRun(np.concatenate([one.curve, two.curve]), 1)
    assert_array_equal(joined.length_table.distances, fresh.length_table.distances)
    assert_array_equal(joined.curve, fresh.curve)


def test_segment_run_of_drawings_is_measured_in_root_mean_square():
    rng = np.random.default_rng(0)
    places, arrive, leave = rng.normal(size=(3, 3, 1, 3))
    alone = build_segment_run(places[:, 0], arrive[:, 0], leave[:, 0])
    together = build_segment_run(*(np.repeat(values, 9, axis=1) for values in (places, arrive, leave)))
    assert together.length_table.length == pytest.approx(alone.length_table.length, rel=1e-13)
    assert_allclose(hermite.speed_quartics(together.curve, 9), hermite.speed_quartics(alone.curve, 1), rtol=1e-13)
