"""How does MuJoCo come to know of solids? Each becomes a body with a geom, hung on others, tied to them, or a flex.

A world is filled that the engine has made, by MuJoCo's own numbers for kinds of things.

What does MuJoCo make of all solids? A model; or it refuses, and then it is said which of them is wrong.
"""

import warnings
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from keypose.errors import KeyposeError
from keypose.maths import Floats, quaternion
from keypose.physics.engine.contact_model import contact_stiffness_damping
from keypose.physics.engine.flex import DISCRETE_INTEGRATOR, add_flex
from keypose.physics.engine.mesh_checks import check_meshes
from keypose.physics.engine.model_spec import BodySpec, EqualitySpec, order_parents_first, rotation_from_z
from keypose.physics.values.body import Body
from keypose.physics.values.shapes import Box, Capsule, Mesh, Plane, Sphere

PLANE, SPHERE, CAPSULE, BOX, MESH = 0, 2, 3, 6, 7  # MuJoCo's numbers of geoms,
BALL, HINGE = 1, 3  # of joints,
CONNECT, WELD, BODY = 0, 1, 1  # of what holds together, and holds what,
ELLIPTIC, AUTORESET = 1, 1 << 16  # of cones, and of what can be switched off
KINEMATIC_MASS_RATIO = 1e3  # than everybody: what is moved by a motion
CONTACT_IMPEDANCE = 0.99  # of a contact: how much of what it is to do it does
CONNECT_IMPEDANCE, WELD_IMPEDANCE = (
    0.65,
    0.95,
)  # the same of what is held together: with more, what whirls about a joint gains energy
EQUALITY_DAMPING_RATIO = 0.7  # of a critical damping: as much has what is held together
BOUNCE_MIX_EXPONENT = 8.0  # powers of ten: of two bodies in contact the one that bounces more counts
ROLLING_FRICTION = (0.005, 0.0001)  # MuJoCo's own
FRICTION_IMPEDANCE_RATIO = 10.0  # times as hard as contacts are: friction, or what lies on a slope would creep down
Z_TO_Y = np.array([np.sqrt(0.5), -np.sqrt(0.5), 0.0, 0.0])  # MuJoCo's capsules lie along z


def build_model(
    spec: Any, body_specs: Sequence[BodySpec], gravity: Sequence[float], equalities: Sequence[EqualitySpec]
) -> None:
    """Fill an empty world with solids and what holds them together."""
    spec.option.gravity = tuple(gravity)
    if all(body_spec.body.stiffness is None for body_spec in body_specs):
        spec.option.cone = ELLIPTIC  # the only one that lets friction have its own time
        spec.option.impratio = FRICTION_IMPEDANCE_RATIO
    spec.option.disableflags |= AUTORESET  # else a lost world looks healthy
    max_mass = max((body_spec.body.mass for body_spec in body_specs if body_spec.is_movable), default=1.0)
    constrained = {body_spec.joint.parent for body_spec in body_specs if body_spec.joint is not None} | {
        equality.body2 for equality in equalities
    }
    bodies: dict[int, Any] = {}
    for number in order_parents_first(body_specs):
        body_spec = body_specs[number]
        if body_spec.body.stiffness is not None:
            _set_contact(add_flex(spec, f"{number}", body_spec.body), body_spec.body)
            spec.option.integrator = DISCRETE_INTEGRATOR
            continue
        mj_body = spec.worldbody if body_spec.joint is None else bodies[body_spec.joint.parent]
        if body_spec.is_movable or number in constrained:
            mj_body = bodies[number] = mj_body.add_body(name=f"{number}")
            _attach(mj_body, body_spec, None if body_spec.joint is None else body_specs[body_spec.joint.parent])
            mj_body.gravcomp = 1.0 if body_spec.is_kinematic else 0.0
        geom = mj_body.add_geom(name=f"{number}")
        set_shape(spec, geom, body_spec, number, has_own_body=number in bodies)
        geom.mass = KINEMATIC_MASS_RATIO * max_mass if body_spec.is_kinematic else body_spec.body.mass
        _set_contact(geom, body_spec.body)
        if body_spec.joint is not None:
            spec.add_exclude(bodyname1=f"{body_spec.joint.parent}", bodyname2=f"{number}")
    for equality in equalities:
        _add_equality(spec, body_specs, equality)


def _set_contact(element: Any, body: Body) -> None:
    """Say how a geom or a flex touches others."""
    element.friction = body.friction, *ROLLING_FRICTION
    element.solmix = 10.0 ** (BOUNCE_MIX_EXPONENT * body.bounce if body.stiffness is None else 0.0)
    element.solimp = _constant_impedance(CONTACT_IMPEDANCE)


def _constant_impedance(impedance: float) -> tuple[float, ...]:
    """An impedance that is the same however deep a contact is, or how far apart what is held together."""
    return impedance, impedance, 0.001, 0.5, 2.0


def contact_solref(bounce: float, step: float, is_discrete: bool) -> tuple[float, float]:
    """How long a contact lasts and how it is damped, as MuJoCo wants to be told."""
    stiffness, damping = contact_stiffness_damping(bounce, step, is_discrete)
    time_constant = 2 / (CONTACT_IMPEDANCE * damping)
    return time_constant, float(1 / (CONTACT_IMPEDANCE * time_constant * np.sqrt(stiffness)))


def _attach(body: Any, body_spec: BodySpec, parent: BodySpec | None) -> None:
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
    joint.type = BALL if joint_spec.axis is None else HINGE
    joint.pos = quaternion.rotate(to_local, np.array(joint_spec.anchor) - position)
    if joint_spec.axis is not None:
        joint.axis = quaternion.rotate(to_local, np.array(joint_spec.axis))
    if joint_spec.limits is not None:
        joint.limited, joint.range = True, np.degrees(joint_spec.limits)


def _add_equality(spec: Any, body_specs: Sequence[BodySpec], equality: EqualitySpec) -> None:
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
        kind, impedance = (WELD, WELD_IMPEDANCE) if point is None else (CONNECT, CONNECT_IMPEDANCE)
        constraint = spec.add_equality(type=kind, objtype=BODY, name1=name1, name2=name2, data=data)
        constraint.solimp, constraint.solref[1] = _constant_impedance(impedance), EQUALITY_DAMPING_RATIO


def set_shape(spec: Any, geom: Any, body_spec: BodySpec, number: int, has_own_body: bool) -> None:
    """Give a geom the shape of a solid; where that hangs in a body, around the body's own middle."""
    shape = body_spec.body.shape
    position, orientation = np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0])
    if not has_own_body:
        position, orientation = np.array(body_spec.position), np.array(body_spec.orientation)
    match shape:
        case Sphere(radius):
            geom.type, geom.size = SPHERE, (radius, 0, 0)
        case Box((x, y, z)):
            geom.type, geom.size = BOX, (x / 2, y / 2, z / 2)
        case Capsule(radius, length):
            geom.type, geom.size = CAPSULE, (radius, length / 2, 0)
            orientation = quaternion.multiply(orientation, Z_TO_Y)
        case Plane(normal, offset):
            geom.type, geom.size = PLANE, (0, 0, 1)
            position = position + quaternion.rotate(orientation, offset * np.array(normal))
            orientation = quaternion.multiply(orientation, rotation_from_z(np.array(normal)))
        case Mesh(file, scale):
            if not Path(file).is_file():
                raise KeyposeError(f"Actor {body_spec.name!r} has a mesh in {file!r}, and there is no such file.")
            spec.add_mesh(name=f"{number}", file=str(Path(file).absolute()), scale=(scale,) * 3)
            geom.type, geom.meshname = MESH, f"{number}"
    geom.pos, geom.quat = position, orientation


def compile_model(
    new_spec: Callable[[], Any],
    body_specs: Sequence[BodySpec],
    gravity: Sequence[float],
    equalities: Sequence[EqualitySpec],
) -> Any:
    """The model of these, with what holds them together; `new_spec` is MuJoCo's specification of nothing yet."""
    spec = new_spec()
    build_model(spec, body_specs, gravity, equalities)
    try:
        with warnings.catch_warnings(action="ignore"):  # what is wrong is told by who it is, when it is lost
            return spec.compile()
    except ValueError as error:
        check_meshes(body_specs, lambda body_spec, mesh: _mesh_size(new_spec(), body_spec, mesh))
        raise KeyposeError(f"The bodies of a stage cannot be simulated: {_first_line(error)}") from None


def _mesh_size(spec: Any, body_spec: BodySpec, mesh: Mesh) -> Floats | str:
    """How large the box around a solid is if it is such a mesh [m]; or why there is none."""
    set_shape(spec, spec.worldbody.add_geom(), replace(body_spec, body=Body(mesh)), 0, has_own_body=False)
    try:
        return 2 * np.asarray(spec.compile().geom_aabb[0, 3:])
    except ValueError as error:
        return _first_line(error).removeprefix("mesh '0' has ").split(". ")[0]


def _first_line(error: ValueError) -> str:
    return str(error).removeprefix("Error: ").splitlines()[0].rstrip(".")
