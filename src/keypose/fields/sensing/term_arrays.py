"""Which fields are plain enough to be worked out for thousands at once? Numbers times the laws of the library.

Moved, turned, within a ball, carried and added up, such a field is a list of terms: a row of numbers each, and who
carries it. All other fields (typed, noisy, delayed, stretched, coming and going) are asked as they were said.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import inf

import numpy as np

from keypose.fields.algebra.attached import Carried
from keypose.fields.algebra.field import Field
from keypose.fields.algebra.sum import Sum, Times
from keypose.fields.algebra.transform import Moved, Turned, Within
from keypose.fields.kernels.law import PULL, UNIFORM, WALL, WHIRL, Law
from keypose.fields.library import Attractor, Repeller, Spring, Uniform, Vortex, Wall
from keypose.maths import quaternion
from keypose.maths.arrays import Floats, Vec3


@dataclass(frozen=True)
class Term:
    """A law, and all who carry it; nobody if it stays in the world."""

    law: Law
    carriers: tuple[str, ...] = ()


def terms(field: Field) -> tuple[Term, ...] | None:
    """The terms that a field with its groups resolved adds up from; None if it is not plain."""
    if isinstance(field, Carried) and field.speed is None:
        laws = _laws(field.field)
        return None if laws is None else tuple(Term(law, field.names) for law in laws)
    if isinstance(field, Sum):
        found = [terms(part) for part in field.summands]
        return None if None in found else tuple(term for part in found if part is not None for term in part)
    if isinstance(field, Times):
        inner = terms(field.field)
        return inner and tuple(Term(_times(term.law, field.factor), term.carriers) for term in inner)
    laws = _laws(field)
    return None if laws is None else tuple(Term(law) for law in laws)


def _laws(field: Field) -> tuple[Law, ...] | None:
    """The laws that a field nobody carries adds up from; None if it is not plain."""
    if type(field) in _SAID:
        return (_SAID[type(field)](field),)
    if isinstance(field, Sum):
        found = [_laws(part) for part in field.summands]
        return None if None in found else tuple(law for part in found if part is not None for law in part)
    if not isinstance(field, Times | Moved | Turned | Within):
        return None
    inner = _laws(field.field)
    if inner is None:
        return None
    if isinstance(field, Within):
        if field.radius is None or any(law.radius < inf for law in inner):
            return None
        radius = field.radius
        return tuple(replace(law, radius=radius, middle=field.center, edge=field.edge) for law in inner)
    if isinstance(field, Times):
        return tuple(_times(law, field.factor) for law in inner)
    if isinstance(field, Moved):
        offset = field.offset
        return tuple(law.placed(lambda place: _sum(place, offset), lambda along: along) for law in inner)
    turn = field.turn.wxyz
    return tuple(law.placed(lambda place: _turned(turn, place), lambda along: _turned(turn, along)) for law in inner)


def _times(law: Law, factor: float) -> Law:
    return replace(law, strength=law.strength * factor)


def _sum(one: Vec3, two: Vec3) -> Vec3:
    return one[0] + two[0], one[1] + two[1], one[2] + two[2]


def _turned(turn: Floats, vector: Vec3) -> Vec3:
    x, y, z = quaternion.rotate(turn, np.array(vector)).tolist()
    return x, y, z


def _pull(strength: float, said: Attractor | Repeller) -> Law:
    return Law(PULL, strength, said.falloff + 1, said.core, said.center)


_SAID: dict[type[Field], Callable[..., Law]] = {
    Uniform: lambda said: Law(UNIFORM, 1.0, along=said.vector),
    Attractor: lambda said: _pull(said.strength, said),
    Repeller: lambda said: _pull(-said.strength, said),
    Vortex: lambda said: Law(WHIRL, said.strength, said.falloff + 1, said.core, said.center, said.axis),
    Spring: lambda said: Law(PULL, said.stiffness, place=said.center),
    Wall: lambda said: Law(WALL, said.strength, place=said.point, along=said.normal, reach=said.reach),
}
