"""Build a MuJoCo model from body specs: bodies with geoms, joints, equalities and flexes.

Where MuJoCo refuses to compile it, an error says which body is wrong.
"""

import warnings
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import mujoco
import numpy as np

from keypose.errors import KeyposeError
from keypose.maths import Floats, quaternion
from keypose.physics.engine.contact_model.contact_model import (
    constant_impedance,
    set_contact_options,
    set_contact_parameters,
)
from keypose.physics.engine.flex import add_flex
from keypose.physics.engine.mesh_checks import check_meshes
from keypose.physics.engine.model_spec import BodySpec, EqualitySpec, order_parents_first, rotation_from_z
from keypose.physics.values.body import Body
from keypose.physics.values.shapes import Box, Capsule, Mesh, Plane, Sphere

KINEMATIC_MASS_RATIO = 1e3  # than everybody: what is moved by a motion
CONNECT_IMPEDANCE, WELD_IMPEDANCE = (
    0.65,
    0.95,
)  # the same of what is held together: with more, what whirls about a joint gains energy
EQUALITY_DAMPING_RATIO = 0.7  # of a critical damping: as much has what is held together
Z_TO_Y = np.array([np.sqrt(0.5), -np.sqrt(0.5), 0.0, 0.0])  # MuJoCo's capsules lie along z


def build_model(
    spec: mujoco.MjSpec, body_specs: Sequence[BodySpec], gravity: Sequence[float], equalities: Sequence[EqualitySpec]
) -> None:
    """Fill an empty world with solids and what holds them together."""
    spec.option.gravity = tuple(gravity)
    if all(body_spec.body.stiffness is None for body_spec in body_specs):
        set_contact_options(spec.option)
    spec.option.disableflags |= mujoco.mjtDisableBit.mjDSBL_AUTORESET  # else a lost world looks healthy
    max_mass = max((body_spec.body.mass for body_spec in body_specs if body_spec.is_movable), default=1.0)
    constrained = {body_spec.joint.parent for body_spec in body_specs if body_spec.joint is not None} | {
        equality.body2 for equality in equalities
    }
    bodies: dict[int, mujoco.MjsBody] = {}
    for number in order_parents_first(body_specs):
        body_spec = body_specs[number]
        if body_spec.body.stiffness is not None:
            set_contact_parameters(add_flex(spec, f"{number}", body_spec.body), body_spec.body)
            spec.option.integrator = mujoco.mjtIntegrator.mjINT_DISCRETE
            continue
        mj_body = spec.worldbody if body_spec.joint is None else bodies[body_spec.joint.parent]
        if body_spec.is_movable or number in constrained:
            mj_body = bodies[number] = mj_body.add_body(name=f"{number}")
            _attach(mj_body, body_spec, None if body_spec.joint is None else body_specs[body_spec.joint.parent])
            mj_body.gravcomp = 1.0 if body_spec.is_kinematic else 0.0
        geom = mj_body.add_geom(name=f"{number}")
        set_shape(spec, geom, body_spec, number, has_own_body=number in bodies)
        geom.mass = KINEMATIC_MASS_RATIO * max_mass if body_spec.is_kinematic else body_spec.body.mass
        set_contact_parameters(geom, body_spec.body)
        if body_spec.joint is not None:
            spec.add_exclude(bodyname1=f"{body_spec.joint.parent}", bodyname2=f"{number}")
    for equality in equalities:
        _add_equality(spec, body_specs, equality)


def _attach(body: mujoco.MjsBody, body_spec: BodySpec, parent: BodySpec | None) -> None:
    """Put a body where it begins, and let it move as it may."""
    position, orientation = np.array(body_spec.position), np.array(body_spec.orientation)
    joint_spec = body_spec.joint
    if joint_spec is None or parent is None:
        body.pos, body.quat = position, orientation
        if body_spec.is_movable:
            body.add_freejoint()
        return
    to_parent = quaternion.conjugate(np.array(parent.orientation))
    body.pos = quaternion.rotate(to_parent, position - np.array(parent.position))
    body.quat = quaternion.multiply(to_parent, orientation)
    if joint_spec.anchor is None:
        return
    to_local = quaternion.conjugate(orientation)
    joint = body.add_joint(stiffness=joint_spec.stiffness, damping=joint_spec.damping)
    joint.type = mujoco.mjtJoint.mjJNT_BALL if joint_spec.axis is None else mujoco.mjtJoint.mjJNT_HINGE
    joint.pos = quaternion.rotate(to_local, np.array(joint_spec.anchor) - position)
    if joint_spec.axis is not None:
        joint.axis = quaternion.rotate(to_local, np.array(joint_spec.axis))
    if joint_spec.limits is not None:
        joint.limited, joint.range = True, np.degrees(joint_spec.limits)


def _add_equality(spec: mujoco.MjSpec, body_specs: Sequence[BodySpec], equality: EqualitySpec) -> None:
    """Hold two together."""
    name1, name2 = f"{equality.body1}", "world" if equality.body2 is None else f"{equality.body2}"
    to_local = quaternion.conjugate(np.array(body_specs[equality.body1].orientation))
    if equality.body2 is not None:
        spec.add_exclude(bodyname1=name1, bodyname2=name2)
    for point in equality.anchors or (None,):
        data = np.zeros(12)
        if point is None:
            data[10] = 1.0  # as much for turns as for places; no turn said: as they stand
        else:
            data[:3] = quaternion.rotate(to_local, np.array(point) - np.array(body_specs[equality.body1].position))
        kind, impedance = (
            (mujoco.mjtEq.mjEQ_WELD, WELD_IMPEDANCE)
            if point is None
            else (mujoco.mjtEq.mjEQ_CONNECT, CONNECT_IMPEDANCE)
        )
        constraint = spec.add_equality(type=kind, objtype=mujoco.mjtObj.mjOBJ_BODY, name1=name1, name2=name2, data=data)
        constraint.solimp, constraint.solref[1] = constant_impedance(impedance), EQUALITY_DAMPING_RATIO


def set_shape(spec: mujoco.MjSpec, geom: mujoco.MjsGeom, body_spec: BodySpec, number: int, has_own_body: bool) -> None:
    """Give a geom the shape of a solid; where that hangs in a body, around the body's own middle."""
    shape = body_spec.body.shape
    position, orientation = np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0])
    if not has_own_body:
        position, orientation = np.array(body_spec.position), np.array(body_spec.orientation)
    match shape:
        case Sphere(radius):
            geom.type, geom.size = mujoco.mjtGeom.mjGEOM_SPHERE, (radius, 0, 0)
        case Box((x, y, z)):
            geom.type, geom.size = mujoco.mjtGeom.mjGEOM_BOX, (x / 2, y / 2, z / 2)
        case Capsule(radius, length):
            geom.type, geom.size = mujoco.mjtGeom.mjGEOM_CAPSULE, (radius, length / 2, 0)
            orientation = quaternion.multiply(orientation, Z_TO_Y)
        case Plane(normal, offset):
            geom.type, geom.size = mujoco.mjtGeom.mjGEOM_PLANE, (0, 0, 1)
            position = position + quaternion.rotate(orientation, offset * np.array(normal))
            orientation = quaternion.multiply(orientation, rotation_from_z(np.array(normal)))
        case Mesh(file, scale):
            if not Path(file).is_file():
                raise KeyposeError(f"Actor {body_spec.name!r} has a mesh in {file!r}, and there is no such file.")
            spec.add_mesh(name=f"{number}", file=str(Path(file).absolute()), scale=(scale,) * 3)
            geom.type, geom.meshname = mujoco.mjtGeom.mjGEOM_MESH, f"{number}"
    geom.pos, geom.quat = position, orientation


def compile_model(
    body_specs: Sequence[BodySpec],
    gravity: Sequence[float],
    equalities: Sequence[EqualitySpec],
) -> mujoco.MjModel:
    """The model of these bodies and equalities."""
    spec = mujoco.MjSpec()
    build_model(spec, body_specs, gravity, equalities)
    try:
        with warnings.catch_warnings(action="ignore"):  # what is wrong is told by who it is, when it is lost
            return spec.compile()
    except ValueError as error:
        check_meshes(body_specs, lambda body_spec, mesh: _mesh_size(body_spec, mesh))
        raise KeyposeError(f"The bodies of a stage cannot be simulated: {_first_line(error)}") from None


def _mesh_size(body_spec: BodySpec, mesh: Mesh) -> Floats | str:
    """How large the box around a solid is if it is such a mesh [m]; or why there is none."""
    spec = mujoco.MjSpec()
    set_shape(spec, spec.worldbody.add_geom(), replace(body_spec, body=Body(mesh)), 0, has_own_body=False)
    try:
        return 2 * np.asarray(spec.compile().geom_aabb[0, 3:])
    except ValueError as error:
        return _first_line(error).removeprefix("mesh '0' has ").split(". ")[0]


def _first_line(error: ValueError) -> str:
    return str(error).removeprefix("Error: ").splitlines()[0].rstrip(".")
