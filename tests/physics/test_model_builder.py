"""What MuJoCo is told of bodies."""

import mujoco
import pytest

from keypose import Body, Box, Capsule, Plane, Sphere
from keypose.physics.engine.model_builder import compile_model
from keypose.physics.engine.model_spec import BodySpec, EqualitySpec, JointSpec

UPRIGHT = (1.0, 0.0, 0.0, 0.0)


def spec(shape, x=0.0, **options):
    return BodySpec(f"at {x}", Body(shape), (x, 0, 0), UPRIGHT, **options)


@pytest.mark.parametrize(
    ("shape", "geom_type", "size"),
    [
        (Sphere(0.3), mujoco.mjtGeom.mjGEOM_SPHERE, [0.3, 0, 0]),
        (Box((1, 2, 3)), mujoco.mjtGeom.mjGEOM_BOX, [0.5, 1, 1.5]),
        (Capsule(0.1, 0.5), mujoco.mjtGeom.mjGEOM_CAPSULE, [0.1, 0.25, 0]),
    ],
)
def test_each_shape_becomes_its_geom_with_half_sizes(shape, geom_type, size):
    model = compile_model([spec(shape)], (0, -9.81, 0), [])
    assert model.geom_type.tolist() == [geom_type]
    assert model.geom_size[0].tolist() == size


def test_plane_becomes_a_plane_that_does_not_move():
    model = compile_model([spec(Plane(), is_movable=False)], (0, 0, 0), [])
    assert model.geom_type.tolist() == [mujoco.mjtGeom.mjGEOM_PLANE]
    assert model.nv == 0


def test_joints_and_equalities_become_those_of_mujoco():
    bodies = [
        spec(Sphere(0.1)),
        spec(Sphere(0.1), 1.0, joint=JointSpec(0, (0.5, 0, 0))),
        spec(Sphere(0.1), 2.0, joint=JointSpec(1, (1.5, 0, 0), (0, 0, 1))),
    ]
    model = compile_model(bodies, (0, 0, 0), [EqualitySpec(0, None, ((0.0, 0.0, 0.0),)), EqualitySpec(2, None, ())])
    joints = mujoco.mjtJoint.mjJNT_FREE, mujoco.mjtJoint.mjJNT_BALL, mujoco.mjtJoint.mjJNT_HINGE
    assert model.jnt_type.tolist() == [int(joint) for joint in joints]
    assert model.eq_type.tolist() == [int(mujoco.mjtEq.mjEQ_CONNECT), int(mujoco.mjtEq.mjEQ_WELD)]


def test_diverged_model_is_not_reset_to_its_first_state():
    model = compile_model([spec(Sphere(0.1))], (0, 0, 0), [])
    assert model.opt.disableflags & mujoco.mjtDisableBit.mjDSBL_AUTORESET
