"""How does whoever tracks or avoids stand in a scene file? By whom it is about, and what shall stay as it is."""

from collections.abc import Callable
from typing import Any

from keypose.document.fields.transforms import AMOUNT, FROM_ZERO, Names
from keypose.document.problems import Bad, Reading
from keypose.document.schema.dataclass_kinds import Said, declared
from keypose.document.schema.kinds import Kind
from keypose.document.schema.lists import Numbers
from keypose.document.schema.records import Field, Record
from keypose.document.schema.value_types import Either, Number, Schema, Text, kind_of
from keypose.fields.formula.errors import FormulaError
from keypose.fields.tracking.avoid import SMALLEST, Avoid
from keypose.fields.tracking.metric import Keep
from keypose.fields.tracking.targets import Pointer
from keypose.fields.tracking.trackers import KeepDistance, KeepOffset, KeepOnLine, KeepOnPlane
from keypose.maths.inputs import LARGEST

TRACKS, AVOIDS = "tracks", "avoids"
VECTOR = Numbers(widths=(2, 3))
AVOIDED = Number(SMALLEST, LARGEST)
SHARE = Number(0.0, 1.0)
KEPT = Either("a number, or a vector", {int: AMOUNT, float: AMOUNT, list: VECTOR})
WANTED = 'the name of an actor, a group as "flock/*", a list of names, a place, or a pointer'


class TargetForm:
    """Whom somebody tracks: an actor, some actors, a place that stays, or a pointer."""

    def __init__(self, verb: str) -> None:
        self.verb = verb
        self.pointer = Record("a pointer", {"pointer": Field(Text(verb), "the actor that a hand moves", needed=True)})

    def read(self, given: Any, path: str, reading: Reading) -> Any | Bad:
        """The target."""
        if isinstance(given, str):
            return Text(self.verb, groups=True).read(given, path, reading)
        if isinstance(given, dict):
            said = self.pointer.read(given, path, reading)
            return said if isinstance(said, Bad) else Pointer(said["pointer"])
        if not isinstance(given, list):
            return reading.wrong(path, f"It is {kind_of(given)}. Give {WANTED}.")
        named = bool(given) and isinstance(given[0], str)
        return (Names(self.verb) if named else VECTOR).read(given, path, reading)

    def schema(self, named: Schema) -> Schema:
        """Any of these."""
        forms = (Text(), Names(self.verb), VECTOR, self.pointer)
        return {"anyOf": [form.schema(named) for form in forms]}


def _tracker(word: str, kind: type, title: str, said: Said, build: Callable[..., Any] | None = None) -> Kind:
    answers: Said = {
        "response": (SHARE, "how much it answers to changes of its error, β of PF89"),
        "memory": (SHARE, "how much it answers to all its errors so far, γ of PF89"),
    }
    return declared(word, kind, title, {"target": (TargetForm(TRACKS), WANTED), **said, **answers}, build)


def _keep(metric: str, **said: Any) -> Keep:
    try:
        return Keep(metric, **said)
    except FormulaError as error:
        error.at = ("metric",)
        raise


TRACKERS = (
    _tracker(
        "keep_offset",
        KeepOffset,
        "a keeping of an offset",
        {"offset": (VECTOR, "where to be as seen from the target [m]; as in the beginning if not said")},
    ),
    _tracker(
        "keep_distance",
        KeepDistance,
        "a keeping of a distance",
        {"distance": (FROM_ZERO, "how far from the target [m]; as in the beginning if not said")},
    ),
    _tracker(
        "keep_on_line",
        KeepOnLine,
        "a keeping on a line",
        {"direction": (VECTOR, "of the line through the target")},
    ),
    _tracker(
        "keep_on_plane",
        KeepOnPlane,
        "a keeping on a plane",
        {"normal": (VECTOR, "of the plane through the target")},
    ),
    _tracker(
        "keep",
        Keep,
        "a keeping of a metric",
        {
            "metric": (Text(), "what stays as it is, of x y z vx vy vz, the target's X Y Z VX VY VZ, and t"),
            "value": (
                KEPT,
                "what it should be, a number or a vector as the metric is; as in the beginning if not said",
            ),
        },
        _keep,
    ),
    declared(
        "avoid",
        Avoid,
        "an avoiding",
        {
            "target": (TargetForm(AVOIDS), WANTED),
            "distance": (AVOIDED, "how near is too near [m]"),
            "ahead": (AVOIDED, "how soon it is too soon [s]"),
            "normal": (VECTOR, "of a whole wall through the target"),
        },
    ),
)
