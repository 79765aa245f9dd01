"""What is a link called, and whom is it about? In a person's words: "wind", "keeps its offset to man".

So it is called wherever it is told of: in an inspector, in the name of a step, in a warning.
"""

from keypose.fields.algebra.attached import Carried
from keypose.fields.algebra.field import Field
from keypose.fields.algebra.sum import Sum, Wrapped
from keypose.fields.splines.dynamic_spline import Sensed
from keypose.fields.tracking.avoid import Avoid
from keypose.fields.tracking.metric import Keep
from keypose.fields.tracking.targets import place_in
from keypose.fields.tracking.trackers import KeepDistance, KeepOffset, KeepOnLine, KeepOnPlane, Tracker

KEEPS: dict[type[Tracker | Avoid], str] = {
    KeepOffset: "keeps its offset to",
    KeepDistance: "keeps its distance to",
    KeepOnLine: "keeps on a line through",
    KeepOnPlane: "keeps on a plane through",
    Keep: "keeps a metric to",
    Avoid: "avoids",
}


def title_of(sensed: Sensed | str) -> str:
    """What is sensed, in words."""
    if isinstance(sensed, str):
        return sensed
    if not isinstance(sensed, Field):
        place = place_in(sensed.target)
        whom = about(sensed) if place is None else "({:g}, {:g}, {:g})".format(*place.tolist())
        return f"{KEEPS.get(type(sensed), 'keeps to')} {whom}"
    inner = sensed
    while isinstance(inner, Wrapped):
        inner = inner.field
    kind = "sum of fields" if isinstance(inner, Sum) else type(inner).__name__.lower()
    whose = about(sensed)
    return f"its own {kind}" if whose is None else f"{kind} of {whose}"


def about(sensed: Sensed) -> str | None:
    """Who carries a field, or whom a tracker is about; several in a row, a group as "flock/*"."""
    return ", ".join(sensed.names) or None


def carrier_of(sensed: Sensed) -> str | None:
    """Who carries all of a field, or whom a tracker is about."""
    if not isinstance(sensed, Field):
        return about(sensed)
    while isinstance(sensed, Wrapped):
        if isinstance(sensed, Carried):
            return about(sensed)
        sensed = sensed.field
    return None
