import itertools

import numpy as np
import pytest
from numpy.testing import assert_allclose
from splines.quaternion import KochanekBartels, UnitQuaternion

from keypose.curves.orientation import Orientation
from keypose.curves.orientation_path import OrientationPath, slerp_legs
from keypose.maths import quaternion

SAME = 1e-9  # degrees
ADJUSTS = ("none", "time", "velocity", "length", "unit")
ENDS = ("reflect", "zero-chord", "still")
TURNINGS = ("casteljau", "log")


@pytest.fixture(autouse=True)
def by_the_definition(monkeypatch):
    monkeypatch.setattr("keypose.curves.orientation_path.use_kernels", lambda work: False)


def some_keys(count, seed=0):
    return quaternion.normalize(np.random.default_rng(seed).normal(size=(count, 4)))


def some_tcb(count, seed=1):
    return np.random.default_rng(seed).uniform(-1, 1, size=(count, 3))


def smooth(keys, **words):
    return OrientationPath(keys, np.zeros((len(keys), 3)), **words)


def about_y(*degrees):
    return np.array([Orientation.turned(angle, "y").wxyz for angle in degrees])


def apart(a, b):
    """The largest angle between two rows of orientations, in degrees."""
    return np.degrees(quaternion.angle_between(a, b)).max()


@pytest.mark.parametrize("turning", TURNINGS)
@pytest.mark.parametrize("closed", [False, True])
def test_every_key_is_passed_at_its_own_number(turning, closed):
    keys = some_keys(6)
    path = OrientationPath(keys, some_tcb(6), turning=turning, closed=closed)
    assert apart(path.at(np.arange(6)), keys) < SAME
    assert_allclose(np.linalg.norm(path.at(np.linspace(0, 6, 200)), axis=1), 1, atol=1e-14)


def test_uniform_keys_turn_as_in_the_splines_package():
    keys, tcb = some_keys(12), some_tcb(12)
    path = OrientationPath(keys, tcb, adjust="none")
    theirs = KochanekBartels([UnitQuaternion.from_unit_xyzw(np.roll(q, -1)) for q in keys], tcb=tcb[1:-1])
    v = np.linspace(1, 10, 200)  # their ends are natural ones
    assert apart(path.at(v), np.array([theirs.evaluate(x).wxyz for x in v])) < SAME


def test_a_closed_path_turns_as_the_same_keys_over_and_over():
    keys, tcb = some_keys(5), some_tcb(5)
    around = np.arange(-3, 9) % 5
    closed, opened = OrientationPath(keys, tcb, closed=True), OrientationPath(keys[around], tcb[around])
    v = np.linspace(0, 5, 101)
    assert (closed.segments, opened.segments) == (5, 11)
    assert apart(closed.at(v), opened.at(v + 3)) < SAME
    assert apart(closed.at(v - 10), closed.at(v)) < SAME
    assert_allclose(closed.spin(v[:-1] + 5), closed.spin(v[:-1]), atol=1e-12)


@pytest.mark.parametrize("adjust", ADJUSTS)
def test_turning_the_whole_world_or_every_object_turns_the_curve_along(adjust):
    keys, tcb, v = some_keys(8), some_tcb(8), np.linspace(0, 7, 150)
    spans, (turn,) = np.random.default_rng(2).uniform(0.2, 3, 7), some_keys(1, seed=3)
    path = OrientationPath(keys, tcb, adjust=adjust, spans=spans)
    world = OrientationPath(quaternion.multiply(turn, keys), tcb, adjust=adjust, spans=spans)
    thing = OrientationPath(quaternion.multiply(keys, turn), tcb, adjust=adjust, spans=spans)
    assert apart(world.at(v), quaternion.multiply(turn, path.at(v))) < SAME
    assert apart(thing.at(v), quaternion.multiply(path.at(v), turn)) < SAME
    assert_allclose(world.spin(v), quaternion.rotate(turn, path.spin(v)), atol=1e-10)
    assert_allclose(thing.spin(v), path.spin(v), atol=1e-10)


def test_the_signs_of_the_quaternions_do_not_matter():
    keys, v = np.concatenate([some_keys(6), about_y(0, 180, 360, 90, 270)]), np.linspace(0, 10, 150)
    signs = np.random.default_rng(5).choice([-1.0, 1.0], size=(11, 1))
    path, other = OrientationPath(keys, some_tcb(11)), OrientationPath(signs * keys, some_tcb(11))
    assert apart(path.at(v), other.at(v)) == 0
    assert np.array_equal(path.spin(v), other.spin(v))


@pytest.mark.parametrize("ends", ENDS)
@pytest.mark.parametrize("adjust", ADJUSTS)
def test_the_same_keys_backwards_are_the_same_motion_backwards(adjust, ends):
    keys, tcb, v = np.concatenate([some_keys(6), about_y(0, 180, 90)]), some_tcb(9), np.linspace(0, 8, 150)
    spans, backwards = np.random.default_rng(2).uniform(0.2, 3, 8), np.array([1, 1, -1])
    path = OrientationPath(keys, tcb, adjust=adjust, spans=spans, ends=ends)
    back = OrientationPath(keys[::-1], tcb[::-1] * backwards, adjust=adjust, spans=spans[::-1], ends=ends)
    assert apart(path.at(v), back.at(8 - v)) < SAME
    assert_allclose(path.arrive, -back.leave[::-1], atol=1e-12)


def test_moving_a_key_is_felt_only_two_segments_away():
    keys, v = some_keys(10), np.arange(90) / 10 + 0.05
    moved = keys.copy()
    moved[5] = some_keys(1, seed=9)
    same = (smooth(keys).at(v) == smooth(moved).at(v)).all(axis=1)
    assert same[(v < 3) | (v > 7)].all()
    assert not same[(v > 3) & (v < 7)].any()


def test_turns_of_unequal_angle_about_one_axis_are_steady():
    degrees = np.array([0, 10, 90, 95, 200, 330, 300])
    path, v = smooth(about_y(*degrees[:-1]), adjust="length"), np.linspace(0, 5, 101)[:-1]
    assert_allclose(path.spin(v)[:, 1], np.radians(np.diff(degrees[:-1]))[v.astype(int)], atol=1e-12)
    assert apart(path.at(v), about_y(*np.interp(v, np.arange(7), degrees))) < SAME


@pytest.mark.parametrize("turning", TURNINGS)
@pytest.mark.parametrize("closed", [False, True])
def test_spin_is_the_difference_quotient_of_the_turning(turning, closed):
    path = OrientationPath(some_keys(7), some_tcb(7), turning=turning, closed=closed, adjust="none")
    v = np.concatenate([j + np.linspace(0.01, 0.99, 30) for j in range(path.segments)])
    h = 1e-6
    quotient = quaternion.log(quaternion.multiply(path.at(v + h), quaternion.conjugate(path.at(v - h)))) / (2 * h)
    assert_allclose(path.spin(v), quotient, atol=1e-6)


def test_a_key_spins_as_it_is_left_and_the_last_one_as_it_is_reached():
    path = OrientationPath(some_keys(5), some_tcb(5))
    assert_allclose(path.spin(range(4)), path.leave[:4], atol=1e-12)
    assert_allclose(path.spin([4, 99]), path.arrive[[4, 4]], atol=1e-12)


def test_with_continuity_zero_the_spin_does_not_jump_at_keys():
    path, tcb = smooth(some_keys(8), adjust="none"), np.tile([0.0, -1.0, 0.0], (8, 1))
    corner, keys = OrientationPath(some_keys(8), tcb, adjust="none"), np.arange(1, 7)
    assert_allclose(path.spin(keys - 1e-9), path.spin(keys), atol=1e-6)
    assert (np.linalg.norm(corner.spin(keys - 1e-9) - corner.spin(keys), axis=1) > 0.1).all()


@pytest.mark.parametrize("turning", TURNINGS)
def test_tangents_by_hand_are_kept_and_the_other_sides_stay_tcb(turning):
    keys, arrive, leave = some_keys(5), np.full((5, 3), np.nan), np.full((5, 3), np.nan)
    leave[2], arrive[4] = (1.0, 2.0, -0.5), np.inf
    path, plain = smooth(keys, arrive=arrive, leave=leave, turning=turning), smooth(keys, turning=turning)
    assert_allclose(path.leave[2], leave[2], atol=1e-12)
    assert_allclose(path.spin(2), leave[2], atol=1e-12)
    assert np.array_equal(np.delete(path.leave, 2, axis=0), np.delete(plain.leave, 2, axis=0))
    assert np.array_equal(path.arrive[:4], plain.arrive[:4])
    if turning == "casteljau":
        last = quaternion.multiply(quaternion.align_sign(keys[3], keys[4]), quaternion.conjugate(keys[3]))
        assert_allclose(path.arrive[4], quaternion.log(last), atol=1e-12)


def test_ends_reflect_drop_or_stop_their_neighbour_chord():
    keys = about_y(0, 40, 60)
    first = {ends: smooth(keys, ends=ends, adjust="none").leave[0, 1] for ends in ENDS}
    assert_allclose([first["reflect"], first["zero-chord"], first["still"]], np.radians([40, 20, 0]), atol=1e-15)
    spun = smooth(keys, ends="still", leave=np.full((3, 3), 0.5))
    assert_allclose(spun.leave, 0.5)


@pytest.mark.parametrize("turning", TURNINGS)
@pytest.mark.parametrize("closed", [False, True])
def test_one_key_is_a_standstill(turning, closed):
    path = smooth(some_keys(1), turning=turning, closed=closed)
    assert len(path) == 1
    assert path.segments == 0
    assert apart(path.at([-1.0, 0.0, 7.0]), some_keys(1)) == 0
    assert not path.spin([-1.0, 0.0, 7.0]).any()
    assert np.isnan(path.at(np.nan)).all()
    edited = path.with_rows(0, some_keys(1, seed=2)[0], np.zeros(3), None, None, None)
    assert apart(edited.at(0), some_keys(1, seed=2)) == 0


def test_two_keys_are_a_slerp_and_there_and_back_when_closed():
    one, two = some_keys(2)
    s = np.linspace(0, 1, 21)
    straight = quaternion.slerp(one, quaternion.align_sign(one, two), s)
    assert apart(smooth([one, two]).at(s), straight) < SAME
    closed = smooth(np.array([one, two]), closed=True)
    assert apart(closed.at(2 - s), closed.at(s)) < SAME


@pytest.mark.parametrize("turning", TURNINGS)
@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("adjust", ADJUSTS)
def test_coincident_opposite_and_antipodal_keys_stay_finite(adjust, closed, turning):
    one, two = some_keys(2)
    half = quaternion.multiply(about_y(180)[0], two)
    keys = np.array([one, one, -one, two, half, -two, half, [-1, 0, 0, 0], [1, 0, 0, 0], [0, 0, 1, 0]])
    path = smooth(keys, adjust=adjust, closed=closed, turning=turning)
    v = np.linspace(0, path.segments, 401)
    assert np.isfinite(path.at(v)).all()
    assert np.isfinite(path.spin(v)).all()


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("turning", TURNINGS)
def test_nan_gives_nan_and_open_paths_hold_at_their_ends(turning, closed):
    path = smooth(some_keys(4), closed=closed, turning=turning)
    asked = path.at([np.nan, 1.0, np.inf, -np.inf, 1e300, -1e300])
    assert np.isnan(asked[0]).all()
    assert np.isfinite(asked[[1, 4, 5]]).all()
    assert np.isnan(path.spin(np.nan)).all()
    if not closed:
        assert apart(asked[2:], some_keys(4)[[-1, 0, -1, 0]]) < SAME


def test_the_answer_has_the_shape_of_the_question():
    path = smooth(some_keys(4))
    assert path.at(0.5).shape == (4,)
    assert path.at(np.zeros((2, 3))).shape == (2, 3, 4)
    assert path.spin(np.zeros((2, 3))).shape == (2, 3, 3)
    assert path.at([]).shape == (0, 4)
    assert np.array_equal(path.at(np.arange(6)[::2] / 2), path.at([0.0, 1.0, 2.0]))


def test_what_a_path_shows_cannot_be_written():
    path = smooth(some_keys(4))
    for shown in (path.quaternions, path.arrive, path.leave):
        with pytest.raises(ValueError, match="read-only"):
            shown[0] = 0.0


def test_the_historical_logarithms_depend_on_the_worlds_axes_and_on_signs():
    keys, (turn,), v = some_keys(6), some_keys(1, seed=3), np.linspace(0, 5, 100)
    path = smooth(keys, turning="log")
    turned = smooth(quaternion.multiply(turn, keys), turning="log")
    flipped = smooth(keys * np.array([[1], [1], [-1], [1], [1], [1]]), turning="log")
    assert apart(quaternion.multiply(turn, path.at(v)), turned.at(v)) > 30
    assert apart(path.at(v), flipped.at(v)) > 30


@pytest.mark.parametrize("ends", [*ENDS, "closed"])
@pytest.mark.parametrize("turning", TURNINGS)
def test_editing_a_key_gives_the_same_bits_as_building_anew(turning, ends):
    closed, ends = ends == "closed", "reflect" if ends == "closed" else ends
    for adjust, count, by_hand in itertools.product(("time", "length", "unit"), (2, 3, 7), (False, True)):
        keys, tcb = some_keys(count), some_tcb(count)
        segments = count if closed else count - 1
        spans = np.linspace(1, 2, segments) if adjust == "time" else None
        words = {"adjust": adjust, "ends": ends, "closed": closed, "turning": turning}
        path = OrientationPath(keys, tcb, spans=spans, **words)
        path._legs = slerp_legs(path._curve) if turning == "casteljau" else None
        for index in range(count):
            new_keys, new_tcb, leave = keys.copy(), tcb.copy(), np.full((count, 3), np.nan)
            new_keys[index], new_tcb[index] = some_keys(1, seed=index + 20)[0], (0.1, -0.2, 0.3)
            leave[index] = (0.3, 0.2, 0.1) if by_hand else np.nan
            new_spans = None if spans is None else spans.copy()
            if new_spans is not None:
                new_spans[index % segments if closed else min(index, segments - 1)] = 0.7
                new_spans[index - 1 if closed else max(index - 1, 0)] = 1.3
            row = leave[index] if by_hand else None
            edited = path.with_rows(index, new_keys[index], new_tcb[index], None, row, new_spans)
            anew = OrientationPath(new_keys, new_tcb, leave=leave, spans=new_spans, **words)
            assert np.array_equal(edited.arrive, anew.arrive)
            assert np.array_equal(edited.leave, anew.leave)
            assert np.array_equal(edited._curve, anew._curve)
            if turning == "casteljau":
                assert np.array_equal(edited._legs, slerp_legs(anew._curve))
        assert np.array_equal(path._curve, OrientationPath(keys, tcb, spans=spans, **words)._curve)
