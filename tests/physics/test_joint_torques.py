"""Do several who pull at one joint get what its muscle has, and no more?"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from keypose.physics.engine.joint_torques import EffectorTask, JointTorques, allocate_torques

torque_values = st.floats(-1e3, 1e3)


def effector_task(required, damping, strength, assist_force):
    jacobian_row = np.array([[1.0]])
    joint_torques = JointTorques(np.array([strength]), assist_force)
    return EffectorTask(
        np.array([required]),
        np.array([damping]),
        np.repeat(jacobian_row, 6, axis=0),
        np.repeat(jacobian_row, 3, axis=0),
        joint_torques,
    )


@given(st.lists(st.tuples(torque_values, torque_values), min_size=1, max_size=3), st.floats(0, 50))
def test_torques_without_assist_force_never_exceed_the_joint_strength(requests, strength):
    allocated, deficits = allocate_torques(
        [effector_task(*request, strength, 0.0) for request in requests], lambda forces: forces
    )
    assert abs(allocated[0]) <= strength * (1 + 1e-9) + 1e-9
    assert_allclose(allocated + np.sum(deficits, axis=0), sum(required for required, _ in requests), atol=1e-9)
    for (required, damping), deficit in zip(requests, deficits, strict=True):
        assert abs(deficit[0]) <= abs(required) + abs(required - damping) + 1e-9


@pytest.mark.parametrize("strength", [0.0, 3.0, 100.0])
def test_unlimited_assist_force_leaves_no_torque_deficit(strength):
    tasks = [effector_task(5.0, 0.0, strength, None), effector_task(-4.999, -20.0, strength, None)]
    allocated, deficits = allocate_torques(tasks, lambda forces: forces)
    assert_allclose(allocated, 0.001, atol=1e-12)
    assert not np.any(deficits)


def test_damping_torque_has_priority():
    allocated, _ = allocate_torques([effector_task(40.0 - 8.0, -8.0, 10.0, 0.0)], lambda forces: forces)
    assert_allclose(allocated, 2.0)  # ten of what pushes, less what slows down
