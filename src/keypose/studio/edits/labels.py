"""How are things called in the name of a step, and how are a scene file's words read when a page says them?

Keys are counted from 0 as in the files, and go by their names if they have one. What a page says in the words of the
scene file is read by the scene file's own forms, so it is refused in the same sentences.
"""

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, fields, replace
from typing import Any, Protocol, TypeVar

from keypose.curves import Keys
from keypose.document import ReadContext, Record, SceneError, ValueType
from keypose.errors import KeyposeError, UnknownNameError, did_you_mean, short_repr
from keypose.physics import FollowerOptions
from keypose.stage import Stage

T = TypeVar("T")
ALTERNATIVES: dict[str, dict[str, Any]] = {
    "speed": {"eagerness": FollowerOptions.eagerness},
    "eagerness": {"speed": None},
}
"""What is left out of a race when one is said: the other says the same."""


class OptionChanges(Protocol):
    """A message that says some words of something, and leaves others unset."""

    @property
    def changes(self) -> Mapping[str, Any]:
        """What is said, word by word."""
        ...

    @property
    def unset(self) -> Sequence[str]:
        """Which words are left unset."""
        ...


def keys_label(keys: Keys, indices: Sequence[int], actor: str) -> str:
    """Some keys of an actor: "bounce of red", "key 3 of red", "4 keys of red"."""
    if len(indices) > 1:
        return f"{len(indices)} keys of {actor}"
    name = keys[indices[0]].name
    return f"{name} of {actor}" if name is not None else f"key {indices[0]} of {actor}"


def join_words(words: Sequence[str]) -> str:
    """Some words in a row: "tension and bias"."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def merge_options(old_options: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """What is said after some changes; None unsays a word."""
    return {option: value for option, value in {**old_options, **changes}.items() if value is not None}


def optional_form(record: Record, without: Sequence[str] = ()) -> Record:
    """A form of what is there already: none of its words is needed, and some are said elsewhere."""
    options = {
        option: replace(one, is_required=False) for option, one in record.fields.items() if option not in without
    }
    return Record(record.title, options)


def change_options(one: T, form: Record, message: OptionChanges, stage: Stage, owner: str) -> T:
    """The same with some words said otherwise, and some as they are while nobody says them."""
    parsed: dict[str, Any] = parse_as(form, message.changes, "", stage, owner)
    defaults = {option: _default_value(one, option, form, owner) for option in message.unset}
    alternatives = ALTERNATIVES if isinstance(one, FollowerOptions) else {}
    resets = {
        option: value
        for given_option in parsed
        for option, value in alternatives.get(given_option, {}).items()
        if option not in parsed
    }
    new_value: T = replace(one, **{**defaults, **resets, **parsed})  # type: ignore[type-var]
    return new_value


def _default_value(one: Any, option: str, form: Record, owner: str) -> Any:
    """What holds while a word is not said."""
    if option not in form.fields:
        raise UnknownNameError(
            f"{owner} has no {short_repr(option)} to leave unset.{did_you_mean(option, form.fields)}"
        )
    default = next(field.default for field in fields(one) if field.name == option)
    if default is MISSING:
        raise KeyposeError(f"{owner} must have a {option}. Give a value.")
    return default


def parse_as(form: ValueType, given: Any, path: str, stage: Stage, owner: str) -> Any:
    """What the scene file would make of it; what it would refuse is refused here."""
    reading = ReadContext(style=stage.style)
    value = form.read(given, path, reading)
    raise_problems(reading, owner)
    return value


def raise_problems(reading: ReadContext, owner: str) -> None:
    """Refuse if anything that was read is wrong."""
    if reading.count:
        raise SceneError(tuple(reading.problems), owner, reading.count)
