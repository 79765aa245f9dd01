"""What Kochanek and Bartels (1984) say about tension, continuity and bias (section 3.1 to 3.4), one test per claim."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from keypose import Key, KeyTimes, Motion
from tests.papers.kb84_splines import FPS, HILL, POSITIONS, SPACE, angle, chords, kb84, shaped


def ball(**shaping):
    """The ball and the tree of §3.2: straight up to the tree and straight away from it, equally long steps."""
    path = shaped(2, [(0, 0), (1, 1), (2, 2), (3, 1), (4, 0)], **shaping)
    return Motion(path, KeyTimes.inbetweens([11] * 4, FPS))


def curve_distance(one, other):
    """The farthest any point of one curve is from the other curve."""
    return np.linalg.norm(one[:, None] - other[None], axis=-1).min(axis=1).max()


# ---- §3.1: tension ---------------------------------------------------------------------------------------------------


def test_more_tension_bends_the_curve_more_sharply_at_the_key():
    def curvature(path):
        (vx, vy), (ax, ay) = path.velocity(1.0), path.acceleration(1.0)
        return abs(vx * ay - vy * ax) / np.hypot(vx, vy) ** 3

    sharpness = [curvature(shaped(1, tension=t)) for t in (-1, -0.5, 0, 0.5, 0.9, 0.99)]
    assert (np.diff(sharpness) > 0).all()
    assert sharpness[-1] > 100 * sharpness[2]


@pytest.mark.parametrize("t", [-1, -0.25, 0, 0.5, 1])
def test_tension_scales_both_tangents_alike(t):
    path, chord = kb84(POSITIONS, tension=t), chords(POSITIONS)
    expected = (1 - t) / 2 * (chord[:-1] + chord[1:])
    assert_allclose(path.arrive[1:-1], expected, atol=1e-14)
    assert_allclose(path.leave[1:-1], expected, atol=1e-14)


def test_default_tension_is_the_average_of_the_chords():
    assert_array_equal(shaped(1, tension=0).at(np.linspace(0, 2, 50)), kb84(HILL).at(np.linspace(0, 2, 50)))
    assert shaped(1, tension=0).leave[1].tolist() == [2, 0]


def test_tension_1_reduces_the_tangent_to_zero_and_tightens_the_curve():
    tight = shaped(1, tension=1)
    assert_array_equal(tight.arrive[1], [0, 0])
    assert_array_equal(tight.leave[1], [0, 0])
    assert np.linalg.norm(chords(HILL), axis=1).sum() <= tight.length < kb84(HILL).length


def test_tension_minus_1_doubles_the_tangent_and_slackens_the_curve():
    slack = shaped(1, tension=-1)
    assert_allclose(slack.leave[1], 2 * kb84(HILL).leave[1])
    assert_allclose(slack.arrive[1], 2 * kb84(HILL).arrive[1])
    assert slack.length > kb84(HILL).length


@pytest.mark.parametrize("t", [-1, -0.4, 0, 0.5, 1])
def test_the_same_tension_everywhere_gives_the_cardinal_spline(t):
    a = (1 - t) / 2
    tangents = a * (POSITIONS[2:] - POSITIONS[:-2])
    cardinal = [Key(place, arrive=d, leave=d) for place, d in zip(POSITIONS[1:-1], tangents, strict=True)]
    u = np.linspace(0, 3, 61)
    assert_allclose(kb84(POSITIONS, tension=t).at(1 + u), kb84(cardinal).at(u), rtol=0, atol=1e-14)


def test_the_tighter_all_keys_are_the_shorter_is_the_path_down_to_the_chords():
    lengths = [kb84(POSITIONS, tension=t).length for t in (-1, -0.5, 0, 0.5, 1)]
    assert (np.diff(lengths) < 0).all()
    assert lengths[-1] == pytest.approx(np.linalg.norm(chords(POSITIONS), axis=1).sum())


def test_the_cardinal_splines_are_a_proper_subset():
    """With bias the tangent leaves the line P(i+1) − P(i−1) to which every cardinal spline keeps."""
    across = np.subtract(HILL[2], HILL[0])
    for tension in (-1, 0, 0.5):
        assert angle(shaped(1, tension=tension).leave[1], across) == pytest.approx(0)
    assert angle(shaped(1, bias=0.5).leave[1], across) < -20


# ---- §3.2: continuity ------------------------------------------------------------------------------------------------


def test_the_more_continuity_differs_from_0_the_more_distinct_are_the_tangents():
    for sign in (-1, 1):
        paths = [shaped(2, POSITIONS, continuity=sign * c) for c in (0, 0.25, 0.5, 1)]
        gaps = [np.linalg.norm(path.leave[2] - path.arrive[2]) for path in paths]
        assert gaps[0] == 0
        assert (np.diff(gaps) > 0).all()


@pytest.mark.parametrize("c", [-1, -0.5, 0, 0.5, 1])
def test_incoming_tangent_weights_chords_by_continuity(c):
    path, chord = kb84(POSITIONS, continuity=c), chords(POSITIONS)
    assert_allclose(path.arrive[1:-1], (1 - c) / 2 * chord[:-1] + (1 + c) / 2 * chord[1:], atol=1e-14)


@pytest.mark.parametrize("c", [-1, -0.5, 0, 0.5, 1])
def test_outgoing_tangent_weights_chords_by_opposite_continuity(c):
    path, chord = kb84(POSITIONS, continuity=c), chords(POSITIONS)
    assert_allclose(path.leave[1:-1], (1 + c) / 2 * chord[:-1] + (1 - c) / 2 * chord[1:], atol=1e-14)


def test_default_continuity_keeps_the_tangent_vector():
    path = kb84(POSITIONS, continuity=0, tension=0.3, bias=-0.6)
    assert_array_equal(path.arrive[1:-1], path.leave[1:-1])


def test_continuity_minus_1_makes_the_tangents_the_chords():
    path, chord = kb84(POSITIONS, continuity=-1), chords(POSITIONS)
    assert_array_equal(path.arrive[1:-1], chord[:-1])
    assert_array_equal(path.leave[1:-1], chord[1:])


def test_continuity_plus_1_points_the_corner_the_other_way():
    path, chord = kb84(POSITIONS, continuity=1), chords(POSITIONS)
    assert_array_equal(path.arrive[1:-1], chord[1:])
    assert_array_equal(path.leave[1:-1], chord[:-1])
    turns = {c: angle(shaped(1, continuity=c).arrive[1], shaped(1, continuity=c).leave[1]) for c in (-1, 1)}
    assert turns[-1] == pytest.approx(-90)  # as the chords turn
    assert turns[1] == pytest.approx(90)


def test_continuity_minus_1_everywhere_runs_along_the_chords():
    inner = kb84(POSITIONS, continuity=-1)
    assert inner.length == pytest.approx(np.linalg.norm(chords(POSITIONS), axis=1).sum())
    assert kb84(POSITIONS, continuity=1).length > kb84(POSITIONS).length > inner.length


def test_with_default_tension_and_continuity_the_curve_is_round_at_the_key():
    path = shaped(1)
    assert_array_equal(path.arrive[1], path.leave[1])
    assert angle(path.velocity(1 - 0.01), path.velocity(1 + 0.01)) == pytest.approx(0, abs=5)


def test_more_tension_and_less_continuity_look_alike():
    u = np.linspace(0, 2, 401)
    tense, broken, smooth = (path.at(u) for path in (shaped(1, tension=1), shaped(1, continuity=-1), shaped(1)))
    assert curve_distance(tense, broken) < 0.02
    assert curve_distance(broken, smooth) > 5 * curve_distance(tense, broken)
    tense, broken = (
        kb84(POSITIONS, tension=1),
        kb84(POSITIONS, continuity=-1),
    )  # at every key: both run along the chords
    distances = np.linspace(0, tense.length, 99)
    assert_allclose(tense.along(distances), broken.along(distances), atol=1e-9)


def test_high_tension_and_low_continuity_differ_in_speed():
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
    path = shaped(1, tension=1)
    assert angle(path.geometry.heading(1 - 1e-6), path.geometry.heading(1.0)) < -80  # the direction breaks
    assert_allclose(path.velocity(1 - 1e-6), path.velocity(1.0), atol=1e-4)  # the velocity does not


def test_reducing_continuity_changes_the_direction_at_constant_speed():
    motion = ball(continuity=-1)
    before, after = motion.speed_jump(2)
    assert before == pytest.approx(after)
    assert angle(motion.path.arrive[2], motion.path.leave[2]) == pytest.approx(-90)


def test_ball_turns_at_the_tree_without_slowing_down_before():
    motion = ball(continuity=-1)
    t = np.linspace(0, motion.key_times[2], 50)
    assert_allclose(motion.speed(t), motion.speed(0.0), rtol=1e-12)
    slowing = ball(tension=1).speed(t[t > motion.key_times[1]])
    assert slowing[-1] == pytest.approx(0, abs=1e-9)
    assert (np.diff(slowing[len(slowing) // 2 :]) < 0).all()


def test_at_unequal_chords_continuity_minus_1_breaks_the_speed_by_their_ratio():
    """The paper says that speed remains constant; it does where the two chords are equally long."""
    path = shaped(1, [(0, 0), (3, 0), (3, 1)], continuity=-1)
    before, after = Motion(path, KeyTimes.inbetweens([11, 11], FPS)).speed_jump(1)
    assert before / after == pytest.approx(3)


def test_splitting_a_spline_fixes_the_corner_and_continuity_controls_it():
    """Two independent splines leave no choice of the corner; continuity goes through every corner in between."""
    into, out_of = kb84(POSITIONS[:3]).arrive[-1], kb84(POSITIONS[2:]).leave[0]
    broken = abs(angle(into, out_of))
    corners = [
        abs(angle(path.arrive[2], path.leave[2])) for path in (shaped(2, POSITIONS, continuity=c) for c in (0, -0.5))
    ]
    assert corners[0] < corners[1] < broken


# ---- §3.3: bias ------------------------------------------------------------------------------------------------------


def test_bias_turns_the_direction_of_the_path_at_the_key():
    directions = [angle((1, 0), shaped(1, bias=b).leave[1]) for b in (-1, -0.5, 0, 0.5, 1)]
    assert (np.diff(directions) > 10).all()
    assert_allclose(directions, [-45, -np.degrees(np.arctan(0.5)), 0, np.degrees(np.arctan(0.5)), 45], atol=1e-12)


@pytest.mark.parametrize("b", [-1, -0.5, 0, 0.5, 1])
def test_bias_weights_both_tangents_equally(b):
    path, chord = kb84(POSITIONS, bias=b), chords(POSITIONS)
    expected = (1 + b) / 2 * chord[:-1] + (1 - b) / 2 * chord[1:]
    assert_allclose(path.arrive[1:-1], expected, atol=1e-14)
    assert_allclose(path.leave[1:-1], expected, atol=1e-14)


def test_default_bias_weighs_the_two_chords_equally():
    assert_array_equal(shaped(1, bias=0).leave[1], kb84(HILL).leave[1])
    assert_allclose(shaped(1, bias=0).leave[1], chords(HILL).mean(axis=0))


def test_bias_minus_1_follows_the_destination_chord():
    path = shaped(1, bias=-1)
    assert_array_equal(path.arrive[1], chords(HILL)[1])
    assert_array_equal(path.leave[1], chords(HILL)[1])


def test_bias_1_follows_the_source_chord():
    path = shaped(1, bias=1)
    assert_array_equal(path.arrive[1], chords(HILL)[0])
    assert_array_equal(path.leave[1], chords(HILL)[0])


def test_bias_1_overshoots_the_key_and_bias_minus_1_undershoots_it():
    u = np.linspace(0, 2, 801)
    for b, side in [(1, u > 1), (-1, u < 1)]:
        height = shaped(1, bias=b).at(u)[:, 1]
        assert height.max() > 2.1  # the key is at 2
        assert side[height.argmax()]
        assert (height[~side] <= 2 + 1e-12).all()
    assert shaped(1).at(u)[:, 1].max() == pytest.approx(2)


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
