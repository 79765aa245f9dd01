"""What may stand in a field of a scene file? Forms: each reads a plain value strictly, and tells editors about itself.

Reading gives the value, or BAD once its problem has been told. `schema` is the same form as JSON Schema, from which an
editor completes. One declaration serves both, so they cannot disagree.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from keypose.curves.key import FARTHEST
from keypose.document.problems import BAD, Bad, Reading
from keypose.errors import KeyposeError, did_you_mean, shown

Floats = NDArray[np.float64]

LONGEST_TEXT = 10_000
Schema = dict[str, Any]


class Form(Protocol):
    """What a field may hold."""

    def read(self, given: Any, path: str, reading: Reading) -> Any | Bad:
        """What was given, checked."""
        ...

    @property
    def schema(self) -> Schema:
        """The same as JSON Schema."""
        ...


@dataclass(frozen=True)
class Number:
    """A finite number, `least` … `most`; `above` must be exceeded."""

    least: float = -FARTHEST
    most: float = FARTHEST
    above: float | None = None

    def read(self, given: Any, path: str, reading: Reading) -> float | Bad:
        """The number as a float."""
        if type(given) not in (int, float):
            return reading.wrong(path, f"It is {kind_of(given)}. Give {self._wanted}.")
        if not self.least <= given <= self.most or (self.above is not None and given <= self.above):
            return reading.wrong(path, f"It is {shown(given)}. Give {self._wanted}.")
        return float(given)

    @property
    def _wanted(self) -> str:
        least = f"more than {self.above:g}" if self.above is not None else f"{self.least:g} or more"
        if self.least == -FARTHEST and self.above is None:
            return (
                f"a finite number, at most {FARTHEST:g}"
                if self.most == FARTHEST
                else f"a number, {self.most:g} at most"
            )
        return f"a number, {least}" if self.most == FARTHEST else f"a number, {least}, {self.most:g} at most"

    @property
    def schema(self) -> Schema:
        """A number with its limits."""
        made: Schema = {"type": "number"}
        if self.above is not None:
            made["exclusiveMinimum"] = self.above
        elif self.least > -FARTHEST:
            made["minimum"] = self.least
        if self.most < FARTHEST:
            made["maximum"] = self.most
        return made


@dataclass(frozen=True)
class Text:
    """A text that is not empty; `speaks_of` says what the field means of the actor it names, if it names one."""

    speaks_of: str | None = None

    def read(self, given: Any, path: str, reading: Reading) -> str | Bad:
        """The text."""
        if not isinstance(given, str):
            return reading.wrong(path, f"It is {kind_of(given)}. Give a text in quotes.")
        if not given or len(given) > LONGEST_TEXT:
            return reading.wrong(path, f"It has {len(given):,} characters. Give 1 to {LONGEST_TEXT:,}.")
        if not given.isascii() and any("\ud800" <= letter <= "\udfff" for letter in given):
            return reading.wrong(path, "It has half a character (a lone surrogate). Write the character itself.")
        if self.speaks_of is not None:
            reading.references.append((path, self.speaks_of, given))
        return given

    @property
    def schema(self) -> Schema:
        """A text that is not empty."""
        return {"type": "string", "minLength": 1}


@dataclass(frozen=True)
class Flag:
    """True or false."""

    def read(self, given: Any, path: str, reading: Reading) -> bool | Bad:
        """The flag."""
        return given if isinstance(given, bool) else reading.wrong(path, f"It is {kind_of(given)}. Give true or false.")

    @property
    def schema(self) -> Schema:
        """True or false."""
        return {"type": "boolean"}


@dataclass(frozen=True)
class OneOf:
    """One of some words."""

    words: tuple[str, ...]

    def read(self, given: Any, path: str, reading: Reading) -> str | Bad:
        """The word."""
        if given in self.words:
            return str(given)
        return reading.wrong(path, f"It is {shown(given)}.{did_you_mean(str(given), self.words)}")

    @property
    def schema(self) -> Schema:
        """The words to choose from."""
        return {"enum": list(self.words)}


@dataclass(frozen=True)
class ListOf:
    """A list of things of one form, `least` … `most` of them."""

    form: Form
    least: int = 0
    most: int | None = None
    what: str = "things"

    def read(self, given: Any, path: str, reading: Reading) -> list[Any] | Bad:
        """All of them, or BAD if one of them is."""
        if not isinstance(given, list):
            return reading.wrong(path, f"It is {kind_of(given)}. Give a list of {self.what}.")
        if len(given) < self.least or (self.most is not None and len(given) > self.most):
            count = str(self.least) if self.least == self.most else f"{self.least} or more"
            return reading.wrong(path, f"It has {len(given):,} {self.what}. Give {count}.")
        read = [self.form.read(one, f"{path}[{index}]", reading) for index, one in enumerate(given)]
        return BAD if any(one is BAD for one in read) else read

    @property
    def schema(self) -> Schema:
        """A list."""
        made: Schema = {"type": "array", "items": self.form.schema}
        if self.least:
            made["minItems"] = self.least
        if self.most is not None:
            made["maxItems"] = self.most
        return made


@dataclass(frozen=True)
class Numbers:
    """A list of numbers (`depth` 1), or a list of such lists, as an array; every row has as many."""

    depths: tuple[int, ...] = (1,)
    width: int | None = None
    what: str = "numbers"

    def read(self, given: Any, path: str, reading: Reading) -> Floats | Bad:
        """The array; read at once if all is well, else number by number to see what is wrong."""
        found = rectangular(given)
        if found is not None and found.ndim in self.depths and self.width in (None, found.shape[-1]):
            return found
        depth = min(max(_depth(given), self.depths[0]), self.depths[-1])
        form: Form = ListOf(Number(), least=self.width or 1, most=self.width, what=self.what)
        for _ in range(depth - 1):
            form = ListOf(form, least=1, what=f"lists of {self.what}")
        if form.read(given, path, reading) is BAD:
            return BAD
        return reading.wrong(path, f"Its lists differ in how many {self.what} they have. Give each as many.")

    @property
    def schema(self) -> Schema:
        """Lists of numbers, nested as deep as may be."""
        made: Schema = ListOf(Number(), least=self.width or 1, most=self.width).schema
        by_depth = {1: made}
        for depth in range(2, self.depths[-1] + 1):
            by_depth[depth] = {"type": "array", "items": by_depth[depth - 1], "minItems": 1}
        either = [by_depth[depth] for depth in self.depths]
        return either[0] if len(either) == 1 else {"anyOf": either}


def rectangular(given: Any) -> Floats | None:
    """Nested lists of numbers as an array, or None if they are anything else, ragged, or not finite."""
    level = [given]
    while {*map(type, level)} == {list}:
        level = list(chain.from_iterable(level))
    if not level or not {*map(type, level)} <= {int, float} or not isinstance(given, list):
        return None
    try:
        found = np.array(given, dtype=np.float64)
    except (ValueError, OverflowError, TypeError):
        return None
    return found if bool((np.abs(found) <= FARTHEST).all()) else None


def _depth(given: Any) -> int:
    depth = 0
    while isinstance(given, list):
        depth += 1
        given = given[0] if given else None
    return depth


@dataclass(frozen=True)
class Named:
    """Things of one form by their names."""

    form: Form
    what: str = "names"

    def read(self, given: Any, path: str, reading: Reading) -> dict[str, Any] | Bad:
        """All of them by name."""
        if not isinstance(given, dict):
            return reading.wrong(path, f"It is {kind_of(given)}. Give an object of {self.what}.")
        read = {name: self.form.read(one, f"{path}.{name}", reading) for name, one in given.items()}
        return BAD if any(one is BAD for one in read.values()) else read

    @property
    def schema(self) -> Schema:
        """An object with any names."""
        return {"type": "object", "additionalProperties": self.form.schema}


@dataclass(frozen=True)
class Field:
    """One field of a record: its form, what to tell people about it, and whether it must be there."""

    form: Form
    doc: str
    needed: bool = False


@dataclass(frozen=True)
class Record:
    """An object with certain fields; `build` makes a thing of what they say, `title` says which thing."""

    title: str
    fields: Mapping[str, Field]
    build: Callable[..., Any] = dict

    def read(self, given: Any, path: str, reading: Reading) -> Any | Bad:
        """The thing that is described."""
        said = self.said(given, path, reading)
        return BAD if isinstance(said, Bad) else self.made(said, path, reading)

    def said(self, given: Any, path: str, reading: Reading) -> dict[str, Any] | Bad:
        """What the fields say, those that are there; all of them are read before it is BAD."""
        if not isinstance(given, dict):
            return reading.wrong(path, f"It is {kind_of(given)}. Give {self.title} as an object in {{ }}.")
        good, read = True, {}
        for name, value in given.items():
            if name not in self.fields:
                good = False
                reading.wrong(
                    inside(path, name), f"There is no such field in {self.title}.{did_you_mean(name, self.fields)}"
                )
                continue
            read[name] = self.fields[name].form.read(value, inside(path, name), reading)
            good = good and read[name] is not BAD
        for name, wanted in self.fields.items():
            if wanted.needed and name not in given:
                good = False
                reading.wrong(inside(path, name), f"It is missing in {self.title}. Give {wanted.doc}.")
        return read if good else BAD

    def made(self, said: Mapping[str, Any], path: str, reading: Reading) -> Any | Bad:
        """The thing made of what the fields say."""
        try:
            return self.build(**said)
        except KeyposeError as error:
            return reading.wrong(path, str(error))

    @property
    def schema(self) -> Schema:
        """An object with these fields and no others."""
        properties = {name: {"description": one.doc, **one.form.schema} for name, one in self.fields.items()}
        made: Schema = {"type": "object", "properties": properties, "additionalProperties": False}
        needed = [name for name, one in self.fields.items() if one.needed]
        return {**made, "required": needed} if needed else made


def inside(path: str, name: str) -> str:
    """The path of a field."""
    return f"{path}.{name}" if path else name


def kind_of(given: Any) -> str:
    """What a plain value is, for a sentence."""
    words = {dict: "an object", list: "a list", bool: "true or false", type(None): "null"}
    return words.get(type(given)) or f"the {'text' if isinstance(given, str) else 'number'} {shown(given)}"
