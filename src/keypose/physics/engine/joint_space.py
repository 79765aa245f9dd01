"""The joint space of an engine: effective masses of bodies on joints, and forces and torques that act on them.

A body on joints moves all that is attached to it: it is heavier than it is alone, and in some directions heavier than
in others. All is computed in MuJoCo's generalized coordinates, a degree of freedom (nv in all) for each way in which a
joint moves.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property

import mujoco
import numpy as np

from keypose.maths import Floats, Ints
from keypose.physics.engine.body_arrays import BodyArrays
from keypose.physics.engine.flex import Flex
from keypose.physics.engine.joint_stiffness import step_stiffness_limits
from keypose.physics.engine.joint_torques import (
    EffectorTask,
    JointTorques,
    MassSolver,
    allocate_torques,
    compensation_forces,
    constrained_solver,
)
from keypose.physics.engine.model_spec import BodySpec

JOINT_SIZES = {
    mujoco.mjtJoint.mjJNT_FREE: (7, 6),
    mujoco.mjtJoint.mjJNT_BALL: (4, 3),
    mujoco.mjtJoint.mjJNT_SLIDE: (1, 1),
    mujoco.mjtJoint.mjJNT_HINGE: (1, 1),
}
"""Numbers of the position and of the velocity of a joint."""
IK_ITERATIONS, IK_DAMPING = 60, 1e-3  # of the search for a limb's joints at a position; damping [m²]


class JointSpace:
    """The joints of the bodies in a model: masses, forces and torques in generalized coordinates."""

    def __init__(
        self,
        model: mujoco.MjModel,
        data: mujoco.MjData,
        body_specs: Sequence[BodySpec],
        body_ids: Ints,
        flexes: Mapping[int, Flex],
        inertias: BodyArrays,
        forces: Floats,
    ) -> None:
        self._model, self._data, self._body_ids, self._flexes = model, data, body_ids, flexes
        self._names = [body_spec.name for body_spec in body_specs]
        self._mass, self._inertia, self._forces = inertias.mass, inertias.inertia, forces
        spring_joints = step_stiffness_limits(body_specs, inertias.inertia, inertias.axes)
        self._spring_joints = [
            (self.state_slices(row)[1], joint, inertia_limit) for row, (joint, inertia_limit) in spring_joints.items()
        ]
        """Joints with springs: their degrees of freedom, their options, and the inertia that limits their stiffness."""
        impedance, equality_bodies = model.eq_solimp[:, :1], (model.eq_obj1id, model.eq_obj2id)
        inverse_mass = sum(model.body_invweight0[body] for body in equality_bodies)
        self._equality_compliance: Floats = np.repeat(inverse_mass, 3, axis=1) * (1.0 - impedance) / impedance
        """(equalities, 6): how compliant MuJoCo makes each equality along each axis, and about it."""

    def set_timestep(self, base_timestep: float) -> None:
        """Limit what joint springs do to what steps of this length can carry, see `joint_stiffness`."""
        for dofs, joint, inertia_limit in self._spring_joints:
            excess = max(0.0, joint.stiffness * base_timestep**2 - inertia_limit) / 2
            self._model.dof_armature[dofs] = excess
            self._model.dof_damping[dofs] = joint.damping + excess / base_timestep

    def solve_mass(self, forces: Floats) -> Floats:
        """The acceleration of all joints by each of some generalized forces (n, nv)."""
        accelerations = np.empty_like(forces)
        mujoco.mj_solveM(self._model, self._data, accelerations, forces)
        return accelerations

    def body_jacobian(self, row: int) -> Floats:
        """The Jacobian of the center of mass of a body and of its rotation, (2, 3, nv)."""
        jacobian = np.zeros((2, 3, self._model.nv))
        mujoco.mj_jacBodyCom(self._model, self._data, *jacobian, self._body_ids[row])
        return jacobian

    def inverse_contact_mass(self, body_ids: Ints, position: Floats, normal: Floats) -> float:
        """The inverse of the effective mass of two of MuJoCo's bodies that touch at a position [1/kg]."""
        jacobians = np.zeros((2, 3, self._model.nv))
        for body, jacobian in zip(body_ids, jacobians, strict=True):
            mujoco.mj_jac(self._model, self._data, jacobian, None, position, body)
        relative_jacobian = normal @ (jacobians[1] - jacobians[0])
        return float(relative_jacobian @ self.solve_mass(relative_jacobian[None])[0])

    def equality_jacobian(self) -> tuple[Floats, Floats]:
        """The Jacobian of all equalities (rows, nv), and the compliance of each row."""
        data, count = self._data, self._data.ne
        compliance = self._equality_compliance[
            data.efc_id[:count], np.arange(count) - np.searchsorted(data.efc_id[:count], data.efc_id[:count])
        ]
        if not mujoco.mj_isSparse(self._model):
            return data.efc_J.reshape(-1, self._model.nv)[:count], compliance
        jacobian = np.zeros((count, self._model.nv))
        for row, (start, entry_count) in enumerate(
            zip(data.efc_J_rowadr[:count], data.efc_J_rownnz[:count], strict=True)
        ):
            entries = slice(start, start + entry_count)
            jacobian[row, data.efc_J_colind[entries]] = data.efc_J[entries]
        return jacobian, compliance

    def state_slices(self, row: int) -> tuple[slice, slice]:
        """Where the place and the motion of a body stand among MuJoCo's own numbers."""
        if row in self._flexes:
            return self._flexes[row].state_slices
        body = self._body_ids[row]
        joint, count = self._model.body_jntadr[body], self._model.body_jntnum[body]
        if not count:
            return slice(0, 0), slice(0, 0)
        position_size, velocity_size = JOINT_SIZES[mujoco.mjtJoint(self._model.jnt_type[joint])]
        qpos_start, dof_start = self._model.jnt_qposadr[joint], self._model.jnt_dofadr[joint]
        return slice(qpos_start, qpos_start + position_size), slice(dof_start, dof_start + velocity_size)

    def apply_effector_pull(
        self,
        row: int,
        acceleration: Floats,
        damping_acceleration: Floats,
        extra_force: Floats,
        has_rotation: bool,
        joint_torques: JointTorques | None,
    ) -> EffectorTask | None:
        """Let a body that hangs on others be pulled, as heavy as those make it there: its force is said anew.

        By how much [m/s²] and [rad/s²] (6,), and what of that slows it down; unless it `has_rotation`, the first three
        count. And with what force `extra_force` that [N], [N m]. With muscles it is only told what is wanted of them:
        see `flex`.
        """
        linear_jacobian, angular_jacobian = self.body_jacobian(row)
        mass_solver = self._mass_solver(row)
        effective_mass = _effective_mass(linear_jacobian, self._max_effective_mass(row)[0], mass_solver)
        force, torque, effective_inertia = (
            effective_mass @ acceleration[:3] + extra_force[:3],
            np.zeros(3),
            np.zeros((3, 3)),
        )
        if has_rotation:
            effective_inertia = _effective_mass(angular_jacobian, self._max_effective_mass(row)[1], mass_solver)
            torque = effective_inertia @ acceleration[3:] + extra_force[3:]
        self._forces[row, :3], self._forces[row, 3:] = force, torque
        if joint_torques is None:
            return None
        self._forces[row] = 0.0
        damping_torques = (effective_mass @ damping_acceleration[:3]) @ linear_jacobian + (
            effective_inertia @ damping_acceleration[3:]
        ) @ angular_jacobian
        jacobian = np.vstack([linear_jacobian, angular_jacobian * has_rotation])
        return EffectorTask(
            force @ linear_jacobian + torque @ angular_jacobian,
            damping_torques,
            jacobian,
            effective_mass @ linear_jacobian,
            joint_torques,
        )

    def group_by_figure(self, rows: Sequence[int]) -> list[list[int]]:
        """These by the figures they are of, by their numbers here; a list for each figure."""
        groups: dict[int, list[int]] = {}
        for number, root in enumerate(self.root_ids(rows)):
            groups.setdefault(root, []).append(number)
        return list(groups.values())

    def root_ids(self, rows: Sequence[int]) -> list[int]:
        """By which number of MuJoCo's the whole figure of each is known."""
        return [int(self._model.body_rootid[self._body_ids[row]]) for row in rows]

    def has_joint_springs(self, row: int) -> bool:
        """Whether joints of its figure draw back to rest."""
        joints = (self._model.dof_bodyid[dofs.start] for dofs, *_ in self._spring_joints)
        return any(self._model.body_rootid[body] == self.root_ids([row])[0] for body in joints)

    def spring_compensation(self, rows: Sequence[int], has_rotation: Sequence[bool]) -> Floats:
        """With what some of a figure are pushed [N] and, if they turn, turned [N m], lest springs move them, (n, 6)."""
        return self._compensation_forces(self._data.qfrc_spring, rows, has_rotation)

    def gravity_accelerations(self, rows: Sequence[int], has_rotation: Sequence[bool]) -> Floats:
        """How some of a figure would fall [m/s²] and, if they turn, turn by its weight [rad/s²], (n, 6).

        Each beside what the others are pulled with who keep it from falling: together they carry it once.
        """
        accelerations = -self._compensation_forces(-self._data.qfrc_bias, rows, has_rotation)
        mass_solver = self._mass_solver(rows[0])
        for row, force in zip(rows, accelerations, strict=True):
            for part, (jacobian, max_mass) in enumerate(
                zip(self.body_jacobian(row), self._max_effective_mass(row), strict=True)
            ):
                force[3 * part : 3 * part + 3] = np.linalg.solve(
                    _effective_mass(jacobian, max_mass, mass_solver), force[3 * part : 3 * part + 3]
                )
        return accelerations

    def _compensation_forces(self, joint_forces: Floats, rows: Sequence[int], has_rotation: Sequence[bool]) -> Floats:
        """With what some of a figure are pushed and, if they turn, turned, lest they are moved by forces, (n, 6)."""
        jacobian = np.stack([self.body_jacobian(row) for row in rows]).reshape(-1, self._model.nv)
        max_masses = np.repeat([self._max_effective_mass(row) for row in rows], 3)
        is_used = np.repeat([each for rotates in has_rotation for each in (True, rotates)], 3)
        found = np.zeros(6 * len(rows))
        found[is_used] = compensation_forces(
            joint_forces, jacobian[is_used], max_masses[is_used], self._mass_solver(rows[0])
        )
        return found.reshape(-1, 6)

    def apply_joint_torques(self, tasks: Sequence[EffectorTask]) -> list[Floats]:
        """Let the joints do what they can of all that is wanted; what of each wish is not fulfilled [N m]."""
        self._data.qfrc_applied[:], deficits = allocate_torques(tasks, lambda forces: self.solve_mass(forces[None])[0])
        return deficits

    def effector_acceleration(self, task: EffectorTask, forces: Floats) -> Floats:
        """How forces on MuJoCo's own motion [N m] move what is pulled [m/s²] and turn it [rad/s²], if it is turned."""
        return np.asarray(task.jacobian @ self.solve_mass(forces[None])[0])

    def max_static_torques(self, row: int, positions: Floats) -> Floats:
        """What it takes at most to hold a body that hangs on others with its middle at some places (n, 3) [N m].

        Or as near to them as it can be, where it goes from one to the next. For each number of MuJoCo's own motion,
        those of the figure's own joints; whatever it touches is left out.
        """
        model, trial_data, body = self._model, mujoco.MjData(self._model), self._body_ids[row]
        trial_data.qpos[:] = self._data.qpos
        is_same_tree = model.body_rootid[model.dof_bodyid] == model.body_rootid[body]
        is_own_dof = is_same_tree & (model.jnt_type[model.dof_jntid] != mujoco.mjtJoint.mjJNT_FREE)
        jacobian, max_torques = np.zeros((3, model.nv)), np.zeros(model.nv)
        for position in positions:
            for _ in range(IK_ITERATIONS):
                mujoco.mj_kinematics(model, trial_data)
                mujoco.mj_comPos(model, trial_data)
                mujoco.mj_jac(model, trial_data, jacobian, None, trial_data.xpos[body], body)
                own_jacobian = jacobian * is_own_dof
                displacement = np.linalg.solve(
                    own_jacobian @ own_jacobian.T + IK_DAMPING * np.eye(3), position - trial_data.xpos[body]
                )
                mujoco.mj_integratePos(model, trial_data.qpos, own_jacobian.T @ displacement, 1.0)
            mujoco.mj_forward(model, trial_data)
            max_torques = np.maximum(max_torques, np.abs(trial_data.qfrc_bias - trial_data.qfrc_passive) * is_own_dof)
        return max_torques

    def dof_body_name(self, dof: int) -> str:
        """Who hangs by the joint that is one of MuJoCo's own numbers of motion."""
        return self._names[int(np.flatnonzero(self._body_ids == self._model.dof_bodyid[dof])[0])]

    def dof_strengths(self, strength: Mapping[int, float]) -> Floats:
        """How strong the joints are by which some rows hang, for each number of MuJoCo's own motion."""
        found = np.zeros(self._model.nv)
        for row, amount in strength.items():
            found[self.state_slices(row)[1]] = amount
        return found

    def _max_effective_mass(self, row: int) -> tuple[float, float]:
        """How heavy a body is at most that hangs on others [kg], and how hard to turn [kg m²]: as if it were all."""
        mass_ratio = sum(
            float(self._model.body_subtreemass[root]) for root in self._connected_roots[self.root_ids([row])[0]]
        )
        mass_ratio /= float(self._mass[row])
        return float(self._mass[row]) * mass_ratio, float(self._inertia[row].max()) * mass_ratio

    def _mass_solver(self, row: int) -> MassSolver:
        """How everything gives way to forces on the figure of a body, which may be held to others and carry them."""
        model, root = self._model, self.root_ids([row])[0]
        if not np.isin(model.body_rootid[[model.eq_obj1id, model.eq_obj2id]], self._connected_roots[root]).any():
            return self.solve_mass
        jacobian, compliance = self.equality_jacobian()
        is_own_dof = np.isin(model.body_rootid[model.dof_bodyid], self._connected_roots[root])
        is_own_row = jacobian[:, is_own_dof].any(axis=1)
        return constrained_solver(self.solve_mass, jacobian[is_own_row], compliance[is_own_row])

    @cached_property
    def _connected_roots(self) -> dict[int, list[int]]:
        """The roots of all figures and bodies that are held to each, itself among them, by its own root."""
        model = self._model
        groups = {int(root): [int(root)] for root in np.unique(model.body_rootid)}
        for one, two in zip(model.eq_obj1id, model.eq_obj2id, strict=True):
            if model.body_weldid[one] and model.body_weldid[two]:  # what does not move binds nobody to anybody
                group, other_group = groups[int(model.body_rootid[one])], groups[int(model.body_rootid[two])]
                if group is not other_group:
                    group += other_group
                    groups |= dict.fromkeys(other_group, group)
        return groups


def _effective_mass(jacobian: Floats, max_mass: float, mass_solver: MassSolver) -> Floats:
    """How heavy what so moves is in each direction (3, 3), by how little it gives way; never more than `max_mass`."""
    inverse_masses, axes = np.linalg.eigh(mass_solver(jacobian) @ jacobian.T)
    return np.asarray((axes / np.maximum(inverse_masses, 1 / max_mass)) @ axes.T)
