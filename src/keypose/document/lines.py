"""How does a scene look on paper? Short things on one line, long ones a line to each part, keys a line each.

The order is always the same and numbers are the shortest that read back exactly, so two versions of a scene differ
only where their motion does.
"""

import json
from collections.abc import Iterable, Iterator
from itertools import islice
from math import copysign
from typing import Any

WIDTH = 100
WHOLE = 1e15  # below this a whole number is written without a point
IN_A_ROW = 10  # plain numbers
AT_ONCE = 1000  # rows to a chunk


class Rows:
    """A list, perhaps a long one, to be written with a line for each of its parts."""

    def __init__(self, parts: Iterable[Any]) -> None:
        self.parts = parts


def written(value: Any) -> Iterator[bytes]:
    """A value as UTF-8 text, piece by piece."""
    for piece in _pieces(value, ""):
        yield piece.encode("utf-8")
    yield b"\n"


def _pieces(value: Any, indent: str) -> Iterator[str]:
    deeper = indent + "  "
    if isinstance(value, Rows):
        yield from _rows(value.parts, indent)
    elif not _long(value) and len(line := _line(value)) + len(indent) <= WIDTH:
        yield line
    elif isinstance(value, dict):
        yield "{"
        for index, (name, inner) in enumerate(value.items()):
            yield f"{',' if index else ''}\n{deeper}{_line(name)}: "
            yield from _pieces(inner, deeper)
        yield f"\n{indent}}}"
    elif isinstance(value, list) and value and not isinstance(value[0], int | float):
        yield "["
        for index, inner in enumerate(value):
            yield f"{',' if index else ''}\n{deeper}"
            yield from _pieces(inner, deeper)
        yield f"\n{indent}]"
    elif isinstance(value, list):
        yield from _rows(value, indent)
    else:
        yield _line(value)


def _rows(parts: Iterable[Any], indent: str) -> Iterator[str]:
    """A line for each part; plain numbers go several to a line."""
    rest, between, first = iter(parts), f",\n{indent}  ", True
    yield "["
    while some := list(islice(rest, AT_ONCE)):
        yield f"\n{indent}  " if first else between
        if isinstance(some[0], int | float):
            lines = [", ".join(map(_line, some[start : start + IN_A_ROW])) for start in range(0, len(some), IN_A_ROW)]
        else:
            lines = [_line(part) for part in some]
        yield between.join(lines)
        first = False
    yield "]" if first else f"\n{indent}]"


def _long(value: Any) -> bool:
    """Whether something in it asks for lines of its own."""
    if isinstance(value, Rows):
        return True
    if isinstance(value, dict):
        return any(_long(inner) for inner in value.values())
    return isinstance(value, list) and (len(value) > WIDTH or any(_long(inner) for inner in value))


def _line(value: Any) -> str:
    return json.dumps(_short(value), ensure_ascii=False, allow_nan=False)


def _short(value: Any) -> Any:
    """The same value with whole numbers as such: 2 in place of 2.0; -0.0 keeps its sign."""
    if type(value) is float:
        if value.is_integer() and abs(value) < WHOLE and (value or copysign(1.0, value) > 0):
            return int(value)
        return value
    if type(value) is list:
        return [_short(inner) for inner in value]
    if type(value) is dict:
        return {name: _short(inner) for name, inner in value.items()}
    return value
