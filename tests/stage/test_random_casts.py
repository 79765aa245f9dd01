"""Any cast at all: the order of actors does not matter, rewinding is replaying, an instant is its shot frame."""

import pickle
from dataclasses import dataclass

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from keypose import (
    Actor,
    FaceForward,
    Key,
    KeyTimes,
    LookAt,
    Motion,
    MotionPath,
    Pose,
    Run,
    SpeedProfile,
    Stage,
    shoot,
)
from keypose.maths import kernel_switch

SECONDS = 1.0


@dataclass(frozen=True)
class Follower:
    """Pulled to somebody as by a damped spring."""

    watches: tuple[str, ...]
    place: tuple[float, ...]
    pull: float = 4.0

    def begin(self, view):
        return np.array(self.place), np.zeros(3)

    def step(self, state, view, dt):
        place, velocity = state
        acceleration = -2 * self.pull * velocity
        for name in self.watches:
            target = view[name].position
            acceleration = acceleration + self.pull**2 * ((target.mean(axis=0) if target.ndim == 2 else target) - place)
        velocity = velocity + dt * acceleration
        return place + dt * velocity, velocity

    def pose(self, state):
        return Pose(state[0], np.array([1.0, 0, 0, 0]))


def random_positions(draw, shape):
    return np.random.default_rng(draw(st.integers(0, 999))).normal(size=shape) * 2


def random_orientations(draw):
    return random_positions(draw, (4,)) if draw(st.booleans()) else None


def relative_motion(draw, others):
    """Some keys, each perhaps carried by one of the others, timed in any way there is."""
    count = draw(st.integers(2, 4))
    kind = draw(st.sampled_from(["steady", "drawn", "captured", "times"]))
    outside = draw(st.sampled_from(["hold", "hold", "hold", "cycle", "mirror"]))
    shape = draw(st.sampled_from([(3,), (3,), (3,), (2,), (3, 3)]))
    keys = []
    for _ in range(count):
        carrier = draw(st.sampled_from([None, *others]))
        options = {
            "relative_to": carrier,
            "pin": outside == "hold" and draw(st.booleans()),
            "orientation": random_orientations(draw),
        }
        keys.append(Key(random_positions(draw, shape), tension=draw(st.sampled_from([None, 0.5, -1])), **options))
    path, start = MotionPath(keys, closed=draw(st.booleans())), draw(st.sampled_from([0.0, 0.3, -0.4]))
    if kind == "times":
        return Motion(path, KeyTimes(np.cumsum(np.ones(count)) / count), start=start, outside=outside)
    timing = None if kind == "steady" else SpeedProfile(draw(st.sampled_from([[1, 4, 1], [0, 2], [3, 0, 0, 3]])))
    capture = {count - 2: 0.45} if kind == "captured" and count > 2 else None
    return Motion(path, timing, duration=0.9, start=start, outside=outside, capture=capture)


@st.composite
def casts(draw, movers, carried=True):
    """Actors each of whom stands on, looks at, follows or (if `carried`) is carried by earlier ones only."""
    cast, live = [], set()
    for index in range(draw(st.integers(2, 5))):
        others, name = [actor.name for actor in cast], "abcde"[index]
        kind = draw(
            st.sampled_from(
                ["motion", *(["carried"] * 2 if carried else ["motion"]), "take", *(["mover"] * 2 if movers else [])]
            )
        )
        if kind == "mover":
            watches = draw(st.lists(st.sampled_from([*others, name]), max_size=2, unique=True)) if others else []
            thing = Follower(tuple(other for other in watches if other != name), tuple(random_positions(draw, (3,))))
        elif kind == "take":
            thing = shoot(Stage([Actor("t", relative_motion(draw, []))]), 0.8, 10)["t"]
        else:
            thing = relative_motion(draw, others if kind == "carried" else [])
        parent = draw(st.sampled_from([None, None, *others]))
        looks = [None, FaceForward(), FaceForward(bank=0.5), *[LookAt(other) for other in others]]
        actor = Actor(name, thing, parent=parent, facing=draw(st.sampled_from(looks)))
        relied = {*actor.carriers, *({parent} - {None})}
        relied |= {actor.facing.name} if isinstance(actor.facing, LookAt) else set()
        if actor.mover is not None or relied & live:
            live.add(name)
            if actor.carriers and actor.facing == FaceForward(bank=0.5):
                actor = actor.changed(facing=FaceForward())  # nobody knows the way ahead
        cast.append(actor)
    return cast


def assert_same_poses(one, two):
    assert one.keys() == two.keys()
    for name in one:
        assert_array_equal(one[name].position, two[name].position, name)
        assert_array_equal(one[name].orientation, two[name].orientation, name)


few_examples = settings(deadline=None, max_examples=6)


@few_examples
@given(casts(movers=False), st.randoms(use_true_random=False))
def test_motions_are_independent_of_actor_order_and_equal_the_take(cast, chance):
    mixed = list(cast)
    chance.shuffle(mixed)
    stage, other = Stage(cast), Stage(mixed)
    take = shoot(stage, SECONDS, 10)
    assert_same_poses(dict(take.poses), stage.at(take.times))
    for frame in chance.sample(range(len(take.times)), 4):
        one = {name: pose[frame] for name, pose in take.poses.items()}
        assert_same_poses(other.at(take.times[frame]), {name: one[name] for name in other.names})
        assert all(np.isfinite(pose.position).all() for pose in one.values())
    assert shoot(other, SECONDS, 10).events == take.events


@few_examples
@given(casts(movers=False, carried=False))
def test_take_of_motions_has_the_same_bits_with_and_without_kernels(cast):
    takes, allowed = [], kernel_switch.allowed
    try:
        for kernel_switch.allowed in (True, False):
            if kernel_switch.allowed:
                kernel_switch.load_kernels()
            takes.append(shoot(pickle.loads(pickle.dumps(Stage(cast))), SECONDS, 10))  # with nothing derived before
    finally:
        kernel_switch.allowed = allowed
    assert_same_poses(dict(takes[0].poses), dict(takes[1].poses))


@few_examples
@given(casts(movers=True), st.randoms(use_true_random=False))
def test_run_is_independent_of_actor_order_and_equals_replay_and_take(cast, chance):
    mixed = list(cast)
    chance.shuffle(mixed)
    take, run = shoot(Stage(cast), SECONDS), Run(Stage(mixed), tick=Stage(cast).resolved.tick)
    history = []
    for frame in range(len(take.times)):
        shot = {name: take.poses[name][frame] for name in run.stage.names}
        assert_same_poses(run.poses, shot)
        history.append(run.poses)
        if frame + 1 < len(take.times):
            run.tick()
    assert run.events == take.events
    for _ in range(2):
        run.rewind(chance.random() * run.time)
        assert_same_poses(run.poses, history[run.ticks])
        while run.ticks + 1 < len(take.times):
            run.tick()
            assert_same_poses(run.poses, history[run.ticks])
