import itertools

import numpy as np
import pytest
from numpy.testing import assert_allclose
from splines.quaternion import KochanekBartels, UnitQuaternion

from keypose.curves.orientation import Orientation
from keypose.curves.orientation_path import OrientationPath
from keypose.maths import quaternion

ANGLE_TOLERANCE = 1e-9  # degrees
ADJUSTS = ("none", "time", "velocity", "length", "unit")
ENDS = ("reflect", "zero-chord", "still")
TURNINGS = ("casteljau", "log")


@pytest.fixture(autouse=True)
def without_kernels(monkeypatch):
    monkeypatch.setattr("keypose.curves.orientation_path.use_kernels", lambda work: False)


def random_keys(count, seed=0):
    return quaternion.normalize(np.random.default_rng(seed).normal(size=(count, 4)))


def random_tcb(count, seed=1):
    return np.random.default_rng(seed).uniform(-1, 1, size=(count, 3))


def path_with_zero_tcb(keys, **words):
    return OrientationPath(keys, np.zeros((len(keys), 3)), **words)


def about_y(*degrees):
    return np.array([Orientation.turned(angle, "y").wxyz for angle in degrees])


def max_angle_between(a, b):
    """The largest angle between two rows of orientations, in degrees."""
    return np.degrees(quaternion.angle_between(a, b)).max()


@pytest.mark.parametrize("turning", TURNINGS)
@pytest.mark.parametrize("closed", [False, True])
def test_every_key_is_passed_at_its_index(turning, closed):
    keys = random_keys(6)
    path = OrientationPath(keys, random_tcb(6), turning=turning, closed=closed)
    assert max_angle_between(path.at(np.arange(6)), keys) < ANGLE_TOLERANCE
    assert_allclose(np.linalg.norm(path.at(np.linspace(0, 6, 200)), axis=1), 1, atol=1e-14)


def test_uniform_keys_match_the_splines_package():
    keys, tcb = random_keys(12), random_tcb(12)
    path = OrientationPath(keys, tcb, adjust="none")
    theirs = KochanekBartels([UnitQuaternion.from_unit_xyzw(np.roll(q, -1)) for q in keys], tcb=tcb[1:-1])
    v = np.linspace(1, 10, 200)  # their ends are natural ones
    assert max_angle_between(path.at(v), np.array([theirs.evaluate(x).wxyz for x in v])) < ANGLE_TOLERANCE


def test_closed_path_equals_periodically_repeated_keys():
    keys, tcb = random_keys(5), random_tcb(5)
    around = np.arange(-3, 9) % 5
    closed, opened = OrientationPath(keys, tcb, closed=True), OrientationPath(keys[around], tcb[around])
    v = np.linspace(0, 5, 101)
    assert (closed.segments, opened.segments) == (5, 11)
    assert max_angle_between(closed.at(v), opened.at(v + 3)) < ANGLE_TOLERANCE
    assert max_angle_between(closed.at(v - 10), closed.at(v)) < ANGLE_TOLERANCE
    assert_allclose(closed.angular_velocity(v[:-1] + 5), closed.angular_velocity(v[:-1]), atol=1e-12)


@pytest.mark.parametrize("adjust", ADJUSTS)
def test_curve_is_equivariant_under_world_and_object_rotations(adjust):
    keys, tcb, v = random_keys(8), random_tcb(8), np.linspace(0, 7, 150)
    spans, (turn,) = np.random.default_rng(2).uniform(0.2, 3, 7), random_keys(1, seed=3)
    path = OrientationPath(keys, tcb, adjust=adjust, spans=spans)
    world = OrientationPath(quaternion.multiply(turn, keys), tcb, adjust=adjust, spans=spans)
    thing = OrientationPath(quaternion.multiply(keys, turn), tcb, adjust=adjust, spans=spans)
    assert max_angle_between(world.at(v), quaternion.multiply(turn, path.at(v))) < ANGLE_TOLERANCE
    assert max_angle_between(thing.at(v), quaternion.multiply(path.at(v), turn)) < ANGLE_TOLERANCE
    assert_allclose(world.angular_velocity(v), quaternion.rotate(turn, path.angular_velocity(v)), atol=1e-10)
    assert_allclose(thing.angular_velocity(v), path.angular_velocity(v), atol=1e-10)


def test_quaternion_signs_do_not_matter():
    keys, v = np.concatenate([random_keys(6), about_y(0, 180, 360, 90, 270)]), np.linspace(0, 10, 150)
    signs = np.random.default_rng(5).choice([-1.0, 1.0], size=(11, 1))
    path, other = OrientationPath(keys, random_tcb(11)), OrientationPath(signs * keys, random_tcb(11))
    assert max_angle_between(path.at(v), other.at(v)) == 0
    assert np.array_equal(path.angular_velocity(v), other.angular_velocity(v))


@pytest.mark.parametrize("ends", ENDS)
@pytest.mark.parametrize("adjust", ADJUSTS)
def test_the_same_keys_backwards_are_the_same_motion_backwards(adjust, ends):
    keys, tcb, v = np.concatenate([random_keys(6), about_y(0, 180, 90)]), random_tcb(9), np.linspace(0, 8, 150)
    spans, backwards = np.random.default_rng(2).uniform(0.2, 3, 8), np.array([1, 1, -1])
    path = OrientationPath(keys, tcb, adjust=adjust, spans=spans, ends=ends)
    back = OrientationPath(keys[::-1], tcb[::-1] * backwards, adjust=adjust, spans=spans[::-1], ends=ends)
    assert max_angle_between(path.at(v), back.at(8 - v)) < ANGLE_TOLERANCE
    assert_allclose(path.arrive, -back.leave[::-1], atol=1e-12)


def test_changed_key_affects_two_segments_on_each_side():
    keys, v = random_keys(10), np.arange(90) / 10 + 0.05
    moved = keys.copy()
    moved[5] = random_keys(1, seed=9)
    same = (path_with_zero_tcb(keys).at(v) == path_with_zero_tcb(moved).at(v)).all(axis=1)
    assert same[(v < 3) | (v > 7)].all()
    assert not same[(v > 3) & (v < 7)].any()


def test_uneven_rotations_about_one_axis_have_constant_rate_per_segment():
    degrees = np.array([0, 10, 90, 95, 200, 330, 300])
    path, v = path_with_zero_tcb(about_y(*degrees[:-1]), adjust="length"), np.linspace(0, 5, 101)[:-1]
    assert_allclose(path.angular_velocity(v)[:, 1], np.radians(np.diff(degrees[:-1]))[v.astype(int)], atol=1e-12)
    assert max_angle_between(path.at(v), about_y(*np.interp(v, np.arange(7), degrees))) < ANGLE_TOLERANCE


@pytest.mark.parametrize("turning", TURNINGS)
@pytest.mark.parametrize("closed", [False, True])
def test_angular_velocity_matches_the_difference_quotient(turning, closed):
    path = OrientationPath(random_keys(7), random_tcb(7), turning=turning, closed=closed, adjust="none")
    v = np.concatenate([j + np.linspace(0.01, 0.99, 30) for j in range(path.segments)])
    h = 1e-6
    quotient = quaternion.log(quaternion.multiply(path.at(v + h), quaternion.conjugate(path.at(v - h)))) / (2 * h)
    assert_allclose(path.angular_velocity(v), quotient, atol=1e-6)


def test_angular_velocity_at_a_key_is_outgoing_and_at_the_last_key_incoming():
    path = OrientationPath(random_keys(5), random_tcb(5))
    assert_allclose(path.angular_velocity(range(4)), path.leave[:4], atol=1e-12)
    assert_allclose(path.angular_velocity([4, 99]), path.arrive[[4, 4]], atol=1e-12)


def test_angular_velocity_is_continuous_at_keys_with_zero_continuity():
    path, tcb = path_with_zero_tcb(random_keys(8), adjust="none"), np.tile([0.0, -1.0, 0.0], (8, 1))
    corner, keys = OrientationPath(random_keys(8), tcb, adjust="none"), np.arange(1, 7)
    assert_allclose(path.angular_velocity(keys - 1e-9), path.angular_velocity(keys), atol=1e-6)
    assert (np.linalg.norm(corner.angular_velocity(keys - 1e-9) - corner.angular_velocity(keys), axis=1) > 0.1).all()


@pytest.mark.parametrize("turning", TURNINGS)
def test_manual_tangents_are_kept_and_other_sides_stay_tcb(turning):
    keys, arrive, leave = random_keys(5), np.full((5, 3), np.nan), np.full((5, 3), np.nan)
    leave[2], arrive[4] = (1.0, 2.0, -0.5), np.inf
    path, plain = (
        path_with_zero_tcb(keys, arrive=arrive, leave=leave, turning=turning),
        path_with_zero_tcb(keys, turning=turning),
    )
    assert_allclose(path.leave[2], leave[2], atol=1e-12)
    assert_allclose(path.angular_velocity(2), leave[2], atol=1e-12)
    assert np.array_equal(np.delete(path.leave, 2, axis=0), np.delete(plain.leave, 2, axis=0))
    assert np.array_equal(path.arrive[:4], plain.arrive[:4])
    if turning == "casteljau":
        last = quaternion.multiply(quaternion.align_sign(keys[3], keys[4]), quaternion.conjugate(keys[3]))
        assert_allclose(path.arrive[4], quaternion.log(last), atol=1e-12)


def test_first_tangent_for_each_ends_option():
    keys = about_y(0, 40, 60)
    first = {ends: path_with_zero_tcb(keys, ends=ends, adjust="none").leave[0, 1] for ends in ENDS}
    assert_allclose([first["reflect"], first["zero-chord"], first["still"]], np.radians([40, 20, 0]), atol=1e-15)
    spun = path_with_zero_tcb(keys, ends="still", leave=np.full((3, 3), 0.5))
    assert_allclose(spun.leave, 0.5)


@pytest.mark.parametrize("turning", TURNINGS)
@pytest.mark.parametrize("closed", [False, True])
def test_single_key_is_constant(turning, closed):
    path = path_with_zero_tcb(random_keys(1), turning=turning, closed=closed)
    assert len(path) == 1
    assert path.segments == 0
    assert max_angle_between(path.at([-1.0, 0.0, 7.0]), random_keys(1)) == 0
    assert not path.angular_velocity([-1.0, 0.0, 7.0]).any()
    assert np.isnan(path.at(np.nan)).all()
    edited = path.with_rows(0, random_keys(1, seed=2)[0], np.zeros(3), None, None, None)
    assert max_angle_between(edited.at(0), random_keys(1, seed=2)) == 0


def test_two_keys_are_a_slerp_and_return_when_closed():
    one, two = random_keys(2)
    s = np.linspace(0, 1, 21)
    straight = quaternion.slerp(one, quaternion.align_sign(one, two), s)
    assert max_angle_between(path_with_zero_tcb([one, two]).at(s), straight) < ANGLE_TOLERANCE
    closed = path_with_zero_tcb(np.array([one, two]), closed=True)
    assert max_angle_between(closed.at(2 - s), closed.at(s)) < ANGLE_TOLERANCE


@pytest.mark.parametrize("turning", TURNINGS)
@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("adjust", ADJUSTS)
def test_coincident_opposite_and_antipodal_keys_stay_finite(adjust, closed, turning):
    one, two = random_keys(2)
    half = quaternion.multiply(about_y(180)[0], two)
    keys = np.array([one, one, -one, two, half, -two, half, [-1, 0, 0, 0], [1, 0, 0, 0], [0, 0, 1, 0]])
    path = path_with_zero_tcb(keys, adjust=adjust, closed=closed, turning=turning)
    v = np.linspace(0, path.segments, 401)
    assert np.isfinite(path.at(v)).all()
    assert np.isfinite(path.angular_velocity(v)).all()


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("turning", TURNINGS)
def test_nan_gives_nan_and_open_paths_are_clamped_at_their_ends(turning, closed):
    path = path_with_zero_tcb(random_keys(4), closed=closed, turning=turning)
    orientations = path.at([np.nan, 1.0, np.inf, -np.inf, 1e300, -1e300])
    assert np.isnan(orientations[0]).all()
    assert np.isfinite(orientations[[1, 4, 5]]).all()
    assert np.isnan(path.angular_velocity(np.nan)).all()
    if not closed:
        assert max_angle_between(orientations[2:], random_keys(4)[[-1, 0, -1, 0]]) < ANGLE_TOLERANCE


def test_result_shape_follows_the_query_shape():
    path = path_with_zero_tcb(random_keys(4))
    assert path.at(0.5).shape == (4,)
    assert path.at(np.zeros((2, 3))).shape == (2, 3, 4)
    assert path.angular_velocity(np.zeros((2, 3))).shape == (2, 3, 3)
    assert path.at([]).shape == (0, 4)
    assert np.array_equal(path.at(np.arange(6)[::2] / 2), path.at([0.0, 1.0, 2.0]))


def test_exposed_arrays_are_read_only():
    path = path_with_zero_tcb(random_keys(4))
    for shown in (path.quaternions, path.arrive, path.leave):
        with pytest.raises(ValueError, match="read-only"):
            shown[0] = 0.0


def test_log_turning_depends_on_world_axes_and_quaternion_signs():
    keys, (turn,), v = random_keys(6), random_keys(1, seed=3), np.linspace(0, 5, 100)
    path = path_with_zero_tcb(keys, turning="log")
    turned = path_with_zero_tcb(quaternion.multiply(turn, keys), turning="log")
    flipped = path_with_zero_tcb(keys * np.array([[1], [1], [-1], [1], [1], [1]]), turning="log")
    assert max_angle_between(quaternion.multiply(turn, path.at(v)), turned.at(v)) > 30
    assert max_angle_between(path.at(v), flipped.at(v)) > 30


@pytest.mark.parametrize("ends", [*ENDS, "closed"])
@pytest.mark.parametrize("turning", TURNINGS)
def test_edited_key_is_bitwise_identical_to_rebuilding(turning, ends):
    closed, ends = ends == "closed", "reflect" if ends == "closed" else ends
    for adjust, count, by_hand in itertools.product(("time", "length", "unit"), (2, 3, 7), (False, True)):
        keys, tcb = random_keys(count), random_tcb(count)
        segments = count if closed else count - 1
        spans = np.linspace(1, 2, segments) if adjust == "time" else None
        words = {"adjust": adjust, "ends": ends, "closed": closed, "turning": turning}
        path, v = OrientationPath(keys, tcb, spans=spans, **words), np.linspace(0, segments, 41)
        path.at(0.5)  # from here on the old path knows the legs of its segments
        for index in range(count):
            new_keys, new_tcb, leave = keys.copy(), tcb.copy(), np.full((count, 3), np.nan)
            new_keys[index], new_tcb[index] = random_keys(1, seed=index + 20)[0], (0.1, -0.2, 0.3)
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
            assert np.array_equal(edited.controls, anew.controls)
            assert np.array_equal(edited.at(v), anew.at(v))
        assert np.array_equal(path.controls, OrientationPath(keys, tcb, spans=spans, **words).controls)
