"""What Kochanek and Bartels (1984) say in words, one test per claim, and what is wrong in print.

Their splines are `adjust="none"` (eqs 8-9) and, with times, `adjust="time"` (eq. 10, corrected). Chords are what the
paper calls the source chord (into a key) and the destination chord (out of it).
"""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from keypose import Key, KeyTimes, Motion, MotionPath, Orientation, effects
from tests.papers.kb84_splines import FPS, HILL, POSITIONS, SPACE, angle, chords, kb84, shaped


def straight(places):
    return MotionPath([Key(place, **effects.linear) for place in places])


# ---- §1: what is wrong with linear interpolation ---------------------------------------------------------------------


def test_linear_interpolation_breaks_the_direction_at_a_key():
    frames = Motion(straight(HILL), KeyTimes.inbetweens([11, 11], FPS)).frames(FPS).position
    into, out_of = frames[12] - frames[11], frames[13] - frames[12]
    assert angle(into, out_of) == pytest.approx(-90)
    smooth = Motion(MotionPath(HILL), KeyTimes.inbetweens([11, 11], FPS)).frames(FPS).position
    assert abs(angle(smooth[12] - smooth[11], smooth[13] - smooth[12])) < 20


def test_linear_interpolation_breaks_the_speed_where_inbetweens_differ():
    places = [(0, 0), (1, 0), (2, 0)]
    before, after = Motion(straight(places), KeyTimes.inbetweens([10, 5], FPS)).speed_jump(1)
    assert after / before == pytest.approx(11 / 6)
    before, after = Motion(MotionPath(places), KeyTimes.inbetweens([10, 5], FPS)).speed_jump(1)
    assert after == pytest.approx(before)


def test_linear_interpolation_shrinks_a_segment_that_turns():
    segment = np.array([(-1, 0, 0), (1, 0, 0)], dtype=float)
    quarter = Orientation.turned(90, "z")
    one, two = straight([segment, quarter.rotate(segment)]).at(0.5)
    assert np.linalg.norm(two - one) == pytest.approx(2 * np.cos(np.radians(45)))
    turning = MotionPath([Key((0, 0, 0), orientation=Orientation.identity), Key((0, 0, 0), orientation=quarter)])
    one, two = Orientation.of(turning.orientation_at(0.5)).rotate(segment)
    assert np.linalg.norm(two - one) == pytest.approx(2)


# ---- §2: interpolating splines ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("adjust", ["none", "length", "unit"])
def test_the_spline_passes_every_key_whatever_its_parameters(adjust):
    keys = [Key(place, tension=0.3, continuity=-0.5, bias=0.8) for place in SPACE]
    assert_allclose(MotionPath(keys, adjust=adjust).at(np.arange(6)), SPACE, rtol=0, atol=1e-15)


def test_inbetweens_are_taken_at_steps_of_one_over_n_plus_one():
    path = kb84(POSITIONS)
    times = KeyTimes.inbetweens([4, 0, 9, 1, 2], FPS)
    frames = Motion(path, times).frames(FPS).position
    assert len(frames) == 1 + 5 + 1 + 10 + 2 + 3
    for segment, first, inbetweens in [(0, 0, 4), (2, 6, 9), (4, 18, 2)]:
        step = 1 / (inbetweens + 1)
        s = np.arange(inbetweens + 2) * step
        assert_allclose(frames[first : first + inbetweens + 2], path.at(segment + s), rtol=0, atol=1e-14)


def test_printed_step_leaves_the_segment_immediately():
    for inbetweens in (1, 5, 10, 1000):
        assert 1 / inbetweens + 1 > 1  # the first inbetween would already be beyond the second key
        assert inbetweens * 1 / (inbetweens + 1) < 1
    assert (1 / (10 + 1), 1 / (5 + 1)) == (1 / 11, 1 / 6)  # what section 4 itself uses


def test_one_polynomial_through_all_keys_oscillates_and_the_spline_does_not():
    x = np.arange(11.0)
    y = 1 / (1 + (x - 5) ** 2)
    polynomial = np.polynomial.Polynomial.fit(x, y, 10)
    between = np.linspace(0, 10, 401)
    spline = kb84(np.column_stack([x, y])).at(between)[:, 1]
    assert_allclose(polynomial(x), y, atol=1e-9)
    assert np.abs(polynomial(between)).max() > 1.5  # the keys lie between 0.04 and 1
    assert -0.03 < spline.min() < spline.max() < 1.03


def test_the_four_basis_functions_each_set_one_end():
    """The table under figure 4: rows are value at 0, value at 1, derivative at 0, derivative at 1."""
    table = []
    for unit in np.eye(4)[:, :, None]:
        start, stop, leave, arrive = unit
        path = MotionPath([Key(start, leave=leave), Key(stop, arrive=arrive)])
        table.append(np.concatenate([path.at([0, 1]), path.velocity([0, 1])])[:, 0])
    assert_array_equal(table, np.eye(4))


def test_a_segment_is_the_sum_of_points_and_tangents_times_the_basis():
    path = kb84(SPACE, tension=0.2, bias=-0.4)
    s = np.linspace(0, 1, 21)[:, None]
    h1, h2 = 2 * s**3 - 3 * s**2 + 1, -2 * s**3 + 3 * s**2
    h3, h4 = s**3 - 2 * s**2 + s, s**3 - s**2
    for i in range(5):
        expected = SPACE[i] * h1 + SPACE[i + 1] * h2 + path.leave[i] * h3 + path.arrive[i + 1] * h4
        assert_allclose(path.at(i + s[:, 0]), expected, rtol=0, atol=1e-14)


def test_the_matrix_form_is_the_same_curve():
    path = kb84(SPACE, continuity=0.5)
    h = np.array([(2, -2, 1, 1), (-3, 3, -2, -1), (0, 0, 1, 0), (1, 0, 0, 0)])
    for i in range(5):
        c = np.stack([SPACE[i], SPACE[i + 1], path.leave[i], path.arrive[i + 1]])
        for s in (0.0, 0.25, 0.5, 0.9):
            assert_allclose(path.at(i + s), np.array([s**3, s**2, s, 1]) @ h @ c, rtol=0, atol=1e-14)


def test_all_key_positions_are_interpolated_in_parallel():
    drawings = np.random.default_rng(1).normal(size=(5, 40, 2))
    whole = kb84(drawings, tension=0.1, bias=0.5)
    u = np.linspace(0, 4, 49)
    for point in range(40):
        alone = kb84(drawings[:, point], tension=0.1, bias=0.5)
        assert_allclose(whole.at(u)[:, point], alone.at(u), rtol=0, atol=1e-14)


def test_no_condition_is_imposed_on_second_derivatives():
    path = kb84(POSITIONS)
    assert_allclose(path.velocity(1 - 1e-9), path.velocity(1.0), atol=1e-6)
    assert np.linalg.norm(path.acceleration(1 - 1e-9) - path.acceleration(1.0)) > 1


# ---- §3: a general class of splines ----------------------------------------------------------------------------------


def test_the_default_is_exactly_the_catmull_rom_spline():
    path = kb84(SPACE)
    assert_allclose(path.leave[1:-1], (SPACE[2:] - SPACE[:-2]) / 2, rtol=1e-14)
    matrix = np.array([(-1, 3, -3, 1), (2, -5, 4, -1), (-1, 0, 1, 0), (0, 2, 0, 0)]) / 2  # Catmull and Rom's own
    for i in range(1, 4):
        for s in (0.0, 0.3, 0.8):
            assert_allclose(path.at(i + s), [s**3, s**2, s, 1] @ matrix @ SPACE[i - 1 : i + 3], rtol=0, atol=1e-14)


def test_the_default_tangent_is_the_average_of_the_adjacent_chords():
    path, chord = kb84(SPACE), chords(SPACE)
    assert_allclose(path.arrive[1:-1], (chord[:-1] + chord[1:]) / 2, rtol=1e-14)


def test_the_missing_chord_at_an_end_may_be_zero():
    path, chord = kb84(POSITIONS, ends="zero-chord"), chords(POSITIONS)
    assert_allclose(path.leave[0], chord[0] / 2)
    assert_allclose(path.arrive[-1], chord[-1] / 2)


def test_the_tangents_at_the_ends_may_be_zero():
    motion = Motion(kb84(POSITIONS, ends="still"), KeyTimes.inbetweens([11] * 5, FPS))
    assert_array_equal(motion.speed(motion.span), [0, 0])
    assert motion.speed(0.1) > 0


@pytest.mark.parametrize("word", ["tension", "continuity", "bias"])
def test_a_parameter_at_one_key_reaches_only_the_two_segments_it_joins(word):
    u = np.linspace(0, 5, 501)
    plain, local = kb84(POSITIONS).at(u), kb84(POSITIONS).with_key(2, **{word: 0.7}).at(u)
    moved = np.linalg.norm(plain - local, axis=1) > 1e-9
    assert not moved[(u <= 1) | (u >= 3)].any()
    assert moved[(u > 1) & (u < 2)].all()
    assert moved[(u > 2) & (u < 3)].all()


@pytest.mark.parametrize("word", ["tension", "continuity", "bias"])
def test_a_parameter_for_the_whole_path_is_the_same_parameter_at_every_key(word):
    everywhere = kb84([Key(place, **{word: 0.7}) for place in POSITIONS])
    assert_array_equal(kb84(POSITIONS, **{word: 0.7}).at(np.linspace(0, 5, 99)), everywhere.at(np.linspace(0, 5, 99)))


def test_each_segment_uses_the_outgoing_tangent_of_its_first_key_and_the_incoming_one_of_its_second():
    path = kb84(POSITIONS, continuity=-0.6, bias=0.3)
    for i in range(5):
        assert_allclose(path.velocity(i), path.leave[i], atol=1e-14)
        assert_allclose(path.velocity(np.nextafter(i + 1.0, 0)), path.arrive[i + 1], atol=1e-12)
    assert (np.linalg.norm(path.leave - path.arrive, axis=1)[1:-1] > 0.1).all()


# ---- §4: adjustments for parameter step size -------------------------------------------------------------------------


def test_without_adjustment_the_path_is_smooth_but_the_speed_is_not():
    """10 inbetweens and then 5, as in figure 2: steps of 1/11 and of 1/6 make the speed jump by 11/6."""
    motion = Motion(kb84([(0, 0), (1, 1), (2, 0)]), KeyTimes.inbetweens([10, 5], FPS))
    assert_array_equal(motion.path.arrive[1], motion.path.leave[1])
    before, after = motion.speed_jump(1)
    assert after / before == pytest.approx(11 / 6)


@pytest.mark.parametrize("counts", [(10, 5), (0, 23), (7, 7)])
def test_adjusting_for_inbetweens_makes_the_speed_continuous(counts):
    for tension, bias in [(0, 0), (-0.4, 0), (0.5, 0.8)]:
        path = MotionPath([(0, 0), (1, 1), (2, 0)], tension=tension, bias=bias)
        motion = Motion(path, KeyTimes.inbetweens(counts, FPS))
        assert motion.path.adjust == "time"
        before, after = motion.speed_jump(1)
        assert after == pytest.approx(before, rel=1e-12)


def test_an_equal_number_of_inbetweens_needs_no_adjustment():
    timed = Motion(MotionPath(POSITIONS, tension=0.2, continuity=0.5), KeyTimes.inbetweens([9] * 5, FPS)).path
    plain = kb84(POSITIONS, tension=0.2, continuity=0.5)
    assert_allclose(timed.arrive, plain.arrive, rtol=1e-13, atol=1e-13)
    assert_allclose(timed.leave, plain.leave, rtol=1e-13, atol=1e-13)


def test_equation_10_as_printed_doubles_the_jump_it_should_remove():
    """Speed just after over just before a key, 10 inbetweens before and 5 after: derivative × parameter step."""
    n, m = 10, 5

    def jump(destination, source):
        return (destination / (m + 1)) / (source / (n + 1))

    assert jump(1, 1) == pytest.approx(1.83, abs=0.005)
    assert jump(2 * n / (n + m), 2 * m / (n + m)) == pytest.approx(3.67, abs=0.005)  # as printed
    assert jump(2 * m / (n + m), 2 * n / (n + m)) == pytest.approx(0.917, abs=0.0005)  # swapped
    swapped_and_stepped = 2 * (m + 1) / (n + m + 2), 2 * (n + 1) / (n + m + 2)
    assert jump(*swapped_and_stepped) == pytest.approx(1, abs=1e-15)
    plain = kb84([(0, 0), (1, 1), (2, 0)])
    ours = Motion(MotionPath([(0, 0), (1, 1), (2, 0)]), KeyTimes.inbetweens([n, m], FPS)).path
    assert_allclose(ours.leave[1], plain.leave[1] * swapped_and_stepped[0])
    assert_allclose(ours.arrive[1], plain.arrive[1] * swapped_and_stepped[1])


def test_in_continuous_time_the_adjustment_is_by_the_two_intervals():
    keys = [Key(place, time=time) for place, time in zip(POSITIONS, [0, 0.3, 1.7, 2, 4.5, 4.9], strict=True)]
    ours, plain, spans = MotionPath(keys), kb84(POSITIONS), np.diff([0, 0.3, 1.7, 2, 4.5, 4.9])
    total = (spans[:-1] + spans[1:])[:, None]
    assert_allclose(ours.arrive[1:-1], plain.arrive[1:-1] * 2 * spans[:-1, None] / total)
    assert_allclose(ours.leave[1:-1], plain.leave[1:-1] * 2 * spans[1:, None] / total)


def test_corner_at_unequal_times_is_straight_and_only_effect_linear_has_constant_speed():
    places, times = [(0, 0), (1, 0), (1, 3), (4, 3)], KeyTimes([0, 1, 3, 3.5])
    corners = Motion(MotionPath(places, continuity=-1), times)
    chord = np.linalg.norm(chords(places), axis=1)
    assert corners.path.length == pytest.approx(chord.sum())
    assert_allclose(corners.speed_jump(1), [2 / 3, 2])  # over 1 s and 2 s, the chords' own speeds are 1 and 1.5
    linear = Motion(straight(places), times)
    for i, speed in enumerate(chord / times.intervals):
        inside = times.times[i] + np.linspace(0.01, 0.99, 9) * times.intervals[i]
        assert_allclose(linear.speed(inside), speed, rtol=1e-12)


@pytest.mark.parametrize(("adjust", "order"), [("time", 2), ("velocity", 3)])
def test_equation_10_is_second_order_and_the_chord_velocities_third(adjust, order):
    """How fast tangents × interval come near those of a smooth curve as uneven keys on it close up."""

    def error(size):
        times = size * np.array([0, 0.4, 2, 2.3, 5, 5.9])
        keys = [Key((np.sin(t), np.cos(1.3 * t)), time=t) for t in times]
        true = np.column_stack([np.cos(times), -1.3 * np.sin(1.3 * times)])[1:-1] * np.diff(times)[1:, None]
        return np.abs(MotionPath(keys, adjust=adjust).leave[1:-1] - true).max()

    assert np.log2(error(2e-3) / error(1e-3)) == pytest.approx(order, abs=0.1)


# ---- §5-6: experience and summary ------------------------------------------------------------------------------------


def test_a_default_tension_is_a_style_that_single_keys_may_leave():
    style = kb84([Key(place, tension=1 if index == 3 else None) for index, place in enumerate(POSITIONS)], tension=-0.3)
    plain = kb84(POSITIONS)
    assert_allclose(style.leave[[1, 2, 4]], 1.3 * plain.leave[[1, 2, 4]])
    assert_array_equal(style.leave[3], [0, 0])


def test_overshoot_is_a_predefined_effect():
    assert {word: effects.overshoot[word] for word in ("tension", "continuity", "bias")} == {
        "tension": -0.3,
        "continuity": 0,
        "bias": 1,
    }
    path = shaped(1, **effects.overshoot)
    assert_allclose(path.leave[1], 1.3 * chords(HILL)[0])
    assert path.at(np.linspace(1, 2, 99))[:, 1].max() > 2.15


def test_the_movement_changes_without_redrawing_a_key():
    """Figure 24: other shapes and other lengths, the same key frames."""
    settings = [{}, effects.overshoot, effects.tight, effects.corner, {"tension": 0.5, "continuity": 0.5, "bias": -1}]
    paths = [kb84([Key(place, **setting) for place in POSITIONS]) for setting in settings]
    for path in paths:
        assert_allclose(path.at(np.arange(6)), POSITIONS, rtol=0, atol=1e-14)
    assert len({round(path.length, 6) for path in paths}) == len(paths)
