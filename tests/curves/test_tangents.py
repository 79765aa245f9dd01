"""Tension, continuity and bias: the equations of KB84 §3-4 and GL95 §3, their peers, and their orders."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.interpolate import CubicHermiteSpline
from splines import KochanekBartels
from vtkmodules.vtkCommonComputationalGeometry import vtkKochanekSpline

from keypose import Key, MotionPath
from keypose.curves.tangents import apply_manual_tangents, around_keys, tcb_tangents

ADJUST = ["none", "time", "velocity", "length", "unit"]
INCOMING, OUTGOING = np.array([2.0, 1.0, -1.0]), np.array([0.5, -3.0, 4.0])
UNEVEN = np.array([0.0, 0.4, 2.0, 2.3, 5.0, 5.9, 7.0])
POSITIONS = np.random.default_rng(4).normal(size=(7, 2))

shaping = st.tuples(*[st.floats(-2, 2)] * 3)
spans = st.floats(0.01, 100)


def tangents_at_one_key(tension=0, continuity=0, bias=0, adjust="none", before=1.0, after=1.0):
    """Arriving and leaving tangent between the two chords above."""
    arrive, leave = tcb_tangents(
        INCOMING[None],
        OUTGOING[None],
        np.array([[tension, continuity, bias]]),
        adjust,
        np.array([before]),
        np.array([after]),
    )
    return arrive[0], leave[0]


def timed_path(places, times, **style):
    return MotionPath([Key(place, time=time) for place, time in zip(places, times, strict=True)], **style)


def parameter(times, t):
    """Where a path whose keys have these times is at t."""
    segment = np.clip(np.searchsorted(times, t, side="right") - 1, 0, len(times) - 2)
    return segment + (t - times[segment]) / np.diff(times)[segment]


# ---- KB84 §3, equation by equation -----------------------------------------------------------------------------------


def test_default_tangent_is_the_mean_of_the_chords_as_in_equation_3():
    arrive, leave = tangents_at_one_key()
    assert_allclose(arrive, (INCOMING + OUTGOING) / 2, rtol=1e-15)
    assert_array_equal(arrive, leave)


@pytest.mark.parametrize("t", [-1, -0.3, 0.5, 1, 3])
def test_tension_scales_both_tangents_as_in_equation_4(t):
    for tangent in tangents_at_one_key(tension=t):
        assert_allclose(tangent, (1 - t) * (INCOMING + OUTGOING) / 2, rtol=1e-15)


@pytest.mark.parametrize("c", [-1, -0.4, 0.5, 1])
def test_continuity_separates_the_tangents_as_in_equations_5_and_6(c):
    arrive, leave = tangents_at_one_key(continuity=c)
    assert_allclose(arrive, (1 - c) / 2 * INCOMING + (1 + c) / 2 * OUTGOING, rtol=1e-15)
    assert_allclose(leave, (1 + c) / 2 * INCOMING + (1 - c) / 2 * OUTGOING, rtol=1e-15)


@pytest.mark.parametrize("b", [-1, -0.4, 0.5, 1])
def test_bias_weights_one_chord_as_in_equation_7(b):
    for tangent in tangents_at_one_key(bias=b):
        assert_allclose(tangent, (1 + b) / 2 * INCOMING + (1 - b) / 2 * OUTGOING, rtol=1e-15, atol=1e-15)


@given(shaping)
def test_tension_continuity_and_bias_combine_as_in_equations_8_and_9(tcb):
    t, c, b = tcb
    arrive, leave = tangents_at_one_key(t, c, b)
    source = (1 - t) * (1 - c) * (1 + b) / 2 * INCOMING + (1 - t) * (1 + c) * (1 - b) / 2 * OUTGOING
    destination = (1 - t) * (1 + c) * (1 + b) / 2 * INCOMING + (1 - t) * (1 - c) * (1 - b) / 2 * OUTGOING
    assert_allclose(arrive, source, rtol=1e-13, atol=1e-13)
    assert_allclose(leave, destination, rtol=1e-13, atol=1e-13)


@pytest.mark.parametrize("adjust", ADJUST)
def test_bias_times_continuity_separates_tangents_of_straight_motion(adjust):
    b, c, chord = 0.5, 0.4, np.array([[3.0, 0.0]])
    arrive, leave = tcb_tangents(chord, chord, np.array([[0, c, b]]), adjust, np.ones(1), np.ones(1))
    assert_allclose(arrive, (1 - b * c) * chord, rtol=1e-15)
    assert_allclose(leave, (1 + b * c) * chord, rtol=1e-15)


@given(shaping, st.sampled_from(ADJUST), spans, spans)
def test_reversed_path_swaps_arriving_and_leaving_tangents(tcb, adjust, before, after):
    """Running backwards swaps the chords and the sides and turns bias round."""
    t, c, b = tcb
    forwards = tcb_tangents(
        INCOMING[None], OUTGOING[None], np.array([[t, c, b]]), adjust, np.array([before]), np.array([after])
    )
    backwards = tcb_tangents(
        -OUTGOING[None], -INCOMING[None], np.array([[t, c, -b]]), adjust, np.array([after]), np.array([before])
    )
    assert_allclose(backwards[0], -forwards[1], rtol=1e-12, atol=1e-12 * np.abs(forwards).max())
    assert_allclose(backwards[1], -forwards[0], rtol=1e-12, atol=1e-12 * np.abs(forwards).max())


@pytest.mark.parametrize("adjust", ADJUST)
def test_adjust_rules_agree_at_even_keys(adjust):
    for found, expected in zip(
        tangents_at_one_key(0.2, 0.3, -0.4, adjust, 2.5, 2.5), tangents_at_one_key(0.2, 0.3, -0.4), strict=True
    ):
        assert_allclose(found, expected, rtol=1e-15)


# ---- uneven keys -----------------------------------------------------------------------------------------------------


def test_speed_is_continuous_at_a_key_with_ten_inbetweens_before_and_five_after():
    arrive, leave = tangents_at_one_key(adjust="time", before=11.0, after=6.0)
    assert_allclose(arrive / 11, leave / 6, rtol=1e-15)
    unadjusted = tangents_at_one_key()
    assert_allclose(arrive, unadjusted[0] * 22 / 17, rtol=1e-15)
    assert_allclose(leave, unadjusted[1] * 12 / 17, rtol=1e-15)


@given(st.floats(-1, 1), st.floats(-1, 1), spans, spans)
def test_velocity_in_time_is_continuous_with_zero_continuity(t, b, before, after):
    for adjust in ("time", "velocity"):
        arrive, leave = tangents_at_one_key(t, 0, b, adjust, before, after)
        assert_allclose(arrive / before, leave / after, rtol=1e-12, atol=1e-12 * np.abs(arrive / before).max())


def test_velocity_weighs_each_chord_by_the_other_interval():
    before, after = 0.5, 2.0
    arrive, leave = tangents_at_one_key(adjust="velocity", before=before, after=after)
    velocity = (after * INCOMING / before + before * OUTGOING / after) / (before + after)
    assert_allclose(arrive, velocity * before, rtol=1e-15)
    assert_allclose(leave, velocity * after, rtol=1e-15)


def test_length_scales_each_side_with_its_own_segment_as_in_gl95_equation_3():
    plain = tangents_at_one_key(0.1, 0.2, 0.3)
    arrive, leave = tangents_at_one_key(0.1, 0.2, 0.3, "length", 1.0, 3.0)
    assert_allclose(arrive, plain[0] * 2 * 1 / 4, rtol=1e-14)
    assert_allclose(leave, plain[1] * 2 * 3 / 4, rtol=1e-14)


def test_unit_chords_make_tangents_as_long_as_their_own_segment():
    before, after = np.linalg.norm(INCOMING), np.linalg.norm(OUTGOING)
    arrive, leave = tangents_at_one_key(adjust="unit", before=before, after=after)
    middle = (INCOMING / before + OUTGOING / after) / 2
    assert_allclose(arrive, before * middle, rtol=1e-15)
    assert_allclose(leave, after * middle, rtol=1e-15)


def test_keys_on_a_line_have_uniform_speed_with_length_adjust():
    x = np.array([0, 1, 1.1, 7, 20, 20.5])
    path = MotionPath(np.column_stack([x, 2 * x]), adjust="length")
    for segment, chord in enumerate(np.diff(x)):
        s = np.linspace(0, 1, 21)[:-1]
        assert_allclose(path.at(segment + s)[:, 0], x[segment] + s * chord, rtol=1e-14, atol=1e-14)


@pytest.mark.parametrize("adjust", ["unit", "length"])
def test_with_unit_chords_a_segments_length_depends_on_its_own_chord_alone(adjust):
    """GL95 §3 claims it of its eq. 3, where it is false; with unit chords it is true."""

    def middle_length(before, own, after):
        path = MotionPath([(0, before), (0, 0), (own, 0), (own, after)], adjust=adjust)
        return path.distance(2) - path.distance(1)

    alone = [middle_length(before, 1, after) for before, after in [(0.1, 1), (1, 1), (100, 1), (3, 0.01)]]
    if adjust == "length":
        assert max(alone) / min(alone) > 1.05
    else:
        assert_allclose(alone, alone[0], rtol=1e-12)
        assert_allclose([middle_length(2, own, 5) / own for own in (0.01, 1, 40)], alone[0], rtol=1e-12)


@pytest.mark.parametrize(("adjust", "order"), [("none", 1), ("time", 2), ("velocity", 3)])
def test_convergence_order_of_each_rule_on_uneven_samples(adjust, order):
    """The error of velocity × interval: eq. 10 corrected is of second order, the chord velocities of third."""

    def error(scale):
        times = scale * UNEVEN
        path = timed_path(np.column_stack([np.sin(times), np.cos(1.3 * times)]), times, adjust=adjust)
        true = np.column_stack([np.cos(times), -1.3 * np.sin(1.3 * times)])
        found = path.leave[1:-1] / np.diff(times)[1:, None]
        return np.abs((found - true[1:-1]) * np.diff(times)[1:, None]).max()

    measured = np.log2(error(2e-3) / error(1e-3))
    assert abs(measured - order) < 0.1


# ---- the peers -------------------------------------------------------------------------------------------------------


def vtk_curve(times, values, tcb, left, right, closed=False):
    spline = vtkKochanekSpline()
    spline.SetDefaultTension(tcb[0])
    spline.SetDefaultContinuity(tcb[1])
    spline.SetDefaultBias(tcb[2])
    for time, value in zip(times, values, strict=True):
        spline.AddPoint(time, value)
    spline.SetLeftConstraint(1)  # the slopes at the ends are given, per segment and not per second
    spline.SetRightConstraint(1)
    spline.SetLeftValue(left)
    spline.SetRightValue(right)
    spline.Compute()
    return np.vectorize(spline.Evaluate, otypes=[float])


@pytest.mark.parametrize("tcb", [(0, 0, 0), (0.3, -0.4, 0.6), (-0.8, 0.5, -1), (1, 0, 0)])
@pytest.mark.parametrize(("times", "adjust"), [(np.arange(7.0), "none"), (np.arange(7.0), "time"), (UNEVEN, "time")])
def test_vtk_draws_the_same_curve(tcb, times, adjust):
    t, c, b = tcb
    path = timed_path(POSITIONS, times, tension=t, continuity=c, bias=b, adjust=adjust)
    when = np.linspace(times[0], times[-1], 101)
    found = path.at(parameter(times, when))
    for axis in range(2):
        peer = vtk_curve(times, POSITIONS[:, axis], tcb, path.leave[0, axis], path.arrive[-1, axis])
        assert_allclose(found[:, axis], peer(when), rtol=0, atol=1e-12)


@pytest.mark.parametrize(("times", "adjust"), [(np.arange(8.0), "none"), (np.append(UNEVEN, 7.7), "velocity")])
def test_splines_package_draws_the_same_loop(times, adjust):
    tcb = np.random.default_rng(8).uniform(-1, 1, size=(7, 3))
    keys = [
        Key(place, time=time, tension=t, continuity=c, bias=b)
        for place, time, (t, c, b) in zip(POSITIONS, times[:-1], tcb, strict=True)
    ]
    path = MotionPath(keys, adjust=adjust, closed=True).timed(times[:-1], closing=times[-1] - times[-2])
    peer = KochanekBartels(POSITIONS.tolist(), times.tolist(), tcb=tcb.tolist(), endconditions="closed")
    when = np.linspace(times[0], times[-1], 101)[:-1]
    assert_allclose(path.at(parameter(times, when)), peer.evaluate(when), rtol=0, atol=1e-12)


@pytest.mark.parametrize("adjust", ["time", "velocity"])
def test_scipy_draws_the_same_curve_from_the_velocities(adjust):
    path = timed_path(POSITIONS, UNEVEN, tension=-0.2, bias=0.3, adjust=adjust)
    spans = np.append(np.diff(UNEVEN), np.diff(UNEVEN)[-1])[:, None]
    peer = CubicHermiteSpline(UNEVEN, POSITIONS, path.leave / spans)
    when = np.linspace(0, 7, 101)
    assert_allclose(path.at(parameter(UNEVEN, when)), peer(when), rtol=0, atol=1e-12)


# ---- ends, loops, zero chords ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("adjust", ADJUST)
def test_reflected_ends_run_along_the_first_and_last_chord(adjust):
    path = timed_path(POSITIONS, UNEVEN, adjust=adjust)
    for tangent in (path.leave[0], path.arrive[0]):
        assert_allclose(tangent, POSITIONS[1] - POSITIONS[0], rtol=1e-14)
    for tangent in (path.leave[-1], path.arrive[-1]):
        assert_allclose(tangent, POSITIONS[-1] - POSITIONS[-2], rtol=1e-14)


@pytest.mark.parametrize("adjust", ADJUST)
def test_still_ends_begin_and_end_at_rest(adjust):
    path, usual = (
        timed_path(POSITIONS, UNEVEN, adjust=adjust, ends="still"),
        timed_path(POSITIONS, UNEVEN, adjust=adjust),
    )
    assert not path.leave[[0, -1]].any()
    assert not path.arrive[[0, -1]].any()
    assert_array_equal(path.leave[1:-1], usual.leave[1:-1])


@pytest.mark.parametrize("adjust", ADJUST)
def test_zero_chord_ends_use_a_zero_outer_chord(adjust):
    path = timed_path(POSITIONS, UNEVEN, adjust=adjust, ends="zero-chord", bias=0.2, continuity=0.1)
    assert_allclose(path.leave[0], (1 - 0.1) * (1 - 0.2) / 2 * (POSITIONS[1] - POSITIONS[0]), rtol=1e-14)
    assert_allclose(path.arrive[-1], (1 - 0.1) * (1 + 0.2) / 2 * (POSITIONS[-1] - POSITIONS[-2]), rtol=1e-14)


def test_two_keys_are_a_uniform_line_unless_ends_are_still():
    assert_allclose(MotionPath([(0, 0), (2, 4)]).at([0.25, 0.5]), [[0.5, 1], [1, 2]], rtol=1e-15)
    assert_allclose(MotionPath([(0, 0), (2, 4)], ends="still").at(0.25)[0], 2 * (3 / 16 - 2 / 64), rtol=1e-15)


@pytest.mark.parametrize("adjust", ADJUST)
def test_closed_path_is_independent_of_its_first_key(adjust):
    """Started at another key, a closed path is the same curve."""
    tcb = {"tension": 0.1, "continuity": 0.2, "bias": -0.4}
    times = np.arange(7.0)  # the closing interval is as long as the last
    path = timed_path(POSITIONS, times, adjust=adjust, closed=True, **tcb)
    turned = timed_path(np.roll(POSITIONS, -3, axis=0), times, adjust=adjust, closed=True, **tcb)
    u = np.linspace(0, 7, 50)
    assert_allclose(path.at(u + 3), turned.at(u), rtol=0, atol=1e-14)


def test_around_keys_repeats_or_zeroes_open_ends_and_wraps_closed_paths():
    gaps = np.array([1.0, 2.0, 3.0])
    assert [side.tolist() for side in around_keys(gaps, False)] == [[1, 1, 2, 3], [1, 2, 3, 3]]
    assert [side.tolist() for side in around_keys(gaps, False, "zero")] == [[0, 1, 2, 3], [1, 2, 3, 0]]
    assert [side.tolist() for side in around_keys(gaps, True)] == [[3, 1, 2], [1, 2, 3]]


@pytest.mark.parametrize("adjust", ["none", "length", "unit"])
@pytest.mark.parametrize("closed", [False, True])
def test_coincident_keys_stay_finite(adjust, closed):
    places = [(0, 0), (0, 0), (0, 0), (1, 1), (1, 1), (2, 0), (2, 0)]
    path = MotionPath(places, adjust=adjust, closed=closed, tension=-0.3, continuity=0.4, bias=0.5)
    assert np.isfinite(path.at(np.linspace(0, 7, 100))).all()
    assert np.isfinite(path.arrive).all()
    assert np.isfinite(path.length)


@pytest.mark.parametrize("adjust", ["length", "unit"])
def test_repeated_key_gives_a_stationary_segment(adjust):
    path = MotionPath([(0, 0), (1, 1), (1, 1), (2, 5)], adjust=adjust)
    assert_array_equal(path.at(np.linspace(1, 2, 9)), np.ones((9, 2)))


def test_zero_spans_are_not_adjusted():
    for adjust in ("time", "length"):
        assert_array_equal(tangents_at_one_key(0.1, 0.2, 0.3, adjust, 0.0, 0.0), tangents_at_one_key(0.1, 0.2, 0.3))


# ---- by hand ---------------------------------------------------------------------------------------------------------


def test_manual_tangents_replace_only_their_own_rows():
    tangents, chords = np.ones((3, 2)), np.full((3, 2), 7.0)
    manual = np.array([[np.nan, np.nan], [3.0, 4.0], [np.inf, np.inf]])
    assert apply_manual_tangents(tangents, manual, chords).tolist() == [[1, 1], [3, 4], [7, 7]]
    assert apply_manual_tangents(tangents, None, chords) is tangents


@settings(deadline=None)
@given(st.sampled_from(ADJUST), shaping, st.sampled_from(["reflect", "still", "zero-chord"]), st.booleans())
def test_manual_tangents_are_not_adjusted_and_the_other_side_stays_tcb(adjust, tcb, ends, closed):
    t, c, b = tcb
    style = {"tension": t, "continuity": c, "bias": b, "adjust": adjust, "ends": ends, "closed": closed}
    plain = timed_path(POSITIONS, UNEVEN, **style)
    for index in (0, 3, 6):
        path = plain.with_key(index, leave=(0.25, -0.5))
        assert path.leave[index].tolist() == [0.25, -0.5]
        assert_array_equal(np.delete(path.leave, index, axis=0), np.delete(plain.leave, index, axis=0))
        assert_array_equal(path.arrive, plain.arrive)
        path = plain.with_key(index, arrive=(0.25, -0.5), leave="chord")
        assert path.arrive[index].tolist() == [0.25, -0.5]
        if closed or (index < 6):
            assert_array_equal(path.leave[index], POSITIONS[(index + 1) % 7] - POSITIONS[index])


@pytest.mark.parametrize("adjust", ADJUST)
def test_drawings_are_interpolated_point_by_point(adjust):
    """Only the spans, where they are lengths, are shared between the points of a drawing."""
    drawings = np.random.default_rng(2).normal(size=(7, 4, 3))
    path = timed_path(drawings, UNEVEN, adjust=adjust, tension=0.2, bias=0.3)
    u = np.linspace(0, 6, 40)
    if adjust in ("none", "time", "velocity"):
        for point in range(4):
            alone = timed_path(drawings[:, point], UNEVEN, adjust=adjust, tension=0.2, bias=0.3)
            assert_allclose(path.at(u)[:, point], alone.at(u), rtol=0, atol=1e-14)
    else:
        same = timed_path(np.repeat(drawings[:, :1], 4, axis=1), UNEVEN, adjust=adjust, tension=0.2, bias=0.3)
        alone = timed_path(drawings[:, 0], UNEVEN, adjust=adjust, tension=0.2, bias=0.3)
        assert_allclose(same.at(u), np.repeat(alone.at(u)[:, None], 4, axis=1), rtol=0, atol=1e-14)
