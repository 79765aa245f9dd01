"""How does a small frozen value stand in a scene file? By its own fields, under its own names, where they are unusual.

What must be there and what is usual is read from the dataclass itself, so that a file and Python cannot disagree.
"""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from typing import Any

from keypose.curves import Orientation
from keypose.document.schema.kinds import Kind
from keypose.document.schema.records import Field, Record
from keypose.document.schema.value_types import LARGEST_INTEGER, ValueType, text_problem
from keypose.errors import KeyposeError, short_repr
from keypose.fields import Pointer

FieldSpecs = Mapping[str, tuple[ValueType, str]]


def dataclass_kind(
    tag: str, kind: type, title: str, specs: FieldSpecs, build: Callable[..., Any] | None = None, **extra_fields: Field
) -> Kind:
    """A kind that is said by these fields of its dataclass: their forms, and what to tell people about them."""
    dataclass_fields = {dataclass_field.name: dataclass_field for dataclass_field in fields(kind)}
    record_fields = {}
    for name, (value_type, doc) in specs.items():
        default = dataclass_fields[name].default
        default_value = None if default is MISSING else _plain_value(default, tag, name)
        record_fields[name] = Field(value_type, doc, default is MISSING, default_value)
    return Kind(
        tag,
        kind,
        Record(title, record_fields | extra_fields, build or kind),
        lambda value: _non_default_values(value, record_fields, tag),
        is_builtin=True,
    )


def _non_default_values(value: Any, record_fields: Mapping[str, Field], tag: str) -> dict[str, Any]:
    """What is unusual about a thing; 0.0 and -0.0 are told apart."""
    values = {name: _plain_value(getattr(value, name), tag, name) for name in record_fields}
    return {
        name: plain
        for name, plain in values.items()
        if record_fields[name].is_required or repr(plain) != repr(record_fields[name].default)
    }


def _plain_value(value: Any, tag: str, name: str) -> Any:
    """A value as a file has it: numbers, texts, lists of them, facings, pointers."""
    if isinstance(value, tuple):
        return [_plain_value(one, tag, name) for one in value]
    if isinstance(value, Orientation):
        return value.wxyz.tolist()
    if isinstance(value, Pointer):
        return {"pointer": _plain_value(value.name, tag, name)}
    if isinstance(value, str) and (problem := text_problem(value)):
        raise KeyposeError(f"The {name} of {tag!r} is {short_repr(value)}, which {problem}")
    if value is None or isinstance(value, str | float):
        return value
    if isinstance(value, int) and abs(value) <= LARGEST_INTEGER:
        return value
    raise KeyposeError(
        f"The {name} of {tag!r} is {short_repr(value)}, which a scene file cannot hold. Say it otherwise."
    )
