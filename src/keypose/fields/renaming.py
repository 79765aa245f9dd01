"""What becomes of a field when an actor is called otherwise? It speaks of it by the new name; groups stay."""

from dataclasses import replace

from keypose.fields.carrying import Carried
from keypose.fields.dynamic_spline import DynamicSpline, Sensed
from keypose.fields.field import Field
from keypose.fields.targets import Pointer


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


def sensing(spline: DynamicSpline, old: str, new: str) -> DynamicSpline:
    """The same spline, which senses what speaks of `new`."""
    senses = {
        one if isinstance(one, str) else speaking_of(one, old, new): affinity for one, affinity in spline.senses.items()
    }
    return replace(spline, senses=senses)


def _carried(field: Field, old: str, new: str) -> Field:
    if old not in field.names:
        return field
    if isinstance(field, Carried):
        return replace(field, carrier=new if isinstance(field.carrier, str) else _all(field.carrier, old, new))
    return field.with_parts(tuple(_carried(part, old, new) for part in field.parts))


def _all(names: tuple[str, ...], old: str, new: str) -> tuple[str, ...]:
    return tuple(new if name == old else name for name in names)
