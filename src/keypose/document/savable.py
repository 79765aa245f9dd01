"""How can a mover of one's own be saved? By its fields, if they are plain: `@savable("follower")` above a dataclass.

What a field may hold in a file follows from its type in Python, so a wrong one is refused before anything moves.
"""

from collections.abc import Callable, Sequence
from dataclasses import MISSING, fields, is_dataclass
from math import isfinite
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import numpy as np

from keypose.document.schema.kinds import MOVERS, Kind
from keypose.document.schema.lists import ListOf, Named, Numbers
from keypose.document.schema.records import Field, Made, Record
from keypose.document.schema.value_types import (
    LARGEST_WHOLE,
    Either,
    Flag,
    Form,
    Null,
    Number,
    OneOf,
    Text,
    Whole,
    unwritable,
)
from keypose.errors import KeyposeError, shown

C = TypeVar("C", bound=type)


def savable(word: str) -> Callable[[C], C]:
    """Let a mover of your own be saved in scene files under this word: `@savable("follower")` above a dataclass.

    Its fields must be plain: numbers, texts, flags, None, arrays, and lists, tuples or dictionaries of such.
    """
    if not isinstance(word, str) or unwritable(word):
        raise KeyposeError(f"A mover was to be savable as {shown(word)}. Give a word for the file.")

    def known(kind: C) -> C:
        if not is_dataclass(kind) or not all(one.init for one in fields(kind)):
            raise KeyposeError(f"{kind.__name__} was to be savable, but is no plain dataclass. Make it one.")
        MOVERS.add(Kind(word, kind, Record(f"a mover {word}", _fields(kind), _built(kind)), _said))
        return kind

    return known


def _built(kind: type) -> Callable[..., Any]:
    def build(**said: Any) -> Any:
        try:
            return kind(**said)
        except (ValueError, TypeError) as error:  # whatever a stranger's own checks say
            raise KeyposeError(f"{kind.__name__} does not take this: {error}") from error

    return build


def _fields(kind: type) -> dict[str, Field]:
    types = get_type_hints(kind)
    made = {}
    for one in fields(kind):
        form = _form(types[one.name])
        if form is None:
            raise KeyposeError(
                f"{kind.__name__} was to be savable, but its {one.name} is {shown(types[one.name])}. "
                "Use numbers, texts, flags, None, arrays, and lists, tuples or dictionaries of such."
            )
        needed = one.default is MISSING and one.default_factory is MISSING
        usual = None if one.default is MISSING else _plain(one.default, kind.__name__, one.name)
        made[one.name] = Field(form, f"its {one.name}", needed, usual)
    return made


PLAIN: dict[Any, Form] = {float: Number(), int: Whole(), bool: Flag(), str: Text(least=0), NoneType: Null()}
PLAIN[np.ndarray] = Numbers((1, 2, 3))
SORTS = {float: (int, float), tuple: (list,), Sequence: (list,), np.ndarray: (list,), Literal: (str,)}


def _form(kind: Any) -> Form | None:
    """What a field of this type may hold in a file; None if a file cannot hold it."""
    base, parts = get_origin(kind) or kind, get_args(kind)
    if base in (Union, UnionType):
        forms = {part: _form(part) for part in parts}
        sorts = {sort: forms[part] for part in parts for sort in _sorts(part)}
        good = {sort: form for sort, form in sorts.items() if form is not None}
        return Either("one of the sorts it may be", good) if None not in forms.values() else None
    if base in (list, tuple, Sequence) and parts:
        inner, ends = _form(parts[0]), base is tuple and parts[-1] is not Ellipsis
        if inner is None or (ends and len(set(parts)) > 1):
            return None
        size = len(parts) if ends else None
        return Made(ListOf(inner, size or 0, size), list if base is list else tuple)
    if base is dict and parts[:1] == (str,):
        inner = _form(parts[1])
        return None if inner is None else Named(inner)
    if base is Literal:
        return OneOf(parts) if all(isinstance(part, str) for part in parts) else None
    return PLAIN.get(base)


def _sorts(kind: Any) -> tuple[Any, ...]:
    base = get_origin(kind) or kind
    return SORTS.get(base, (base,))


def _said(thing: Any) -> dict[str, Any]:
    return {one.name: _plain(getattr(thing, one.name), type(thing).__name__, one.name) for one in fields(thing)}


def _plain(value: Any, kind: str, name: str) -> Any:
    """A value as a file has it."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, tuple | list):
        return [_plain(one, kind, name) for one in value]
    if isinstance(value, dict) and all(isinstance(one, str) and not unwritable(one) for one in value):
        return {one: _plain(inner, kind, name) for one, inner in value.items()}
    if isinstance(value, str) and (not value or not unwritable(value)):
        return value
    if value is None or isinstance(value, bool) or (isinstance(value, float) and isfinite(value)):
        return value
    if isinstance(value, int) and abs(value) <= LARGEST_WHOLE:
        return value
    raise KeyposeError(f"The {name} of a {kind} is {shown(value)}, which a scene file cannot hold. Use plain values.")
