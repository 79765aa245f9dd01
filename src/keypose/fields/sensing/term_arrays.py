"""Which fields are plain enough to be worked out for thousands at once? Numbers times the laws of the library.

Moved, turned, within a ball, carried and added up, such a field is a list of terms: a row of numbers each, and who
carries it. All other fields (typed, noisy, delayed, stretched, coming and going) are evaluated as they are given.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import inf

import numpy as np

from keypose.fields.algebra.carrier import CarriedField
from keypose.fields.algebra.field import Field
from keypose.fields.algebra.sum import Sum, WeightedField
from keypose.fields.algebra.transform import BoundedField, MovedField, TurnedField
from keypose.fields.kernels.law import PULL, UNIFORM, VORTEX, WALL, Law
from keypose.fields.library import Attractor, Repeller, Spring, Uniform, Vortex, Wall
from keypose.maths import Floats, Vec3, quaternion


@dataclass(frozen=True)
class Term:
    """A law, and all who carry it; nobody if it stays in the world."""

    law: Law
    carriers: tuple[str, ...] = ()


def terms(field: Field) -> tuple[Term, ...] | None:
    """The terms that a field with its groups resolved adds up from; None if it is not plain."""
    if isinstance(field, CarriedField) and field.speed is None:
        laws = _laws(field.field)
        return None if laws is None else tuple(Term(law, field.names) for law in laws)
    if isinstance(field, Sum):
        part_terms = [terms(part) for part in field.summands]
        return None if None in part_terms else tuple(term for part in part_terms if part is not None for term in part)
    if isinstance(field, WeightedField):
        inner = terms(field.field)
        return inner and tuple(Term(_scale_law(term.law, field.factor), term.carriers) for term in inner)
    laws = _laws(field)
    return None if laws is None else tuple(Term(law) for law in laws)


def _laws(field: Field) -> tuple[Law, ...] | None:
    """The laws that a field nobody carries adds up from; None if it is not plain."""
    if type(field) in _LAW_BUILDERS:
        return (_LAW_BUILDERS[type(field)](field),)
    if isinstance(field, Sum):
        part_laws = [_laws(part) for part in field.summands]
        return None if None in part_laws else tuple(law for part in part_laws if part is not None for law in part)
    if not isinstance(field, WeightedField | MovedField | TurnedField | BoundedField):
        return None
    inner = _laws(field.field)
    if inner is None:
        return None
    if isinstance(field, BoundedField):
        if field.radius is None or any(law.radius < inf for law in inner):
            return None
        radius = field.radius
        return tuple(replace(law, radius=radius, ball_center=field.center, edge=field.edge) for law in inner)
    if isinstance(field, WeightedField):
        return tuple(_scale_law(law, field.factor) for law in inner)
    if isinstance(field, MovedField):
        offset = field.offset
        return tuple(
            law.transformed(lambda position: _add_vectors(position, offset), lambda direction: direction)
            for law in inner
        )
    rotation = field.turn.wxyz
    return tuple(
        law.transformed(
            lambda position: _rotate_vector(rotation, position), lambda direction: _rotate_vector(rotation, direction)
        )
        for law in inner
    )


def _scale_law(law: Law, factor: float) -> Law:
    return replace(law, strength=law.strength * factor)


def _add_vectors(one: Vec3, two: Vec3) -> Vec3:
    return one[0] + two[0], one[1] + two[1], one[2] + two[2]


def _rotate_vector(rotation: Floats, vector: Vec3) -> Vec3:
    x, y, z = quaternion.rotate(rotation, np.array(vector)).tolist()
    return x, y, z


def _pull_law(strength: float, field: Attractor | Repeller) -> Law:
    return Law(PULL, strength, field.falloff + 1, field.core, field.center)


_LAW_BUILDERS: dict[type[Field], Callable[..., Law]] = {
    Uniform: lambda field: Law(UNIFORM, 1.0, direction=field.vector),
    Attractor: lambda field: _pull_law(field.strength, field),
    Repeller: lambda field: _pull_law(-field.strength, field),
    Vortex: lambda field: Law(VORTEX, field.strength, field.falloff + 1, field.core, field.center, field.axis),
    Spring: lambda field: Law(PULL, field.stiffness, position=field.center),
    Wall: lambda field: Law(WALL, field.strength, position=field.point, direction=field.normal, reach=field.reach),
}
