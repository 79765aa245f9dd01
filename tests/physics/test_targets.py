"""Where were the targets that bodies raced? A take tells it, frame by frame."""

import pickle
import subprocess
import sys

import numpy as np
import pytest

from keypose import Actor, Body, FaceForward, Follow, KeyposeError, Motion, MotionPath, Sphere, Stage, Take, shoot
from keypose.physics.simulation.engine_pool import MUJOCO_MISSING

BALL = Body(Sphere(0.2))
PATH = MotionPath([(0, 0, 0), (3, 1, 0), (6, 0, 0)])
FOLLOWER = Actor("red", Follow(PATH, BALL, within=0.4))


@pytest.mark.parametrize("facing", [None, FaceForward()], ids=["many ticks at once", "tick by tick"])
def test_take_has_the_target_position_of_every_frame(facing):
    take = shoot(Stage([FOLLOWER.changed(facing=facing)]), seconds=2, fps=24)
    targets, positions = take.targets["red"], take.poses["red"].position
    assert targets.shape == (49, 3)
    distances = np.linalg.norm(targets - positions, axis=1)
    assert distances[24:] == pytest.approx(0.4, abs=0.02)
    path_points = PATH.at(np.linspace(0, 2, 4001))
    assert max(np.linalg.norm(path_points - position, axis=1).min() for position in targets) < 0.002
    assert not targets.flags.writeable


def test_batch_and_single_tick_shooting_give_the_same_targets():
    one, two = (shoot(Stage([FOLLOWER.changed(facing=facing)]), 1.5).targets["red"] for facing in (None, FaceForward()))
    assert one == pytest.approx(two, abs=1e-12)


def test_take_without_followers_has_no_targets():
    actor = Actor("blue", Motion(PATH, duration=1.0))
    assert dict(shoot(Stage([actor]), 1).targets) == {}


def test_take_with_targets_is_pickled_and_equals_the_take_without_them():
    take = shoot(Stage([FOLLOWER]), 0.5)
    loaded = pickle.loads(pickle.dumps(take))
    assert loaded == take == Take(take.times, take.fps, take.poses, take.events)
    assert np.array_equal(loaded.targets["red"], take.targets["red"])


@pytest.mark.parametrize(
    ("targets", "message"),
    [
        ([1], "Give {name: places}"),
        ({3: np.zeros((2, 3))}, "Give the name of an actor"),
        ({"a": np.zeros((3, 3))}, r"'a' have the shape \(3, 3\) for 2 frames"),
        ({"a": "there"}, "The targets of 'a'"),
    ],
)
def test_invalid_targets_are_refused_with_reason(targets, message):
    with pytest.raises(KeyposeError, match=message):
        Take([0, 1], 24, {}, targets=targets)


@pytest.fixture
def no_engine_imported(monkeypatch):
    """The engine's modules are imported again by what the test calls."""
    for name in list(sys.modules):
        if name.startswith(("keypose.physics.engine.", "keypose.physics.simulation.engine_assembly")):
            monkeypatch.delitem(sys.modules, name)


def test_missing_physics_extra_is_reported_with_the_install_command(monkeypatch, no_engine_imported):
    monkeypatch.setitem(sys.modules, "mujoco", None)
    with pytest.raises(KeyposeError, match=r"Bodies need MuJoCo. Install it with: pip install 'keypose\[physics\]'."):
        shoot(Stage([FOLLOWER]), 0.1)


@pytest.mark.parametrize(("missing", "answer"), [(["numba"], "True"), (["numba", "mujoco"], MUJOCO_MISSING)])
def test_missing_numba_does_not_ask_for_mujoco(missing, answer):
    code = f"""
import sys, warnings
sys.modules.update(dict.fromkeys({missing}))  # every import of these fails
import keypose as kp
warnings.simplefilter("ignore")
follow = kp.Follow(kp.MotionPath([(0, 0, 0), (3, 1, 0)]), kp.Body(kp.Sphere(0.2)), within=0.4)
try:
    print(kp.shoot(kp.Stage([kp.Actor("red", follow)]), 0.1)["red"].position[-1, 0] > 0)
except kp.KeyposeError as error:
    print(error)
"""
    process = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300)
    assert process.stdout.splitlines() == [answer], process.stderr


def test_another_missing_module_does_not_ask_for_mujoco(monkeypatch, no_engine_imported):
    monkeypatch.setitem(sys.modules, "keypose.physics.engine.contact_model.substeps", None)
    with pytest.raises(ModuleNotFoundError, match=r"keypose\.physics\.engine\.contact_model\.substeps"):
        shoot(Stage([FOLLOWER]), 0.1)
