"""What may stand in a field of a scene file? Forms: each reads a plain value strictly, and tells editors about itself.

Reading gives the value, or INVALID once its problem has been told. `schema` is the same form as JSON Schema, from which
an editor completes. One declaration serves both, so they cannot disagree. Lists are in `lists`, objects in `records`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from sys import float_info
from typing import Any, Protocol

from keypose.document.problems import Dependency, Invalid, ReadContext, Reference
from keypose.errors import short_repr

Schema = dict[str, Any]
LARGEST_INTEGER = 2**53


class ValueType(Protocol):
    """What a field may hold."""

    def read(self, given: Any, path: str, context: ReadContext) -> Any | Invalid:
        """What was given, checked."""
        ...

    def json_schema(self, definitions: Schema) -> Schema:
        """The same as JSON Schema; what has a name of its own is put into `definitions` and referred to."""
        ...


@dataclass(frozen=True)
class Number:
    """A finite number, `minimum` … `maximum`; `above` must be exceeded, `below` must not be reached."""

    minimum: float = -float_info.max
    maximum: float = float_info.max
    above: float | None = None
    below: float | None = None

    def read(self, given: Any, path: str, context: ReadContext) -> float | Invalid:
        """The number as a float."""
        if type(given) not in (int, float):
            return context.add_problem(path, f"It is {describe_value(given)}. Give {self._expected_text}.")
        is_valid = self.minimum <= given <= self.maximum
        is_valid = (
            is_valid and (self.above is None or given > self.above) and (self.below is None or given < self.below)
        )
        return (
            float(given)
            if is_valid
            else context.add_problem(path, f"It is {short_repr(given)}. Give {self._expected_text}.")
        )

    @property
    def _expected_text(self) -> str:
        limits = (
            (self.minimum, -float_info.max, "{:g} or more"),
            (self.above, None, "more than {:g}"),
            (self.maximum, float_info.max, "{:g} at most"),
            (self.below, None, "less than {:g}"),
        )
        limit_texts = [
            template.format(limit) for limit, unset, template in limits if limit is not None and limit != unset
        ]
        return ", ".join(["a finite number", *limit_texts])

    def json_schema(self, definitions: Schema) -> Schema:
        """A number with its limits."""
        schema: Schema = {"type": "number"}
        if self.minimum > -float_info.max:
            schema["minimum"] = self.minimum
        if self.maximum < float_info.max:
            schema["maximum"] = self.maximum
        if self.above is not None:
            schema["exclusiveMinimum"] = self.above
        if self.below is not None:
            schema["exclusiveMaximum"] = self.below
        return schema


@dataclass(frozen=True)
class Integer:
    """A whole number that every reader of JSON takes exactly."""

    def read(self, given: Any, path: str, context: ReadContext) -> int | Invalid:
        """The number."""
        if type(given) is int and abs(given) <= LARGEST_INTEGER:
            return given
        return context.add_problem(
            path, f"It is {describe_value(given)}. Give a whole number, at most {LARGEST_INTEGER:,}."
        )

    def json_schema(self, definitions: Schema) -> Schema:
        """A whole number."""
        return {"type": "integer", "minimum": -LARGEST_INTEGER, "maximum": LARGEST_INTEGER}


@dataclass(frozen=True)
class Text:
    """A text of `minimum` characters or more; `verb` says what the field tells of the actor it names, if it names one.

    With `groups` a name that ends in "/*" is that of a group; `tie` says how the one who speaks needs the
    other.
    """

    verb: str | None = None
    min_length: int = 1
    allows_groups: bool = False
    dependency: Dependency | None = None

    def read(self, given: Any, path: str, context: ReadContext) -> str | Invalid:
        """The text."""
        if not isinstance(given, str):
            return context.add_problem(path, f"It is {describe_value(given)}. Give a text in quotes.")
        if (given or self.min_length) and (problem := text_problem(given)):
            return context.add_problem(path, f"It {problem}")
        if self.verb is not None:
            is_group = self.allows_groups and given.endswith("/*")
            context.references.append(
                Reference(path, self.verb, given, context.current_actor, is_group, self.dependency)
            )
        return given

    def json_schema(self, definitions: Schema) -> Schema:
        """A text."""
        return {"type": "string", "minLength": 1} if self.min_length else {"type": "string"}


def text_problem(text: str) -> str | None:
    """Why a text cannot stand in a scene file, if it cannot."""
    if not text:
        return "is empty. Give a text."
    if not text.isascii() and any("\ud800" <= letter <= "\udfff" for letter in text):
        return "has half a character (a lone surrogate). Write the whole character."
    return None


@dataclass(frozen=True)
class Boolean:
    """True or false."""

    def read(self, given: Any, path: str, context: ReadContext) -> bool | Invalid:
        """The flag."""
        return (
            given
            if isinstance(given, bool)
            else context.add_problem(path, f"It is {describe_value(given)}. Give true or false.")
        )

    def json_schema(self, definitions: Schema) -> Schema:
        """True or false."""
        return {"type": "boolean"}


@dataclass(frozen=True)
class Null:
    """Nothing, said as such."""

    def read(self, given: Any, path: str, context: ReadContext) -> Invalid | None:
        """Nothing."""
        return None if given is None else context.add_problem(path, f"It is {describe_value(given)}. Give null.")

    def json_schema(self, definitions: Schema) -> Schema:
        """Nothing."""
        return {"type": "null"}


@dataclass(frozen=True)
class OneOf:
    """One of some words."""

    choices: tuple[str, ...]

    def read(self, given: Any, path: str, context: ReadContext) -> str | Invalid:
        """The word."""
        if isinstance(given, str) and given in self.choices:
            return given
        return context.add_problem(path, f"It is {describe_value(given)}.{context.suggestion(given, self.choices)}")

    def json_schema(self, definitions: Schema) -> Schema:
        """The words to choose from."""
        return {"enum": list(self.choices)}


@dataclass(frozen=True)
class Either:
    """One form or another, by what sort of value is given; `wanted` says it in words."""

    expected_text: str
    types: Mapping[type, ValueType]

    def read(self, given: Any, path: str, context: ReadContext) -> Any | Invalid:
        """What the form of its sort reads."""
        value_type = self.types.get(type(given))
        if value_type is None:
            return context.add_problem(path, f"It is {describe_value(given)}. Give {self.expected_text}.")
        return value_type.read(given, path, context)

    def json_schema(self, definitions: Schema) -> Schema:
        """Any of the forms."""
        return {"anyOf": [value_type.json_schema(definitions) for value_type in self.types.values()]}


@dataclass(frozen=True)
class SharedType:
    """A form that editors know by a name."""

    name: str
    value_type: ValueType

    def read(self, given: Any, path: str, context: ReadContext) -> Any | Invalid:
        """What the form reads."""
        return self.value_type.read(given, path, context)

    def json_schema(self, definitions: Schema) -> Schema:
        """A reference to the form."""
        if self.name not in definitions:
            definitions[self.name] = self.value_type.json_schema(definitions)
        return {"$ref": f"#/$defs/{self.name}"}


def describe_value(given: Any) -> str:
    """What a plain value is, for a sentence."""
    if isinstance(given, dict | list):
        return "an object" if isinstance(given, dict) else "a list"
    if given is None or isinstance(given, bool):
        return {None: "null", True: "true", False: "false"}[given]
    return f"the {'text' if isinstance(given, str) else 'number'} {short_repr(given)}"
