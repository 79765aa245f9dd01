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
from numpy.typing import NDArray

WIDTH = 100
WHOLE = 1e15  # below this a whole number is written without a point
IN_A_ROW = 10  # plain numbers
AT_ONCE = 1000  # rows to a chunk

line = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode


class Rows:
    """A list, perhaps a long one, of `plain` values, to be written with a line for each of them."""

    def __init__(self, parts: Iterable[Any]) -> None:
        self.parts = parts


def written(value: Any) -> Iterator[bytes]:
    """A value as UTF-8 text, piece by piece."""
    for piece in _pieces(value, ""):
        yield piece.encode("utf-8")
    yield b"\n"


def plain(numbers: NDArray[np.float64]) -> list[Any]:
    """Numbers as lists, those that are whole as such: 2 in place of 2.0; -0.0 keeps its sign."""
    whole = (numbers == np.rint(numbers)) & (np.abs(numbers) < WHOLE) & ((numbers != 0) | ~np.signbit(numbers))
    if not whole.any():
        made: list[Any] = numbers.tolist()
    elif whole.all():
        made = numbers.astype(np.int64).tolist()
    else:
        mixed = numbers.astype(object)
        mixed[whole] = numbers[whole].astype(np.int64)
        made = mixed.tolist()
    return made


def _pieces(value: Any, indent: str) -> Iterator[str]:
    deeper = indent + "  "
    if isinstance(value, Rows):
        yield from _rows(value.parts, indent)
    elif not _long(value) and len(short := line(_short(value))) + len(indent) <= WIDTH:
        yield short
    elif isinstance(value, dict):
        yield "{"
        for index, (name, inner) in enumerate(value.items()):
            yield f"{',' if index else ''}\n{deeper}{line(name)}: "
            yield from _pieces(inner, deeper)
        yield f"\n{indent}}}"
    elif isinstance(value, list) and value and isinstance(value[0], dict | list):
        yield "["
        for index, inner in enumerate(value):
            yield f"{',' if index else ''}\n{deeper}"
            yield from _pieces(inner, deeper)
        yield f"\n{indent}]"
    elif isinstance(value, list):
        yield from _rows(_short(value), indent)
    else:
        yield line(value)


def _rows(parts: Iterable[Any], indent: str) -> Iterator[str]:
    """A line for each part; plain numbers go several to a line."""
    rest, between, first = iter(parts), f",\n{indent}  ", True
    yield "["
    while some := list(islice(rest, AT_ONCE)):
        yield f"\n{indent}  " if first else between
        if isinstance(some[0], int | float):
            lines = [line(some[start : start + IN_A_ROW])[1:-1] for start in range(0, len(some), IN_A_ROW)]
        else:
            lines = _each(some)
        yield between.join(lines)
        first = False
    yield "]" if first else f"\n{indent}]"


def _each(parts: list[Any]) -> list[str]:
    """The line of each part: all in one call, which is quicker, if the parts can be told apart again."""
    if {*map(type, parts)} in ({dict}, {list}):
        whole = line(parts)
        begins, ends = whole[1], whole[-2]
        inner = whole[2:-2].split(f"{ends}, {begins}")
        if len(inner) == len(parts):  # else the same marks are in a text, or in a list of lists
            return [begins + one + ends for one in inner]
    return [line(part) for part in parts]


def _long(value: Any) -> bool:
    """Whether something in it asks for lines of its own."""
    if isinstance(value, Rows):
        return True
    if isinstance(value, dict):
        return any(_long(inner) for inner in value.values())
    return isinstance(value, list) and (len(value) > WIDTH or any(_long(inner) for inner in value))


def _short(value: Any) -> Any:
    """The same value with whole numbers as such."""
    if type(value) is float:
        whole = value.is_integer() and abs(value) < WHOLE and (value or copysign(1.0, value) > 0)
        return int(value) if whole else value
    if type(value) is list:
        return [_short(inner) for inner in value]
    if type(value) is dict:
        return {name: _short(inner) for name, inner in value.items()}
    return value
