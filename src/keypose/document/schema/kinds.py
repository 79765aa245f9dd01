"""Which kinds of thing can a field hold? Those that were made known: timings, facings, looks, movers.

A kind has a word for the file, a type in Python, a record of its fields and a way to say it again. Rooms to come add
theirs with `Kinds.add`, people their own movers with `savable`, and nothing else has to know of them.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from keypose.document.problems import Invalid, ReadContext
from keypose.document.schema.records import Record
from keypose.document.schema.value_types import Schema, describe_value
from keypose.errors import KeyposeError, join_path, short_repr
from keypose.stage import SceneStyle

DEFAULT_STYLE = SceneStyle()


@dataclass(frozen=True)
class Kind:
    """One kind of thing: its word, its type, its fields, and how to say it as plain values."""

    tag: str
    type: type
    record: Record
    to_object: Callable[..., dict[str, Any]]
    is_builtin: bool = False
    """Known without anybody making it known."""
    uses_style: bool = False
    """Whether the style of a scene says what is usual for it: `said` is then told that, and whose it is."""


class Kinds:
    """A form: an object whose `kind` says which fields it has."""

    def __init__(self, title: str, *known: Kind, remedy: str = "") -> None:
        self.title, self.remedy = title, remedy
        self.known = {kind.tag: kind for kind in known}

    def __iter__(self) -> Iterator[Kind]:
        return iter(self.known.values())

    def add(self, kind: Kind) -> None:
        """Make a kind known; the same word again replaces the type it had."""
        self.known[kind.tag] = kind

    def read(self, given: Any, path: str, context: ReadContext) -> Any | Invalid:
        """The thing itself."""
        if not isinstance(given, dict):
            tags = " or ".join(f'"{tag}"' for tag in self.known)
            return context.add_problem(
                path, f'It is {describe_value(given)}. Give a {self.title} as {{"kind": {tags}, …}}.'
            )
        tag = given.get("kind")
        if not isinstance(tag, str) or tag not in self.known:
            message = (
                f"There is no {self.title} {_describe_tag(tag)}." if "kind" in given else f"A {self.title} has a kind."
            )
            return context.add_problem(join_path(path, "kind"), message + self._advice(tag, context))
        rest = {name: value for name, value in given.items() if name != "kind"}
        return self.known[tag].record.read(rest, path, context)

    def _advice(self, tag: object, context: ReadContext) -> str:
        """A near word, and what to do where people add kinds of their own; else what there is."""
        suggestion = context.suggestion(tag, self.known)
        if not isinstance(tag, str) or not self.remedy:
            return suggestion
        return f"{suggestion} If not: {self.remedy}" if "Did you mean" in suggestion else f" {self.remedy}"

    def to_object(self, value: Any, owner: str, style: SceneStyle = DEFAULT_STYLE) -> dict[str, Any]:
        """A thing as plain values, its kind first; a thing of no known kind is refused by name."""
        for tag, kind in self.known.items():
            if type(value) is kind.type:
                return {
                    "kind": tag,
                    **(kind.to_object(value, style, owner) if kind.uses_style else kind.to_object(value)),
                }
        choices = f"Give one of {', '.join(self.known)}" if self.known else "Give none"
        savable_hint = f", or make a {self.title}'s type known with savable()" if self.remedy else ""
        raise KeyposeError(
            f"{owner} has the {self.title} {short_repr(value)}, which a scene file does not know. "
            f"{choices}{savable_hint}."
        )

    def json_schema(self, definitions: Schema) -> Schema:
        """One of the kinds; as long as people have added none where they may, an object of any other kind too."""
        for tag, kind in self.known.items():
            schema = kind.record.object_schema(definitions)
            properties = {"kind": {"const": tag}, **schema["properties"]}
            definitions[kind.record.name] = {
                **schema,
                "properties": properties,
                "required": ["kind", *schema.get("required", ())],
            }
        alternatives: list[Schema] = [kind.record.reference for kind in self.known.values()]
        if self.remedy and all(kind.is_builtin for kind in self.known.values()):
            other = {"type": "string", "minLength": 1, "not": {"enum": list(self.known)}}
            alternatives.append({"type": "object", "properties": {"kind": other}, "required": ["kind"]})
        return {"anyOf": alternatives}


def _describe_tag(tag: object) -> str:
    return short_repr(tag) if isinstance(tag, str) else describe_value(tag)


MOVERS = Kinds("mover", remedy="First import the Python that makes it @savable; keypose does with --import file.py.")
