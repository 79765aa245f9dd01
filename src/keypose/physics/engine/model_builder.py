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
from keypose.maths import quaternion
from keypose.maths.arrays import Floats
from keypose.physics.engine.contact_model import spring_and_damper
from keypose.physics.engine.flex import LOOKS_AHEAD, add_flex
from keypose.physics.engine.mesh_checks import check_meshes
from keypose.physics.engine.model_spec import Solid, Tie, from_the_root, from_z
from keypose.physics.values.body import Body
from keypose.physics.values.shapes import Box, Capsule, Mesh, Plane, Sphere

PLANE, SPHERE, CAPSULE, BOX, MESH = 0, 2, 3, 6, 7  # MuJoCo's numbers of geoms,
BALL, HINGE = 1, 3  # of joints,
CONNECT, WELD, BODY = 0, 1, 1  # of what holds together, and holds what,
ELLIPTIC, AUTORESET = 1, 1 << 16  # of cones, and of what can be switched off
HEAVIER = 1e3  # than everybody: what is moved by a motion
IMPEDANCE = 0.99  # of a contact: how much of what it is to do it does
TIED, PINNED = 0.65, 0.95  # the same of what is held together: with more, what whirls about a joint gains energy
TIES_DAMPED = 0.7  # of a critical damping: as much has what is held together
WEIGHT_OF_BOUNCE = 8.0  # powers of ten: of two bodies in contact the one that bounces more counts
ROLLING = (0.005, 0.0001)  # MuJoCo's own
GRIPS = 10.0  # times as hard as contacts are: friction, or what lies on a slope would creep down
Z_TO_Y = np.array([np.sqrt(0.5), -np.sqrt(0.5), 0.0, 0.0])  # MuJoCo's capsules lie along z


def mould(spec: Any, solids: Sequence[Solid], gravity: Sequence[float], ties: Sequence[Tie]) -> None:
    """Fill an empty world with solids and what holds them together."""
    spec.option.gravity = tuple(gravity)
    if all(solid.body.stiffness is None for solid in solids):
        spec.option.cone = ELLIPTIC  # the only one that lets friction have its own time
        spec.option.impratio = GRIPS
    spec.option.disableflags |= AUTORESET  # else a lost world looks healthy
    heaviest = max((solid.body.mass for solid in solids if solid.moves), default=1.0)
    held = {solid.hung.on for solid in solids if solid.hung is not None} | {tie.two for tie in ties}
    bodies: dict[int, Any] = {}
    for number in from_the_root(solids):
        solid = solids[number]
        if solid.body.stiffness is not None:
            _touches(add_flex(spec, f"{number}", solid.body), solid.body)
            spec.option.integrator = LOOKS_AHEAD
            continue
        at = spec.worldbody if solid.hung is None else bodies[solid.hung.on]
        if solid.moves or number in held:
            at = bodies[number] = at.add_body(name=f"{number}")
            _hang(at, solid, None if solid.hung is None else solids[solid.hung.on])
            at.gravcomp = 1.0 if solid.is_driven else 0.0
        geom = at.add_geom(name=f"{number}")
        form(spec, geom, solid, number, is_placed=number in bodies)
        geom.mass = HEAVIER * heaviest if solid.is_driven else solid.body.mass
        _touches(geom, solid.body)
        if solid.hung is not None:
            spec.add_exclude(bodyname1=f"{solid.hung.on}", bodyname2=f"{number}")
    for tie in ties:
        _tie(spec, solids, tie)


def _touches(thing: Any, body: Body) -> None:
    """Say how a geom or a flex touches others."""
    thing.friction = body.friction, *ROLLING
    thing.solmix = 10.0 ** (WEIGHT_OF_BOUNCE * body.bounce if body.stiffness is None else 0.0)
    thing.solimp = _always(IMPEDANCE)


def _always(impedance: float) -> tuple[float, ...]:
    """An impedance that is the same however deep a contact is, or how far apart what is held together."""
    return impedance, impedance, 0.001, 0.5, 2.0


def contact(bounce: float, step: float, looks_ahead: bool) -> tuple[float, float]:
    """How long a contact lasts and how it is damped, as MuJoCo wants to be told."""
    stiffness, damping = spring_and_damper(bounce, step, looks_ahead)
    lasts = 2 / (IMPEDANCE * damping)
    return lasts, float(1 / (IMPEDANCE * lasts * np.sqrt(stiffness)))


def _hang(body: Any, solid: Solid, on: Solid | None) -> None:
    """Put a body where it begins, and let it move as it may."""
    place, turn = np.array(solid.position), np.array(solid.orientation)
    hung = solid.hung
    if hung is None or on is None:
        body.pos, body.quat = place, turn
        if solid.moves:
            body.add_freejoint()
        return
    back = quaternion.conjugate(np.array(on.orientation))
    body.pos = quaternion.rotate(back, place - np.array(on.position))
    body.quat = quaternion.multiply(back, turn)
    if hung.at is None:
        return
    own = quaternion.conjugate(turn)
    joint = body.add_joint(stiffness=hung.stiffness, damping=hung.damping)
    joint.type = BALL if hung.axis is None else HINGE
    joint.pos = quaternion.rotate(own, np.array(hung.at) - place)
    if hung.axis is not None:
        joint.axis = quaternion.rotate(own, np.array(hung.axis))
    if hung.limits is not None:
        joint.limited, joint.range = True, np.degrees(hung.limits)


def _tie(spec: Any, solids: Sequence[Solid], tie: Tie) -> None:
    """Hold two together."""
    one, two = f"{tie.one}", "world" if tie.two is None else f"{tie.two}"
    back = quaternion.conjugate(np.array(solids[tie.one].orientation))
    if tie.two is not None:
        spec.add_exclude(bodyname1=one, bodyname2=two)
    for point in tie.places or (None,):
        data = np.zeros(12)
        if point is None:
            data[10] = 1.0  # as much for turns as for places; no turn said: as they stand
        else:
            data[:3] = quaternion.rotate(back, np.array(point) - np.array(solids[tie.one].position))
        kind, gives = (WELD, PINNED) if point is None else (CONNECT, TIED)
        held = spec.add_equality(type=kind, objtype=BODY, name1=one, name2=two, data=data)
        held.solimp, held.solref[1] = _always(gives), TIES_DAMPED


def form(spec: Any, geom: Any, solid: Solid, number: int, is_placed: bool) -> None:
    """Give a geom the shape of a solid; where that hangs in a body, around the body's own middle."""
    shape = solid.body.shape
    place, turn = np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0])
    if not is_placed:
        place, turn = np.array(solid.position), np.array(solid.orientation)
    match shape:
        case Sphere(radius):
            geom.type, geom.size = SPHERE, (radius, 0, 0)
        case Box((x, y, z)):
            geom.type, geom.size = BOX, (x / 2, y / 2, z / 2)
        case Capsule(radius, length):
            geom.type, geom.size = CAPSULE, (radius, length / 2, 0)
            turn = quaternion.multiply(turn, Z_TO_Y)
        case Plane(normal, offset):
            geom.type, geom.size = PLANE, (0, 0, 1)
            place = place + quaternion.rotate(turn, offset * np.array(normal))
            turn = quaternion.multiply(turn, from_z(np.array(normal)))
        case Mesh(file, scale):
            if not Path(file).is_file():
                raise KeyposeError(f"Actor {solid.name!r} has a mesh in {file!r}, and there is no such file.")
            spec.add_mesh(name=f"{number}", file=str(Path(file).absolute()), scale=(scale,) * 3)
            geom.type, geom.meshname = MESH, f"{number}"
    geom.pos, geom.quat = place, turn


def compiled(empty: Callable[[], Any], solids: Sequence[Solid], gravity: Sequence[float], ties: Sequence[Tie]) -> Any:
    """The model of these, with what holds them together; `empty` is MuJoCo's specification of nothing yet."""
    spec = empty()
    mould(spec, solids, gravity, ties)
    try:
        with warnings.catch_warnings(action="ignore"):  # what is wrong is told by who it is, when it is lost
            return spec.compile()
    except ValueError as error:
        check_meshes(solids, lambda solid, mesh: _sides(empty(), solid, mesh))
        raise KeyposeError(f"The bodies of a stage cannot be simulated: {_in_a_line(error)}") from None


def _sides(spec: Any, solid: Solid, mesh: Mesh) -> Floats | str:
    """How large the box around a solid is if it is such a mesh [m]; or why there is none."""
    form(spec, spec.worldbody.add_geom(), replace(solid, body=Body(mesh)), 0, is_placed=False)
    try:
        return 2 * np.asarray(spec.compile().geom_aabb[0, 3:])
    except ValueError as error:
        return _in_a_line(error).removeprefix("mesh '0' has ").split(". ")[0]


def _in_a_line(error: ValueError) -> str:
    return str(error).removeprefix("Error: ").splitlines()[0].rstrip(".")
