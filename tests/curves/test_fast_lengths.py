"""The kernel that measures a path with carried keys says what the readable code says, to rounding."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from keypose.curves.kernels import relative_lengths
from keypose.curves.key import Key
from keypose.curves.path.motion_path import MotionPath
from keypose.curves.relative.fast_lengths import FastLengths
from keypose.curves.relative.relative_path import CarrierFrames, RelativePath
from keypose.curves.relative.shapes import RelativeShapes
from keypose.maths import kernel_switch, quaternion


def random_relative_path(seed, closed=False, dimensions=3, **style):
    """A path of random shapes some of whose keys are loose, often neighbours, often in one frame."""
    rng = np.random.default_rng(seed)
    count = int(rng.integers(2 + closed, 12))
    places = rng.normal(size=(count, dimensions)) * 10.0 ** rng.uniform(-3, 3)
    if rng.uniform() < 0.3:
        places[1] = places[0]
    keys = [
        Key(place, tension=rng.uniform(-1, 1), continuity=rng.uniform(-1, 1), bias=rng.uniform(-1, 1))
        for place in places
    ]
    loose = np.flatnonzero(rng.uniform(size=count) < 0.4)
    loose = loose if len(loose) else np.array([count - 1])
    marks = np.unique(rng.integers(0, count, 2))
    return RelativePath(MotionPath(keys, closed=closed, **style), loose, marks, rng.integers(0, 2, len(loose)))


def random_frames(relative, seed, instants):
    """Where the carriers are; who is numbered alike stands alike."""
    rng = np.random.default_rng(seed)
    place = rng.normal(size=(instants, 2, 3))
    turn = quaternion.normalize(rng.normal(size=(instants, 2, 4)))
    return CarrierFrames(place[:, relative.frame_ids], turn[:, relative.frame_ids])


@given(
    seed=st.integers(0, 10_000),
    closed=st.booleans(),
    dimensions=st.integers(1, 3),
    adjust=st.sampled_from([None, None, None, "unit", "none"]),
    ends=st.sampled_from(["reflect", "reflect", "still", "zero-chord"]),
)
@settings(max_examples=150, deadline=None)
def test_kernel_lengths_match_the_reference(seed, closed, dimensions, adjust, ends):
    kernel_switch.load_kernels()
    relative = random_relative_path(seed, closed, dimensions, adjust=adjust, ends=ends)
    frames = random_frames(relative, seed, 5)
    expected = RelativeShapes(relative, frames).distances_at_keys
    assert_allclose(FastLengths(relative).distances_at_keys(frames), expected, rtol=1e-11, atol=1e-11 * expected.max())


def test_common_paths_are_measured_by_the_kernel(monkeypatch):
    kernel_switch.load_kernels()
    relative = random_relative_path(3)
    frames, lengths = random_frames(relative, 3, 4), FastLengths(relative)
    expected = RelativeShapes(relative, frames).distances_at_keys
    monkeypatch.setattr("keypose.curves.relative.fast_lengths.RelativeShapes", None)
    assert_allclose(lengths.distances_at_keys(frames), expected, rtol=1e-11)


@pytest.mark.parametrize(
    "path",
    [
        MotionPath([Key((0, 0, 0), leave=(1, 2, 3)), Key((1, 0, 0)), Key((1, 1, 0))]),
        MotionPath(
            [Key((0, 0, 0), orientation=(1, 0, 0, 0)), Key((1, 0, 0)), Key((1, 1, 0), orientation=(1, 1, 0, 0))]
        ),
        MotionPath(np.random.default_rng(0).normal(size=(4, 5, 3))),
        MotionPath([Key((0, 0, 0), time=0), Key((1, 0, 0), time=1), Key((1, 1, 0), time=5)]),
    ],
    ids=["by hand", "facing", "drawing", "by time"],
)
def test_unsupported_paths_are_measured_by_the_reference(path):
    kernel_switch.load_kernels()
    relative = RelativePath(path, np.array([1]))
    frames = random_frames(relative, 1, 6)
    assert_array_equal(
        FastLengths(relative).distances_at_keys(frames), RelativeShapes(relative, frames).distances_at_keys
    )


def test_path_whose_keys_share_one_frame_is_measured():
    relative = RelativePath(
        MotionPath([(0, 0, 0), (1, 0, 0), (1, 1, 0)]), np.arange(3), None, np.zeros(3, dtype=np.int64)
    )
    frames = CarrierFrames(np.zeros((2, 3, 3)), np.tile([1.0, 0, 0, 0], (2, 3, 1)))
    assert_array_equal(
        FastLengths(relative).distances_at_keys(frames), RelativeShapes(relative, frames).distances_at_keys
    )


def test_kernel_writes_only_its_range_and_is_compiled_once():
    kernel_switch.load_kernels()
    relative = random_relative_path(5)
    frames, lengths = random_frames(relative, 5, 4), FastLengths(relative)
    out = np.full((4 * len(relative.resized_segments), 1, 5), -77.0)
    where = (np.ascontiguousarray(column) for column in (frames.position, frames.orientation))
    relative_lengths.relative_quartics(lengths.kernel_segments, *where, out, 1, 3)
    parts = out.reshape(4, -1)
    assert (parts[[0, 3]] == -77).all()
    assert (parts[1:3] != -77).all()
    frames.position.flags.writeable = False
    lengths.distances_at_keys(frames)
    plain = RelativePath(
        MotionPath([(0, 0, 0), (1, 0, 0), (1, 1, 0)]), np.array([1])
    )  # no key says a tension of its own
    FastLengths(plain).distances_at_keys(random_frames(plain, 5, 4))
    assert len(relative_lengths.relative_quartics.signatures) == 1
