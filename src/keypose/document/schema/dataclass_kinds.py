"""How does a small frozen value stand in a scene file? By its own fields, under its own names, where they are unusual.

What must be there and what is usual is read from the dataclass itself, so that a file and Python cannot disagree.
"""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from typing import Any

from keypose.curves.orientation import Orientation
from keypose.document.schema.kinds import Kind
from keypose.document.schema.records import Field, Record
from keypose.document.schema.value_types import LARGEST_WHOLE, Form, unwritable
from keypose.errors import KeyposeError, shown
from keypose.fields.tracking.targets import Pointer

Said = Mapping[str, tuple[Form, str]]


def declared(
    word: str, kind: type, title: str, said: Said, build: Callable[..., Any] | None = None, **more: Field
) -> Kind:
    """A kind that is said by these fields of its dataclass: their forms, and what to tell people about them."""
    own = {one.name: one for one in fields(kind)}
    made = {}
    for name, (form, doc) in said.items():
        default = own[name].default
        usual = None if default is MISSING else _plain(default, word, name)
        made[name] = Field(form, doc, default is MISSING, usual)
    return Kind(
        word, kind, Record(title, made | more, build or kind), lambda thing: _said(thing, made, word), ours=True
    )


def _said(thing: Any, declared: Mapping[str, Field], word: str) -> dict[str, Any]:
    """What is unusual about a thing; 0.0 and -0.0 are told apart."""
    found = {name: _plain(getattr(thing, name), word, name) for name in declared}
    return {
        name: value
        for name, value in found.items()
        if declared[name].needed or repr(value) != repr(declared[name].usual)
    }


def _plain(value: Any, word: str, name: str) -> Any:
    """A value as a file has it: numbers, texts, lists of them, facings, pointers."""
    if isinstance(value, tuple):
        return [_plain(one, word, name) for one in value]
    if isinstance(value, Orientation):
        return value.wxyz.tolist()
    if isinstance(value, Pointer):
        return {"pointer": _plain(value.name, word, name)}
    if isinstance(value, str) and (problem := unwritable(value)):
        raise KeyposeError(f"The {name} of {word!r} is {shown(value)}, which {problem}")
    if value is None or isinstance(value, str | float):
        return value
    if isinstance(value, int) and abs(value) <= LARGEST_WHOLE:
        return value
    raise KeyposeError(f"The {name} of {word!r} is {shown(value)}, which a scene file cannot hold. Say it otherwise.")
