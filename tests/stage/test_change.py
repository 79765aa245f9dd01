"""Anything can be changed while it runs: an actor, the stage, the whole cast, and with it how long a tick takes."""

from dataclasses import dataclass, field

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from keypose import (
    Actor,
    Camera,
    FaceForward,
    Key,
    KeyposeError,
    KeyTimes,
    LookAt,
    Motion,
    MotionPath,
    Pose,
    Run,
    SceneStyle,
    Stage,
)

UPRIGHT = np.array([1.0, 0, 0, 0])
WALK = Motion(MotionPath([(0, 0, 0), (4, 0, 0), (4, 0, 4)]), duration=4.0)
GLASS = Motion(MotionPath([(0, 0, 0), (1, 0, 0)]), duration=1.0)
HAND = Motion(MotionPath([Key((0, 2, 0)), Key((0, 1, 0), relative_to="glass"), Key((5, 4, 0))]), duration=3.0)


@dataclass(frozen=True)
class Drifter:
    """Goes straight; a state is its place."""

    velocity: tuple[float, float, float] = (0.0, 0.0, 1.0)
    tick: float = 0.1

    def begin(self, view):
        return np.zeros(3)

    def step(self, state, view, dt):
        return state + dt * np.array(self.velocity)

    def pose(self, state):
        return Pose(state, UPRIGHT)


@dataclass(frozen=True)
class TimeRecorder(Drifter):
    """Says how late it is; begins by noting when."""

    def begin(self, view):
        return np.array([view.time, 0.0, 0.0])

    def step(self, state, view, dt):
        return np.array([state[0], view.time + dt, 0.0])


@dataclass(frozen=True)
class ArrayMover(Drifter):
    """Made of arrays."""

    chart: np.ndarray = field(default_factory=lambda: np.zeros(3))
    charts: dict[str, np.ndarray] = field(default_factory=dict)


def tick_many(run, count):
    for _ in range(count):
        run.tick()
    return run


def same_poses(one, two):
    return one.keys() == two.keys() and all(one[name] == two[name] for name in one)


def sample_stage(**options):
    return Stage([Actor("a", Drifter()), Actor("man", WALK)], **options)


# ---- the stage -------------------------------------------------------------------------------------------------------


def test_changing_gravity_and_style_during_a_run_moves_no_actor():
    run = tick_many(Run(sample_stage()), 10)
    before = run.poses
    run.change(gravity=(0, -9.81, 0), style=SceneStyle(0.5))
    assert run.stage.gravity == (0, -9.81, 0)
    assert run.stage.style == SceneStyle(0.5)
    assert same_poses(run.poses, before)
    run.rewind(0.5)
    assert run.stage.gravity == (0, 0, 0)
    assert tick_many(run, 5).stage.gravity == (0, -9.81, 0)


def test_changing_the_stage_adds_removes_and_continues_actors():
    run = tick_many(Run(sample_stage()), 10)
    run.change(
        Stage([Actor("a", Drifter((1.0, 0.0, 0.0))), Actor("late", TimeRecorder()), Actor("eye", WALK, parent="a")])
    )
    assert run.time == 1.0
    assert run.stage.names == ("a", "late", "eye")
    assert_allclose(run.poses["a"].position, (0, 0, 1))
    assert_array_equal(run.poses["late"].position, (1, 0, 0))
    tick_many(run, 10)
    assert_allclose(run.poses["a"].position, (1, 0, 1))
    assert_allclose(run.poses["late"].position, (1, 2, 0))
    assert_array_equal(run.poses["eye"].position, WALK.at(2.0).position + run.poses["a"].position)


def test_mover_of_another_type_restarts():
    run = tick_many(Run(sample_stage()), 10)
    run.change(Stage([Actor("a", TimeRecorder())]))
    assert_array_equal(run.poses["a"].position, (1, 0, 0))
    run.change(actors=[Actor("a", WALK)])
    assert_array_equal(run.poses["a"].position, WALK.at(1.0).position)
    run.change(Stage([]))
    assert run.poses == {}


def test_passed_keys_stay_passed_on_a_changed_stage():
    run = tick_many(Run(Stage([Actor("glass", GLASS), Actor("hand", HAND)])), 48)
    before = run.poses["hand"].position
    away = Motion(MotionPath([(0, 0, 0), (-9, 0, 0)]), duration=1.0)
    run.change(Stage([Actor("dog", Drifter(tick=1 / 24)), Actor("hand", HAND), Actor("glass", away, parent="dog")]))
    assert_allclose(run.poses["hand"].position, before, rtol=0, atol=1e-12)
    assert_allclose(tick_many(run, 24).poses["hand"].position, (5, 4, 0))


def test_unaffected_passing_times_are_not_solved_again(monkeypatch):
    run = tick_many(Run(Stage([Actor("glass", GLASS), Actor("hand", HAND), Actor("man", WALK)])), 12)
    pass_log = run.moment.pass_log("hand")

    def refuse(*_):
        raise AssertionError("solved again")

    monkeypatch.setattr("keypose.stage.evaluate.relative_keys.solve_passing_times", refuse)
    monkeypatch.setattr("keypose.stage.run.change.solve_passing_times", refuse)
    for change in (
        lambda: run.change("hand", look=Camera()),
        lambda: run.change(gravity=(0, -1, 0)),
        lambda: run.change("man", GLASS),
        lambda: run.change(Stage([Actor("hand", HAND), Actor("glass", GLASS, look="red"), Actor("b", Drifter())])),
    ):
        change()
        assert run.moment.pass_log("hand") is pass_log


# ---- movers made of arrays -------------------------------------------------------------------------------------------


def test_stages_with_array_valued_movers_compare_by_value():
    def one(chart=(1.0, 2.0, 3.0), **charts):
        return Stage([Actor("a", ArrayMover(chart=np.array(chart), charts=charts), look=np.arange(3))])

    assert one() == one()
    assert hash(one()) == hash(one())
    assert one() != one((1.0, 2.0, 4.0))
    assert one() != one((1.0, 2.0))
    assert one(x=np.ones(2)) == one(x=np.ones(2))
    assert one(x=np.ones(2)) != one(x=np.zeros(2))
    assert one(x=np.ones(2)) != one(y=np.ones(2))
    assert one() != sample_stage()


def test_array_valued_mover_can_be_changed():
    run = tick_many(Run(Stage([Actor("a", ArrayMover(chart=np.ones(3))), Actor("b", ArrayMover())])), 10)
    run.change("a", ArrayMover((1.0, 0.0, 0.0), chart=np.zeros(3)))
    assert_allclose(tick_many(run, 10).poses["a"].position, (1, 0, 1))


# ---- ticks -----------------------------------------------------------------------------------------------------------


def test_changed_stage_uses_its_own_tick():
    run = tick_many(Run(sample_stage()), 3)
    run.change(Stage([Actor("a", Drifter()), Actor("b", Drifter(tick=0.01))]))
    assert tick_many(run, 7).time == 0.3 + 7 / 100
    run.change(Stage([Actor("a", Drifter())]))
    assert tick_many(run, 2).time == 0.3 + 7 / 100 + 2 / 10
    assert run.ticks == 12
    assert_allclose(run.poses["a"].position, (0, 0, run.time))


def test_explicit_tick_is_kept_after_a_change():
    run = tick_many(Run(sample_stage(), tick=0.25), 3)
    run.change("a", Drifter(tick=0.001))
    assert tick_many(run, 1).time == 1.0


def test_rewind_across_a_tick_change_is_bitwise_identical():
    run = Run(sample_stage())
    history = [(run.time, run.poses)]

    def play(count):
        for _ in range(count):
            run.tick()
            history.append((run.time, run.poses))

    play(30)
    run.change("a", Drifter((0.3, 0.0, 0.7), tick=0.003))
    play(60)
    run.change(Stage([Actor("a", Drifter((0.3, 0.0, 0.7), tick=0.07)), Actor("new", TimeRecorder(tick=0.5))]))
    history[-1] = run.time, run.poses
    snapshot = run.snapshot()
    play(30)
    for back in (0.05, 2.999, 3.0, 3.0015, 3.1, 3.18, 3.19, 4.2, run.time):
        expected = max(moment for moment, _ in history if moment <= back + 1e-9)
        assert run.rewind(back) == expected
        while run.ticks < len(history) - 1:
            assert (run.time, same_poses(run.poses, history[run.ticks][1])) == (history[run.ticks][0], True)
            run.tick()
    run.rewind(0.0)
    run.change("a", WALK)
    assert run.rewind(snapshot) == snapshot.time == history[90][0]
    assert snapshot.ticks == run.ticks == 90
    assert same_poses(tick_many(run, 30).poses, history[120][1])
    run.rewind(1.0)
    assert same_poses(run.poses, history[10][1])


# ---- bad input -------------------------------------------------------------------------------------------------------

INVALID_CHANGES = {
    "nothing": (lambda run: run.change(), r"change nobody\. Give the name of an actor .* or a whole Stage"),
    "nobody": (lambda run: run.change(None, WALK), r"change nobody to .*Give the name"),
    "nothing about somebody": (lambda run: run.change("a"), r"change nothing about actor 'a'\. Give"),
    "nothing about somebody said": (lambda run: run.change("a", None), r"change nothing about actor 'a'"),
    "nobody's look": (lambda run: run.change(look="red"), r"'look', which belongs to an actor\. .*run\.change\('a', …"),
    "another name": (lambda run: run.change("a", name="b"), r"Actor 'a' was to be named 'b'.*a whole stage"),
    "a name alone": (lambda run: run.change(name="a"), r"'name', which belongs to an actor"),
    "somebody unknown": (lambda run: run.change("mann", WALK), r"named 'mann'\. Did you mean 'man'\?"),
    "a word unknown": (lambda run: run.change("a", parrent="man"), r"no 'parrent'\. Did you mean 'parent'\?"),
    "a stage's word unknown": (lambda run: run.change(gravty=3), r"no 'gravty'\. Did you mean 'gravity'\?"),
    "an actor's gravity": (lambda run: run.change("a", gravity=(0, 0, 0)), r"to the stage.*change\(gravity=…\)"),
    "two things": (lambda run: run.change("a", WALK, motion_or_mover=WALK), r"two things to move it"),
    "a stage and more": (lambda run: run.change(sample_stage(), gravity=3), r"a whole stage and gravity beside it"),
    "a stage and a motion": (lambda run: run.change(sample_stage(), WALK), r"a whole stage and .* beside it"),
    "a number": (lambda run: run.change(3), r"Nobody on the stage is named 3"),
    "actors": (lambda run: run.change([Actor("a", WALK)]), r"Nobody on the stage is named \[Actor"),
    "no gravity": (lambda run: run.change(gravity="down"), r"Gravity"),
    "somebody gone": (lambda run: run.change(actors=[Actor("b", WALK, facing=LookAt("a"))]), r"'b' looks at 'a'"),
    "no motion": (lambda run: run.change("a", 3), r"Actor 'a' was given 3 to move it"),
    "no tick": (lambda run: run.change("a", Drifter(tick=-1)), r"The tick of Actor 'a' is -1 s"),
}  # fmt: skip


@pytest.mark.parametrize("case", INVALID_CHANGES)
def test_invalid_change_is_refused_with_reason_and_has_no_effect(case):
    run = tick_many(Run(sample_stage()), 10)
    before, cast = run.poses, run.stage
    bad, sentence = INVALID_CHANGES[case]
    with pytest.raises(KeyposeError, match=sentence):
        bad(run)
    assert run.stage is cast
    assert same_poses(run.poses, before)
    assert tick_many(run, 1).time == 1.1


def test_changed_replaces_single_options_of_a_stage():
    one = sample_stage(gravity=(0, -1, 0))
    assert one.changed(gravity=(0, 0, 0)) == sample_stage()
    assert one.changed(actors=[]).gravity == (0, -1, 0)
    with pytest.raises(KeyposeError, match=r"A stage has no 'actor'\. Did you mean 'actors'\?"):
        one.changed(actor=[])


def test_face_forward_mover_keeps_its_orientation_on_a_changed_stage():
    cast = [Actor("a", Drifter((1.0, 0.0, 0.0)), facing=FaceForward())]
    run = tick_many(Run(Stage(cast)), 10)
    facing = run.poses["a"].orientation
    run.change(Stage([*cast, Actor("still", Motion(MotionPath([(0, 0), (0, 0)]), KeyTimes([0, 1])))]))
    assert_array_equal(run.poses["a"].orientation, facing)
