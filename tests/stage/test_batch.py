"""A thousand keyed actors asked together say what each says alone, to the bit."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from keypose import Key, KeyTimes, Motion, MotionPath, Orientation, SpeedProfile
from keypose.maths import kernel
from keypose.motion.take import Recorded
from keypose.stage.batch import Batch, batches, fits


def timed(seed, dimensions=3, start=0.0, **style):
    rng = np.random.default_rng(seed)
    count = int(rng.integers(2, 12))
    times = np.cumsum(10.0 ** rng.uniform(-3, 0.5, count)) - 1
    return Motion(MotionPath(rng.normal(size=(count, dimensions)), **style), KeyTimes(times), start=start)


@pytest.fixture(params=["definition", "kernels"])
def way(request, monkeypatch):
    monkeypatch.setattr(kernel, "_allowed", request.param == "kernels")
    monkeypatch.setattr(kernel, "WORTH_LOADING", 0)
    return request.param


@pytest.mark.parametrize("dimensions", [1, 2, 3])
def test_together_they_say_what_each_says_alone(way, dimensions):
    motions = {str(seed): timed(seed, dimensions, start=seed % 3 - 1.5) for seed in range(30)}
    keys = np.concatenate([motion.key_times for motion in motions.values()])
    sorted_times = np.linspace(-3, 9, 50)
    random_times = np.random.default_rng(0).permutation(np.concatenate([keys, np.nextafter(keys, -99), [-1e9, 1e9]]))
    for t in (sorted_times, sorted_times[::-1], random_times, np.array([0.3]), np.array([])):
        together = Batch.of(motions).at(t)
        assert together.shape == (30, len(t), 3)
        for place, motion in zip(together, motions.values(), strict=True):
            assert_array_equal(place[:, :dimensions], motion.at(t).position)
            assert_array_equal(place[:, dimensions:], 0)


def test_the_twin_gives_the_same_bits(monkeypatch):
    batch = Batch.of({str(seed): timed(seed) for seed in range(40)})
    t = np.random.default_rng(1).uniform(-2, 12, 500)
    monkeypatch.setattr(kernel, "WORTH_LOADING", 0)
    twin = batch.at(t)
    monkeypatch.setattr(kernel, "_allowed", False)
    assert_array_equal(batch.at(t), twin)


def test_the_twin_fills_only_its_share():
    from keypose.stage import kernels

    batch = Batch.of({str(seed): timed(seed) for seed in range(4)})
    out = np.full((4, 3, 3), -77.0)
    kernels.together(batch.firsts, batch.starts, batch.times, batch.curve, np.arange(3.0), out, 1, 3)
    assert (out[[0, 3]] == -77).all()
    assert (out[1:3] != -77).all()


def test_a_recorded_motion_goes_with_the_others(way):
    recorded = Recorded(np.arange(5.0), np.random.default_rng(2).normal(size=(5, 3)))
    t = np.linspace(-1, 6, 40)
    assert fits(recorded)
    assert_array_equal(Batch.of({"r": recorded}).at(t)[0], recorded.at(t).position)


def test_only_what_can_be_asked_together_is():
    turned = [Key((0, 0, 0), time=0, orientation=Orientation.turned(3, "x")), Key((1, 0, 0), time=1)]
    places = [(0, 0, 0), (1, 0, 0), (1, 1, 0)]
    alone = {
        "drawn": Motion(MotionPath(places), SpeedProfile([1, 2]), duration=1.0),
        "closed": Motion(MotionPath(places, closed=True), KeyTimes([0, 1, 2, 3])),
        "facing": Motion(MotionPath(turned)),
        "cycling": Motion(MotionPath(places), KeyTimes([0, 1, 2]), outside="cycle"),
        "drawing": Motion(MotionPath(np.zeros((3, 5, 3))), KeyTimes([0, 1, 2])),
    }
    assert not any(fits(motion) for motion in alone.values())
    found = batches([*alone.items(), ("a", timed(0)), ("b", timed(1, 2)), ("c", timed(2))])
    assert [batch.names for batch in found] == [("a", "c"), ("b",)]
