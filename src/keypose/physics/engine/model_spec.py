"""What is in an engine? Bodies somewhere, some of which hang on others or are held together; all by their numbers."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from keypose.maths import quaternion
from keypose.maths.arrays import Floats, Ints
from keypose.physics.values.body import Body

NO_PENETRATION: Ints = np.empty((0, 3), np.int64)
"""Rows of two solids, the smaller number first, and in how many looks they were deep in each other."""


ROUNDS = 12  # in which the middle of a step is found


@dataclass(frozen=True)
class Hung:
    """How a body hangs on another: by a place and an axis in the world, as everything stands at the beginning."""

    on: int
    """The number of the other."""
    at: tuple[float, ...] | None = None
    """None for what is fixed to it."""
    axis: tuple[float, ...] | None = None
    """None for what turns any way."""
    limits: tuple[float, float] | None = None
    """[rad]"""
    stiffness: float = 0.0
    damping: float = 0.0


@dataclass(frozen=True)
class Tie:
    """Two that are held together, by their numbers; None is the world."""

    one: int
    two: int | None
    places: tuple[tuple[float, ...], ...]
    """Where they stay together, in the world at the beginning; without any they stay as they stand."""


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
    hung: Hung | None = None


def from_the_root(solids: Sequence[Solid]) -> list[int]:
    """The numbers of all, each after what it hangs on."""
    done: dict[int, None] = {}
    for number in range(len(solids)):
        chain, one = [], number
        while one not in done:
            chain.append(one)
            hung = solids[one].hung
            if hung is None:
                break
            one = hung.on
        done |= dict.fromkeys(reversed(chain))
    return list(done)


def from_z(normal: Floats) -> Floats:
    """A turn that brings z to a unit vector."""
    z = np.array([0.0, 0.0, 1.0])
    cosine = float(normal @ z)
    if cosine < -1 + 1e-12:
        return np.array([0.0, 1.0, 0.0, 0.0])
    return np.asarray(quaternion.normalized(np.concatenate([[1 + cosine], np.cross(z, normal)])))
