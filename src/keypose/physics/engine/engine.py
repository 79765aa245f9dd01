"""The engine: a MuJoCo model of all bodies and its state.

A row for each body that moves, in the order they are given: seven numbers of place and facing (w x y z), six of
velocity in the world and spin in the body's own frame. Where all are free these are MuJoCo's own numbers; links that
hang on others are looked at after each step. What a motion moves is free too, and sent on in each tick: see
`kinematic_bodies`.
"""

from collections.abc import Sequence

import mujoco
import numpy as np

from keypose.maths import Floats, Ints
from keypose.physics.engine.body_arrays import BodyArrays, ContactGeometry
from keypose.physics.engine.contact_model.contact_model import ContactModel
from keypose.physics.engine.contact_model.frozen_contacts import (
    NO_FROZEN_CONTACTS,
    active_frozen_contacts,
    add_frozen_contacts,
)
from keypose.physics.engine.flex import build_flexes, touching_bodies
from keypose.physics.engine.joint_space import JointSpace
from keypose.physics.engine.kernels import read_bodies
from keypose.physics.engine.mesh_checks import check_mesh_size
from keypose.physics.engine.model_builder import compile_model
from keypose.physics.engine.model_spec import NO_PENETRATION, BodySpec, EqualitySpec
from keypose.physics.engine.payload import compute_payloads
from keypose.physics.values.shapes import Mesh, bounding_radius, half_width

mujoco.set_mju_user_warning(lambda _: None)  # it would write files; what is wrong is seen in the state itself

INTEGRATION_STATE = mujoco.mjtState.mjSTATE_INTEGRATION  # nothing less goes on with the same bits
EQUALITY_TIME_STEPS = 2.0  # whole steps: how soon what is held together is together again
ISOTROPY_TOLERANCE = 1e-9  # of its inertia: what counts as the same about all axes


class DivergenceError(ArithmeticError):
    """Somebody is nowhere, and nothing can be seen from there."""


class Engine:
    """A world of bodies."""

    def __init__(
        self,
        body_specs: Sequence[BodySpec],
        gravity: Sequence[float],
        timestep: float,
        equalities: Sequence[EqualitySpec] = (),
    ) -> None:
        self.body_specs = tuple(body_specs)
        self.names = [body_spec.name for body_spec in body_specs]
        self._model = compile_model(self.body_specs, gravity, equalities)
        self._data = mujoco.MjData(self._model)
        self._state_size = mujoco.mj_stateSize(self._model, INTEGRATION_STATE)
        self._saved_state = np.empty(self._state_size)
        geoms = range(self._model.ngeom)  # which are not in the order they were given
        self._body_of_geom = np.array([int(self._model.geom(geom).name) for geom in geoms], dtype=np.int64)
        self.half_widths, self.bounding_radii = self._measure_sizes()
        """Half of how wide each solid is where it is narrowest; how far it reaches from its middle [m]."""
        self.max_bounding_radius = float(
            self.bounding_radii[[body_spec.is_movable for body_spec in self.body_specs]].max(initial=0.0)
        )  # of what moves
        self.min_half_width = float(self.half_widths.min(initial=np.inf))  # of all solids
        self._flexes = build_flexes(self._model, self._data, [body_spec.body for body_spec in self.body_specs])
        """Those who are soft, by their rows."""
        moving_rows = [number for number, body_spec in enumerate(self.body_specs) if body_spec.is_movable]
        body_ids = [
            self._flexes[row].first_body if row in self._flexes else self._model.body(f"{row}").id
            for row in moving_rows
        ]
        self._body_ids = np.array(body_ids, dtype=np.int64)
        self._rigid_rows = np.array([row for row in moving_rows if row not in self._flexes], dtype=np.int64)
        self.mass: Floats = self._model.body_mass[self._body_ids].copy()
        self.inertia: Floats = self._model.body_inertia[self._body_ids].copy()
        self.inertia_axes: Floats = self._model.body_iquat[self._body_ids].copy()
        """(moving, 4): how the axes of the inertia stand in each body."""
        for row, flex in self._flexes.items():
            inertia, self.inertia_axes[row] = flex.lattice.inertia
            self.mass[row], self.inertia[row] = flex.mass, flex.mass * inertia
        self.payload = compute_payloads(
            self.body_specs, equalities, self.mass, self.inertia, self.inertia_axes, float(np.linalg.norm(gravity))
        )
        """(moving, 2): how all that hangs on it can turn it [rad/s²], and how many times as hard to turn it is so."""
        self._needs_readout = body_ids != list(range(1, self._model.nbody)) or any(
            body_spec.joint is not None for body_spec in self.body_specs
        )
        """Whether some hang on others or are soft, so that MuJoCo's own numbers are not those of rows."""
        self.forces: Floats = np.zeros((len(body_ids), 6)) if self._needs_readout else self._data.xfrc_applied[1:]
        """(moving, 6): what is pushed and turned with, in the world; lasts until it is said anew."""
        self.poses: Floats = np.empty((len(body_ids), 7)) if self._needs_readout else self._data.qpos.reshape(-1, 7)
        self.velocities: Floats = (
            np.empty((len(body_ids), 6)) if self._needs_readout else self._data.qvel.reshape(-1, 6)
        )
        self.bodies = BodyArrays(self.poses, self.velocities, self.mass, self.inertia, self.inertia_axes, self.payload)
        self.joint_space = JointSpace(
            self._model, self._data, self.body_specs, self._body_ids, self._flexes, self.bodies, self.forces
        )
        self._contact_model = ContactModel(
            self._model,
            self._data,
            self.body_specs,
            self._body_of_geom,
            self.bodies,
            self.min_half_width,
            self.joint_space if self._needs_readout else None,
        )
        self.frozen_contacts, self.penetrations = NO_FROZEN_CONTACTS, NO_PENETRATION
        self._apply_timestep(timestep, timestep)
        self.forward()

    @property
    def gyroscopic_rows(self) -> Ints:
        """Those whose spin turns itself: rigid, not alike about all axes, and hung together with nobody."""
        if self._flexes:  # MuJoCo takes the steps of soft bodies otherwise
            return np.empty(0, np.int64)
        jointed_rows = {row for row, body_spec in enumerate(self.body_specs) if body_spec.joint is not None}
        jointed_rows |= {body_spec.joint.parent for body_spec in self.body_specs if body_spec.joint is not None}
        free_rows = [
            row
            for row in self._rigid_rows.tolist()
            if row not in jointed_rows and not self.body_specs[row].is_kinematic
        ]
        return np.array(
            [row for row in free_rows if np.ptp(self.inertia[row]) > ISOTROPY_TOLERANCE * self.inertia[row].max()],
            np.int64,
        )

    def _measure_sizes(self) -> tuple[Floats, Floats]:
        half_widths = np.array([half_width(body_spec.body.shape) for body_spec in self.body_specs])
        radii = np.array([bounding_radius(body_spec.body.shape) for body_spec in self.body_specs])
        for geom, number in enumerate(self._body_of_geom):
            if isinstance(mesh := self.body_specs[number].body.shape, Mesh):
                check_mesh_size(self.names[number], mesh, 2 * self._model.geom_aabb[geom, 3:])
                half_widths[number] = self._model.geom_aabb[geom, 3:].min()
                radii[number] = self._model.geom_rbound[geom] + np.linalg.norm(self._model.geom_pos[geom])
        return half_widths, radii

    def reset(self) -> None:
        """Be as it was made: links as they stand at rest, nothing pushed, nothing known of an earlier run."""
        mujoco.mj_resetData(self._model, self._data)
        self.forces[:] = 0.0
        self.frozen_contacts, self.penetrations = NO_FROZEN_CONTACTS, NO_PENETRATION

    def set_pose(
        self, row: int, position: Floats, orientation: Floats, velocity: Floats, angular_velocity: Floats
    ) -> None:
        """Put a body that is free somewhere, on its way; its spin is in its own frame."""
        if row in self._flexes:
            self._flexes[row].set_pose(position, orientation, velocity, angular_velocity)
            return
        pose_slice, velocity_slice = self.joint_space.state_slices(row)
        self._data.qpos[pose_slice] = np.concatenate([position, orientation])
        self._data.qvel[velocity_slice] = np.concatenate([velocity, angular_velocity])

    def set_velocity(self, row: int, velocity: Floats, angular_velocity: Floats) -> None:
        """Let a body that is free go on so; its spin is in its own frame."""
        _, velocity_slice = self.joint_space.state_slices(row)
        self._data.qvel[velocity_slice] = np.concatenate([velocity, angular_velocity])

    def copy_body_state(self, row: int, other: "Engine", other_row: int) -> None:
        """Be in a row as in that of another engine, where the same kind of body is."""
        own_body, other_body = self.body_specs[row].body, other.body_specs[other_row].body
        if (own_body.stiffness is None) != (other_body.stiffness is None) or (
            own_body.stiffness is not None and own_body.shape != other_body.shape
        ):
            pose, velocity = other.poses[other_row], other.velocities[other_row]
            self.set_pose(row, pose[:3], pose[3:], velocity[:3], velocity[3:])
            return
        own_slices, other_slices = self.joint_space.state_slices(row), other.joint_space.state_slices(other_row)
        if [part.stop - part.start for part in own_slices] == [part.stop - part.start for part in other_slices]:
            self._data.qpos[own_slices[0]] = other._data.qpos[other_slices[0]]
            self._data.qvel[own_slices[1]] = other._data.qvel[other_slices[1]]
            self._data.qacc_warmstart[own_slices[1]] = other._data.qacc_warmstart[other_slices[1]]

    def surface_points(self, rows: Sequence[int]) -> Floats:
        """The surfaces of some soft bodies (points, 3), one after the other."""
        return np.concatenate([self._flexes[row].surface_points for row in rows]) if rows else np.empty((0, 3))

    def state(self) -> Floats:
        """All there is to know of it now."""
        state = np.empty(self._state_size)
        mujoco.mj_getState(self._model, self._data, state, INTEGRATION_STATE)
        return state

    def save_state(self) -> None:
        """Remember how it is now, to be brought back to it."""
        mujoco.mj_getState(self._model, self._data, self._saved_state, INTEGRATION_STATE)

    def restore_saved_state(self) -> None:
        """Be as it was when that was last remembered."""
        self.restore(self._saved_state)

    def restore(self, state: Floats) -> None:
        """Be as it was."""
        mujoco.mj_setState(self._model, self._data, state, INTEGRATION_STATE)
        if self._needs_readout:
            self.forces[:] = 0.0  # which is said anew in every step
        self.forward()

    def forward(self) -> None:
        """See who touches whom, where everybody is put now."""
        try:
            if self._flexes:
                mujoco.mj_step1(self._model, self._data)
                if self._contact_model.exclude_kinematic_pairs():
                    self._make_constraints()
            else:
                self._forward_in_stages()
        except mujoco.FatalError as error:  # it gives up where somebody is nowhere
            if self._needs_readout:
                self._read_bodies()
            raise DivergenceError from error
        if self._needs_readout:
            self._read_bodies()

    def _forward_in_stages(self) -> None:
        """Run the stages of `mj_step1` with the contact model after collisions; flexes need a stage that is private."""
        model, data = self._model, self._data
        mujoco.mj_kinematics(model, data)
        mujoco.mj_comPos(model, data)
        mujoco.mj_makeM(model, data)
        mujoco.mj_factorM(model, data)
        mujoco.mj_collision(model, data)
        if data.ncon:
            self._contact_model.correct_contacts(self.frozen_contacts, self._timestep)
        self._make_constraints()

    def _make_constraints(self) -> None:
        """Find what contacts, joints and ties demand."""
        for stage in (mujoco.mj_makeConstraint, mujoco.mj_island, mujoco.mj_projectConstraint, mujoco.mj_fwdVelocity):
            stage(self._model, self._data)

    def set_timestep(self, timestep: float, base_timestep: float) -> None:
        """Let steps take so long from now on, which are whole ones or halves of them; contacts are seen anew.

        Those are as hard as a step allows. What is held together stays as hard as a whole step allows: it may be
        stretched just then, and if it were harder all at once, it would throw whatever it holds.
        """
        if (timestep, base_timestep) != (self._timestep, self._base_timestep):
            self._apply_timestep(timestep, base_timestep)
            self.forward()

    def freeze_contacts(self) -> None:
        """Let those who are deep in each other now stay as they are, however short steps will be while they touch."""
        self.frozen_contacts = add_frozen_contacts(
            self.frozen_contacts,
            self.contact_pairs()[self.contact_depths() > self._contact_model.shallow_depth],
            self._timestep,
        )

    def release_contacts(self) -> None:
        """Forget those who lingered and do not touch any more."""
        self.frozen_contacts = active_frozen_contacts(self.frozen_contacts, self.contact_pairs())

    def step(self) -> None:
        """One step with the forces said. Until the next look, contacts are those of the step, and push as they did."""
        if self._needs_readout:
            self._data.xfrc_applied[self._body_ids[self._rigid_rows]] = self.forces[self._rigid_rows]
            for row, flex in self._flexes.items():
                flex.apply_force(self.forces[row])
        mujoco.mj_step2(self._model, self._data)

    @property
    def max_depth(self) -> float:
        """How deep the deepest contact is [m]."""
        return float(self.contact_depths().max(initial=0.0))

    def contact_geometry(self) -> ContactGeometry:
        """The contacts after the last step, in arrays of MuJoCo that the next step overwrites."""
        contacts = self._data.contact
        if self._flexes:
            return ContactGeometry(self.contact_pairs(), np.arange(len(self.body_specs)), contacts.pos, contacts.frame)
        return ContactGeometry(contacts.geom, self._body_of_geom, contacts.pos, contacts.frame)

    def contact_pairs(self) -> Ints:
        """Pairs of solids that touch (n, 2)."""
        return touching_bodies(self._data, self._body_of_geom, self._flexes)

    def contact_depths(self) -> Floats:
        """How deep each contact is [m], (n,)."""
        return -self._data.contact.dist if self._data.ncon else np.empty(0)

    def is_soft_pair(self, first: int, second: int) -> bool:
        """Whether one of two solids is soft: others may be deep in it."""
        return first in self._flexes or second in self._flexes

    def contact_positions(self, contacts: Sequence[int]) -> Floats:
        """Where some of the contacts are [m], (n, 3)."""
        return np.asarray(self._data.contact.pos[contacts]) if contacts else np.empty((0, 3))

    def contact_forces(self, contacts: Sequence[int]) -> Floats:
        """How some of the contacts pushed the second of their pair in a step, before the next look, (n, 2, 3) [N].

        First straight away from the surface, then along it, by friction.
        """
        force, found = np.zeros(6), np.empty((len(contacts), 2, 3))
        frames = self._data.contact.frame.reshape(-1, 3, 3)
        for row, number in enumerate(contacts):
            mujoco.mj_contactForce(self._model, self._data, number, force)
            found[row, 0], found[row, 1] = force[0] * frames[number, 0], force[1:3] @ frames[number, 1:]
        return found

    def _read_bodies(self) -> None:
        """See where those are who hang on others, and how they go."""
        data, root_ids = self._data, self._model.body_rootid
        read_bodies(
            self._body_ids, root_ids, data.xpos, data.xquat, data.cvel, data.subtree_com, self.poses, self.velocities
        )
        for row, flex in self._flexes.items():
            flex.read_state(self.poses[row], self.velocities[row])

    def _apply_timestep(self, timestep: float, base_timestep: float) -> None:
        self._timestep, self._base_timestep = timestep, base_timestep
        self._model.opt.timestep = timestep
        self._contact_model.set_timestep(timestep)
        self._model.eq_solref[:, 0] = EQUALITY_TIME_STEPS * base_timestep
        self.joint_space.set_timestep(base_timestep)
