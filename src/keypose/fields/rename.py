"""What becomes of a field when an actor is called otherwise? It speaks of it by the new name; groups stay."""

from dataclasses import replace
from typing import Any, TypeVar

from keypose.fields.algebra.attached import Carried
from keypose.fields.algebra.field import Field
from keypose.fields.splines.dynamic_spline import Sensed
from keypose.fields.tracking.targets import Pointer

M = TypeVar("M")


def speaking_of(sensed: Sensed, old: str, new: str) -> Sensed:
    """What is sensed, where `old` is called `new`; itself if it does not speak of it."""
    if isinstance(sensed, Field):
        return _carried(sensed, old, new)
    if old not in sensed.names:
        return sensed
    target = sensed.target
    if isinstance(target, Pointer):
        return replace(sensed, target=Pointer(new))
    return replace(sensed, target=new if isinstance(target, str) else _all(sensed.names, old, new))


def sensing(mover: M, old: str, new: str) -> M:
    """The same mover, a dataclass with `senses`, which senses what speaks of `new`."""
    own: Any = mover
    senses = {
        one if isinstance(one, str) else speaking_of(one, old, new): affinity for one, affinity in own.senses.items()
    }
    made: M = replace(own, senses=senses)
    return made


def _carried(field: Field, old: str, new: str) -> Field:
    if old not in field.names:
        return field
    if isinstance(field, Carried):
        return replace(field, carrier=new if isinstance(field.carrier, str) else _all(field.carrier, old, new))
    return field.with_parts(tuple(_carried(part, old, new) for part in field.parts))


def _all(names: tuple[str, ...], old: str, new: str) -> tuple[str, ...]:
    return tuple(new if name == old else name for name in names)
