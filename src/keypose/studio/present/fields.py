"""What does a page need to know of fields, and of those who sense them? Every word, and what can be said by hand."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from keypose.document.fields.dynamic_splines import USUAL, sensed_object, spline_object
from keypose.document.text.layout import Rows
from keypose.errors import KeyposeError, shown
from keypose.fields.algebra.field import Field
from keypose.fields.algebra.sum import Sum
from keypose.fields.algebra.transform import Within
from keypose.fields.describe.link_text import about, carrier_of, title_of
from keypose.fields.formula.formula import Typed
from keypose.fields.formula.parameter import Slider
from keypose.fields.splines.dynamic_spline import DynamicSpline, Sensed
from keypose.fields.tracking.metric import Keep
from keypose.maths.arrays import Floats
from keypose.stage.resolve.systems import Senser
from keypose.stage.stage import Stage
from keypose.studio.edits.field_transforms import UNTURNED, Placed, steps_of
from keypose.studio.edits.orientations import degrees_of
from keypose.studio.preview.field_handles import nobody
from keypose.studio.protocol.updates.fields import FieldView, Parameter, PartView, SenseView, SplineView


def field_views(stage: Stage) -> tuple[FieldView, ...]:
    """All fields of a stage in words, in its order."""
    if not stage.fields:
        return ()
    movers = (actor.mover for actor in stage.actors if isinstance(actor.mover, Senser))
    sensed = Counter(name for mover in movers for name in mover.senses if isinstance(name, str))
    return tuple(field_view(name, field, sensed[name]) for name, field in stage.fields.items())


def field_view(name: str, sensed: Sensed, sensed_by: int) -> FieldView:
    """A field in words."""
    said = _said(sensed, f"Field {shown(name)}")
    base = steps_of(sensed)[1] if isinstance(sensed, Field) else sensed
    return FieldView(
        name=name,
        kind=_kind(said, base),
        said=said,
        is_placed=isinstance(sensed, Field),
        text=_text(base),
        parameters=tuple(_parameters(base)),
        sensed_by=sensed_by,
        parts=tuple(_part(part) for part in base.summands) if isinstance(base, Sum) else (),
        unused=base.unused if isinstance(base, Typed) else (),
        **_placing(sensed),
    )


def _part(field: Field) -> PartView:
    """One of several fields that add up, in words."""
    placed = Placed.of(field)
    own = [part.names for part in (placed.base, *placed.first) if part.names]
    place = None if own else _three(placed.held_at(nobody)[0])
    return PartView(kind=_kind(_said(field, "A field"), placed.base), place=place, **_placing(field))


def _placing(sensed: Sensed) -> dict[str, Any]:
    """Where something sensed is: who carries it, how it is turned and stretched, and where it ends."""
    steps = steps_of(sensed)[0] if isinstance(sensed, Field) else ()
    limit = next((step for step in reversed(steps) if isinstance(step, Within)), None)
    placed = Placed.of(sensed) if isinstance(sensed, Field) else None
    turn = UNTURNED if placed is None else placed.turn
    return {
        "carrier": carrier_of(sensed),
        "turn": _three(degrees_of(turn.wxyz[np.newaxis])[0]),
        "stretch": _three(np.ones(3) if placed is None else placed.factors),
        "radius": None if limit is None else limit.radius,
        "size": None if limit is None else limit.size,
    }


def spline_view(spline: DynamicSpline) -> SplineView:
    """A dynamic spline in words; one of a drawing without its points."""
    try:
        words = {**USUAL, "velocity": [0, 0, 0], **spline_object(spline)}
    except KeyposeError:  # it senses something of somebody's own, which no file knows
        words = {word: getattr(spline, word) for word in USUAL if word != "senses"}
    return SplineView(
        said={word: value for word, value in words.items() if not isinstance(value, Rows)},
        position=_three(np.mean(spline.position.reshape(-1, 3), axis=0)),
        velocity=_three(np.mean(spline.velocity.reshape(-1, 3), axis=0)),
        friction=spline.friction,
    )


def sense_views(mover: object) -> tuple[SenseView, ...] | None:
    """What somebody senses, in words; None of who cannot."""
    if not isinstance(mover, Senser):
        return None
    return tuple(_sense(sensed, affinity) for sensed, affinity in mover.senses.items())


def _sense(sensed: Sensed | str, affinity: float) -> SenseView:
    title = title_of(sensed)
    if isinstance(sensed, str):
        return SenseView(name=sensed, said=None, title=title, target=None, affinity=affinity)
    target = about(sensed) if len(sensed.names) == 1 else None
    said = _said(sensed, "A dynamic spline")
    return SenseView(name=None, said=said, title=title, target=target, affinity=affinity)


def _said(sensed: Sensed, whose: str) -> Any:
    """Its words; nothing of what no scene file knows."""
    try:
        return sensed_object(sensed, whose)
    except KeyposeError:
        return None


def _kind(said: Any, base: Sensed) -> str:
    if isinstance(said, Mapping):
        return str(said["kind"])
    return type(base).__name__.lower()  # a list is a sum


def _text(base: Sensed) -> str | None:
    if isinstance(base, Typed):
        return base.text
    return base.metric if isinstance(base, Keep) and isinstance(base.metric, str) else None


def _parameters(base: Sensed) -> Iterator[Parameter]:
    for name, value in base.parameters.items() if isinstance(base, Typed) else ():
        if isinstance(value, Slider):
            yield Parameter(name=name, value=value.value, low=value.low, high=value.high)
        else:
            yield Parameter(name=name, value=value)


def _three(values: Floats) -> tuple[float, float, float]:
    x, y, z = values.tolist()
    return x, y, z
