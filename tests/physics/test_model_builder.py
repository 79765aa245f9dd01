"""Are MuJoCo's numbers for kinds of things what we take them for?"""

import mujoco
import pytest

from keypose.physics.engine import flex, model_builder


@pytest.mark.parametrize(
    ("constant", "mujoco_enum"),
    [
        (model_builder.PLANE, mujoco.mjtGeom.mjGEOM_PLANE),
        (model_builder.SPHERE, mujoco.mjtGeom.mjGEOM_SPHERE),
        (model_builder.CAPSULE, mujoco.mjtGeom.mjGEOM_CAPSULE),
        (model_builder.BOX, mujoco.mjtGeom.mjGEOM_BOX),
        (model_builder.MESH, mujoco.mjtGeom.mjGEOM_MESH),
        (model_builder.BALL, mujoco.mjtJoint.mjJNT_BALL),
        (model_builder.HINGE, mujoco.mjtJoint.mjJNT_HINGE),
        (flex.SLIDE_JOINT, mujoco.mjtJoint.mjJNT_SLIDE),
        (model_builder.CONNECT, mujoco.mjtEq.mjEQ_CONNECT),
        (model_builder.WELD, mujoco.mjtEq.mjEQ_WELD),
        (model_builder.BODY, mujoco.mjtObj.mjOBJ_BODY),
        (model_builder.ELLIPTIC, mujoco.mjtCone.mjCONE_ELLIPTIC),
        (model_builder.AUTORESET, mujoco.mjtDisableBit.mjDSBL_AUTORESET),
    ],
)
def test_constant_equals_its_mujoco_enum(constant, mujoco_enum):
    assert constant == int(mujoco_enum)
