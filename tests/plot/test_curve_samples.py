"""A drawn curve is sampled from key to key: joined where smooth, lifted where it jumps, dense where it is sudden."""

import numpy as np
import pytest

from keypose import Key, KeyTimes, Motion, MotionPath, SpeedProfile
from keypose.plot.canvas.curve_samples import (
    curvature,
    display_stride,
    interval_samples,
    join_strokes,
    motion_sample_times,
    refine_samples,
    segment_parameters,
)

SMOOTH = MotionPath([(0, 0), (1, 2), (3, 2), (4, 0)])
CORNER = SMOOTH.with_key(1, continuity=-1)


def stroke_parts(across, up):
    return [np.stack([np.asarray(x, dtype=float), np.asarray(y, dtype=float)], axis=-1) for x, y in zip(across, up)]  # noqa: B905


def test_each_segment_is_sampled_on_its_own_side_of_its_keys():
    u = segment_parameters(CORNER, 8)
    assert u.shape == (3, 9)
    np.testing.assert_allclose(CORNER.velocity(u[0, -1]), CORNER.arrive[1], atol=1e-7)
    np.testing.assert_allclose(CORNER.velocity(u[1, 0]), CORNER.leave[1], atol=1e-7)


@pytest.mark.parametrize("far", [0.0, 1e6, -1e12])
def test_samples_stay_between_their_marks_even_far_from_zero(far):
    marks = far + np.array([0.0, 0.5, 2.0])
    samples = interval_samples(marks, 4)
    assert (samples[:, 0] > marks[:-1]).all()
    assert (samples[:, -1] < marks[1:]).all()
    np.testing.assert_allclose(samples[:, [0, -1]], np.stack([marks[:-1], marks[1:]], axis=1), atol=1e-2, rtol=0)


@pytest.mark.parametrize("start", [0.0, 5.0])
def test_sample_times_run_from_start_through_keys_to_end(start):
    motion = Motion(SMOOTH, SpeedProfile.slow_in_slow_out(), duration=2, start=start)
    t = motion_sample_times(motion)
    assert len(t) == 3
    assert (np.diff(t.reshape(-1)) >= 0).all()
    np.testing.assert_allclose(t[:, 0], motion.key_times[:-1], atol=1e-8)
    np.testing.assert_allclose(t[:, -1], motion.key_times[1:], atol=1e-8)


def test_keys_passed_at_the_same_time_have_no_samples_between():
    motion = Motion(MotionPath([(0, 0), (0, 0), (1, 1), (1, 1), (1, 1), (2, 0), (2, 0)]), duration=1)
    assert len(motion_sample_times(motion)) == 2


def test_closed_motion_is_sampled_to_its_first_key():
    motion = Motion(MotionPath([(0, 0), (1, 2), (3, 2)], closed=True), KeyTimes([0, 1, 2, 4]))
    np.testing.assert_allclose(motion_sample_times(motion)[:, -1], [1, 2, 4])


def test_contiguous_strokes_are_joined():
    assert len(join_strokes(stroke_parts([[0, 1], [1, 2], [2, 3]], [[5, 6], [6, 5], [5, 5]]))) == 1


def test_strokes_are_split_at_jumps():
    lines = join_strokes(stroke_parts([[0, 1], [1, 2], [2, 3]], [[5, 6], [4, 5], [5, 5]]))
    assert [len(line) for line in lines] == [2, 3]


def test_jumps_are_judged_in_their_own_unit():
    slow = join_strokes(
        stroke_parts([[0, 1e6], [1e6, 2e6]], [[1e-3, 1e-3], [2e-3, 2e-3]])
    )  # a thousandth of a metre in a week
    assert len(slow) == 2
    noise = join_strokes(
        stroke_parts([[5, 6], [6, 5]], [[0, 1e-17], [-1e-17, 0]]), same_unit=True
    )  # one velocity, seen from two sides
    assert len(noise) == 1


def test_undefined_value_splits_the_stroke_there_only():
    nan = float("nan")
    lines = join_strokes(stroke_parts([[0, 1], [1, 2], [2, 3], [3, 4]], [[1, 1], [1, nan], [nan, 1], [1, 1]]))
    assert [len(line) for line in lines] == [3, 3]


def test_no_parts_give_no_stroke():
    assert join_strokes([]) == []


def test_sudden_changes_get_more_samples_and_smooth_spans_none():
    rows = refine_samples(np.array([[0.0, 0.5, 1.0], [1.0, 1.5, 2.0]]), lambda t: np.tanh(50 * (t - 1.3))[:, None])
    assert len(rows) == 2
    assert len(rows[0]) == 3
    assert len(rows[1]) > 40
    assert np.abs(np.diff(np.tanh(50 * (rows[1] - 1.3)))).max() <= 0.02


def test_jump_between_two_keys_splits_the_stroke():
    rows = refine_samples(np.array([[0.0, 0.5, 1.0]]), lambda t: np.sign(t - 0.3)[:, None])
    assert len(rows) == 2
    assert rows[0][-1] == pytest.approx(0.3, abs=1e-3)
    assert rows[1][0] == pytest.approx(0.3, abs=1e-3)


def test_curvature_of_a_parabola_is_exact():
    parabola = MotionPath([Key((0, 0), leave=(1, 0)), Key((1, 1), arrive=(1, 2))])  # y = x²
    u = np.linspace(0, 1, 9)
    np.testing.assert_allclose(curvature(parabola, u), 2 / (1 + 4 * u**2) ** 1.5)


@pytest.mark.parametrize("size", [1e-6, 1.0, 1e6])
def test_straight_line_has_no_curvature_even_at_a_reversal(size):
    there_and_back = MotionPath(size * np.array([(0, 0), (0.3, 0.7), (0.1, 0.7 / 3)]), tension=-0.5)
    curvatures = curvature(there_and_back, segment_parameters(there_and_back))
    assert np.nanmax(curvatures) == 0


def test_curvature_is_undefined_where_a_path_stops():
    u = np.array([[0.5, 1.0], [1.0, 1.5]])
    assert np.isnan(curvature(SMOOTH.with_key(1, tension=1), u)).tolist() == [[False, True], [True, False]]


@pytest.mark.parametrize(("count", "step"), [(3, 1), (40, 1), (41, 2), (100, 5), (400, 10), (1e9, 50_000_000)])
def test_stride_of_many_items_is_a_round_number(count, step):
    assert display_stride(count, 40) == step
