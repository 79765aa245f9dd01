"""What Kochanek and Bartels (1984) say in words, one test per claim, and what is wrong in print.

Their splines are `adjust="none"` (eqs 8-9) and, with times, `adjust="time"` (eq. 10, corrected). Chords are what the
paper calls the source chord (into a key) and the destination chord (out of it).
"""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from keypose import Key, KeyTimes, Motion, MotionPath, Orientation, effects

PLACES = np.array([(0, 0), (1, 2), (3, 2.5), (4, 0), (6, 1), (7, 3)], dtype=float)
SPACE = np.random.default_rng(84).normal(size=(6, 3))
HILL = [(0, 0), (2, 2), (4, 0)]  # two chords of the same length, a right angle at the top
FPS = 24


def kb84(places, **words):
    """The paper's spline: eqs 8-9, and beyond the ends the first and last chord again."""
    return MotionPath(places, adjust="none", **words)


def bent(at, places=HILL, **shaping):
    """The paper's spline with tension, continuity or bias at one key."""
    return kb84([Key(place, **(shaping if index == at else {})) for index, place in enumerate(places)])


def ball(**shaping):
    """The ball and the tree of §3.2: straight up to the tree and straight away from it, equally long steps."""
    path = bent(2, [(0, 0), (1, 1), (2, 2), (3, 1), (4, 0)], **shaping)
    return Motion(path, KeyTimes.inbetweens([11] * 4, FPS))


def straight(places):
    return MotionPath([Key(place, **effects.linear) for place in places])


def chords(places):
    return np.diff(np.asarray(places, dtype=float), axis=0)


def angle(a, b):
    """Degrees from a to b in the plane, anticlockwise."""
    return np.degrees(np.arctan2(a[0] * b[1] - a[1] * b[0], np.dot(a, b)))


def apart(one, other):
    """The farthest any point of one curve is from the other curve."""
    return np.linalg.norm(one[:, None] - other[None], axis=-1).min(axis=1).max()


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
    path = kb84(PLACES)
    times = KeyTimes.inbetweens([4, 0, 9, 1, 2], FPS)
    frames = Motion(path, times).frames(FPS).position
    assert len(frames) == 1 + 5 + 1 + 10 + 2 + 3
    for segment, first, inbetweens in [(0, 0, 4), (2, 6, 9), (4, 18, 2)]:
        step = 1 / (inbetweens + 1)
        s = np.arange(inbetweens + 2) * step
        assert_allclose(frames[first : first + inbetweens + 2], path.at(segment + s), rtol=0, atol=1e-14)


def test_the_step_as_printed_leaves_the_segment_at_once():
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
    path = kb84(PLACES)
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
    path, chord = kb84(PLACES, ends="zero-chord"), chords(PLACES)
    assert_allclose(path.leave[0], chord[0] / 2)
    assert_allclose(path.arrive[-1], chord[-1] / 2)


def test_the_tangents_at_the_ends_may_be_zero():
    motion = Motion(kb84(PLACES, ends="still"), KeyTimes.inbetweens([11] * 5, FPS))
    assert_array_equal(motion.speed(motion.span), [0, 0])
    assert motion.speed(0.1) > 0


@pytest.mark.parametrize("word", ["tension", "continuity", "bias"])
def test_a_parameter_at_one_key_reaches_only_the_two_segments_it_joins(word):
    u = np.linspace(0, 5, 501)
    plain, local = kb84(PLACES).at(u), kb84(PLACES).with_key(2, **{word: 0.7}).at(u)
    moved = np.linalg.norm(plain - local, axis=1) > 1e-9
    assert not moved[(u <= 1) | (u >= 3)].any()
    assert moved[(u > 1) & (u < 2)].all()
    assert moved[(u > 2) & (u < 3)].all()


@pytest.mark.parametrize("word", ["tension", "continuity", "bias"])
def test_a_parameter_for_the_whole_path_is_the_same_parameter_at_every_key(word):
    everywhere = kb84([Key(place, **{word: 0.7}) for place in PLACES])
    assert_array_equal(kb84(PLACES, **{word: 0.7}).at(np.linspace(0, 5, 99)), everywhere.at(np.linspace(0, 5, 99)))


def test_each_segment_uses_the_outgoing_tangent_of_its_first_key_and_the_incoming_one_of_its_second():
    path = kb84(PLACES, continuity=-0.6, bias=0.3)
    for i in range(5):
        assert_allclose(path.velocity(i), path.leave[i], atol=1e-14)
        assert_allclose(path.velocity(np.nextafter(i + 1.0, 0)), path.arrive[i + 1], atol=1e-12)
    assert (np.linalg.norm(path.leave - path.arrive, axis=1)[1:-1] > 0.1).all()


# ---- §3.1: tension ---------------------------------------------------------------------------------------------------


def test_more_tension_bends_the_curve_more_sharply_at_the_key():
    def curvature(path):
        (vx, vy), (ax, ay) = path.velocity(1.0), path.acceleration(1.0)
        return abs(vx * ay - vy * ax) / np.hypot(vx, vy) ** 3

    sharpness = [curvature(bent(1, tension=t)) for t in (-1, -0.5, 0, 0.5, 0.9, 0.99)]
    assert (np.diff(sharpness) > 0).all()
    assert sharpness[-1] > 100 * sharpness[2]


@pytest.mark.parametrize("t", [-1, -0.25, 0, 0.5, 1])
def test_tension_scales_both_tangents_alike(t):
    path, chord = kb84(PLACES, tension=t), chords(PLACES)
    expected = (1 - t) / 2 * (chord[:-1] + chord[1:])
    assert_allclose(path.arrive[1:-1], expected, atol=1e-14)
    assert_allclose(path.leave[1:-1], expected, atol=1e-14)


def test_default_tension_is_the_average_of_the_chords():
    assert_array_equal(bent(1, tension=0).at(np.linspace(0, 2, 50)), kb84(HILL).at(np.linspace(0, 2, 50)))
    assert bent(1, tension=0).leave[1].tolist() == [2, 0]


def test_tension_1_reduces_the_tangent_to_zero_and_tightens_the_curve():
    tight = bent(1, tension=1)
    assert_array_equal(tight.arrive[1], [0, 0])
    assert_array_equal(tight.leave[1], [0, 0])
    assert np.linalg.norm(chords(HILL), axis=1).sum() <= tight.length < kb84(HILL).length


def test_tension_minus_1_doubles_the_tangent_and_slackens_the_curve():
    slack = bent(1, tension=-1)
    assert_allclose(slack.leave[1], 2 * kb84(HILL).leave[1])
    assert_allclose(slack.arrive[1], 2 * kb84(HILL).arrive[1])
    assert slack.length > kb84(HILL).length


@pytest.mark.parametrize("t", [-1, -0.4, 0, 0.5, 1])
def test_the_same_tension_everywhere_gives_the_cardinal_spline(t):
    a = (1 - t) / 2
    tangents = a * (PLACES[2:] - PLACES[:-2])
    cardinal = [Key(place, arrive=d, leave=d) for place, d in zip(PLACES[1:-1], tangents, strict=True)]
    u = np.linspace(0, 3, 61)
    assert_allclose(kb84(PLACES, tension=t).at(1 + u), kb84(cardinal).at(u), rtol=0, atol=1e-14)


def test_the_tighter_all_keys_are_the_shorter_is_the_path_down_to_the_chords():
    lengths = [kb84(PLACES, tension=t).length for t in (-1, -0.5, 0, 0.5, 1)]
    assert (np.diff(lengths) < 0).all()
    assert lengths[-1] == pytest.approx(np.linalg.norm(chords(PLACES), axis=1).sum())


def test_the_cardinal_splines_are_a_proper_subset():
    """With bias the tangent leaves the line P(i+1) − P(i−1) to which every cardinal spline keeps."""
    across = np.subtract(HILL[2], HILL[0])
    for tension in (-1, 0, 0.5):
        assert angle(bent(1, tension=tension).leave[1], across) == pytest.approx(0)
    assert angle(bent(1, bias=0.5).leave[1], across) < -20


# ---- §3.2: continuity ------------------------------------------------------------------------------------------------


def test_the_more_continuity_differs_from_0_the_more_distinct_are_the_tangents():
    for sign in (-1, 1):
        paths = [bent(2, PLACES, continuity=sign * c) for c in (0, 0.25, 0.5, 1)]
        gaps = [np.linalg.norm(path.leave[2] - path.arrive[2]) for path in paths]
        assert gaps[0] == 0
        assert (np.diff(gaps) > 0).all()


@pytest.mark.parametrize("c", [-1, -0.5, 0, 0.5, 1])
def test_continuity_weighs_the_chords_one_way_coming_in(c):
    path, chord = kb84(PLACES, continuity=c), chords(PLACES)
    assert_allclose(path.arrive[1:-1], (1 - c) / 2 * chord[:-1] + (1 + c) / 2 * chord[1:], atol=1e-14)


@pytest.mark.parametrize("c", [-1, -0.5, 0, 0.5, 1])
def test_continuity_weighs_the_chords_the_other_way_going_out(c):
    path, chord = kb84(PLACES, continuity=c), chords(PLACES)
    assert_allclose(path.leave[1:-1], (1 + c) / 2 * chord[:-1] + (1 - c) / 2 * chord[1:], atol=1e-14)


def test_default_continuity_keeps_the_tangent_vector():
    path = kb84(PLACES, continuity=0, tension=0.3, bias=-0.6)
    assert_array_equal(path.arrive[1:-1], path.leave[1:-1])


def test_continuity_minus_1_makes_the_tangents_the_chords():
    path, chord = kb84(PLACES, continuity=-1), chords(PLACES)
    assert_array_equal(path.arrive[1:-1], chord[:-1])
    assert_array_equal(path.leave[1:-1], chord[1:])


def test_continuity_plus_1_points_the_corner_the_other_way():
    path, chord = kb84(PLACES, continuity=1), chords(PLACES)
    assert_array_equal(path.arrive[1:-1], chord[1:])
    assert_array_equal(path.leave[1:-1], chord[:-1])
    turns = {c: angle(bent(1, continuity=c).arrive[1], bent(1, continuity=c).leave[1]) for c in (-1, 1)}
    assert turns[-1] == pytest.approx(-90)  # as the chords turn
    assert turns[1] == pytest.approx(90)


def test_continuity_minus_1_everywhere_runs_along_the_chords():
    inner = kb84(PLACES, continuity=-1)
    assert inner.length == pytest.approx(np.linalg.norm(chords(PLACES), axis=1).sum())
    assert kb84(PLACES, continuity=1).length > kb84(PLACES).length > inner.length


def test_with_default_tension_and_continuity_the_curve_is_round_at_the_key():
    path = bent(1)
    assert_array_equal(path.arrive[1], path.leave[1])
    assert angle(path.velocity(1 - 0.01), path.velocity(1 + 0.01)) == pytest.approx(0, abs=5)


def test_more_tension_and_less_continuity_look_alike():
    u = np.linspace(0, 2, 401)
    tense, broken, smooth = (path.at(u) for path in (bent(1, tension=1), bent(1, continuity=-1), bent(1)))
    assert apart(tense, broken) < 0.02
    assert apart(broken, smooth) > 5 * apart(tense, broken)
    tense, broken = kb84(PLACES, tension=1), kb84(PLACES, continuity=-1)  # at every key: both run along the chords
    way = np.linspace(0, tense.length, 99)
    assert_allclose(tense.along(way), broken.along(way), atol=1e-9)


def test_but_they_move_differently():
    tense, broken = ball(tension=1), ball(continuity=-1)
    hit = tense.key_times[2]
    assert_allclose(tense.speed_jump(2), 0, atol=1e-12)
    assert_allclose(broken.speed_jump(2), broken.speed(0.0))
    assert broken.speed(hit) > 2


def test_tension_1_does_not_break_the_velocity():
    for t in (-1, 0, 0.5, 0.9, 1):
        path = ball(tension=t).path
        assert_array_equal(path.arrive[2], path.leave[2])
    motion = ball(tension=1)
    near = motion.key_times[2] + np.array([-1e-7, 0, 1e-7])
    assert_allclose(motion.velocity(near), 0, atol=1e-4)


def test_increasing_tension_eventually_reduces_the_speed_to_zero():
    speeds = [ball(tension=t).speed_jump(2)[0] for t in (-1, -0.5, 0, 0.5, 1)]
    assert (np.diff(speeds) < 0).all()
    assert speeds[-1] == 0


def test_tension_1_is_a_corner_in_space_but_not_in_time():
    path = bent(1, tension=1)
    assert angle(path.heading(1 - 1e-6), path.heading(1.0)) < -80  # the direction breaks
    assert_allclose(path.velocity(1 - 1e-6), path.velocity(1.0), atol=1e-4)  # the velocity does not


def test_reducing_continuity_changes_the_direction_at_constant_speed():
    motion = ball(continuity=-1)
    before, after = motion.speed_jump(2)
    assert before == pytest.approx(after)
    assert angle(motion.path.arrive[2], motion.path.leave[2]) == pytest.approx(-90)


def test_a_ball_turns_at_the_tree_without_slowing_down_ahead_of_time():
    motion = ball(continuity=-1)
    t = np.linspace(0, motion.key_times[2], 50)
    assert_allclose(motion.speed(t), motion.speed(0.0), rtol=1e-12)
    slowing = ball(tension=1).speed(t[t > motion.key_times[1]])
    assert slowing[-1] == pytest.approx(0, abs=1e-9)
    assert (np.diff(slowing[len(slowing) // 2 :]) < 0).all()


def test_at_unequal_chords_continuity_minus_1_breaks_the_speed_by_their_ratio():
    """The paper says that speed remains constant; it does where the two chords are equally long."""
    path = bent(1, [(0, 0), (3, 0), (3, 1)], continuity=-1)
    before, after = Motion(path, KeyTimes.inbetweens([11, 11], FPS)).speed_jump(1)
    assert before / after == pytest.approx(3)


def test_a_spline_ended_at_a_key_breaks_as_it_will_and_continuity_as_it_is_told():
    """Two independent splines leave no choice of the corner; continuity goes through every corner in between."""
    into, out_of = kb84(PLACES[:3]).arrive[-1], kb84(PLACES[2:]).leave[0]
    broken = abs(angle(into, out_of))
    corners = [abs(angle(path.arrive[2], path.leave[2])) for path in (bent(2, PLACES, continuity=c) for c in (0, -0.5))]
    assert corners[0] < corners[1] < broken


# ---- §3.3: bias ------------------------------------------------------------------------------------------------------


def test_bias_turns_the_direction_of_the_path_at_the_key():
    directions = [angle((1, 0), bent(1, bias=b).leave[1]) for b in (-1, -0.5, 0, 0.5, 1)]
    assert (np.diff(directions) > 10).all()
    assert_allclose(directions, [-45, -np.degrees(np.arctan(0.5)), 0, np.degrees(np.arctan(0.5)), 45], atol=1e-12)


@pytest.mark.parametrize("b", [-1, -0.5, 0, 0.5, 1])
def test_bias_weighs_the_chords_alike_coming_in_and_going_out(b):
    path, chord = kb84(PLACES, bias=b), chords(PLACES)
    expected = (1 + b) / 2 * chord[:-1] + (1 - b) / 2 * chord[1:]
    assert_allclose(path.arrive[1:-1], expected, atol=1e-14)
    assert_allclose(path.leave[1:-1], expected, atol=1e-14)


def test_default_bias_weighs_the_two_chords_equally():
    assert_array_equal(bent(1, bias=0).leave[1], kb84(HILL).leave[1])
    assert_allclose(bent(1, bias=0).leave[1], chords(HILL).mean(axis=0))


def test_bias_minus_1_follows_the_destination_chord():
    path = bent(1, bias=-1)
    assert_array_equal(path.arrive[1], chords(HILL)[1])
    assert_array_equal(path.leave[1], chords(HILL)[1])


def test_bias_1_follows_the_source_chord():
    path = bent(1, bias=1)
    assert_array_equal(path.arrive[1], chords(HILL)[0])
    assert_array_equal(path.leave[1], chords(HILL)[0])


def test_bias_1_overshoots_the_key_and_bias_minus_1_undershoots_it():
    u = np.linspace(0, 2, 801)
    for b, side in [(1, u > 1), (-1, u < 1)]:
        height = bent(1, bias=b).at(u)[:, 1]
        assert height.max() > 2.1  # the key is at 2
        assert side[height.argmax()]
        assert (height[~side] <= 2 + 1e-12).all()
    assert bent(1).at(u)[:, 1].max() == pytest.approx(2)


# ---- §3.4: composite control -----------------------------------------------------------------------------------------


def composite(t, c, b, chord):
    """Eqs 8 and 9 as they are printed."""
    into, out_of = chord[:-1], chord[1:]
    source = (1 - t) * (1 - c) * (1 + b) / 2 * into + (1 - t) * (1 + c) * (1 - b) / 2 * out_of
    destination = (1 - t) * (1 + c) * (1 + b) / 2 * into + (1 - t) * (1 - c) * (1 - b) / 2 * out_of
    return source, destination


MIXED = [(0.3, -0.5, 0.8), (-1, 1, -1), (0.5, 0.25, 0), (0, 0, 0), (2, -3, 1.5)]


@pytest.mark.parametrize(("t", "c", "b"), MIXED)
def test_the_incoming_composite_equation_holds(t, c, b):
    path = kb84(SPACE, tension=t, continuity=c, bias=b)
    assert_allclose(path.arrive[1:-1], composite(t, c, b, chords(SPACE))[0], atol=1e-13)


@pytest.mark.parametrize(("t", "c", "b"), MIXED)
def test_the_outgoing_composite_equation_holds(t, c, b):
    path = kb84(SPACE, tension=t, continuity=c, bias=b)
    assert_allclose(path.leave[1:-1], composite(t, c, b, chords(SPACE))[1], atol=1e-13)


def test_bias_and_continuity_together_break_even_steady_straight_motion():
    """By definition: on a straight and even line DS = (1 − bc) v and DD = (1 + bc) v."""
    path = kb84([(0, 0), (1, 0), (2, 0), (3, 0)], bias=0.5, continuity=0.5)
    assert_allclose(path.arrive[1:-1, 0], 1 - 0.25)
    assert_allclose(path.leave[1:-1, 0], 1 + 0.25)


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
    timed = Motion(MotionPath(PLACES, tension=0.2, continuity=0.5), KeyTimes.inbetweens([9] * 5, FPS)).path
    plain = kb84(PLACES, tension=0.2, continuity=0.5)
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
    keys = [Key(place, time=time) for place, time in zip(PLACES, [0, 0.3, 1.7, 2, 4.5, 4.9], strict=True)]
    ours, plain, spans = MotionPath(keys), kb84(PLACES), np.diff([0, 0.3, 1.7, 2, 4.5, 4.9])
    total = (spans[:-1] + spans[1:])[:, None]
    assert_allclose(ours.arrive[1:-1], plain.arrive[1:-1] * 2 * spans[:-1, None] / total)
    assert_allclose(ours.leave[1:-1], plain.leave[1:-1] * 2 * spans[1:, None] / total)


def test_a_corner_at_unequal_times_is_straight_but_only_the_effect_linear_is_steady_too():
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
    style = kb84([Key(place, tension=1 if index == 3 else None) for index, place in enumerate(PLACES)], tension=-0.3)
    plain = kb84(PLACES)
    assert_allclose(style.leave[[1, 2, 4]], 1.3 * plain.leave[[1, 2, 4]])
    assert_array_equal(style.leave[3], [0, 0])


def test_overshoot_is_a_predefined_effect():
    assert {word: effects.overshoot[word] for word in ("tension", "continuity", "bias")} == {
        "tension": -0.3,
        "continuity": 0,
        "bias": 1,
    }
    path = bent(1, **effects.overshoot)
    assert_allclose(path.leave[1], 1.3 * chords(HILL)[0])
    assert path.at(np.linspace(1, 2, 99))[:, 1].max() > 2.15


def test_the_movement_changes_without_redrawing_a_key():
    """Figure 24: other shapes and other lengths, the same key frames."""
    settings = [{}, effects.overshoot, effects.tight, effects.corner, {"tension": 0.5, "continuity": 0.5, "bias": -1}]
    paths = [kb84([Key(place, **setting) for place in PLACES]) for setting in settings]
    for path in paths:
        assert_allclose(path.at(np.arange(6)), PLACES, rtol=0, atol=1e-14)
    assert len({round(path.length, 6) for path in paths}) == len(paths)
