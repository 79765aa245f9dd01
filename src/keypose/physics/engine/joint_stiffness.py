"""How stiff may a joint be? As stiff as it likes: what is too much for a step is taken as inertia and damping.

A step h carries k·h² up to the inertia I it turns; beyond four times that whoever hangs there is lost. Of what is too
much, half, (k·h² − I)/2, is added to the inertia of the joint, and as much for each step to its damping: no step is
too long then, the joint rests where load and stiffness balance, and what swings faster than steps can show calms down.
"""

from collections.abc import Sequence

import numpy as np

from keypose.maths import Floats, quaternion
from keypose.physics.engine.model_spec import BodySpec, JointSpec


def step_stiffness_limits(
    body_specs: Sequence[BodySpec], inertia: Floats, axes: Floats
) -> dict[int, tuple[JointSpec, float]]:
    """How much k·h² [kg m²] of each joint that draws back to rest steps carry, beside it, by the row that hangs by it.

    That is the inertia of the lighter of the two it holds, about its axis, wherever they are: each body gives an equal
    share of its own to all such joints at it. What else hangs there only makes it harder to turn.
    """
    spring_joints = {
        row: body_spec.joint
        for row, body_spec in enumerate(body_specs)
        if body_spec.joint is not None and body_spec.joint.stiffness > 0
    }
    bodies_by_joint = {
        row: [body for body in (row, joint.parent) if body_specs[body].is_movable]
        for row, joint in spring_joints.items()
    }
    joint_counts: dict[int, int] = {}
    for bodies in bodies_by_joint.values():
        for body in bodies:
            joint_counts[body] = joint_counts.get(body, 0) + 1
    limits = {}
    for row, joint in spring_joints.items():
        inertias = []
        for body in bodies_by_joint[row]:
            min_inertia = float(inertia[body].min())
            if joint.axis is not None:
                orientation = quaternion.multiply(np.array(body_specs[body].orientation), axes[body])
                local_axis = quaternion.rotate(quaternion.conjugate(orientation), np.array(joint.axis))
                min_inertia = float(1 / (local_axis**2 / inertia[body]).sum() * (local_axis @ local_axis))
            inertias.append(min_inertia / joint_counts[body])
        limits[row] = joint, min(inertias)
    return limits
