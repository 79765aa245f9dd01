"""How does MuJoCo move a soft body? As a flex: its knots are small bodies that slide freely, its points hang on them.

The engine sees it in one row, as it sees every other body: its place is the middle of its mass with the mean turn of
its knots, its motion their mean velocity and mean spin; what pushes and turns it is shared out among them by their
mass, so that it alone would bend nothing.
"""

from collections.abc import Mapping, Sequence
from math import sqrt
from typing import Any

import numpy as np

from keypose.maths import quaternion
from keypose.maths.arrays import Floats, Ints
from keypose.physics.engine.contact_model import LEAST, damping_for
from keypose.physics.values.body import RUNAWAY, Body
from keypose.physics.values.soft_lattice import Lattice, inertia_of, lattice_of, mean_turn

LOOKS_AHEAD = 4  # MuJoCo's "discrete": the only one of its ways to step that is stable however stiff a flex is
SLIDES = 2  # MuJoCo's number of a joint along a line
SPREADS = 0.3  # Poisson's ratio: how much it widens where it is squeezed
SLUGGISH = 0.7  # ζ at most: one that is damped more creeps back to its shape
NEAR = 3.0  # times its rounding: who is no farther away still touches it, for points tremble on a floor
FLATTEST = 1e-9  # of its inertia at rest: what cannot be turned about is not


def add_flex(spec: Any, name: str, body: Body) -> Any:
    """Add a soft body to a world, at the origin; its flex comes back, whose contacts are still to be said."""
    lattice, stiffness = lattice_of(body.shape), body.stiffness or 0.0
    flex = spec.add_flex()
    flex.name, flex.dim, flex.order, flex.cellcount = name, 3, 1, lattice.cells
    flex.young, flex.poisson = stiffness * lattice.filled, SPREADS  # the cells are full, and the body is not
    flex.damping = damping(body, lattice)
    flex.radius, flex.gap, flex.selfcollide = lattice.rounding, NEAR * lattice.rounding, 0
    for number, (place, share) in enumerate(zip(lattice.knots, lattice.weights, strict=True)):
        knot = spec.worldbody.add_body(name=f"{name}.{number}", pos=place)
        knot.mass, knot.inertia, knot.explicitinertial = body.mass * share, (1.0, 1.0, 1.0), True  # it never turns
        for axis in np.eye(3):
            knot.add_joint(type=SLIDES, axis=axis)
    flex.nodebody = [f"{name}.{number}" for number in range(len(lattice.knots))]
    flex.vert, flex.vertbody = lattice.points.ravel().tolist(), ["world"] * len(lattice.points)
    flex.elem = lattice.tetrahedra.ravel().tolist()
    return flex


def damping(body: Body, lattice: Lattice) -> float:
    """How long [s] its shape takes to come to rest, so that about as much speed comes back as its bounce says.

    2ζ/ω, ω of a cube of this volume, mass and stiffness that is squeezed on one side.
    """
    ratio = SLUGGISH if body.bounce < LEAST else min(SLUGGISH, damping_for(body.bounce))
    return 2 * ratio / sqrt((body.stiffness or 0.0) * lattice.volume ** (1 / 3) / body.mass)


def flexes(model: Any, data: Any, bodies: Sequence[Body]) -> "dict[int, Flex]":
    """Those of some bodies who are soft, by their numbers."""
    return {
        number: Flex(model, data, f"{number}", body) for number, body in enumerate(bodies) if body.stiffness is not None
    }


def touching(contacts: Any, solid_of_geom: Ints, soft: "Mapping[int, Flex]") -> Ints:
    """Who touches whom (n, 2), by their numbers: of a soft body MuJoCo knows no geom, but a flex."""
    if not soft:
        return np.asarray(solid_of_geom[contacts.geom])
    solid_of_flex = np.array([number for _, number in sorted((flex.number, row) for row, flex in soft.items())])
    solids = np.append(solid_of_geom, 0)[contacts.geom]
    return np.asarray(np.where(contacts.geom >= 0, solids, solid_of_flex[contacts.flex]))


class Flex:
    """A soft body in a world that is made."""

    def __init__(self, model: Any, data: Any, name: str, body: Body) -> None:
        self.lattice, self.mass = lattice_of(body.shape), body.mass
        self._least = FLATTEST * float(inertia_of(self.lattice.knots, self.lattice.weights).trace())
        count, self.first = len(self.lattice.knots), int(model.body(f"{name}.0").id)
        self.number = model.flex_nodebodyid[model.flex_nodeadr].tolist().index(self.first)
        joint = model.body_jntadr[self.first]
        place, going = model.jnt_qposadr[joint], model.jnt_dofadr[joint]
        self.coordinates = slice(place, place + 3 * count), slice(going, going + 3 * count)
        """Where its place and its motion stand among MuJoCo's own numbers."""
        self._moved: Floats = data.qpos[self.coordinates[0]].reshape(-1, 3)
        self._going: Floats = data.qvel[self.coordinates[1]].reshape(-1, 3)
        self._force: Floats = data.xfrc_applied[self.first : self.first + count, :3]
        points = model.flex_vertadr[self.number]
        self._points: Floats = data.flexvert_xpos[points : points + len(self.lattice.points)]

    @property
    def skin(self) -> Floats:
        """(points of its surface, 3): where they are [m]."""
        return np.asarray(self._points[self.lattice.skin])

    def see(self, place: Floats, going: Floats) -> None:
        """Fill a row of places and one of motions with where it is and how it goes; with no numbers if it is lost."""
        if not (np.abs(self._moved).max() <= RUNAWAY and np.abs(self._going).max() <= RUNAWAY):
            place[:] = going[:] = np.nan
            return
        knots, weights = self._knots()
        place[:3], velocity = weights @ knots, weights @ self._going
        away, moving = knots - place[:3], self._going - velocity
        place[3:] = mean_turn(self.lattice.knots, away, weights)
        spin = self._turned(away, weights @ np.cross(away, moving))
        going[:3], going[3:] = velocity, quaternion.rotate(quaternion.conjugate(place[3:]), spin)

    def push(self, force: Floats) -> None:
        """Let it be pushed and turned with six numbers, in the world, at its middle."""
        if not force.any():
            self._force[:] = 0.0
            return
        knots, weights = self._knots()
        away = knots - weights @ knots
        turning = np.cross(self._turned(away, force[3:]), away) if force[3:].any() else 0.0
        self._force[:] = weights[:, None] * (force[:3] + turning)

    def put(self, position: Floats, orientation: Floats, velocity: Floats, spin: Floats) -> None:
        """Put it somewhere in its own shape, on its way; its spin is in its own frame."""
        away = quaternion.rotate(orientation, self.lattice.knots)
        self._moved[:] = position + away - self.lattice.knots
        self._going[:] = velocity + np.cross(quaternion.rotate(orientation, spin), away)

    def _knots(self) -> tuple[Floats, Floats]:
        return self.lattice.knots + self._moved, self.lattice.weights

    def _turned(self, away: Floats, momentum: Floats) -> Floats:
        """How fast a unit of mass with this angular momentum turns: not at all about what it has no width around."""
        inertia, axes = np.linalg.eigh(inertia_of(away, self.lattice.weights))
        rates = axes.T @ momentum / np.maximum(inertia, self._least)
        return np.asarray(axes @ np.where(inertia > self._least, rates, 0.0))
