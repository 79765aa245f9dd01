"""The numba twins of `arc_length`: the same divisions, the same distances, the same places."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from keypose import Key, MotionPath, Orientation
from keypose.curves.distance import inverse_arc_length
from keypose.curves.distance import length_table as length_table_module
from keypose.curves.kernels import arc_length as travel
from keypose.maths import hermite


def difficult_curve(count=60, seed=0):
    """Segments of every sort: smooth ones, stops at the ends, reversals, near stops, no movement at all, all sizes."""
    rng = np.random.default_rng(seed)
    curve = rng.normal(size=(count, 4, 2))
    curve[::6, 2] = 0
    curve[3::6, 3] = 0
    curve[1::4, :, 1] = 0
    curve[2::8, :, 1] *= 1e-5
    curve[5] = 1.0
    curve[5, 2:] = 0
    return curve * 10.0 ** rng.uniform(-8, 8, size=(count, 1, 1))


def quartics_of(curve):
    return hermite.speed_quartics(curve, 1)[:, None]


def turning_quartics():
    """Those of a ruler that counts turning too: sixteen parts to a segment."""
    rng = np.random.default_rng(1)
    path = MotionPath(
        [
            Key((x, 0), tension=rng.choice([0, 1]), orientation=Orientation.turned(rng.uniform(-180, 180), "z"))
            for x in (0, 1, 1, 3, 3, 3, 9)
        ],
        inertia=2.0,
    )
    return path.geometry.length_table.quartics


QUARTICS = {
    "rough": quartics_of(difficult_curve()),
    "smooth": quartics_of(np.array(MotionPath(np.random.default_rng(2).normal(size=(40, 3))).geometry.curve)),
    "turning": turning_quartics(),
    "still": np.zeros((3, 1, 5)),
}


def with_kernels(used, work):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(inverse_arc_length, "use_kernels", lambda _: used)
        return work()


def reference_and_kernel(work):
    return with_kernels(False, work), with_kernels(True, work)


@pytest.mark.parametrize("name", QUARTICS)
def test_pieces_are_bitwise_identical_to_the_reference(name):
    plain, quick = reference_and_kernel(lambda: length_table_module.build_length_table(QUARTICS[name]))
    for word in ("first_piece", "piece_ends", "distances"):
        assert_array_equal(getattr(quick, word), getattr(plain, word))


@pytest.mark.parametrize("name", QUARTICS)
def test_distances_are_bitwise_identical_to_the_reference(name):
    ruler = length_table_module.build_length_table(QUARTICS[name])
    segment = np.repeat(np.arange(len(ruler)), 12)
    s = np.tile(np.concatenate([[0.0, 1.0, 1e-12, 0.5], np.random.default_rng(0).uniform(size=8)]), len(ruler))
    plain, quick = reference_and_kernel(lambda: inverse_arc_length.distances(ruler, segment, s))
    assert_array_equal(quick, plain)


@pytest.mark.parametrize("name", QUARTICS)
def test_parameters_at_a_distance_match_the_reference(name):
    ruler = length_table_module.build_length_table(QUARTICS[name])
    wanted = np.concatenate([np.linspace(-0.1, 1.1, 301) * ruler.length, ruler.segment_starts, [np.inf, -np.inf]])
    plain, quick = reference_and_kernel(lambda: inverse_arc_length.parameters(ruler, wanted))
    segment = np.minimum(quick.astype(int), len(ruler) - 1)
    distances = inverse_arc_length.distances(ruler, segment, quick - segment)
    assert_allclose(distances, np.clip(wanted, 0, ruler.length), rtol=0, atol=1e-11 * ruler.length)
    assert_array_equal(quick, plain)


def test_nan_distance_gives_nan():
    ruler = length_table_module.build_length_table(QUARTICS["smooth"])
    plain, quick = reference_and_kernel(lambda: inverse_arc_length.parameters(ruler, np.array([np.nan, 1.0])))
    assert np.isnan([plain[0], quick[0]]).all()
    assert quick[1] == pytest.approx(plain[1], rel=1e-14)


def test_empty_query_gives_an_empty_result():
    ruler = length_table_module.build_length_table(QUARTICS["smooth"])
    empty = np.empty(0)
    for found in reference_and_kernel(lambda: inverse_arc_length.parameters(ruler, empty)):
        assert found.shape == (0,)
    for found in reference_and_kernel(lambda: inverse_arc_length.distances(ruler, empty.astype(np.int64), empty)):
        assert found.shape == (0,)


def test_segment_lookup_matches_a_binary_search():
    ruler = length_table_module.build_length_table(quartics_of(difficult_curve(200)))
    inside = np.random.default_rng(0).uniform(0, ruler.length, 2000)
    wanted = np.concatenate([inside, ruler.segment_starts[:-1], np.nextafter(ruler.segment_starts[1:], 0), [0.0]])
    expected = np.clip(np.searchsorted(ruler.segment_starts, wanted, side="right") - 1, 0, len(ruler) - 1)
    scale = travel.steps_per_unit(ruler.segment_starts, ruler.segment_lookup)
    found = [travel.find_segment(ruler.segment_starts, ruler.segment_lookup, scale, value) for value in wanted]
    assert_array_equal(found, expected)


def test_threaded_work_is_bitwise_identical(monkeypatch):
    quartics = quartics_of(np.random.default_rng(0).normal(size=(3000, 4, 3)))
    wanted = np.linspace(0, 5000, 4000)
    results = []
    for threads in ("1", "3"):
        monkeypatch.setenv("KEYPOSE_THREADS", threads)
        ruler = length_table_module.build_length_table(quartics)
        results.append(
            (ruler.first_piece, ruler.piece_ends, ruler.distances, inverse_arc_length.parameters(ruler, wanted))
        )
    for one, three in zip(*results, strict=True):
        assert_array_equal(one, three)


def test_piece_buffer_grows_beyond_its_initial_size():
    near = np.zeros((2, 4, 2))
    near[:, 1], near[:, 2], near[:, 3] = (0.1, 1e-4), (-0.4, 1e-4), (0.6, 1e-4)
    plain, quick = reference_and_kernel(lambda: length_table_module.build_length_table(quartics_of(near)))
    assert len(quick.piece_ends) > 8 * 2 + 16
    assert_array_equal(quick.piece_ends, plain.piece_ends)


def test_each_kernel_has_one_compiled_signature():
    path = MotionPath(np.random.default_rng(0).normal(size=(600, 2)))
    edited = path.with_key(300, position=(1, 1))
    read_only = np.linspace(0, 9, 30)
    read_only.flags.writeable = False
    for query in (0.5, 1, [1, 2], np.linspace(0, 8, 30)[::3], np.float32(1.5), read_only):
        path.along(query), path.distance(query)
        edited.along(query), edited.distance(query)
    for name in ("measure_segments", "distances", "parameters"):
        assert len(getattr(travel, name).signatures) == 1
