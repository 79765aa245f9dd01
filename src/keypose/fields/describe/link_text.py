"""What is a link called, and whom is it about? In a person's words: "wind", "keeps its offset to man".

So it is called wherever it is told of: in an inspector, in the name of a step, in a warning.
"""

from keypose.fields.algebra.carrier import CarriedField
from keypose.fields.algebra.field import Field
from keypose.fields.algebra.sum import FieldModifier, Sum
from keypose.fields.splines.dynamic_spline import FieldOrTracker
from keypose.fields.tracking.avoid import Avoid
from keypose.fields.tracking.metric import Keep
from keypose.fields.tracking.targets import fixed_position
from keypose.fields.tracking.trackers import KeepDistance, KeepOffset, KeepOnLine, KeepOnPlane, Tracker

TRACKER_TITLES: dict[type[Tracker | Avoid], str] = {
    KeepOffset: "keeps its offset to",
    KeepDistance: "keeps its distance to",
    KeepOnLine: "keeps on a line through",
    KeepOnPlane: "keeps on a plane through",
    Keep: "keeps a metric to",
    Avoid: "avoids",
}


def title_of(sensed: FieldOrTracker | str) -> str:
    """What is sensed, in words."""
    if isinstance(sensed, str):
        return sensed
    if not isinstance(sensed, Field):
        position = fixed_position(sensed.target)
        subject = subject_names(sensed) if position is None else "({:g}, {:g}, {:g})".format(*position.tolist())
        return f"{TRACKER_TITLES.get(type(sensed), 'keeps to')} {subject}"
    inner = sensed
    while isinstance(inner, FieldModifier):
        inner = inner.field
    kind = "sum of fields" if isinstance(inner, Sum) else type(inner).__name__.lower()
    carriers = subject_names(sensed)
    return f"its own {kind}" if carriers is None else f"{kind} of {carriers}"


def subject_names(sensed: FieldOrTracker) -> str | None:
    """Who carries a field, or whom a tracker is about; several in a row, a group as "flock/*"."""
    return ", ".join(sensed.names) or None


def carrier_of(sensed: FieldOrTracker) -> str | None:
    """Who carries all of a field, or whom a tracker is about."""
    if not isinstance(sensed, Field):
        return subject_names(sensed)
    while isinstance(sensed, FieldModifier):
        if isinstance(sensed, CarriedField):
            return subject_names(sensed)
        sensed = sensed.field
    return None
