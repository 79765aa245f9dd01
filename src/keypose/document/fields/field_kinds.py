"""How does a field stand in a scene file? As an object of its kind, and where fields add up, as a list of them.

What was done to a field is in its `then`, first things first. A sum to which something was done is of the kind "sum".
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from keypose.document.fields.transforms import ABOVE_ZERO, AMOUNT, PLACE, PLACINGS, Step, placed
from keypose.document.problems import BAD, Bad, Reading
from keypose.document.schema.dataclass_kinds import Said, declared
from keypose.document.schema.kinds import Kind, Kinds
from keypose.document.schema.lists import ListOf, Named, Numbers
from keypose.document.schema.records import Field, Record
from keypose.document.schema.value_types import Either, Number, OneOf, Schema, Text, Whole, kind_of
from keypose.errors import KeyposeError
from keypose.fields.algebra.field import Field as Push
from keypose.fields.algebra.sum import Sum, Wrapped
from keypose.fields.formula.errors import FormulaError
from keypose.fields.formula.formula import Formula, Potential, Typed
from keypose.fields.formula.parameter import Slider
from keypose.fields.library import STEEPEST, Attractor, Repeller, Spring, Uniform, Vortex, Wall
from keypose.fields.noise import Noise

DEEPEST = 64  # fields within fields, and things done to them: each is asked by the one around it

THEN = Field(ListOf(PLACINGS, what="placings"), "what is done to it, first things first")
WEAKENING: Said = {
    "strength": (AMOUNT, "one metre away [m/s²]"),
    "center": (PLACE, "where it is [m]"),
    "falloff": (Number(0.0, STEEPEST), "it weakens as 1 / distance to this power"),
    "core": (ABOVE_ZERO, "nearer than this it goes to zero [m]"),
}
AXIS = Either('"x", "y", "z" or a vector', {str: OneOf(("x", "y", "z")), list: Numbers(widths=(3, 3))})
SLIDER = Record(
    "a slider",
    {
        "value": Field(Number(), "where it stands", needed=True),
        "low": Field(Number(), "the least it can be", needed=True),
        "high": Field(Number(), "the most it can be", needed=True),
    },
    Slider,
)
PARAMETER = Either("a number, or a slider", {int: Number(), float: Number(), dict: SLIDER})


class FieldOf:
    """A field of one of some kinds, or a list of fields that add up."""

    def __init__(self, name: str, kinds: Kinds) -> None:
        self.name, self.kinds = name, kinds

    def read(self, given: Any, path: str, reading: Reading) -> Any | Bad:
        """The field."""
        if isinstance(given, list):
            found = SUMMANDS.read(given, path, reading)
            return BAD if isinstance(found, Bad) else reading.made(Sum, path, tuple(found))
        if isinstance(given, dict):
            return self.kinds.read(given, path, reading)
        return reading.wrong(path, f"It is {kind_of(given)}. Give a field in {{ }}, or a list of fields that add up.")

    def schema(self, named: Schema) -> Schema:
        """A reference to any of the kinds, or a list of such."""
        if self.name not in named:
            named[self.name] = {}  # while it is being made: fields are made of fields
            named[self.name] = {"anyOf": [self.kinds.schema(named), SUMMANDS.schema(named)]}
        return {"$ref": f"#/$defs/{self.name}"}


@dataclass(frozen=True)
class Outermost:
    """A field that is not within another, and not too deep."""

    form: FieldOf

    def read(self, given: Any, path: str, reading: Reading) -> Any | Bad:
        """The field."""
        if _depth(given, _within) > DEEPEST:
            return reading.wrong(path, f"It has fields within fields, more than {DEEPEST} deep. Make it simpler.")
        return self.form.read(given, path, reading)

    def schema(self, named: Schema) -> Schema:
        """That of the field."""
        return self.form.schema(named)


def field_object(field: Push, whose: str) -> Any:
    """A field as plain values."""
    if _depth(field, lambda one: (1, one.parts)) > DEEPEST:
        raise KeyposeError(f"{whose} has fields within fields, more than {DEEPEST} deep. Make it simpler.")
    return _field_object(field, whose)


def _field_object(field: Push, whose: str) -> Any:
    then: list[Any] = []
    while isinstance(field, Wrapped):
        then.insert(0, PLACINGS.said(field, whose))
        field = field.field
    if isinstance(field, Sum) and not then:
        return [_field_object(one, whose) for one in field.summands]
    made = FIELDS.said(field, whose)
    return {**made, "then": then} if then else made


def _depth(thing: Any, within: Callable[[Any], tuple[int, Sequence[Any]]]) -> int:
    """How deep a thing is, or how deep it is at least if that is too deep."""
    waiting, deepest = [(thing, 0)], 0
    while waiting and deepest <= DEEPEST:
        one, above = waiting.pop()
        own, inner = within(one)
        deepest = max(deepest, above + own)
        waiting += [(each, above + own) for each in inner]
    return deepest


def _within(given: Any) -> tuple[int, Sequence[Any]]:
    """How deep a field of a file is by itself, and the fields it is made of."""
    if isinstance(given, list):
        return 1, given
    if not isinstance(given, dict):
        return 0, ()
    then, inner = given.get("then"), given.get("fields")
    return 1 + (len(then) if isinstance(then, list) else 0), inner if isinstance(inner, list) else ()


def _field(word: str, kind: type[Push], title: str, said: Said) -> Kind:
    def build(then: Sequence[Step] = (), **given: Any) -> Push:
        return placed(kind(**given), then)

    return declared(word, kind, title, said, build, then=THEN)


def _typed(word: str, kind: type[Typed], title: str, doc: str) -> Kind:
    def build(text: str, parameters: Mapping[str, Any] | None = None, then: Sequence[Step] = ()) -> Push:
        try:
            made = kind(text, **(parameters or {}))
        except FormulaError:
            raise
        except KeyposeError as error:  # what is not about the text is about a parameter
            error.at = ("parameters", *error.at)
            raise
        return placed(made, then)

    fields = {
        "text": Field(Text(), doc, needed=True),
        "parameters": Field(Named(PARAMETER, "parameters by name"), "numbers and sliders that the text names"),
        "then": THEN,
    }
    return Kind(word, kind, Record(title, fields, build), _typed_object, ours=True)


def _typed_object(field: Typed) -> dict[str, Any]:
    named = {name: _parameter_object(value) for name, value in field.parameters.items()}
    return {"text": field.text, "parameters": named} if named else {"text": field.text}


def _parameter_object(value: float | Slider) -> Any:
    return {"value": value.value, "low": value.low, "high": value.high} if isinstance(value, Slider) else value


def _sum(fields: Sequence[Push], then: Sequence[Step] = ()) -> Push:
    return placed(Sum(tuple(fields)), then)


class _Summands:
    """The fields of a sum; they are known once the kinds of fields are."""

    def read(self, given: Any, path: str, reading: Reading) -> list[Any] | Bad:
        """All of them."""
        return ListOf(FIELD, 2, None, "fields").read(given, path, reading)

    def schema(self, named: Schema) -> Schema:
        """A list of fields."""
        return ListOf(FIELD, 2).schema(named)


SUMMANDS = _Summands()
OF_VECTORS = "the acceleration [m/s²], a vector of x y z r t vx vy vz and the parameters"
FIELDS = Kinds(
    "field",
    _field("uniform", Uniform, "a uniform field", {"vector": (PLACE, "the same push everywhere [m/s²]")}),
    _field("attractor", Attractor, "an attractor", WEAKENING),
    _field("repeller", Repeller, "a repeller", WEAKENING),
    _field("vortex", Vortex, "a vortex", {**WEAKENING, "axis": (AXIS, "the direction of its line")}),
    _field(
        "spring",
        Spring,
        "a field of a spring",
        {"stiffness": (AMOUNT, "the pull one metre away [1/s²]"), "center": (PLACE, "where it is [m]")},
    ),
    _field(
        "wall",
        Wall,
        "a wall",
        {
            "point": (PLACE, "a place on it [m]"),
            "normal": (AXIS, "where it pushes"),
            "strength": (AMOUNT, "at the wall [m/s²]"),
            "reach": (ABOVE_ZERO, "how far away it is zero [m]"),
        },
    ),
    _field(
        "noise",
        Noise,
        "a noise",
        {
            "strength": (AMOUNT, "its root mean square [m/s²]"),
            "scale": (ABOVE_ZERO, "how large its swirls are [m]"),
            "seed": (Whole(), "another number is other air"),
            "speed": (AMOUNT, "how fast it changes [m/s]"),
        },
    ),
    _typed("formula", Formula, "a formula", OF_VECTORS),
    _typed("potential", Potential, "a potential", "a landscape to roll down [m²/s²], one number of the same words"),
    Kind(
        "sum",
        Sum,
        Record(
            "a sum of fields",
            {"fields": Field(SUMMANDS, "what adds up, two or more", needed=True), "then": THEN},
            _sum,
        ),
        lambda field: {"fields": [_field_object(one, "A sum of fields") for one in field.summands]},
        ours=True,
    ),
)
FIELD = FieldOf("field", FIELDS)
