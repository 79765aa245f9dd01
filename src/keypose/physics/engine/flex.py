"""How does MuJoCo move a soft body? As a flex: its knots are small bodies that slide freely, its points hang on them.

The engine sees it in one row, as it sees every other body: its place is the middle of its mass with the mean turn of
its knots, its motion their mean velocity and mean spin; what pushes and turns it is shared out among them by their
mass, so that it alone would bend nothing.
"""

from collections.abc import Mapping, Sequence
from math import sqrt

import mujoco
import numpy as np

from keypose.maths import Floats, Ints, quaternion
from keypose.physics.engine.contact_model.restitution import MIN_BOUNCE, damping_ratio
from keypose.physics.values.body import RUNAWAY_LIMIT, Body
from keypose.physics.values.soft_lattice import Lattice, build_lattice, inertia_matrix, mean_rotation

POISSON_RATIO = 0.3  # Poisson's ratio: how much it widens where it is squeezed
MAX_SHAPE_DAMPING = 0.7  # ζ at most: one that is damped more creeps back to its shape
CONTACT_GAP = 3.0  # times its rounding: who is no farther away still touches it, for points tremble on a floor
MIN_INERTIA_FRACTION = 1e-9  # of its inertia at rest: what cannot be turned about is not


def add_flex(spec: mujoco.MjSpec, name: str, body: Body) -> mujoco.MjsFlex:
    """Add a soft body to a world, at the origin; its flex comes back, whose contacts are still to be said."""
    lattice, stiffness = build_lattice(body.shape), body.stiffness or 0.0
    flex = spec.add_flex()
    flex.name, flex.dim, flex.order, flex.cellcount = name, 3, 1, lattice.cells
    flex.young, flex.poisson = (
        stiffness * lattice.fill_fraction,
        POISSON_RATIO,
    )  # the cells are full, and the body is not
    flex.damping = shape_damping_time(body, lattice)
    flex.radius, flex.gap, flex.selfcollide = lattice.rounding, CONTACT_GAP * lattice.rounding, 0
    for number, (position, weight) in enumerate(zip(lattice.nodes, lattice.weights, strict=True)):
        node = spec.worldbody.add_body(name=f"{name}.{number}", pos=position)
        node.mass, node.inertia, node.explicitinertial = body.mass * weight, (1.0, 1.0, 1.0), True  # it never turns
        for axis in np.eye(3):
            node.add_joint(type=mujoco.mjtJoint.mjJNT_SLIDE, axis=axis)
    flex.nodebody = [f"{name}.{number}" for number in range(len(lattice.nodes))]
    flex.vert, flex.vertbody = lattice.points.ravel().tolist(), ["world"] * len(lattice.points)
    flex.elem = lattice.tetrahedra.ravel().tolist()
    return flex


def shape_damping_time(body: Body, lattice: Lattice) -> float:
    """How long [s] its shape takes to come to rest, so that about as much speed comes back as its bounce says.

    2ζ/ω, ω of a cube of this volume, mass and stiffness that is squeezed on one side.
    """
    ratio = MAX_SHAPE_DAMPING if body.bounce < MIN_BOUNCE else min(MAX_SHAPE_DAMPING, damping_ratio(body.bounce))
    return 2 * ratio / sqrt((body.stiffness or 0.0) * lattice.volume ** (1 / 3) / body.mass)


def build_flexes(model: mujoco.MjModel, data: mujoco.MjData, bodies: Sequence[Body]) -> "dict[int, Flex]":
    """Those of some bodies who are soft, by their numbers."""
    return {
        number: Flex(model, data, f"{number}", body) for number, body in enumerate(bodies) if body.stiffness is not None
    }


def touching_bodies(data: mujoco.MjData, body_of_geom: Ints, flexes: "Mapping[int, Flex]") -> Ints:
    """Who touches whom (n, 2), by their numbers: of a soft body MuJoCo knows no geom, but a flex."""
    contacts = data.contact
    if not flexes:
        return np.asarray(body_of_geom[contacts.geom])
    body_of_flex = np.array([number for _, number in sorted((flex.flex_id, row) for row, flex in flexes.items())])
    body_rows = np.append(body_of_geom, 0)[contacts.geom]
    return np.asarray(np.where(contacts.geom >= 0, body_rows, body_of_flex[contacts.flex]))


class Flex:
    """A soft body in a world that is made."""

    def __init__(self, model: mujoco.MjModel, data: mujoco.MjData, name: str, body: Body) -> None:
        self.lattice, self.mass = build_lattice(body.shape), body.mass
        self._min_inertia = MIN_INERTIA_FRACTION * float(
            inertia_matrix(self.lattice.nodes, self.lattice.weights).trace()
        )
        count, self.first_body = len(self.lattice.nodes), int(model.body(f"{name}.0").id)
        self.flex_id = model.flex_nodebodyid[model.flex_nodeadr].tolist().index(self.first_body)
        joint = model.body_jntadr[self.first_body]
        qpos_start, dof_start = model.jnt_qposadr[joint], model.jnt_dofadr[joint]
        self.state_slices = slice(qpos_start, qpos_start + 3 * count), slice(dof_start, dof_start + 3 * count)
        """Where its place and its motion stand among MuJoCo's own numbers."""
        self._displacements: Floats = data.qpos[self.state_slices[0]].reshape(-1, 3)
        self._velocities: Floats = data.qvel[self.state_slices[1]].reshape(-1, 3)
        self._forces: Floats = data.xfrc_applied[self.first_body : self.first_body + count, :3]
        first_point = model.flex_vertadr[self.flex_id]
        self._points: Floats = data.flexvert_xpos[first_point : first_point + len(self.lattice.points)]

    @property
    def surface_points(self) -> Floats:
        """(points of its surface, 3): where they are [m]."""
        return np.asarray(self._points[self.lattice.surface_indices])

    def read_state(self, pose: Floats, pose_velocity: Floats) -> None:
        """Fill a row of places and one of motions with where it is and how it goes; with no numbers if it is lost."""
        if not (np.abs(self._displacements).max() <= RUNAWAY_LIMIT and np.abs(self._velocities).max() <= RUNAWAY_LIMIT):
            pose[:] = pose_velocity[:] = np.nan
            return
        nodes, weights = self._node_positions()
        pose[:3], velocity = weights @ nodes, weights @ self._velocities
        offsets, relative_velocities = nodes - pose[:3], self._velocities - velocity
        pose[3:] = mean_rotation(self.lattice.nodes, offsets, weights)
        angular_velocity = self._angular_velocity(offsets, weights @ np.cross(offsets, relative_velocities))
        pose_velocity[:3], pose_velocity[3:] = (
            velocity,
            quaternion.rotate(quaternion.conjugate(pose[3:]), angular_velocity),
        )

    def apply_force(self, force: Floats) -> None:
        """Let it be pushed and turned with six numbers, in the world, at its middle."""
        if not force.any():
            self._forces[:] = 0.0
            return
        nodes, weights = self._node_positions()
        offsets = nodes - weights @ nodes
        rotational_force = np.cross(self._angular_velocity(offsets, force[3:]), offsets) if force[3:].any() else 0.0
        self._forces[:] = weights[:, None] * (force[:3] + rotational_force)

    def set_pose(self, position: Floats, orientation: Floats, velocity: Floats, angular_velocity: Floats) -> None:
        """Put it somewhere in its own shape, on its way; its spin is in its own frame."""
        offsets = quaternion.rotate(orientation, self.lattice.nodes)
        self._displacements[:] = position + offsets - self.lattice.nodes
        self._velocities[:] = velocity + np.cross(quaternion.rotate(orientation, angular_velocity), offsets)

    def _node_positions(self) -> tuple[Floats, Floats]:
        return self.lattice.nodes + self._displacements, self.lattice.weights

    def _angular_velocity(self, offsets: Floats, momentum: Floats) -> Floats:
        """How fast a unit of mass with this angular momentum turns: not at all about what it has no width around."""
        inertia, axes = np.linalg.eigh(inertia_matrix(offsets, self.lattice.weights))
        rates = axes.T @ momentum / np.maximum(inertia, self._min_inertia)
        return np.asarray(axes @ np.where(inertia > self._min_inertia, rates, 0.0))
