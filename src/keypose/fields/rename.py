"""What becomes of a field when an actor is called otherwise? It speaks of it by the new name; groups stay."""

from dataclasses import replace
from typing import Any, TypeVar

from keypose.fields.algebra.carrier import CarriedField
from keypose.fields.algebra.field import Field
from keypose.fields.splines.dynamic_spline import FieldOrTracker
from keypose.fields.tracking.targets import Pointer

M = TypeVar("M")


def rename_in_field(sensed: FieldOrTracker, old: str, new: str) -> FieldOrTracker:
    """What is sensed, where `old` is called `new`; itself if it does not speak of it."""
    if isinstance(sensed, Field):
        return _rename_carrier(sensed, old, new)
    if old not in sensed.names:
        return sensed
    target = sensed.target
    if isinstance(target, Pointer):
        return replace(sensed, target=Pointer(new))
    return replace(sensed, target=new if isinstance(target, str) else _replace_name(sensed.names, old, new))


def rename_in_senses(mover: M, old: str, new: str) -> M:
    """The same mover, a dataclass with `senses`, which senses what speaks of `new`."""
    source: Any = mover
    senses = {
        sensed if isinstance(sensed, str) else rename_in_field(sensed, old, new): affinity
        for sensed, affinity in source.senses.items()
    }
    renamed: M = replace(source, senses=senses)
    return renamed


def _rename_carrier(field: Field, old: str, new: str) -> Field:
    if old not in field.names:
        return field
    if isinstance(field, CarriedField):
        return replace(field, carrier=new if isinstance(field.carrier, str) else _replace_name(field.carrier, old, new))
    return field.with_parts(tuple(_rename_carrier(part, old, new) for part in field.parts))


def _replace_name(names: tuple[str, ...], old: str, new: str) -> tuple[str, ...]:
    return tuple(new if name == old else name for name in names)
