"""Which kinds of thing can a field hold? Those that were made known: timings, facings, looks, movers.

A kind has a word for the file, a type in Python, a record of its fields and a way to say it again. Rooms to come add
theirs with `Kinds.add`, people their own movers with `savable`, and nothing else has to know of them.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from keypose.document.problems import Bad, Reading, inside
from keypose.document.schema.records import Record
from keypose.document.schema.value_types import Schema, kind_of
from keypose.errors import KeyposeError, shown
from keypose.stage.scene_style import SceneStyle

USUAL = SceneStyle()


@dataclass(frozen=True)
class Kind:
    """One kind of thing: its word, its type, its fields, and how to say it as plain values."""

    word: str
    type: type
    record: Record
    said: Callable[..., dict[str, Any]]
    ours: bool = False
    """Known without anybody making it known."""
    styled: bool = False
    """Whether the style of a scene says what is usual for it: `said` is then told that, and whose it is."""


class Kinds:
    """A form: an object whose `kind` says which fields it has."""

    def __init__(self, title: str, *known: Kind, remedy: str = "") -> None:
        self.title, self.remedy = title, remedy
        self._known = {kind.word: kind for kind in known}

    def __iter__(self) -> Iterator[Kind]:
        return iter(self._known.values())

    def add(self, kind: Kind) -> None:
        """Make a kind known; the same word again replaces the type it had."""
        self._known[kind.word] = kind

    def read(self, given: Any, path: str, reading: Reading) -> Any | Bad:
        """The thing itself."""
        if not isinstance(given, dict):
            words = " or ".join(f'"{word}"' for word in self._known)
            return reading.wrong(path, f'It is {kind_of(given)}. Give a {self.title} as {{"kind": {words}, …}}.')
        word = given.get("kind")
        if not isinstance(word, str) or word not in self._known:
            said = f"There is no {self.title} {_word(word)}." if "kind" in given else f"A {self.title} has a kind."
            return reading.wrong(inside(path, "kind"), said + self._advice(word, reading))
        rest = {name: value for name, value in given.items() if name != "kind"}
        return self._known[word].record.read(rest, path, reading)

    def _advice(self, word: object, reading: Reading) -> str:
        """A near word, and what to do where people add kinds of their own; else what there is."""
        suggestion = reading.suggested(word, self._known)
        if not isinstance(word, str) or not self.remedy:
            return suggestion
        return f"{suggestion} If not: {self.remedy}" if "Did you mean" in suggestion else f" {self.remedy}"

    def said(self, thing: Any, whose: str, style: SceneStyle = USUAL) -> dict[str, Any]:
        """A thing as plain values, its kind first; a thing of no known kind is refused by name."""
        for word, kind in self._known.items():
            if type(thing) is kind.type:
                return {"kind": word, **(kind.said(thing, style, whose) if kind.styled else kind.said(thing))}
        known = f"Give one of {', '.join(self._known)}" if self._known else "Give none"
        own = f", or make a {self.title}'s type known with savable()" if self.remedy else ""
        raise KeyposeError(
            f"{whose} has the {self.title} {shown(thing)}, which a scene file does not know. {known}{own}."
        )

    def schema(self, named: Schema) -> Schema:
        """One of the kinds; as long as people have added none where they may, an object of any other kind too."""
        for word, kind in self._known.items():
            made = kind.record.plain_schema(named)
            properties = {"kind": {"const": word}, **made["properties"]}
            named[kind.record.name] = {
                **made,
                "properties": properties,
                "required": ["kind", *made.get("required", ())],
            }
        either: list[Schema] = [kind.record.reference for kind in self._known.values()]
        if self.remedy and all(kind.ours for kind in self._known.values()):
            other = {"type": "string", "minLength": 1, "not": {"enum": list(self._known)}}
            either.append({"type": "object", "properties": {"kind": other}, "required": ["kind"]})
        return {"anyOf": either}


def _word(given: object) -> str:
    return shown(given) if isinstance(given, str) else kind_of(given)


MOVERS = Kinds("mover", remedy="First import the Python that makes it @savable; keypose does with --import file.py.")
