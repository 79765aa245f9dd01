"""What is in an engine? Bodies somewhere, some of which hang on others or are held together; all by their numbers."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from keypose.maths import Floats, Ints, quaternion
from keypose.physics.values.body import Body

NO_PENETRATION: Ints = np.empty((0, 3), np.int64)
"""Rows of two solids, the smaller number first, and in how many looks they were deep in each other."""


MIDPOINT_ITERATIONS = 12  # in which the middle of a step is found


@dataclass(frozen=True)
class JointSpec:
    """How a body hangs on another: by a place and an axis in the world, as everything stands at the beginning."""

    parent: int
    """The number of the other."""
    anchor: tuple[float, ...] | None = None
    """None for what is fixed to it."""
    axis: tuple[float, ...] | None = None
    """None for what turns any way."""
    limits: tuple[float, float] | None = None
    """[rad]"""
    stiffness: float = 0.0
    damping: float = 0.0


@dataclass(frozen=True)
class EqualitySpec:
    """Two that are held together, by their numbers; None is the world."""

    body1: int
    body2: int | None
    anchors: tuple[tuple[float, ...], ...]
    """Where they stay together, in the world at the beginning; without any they stay as they stand."""


@dataclass(frozen=True)
class BodySpec:
    """A body somewhere."""

    name: str
    body: Body
    position: tuple[float, ...]
    orientation: tuple[float, ...]
    is_movable: bool = True
    is_kinematic: bool = False
    """Whether a motion moves it."""
    joint: JointSpec | None = None


def order_parents_first(body_specs: Sequence[BodySpec]) -> list[int]:
    """The numbers of all, each after what it hangs on."""
    ordered: dict[int, None] = {}
    for number in range(len(body_specs)):
        chain, row = [], number
        while row not in ordered:
            chain.append(row)
            joint = body_specs[row].joint
            if joint is None:
                break
            row = joint.parent
        ordered |= dict.fromkeys(reversed(chain))
    return list(ordered)


def rotation_from_z(normal: Floats) -> Floats:
    """A turn that brings z to a unit vector."""
    z = np.array([0.0, 0.0, 1.0])
    cosine = float(normal @ z)
    if cosine < -1 + 1e-12:
        return np.array([0.0, 1.0, 0.0, 0.0])
    return np.asarray(quaternion.normalize(np.concatenate([[1 + cosine], np.cross(z, normal)])))
