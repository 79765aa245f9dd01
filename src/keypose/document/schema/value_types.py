"""What may stand in a field of a scene file? Forms: each reads a plain value strictly, and tells editors about itself.

Reading gives the value, or BAD once its problem has been told. `schema` is the same form as JSON Schema, from which an
editor completes. One declaration serves both, so they cannot disagree. Lists are in `lists`, objects in `records`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from sys import float_info
from typing import Any, Protocol

from keypose.document.problems import Bad, Reading, Reference, Tie
from keypose.errors import shown

Schema = dict[str, Any]
LARGEST_WHOLE = 2**53


class Form(Protocol):
    """What a field may hold."""

    def read(self, given: Any, path: str, reading: Reading) -> Any | Bad:
        """What was given, checked."""
        ...

    def schema(self, named: Schema) -> Schema:
        """The same as JSON Schema; what has a name of its own is put into `named` and referred to."""
        ...


@dataclass(frozen=True)
class Number:
    """A finite number, `least` … `most`; `above` must be exceeded, `below` must not be reached."""

    least: float = -float_info.max
    most: float = float_info.max
    above: float | None = None
    below: float | None = None

    def read(self, given: Any, path: str, reading: Reading) -> float | Bad:
        """The number as a float."""
        if type(given) not in (int, float):
            return reading.wrong(path, f"It is {kind_of(given)}. Give {self._wanted}.")
        good = self.least <= given <= self.most
        good = good and (self.above is None or given > self.above) and (self.below is None or given < self.below)
        return float(given) if good else reading.wrong(path, f"It is {shown(given)}. Give {self._wanted}.")

    @property
    def _wanted(self) -> str:
        limits = (
            (self.least, -float_info.max, "{:g} or more"),
            (self.above, None, "more than {:g}"),
            (self.most, float_info.max, "{:g} at most"),
            (self.below, None, "less than {:g}"),
        )
        told = [words.format(limit) for limit, none, words in limits if limit is not None and limit != none]
        return ", ".join(["a finite number", *told])

    def schema(self, named: Schema) -> Schema:
        """A number with its limits."""
        made: Schema = {"type": "number"}
        if self.least > -float_info.max:
            made["minimum"] = self.least
        if self.most < float_info.max:
            made["maximum"] = self.most
        if self.above is not None:
            made["exclusiveMinimum"] = self.above
        if self.below is not None:
            made["exclusiveMaximum"] = self.below
        return made


@dataclass(frozen=True)
class Whole:
    """A whole number that every reader of JSON takes exactly."""

    def read(self, given: Any, path: str, reading: Reading) -> int | Bad:
        """The number."""
        if type(given) is int and abs(given) <= LARGEST_WHOLE:
            return given
        return reading.wrong(path, f"It is {kind_of(given)}. Give a whole number, at most {LARGEST_WHOLE:,}.")

    def schema(self, named: Schema) -> Schema:
        """A whole number."""
        return {"type": "integer", "minimum": -LARGEST_WHOLE, "maximum": LARGEST_WHOLE}


@dataclass(frozen=True)
class Text:
    """A text of `least` characters or more; `verb` says what the field tells of the actor it names, if it names one.

    With `groups` a name that ends in "/*" is that of a group; `tie` says how the one who speaks needs the other.
    """

    verb: str | None = None
    least: int = 1
    groups: bool = False
    tie: Tie | None = None

    def read(self, given: Any, path: str, reading: Reading) -> str | Bad:
        """The text."""
        if not isinstance(given, str):
            return reading.wrong(path, f"It is {kind_of(given)}. Give a text in quotes.")
        if (given or self.least) and (problem := unwritable(given)):
            return reading.wrong(path, f"It {problem}")
        if self.verb is not None:
            group = self.groups and given.endswith("/*")
            reading.references.append(Reference(path, self.verb, given, reading.speaker, group, self.tie))
        return given

    def schema(self, named: Schema) -> Schema:
        """A text."""
        return {"type": "string", "minLength": 1} if self.least else {"type": "string"}


def unwritable(text: str) -> str | None:
    """Why a text cannot stand in a scene file, if it cannot."""
    if not text:
        return "is empty. Give a text."
    if not text.isascii() and any("\ud800" <= letter <= "\udfff" for letter in text):
        return "has half a character (a lone surrogate). Write the whole character."
    return None


@dataclass(frozen=True)
class Flag:
    """True or false."""

    def read(self, given: Any, path: str, reading: Reading) -> bool | Bad:
        """The flag."""
        return given if isinstance(given, bool) else reading.wrong(path, f"It is {kind_of(given)}. Give true or false.")

    def schema(self, named: Schema) -> Schema:
        """True or false."""
        return {"type": "boolean"}


@dataclass(frozen=True)
class Null:
    """Nothing, said as such."""

    def read(self, given: Any, path: str, reading: Reading) -> Bad | None:
        """Nothing."""
        return None if given is None else reading.wrong(path, f"It is {kind_of(given)}. Give null.")

    def schema(self, named: Schema) -> Schema:
        """Nothing."""
        return {"type": "null"}


@dataclass(frozen=True)
class OneOf:
    """One of some words."""

    words: tuple[str, ...]

    def read(self, given: Any, path: str, reading: Reading) -> str | Bad:
        """The word."""
        if isinstance(given, str) and given in self.words:
            return given
        return reading.wrong(path, f"It is {kind_of(given)}.{reading.suggested(given, self.words)}")

    def schema(self, named: Schema) -> Schema:
        """The words to choose from."""
        return {"enum": list(self.words)}


@dataclass(frozen=True)
class Either:
    """One form or another, by what sort of value is given; `wanted` says it in words."""

    wanted: str
    forms: Mapping[type, Form]

    def read(self, given: Any, path: str, reading: Reading) -> Any | Bad:
        """What the form of its sort reads."""
        form = self.forms.get(type(given))
        if form is None:
            return reading.wrong(path, f"It is {kind_of(given)}. Give {self.wanted}.")
        return form.read(given, path, reading)

    def schema(self, named: Schema) -> Schema:
        """Any of the forms."""
        return {"anyOf": [form.schema(named) for form in self.forms.values()]}


@dataclass(frozen=True)
class Called:
    """A form that editors know by a name."""

    name: str
    form: Form

    def read(self, given: Any, path: str, reading: Reading) -> Any | Bad:
        """What the form reads."""
        return self.form.read(given, path, reading)

    def schema(self, named: Schema) -> Schema:
        """A reference to the form."""
        if self.name not in named:
            named[self.name] = self.form.schema(named)
        return {"$ref": f"#/$defs/{self.name}"}


def kind_of(given: Any) -> str:
    """What a plain value is, for a sentence."""
    if isinstance(given, dict | list):
        return "an object" if isinstance(given, dict) else "a list"
    if given is None or isinstance(given, bool):
        return {None: "null", True: "true", False: "false"}[given]
    return f"the {'text' if isinstance(given, str) else 'number'} {shown(given)}"
