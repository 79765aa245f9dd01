"""Which fields can be put on the stage, and what can be said of each? As the scene file declares it, with a sentence.

What is said of a kind, its limits and what is usual are read from the scene file's own forms; here is only what a menu
calls it, and how one begins.
"""

from collections.abc import Iterator
from functools import cache
from typing import Any

from keypose.document import (
    SENSED_KINDS,
    TRACKERS,
    Boolean,
    Either,
    Field,
    Integer,
    Kind,
    Number,
    NumberArray,
    OneOf,
    TargetType,
    Text,
)
from keypose.maths import MAX_MAGNITUDE
from keypose.studio.protocol.updates.updates import FieldKind, FieldOption

MenuEntry = tuple[str, str, dict[str, Any]]

SWIRL_PARAMETER = {"swirl": {"value": 2, "low": 0, "high": 10}}
MENU: dict[str, MenuEntry] = {
    "uniform": ("Wind", "The same push everywhere: a wind, or gravity.", {"vector": [1, 0, 0]}),
    "attractor": ("Attractor", "Pulls to its centre, the weaker the farther away.", {"strength": 2}),
    "repeller": ("Repeller", "Pushes away from its centre, the weaker the farther away.", {"strength": 2}),
    "vortex": ("Vortex", "Whirls round its axis.", {"strength": 2}),
    "spring": ("Spring", "Pulls to its centre, the more the farther away.", {"stiffness": 4}),
    "wall": (
        "Wall",
        "Pushes off a plane whoever comes near it.",
        {"point": [0, 0, 0], "normal": [0, 1, 0], "strength": 10, "reach": 1},
    ),
    "noise": ("Noise", "Swirls as air does for no reason one can see.", {"strength": 1}),
    "formula": (
        "Formula",
        "Pushes as you type it.",
        {"text": "(-z, 0, x) * exp(-r**2) * swirl", "parameters": SWIRL_PARAMETER},
    ),
    "potential": (
        "Potential",
        "A landscape you type, and everything rolls down it.",
        {"text": "k * r**2 / 2", "parameters": {"k": {"value": 3, "low": 0, "high": 10}}},
    ),
    "keep_offset": ("Keep the offset", "Stays where it is as seen from its target.", {}),
    "keep_distance": ("Keep the distance", "Stays as far from its target as it is, on whichever side.", {}),
    "keep_on_line": ("Keep on a line", "Comes to a line through its target and stays on it.", {"direction": [1, 0, 0]}),
    "keep_on_plane": ("Keep on a plane", "Comes to a plane through its target and stays.", {"normal": [0, 1, 0]}),
    "keep": ("Keep a metric", "Keeps whatever you type of itself and its target.", {"metric": "(X - x, 0, Z - z)"}),
    "avoid": ("Avoid", "Turns off its course while that would lead too close to its target.", {}),
}
POSITION_OPTIONS = {
    "attractor": "center",
    "repeller": "center",
    "vortex": "center",
    "spring": "center",
    "wall": "point",
}
"""The word with which a kind says where it is held."""


@cache
def field_kinds() -> tuple[FieldKind, ...]:
    """Every kind that has a place in the menu, in its order."""
    return tuple(_field_kind(kind) for kind in SENSED_KINDS if kind.tag in MENU)


def _field_kind(kind: Kind) -> FieldKind:
    title, text, spec = MENU[kind.tag]
    return FieldKind(
        kind=kind.tag,
        title=title,
        text=text,
        is_tracker=any(one.tag == kind.tag for one in TRACKERS),
        spec={"kind": kind.tag, **spec},
        options=tuple(_options(kind)),
    )


def _options(kind: Kind) -> Iterator[FieldOption]:
    for name, field in kind.record.fields.items():
        if name != "then":  # what is done to it is told and changed apart
            yield _option(name, field, name == POSITION_OPTIONS.get(kind.tag))


def _option(name: str, field: Field, is_position: bool) -> FieldOption:
    form, common = field.value_type, {"name": name, "doc": field.doc, "default": field.default}
    if isinstance(form, Either) and list in form.types:
        form = form.types[list]  # an axis by its letter is a vector too
    match form:
        case Number():
            return FieldOption(
                form="number", low=_limit(form.minimum, form.above), high=_limit(form.maximum, form.below), **common
            )
        case Integer():
            return FieldOption(form="number", **common)
        case NumberArray(widths=(_, 3)):
            return FieldOption(form="position" if is_position else "vector", **common)
        case OneOf(choices=choices):
            return FieldOption(form="choice", choices=choices, **common)
        case Boolean():
            return FieldOption(form="flag", **common)
        case TargetType():
            return FieldOption(form="target", **common)
        case Text():
            return FieldOption(form="text", **common)
    return FieldOption(form="other", **common)


def _limit(included: float, excluded: float | None) -> float | None:
    """Where a number ends, if that is nearer than all numbers do."""
    limit = included if excluded is None else excluded
    return limit if abs(limit) < MAX_MAGNITUDE else None
