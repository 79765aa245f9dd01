"""What of a pull only slows down? What the race would do without any way to go, and nothing else."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from keypose import Body, Box, Follow
from keypose.maths import quaternion
from keypose.physics.engine.engine import Engine
from keypose.physics.engine.model_spec import BodySpec
from keypose.physics.following.follower_arrays import FollowerArrays
from keypose.physics.following.force_law import ZERO_VELOCITY, Gains
from keypose.physics.simulation.forces import Actuation
from tests.physics.test_following_kernels import STEP, random_path, step_follower


@given(st.integers(0, 10_000))
@settings(max_examples=60, deadline=None)
def test_damping_acceleration_is_the_velocity_part_of_the_follower_acceleration(seed):
    rng = np.random.default_rng(seed)
    path, brick = random_path(rng, with_orientations=True), Body(Box((0.6, 0.1, 0.3)), rng.uniform(0.5, 5))
    follow = Follow(path, brick, within=0.4, correction=None, reaction=rng.uniform(0.1, 0.5))
    arrays = FollowerArrays.of({"a": follow}, [0], 9.81)
    state = arrays.initial_state()
    speed_factors = rng.uniform(0.1, 1, 2)
    state["speed_factor"], state["turn_speed_factor"] = speed_factors
    path_velocities = state[0].path_velocity, state[0].path_angular_velocity
    path_velocities[0][:], path_velocities[1][:] = rng.normal(size=(2, 3))
    pose = np.concatenate([path.at(0.3), quaternion.normalize(rng.normal(size=4))])
    velocity, angular_velocity, inverse_orientation = *rng.normal(size=(2, 3)), quaternion.conjugate(pose[3:])

    def state_after(*velocities):
        """What is remembered of a pull on who goes and spins so."""
        return step_follower(
            follow,
            pose,
            np.concatenate([velocities[0], quaternion.rotate(inverse_orientation, velocities[1])]),
            np.ones(3),
            state,
        )[1]

    engine = Engine([BodySpec("a", brick, tuple(pose[:3]), tuple(pose[3:]))], (0, 0, 0), STEP)
    moving_state, drifting_state = state_after(velocity, angular_velocity), state_after(*path_velocities)
    found = Actuation(engine, arrays, {}, [], {"a": 0}, {"a": follow}, {})._damping_accelerations(0, moving_state, STEP)
    for offset, body_velocity, path_velocity, command in zip(
        (0, 3), (velocity, angular_velocity), path_velocities, ("accel_cmd", "angular_accel_cmd"), strict=True
    ):
        slowed_gains = Gains.of(*follow.pull, follow.reaction).at_speed_factor(speed_factors[offset // 3])
        damping_acceleration, difference = (
            found[offset : offset + 3],
            moving_state[command] - drifting_state[command],
        )
        assert_allclose(
            damping_acceleration,
            slowed_gains.acceleration(ZERO_VELOCITY, body_velocity, STEP, path_velocity),
            rtol=1e-12,
            atol=1e-12,
        )
        assert_allclose(damping_acceleration, difference, rtol=1e-9, atol=1e-9)
