"""What happened stays: a run whose carriers or keys are changed on the way keeps the keys it has passed."""

import subprocess
import sys

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from keypose import Actor, Camera, FaceForward, Key, KeyposeError, Motion, MotionPath, Pose, Run, Stage

GLASS = Motion(MotionPath([(0, 0, 0), (1, 0, 0)]), duration=1.0)
OTHER_MOTION = Motion(MotionPath([(0, 0, 0), (-9, 0, 0)]), duration=1.0)
GRASP = Key((0, 1, 0), relative_to="glass")
TIMED = Motion(MotionPath([Key((0, 2, 0), time=0), GRASP.changed(time=1.0), Key((5, 4, 0), time=3)]))
STEADY = Motion(MotionPath([Key((0, 2, 0)), GRASP, Key((5, 4, 0))]), duration=3.0)
LATE = Motion(MotionPath([Key((0, 2, 0), time=0), GRASP.changed(time=2.0)]))


class SlidingMover:
    """A mover that goes as GLASS does, and on."""

    def begin(self, view):
        return np.zeros(3)

    def step(self, state, view, dt):
        return state + np.array([dt, 0.0, 0.0])

    def pose(self, state):
        return Pose(state, np.array([1.0, 0.0, 0.0, 0.0]))


def run_until(run, moment):
    while run.time < moment - 1e-9:
        run.tick()
    return run


def with_renamed_last_key(motion):
    """The same motion but for the name of its last key."""
    path, _, duration, *_ = motion.spec
    return Motion(path.with_key(2, name="end"), duration=duration)


@pytest.mark.parametrize("carrier", [GLASS, SlidingMover()], ids=["motion", "mover"])
@pytest.mark.parametrize("hand", [TIMED, STEADY], ids=["timed", "steady"])
def test_passed_key_stays_in_place_when_its_carrier_changes(hand, carrier):
    run = run_until(Run(Stage([Actor("glass", carrier), Actor("hand", hand)])), 2.0)
    before = run.poses["hand"].position
    run.change("glass", OTHER_MOTION)
    assert_allclose(run.poses["hand"].position, before, rtol=0, atol=1e-12)
    run_until(run, 3.0)
    assert_allclose(run.poses["hand"].position, (5, 4, 0))


@pytest.mark.parametrize("carrier", [GLASS, SlidingMover()], ids=["motion", "mover"])
@pytest.mark.parametrize("hand", [TIMED, STEADY], ids=["timed", "steady"])
def test_passed_key_stays_in_place_when_a_later_key_is_edited(hand, carrier):
    run = run_until(Run(Stage([Actor("glass", carrier), Actor("hand", hand)])), 2.0)
    before = run.poses["hand"].position
    run.change("hand", with_renamed_last_key(hand))
    assert_allclose(run.poses["hand"].position, before, rtol=0, atol=1e-12)


@pytest.mark.parametrize("hand", [TIMED, STEADY], ids=["timed", "steady"])
def test_future_key_is_met_at_the_changed_carrier(hand):
    run = run_until(Run(Stage([Actor("glass", GLASS), Actor("hand", hand)])), 0.5)
    run.change("glass", OTHER_MOTION)
    stage = Stage([Actor("glass", OTHER_MOTION), Actor("hand", hand)])
    log = run.moment.pass_log("hand")
    passed = float(log.passed_at[1])
    assert passed > 0.5
    assert_allclose(log.carrier_positions[0], OTHER_MOTION.at(passed).position)
    if hand is TIMED:
        run_until(run, 2.0)
        assert_array_equal(run.poses["hand"].position, stage.at(2.0)["hand"].position)


def test_replay_of_a_changed_run_is_bitwise_identical():
    run = run_until(Run(Stage([Actor("glass", GLASS), Actor("hand", STEADY)])), 1.0)
    run.change("glass", OTHER_MOTION)
    run.change("hand", facing=FaceForward())
    run_until(run, 2.5)
    poses = run.poses
    run.rewind(0.5)
    run_until(run, 2.5)
    assert run.poses == poses


def test_changing_a_look_keeps_the_pass_log():
    run = run_until(Run(Stage([Actor("glass", GLASS), Actor("hand", STEADY)])), 0.5)
    before = run.moment.pass_log("hand")
    run.change("glass", look=Camera())
    assert_array_equal(run.moment.pass_log("hand").passed_at, before.passed_at)


def test_empty_time_array_gives_empty_poses():
    for hand in (TIMED, STEADY):
        stage = Stage([Actor("glass", GLASS), Actor("hand", hand, facing=FaceForward(0.1))])
        assert stage.at(np.empty(0))["hand"].position.shape == (0, 3)


def test_carrier_with_a_moving_parent_has_not_ended():
    cart = Motion(MotionPath([(0, 0, 0), (9, 0, 0)]), duration=9.0)
    stage = Stage([Actor("cart", cart), Actor("glass", GLASS, parent="cart"), Actor("hand", LATE)])
    assert stage.resolved.relative_keys.events(stage.resolved.relative_keys.pass_log, 9.0) == ()


def test_resting_carrier_ends_with_its_parent():
    still = Motion(MotionPath([(0, 1, 0), (0, 1, 0)]), duration=0.1)
    stage = Stage([Actor("cart", GLASS), Actor("glass", still, parent="cart"), Actor("hand", LATE)])
    (event,) = stage.resolved.relative_keys.events(stage.resolved.relative_keys.pass_log, 9.0)
    assert event.time == 1.0


def test_replay_is_bitwise_identical_when_kernels_are_loaded_later():
    code = """
import numpy as np
from keypose import Actor, Key, Motion, MotionPath, Orientation, Run, Stage
turn = [Orientation.turned(angle, "x") for angle in (0, 70, 20)]
path = MotionPath([Key((i, i * i, 0), orientation=one) for i, one in enumerate(turn)])
run = Run(Stage([Actor("a", Motion(path, duration=2.0)), Actor("b", Motion(path, duration=2.0), parent="a")]))
first = [run.poses for _ in range(48) if run.tick()]
MotionPath(np.random.default_rng(1).normal(size=(9, 3))).at(np.linspace(0, 8, 100_000))
run.rewind(0)
assert first == [run.poses for _ in range(48) if run.tick()]
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_nonfinite_value_in_a_dict_state_is_detected():
    class Lost(SlidingMover):
        def begin(self, view):
            return {"place": np.zeros(3), "heat": 1.0}

        def step(self, state, view, dt):
            return {"place": state["place"], "heat": np.nan if view.time > 0.5 else 1.0}

        def pose(self, state):
            return Pose(state["place"], np.array([1.0, 0.0, 0.0, 0.0]))

    run = run_until(Run(Stage([Actor("glass", Lost())])), 0.5)
    with pytest.raises(KeyposeError, match=r"Actor 'glass' .* not finite at 0\.58"):
        run_until(run, 1.0)
    assert run.time < 0.58
