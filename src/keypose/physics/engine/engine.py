"""How do bodies move? As MuJoCo says; this is the only place that asks it.

A row for each body that moves, in the order they are given: seven numbers of place and facing (w x y z), six of
velocity in the world and spin in the body's own frame. Where all are free these are MuJoCo's own numbers; links that
hang on others are looked at after each step. What a motion moves is free too, and sent on in each tick: see `driving`.
"""

from collections.abc import Sequence
from typing import Any

import mujoco
import numpy as np
from numpy.typing import NDArray

from keypose.maths.arrays import Floats, Ints
from keypose.physics.engine.contact_model import AS_A_SPRING, LEAST, NOBODY, lingering, softened, still_lingering
from keypose.physics.engine.flex import flexes, touching
from keypose.physics.engine.joint_space import Hanging
from keypose.physics.engine.joint_stiffness import carried_by_steps
from keypose.physics.engine.kernels import let_linger, let_slip, let_spring, seen, weigh_springs
from keypose.physics.engine.mesh_checks import check_sides
from keypose.physics.engine.model_builder import compiled, contact
from keypose.physics.engine.model_spec import NO_PENETRATION, Solid, Tie
from keypose.physics.engine.payload import loads
from keypose.physics.values.shapes import Mesh, narrowest, widest

mujoco.set_mju_user_warning(lambda _: None)  # it would write files; what is wrong is seen in the state itself

ALL = mujoco.mjtState.mjSTATE_INTEGRATION  # nothing less goes on with the same bits
SLIPS_FOR = 0.05  # [s]: how soon those who lie on each other slip no more, where friction is strong enough
SHALLOW = 0.01  # of the narrowest body: who lies on another is no deeper in it
TIES_LAST = 2.0  # whole steps: how soon what is held together is together again
ALIKE = 1e-9  # of its inertia: what counts as the same about all axes
FREE = 0  # MuJoCo's number of a joint that holds nothing
BENDS, STIFFLY = 60, 1e-3  # how often a limb is bent towards a place, and how little at once [m²]


class LostError(ArithmeticError):
    """Somebody is nowhere, and nothing can be seen from there."""


class Engine(Hanging):
    """A world of bodies."""

    def __init__(
        self, solids: Sequence[Solid], gravity: Sequence[float], step: float, ties: Sequence[Tie] = ()
    ) -> None:
        self.solids = tuple(solids)
        self.names = [solid.name for solid in solids]
        self._model = compiled(mujoco.MjSpec, self.solids, gravity, ties)
        self._data = mujoco.MjData(self._model)
        self._size = mujoco.mj_stateSize(self._model, ALL)
        self._remembered = np.empty(self._size)
        geoms = range(self._model.ngeom)  # which are not in the order they were given
        self._solid_of_geom = np.array([int(self._model.geom(geom).name) for geom in geoms], dtype=np.int64)
        pushed = [self.solids[number].moves and not self.solids[number].is_driven for number in self._solid_of_geom]
        self._pushed = np.array([*pushed, True])
        """Whether a push moves a geom, (geoms + 1,); the last one stands for what is soft, which has none."""
        self._drives = any(solid.is_driven for solid in self.solids)
        self.narrow, self.wide = self._measured()
        """Half of how wide each solid is where it is narrowest; how far it reaches from its middle [m]."""
        self.widest = float(self.wide[[solid.moves for solid in self.solids]].max(initial=0.0))  # of what moves
        self.narrowest = float(self.narrow.min(initial=np.inf))  # of all solids
        self._shallow = SHALLOW * self.narrowest
        self._bounces = any(solid.body.bounce >= LEAST for solid in self.solids)
        self._flexes = flexes(self._model, self._data, [solid.body for solid in self.solids])
        """Those who are soft, by their rows."""
        moving = [number for number, solid in enumerate(self.solids) if solid.moves]
        bodies = [self._flexes[row].first if row in self._flexes else self._model.body(f"{row}").id for row in moving]
        self._bodies = np.array(bodies, dtype=np.int64)
        self._rigid = np.array([row for row in moving if row not in self._flexes], dtype=np.int64)
        self.mass: Floats = self._model.body_mass[self._bodies].copy()
        self.inertia: Floats = self._model.body_inertia[self._bodies].copy()
        self.axes: Floats = self._model.body_iquat[self._bodies].copy()
        """(moving, 4): how the axes of the inertia stand in each body."""
        for row, flex in self._flexes.items():
            inertia, self.axes[row] = flex.lattice.inertia
            self.mass[row], self.inertia[row] = flex.mass, flex.mass * inertia
        self.load = loads(self.solids, ties, self.mass, self.inertia, self.axes, float(np.linalg.norm(gravity)))
        """(moving, 2): how all that hangs on it can turn it [rad/s²], and how many times as hard to turn it is so."""
        self._hang = bodies != list(range(1, self._model.nbody)) or any(solid.hung is not None for solid in self.solids)
        """Whether some hang on others or are soft, so that MuJoCo's own numbers are not those of rows."""
        self.force: Floats = np.zeros((len(bodies), 6)) if self._hang else self._data.xfrc_applied[1:]
        """(moving, 6): what is pushed and turned with, in the world; lasts until it is said anew."""
        self.place: Floats = np.empty((len(bodies), 7)) if self._hang else self._data.qpos.reshape(-1, 7)
        self.going: Floats = np.empty((len(bodies), 6)) if self._hang else self._data.qvel.reshape(-1, 6)
        carries = carried_by_steps(self.solids, self.inertia, self.axes)
        self._stiff = [(self.coordinates(row)[1], hung, most) for row, (hung, most) in carries.items()]
        """Joints that draw back to rest: where their motion stands, what they say, and how much of it steps carry."""
        does, ends = self._model.eq_solimp[:, :1], (self._model.eq_obj1id, self._model.eq_obj2id)
        light = sum(self._model.body_invweight0[end] for end in ends)
        self._tie_gives: Floats = np.repeat(light, 3, axis=1) * (1.0 - does) / does
        """(ties, 6): how much what is held together gives along each axis, and about it, as MuJoCo softens that."""
        self.lingering, self.sinking = NOBODY, NO_PENETRATION
        self._set(step, step)
        self.look()

    @property
    def tumbling(self) -> Ints:
        """Those whose spin turns itself: rigid, not alike about all axes, and hung together with nobody."""
        if self._flexes:  # MuJoCo takes the steps of soft bodies otherwise
            return np.empty(0, np.int64)
        hung = {row for row, solid in enumerate(self.solids) if solid.hung is not None}
        hung |= {solid.hung.on for solid in self.solids if solid.hung is not None}
        free = [row for row in self._rigid.tolist() if row not in hung and not self.solids[row].is_driven]
        return np.array([row for row in free if np.ptp(self.inertia[row]) > ALIKE * self.inertia[row].max()], np.int64)

    def _measured(self) -> tuple[Floats, Floats]:
        narrow = np.array([narrowest(solid.body.shape) for solid in self.solids])
        wide = np.array([widest(solid.body.shape) for solid in self.solids])
        for geom, number in enumerate(self._solid_of_geom):
            if isinstance(mesh := self.solids[number].body.shape, Mesh):
                check_sides(self.names[number], mesh, 2 * self._model.geom_aabb[geom, 3:])
                narrow[number] = self._model.geom_aabb[geom, 3:].min()
                wide[number] = self._model.geom_rbound[geom] + np.linalg.norm(self._model.geom_pos[geom])
        return narrow, wide

    def begin(self) -> None:
        """Be as it was made: links as they stand at rest, nothing pushed, nothing known of an earlier run."""
        mujoco.mj_resetData(self._model, self._data)
        self.force[:] = 0.0
        self.lingering, self.sinking = NOBODY, NO_PENETRATION

    def put(self, row: int, position: Floats, orientation: Floats, velocity: Floats, spin: Floats) -> None:
        """Put a body that is free somewhere, on its way; its spin is in its own frame."""
        if row in self._flexes:
            self._flexes[row].put(position, orientation, velocity, spin)
            return
        place, going = self.coordinates(row)
        self._data.qpos[place] = np.concatenate([position, orientation])
        self._data.qvel[going] = np.concatenate([velocity, spin])

    def send(self, row: int, velocity: Floats, spin: Floats) -> None:
        """Let a body that is free go on so; its spin is in its own frame."""
        _, going = self.coordinates(row)
        self._data.qvel[going] = np.concatenate([velocity, spin])

    def adopt(self, row: int, other: "Engine", there: int) -> None:
        """Be in a row as in that of another engine, where the same kind of body is."""
        one, two = self.solids[row].body, other.solids[there].body
        if (one.stiffness is None) != (two.stiffness is None) or (one.stiffness is not None and one.shape != two.shape):
            place, going = other.place[there], other.going[there]
            self.put(row, place[:3], place[3:], going[:3], going[3:])
            return
        ours, theirs = self.coordinates(row), other.coordinates(there)
        if [part.stop - part.start for part in ours] == [part.stop - part.start for part in theirs]:
            self._data.qpos[ours[0]] = other._data.qpos[theirs[0]]
            self._data.qvel[ours[1]] = other._data.qvel[theirs[1]]
            self._data.qacc_warmstart[ours[1]] = other._data.qacc_warmstart[theirs[1]]

    def skins(self, rows: Sequence[int]) -> Floats:
        """The surfaces of some soft bodies (points, 3), one after the other."""
        return np.concatenate([self._flexes[row].skin for row in rows]) if rows else np.empty((0, 3))

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
        if self._hang:
            self.force[:] = 0.0  # which is said anew in every step
        self.look()

    def look(self) -> None:
        """See who touches whom, where everybody is put now."""
        try:
            if self._flexes:
                mujoco.mj_step1(self._model, self._data)
                if self._let_be():
                    self._bind()
            else:
                self._look_in_parts()
        except mujoco.FatalError as error:  # it gives up where somebody is nowhere
            if self._hang:
                self._see()
            raise LostError from error
        if self._hang:
            self._see()

    def _look_in_parts(self) -> None:
        """`mj_step1` in its parts, so that between two of them it can be said how soon slipping ends, and who bounces.

        If that were as soon as contacts are hard, whatever slides would be thrown up by its own friction. Of what soft
        bodies need, one part cannot be asked for.
        """
        model, data = self._model, self._data
        mujoco.mj_kinematics(model, data)
        mujoco.mj_comPos(model, data)
        mujoco.mj_makeM(model, data)
        mujoco.mj_factorM(model, data)
        mujoco.mj_collision(model, data)
        if data.ncon:
            met = data.contact
            self._let_be()
            let_slip(met.dist, met.solreffriction, self._shallow, SLIPS_FOR)
            if len(self.lingering):
                let_linger(met.geom, self._solid_of_geom, self.lingering, self._step, met.solref)
            if self._bounces:
                self._let_spring()
        self._bind()

    def _bind(self) -> None:
        """Find what contacts, joints and ties demand."""
        for part in (mujoco.mj_makeConstraint, mujoco.mj_island, mujoco.mj_projectConstraint, mujoco.mj_fwdVelocity):
            part(self._model, self._data)

    def _let_be(self) -> bool:
        """Let those touch and not push each other whom no push is to move; whether there are any.

        A motion moves its body step by step. Within a step that would be pushed away by what stands in its way, and
        throw whatever lies on it.
        """
        if not self._drives:
            return False
        idle = ~self._pushed[self._data.contact.geom].any(axis=1)
        self._data.contact.exclude[idle] = 1
        return bool(idle.any())

    def _let_spring(self) -> None:
        """Let those push as springs who bounce off several others at once, as hard as they are hard to move there.

        Of what hangs on others that is a question of all of it.
        """
        met, pairs = self._data.contact, (self._data.contact.geom, self._solid_of_geom)
        if not let_spring(*pairs, len(self._bodies), met.dist, self._shallow, met.solref, met.solimp):
            return
        if not self._hang:
            bodies = self.place, self.mass, self.inertia, self.axes
            weigh_springs(*pairs, *bodies, met.pos, met.frame, met.solimp, met.solref)
            return
        along = np.zeros((2, 3, self._model.nv))
        for number in np.flatnonzero(met.solimp[:, 0] == AS_A_SPRING).tolist():
            touch = self._model.geom_bodyid[pairs[0][number]]
            for body, moves in zip(touch, along, strict=True):
                mujoco.mj_jac(self._model, self._data, moves, None, met.pos[number], body)
            apart = met.frame[number, :3] @ (along[1] - along[0])
            gives = float(apart @ self._given_way(apart[None])[0])
            met.solref[number] = softened(met.solref[number], gives, self._model.body_invweight0[touch, 0].sum())

    def take(self, seconds: float, whole: float) -> None:
        """Let steps take so long from now on, which are whole ones or halves of them; contacts are seen anew.

        Those are as hard as a step allows. What is held together stays as hard as a whole step allows: it may be
        stretched just then, and if it were harder all at once, it would throw whatever it holds.
        """
        if (seconds, whole) != (self._step, self._whole):
            self._set(seconds, whole)
            self.look()

    def linger(self) -> None:
        """Let those who are deep in each other now stay as they are, however short steps will be while they touch."""
        self.lingering = lingering(self.lingering, self.pairs()[self.depths() > self._shallow], self._step)

    def let_go(self) -> None:
        """Forget those who lingered and do not touch any more."""
        self.lingering = still_lingering(self.lingering, self.pairs())

    def advance(self) -> None:
        """One step with the forces said. Until the next look, contacts are those of the step, and push as they did."""
        if self._hang:
            self._data.xfrc_applied[self._bodies[self._rigid]] = self.force[self._rigid]
            for row, flex in self._flexes.items():
                flex.push(self.force[row])
        mujoco.mj_step2(self._model, self._data)

    @property
    def depth(self) -> float:
        """How deep the deepest contact is [m]."""
        return float(self.depths().max(initial=0.0))

    def touching(self) -> tuple[NDArray[Any], Ints, Floats, Floats]:
        """Pairs of geoms that touch (n, 2), whose solids are these, where (n, 3), and in which frames (n, 9).

        The first axis of a frame is from one to the other. All is as MuJoCo has it now, and not kept.
        """
        contacts = self._data.contact
        if self._flexes:
            return self.pairs(), np.arange(len(self.solids)), contacts.pos, contacts.frame
        return contacts.geom, self._solid_of_geom, contacts.pos, contacts.frame

    def pairs(self) -> Ints:
        """Pairs of solids that touch (n, 2)."""
        return touching(self._data.contact, self._solid_of_geom, self._flexes)

    def depths(self) -> Floats:
        """How deep each contact is [m], (n,)."""
        return -self._data.contact.dist if self._data.ncon else np.empty(0)

    def yields(self, one: int, two: int) -> bool:
        """Whether one of two solids is soft: others may be deep in it."""
        return one in self._flexes or two in self._flexes

    def places(self, contacts: Sequence[int]) -> Floats:
        """Where some of the contacts are [m], (n, 3)."""
        return np.asarray(self._data.contact.pos[contacts]) if contacts else np.empty((0, 3))

    def pushes(self, contacts: Sequence[int]) -> Floats:
        """How some of the contacts pushed the second of their pair in a step, before the next look, (n, 2, 3) [N].

        First straight away from the surface, then along it, by friction.
        """
        force, found = np.zeros(6), np.empty((len(contacts), 2, 3))
        frames = self._data.contact.frame.reshape(-1, 3, 3)
        for row, number in enumerate(contacts):
            mujoco.mj_contactForce(self._model, self._data, number, force)
            found[row, 0], found[row, 1] = force[0] * frames[number, 0], force[1:3] @ frames[number, 1:]
        return found

    def to_hold(self, row: int, places: Floats) -> Floats:
        """What it takes at most to hold a body that hangs on others with its middle at some places (n, 3) [N m].

        Or as near to them as it can be, where it goes from one to the next. For each number of MuJoCo's own motion,
        those of the figure's own joints; whatever it touches is left out.
        """
        model, there, body = self._model, mujoco.MjData(self._model), self._bodies[row]
        there.qpos[:] = self._data.qpos
        tree = model.body_rootid[model.dof_bodyid] == model.body_rootid[body]
        own = tree & (model.jnt_type[model.dof_jntid] != FREE)
        along, most = np.zeros((3, model.nv)), np.zeros(model.nv)
        for place in places:
            for _ in range(BENDS):
                mujoco.mj_kinematics(model, there)
                mujoco.mj_comPos(model, there)
                mujoco.mj_jac(model, there, along, None, there.xpos[body], body)
                moves = along * own
                away = np.linalg.solve(moves @ moves.T + STIFFLY * np.eye(3), place - there.xpos[body])
                mujoco.mj_integratePos(model, there.qpos, moves.T @ away, 1.0)
            mujoco.mj_forward(model, there)
            most = np.maximum(most, np.abs(there.qfrc_bias - there.qfrc_passive) * own)
        return most

    def _goes(self, row: int) -> Floats:
        """How a body goes along with MuJoCo's own motion, and turns with it, (2, 3, motion)."""
        moves = np.zeros((2, 3, self._model.nv))
        mujoco.mj_jacBodyCom(self._model, self._data, *moves, self._bodies[row])
        return moves

    def _ties(self) -> tuple[Floats, Floats]:
        """How all that is held together goes along with MuJoCo's own motion (ties, motion), and how much that gives."""
        data, count = self._data, self._data.ne
        gives = self._tie_gives[
            data.efc_id[:count], np.arange(count) - np.searchsorted(data.efc_id[:count], data.efc_id[:count])
        ]
        if not mujoco.mj_isSparse(self._model):
            return data.efc_J.reshape(-1, self._model.nv)[:count], gives
        found = np.zeros((count, self._model.nv))
        for row, (begin, numbers) in enumerate(zip(data.efc_J_rowadr[:count], data.efc_J_rownnz[:count], strict=True)):
            there = slice(begin, begin + numbers)
            found[row, data.efc_J_colind[there]] = data.efc_J[there]
        return found, gives

    def _given_way(self, forces: Floats) -> Floats:
        """How everything would give way to each of some forces (n, motion)."""
        found = np.empty_like(forces)
        mujoco.mj_solveM(self._model, self._data, found, forces)
        return found

    def _see(self) -> None:
        """See where those are who hang on others, and how they go."""
        data, roots = self._data, self._model.body_rootid
        seen(self._bodies, roots, data.xpos, data.xquat, data.cvel, data.subtree_com, self.place, self.going)
        for row, flex in self._flexes.items():
            flex.see(self.place[row], self.going[row])

    def _set(self, seconds: float, whole: float) -> None:
        self._step, self._whole = seconds, whole
        self._model.opt.timestep = seconds
        for geom, number in enumerate(self._solid_of_geom):
            self._model.geom_solref[geom] = contact(self.solids[number].body.bounce, seconds, bool(self._flexes))
        if self._flexes:
            self._model.flex_solref[:] = contact(0.0, seconds, True)
        self._model.eq_solref[:, 0] = TIES_LAST * whole
        for motion, hung, most in self._stiff:
            beyond = max(0.0, hung.stiffness * whole**2 - most) / 2
            self._model.dof_armature[motion] = beyond
            self._model.dof_damping[motion] = hung.damping + beyond / whole
