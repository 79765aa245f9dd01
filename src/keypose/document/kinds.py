"""Which kinds of thing can a field hold? Those that were made known: timings, facings, looks, movers.

A kind has a word for the file, a type in Python, a form for its fields and a way to say it again. Rooms to come, and
people's own movers, add theirs here (`Kinds.add`, `savable`) and nothing else has to know of them.
"""

from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields, is_dataclass
from typing import Any, TypeVar

from keypose.document.forms import Field, Record, Schema, inside, kind_of
from keypose.document.problems import Bad, Reading
from keypose.errors import KeyposeError, did_you_mean, shown

C = TypeVar("C", bound=type)


@dataclass(frozen=True)
class Kind:
    """One kind of thing: its word, its type, its fields, and how to say it as plain values."""

    word: str
    type: type
    record: Record
    said: Callable[[Any], dict[str, Any]]


class Kinds:
    """A form: an object whose `kind` says which fields it has."""

    def __init__(self, title: str) -> None:
        self.title = title
        self._known: dict[str, Kind] = {}

    def add(self, kind: Kind) -> None:
        """Make a kind known; the same word again replaces the type it had."""
        self._known[kind.word] = kind

    def read(self, given: Any, path: str, reading: Reading) -> Any | Bad:
        """The thing itself."""
        if not isinstance(given, dict):
            words = " or ".join(f'"{word}"' for word in self._known)
            return reading.wrong(path, f'It is {kind_of(given)}. Give {self.title} as {{"kind": {words}, …}}.')
        word = given.get("kind")
        if not isinstance(word, str) or word not in self._known:
            said = "It is missing" if "kind" not in given else f"There is no {shown(word)}"
            return reading.wrong(inside(path, "kind"), f"{said} in {self.title}.{did_you_mean(str(word), self._known)}")
        rest = {name: value for name, value in given.items() if name != "kind"}
        return self._known[word].record.read(rest, path, reading)

    def said(self, thing: Any, whose: str) -> dict[str, Any]:
        """A thing as plain values, its kind first; a thing of no known kind is refused by name."""
        for word, kind in self._known.items():
            if type(thing) is kind.type:
                return {"kind": word, **kind.said(thing)}
        raise KeyposeError(
            f"{whose} has {shown(thing)}, and a scene file knows no such {self.title}. "
            f"Make its type known with savable(), or give one of {', '.join(self._known) or 'none'}."
        )

    @property
    def schema(self) -> Schema:
        """One of the kinds."""
        either = []
        for word, kind in self._known.items():
            made = kind.record.schema
            properties = {"kind": {"const": word}, **made["properties"]}
            either.append({**made, "properties": properties, "required": ["kind", *made.get("required", ())]})
        return {"anyOf": either}


class Anything:
    """A plain value of any sort, for the fields of people's own movers."""

    def read(self, given: Any, path: str, reading: Reading) -> Any | Bad:
        """The value; lists become tuples, which a frozen mover can be compared by."""
        del path, reading
        return tuple(self.read(one, "", Reading()) for one in given) if isinstance(given, list) else given

    @property
    def schema(self) -> Schema:
        """Whatever it is."""
        return {}


TIMINGS, FACINGS, LOOKS, MOVERS = Kinds("timing"), Kinds("facing"), Kinds("look"), Kinds("mover")


def savable(word: str) -> Callable[[C], C]:
    """Let a mover of your own be saved in scene files under this word: `@savable("follower")` above a dataclass.

    Its fields must be plain: numbers, texts, flags, and lists of them.
    """

    def known(kind: C) -> C:
        if not is_dataclass(kind) or not all(one.init for one in fields(kind)):
            raise KeyposeError(f"{kind.__name__} was to be savable, but is no plain dataclass. Make it one.")
        needed = {one.name: one.default is MISSING and one.default_factory is MISSING for one in fields(kind)}
        record = Record(f"a {word}", {n: Field(Anything(), f"its {n}", must) for n, must in needed.items()}, kind)
        MOVERS.add(Kind(word, kind, record, _plain_fields))
        return kind

    return known


def _plain_fields(thing: Any) -> dict[str, Any]:
    return {one.name: _plain(getattr(thing, one.name), type(thing).__name__, one.name) for one in fields(thing)}


def _plain(value: Any, kind: str, name: str) -> Any:
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, tuple | list):
        return [_plain(one, kind, name) for one in value]
    raise KeyposeError(f"The {name} of a {kind} is {shown(value)}, which a scene file cannot hold. Use plain values.")
