"""What happened stays: a run whose carriers or keys are changed on the way keeps the keys it has passed."""

import subprocess
import sys

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from keypose import Actor, Camera, FaceForward, Key, KeyposeError, Motion, MotionPath, Pose, Run, Stage

GLASS = Motion(MotionPath([(0, 0, 0), (1, 0, 0)]), duration=1.0)
ELSEWHERE = Motion(MotionPath([(0, 0, 0), (-9, 0, 0)]), duration=1.0)
GRASP = Key((0, 1, 0), relative_to="glass")
TIMED = Motion(MotionPath([Key((0, 2, 0), time=0), GRASP.changed(time=1.0), Key((5, 4, 0), time=3)]))
STEADY = Motion(MotionPath([Key((0, 2, 0)), GRASP, Key((5, 4, 0))]), duration=3.0)
LATE = Motion(MotionPath([Key((0, 2, 0), time=0), GRASP.changed(time=2.0)]))


class Slide:
    """A mover that goes as GLASS does, and on."""

    def begin(self, sight):
        return np.zeros(3)

    def step(self, state, sight, dt):
        return state + np.array([dt, 0.0, 0.0])

    def pose(self, state):
        return Pose(state, np.array([1.0, 0.0, 0.0, 0.0]))


def until(run, moment):
    while run.time < moment - 1e-9:
        run.tick()
    return run


def named(motion):
    """The same motion but for the name of its last key."""
    path, _, duration, *_ = motion.spec
    return Motion(path.with_key(2, name="end"), duration=duration)


@pytest.mark.parametrize("carrier", [GLASS, Slide()], ids=["motion", "mover"])
@pytest.mark.parametrize("hand", [TIMED, STEADY], ids=["timed", "steady"])
def test_a_key_that_was_passed_stays_where_it_was_when_its_carrier_becomes_another(hand, carrier):
    run = until(Run(Stage([Actor("glass", carrier), Actor("hand", hand)])), 2.0)
    before = run.poses["hand"].position
    run.change("glass", ELSEWHERE)
    assert_allclose(run.poses["hand"].position, before, rtol=0, atol=1e-12)
    until(run, 3.0)
    assert_allclose(run.poses["hand"].position, (5, 4, 0))


@pytest.mark.parametrize("carrier", [GLASS, Slide()], ids=["motion", "mover"])
@pytest.mark.parametrize("hand", [TIMED, STEADY], ids=["timed", "steady"])
def test_a_key_that_was_passed_stays_where_it_was_when_a_later_one_is_edited(hand, carrier):
    run = until(Run(Stage([Actor("glass", carrier), Actor("hand", hand)])), 2.0)
    before = run.poses["hand"].position
    run.change("hand", named(hand))
    assert_allclose(run.poses["hand"].position, before, rtol=0, atol=1e-12)


@pytest.mark.parametrize("hand", [TIMED, STEADY], ids=["timed", "steady"])
def test_a_key_still_to_come_is_met_where_the_new_carrier_goes(hand):
    run = until(Run(Stage([Actor("glass", GLASS), Actor("hand", hand)])), 0.5)
    run.change("glass", ELSEWHERE)
    stage = Stage([Actor("glass", ELSEWHERE), Actor("hand", hand)])
    story = run._moment.pass_log("hand")
    passed = float(story.passed_at[1])
    assert passed > 0.5
    assert_allclose(story.carrier_positions[0], ELSEWHERE.at(passed).position)
    if hand is TIMED:
        until(run, 2.0)
        assert_array_equal(run.poses["hand"].position, stage.at(2.0)["hand"].position)


def test_a_changed_run_is_rewound_and_played_again_to_the_same_bits():
    run = until(Run(Stage([Actor("glass", GLASS), Actor("hand", STEADY)])), 1.0)
    run.change("glass", ELSEWHERE)
    run.change("hand", facing=FaceForward())
    until(run, 2.5)
    there = run.poses
    run.rewind(0.5)
    until(run, 2.5)
    assert run.poses == there


def test_another_look_changes_nothing_about_what_was_passed():
    run = until(Run(Stage([Actor("glass", GLASS), Actor("hand", STEADY)])), 0.5)
    before = run._moment.pass_log("hand")
    run.change("glass", look=Camera())
    assert_array_equal(run._moment.pass_log("hand").passed_at, before.passed_at)


def test_nobody_is_anywhere_at_no_moments():
    for hand in (TIMED, STEADY):
        stage = Stage([Actor("glass", GLASS), Actor("hand", hand, facing=FaceForward(0.1))])
        assert stage.at(np.empty(0))["hand"].position.shape == (0, 3)


def test_a_carrier_whose_parent_still_moves_has_not_ended():
    cart = Motion(MotionPath([(0, 0, 0), (9, 0, 0)]), duration=9.0)
    stage = Stage([Actor("cart", cart), Actor("glass", GLASS, parent="cart"), Actor("hand", LATE)])
    assert stage.relative_keys.events(stage.relative_keys.pass_log, 9.0) == ()


def test_a_carrier_at_rest_on_a_parent_that_ends_has_ended_with_it():
    still = Motion(MotionPath([(0, 1, 0), (0, 1, 0)]), duration=0.1)
    stage = Stage([Actor("cart", GLASS), Actor("glass", still, parent="cart"), Actor("hand", LATE)])
    (event,) = stage.relative_keys.events(stage.relative_keys.pass_log, 9.0)
    assert event.time == 1.0


def test_a_run_is_played_again_to_the_same_bits_although_the_kernels_were_not_loaded_when_it_began():
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


def test_a_state_that_is_no_number_any_more_is_seen_in_a_dict_too():
    class Lost(Slide):
        def begin(self, sight):
            return {"place": np.zeros(3), "heat": 1.0}

        def step(self, state, sight, dt):
            return {"place": state["place"], "heat": np.nan if sight.time > 0.5 else 1.0}

        def pose(self, state):
            return Pose(state["place"], np.array([1.0, 0.0, 0.0, 0.0]))

    run = until(Run(Stage([Actor("glass", Lost())])), 0.5)
    with pytest.raises(KeyposeError, match=r"Actor 'glass' .* not finite at 0\.58"):
        until(run, 1.0)
    assert run.time < 0.58
