"""How does a scene look on paper? Short things on one line, long ones a line to each part, keys a line each.

The order is always the same and numbers are the shortest that read back exactly, so two versions of a scene differ
only where their motion does.
"""

import json
from collections.abc import Iterable, Iterator
from itertools import islice
from math import copysign
from typing import Any

import numpy as np

from keypose.maths import Floats

MAX_LINE_WIDTH = 100
INTEGER_LIMIT = 1e15  # below this a whole number is written without a point
NUMBERS_PER_LINE = 10  # plain numbers
ROWS_PER_CHUNK = 1000  # rows to a chunk

encode_line = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode


class Rows:
    """A list, perhaps a long one, of `plain_numbers` values, to be written with a line for each of them."""

    def __init__(self, items: Iterable[Any]) -> None:
        self.items = items


def encode_value(value: Any) -> Iterator[bytes]:
    """A value as UTF-8 text, piece by piece."""
    for piece in _value_pieces(value, ""):
        yield piece.encode("utf-8")
    yield b"\n"


def plain_numbers(numbers: Floats) -> list[Any]:
    """Numbers as lists, those that are whole as such: 2 in place of 2.0; -0.0 keeps its sign."""
    is_integer = (
        (numbers == np.rint(numbers)) & (np.abs(numbers) < INTEGER_LIMIT) & ((numbers != 0) | ~np.signbit(numbers))
    )
    if not is_integer.any():
        values: list[Any] = numbers.tolist()
    elif is_integer.all():
        values = numbers.astype(np.int64).tolist()
    else:
        mixed = numbers.astype(object)
        mixed[is_integer] = numbers[is_integer].astype(np.int64)
        values = mixed.tolist()
    return values


def _value_pieces(value: Any, indent: str) -> Iterator[str]:
    deeper = indent + "  "
    if isinstance(value, Rows):
        yield from _row_pieces(value.items, indent)
    elif (
        not _needs_own_lines(value)
        and len(short_line := encode_line(_with_integers(value))) + len(indent) <= MAX_LINE_WIDTH
    ):
        yield short_line
    elif isinstance(value, dict):
        yield "{"
        for index, (name, inner) in enumerate(value.items()):
            yield f"{',' if index else ''}\n{deeper}{encode_line(name)}: "
            yield from _value_pieces(inner, deeper)
        yield f"\n{indent}}}"
    elif isinstance(value, list) and value and isinstance(value[0], dict | list):
        yield "["
        for index, inner in enumerate(value):
            yield f"{',' if index else ''}\n{deeper}"
            yield from _value_pieces(inner, deeper)
        yield f"\n{indent}]"
    elif isinstance(value, list):
        yield from _row_pieces(_with_integers(value), indent)
    else:
        yield encode_line(value)


def _row_pieces(items: Iterable[Any], indent: str) -> Iterator[str]:
    """A line for each part; plain numbers go several to a line."""
    remaining, separator, is_first = iter(items), f",\n{indent}  ", True
    yield "["
    while chunk := list(islice(remaining, ROWS_PER_CHUNK)):
        yield f"\n{indent}  " if is_first else separator
        if isinstance(chunk[0], int | float):
            lines = [
                encode_line(chunk[start : start + NUMBERS_PER_LINE])[1:-1]
                for start in range(0, len(chunk), NUMBERS_PER_LINE)
            ]
        else:
            lines = _item_lines(chunk)
        yield separator.join(lines)
        is_first = False
    yield "]" if is_first else f"\n{indent}]"


def _item_lines(items: list[Any]) -> list[str]:
    """The line of each part: all in one call, which is quicker, if the parts can be told apart again."""
    if {*map(type, items)} in ({dict}, {list}):
        joined = encode_line(items)
        opening, closing = joined[1], joined[-2]
        inner_texts = joined[2:-2].split(f"{closing}, {opening}")
        if len(inner_texts) == len(items):  # else the same marks are in a text, or in a list of lists
            return [opening + inner_text + closing for inner_text in inner_texts]
    return [encode_line(item) for item in items]


def _needs_own_lines(value: Any) -> bool:
    """Whether something in it asks for lines of its own."""
    if isinstance(value, Rows):
        return True
    if isinstance(value, dict):
        return any(_needs_own_lines(inner) for inner in value.values())
    return isinstance(value, list) and (len(value) > MAX_LINE_WIDTH or any(_needs_own_lines(inner) for inner in value))


def _with_integers(value: Any) -> Any:
    """The same value with whole numbers as such."""
    if type(value) is float:
        is_integer = value.is_integer() and abs(value) < INTEGER_LIMIT and (value or copysign(1.0, value) > 0)
        return int(value) if is_integer else value
    if type(value) is list:
        return [_with_integers(inner) for inner in value]
    if type(value) is dict:
        return {name: _with_integers(inner) for name, inner in value.items()}
    return value
