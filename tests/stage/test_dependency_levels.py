"""Actors on top of each other are composed level by level, and stand where they stand when composed one by one."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from keypose import Actor, FaceForward, LookAt, Stage
from keypose.maths import kernel_switch
from keypose.motion.hierarchy import to_world
from keypose.stage.evaluate.dependencies import required_steps
from tests.stage.motions import random_motion


@pytest.fixture(params=["definition", "kernels"])
def backend(request, monkeypatch):
    monkeypatch.setattr(kernel_switch, "allowed", request.param == "kernels")
    monkeypatch.setattr(kernel_switch, "WORTH_LOADING", 0)
    return request.param


def random_cast(seed, count=60, drawings=True):
    """Everybody on a random other or on none, many looking at somebody; drawings and flat paths among them."""
    rng = np.random.default_rng(seed)
    facings = [None, None, FaceForward(), FaceForward(0.5), LookAt("0"), LookAt("1")]
    return [
        Actor(
            str(index),
            random_motion(
                int(rng.integers(10_000)),
                dimensions=int(rng.integers(1, 4)),
                faced="every",
                points=3 if drawings and rng.uniform() < 0.2 else None,
            ),
            parent=str(rng.integers(2, index)) if index > 2 and rng.uniform() < 0.7 else None,
            facing=facings[rng.integers(6)] if index > 1 else None,
        )
        for index in range(count)
    ]


@pytest.mark.parametrize("drawings", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_level_evaluation_matches_single_evaluation(backend, seed, drawings):
    stage = Stage(random_cast(seed, drawings=drawings))
    for t in (np.linspace(-1, 4, 7), np.array([0.3]), np.array([])):
        together, alone = stage.at(t), stage.resolved.evaluator(t)
        for name in stage.names:
            one = alone.pose(name)
            assert together[name].position.shape == one.position.shape
            assert_allclose(together[name].position, one.position, rtol=1e-12, atol=1e-12)
            assert_allclose(together[name].orientation, one.orientation, rtol=0, atol=1e-12)


def test_level_depends_only_on_earlier_levels():
    stage = Stage(random_cast(9))
    done = set()
    for level in stage.resolved.levels:
        assert all(other in done for step in level for other in required_steps(stage.resolved.by_name, step))
        done.update(level)
    assert done == set(stage.resolved.steps)
    assert len(stage.resolved.levels) < len(stage.resolved.steps) / 3


def test_children_of_a_level_are_composed_in_one_call(monkeypatch):
    parents = [Actor(f"parent {index}", random_motion(index)) for index in range(20)]
    children = [Actor(f"child {index}", random_motion(90 + index), parent=f"parent {index}") for index in range(20)]
    calls = []

    def counted(parent, child):
        calls.append(len(child))
        return to_world(parent, child)

    monkeypatch.setattr("keypose.stage.evaluate.dependencies.to_world", counted)
    poses = Stage(parents + children).at(np.arange(5.0))
    assert calls == [100]
    for index in range(20):
        own = children[index].motion.at(np.arange(5.0))
        expected = to_world(poses[f"parent {index}"], own)
        assert_array_equal(poses[f"child {index}"].position, expected.position)
