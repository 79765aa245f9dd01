"""What does a page need to know of fields, and of those who sense them? Every word, and what can be said by hand."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from keypose.document import DEFAULTS, Rows, sense_object, spline_object
from keypose.errors import KeyposeError, short_repr
from keypose.fields import (
    BoundedField,
    DynamicSpline,
    Field,
    FieldOrTracker,
    FormulaField,
    Keep,
    Slider,
    Sum,
    carrier_of,
    subject_names,
    title_of,
)
from keypose.maths import Floats
from keypose.stage import SensingMover, Stage
from keypose.studio.edits.field_transforms import IDENTITY, FieldTransform, transform_steps
from keypose.studio.edits.orientations import euler_degrees
from keypose.studio.preview.field_handles import world_frame
from keypose.studio.protocol.updates.fields import FieldView, Parameter, PartView, SenseView, SplineView


def field_views(stage: Stage) -> tuple[FieldView, ...]:
    """All fields of a stage in words, in its order."""
    if not stage.fields:
        return ()
    movers = (actor.mover for actor in stage.actors if isinstance(actor.mover, SensingMover))
    sensed = Counter(name for mover in movers for name in mover.senses if isinstance(name, str))
    return tuple(field_view(name, field, sensed[name]) for name, field in stage.fields.items())


def field_view(name: str, sensed: FieldOrTracker, sensed_by: int) -> FieldView:
    """A field in words."""
    spec = _spec(sensed, f"Field {short_repr(name)}")
    base = transform_steps(sensed)[1] if isinstance(sensed, Field) else sensed
    return FieldView(
        name=name,
        kind=_kind_name(spec, base),
        spec=spec,
        is_placed=isinstance(sensed, Field),
        text=_text(base),
        parameters=tuple(_parameters(base)),
        sensed_by=sensed_by,
        parts=tuple(_part_view(part) for part in base.summands) if isinstance(base, Sum) else (),
        unused=base.unused_parameters if isinstance(base, FormulaField) else (),
        **_transform_options(sensed),
    )


def _part_view(field: Field) -> PartView:
    """One of several fields that add up, in words."""
    transform = FieldTransform.from_field(field)
    own_names = [part.names for part in (transform.base, *transform.inner_steps) if part.names]
    position = None if own_names else _vector3(transform.handle_positions(world_frame)[0])
    return PartView(
        kind=_kind_name(_spec(field, "A field"), transform.base), position=position, **_transform_options(field)
    )


def _transform_options(sensed: FieldOrTracker) -> dict[str, Any]:
    """Where something sensed is: who carries it, how it is turned and stretched, and where it ends."""
    steps = transform_steps(sensed)[0] if isinstance(sensed, Field) else ()
    limit = next((step for step in reversed(steps) if isinstance(step, BoundedField)), None)
    transform = FieldTransform.from_field(sensed) if isinstance(sensed, Field) else None
    rotation = IDENTITY if transform is None else transform.rotation
    return {
        "carrier": carrier_of(sensed),
        "degrees": _vector3(euler_degrees(rotation.wxyz[np.newaxis])[0]),
        "stretch": _vector3(np.ones(3) if transform is None else transform.factors),
        "radius": None if limit is None else limit.radius,
        "size": None if limit is None else limit.size,
    }


def spline_view(spline: DynamicSpline) -> SplineView:
    """A dynamic spline in words; one of a drawing without its points."""
    try:
        options = {**DEFAULTS, "velocity": [0, 0, 0], **spline_object(spline)}
    except KeyposeError:  # it senses something of somebody's own, which no file knows
        options = {option: getattr(spline, option) for option in DEFAULTS if option != "senses"}
    return SplineView(
        spec={option: value for option, value in options.items() if not isinstance(value, Rows)},
        position=_vector3(np.mean(spline.position.reshape(-1, 3), axis=0)),
        velocity=_vector3(np.mean(spline.velocity.reshape(-1, 3), axis=0)),
        friction=spline.friction,
    )


def sense_views(mover: object) -> tuple[SenseView, ...] | None:
    """What somebody senses, in words; None of who cannot."""
    if not isinstance(mover, SensingMover):
        return None
    return tuple(_sense_view(sensed, affinity) for sensed, affinity in mover.senses.items())


def _sense_view(sensed: FieldOrTracker | str, affinity: float) -> SenseView:
    title = title_of(sensed)
    if isinstance(sensed, str):
        return SenseView(name=sensed, spec=None, title=title, target=None, affinity=affinity)
    target = subject_names(sensed) if len(sensed.names) == 1 else None
    spec = _spec(sensed, "A dynamic spline")
    return SenseView(name=None, spec=spec, title=title, target=target, affinity=affinity)


def _spec(sensed: FieldOrTracker, owner: str) -> Any:
    """Its words; nothing of what no scene file knows."""
    try:
        return sense_object(sensed, owner)
    except KeyposeError:
        return None


def _kind_name(spec: Any, base: FieldOrTracker) -> str:
    if isinstance(spec, Mapping):
        return str(spec["kind"])
    return type(base).__name__.lower()  # a list is a sum


def _text(base: FieldOrTracker) -> str | None:
    if isinstance(base, FormulaField):
        return base.text
    return base.metric if isinstance(base, Keep) and isinstance(base.metric, str) else None


def _parameters(base: FieldOrTracker) -> Iterator[Parameter]:
    for name, value in base.parameters.items() if isinstance(base, FormulaField) else ():
        if isinstance(value, Slider):
            yield Parameter(name=name, value=value.value, low=value.low, high=value.high)
        else:
            yield Parameter(name=name, value=value)


def _vector3(values: Floats) -> tuple[float, float, float]:
    x, y, z = values.tolist()
    return x, y, z
