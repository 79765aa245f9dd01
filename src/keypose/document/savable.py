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
from keypose.document.schema.lists import ListOf, MapOf, NumberArray
from keypose.document.schema.records import Conversion, Field, Record
from keypose.document.schema.value_types import (
    LARGEST_INTEGER,
    Boolean,
    Either,
    Integer,
    Null,
    Number,
    OneOf,
    Text,
    ValueType,
    text_problem,
)
from keypose.errors import KeyposeError, short_repr

C = TypeVar("C", bound=type)


def savable(word: str) -> Callable[[C], C]:
    """Let a mover of your own be saved in scene files under this word: `@savable("follower")` above a dataclass.

    Its fields must be plain: numbers, texts, flags, None, arrays, and lists, tuples or dictionaries of such.
    """
    if not isinstance(word, str) or text_problem(word):
        raise KeyposeError(f"A mover was to be savable as {short_repr(word)}. Give a word for the file.")

    def register(kind: C) -> C:
        if not is_dataclass(kind) or not all(field_info.init for field_info in fields(kind)):
            raise KeyposeError(f"{kind.__name__} was to be savable, but is no plain dataclass. Make it one.")
        MOVERS.add(Kind(word, kind, Record(f"a mover {word}", _record_fields(kind), _builder(kind)), _to_object))
        return kind

    return register


def _builder(kind: type) -> Callable[..., Any]:
    def build(**values: Any) -> Any:
        try:
            return kind(**values)
        except (ValueError, TypeError) as error:  # whatever a stranger's own checks say
            raise KeyposeError(f"{kind.__name__} does not take this: {error}") from error

    return build


def _record_fields(kind: type) -> dict[str, Field]:
    types = get_type_hints(kind)
    record_fields = {}
    for field_info in fields(kind):
        value_type = _value_type(types[field_info.name])
        if value_type is None:
            raise KeyposeError(
                f"{kind.__name__} was to be savable, but its {field_info.name} is "
                f"{short_repr(types[field_info.name])}. "
                "Use numbers, texts, flags, None, arrays, and lists, tuples or dictionaries of such."
            )
        required = field_info.default is MISSING and field_info.default_factory is MISSING
        default = (
            None if field_info.default is MISSING else _plain_value(field_info.default, kind.__name__, field_info.name)
        )
        record_fields[field_info.name] = Field(value_type, f"its {field_info.name}", required, default)
    return record_fields


PLAIN_TYPES: dict[Any, ValueType] = {
    float: Number(),
    int: Integer(),
    bool: Boolean(),
    str: Text(min_length=0),
    NoneType: Null(),
}
PLAIN_TYPES[np.ndarray] = NumberArray((1, 2, 3))
JSON_TYPES = {float: (int, float), tuple: (list,), Sequence: (list,), np.ndarray: (list,), Literal: (str,)}


def _value_type(kind: Any) -> ValueType | None:
    """What a field of this type may hold in a file; None if a file cannot hold it."""
    base, parts = get_origin(kind) or kind, get_args(kind)
    if base in (Union, UnionType):
        value_types = {part: _value_type(part) for part in parts}
        types_by_class = {json_type: value_types[part] for part in parts for json_type in _json_types(part)}
        valid_types = {
            json_type: value_type for json_type, value_type in types_by_class.items() if value_type is not None
        }
        return Either("one of the sorts it may be", valid_types) if None not in value_types.values() else None
    if base in (list, tuple, Sequence) and parts:
        item_type, is_fixed_length = _value_type(parts[0]), base is tuple and parts[-1] is not Ellipsis
        if item_type is None or (is_fixed_length and len(set(parts)) > 1):
            return None
        size = len(parts) if is_fixed_length else None
        return Conversion(ListOf(item_type, size or 0, size), list if base is list else tuple)
    if base is dict and parts[:1] == (str,):
        item_type = _value_type(parts[1])
        return None if item_type is None else MapOf(item_type)
    if base is Literal:
        return OneOf(parts) if all(isinstance(part, str) for part in parts) else None
    return PLAIN_TYPES.get(base)


def _json_types(kind: Any) -> tuple[Any, ...]:
    base = get_origin(kind) or kind
    return JSON_TYPES.get(base, (base,))


def _to_object(value: Any) -> dict[str, Any]:
    return {
        field_info.name: _plain_value(getattr(value, field_info.name), type(value).__name__, field_info.name)
        for field_info in fields(value)
    }


def _plain_value(value: Any, type_name: str, field_name: str) -> Any:
    """A value as a file has it."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, tuple | list):
        return [_plain_value(item, type_name, field_name) for item in value]
    if isinstance(value, dict) and all(isinstance(item, str) and not text_problem(item) for item in value):
        return {item: _plain_value(inner, type_name, field_name) for item, inner in value.items()}
    if isinstance(value, str) and (not value or not text_problem(value)):
        return value
    if value is None or isinstance(value, bool) or (isinstance(value, float) and isfinite(value)):
        return value
    if isinstance(value, int) and abs(value) <= LARGEST_INTEGER:
        return value
    raise KeyposeError(
        f"The {field_name} of a {type_name} is {short_repr(value)}, which a scene file cannot hold. Use plain values."
    )
