"""What objects may stand in a scene file? Records with certain fields, and things made of what those say."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from keypose.document.problems import INVALID, Invalid, ReadContext
from keypose.document.schema.value_types import Schema, ValueType, describe_value
from keypose.errors import join_path


@dataclass(frozen=True)
class Field:
    """One field of a record: its form, what to tell people about it, whether it must be there or what is usual."""

    value_type: ValueType
    doc: str
    is_required: bool = False
    default: Any = None
    example: Any = None


@dataclass(frozen=True)
class Conversion:
    """A thing made of what a form reads."""

    value_type: ValueType
    build: Callable[[Any], Any]

    def read(self, given: Any, path: str, context: ReadContext) -> Any | Invalid:
        """The thing."""
        values = self.value_type.read(given, path, context)
        return INVALID if isinstance(values, Invalid) else context.construct(self.build, path, values)

    def json_schema(self, definitions: Schema) -> Schema:
        """That of the form."""
        return self.value_type.json_schema(definitions)


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

    def read(self, given: Any, path: str, context: ReadContext) -> Any | Invalid:
        """The thing that is described."""
        values = self.read_fields(given, path, context)
        return INVALID if isinstance(values, Invalid) else context.construct(self.build, path, **values)

    def read_fields(self, given: Any, path: str, context: ReadContext) -> dict[str, Any] | Invalid:
        """The values of the fields that are there, or INVALID if one of them is; all are read before."""
        before = context.count
        values = self.read_each(given, path, context)
        return values if context.count == before else INVALID

    def read_each(self, given: Any, path: str, context: ReadContext) -> dict[str, Any] | Invalid:
        """The values of the fields that are there, INVALID where one cannot be read."""
        if not isinstance(given, dict):
            return context.add_problem(path, f"It is {describe_value(given)}. Give {self.title} as an object in {{ }}.")
        values = {}
        for name in given:
            if name not in self.fields:
                suggestion = context.suggestion(name, self.fields)
                context.add_problem(join_path(path, name), f"There is no such field in {self.title}.{suggestion}")
        for name, field in self.fields.items():
            if name in given:
                values[name] = field.value_type.read(given[name], join_path(path, name), context)
            elif field.is_required:
                context.add_problem(join_path(path, name), f"It is missing in {self.title}. Give {field.doc}.")
        return values

    def json_schema(self, definitions: Schema) -> Schema:
        """A reference to an object with these fields and no others."""
        if self.name not in definitions:
            definitions[self.name] = {}  # while it is being made: it may refer to itself
            definitions[self.name] = self.object_schema(definitions)
        return self.reference

    def object_schema(self, definitions: Schema) -> Schema:
        """An object with these fields and no others."""
        properties = {}
        for name, field in self.fields.items():
            properties[name] = {"description": field.doc, **field.value_type.json_schema(definitions)}
            if field.default is not None:
                properties[name]["default"] = field.default
            if field.example is not None:
                properties[name]["examples"] = [field.example]
        schema: Schema = {
            "type": "object",
            "title": self.title,
            "properties": properties,
            "additionalProperties": False,
        }
        required = [name for name, field in self.fields.items() if field.is_required]
        return {**schema, "required": required} if required else schema
