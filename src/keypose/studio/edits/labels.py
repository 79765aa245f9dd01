"""How are things called in the name of a step, and how are a scene file's words read when a page says them?

Keys are counted from 0 as in the files, and go by their names if they have one. What a page says in the words of the
scene file is read by the scene file's own forms, so it is refused in the same sentences.
"""

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, fields, replace
from typing import Any, Protocol, TypeVar

from keypose.curves.key_columns import Keys
from keypose.document.problems import Reading, SceneError
from keypose.document.schema.records import Record
from keypose.document.schema.value_types import Form
from keypose.errors import KeyposeError, UnknownNameError, did_you_mean, shown
from keypose.physics.values.movers import Racing
from keypose.stage.stage import Stage

T = TypeVar("T")
EITHER: dict[str, dict[str, Any]] = {"speed": {"eagerness": Racing.eagerness}, "eagerness": {"speed": None}}
"""What is left out of a race when one is said: the other says the same."""


class Saying(Protocol):
    """A message that says some words of something, and leaves others unsaid."""

    @property
    def changes(self) -> Mapping[str, Any]:
        """What is said, word by word."""
        ...

    @property
    def unsaid(self) -> Sequence[str]:
        """Which words are left unsaid."""
        ...


def called(keys: Keys, chosen: Sequence[int], actor: str) -> str:
    """Some keys of an actor: "bounce of red", "key 3 of red", "4 keys of red"."""
    if len(chosen) > 1:
        return f"{len(chosen)} keys of {actor}"
    name = keys[chosen[0]].name
    return f"{name} of {actor}" if name is not None else f"key {chosen[0]} of {actor}"


def listed(words: Sequence[str]) -> str:
    """Some words in a row: "tension and bias"."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def merged(said: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """What is said after some changes; None unsays a word."""
    return {word: value for word, value in {**said, **changes}.items() if value is not None}


def each_optional(record: Record, without: Sequence[str] = ()) -> Record:
    """A form of what is there already: none of its words is needed, and some are said elsewhere."""
    words = {word: replace(one, needed=False) for word, one in record.fields.items() if word not in without}
    return Record(record.title, words)


def said_of(one: T, form: Record, message: Saying, stage: Stage, whose: str) -> T:
    """The same with some words said otherwise, and some as they are while nobody says them."""
    read: dict[str, Any] = read_as(form, message.changes, "", stage, whose)
    unsaid = {word: _usual(one, word, form, whose) for word in message.unsaid}
    either = EITHER if isinstance(one, Racing) else {}
    other = {word: value for said in read for word, value in either.get(said, {}).items() if word not in read}
    made: T = replace(one, **{**unsaid, **other, **read})  # type: ignore[type-var]
    return made


def _usual(one: Any, word: str, form: Record, whose: str) -> Any:
    """What holds while a word is not said."""
    if word not in form.fields:
        raise UnknownNameError(f"{whose} has no {shown(word)} to leave unsaid.{did_you_mean(word, form.fields)}")
    default = next(field.default for field in fields(one) if field.name == word)
    if default is MISSING:
        raise KeyposeError(f"{whose} must have a {word}. Give a value.")
    return default


def read_as(form: Form, given: Any, path: str, stage: Stage, whose: str) -> Any:
    """What the scene file would make of it; what it would refuse is refused here."""
    reading = Reading(style=stage.style)
    made = form.read(given, path, reading)
    settle(reading, whose)
    return made


def settle(reading: Reading, whose: str) -> None:
    """Refuse if anything that was read is wrong."""
    if reading.count:
        raise SceneError(tuple(reading.problems), whose, reading.count)
