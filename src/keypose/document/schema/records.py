"""What objects may stand in a scene file? Records with certain fields, and things made of what those say."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from keypose.document.problems import BAD, Bad, Reading, inside
from keypose.document.schema.value_types import Form, Schema, kind_of


@dataclass(frozen=True)
class Field:
    """One field of a record: its form, what to tell people about it, whether it must be there or what is usual."""

    form: Form
    doc: str
    needed: bool = False
    usual: Any = None
    example: Any = None


@dataclass(frozen=True)
class Made:
    """A thing made of what a form reads."""

    form: Form
    build: Callable[[Any], Any]

    def read(self, given: Any, path: str, reading: Reading) -> Any | Bad:
        """The thing."""
        said = self.form.read(given, path, reading)
        return BAD if isinstance(said, Bad) else reading.made(self.build, path, said)

    def schema(self, named: Schema) -> Schema:
        """That of the form."""
        return self.form.schema(named)


@dataclass(frozen=True)
class Record:
    """An object with certain fields; `build` makes a thing of what they say, `title` says which thing."""

    title: str
    fields: Mapping[str, Field]
    build: Callable[..., Any] = dict

    @property
    def name(self) -> str:
        """What editors call it."""
        return re.sub(r"\W", "_", self.title.removeprefix("a ").removeprefix("an "))

    @property
    def reference(self) -> Schema:
        """How a schema refers to it."""
        return {"$ref": f"#/$defs/{quote(self.name)}"}

    def read(self, given: Any, path: str, reading: Reading) -> Any | Bad:
        """The thing that is described."""
        said = self.said(given, path, reading)
        return BAD if isinstance(said, Bad) else reading.made(self.build, path, **said)

    def said(self, given: Any, path: str, reading: Reading) -> dict[str, Any] | Bad:
        """What the fields say, those that are there; all of them are read before it is BAD."""
        if not isinstance(given, dict):
            return reading.wrong(path, f"It is {kind_of(given)}. Give {self.title} as an object in {{ }}.")
        before, read = reading.count, {}
        for name in given:
            if name not in self.fields:
                suggestion = reading.suggested(name, self.fields)
                reading.wrong(inside(path, name), f"There is no such field in {self.title}.{suggestion}")
        for name, field in self.fields.items():
            if name in given:
                read[name] = field.form.read(given[name], inside(path, name), reading)
            elif field.needed:
                reading.wrong(inside(path, name), f"It is missing in {self.title}. Give {field.doc}.")
        return read if reading.count == before else BAD

    def schema(self, named: Schema) -> Schema:
        """A reference to an object with these fields and no others."""
        if self.name not in named:
            named[self.name] = {}  # while it is being made: it may refer to itself
            named[self.name] = self.plain_schema(named)
        return self.reference

    def plain_schema(self, named: Schema) -> Schema:
        """An object with these fields and no others."""
        properties = {}
        for name, field in self.fields.items():
            properties[name] = {"description": field.doc, **field.form.schema(named)}
            if field.usual is not None:
                properties[name]["default"] = field.usual
            if field.example is not None:
                properties[name]["examples"] = [field.example]
        made: Schema = {"type": "object", "title": self.title, "properties": properties, "additionalProperties": False}
        needed = [name for name, field in self.fields.items() if field.needed]
        return {**made, "required": needed} if needed else made
