"""Do several who pull at one joint get what its muscle has, and no more?"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from keypose.physics.engine.joint_torques import EffectorTask, JointTorques, allocate_torques

newtons = st.floats(-1e3, 1e3)


def effector_task(wanted, slows, strength, helped):
    motion = np.array([[1.0]])
    muscles = JointTorques(np.array([strength]), helped)
    return EffectorTask(
        np.array([wanted]), np.array([slows]), np.repeat(motion, 6, axis=0), np.repeat(motion, 3, axis=0), muscles
    )


@given(st.lists(st.tuples(newtons, newtons), min_size=1, max_size=3), st.floats(0, 50))
def test_torques_without_assist_force_never_exceed_the_joint_strength(wishes, strength):
    given, lacks = allocate_torques([effector_task(*wish, strength, 0.0) for wish in wishes], lambda forces: forces)
    assert abs(given[0]) <= strength * (1 + 1e-9) + 1e-9
    assert_allclose(given + np.sum(lacks, axis=0), sum(wanted for wanted, _ in wishes), atol=1e-9)
    for (wanted, slows), lack in zip(wishes, lacks, strict=True):
        assert abs(lack[0]) <= abs(wanted) + abs(wanted - slows) + 1e-9


@pytest.mark.parametrize("strength", [0.0, 3.0, 100.0])
def test_unlimited_assist_force_leaves_no_torque_deficit(strength):
    tasks = [effector_task(5.0, 0.0, strength, None), effector_task(-4.999, -20.0, strength, None)]
    given, lacks = allocate_torques(tasks, lambda forces: forces)
    assert_allclose(given, 0.001, atol=1e-12)
    assert not np.any(lacks)


def test_damping_torque_has_priority():
    given, _ = allocate_torques([effector_task(40.0 - 8.0, -8.0, 10.0, 0.0)], lambda forces: forces)
    assert_allclose(given, 2.0)  # ten of what pushes, less what slows down
