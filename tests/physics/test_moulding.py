"""Are MuJoCo's numbers for kinds of things what we take them for?"""

import mujoco
import pytest

from keypose.physics import flexes, moulding


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (moulding.PLANE, mujoco.mjtGeom.mjGEOM_PLANE),
        (moulding.SPHERE, mujoco.mjtGeom.mjGEOM_SPHERE),
        (moulding.CAPSULE, mujoco.mjtGeom.mjGEOM_CAPSULE),
        (moulding.BOX, mujoco.mjtGeom.mjGEOM_BOX),
        (moulding.MESH, mujoco.mjtGeom.mjGEOM_MESH),
        (moulding.BALL, mujoco.mjtJoint.mjJNT_BALL),
        (moulding.HINGE, mujoco.mjtJoint.mjJNT_HINGE),
        (flexes.SLIDES, mujoco.mjtJoint.mjJNT_SLIDE),
        (moulding.CONNECT, mujoco.mjtEq.mjEQ_CONNECT),
        (moulding.WELD, mujoco.mjtEq.mjEQ_WELD),
        (moulding.BODY, mujoco.mjtObj.mjOBJ_BODY),
        (moulding.ELLIPTIC, mujoco.mjtCone.mjCONE_ELLIPTIC),
        (moulding.AUTORESET, mujoco.mjtDisableBit.mjDSBL_AUTORESET),
    ],
)
def test_a_kind_has_the_number_mujoco_gives_it(ours, theirs):
    assert ours == int(theirs)
