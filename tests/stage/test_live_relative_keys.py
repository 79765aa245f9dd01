"""Carried by what takes ticks: found out tick by tick, rewound to the bit, filmed alike at any rate."""

from dataclasses import dataclass

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from keypose import (
    Actor,
    FaceForward,
    Key,
    KeyposeError,
    KeyTimes,
    LookAt,
    Motion,
    MotionPath,
    Orientation,
    Pose,
    Run,
    SpeedProfile,
    Stage,
    shoot,
)
from keypose.maths import kernel_switch

UPRIGHT = np.array([1.0, 0, 0, 0])
WALK = Motion(MotionPath([(1, 0, 0), (4, 0, 1), (5, 0, 4)]), duration=4.0)


@dataclass(frozen=True)
class Follower:
    """Pulled to its leader as by a damped spring; a state is a place and a velocity."""

    leader: str
    pull: float = 4.0

    @property
    def watches(self):
        return (self.leader,)

    def begin(self, view):
        return np.array([2.0, 1, 0]), np.zeros(3)

    def step(self, state, view, dt):
        place, velocity = state
        velocity = velocity + dt * (self.pull**2 * (view[self.leader].position - place) - 2 * self.pull * velocity)
        return place + dt * velocity, velocity

    def pose(self, state):
        return Pose(state[0], UPRIGHT)


@dataclass(frozen=True)
class MotionMover:
    """A mover that does what a motion does; its state is the time."""

    motion: Motion
    tick: float = 1 / 24

    def begin(self, view):
        return 0.0

    def step(self, state, view, dt):
        return view.time + dt

    def pose(self, state):
        return self.motion.at(state)


def reaching_motion(*carriers, pin=True, timing=None, **options):
    keys = [(0, 0, 0), *[Key((0, 0.5, 0), relative_to=name, pin=pin) for name in carriers], (3, 3, 3)]
    return Motion(MotionPath(keys), timing, duration=None if isinstance(timing, KeyTimes) else 2.0, **options)


def live_stage(**options):
    """A dog follows its master; two hands in a chain and one on a moving boat meet it."""
    return Stage(
        [
            Actor("master", WALK),
            Actor("dog", Follower("master"), facing=FaceForward()),
            Actor("hand", reaching_motion("dog", **options), facing=FaceForward()),
            Actor("bird", reaching_motion("hand", "dog", pin=False), facing=LookAt("dog")),
            Actor("sailor", reaching_motion("dog", "bird"), parent="boat"),
            Actor("boat", Motion(MotionPath([(0, 0, 0), (0, 2, 1)]), duration=3.0)),
            Actor("timed", reaching_motion("dog", "hand", timing=KeyTimes([0, 0.7, 1.4, 2.1]), start=0.2)),
        ]
    )


def small_live_stage():
    """A dog follows its master, and one hand meets it."""
    return Stage([live_stage()[name] for name in ("master", "dog", "hand")])


@pytest.fixture(autouse=True)
def _use_kernels(monkeypatch):
    """A tick is little work, but there are many: by the kernels."""
    monkeypatch.setattr(kernel_switch, "WORTH_LOADING", 0)


def tick_many(run, count):
    for _ in range(count):
        run.tick()
    return run


def same_poses(one, two):
    return one.keys() == two.keys() and all(one[name] == two[name] for name in one)


def passing_time(run, name, key=1):
    return run.stage.resolved.relative_keys.relative_motion(name).pass_time(key, run.moment.pass_log(name))


# ---- followed, passed, pinned ----------------------------------------------------------------------------------------


def test_relative_key_meets_the_mover_and_is_then_pinned():
    run = tick_many(Run(small_live_stage()), 50)
    moment = passing_time(run, "hand")
    assert 0 < moment < 2
    take = shoot(small_live_stage(), 2.5, 24)
    before, after = (take["dog"].position[int(np.floor(moment * 24)) + step] for step in (0, 1))
    share = moment * 24 % 1
    log = run.moment.pass_log("hand")
    assert_allclose(log.carrier_positions[0], (1 - share) * before + share * after, atol=1e-9)
    assert_array_equal(run.poses["hand"].position, (3, 3, 3))


def test_run_poses_equal_the_frames_of_a_take():
    stage = live_stage()
    take, run = shoot(stage, 1.5), Run(stage)
    for frame in range(len(take.times)):
        for name, pose in run.poses.items():
            assert_array_equal(pose.position, take[name].position[frame], name)
            assert_array_equal(pose.orientation, take[name].orientation[frame], name)
        assert take.events == () == run.events
        run.tick()


def test_frame_rate_does_not_change_poses():
    coarse, fine = shoot(live_stage(), 1.5, 6), shoot(live_stage(), 1.5, 30)
    for name in coarse.names:
        assert_array_equal(coarse[name].position, fine[name].position[::5], name)
        assert_array_equal(coarse[name].orientation, fine[name].orientation[::5], name)


def test_take_evaluates_to_its_frames():
    take = shoot(live_stage(), 1.0, 30)
    for name, pose in take.at(take.times).items():
        assert_allclose(pose.position, take[name].position, atol=1e-12)


@pytest.mark.parametrize("pin", [True, False])
@pytest.mark.parametrize("timing", [None, KeyTimes([0, 0.9, 2]), SpeedProfile([1, 4, 1])])
def test_finer_ticks_converge_to_the_keyed_motion(timing, pin):
    carrier = Motion(MotionPath([(3, 0, 0), (2, 2, 1), (4, 1, 3), (1, 0, 2)]), SpeedProfile([1, 3, 1]), duration=2.5)
    pure = shoot(Stage([Actor("glass", carrier), Actor("hand", reaching_motion("glass", timing=timing, pin=pin))]), 2.5)
    errors = []
    for tick in (1 / 24, 1 / 96):
        stage = Stage(
            [
                Actor("glass", MotionMover(carrier, tick)),
                Actor("hand", reaching_motion("glass", timing=timing, pin=pin)),
            ]
        )
        errors.append(np.abs(shoot(stage, 2.5)["hand"].position - pure["hand"].position).max())
    assert errors[1] < max(errors[0] / 4, 1e-9)  # between ticks a mover goes straight: second order
    assert errors[0] < 0.02


@pytest.mark.parametrize("swings", [8, 31])
def test_distance_never_decreases_between_ticks(swings):
    glass = Motion(MotionPath([(5, 0, 0), (4.2, 0, 0)] * swings), duration=2.0)
    hand = Motion(MotionPath([(0, 0, 0), Key((0, 0, 0), relative_to="glass", pin=False)]), duration=4.0)
    still = MotionMover(Motion(MotionPath([(0, 0, 0), (0, 0, 0)]), duration=1.0))
    cast = [Actor("glass", glass), Actor("floor", still), Actor("hand", hand, parent="floor")]
    distance = shoot(Stage(cast), 1.0, 480)["hand"].position[:, 0]
    assert np.diff(distance).min() > -1e-6
    assert distance[-1] > 1.0


# ---- rewinding -------------------------------------------------------------------------------------------------------


def test_replay_from_before_a_pass_is_bitwise_identical():
    run = Run(live_stage())
    history = [run.poses]
    for _ in range(40):
        run.tick()
        history.append(run.poses)
    moment = passing_time(run, "hand")
    for back in (moment - 0.1, moment + 0.1):
        run.rewind(back)
        assert np.isinf(passing_time(run, "hand")) == (run.time < moment)
        while run.ticks < 40:
            assert same_poses(run.poses, history[run.ticks])
            run.tick()
        assert same_poses(run.poses, history[40])
        assert passing_time(run, "hand") == moment


def test_snapshot_before_a_pass_does_not_contain_it():
    run = tick_many(Run(small_live_stage()), 5)
    snapshot, early = run.snapshot(), run.poses
    late = tick_many(run, 30).poses
    run.rewind(snapshot)
    assert same_poses(run.poses, early)
    assert np.isinf(passing_time(run, "hand"))
    assert same_poses(tick_many(run, 30).poses, late)


# ---- circles through the last tick -----------------------------------------------------------------------------------


def test_mover_may_watch_an_actor_with_a_key_relative_to_it():
    cast = [Actor("dog", Follower("hand", pull=1.0)), Actor("hand", reaching_motion("dog", pin=False))]
    one, two = shoot(Stage(cast), 3.0), shoot(Stage(cast[::-1]), 3.0)
    for name in ("dog", "hand"):
        assert np.isfinite(one[name].position).all()
        assert_array_equal(one[name].position, two[name].position)
    assert np.linalg.norm(one["dog"].position[40] - one["dog"].position[0]) > 0.1


def test_mutual_meeting_works_if_one_actor_is_simulated():
    follow = Follower("left", pull=6.0)
    left = Motion(MotionPath([(-4, 0, 0), Key((0, 0, 0), relative_to="right", pin=False)]), duration=2.0)
    take = shoot(Stage([Actor("left", left), Actor("right", follow)]), 3.0)
    assert_allclose(take["left"].position[-1], take["right"].position[-1], atol=1e-9)


def test_mover_cannot_start_from_the_pose_of_an_actor_it_carries():
    class Clinging(Follower):
        def begin(self, view):
            return view[self.leader].position, np.zeros(3)

    for hand in (Actor("hand", reaching_motion("dog")), Actor("hand", WALK, parent="dog")):
        with pytest.raises(
            KeyposeError, match=r"Mover 'dog' begins by looking at somebody who .* carried by it\. It must"
        ):
            Run(Stage([Actor("dog", Clinging("hand")), hand]))


def test_nonfinite_step_is_reported_and_carried_actors_keep_their_poses():
    class Breaking(MotionMover):
        def step(self, state, view, dt):
            return np.nan if view.time >= 0.5 else view.time + dt

    run = tick_many(Run(Stage([Actor("dog", Breaking(WALK)), Actor("hand", reaching_motion("dog"))])), 12)
    before, logs = run.poses, run.moment.pass_logs
    with pytest.raises(KeyposeError, match=r"Actor 'dog' came to .* not finite at 0\.541667 s"):
        run.tick()
    assert run.time == 0.5
    assert same_poses(run.poses, before)
    assert run.moment.pass_logs is logs


# ---- changes ---------------------------------------------------------------------------------------------------------


def pinned_position(run):
    return run.moment.pass_log("hand").carrier_positions[0].copy()


CHANGES = {
    "another facing": lambda run: run.change("hand", facing=LookAt("dog")),
    "another look": lambda run: run.change("hand", look="red"),
    "another mover of the carrier": lambda run: run.change("dog", Follower("master", pull=9.0)),
    "another kind of carrier": lambda run: run.change("dog", MotionMover(WALK)),
    "somebody else": lambda run: run.change("master", Motion(MotionPath([(0, 0, 0), (1, 0, 0)]), duration=4.0)),
}


@pytest.mark.parametrize("change", CHANGES)
def test_keys_passed_before_a_change_stay_passed(change):
    run = tick_many(Run(small_live_stage()), 40)
    position, moment = pinned_position(run), passing_time(run, "hand")
    assert np.isfinite(position).all()
    CHANGES[change](run)
    assert_array_equal(pinned_position(run), position)
    assert passing_time(run, "hand") == moment
    after = tick_many(run, 10).poses
    run.rewind(0.9)
    tick_many(run, 40 + 10 - run.ticks)
    assert same_poses(run.poses, after)


@pytest.mark.parametrize("timing", [None, KeyTimes([0, 0.9, 2])])
def test_passed_keys_stay_passed_when_the_carrier_becomes_simulated(timing):
    run = tick_many(Run(Stage([Actor("dog", WALK), Actor("hand", reaching_motion("dog", timing=timing))])), 36)
    position, before = pinned_position(run), run.poses["hand"]
    assert passing_time(run, "hand") < 1.5
    run.change("dog", MotionMover(Motion(MotionPath([(9, 9, 9), (8, 8, 8)]), duration=9.0)))
    assert_array_equal(pinned_position(run), position)
    assert_allclose(run.poses["hand"].position, before.position, atol=1e-9)
    assert_allclose(tick_many(run, 24).poses["hand"].position, (3, 3, 3), atol=1e-12)


def test_changed_motion_starts_a_new_pass_log():
    run = tick_many(Run(small_live_stage()), 40)
    run.change("hand", reaching_motion("master", timing=KeyTimes([0, 2.0, 3.0])))
    assert passing_time(run, "hand") == 2.0
    tick_many(run, 10)
    assert_allclose(pinned_position(run), WALK.at(2.0).position, atol=1e-12)


# ---- events ----------------------------------------------------------------------------------------------------------


def test_run_and_take_record_the_same_events():
    short = Motion(MotionPath([(3, 0, 0), (4, 0, 0)]), duration=0.5)
    hand = Motion(
        MotionPath([(0, 0, 0), Key((0, 1, 0), relative_to="dog"), Key((0, 0, 0), relative_to="cup")]), duration=2.0
    )
    stage = Stage([Actor("dog", Follower("cup")), Actor("cup", short), Actor("hand", hand)])
    for seconds in (0.25, 0.5, 1.0, 2.0, 3.0):
        take, run = shoot(stage, seconds), tick_many(Run(stage), round(24 * seconds))
        assert take.events == run.events
        assert len(take.events) == (seconds > 0.5)
    (event,) = run.events
    assert (event.time, event.actor, event.kind) == (0.5, "hand", "warning")
    assert "Key 2 is carried by 'cup', whose motion ends at 0.5 s" in event.text
    run.rewind(0.4)
    assert run.events == ()


def test_motion_with_negative_start_begins_partway():
    hand = Motion(MotionPath([(0, 0, 0), Key((0, 0, 0), relative_to="dog"), (9, 0, 0)]), duration=2.0, start=-1.0)
    run = Run(Stage([Actor("dog", MotionMover(WALK)), Actor("hand", hand)]))
    assert passing_time(run, "hand") == 0  # nobody knows where the dog was before
    assert np.isfinite(run.poses["hand"].position).all()
    assert_allclose(tick_many(run, 24).poses["hand"].position, (9, 0, 0), atol=1e-12)


def test_motion_with_a_later_start_follows_its_carrier_until_then():
    keys = Key((0, 1, 0), relative_to="dog", orientation=Orientation.turned(90, "y")), (9, 0, 0)
    run = Run(
        Stage([Actor("dog", MotionMover(WALK)), Actor("hand", Motion(MotionPath(keys), duration=1.0, start=0.61))])
    )
    tick_many(run, 12)
    assert_allclose(run.poses["hand"].position, np.add(WALK.at(0.5).position, (0, 1, 0)), atol=1e-9)
    tick_many(run, 12)
    assert passing_time(run, "hand", 0) == 0.61
    assert_allclose(run.stage.resolved.relative_keys.relative_motion("hand").empty_log.passed_at, np.inf)
