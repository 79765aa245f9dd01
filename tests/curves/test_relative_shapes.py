"""The short way equals the definition: a path with loose keys at many instants is the path built anew at each."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from keypose import Key, MotionPath, Orientation, Turn
from keypose.curves.relative.relative_path import CarrierFrames, RelativePath
from keypose.curves.relative.shapes import RelativeShapes
from keypose.maths import kernel_switch

INSTANTS = 4


@pytest.fixture(params=["definition", "kernels"])
def backend(request, monkeypatch):
    """By the readable definitions, and by their compiled twins however little there is to do."""
    monkeypatch.setattr(kernel_switch, "allowed", request.param == "kernels")
    monkeypatch.setattr(kernel_switch, "WORTH_LOADING", 0)
    return request.param


def random_quaternion(rng, *shape):
    q = rng.normal(size=(*shape, 4))
    return q / np.linalg.norm(q, axis=-1, keepdims=True)


@st.composite
def random_key(draw, rng, shape, time, faced, placed):
    options = {"time": time}
    for word in ("tension", "continuity", "bias"):
        if draw(st.booleans()):
            options[word] = draw(st.floats(-1, 1))
    if placed:
        for side in ("arrive", "leave"):
            options[side] = draw(st.sampled_from([None, None, "chord", rng.normal(size=shape)]))
    if faced:
        by_hand = {"bias": 0.5, "arrive": rng.normal(size=3)}
        options["orientation"] = draw(
            st.sampled_from([random_quaternion(rng), Turn(random_quaternion(rng), **by_hand)])
        )
    place = draw(st.sampled_from([rng.normal(size=shape) * 2, rng.normal(size=shape) * 2, np.zeros(shape)]))
    return Key(place if placed else None, **options)


@st.composite
def paths(draw):
    """Any path, some of its keys loose, with their frames at some instants."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    count = draw(st.integers(2, 8))
    shape = draw(st.sampled_from([(3,), (3,), (2,), (1,), (4, 3), (5, 2)]))
    timed = draw(st.booleans())
    faced = draw(st.sampled_from(["none", "all", "some"]))
    placed = draw(st.sampled_from(["all", "all", "all", "some", "some", "none"]))
    times = np.cumsum(rng.uniform(0.2, 1, count))
    keys = []
    for index in range(count):
        is_placed = placed == "all" or (placed == "some" and draw(st.booleans()))
        is_faced = faced == "all" or (faced == "some" and draw(st.booleans())) or not is_placed
        keys.append(draw(random_key(rng, shape, times[index] if timed else None, is_faced, is_placed)))
    rules = ["none", "length", "unit", None, *(["time", "velocity"] if timed else [])]
    path = MotionPath(
        keys,
        closed=draw(st.booleans()),
        adjust=draw(st.sampled_from(rules)),
        ends=draw(st.sampled_from(["reflect", "still", "zero-chord"])),
        turning=draw(st.sampled_from(["casteljau", "log"])),
        inertia=draw(st.sampled_from([0, 0, 0.7])),
        mass=draw(st.sampled_from([1, 2])),
        bias=draw(st.sampled_from([0, 0.4])),
    )
    relative = np.array(sorted(draw(st.sets(st.integers(0, count - 1), min_size=1))))
    frames = CarrierFrames(
        rng.normal(size=(INSTANTS, len(relative), 3)), random_quaternion(rng, INSTANTS, len(relative))
    )
    frames.position[draw(st.sets(st.integers(0, INSTANTS - 1)).map(list))] = 0.0  # there keys may stand on one spot
    return RelativePath(path, relative), frames, rng


few_examples = settings(deadline=None, max_examples=15, suppress_health_check=list(HealthCheck))


@few_examples
@given(paths())
def test_positions_and_orientations_match_the_resolved_path(backend, given):
    loose, frames, rng = given
    shapes = RelativeShapes(loose, frames)
    u = rng.uniform(0, loose.path.segments, INSTANTS)
    u[:3] = 0, loose.path.segments, rng.integers(loose.path.segments)
    settled = [loose.resolved(frames, instant) for instant in range(INSTANTS)]
    assert_array_equal(shapes.at(u), [one.at(u[i : i + 1])[0] for i, one in enumerate(settled)])
    assert_array_equal(shapes.at(u, 1), [one.velocity(u[i : i + 1])[0] for i, one in enumerate(settled)])
    assert_allclose(shapes.orientation_at(u), [one.orientation_at(v) for one, v in zip(settled, u, strict=True)],
                    atol=1e-14)  # fmt: skip


@few_examples
@given(paths())
def test_distances_match_the_resolved_path(backend, given):
    loose, frames, rng = given
    shapes = RelativeShapes(loose, frames)
    settled = [loose.resolved(frames, instant) for instant in range(INSTANTS)]
    ends = loose.distance_keys[:-1].astype(float)
    size = max(one.length for one in settled)
    assert_allclose(shapes.distances_at_keys, [[*one.distance(ends), one.length] for one in settled], atol=1e-13 * size)
    distance = rng.uniform(-0.1, 1.1, INSTANTS) * shapes.distances_at_keys[:, -1]
    inside = np.clip(distance, 0, shapes.distances_at_keys[:, -1])
    u = shapes.parameter(distance)
    assert ((u >= 0) & (u <= loose.path.segments)).all()
    back = [min(one.distance(v), one.length) for one, v in zip(settled, u, strict=True)]
    assert_allclose(back, inside, atol=1e-8 * size)
    assert_allclose(shapes.at(u), [one.along(d) for one, d in zip(settled, inside, strict=True)], atol=1e-6 * size)
    assert_array_equal(shapes.at(u), RelativeShapes(loose, frames).at(u))  # whether distance was asked first or not


@few_examples
@given(paths())
def test_single_instant_is_bitwise_identical_to_a_batch(backend, given):
    loose, frames, rng = given
    together = RelativeShapes(loose, frames)
    distance = rng.uniform(0, 1, INSTANTS) * together.distances_at_keys[:, -1]
    u = together.parameter(distance)
    for i in range(INSTANTS):
        alone = RelativeShapes(loose, CarrierFrames(frames.position[i : i + 1], frames.orientation[i : i + 1]))
        assert_array_equal(alone.distances_at_keys[0], together.distances_at_keys[i])
        assert_array_equal(alone.parameter(distance[i : i + 1])[0], u[i])
        assert_array_equal(alone.at(u[i : i + 1])[0], together.at(u)[i])
        assert_array_equal(alone.orientation_at(u[i : i + 1])[0], together.orientation_at(u)[i])


@few_examples
@given(paths())
def test_no_complete_path_is_built_per_instant(backend, given):
    loose, frames, _ = given
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(RelativePath, "resolved", lambda *_: pytest.fail("a whole path was built for one instant"))
        shapes = RelativeShapes(loose, frames)
        u = shapes.parameter(0.4 * shapes.distances_at_keys[:, -1])
        assert np.isfinite(shapes.at(u)).all()
        assert np.isfinite(shapes.at(u, 1)).all()
        assert np.isfinite(shapes.orientation_at(u)).all()


LONG_PATHS = {
    "turns by logarithms": {"turning": "log"},
    "turns that count as distance": {"inertia": 0.5},
    "keys without a place": {"placed": 3},
    "a loop that faces at some keys only": {"faced": 3, "closed": True},
    "all of these": {"turning": "log", "inertia": 0.5, "placed": 3, "faced": 2, "closed": True},
}


@pytest.mark.parametrize("kind", LONG_PATHS)
def test_segments_far_from_a_relative_key_are_not_derived(backend, kind):
    """Of sixty keys one is loose: what it reaches is short, whatever kind of path it is, and all else is as at rest."""
    rng, style = np.random.default_rng(4), LONG_PATHS[kind].copy()
    placed, faced = style.pop("placed", 1), style.pop("faced", 1)
    keys = [
        Key(
            place if index % placed == 0 else None,
            orientation=random_quaternion(rng) if index % placed or not index % faced else None,
        )
        for index, place in enumerate(rng.normal(size=(60, 3)))
    ]
    path = MotionPath(keys, **style)
    loose = RelativePath(path, np.array([30]))
    assert set(loose.changing_segments) <= set(range(20, 40))
    frames = CarrierFrames(rng.normal(size=(2, 1, 3)), random_quaternion(rng, 2, 1))
    shapes = RelativeShapes(loose, frames)
    settled = [loose.resolved(frames, instant) for instant in range(2)]
    for u in (3.3, 29.7, 33.1, 55.5):
        parameters = np.full(2, u)
        assert_array_equal(shapes.at(parameters), [one.at(parameters)[0] for one in settled])
        assert_allclose(shapes.orientation_at(parameters), [one.orientation_at(u) for one in settled], atol=1e-13)
    assert_array_equal(shapes.at(np.full(2, 3.3)), path.at([3.3, 3.3]))
    assert_array_equal(shapes.orientation_at(np.full(2, 55.5)), path.orientation_at([55.5, 55.5]))
    assert_allclose(shapes.distances_at_keys[:, -1], [one.length for one in settled], rtol=1e-12)


def test_only_moving_key_influences_all_orientations(backend):
    """Where every other key stands on one spot, it decides whether turns go by metres or by angles."""
    rng = np.random.default_rng(1)
    path = MotionPath(
        [Key((1, 1, 1) if index == 0 else (0, 0, 0), orientation=random_quaternion(rng)) for index in range(9)]
    )
    loose = RelativePath(path, np.array([0]))
    frames = CarrierFrames(np.array([[[-1.0, -1, -1]], [[3.0, 0, 0]]]), np.tile([1.0, 0, 0, 0], (2, 1, 1)))
    shapes, u = RelativeShapes(loose, frames), np.array([6.3, 6.3])
    settled = [loose.resolved(frames, instant) for instant in range(2)]
    assert settled[0].length > 1
    assert_allclose(
        shapes.distances_at_keys, [[*one.distance(loose.distance_keys[:-1]), one.length] for one in settled], rtol=1e-12
    )
    assert_allclose(shapes.orientation_at(u), [one.orientation_at(6.3) for one in settled], atol=1e-14, rtol=0)
    assert np.abs(np.subtract(*shapes.orientation_at(u))).max() > 1e-3


def test_path_can_be_evaluated_far_from_relative_keys(backend):
    path = MotionPath([Key(place, orientation=(1, 0, 0, 0)) for place in np.eye(3).repeat(4, axis=0)])
    shapes = RelativeShapes(
        RelativePath(path, np.array([0])), CarrierFrames(np.ones((2, 1, 3)), np.tile([1.0, 0, 0, 0], (2, 1, 1)))
    )
    u = np.array([8.5, 10.0])
    assert_array_equal(shapes.at(u), path.at(u))
    assert_array_equal(shapes.orientation_at(u), path.orientation_at(u))
    far = shapes.distances_at_keys[:, -1] - 0.1
    assert_allclose(shapes.at(shapes.parameter(far)), path.along(np.full(2, path.length - 0.1)), atol=1e-9)


def test_instant_of_zero_length_keeps_other_instants_bitwise_identical(backend):
    turned = Orientation.turned(90, "y")
    path = MotionPath([Key((0, 0, 0), orientation=(1, 0, 0, 0)), Key((0, 0, 0), orientation=turned)])
    place, turn = np.array([[[0.0, 0, 0]], [[1, 2, 3]], [[-4, 1, 0.3]]]), np.tile([1.0, 0, 0, 0], (3, 1, 1))
    all_three = RelativeShapes(RelativePath(path, np.array([1])), CarrierFrames(place, turn))
    without = RelativeShapes(RelativePath(path, np.array([1])), CarrierFrames(place[1:], turn[1:]))
    assert all_three.distances_at_keys[0, -1] == pytest.approx(np.pi / 2)  # on the spot it is the turn that counts
    distance = np.array([0.3, 0.7, 1.1])
    assert_array_equal(all_three.distances_at_keys[1:], without.distances_at_keys)
    assert_array_equal(all_three.parameter(distance)[1:], without.parameter(distance[1:]))
    half = Orientation.of(all_three.orientation_at(all_three.parameter(np.full(3, np.pi / 4)))[0])
    assert half.angle_to(Orientation.turned(45, "y")) < 1e-6


def test_path_without_relative_keys_is_unchanged(backend):
    path = MotionPath(np.random.default_rng(0).normal(size=(4, 3)))
    shapes = RelativeShapes(
        RelativePath(path, np.empty(0, dtype=int)), CarrierFrames(np.empty((2, 0, 3)), np.empty((2, 0, 4)))
    )
    assert_allclose(shapes.distances_at_keys, [[0, path.length]] * 2)
    assert_allclose(shapes.at(shapes.parameter(np.array([1.0, 2]))), path.along([1, 2]), atol=1e-9)


@pytest.mark.parametrize("size", [1e-9, 1e50])
def test_very_small_and_very_large_positions_are_supported(backend, size):
    rng = np.random.default_rng(0)
    path = MotionPath(rng.normal(size=(5, 3)) * size)
    shapes = RelativeShapes(
        RelativePath(path, np.array([1, 4])),
        CarrierFrames(rng.normal(size=(3, 2, 3)) * size, random_quaternion(rng, 3, 2)),
    )
    u = shapes.parameter(0.4 * shapes.distances_at_keys[:, -1])
    assert np.isfinite(shapes.at(u)).all()
    assert_allclose([shapes.resolved(i).distance(v) for i, v in enumerate(u)], 0.4 * shapes.distances_at_keys[:, -1])
