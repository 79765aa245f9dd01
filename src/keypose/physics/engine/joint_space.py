"""How are bodies moved that hang on others? By their joints: how heavy they are there, and what muscles and springs do.

A body pulls along whatever hangs on it, so it is harder to move than it is alone, and harder in some directions than in
others. All is in MuJoCo's own numbers: one of motion for each way in which a joint lets go.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from keypose.maths.arrays import Floats, Ints
from keypose.physics.engine.flex import Flex
from keypose.physics.engine.joint_torques import GivenWay, Haul, Muscles, against, held, shared_out
from keypose.physics.engine.model_spec import Hung

NUMBERS = {0: (7, 6), 1: (4, 3), 2: (1, 1), 3: (1, 1)}  # of a joint's place and motion: free, ball, slide, hinge


class Hanging(ABC):
    """What is asked of the bodies of an engine that hang on others, and done to them."""

    names: Sequence[str]
    mass: Floats
    inertia: Floats
    force: Floats
    _model: Any
    _data: Any
    _bodies: Ints
    _flexes: Mapping[int, Flex]
    _stiff: Sequence[tuple[slice, Hung, float]]

    @abstractmethod
    def _goes(self, row: int) -> Floats:
        """How a body goes along with MuJoCo's own motion, and turns with it, (2, 3, motion)."""

    @abstractmethod
    def _given_way(self, forces: Floats) -> Floats:
        """How everything would give way to each of some forces (n, motion)."""

    @abstractmethod
    def _ties(self) -> tuple[Floats, Floats]:
        """How all that is held together goes along with MuJoCo's own motion (ties, motion), and how much that gives."""

    def coordinates(self, row: int) -> tuple[slice, slice]:
        """Where the place and the motion of a body stand among MuJoCo's own numbers."""
        if row in self._flexes:
            return self._flexes[row].coordinates
        body = self._bodies[row]
        joint, count = self._model.body_jntadr[body], self._model.body_jntnum[body]
        if not count:
            return slice(0, 0), slice(0, 0)
        kind = self._model.jnt_type[joint]
        place, going = self._model.jnt_qposadr[joint], self._model.jnt_dofadr[joint]
        return slice(place, place + NUMBERS[kind][0]), slice(going, going + NUMBERS[kind][1])

    def haul(
        self, row: int, pulled: Floats, slowed: Floats, beside: Floats, turns: bool, muscles: Muscles | None
    ) -> Haul | None:
        """Let a body that hangs on others be pulled, as heavy as those make it there: its force is said anew.

        By how much [m/s²] and [rad/s²] (6,), and what of that slows it down; unless it `turns`, the first three count.
        And with what force `beside` that [N], [N m]. With muscles it is only told what is wanted of them: see `flex`.
        """
        along, about = self._goes(row)
        ways = self._ways(row)
        weight = _weighed(along, self._heaviest(row)[0], ways)
        force, torque, hard_to_turn = weight @ pulled[:3] + beside[:3], np.zeros(3), np.zeros((3, 3))
        if turns:
            hard_to_turn = _weighed(about, self._heaviest(row)[1], ways)
            torque = hard_to_turn @ pulled[3:] + beside[3:]
        self.force[row, :3], self.force[row, 3:] = force, torque
        if muscles is None:
            return None
        self.force[row] = 0.0
        slows = (weight @ slowed[:3]) @ along + (hard_to_turn @ slowed[3:]) @ about
        goes = np.vstack([along, about * turns])
        return Haul(force @ along + torque @ about, slows, goes, weight @ along, muscles)

    def figures(self, rows: Sequence[int]) -> list[list[int]]:
        """These by the figures they are of, by their numbers here; a list for each figure."""
        found: dict[int, list[int]] = {}
        for number, root in enumerate(self.roots(rows)):
            found.setdefault(root, []).append(number)
        return list(found.values())

    def roots(self, rows: Sequence[int]) -> list[int]:
        """By which number of MuJoCo's the whole figure of each is known."""
        return [int(self._model.body_rootid[self._bodies[row]]) for row in rows]

    def is_sprung(self, row: int) -> bool:
        """Whether joints of its figure draw back to rest."""
        joints = (self._model.dof_bodyid[motion.start] for motion, *_ in self._stiff)
        return any(self._model.body_rootid[body] == self.roots([row])[0] for body in joints)

    def against_springs(self, rows: Sequence[int], turning: Sequence[bool]) -> Floats:
        """With what some of a figure are pushed [N] and, if they turn, turned [N m], lest springs move them, (n, 6)."""
        return self._against(self._data.qfrc_spring, rows, turning)

    def falls(self, rows: Sequence[int], turning: Sequence[bool]) -> Floats:
        """How some of a figure would fall [m/s²] and, if they turn, turn by its weight [rad/s²], (n, 6).

        Each beside what the others are pulled with who keep it from falling: together they carry it once.
        """
        found = -self._against(-self._data.qfrc_bias, rows, turning)
        ways = self._ways(rows[0])
        for row, force in zip(rows, found, strict=True):
            for part, (goes, most) in enumerate(zip(self._goes(row), self._heaviest(row), strict=True)):
                force[3 * part : 3 * part + 3] = np.linalg.solve(
                    _weighed(goes, most, ways), force[3 * part : 3 * part + 3]
                )
        return found

    def _against(self, draws: Floats, rows: Sequence[int], turning: Sequence[bool]) -> Floats:
        """With what some of a figure are pushed and, if they turn, turned, lest they are moved by forces, (n, 6)."""
        goes = np.stack([self._goes(row) for row in rows]).reshape(-1, self._model.nv)
        heaviest = np.repeat([self._heaviest(row) for row in rows], 3)
        counts = np.repeat([each for turns in turning for each in (True, turns)], 3)
        found = np.zeros(6 * len(rows))
        found[counts] = against(draws, goes[counts], heaviest[counts], self._ways(rows[0]))
        return found.reshape(-1, 6)

    def flex(self, hauls: Sequence[Haul]) -> list[Floats]:
        """Let the joints do what they can of all that is wanted; what of each wish is not fulfilled [N m]."""
        self._data.qfrc_applied[:], lacks = shared_out(hauls, lambda forces: self._given_way(forces[None])[0])
        return lacks

    def gone(self, haul: Haul, forces: Floats) -> Floats:
        """How forces on MuJoCo's own motion [N m] move what is pulled [m/s²] and turn it [rad/s²], if it is turned."""
        return np.asarray(haul.goes @ self._given_way(forces[None])[0])

    def moved_by(self, number: int) -> str:
        """Who hangs by the joint that is one of MuJoCo's own numbers of motion."""
        return self.names[int(np.flatnonzero(self._bodies == self._model.dof_bodyid[number])[0])]

    def strengths(self, strength: Mapping[int, float]) -> Floats:
        """How strong the joints are by which some rows hang, for each number of MuJoCo's own motion."""
        found = np.zeros(self._model.nv)
        for row, amount in strength.items():
            found[self.coordinates(row)[1]] = amount
        return found

    def _heaviest(self, row: int) -> tuple[float, float]:
        """How heavy a body is at most that hangs on others [kg], and how hard to turn [kg m²]: as if it were all."""
        times = sum(float(self._model.body_subtreemass[root]) for root in self._bound[self.roots([row])[0]])
        times /= float(self.mass[row])
        return float(self.mass[row]) * times, float(self.inertia[row].max()) * times

    def _ways(self, row: int) -> GivenWay:
        """How everything gives way to forces on the figure of a body, which may be held to others and carry them."""
        model, root = self._model, self.roots([row])[0]
        if not np.isin(model.body_rootid[[model.eq_obj1id, model.eq_obj2id]], self._bound[root]).any():
            return self._given_way
        ties, gives = self._ties()
        own = np.isin(model.body_rootid[model.dof_bodyid], self._bound[root])
        mine = ties[:, own].any(axis=1)
        return held(self._given_way, ties[mine], gives[mine])

    @cached_property
    def _bound(self) -> dict[int, list[int]]:
        """The roots of all figures and bodies that are held to each, itself among them, by its own root."""
        model = self._model
        found = {int(root): [int(root)] for root in np.unique(model.body_rootid)}
        for one, two in zip(model.eq_obj1id, model.eq_obj2id, strict=True):
            if model.body_weldid[one] and model.body_weldid[two]:  # what does not move binds nobody to anybody
                mine, other = found[int(model.body_rootid[one])], found[int(model.body_rootid[two])]
                if mine is not other:
                    mine += other
                    found |= dict.fromkeys(other, mine)
        return found


def _weighed(moves: Floats, most: float, ways: GivenWay) -> Floats:
    """How heavy what so moves is in each direction (3, 3), by how little it gives way; never more than `most`."""
    gives, axes = np.linalg.eigh(ways(moves) @ moves.T)
    return np.asarray((axes / np.maximum(gives, 1 / most)) @ axes.T)
