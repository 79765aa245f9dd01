"""How are things called in the name of a step, and how are a scene file's words read when a page says them?

Keys are counted from 0 as in the files, and go by their names if they have one. What a page says in the words of the
scene file is read by the scene file's own forms, so it is refused in the same sentences.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from keypose.curves.keys import Keys
from keypose.document.forms import Form
from keypose.document.problems import Reading, SceneError
from keypose.stage.stage import Stage


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
