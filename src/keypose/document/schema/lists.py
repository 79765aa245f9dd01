"""What lists may stand in a scene file? Things one after the other, numbers as arrays, things by their names."""

from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np

from keypose.curves import MAX_COORDINATE
from keypose.document.problems import INVALID, Invalid, ReadContext
from keypose.document.schema.value_types import Number, Schema, ValueType, describe_value, text_problem
from keypose.errors import join_path
from keypose.maths import Floats


@dataclass(frozen=True)
class ListOf:
    """A list of things of one form, `minimum` … `maximum` of them."""

    item_type: ValueType
    min_items: int = 0
    max_items: int | None = None
    what: str = "things"

    def read(self, given: Any, path: str, context: ReadContext) -> list[Any] | Invalid:
        """All of them, or INVALID if one of them is."""
        if not isinstance(given, list):
            return context.add_problem(path, f"It is {describe_value(given)}. Give a list of {self.what}.")
        if len(given) < self.min_items or (self.max_items is not None and len(given) > self.max_items):
            return context.add_problem(path, f"It has {len(given):,} {self.what}. Give {self._expected_text}.")
        items = [self.item_type.read(item, f"{path}[{index}]", context) for index, item in enumerate(given)]
        return INVALID if any(item is INVALID for item in items) else items

    @property
    def _expected_text(self) -> str:
        if self.max_items is None:
            return f"{self.min_items} or more"
        return str(self.min_items) if self.min_items == self.max_items else f"{self.min_items} to {self.max_items}"

    def json_schema(self, definitions: Schema) -> Schema:
        """A list."""
        schema: Schema = {"type": "array", "items": self.item_type.json_schema(definitions)}
        if self.min_items:
            schema["minItems"] = self.min_items
        if self.max_items is not None:
            schema["maxItems"] = self.max_items
        return schema


@dataclass(frozen=True)
class NumberArray:
    """A list of numbers (depth 1), or a list of such lists, as an array; every row has as many, `widths` to choose."""

    depths: tuple[int, ...] = (1,)
    widths: tuple[int, int] | None = None
    what: str = "numbers"
    minimum: float = -MAX_COORDINATE

    def read(self, given: Any, path: str, context: ReadContext) -> Floats | Invalid:
        """The array; read at once if all is well, else number by number to see what is wrong."""
        array = parse_array(given)
        if array is not None and self.has_valid_shape(array):
            return array
        depth = min(max(_list_depth(given), self.depths[0]), self.depths[-1])
        if self._list_type(depth).read(given, path, context) is INVALID:
            return INVALID
        return context.add_problem(path, f"Its lists differ in how many {self.what} they have. Give each as many.")

    def has_valid_shape(self, array: Floats) -> bool:
        """Whether numbers are as deep, as wide and as large as they may be."""
        min_width, max_width = self.widths or (1, array.shape[-1])
        return (
            array.ndim in self.depths
            and min_width <= array.shape[-1] <= max_width
            and bool((array >= self.minimum).all())
        )

    def _list_type(self, depth: int) -> ListOf:
        min_width, max_width = self.widths or (1, None)
        list_type = ListOf(Number(self.minimum, MAX_COORDINATE), min_width, max_width, self.what)
        for _ in range(depth - 1):
            list_type = ListOf(list_type, 1, None, f"lists of {self.what}")
        return list_type

    def json_schema(self, definitions: Schema) -> Schema:
        """Lists of numbers, nested as deep as may be."""
        alternatives = [self._list_type(depth).json_schema(definitions) for depth in self.depths]
        return alternatives[0] if len(alternatives) == 1 else {"anyOf": alternatives}


def parse_array(given: Any) -> Floats | None:
    """Nested lists of numbers as an array, or None if they are anything else, ragged, or too large."""
    level = [given]
    while {*map(type, level)} == {list}:
        level = list(chain.from_iterable(level))
    if not {*map(type, level)} <= {int, float} or not level or not isinstance(given, list):
        return None
    try:
        array = np.array(given, dtype=np.float64)
    except (ValueError, OverflowError):  # ragged, or a whole number beyond all floats
        return None
    return array if bool((np.abs(array) <= MAX_COORDINATE).all()) else None


def _list_depth(given: Any) -> int:
    depth = 0
    while isinstance(given, list):
        depth += 1
        given = given[0] if given else None
    return depth


@dataclass(frozen=True)
class MapOf:
    """Things of one form by their names."""

    value_type: ValueType
    what: str = "names"

    def read(self, given: Any, path: str, context: ReadContext) -> dict[str, Any] | Invalid:
        """All of them by name."""
        if not isinstance(given, dict):
            return context.add_problem(path, f"It is {describe_value(given)}. Give an object of {self.what}.")
        items = {name: self.value_type.read(item, join_path(path, name), context) for name, item in given.items()}
        for name in given:
            if problem := text_problem(name):
                items[name] = context.add_problem(join_path(path, name), f"Its name {problem}")
        return INVALID if any(item is INVALID for item in items.values()) else items

    def json_schema(self, definitions: Schema) -> Schema:
        """An object with any names."""
        return {
            "type": "object",
            "propertyNames": {"minLength": 1},
            "additionalProperties": self.value_type.json_schema(definitions),
        }
