"""How do bodies move? As MuJoCo says; this is the only place that knows it.

Bodies that move are free joints, in the order they are given: seven numbers of place and facing (w x y z), six of
velocity in the world and spin in the body's own frame. What a motion moves is one too, a thousand times as heavy as all
others and put in its place before every step: so it pushes with its speed, and nothing pushes it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
from numpy.typing import NDArray

from keypose.errors import KeyposeError
from keypose.maths import quaternion
from keypose.physics.body import Body
from keypose.physics.bouncing import spring_and_damper
from keypose.physics.shapes import Box, Capsule, Mesh, Plane, Sphere

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

mujoco.set_mju_user_warning(lambda _: None)  # it would write files; what is wrong is seen in the state itself

ALL = mujoco.mjtState.mjSTATE_INTEGRATION  # nothing less goes on with the same bits
HEAVIER = 1e3  # than everybody: what is moved by a motion
IMPEDANCE = 0.99  # of a contact: how much of what it is to do it does
WEIGHT_OF_BOUNCE = 8.0  # powers of ten: of two bodies in contact the one that bounces more counts
ROLLING = (0.005, 0.0001)  # MuJoCo's own
Z_TO_Y = np.array([np.sqrt(0.5), -np.sqrt(0.5), 0.0, 0.0])  # MuJoCo's capsules lie along z


@dataclass(frozen=True)
class Solid:
    """A body somewhere."""

    name: str
    body: Body
    position: tuple[float, ...]
    orientation: tuple[float, ...]
    moves: bool = True
    is_driven: bool = False
    """Whether a motion moves it."""


class Engine:
    """A world of bodies."""

    def __init__(self, solids: Sequence[Solid], gravity: Sequence[float], step: float) -> None:
        self.solids = tuple(solids)
        self._model = _model(self.solids, gravity)
        self._data = mujoco.MjData(self._model)
        self._size = mujoco.mj_stateSize(self._model, ALL)
        self._remembered = np.empty(self._size)
        geoms = range(self._model.ngeom)  # which are not in the order they were given
        self._solid_of_geom = np.array([int(self._model.geom(geom).name) for geom in geoms], dtype=np.int64)
        self._set(step)
        self.look()
        bodies = [self._model.body(f"{number}").id for number, solid in enumerate(self.solids) if solid.moves]
        self._bodies = np.array(bodies, dtype=np.int64)
        self.mass: Floats = self._model.body_mass[self._bodies].copy()
        self.inertia: Floats = self._model.body_inertia[self._bodies].copy()
        self.axes: Floats = self._model.body_iquat[self._bodies].copy()
        """(moving, 4): how the axes of the inertia stand in each body."""
        self.force: Floats = self._data.xfrc_applied[1:]
        """(moving, 6): what is pushed and turned with, in the world; lasts until it is said anew."""
        self.place: Floats = self._data.qpos.reshape(-1, 7)
        self.going: Floats = self._data.qvel.reshape(-1, 6)

    def state(self) -> Floats:
        """All there is to know of it now."""
        state = np.empty(self._size)
        mujoco.mj_getState(self._model, self._data, state, ALL)
        return state

    def remember(self) -> None:
        """Remember how it is now, to be brought back to it."""
        mujoco.mj_getState(self._model, self._data, self._remembered, ALL)

    def bring_back(self) -> None:
        """Be as it was when that was last remembered."""
        self.restore(self._remembered)

    def restore(self, state: Floats) -> None:
        """Be as it was."""
        mujoco.mj_setState(self._model, self._data, state, ALL)
        self.look()

    def look(self) -> None:
        """See who touches whom, where everybody is put now."""
        mujoco.mj_step1(self._model, self._data)

    def take(self, seconds: float) -> None:
        """Let steps take so long from now on; contacts are seen anew, as hard as that allows."""
        if seconds != self._step:
            self._set(seconds)
            self.look()

    def advance(self) -> None:
        """One step with the forces said; then see who touches whom."""
        mujoco.mj_step2(self._model, self._data)
        mujoco.mj_step1(self._model, self._data)

    @property
    def depth(self) -> float:
        """How deep the deepest contact is [m]."""
        contacts = self._data.contact
        return float(-contacts.dist.min(initial=0.0)) if self._data.ncon else 0.0

    @property
    def is_finite(self) -> bool:
        """Whether all of it is numbers."""
        return isfinite(self._data.qvel.sum() + self._data.qpos.sum())

    @property
    def contacts(self) -> bytes:
        """The same as long as the same touch."""
        return b"" if not self._data.ncon else self._data.contact.geom.tobytes()

    def touching(self) -> tuple[Ints, Floats, Floats]:
        """Pairs of solids (n, 2), where they touch (n, 3), and along which normal, first to second (n, 3)."""
        if not self._data.ncon:
            return np.empty((0, 2), np.int64), np.empty((0, 3)), np.empty((0, 3))
        contacts = self._data.contact
        return self._solid_of_geom[contacts.geom], contacts.pos.copy(), np.ascontiguousarray(contacts.frame[:, :3])

    def pushes(self) -> Floats:
        """How strongly each contact pushes [N], (n,)."""
        known, force = self.state(), np.zeros(6)
        mujoco.mj_forward(self._model, self._data)
        found = []
        for number in range(self._data.ncon):
            mujoco.mj_contactForce(self._model, self._data, number, force)
            found.append(float(np.linalg.norm(force[:3])))
        self.restore(known)
        return np.array(found)

    def _set(self, seconds: float) -> None:
        self._step = self._model.opt.timestep = seconds
        for geom, number in enumerate(self._solid_of_geom):
            stiffness, damping = spring_and_damper(self.solids[number].body.bounce, seconds)
            lasts = 2 / (IMPEDANCE * damping)  # as MuJoCo wants to be told
            self._model.geom_solref[geom] = lasts, 1 / (IMPEDANCE * lasts * np.sqrt(stiffness))


def _model(solids: Sequence[Solid], gravity: Sequence[float]) -> Any:
    spec = mujoco.MjSpec()
    spec.option.gravity = tuple(gravity)
    spec.option.disableflags |= mujoco.mjtDisableBit.mjDSBL_AUTORESET  # else a lost world looks healthy
    heaviest = max((solid.body.mass for solid in solids if solid.moves), default=1.0)
    for number, solid in enumerate(solids):
        at = spec.worldbody
        if solid.moves:
            at = spec.worldbody.add_body(name=f"{number}", pos=solid.position, quat=solid.orientation)
            at.add_freejoint()
            at.gravcomp = 1.0 if solid.is_driven else 0.0
        geom = at.add_geom(name=f"{number}")
        _shape(spec, geom, solid, number)
        geom.mass = HEAVIER * heaviest if solid.is_driven else solid.body.mass
        geom.friction = solid.body.friction, *ROLLING
        geom.solmix = 10.0 ** (WEIGHT_OF_BOUNCE * solid.body.bounce)
        geom.solimp = IMPEDANCE, IMPEDANCE, 0.001, 0.5, 2.0  # as the spring and the damper say, however deep
    try:
        return spec.compile()
    except ValueError as error:
        raise KeyposeError(f"The bodies of a stage cannot be simulated: {error}") from None


def _shape(spec: Any, geom: Any, solid: Solid, number: int) -> None:
    shape, kind = solid.body.shape, mujoco.mjtGeom
    place, turn = np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0])
    if not solid.moves:
        place, turn = np.array(solid.position), np.array(solid.orientation)
    match shape:
        case Sphere(radius):
            geom.type, geom.size = kind.mjGEOM_SPHERE, (radius, 0, 0)
        case Box((x, y, z)):
            geom.type, geom.size = kind.mjGEOM_BOX, (x / 2, y / 2, z / 2)
        case Capsule(radius, length):
            geom.type, geom.size = kind.mjGEOM_CAPSULE, (radius, length / 2, 0)
            turn = quaternion.multiply(turn, Z_TO_Y)
        case Plane(normal, offset):
            geom.type, geom.size = kind.mjGEOM_PLANE, (0, 0, 1)
            place = place + quaternion.rotate(turn, offset * np.array(normal))
            turn = quaternion.multiply(turn, _from_z(np.array(normal)))
        case Mesh(file, scale):
            if not Path(file).is_file():
                raise KeyposeError(f"Actor {solid.name!r} has a mesh in {file!r}, and there is no such file.")
            spec.add_mesh(name=f"{number}", file=str(Path(file).absolute()), scale=(scale,) * 3)
            geom.type, geom.meshname = kind.mjGEOM_MESH, f"{number}"
    geom.pos, geom.quat = place, turn


def _from_z(normal: Floats) -> Floats:
    """A turn that brings z to a unit vector."""
    z = np.array([0.0, 0.0, 1.0])
    cosine = float(normal @ z)
    if cosine < -1 + 1e-12:
        return np.array([0.0, 1.0, 0.0, 0.0])
    return np.asarray(quaternion.normalized(np.concatenate([[1 + cosine], np.cross(z, normal)])))
