"""What of a pull only slows down? What the race would do without any way to go, and nothing else."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from keypose import Body, Box, Follow
from keypose.maths import quaternion
from keypose.physics.engine.engine import Engine
from keypose.physics.engine.model_spec import BodySpec
from keypose.physics.following.controller import ZERO_VELOCITY, Gains
from keypose.physics.following.follower_arrays import (
    ACCEL_CMD,
    ANGULAR_ACCEL_CMD,
    PATH_ANGULAR_VELOCITY,
    PATH_VELOCITY,
    SPEED_FACTOR,
    TURN_SPEED_FACTOR,
    FollowerArrays,
)
from keypose.physics.simulation.forces import Actuation
from tests.physics.test_race import STEP, raced, random_path


@given(st.integers(0, 10_000))
@settings(max_examples=60, deadline=None)
def test_what_slows_a_follower_down_is_what_the_race_pulls_with_for_its_speed(seed):
    rng = np.random.default_rng(seed)
    path, brick = random_path(rng, turns=True), Body(Box((0.6, 0.1, 0.3)), rng.uniform(0.5, 5))
    follow = Follow(path, brick, within=0.4, correction=None, reaction=rng.uniform(0.1, 0.5))
    race = FollowerArrays.of({"a": follow}, [0], 9.81)
    memory = race.initial_state()
    memory[0, [SPEED_FACTOR, TURN_SPEED_FACTOR]] = eases = rng.uniform(0.1, 1, 2)
    drifts = memory[0, PATH_VELOCITY : PATH_VELOCITY + 3], memory[0, PATH_ANGULAR_VELOCITY : PATH_ANGULAR_VELOCITY + 3]
    drifts[0][:], drifts[1][:] = rng.normal(size=(2, 3))
    place = np.concatenate([path.at(0.3), quaternion.normalize(rng.normal(size=4))])
    velocity, spin, back = *rng.normal(size=(2, 3)), quaternion.conjugate(place[3:])

    def pulled(*going):
        """What is remembered of a pull on who goes and spins so."""
        return raced(follow, place, np.concatenate([going[0], quaternion.rotate(back, going[1])]), np.ones(3), memory)[
            1
        ]

    engine = Engine([BodySpec("a", brick, tuple(place[:3]), tuple(place[3:]))], (0, 0, 0), STEP)
    after, along = pulled(velocity, spin), pulled(*drifts)
    found = Actuation(engine, race, {}, [], {"a": 0}, {"a": follow}, {})._damping_accelerations(0, after, STEP)
    for part, goes, drift, column in zip((0, 3), (velocity, spin), drifts, (ACCEL_CMD, ANGULAR_ACCEL_CMD), strict=True):
        eased = Gains.of(*follow.pull, follow.reaction).at_speed_factor(eases[part // 3])
        slowed, more = found[part : part + 3], after[column : column + 3] - along[column : column + 3]
        assert_allclose(slowed, eased.acceleration(ZERO_VELOCITY, goes, STEP, drift), rtol=1e-12, atol=1e-12)
        assert_allclose(slowed, more, rtol=1e-9, atol=1e-9)
