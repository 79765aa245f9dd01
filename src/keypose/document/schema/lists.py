"""What lists may stand in a scene file? Things one after the other, numbers as arrays, things by their names."""

from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np

from keypose.curves.key import FARTHEST
from keypose.document.problems import BAD, Bad, Reading, inside
from keypose.document.schema.value_types import Form, Number, Schema, kind_of, unwritable
from keypose.maths.arrays import Floats


@dataclass(frozen=True)
class ListOf:
    """A list of things of one form, `least` … `most` of them."""

    form: Form
    least: int = 0
    most: int | None = None
    what: str = "things"

    def read(self, given: Any, path: str, reading: Reading) -> list[Any] | Bad:
        """All of them, or BAD if one of them is."""
        if not isinstance(given, list):
            return reading.wrong(path, f"It is {kind_of(given)}. Give a list of {self.what}.")
        if len(given) < self.least or (self.most is not None and len(given) > self.most):
            return reading.wrong(path, f"It has {len(given):,} {self.what}. Give {self._wanted}.")
        read = [self.form.read(one, f"{path}[{index}]", reading) for index, one in enumerate(given)]
        return BAD if any(one is BAD for one in read) else read

    @property
    def _wanted(self) -> str:
        if self.most is None:
            return f"{self.least} or more"
        return str(self.least) if self.least == self.most else f"{self.least} to {self.most}"

    def schema(self, named: Schema) -> Schema:
        """A list."""
        made: Schema = {"type": "array", "items": self.form.schema(named)}
        if self.least:
            made["minItems"] = self.least
        if self.most is not None:
            made["maxItems"] = self.most
        return made


@dataclass(frozen=True)
class Numbers:
    """A list of numbers (depth 1), or a list of such lists, as an array; every row has as many, `widths` to choose."""

    depths: tuple[int, ...] = (1,)
    widths: tuple[int, int] | None = None
    what: str = "numbers"
    least: float = -FARTHEST

    def read(self, given: Any, path: str, reading: Reading) -> Floats | Bad:
        """The array; read at once if all is well, else number by number to see what is wrong."""
        found = rectangular(given)
        if found is not None and self.fits(found):
            return found
        depth = min(max(_depth(given), self.depths[0]), self.depths[-1])
        if self._form(depth).read(given, path, reading) is BAD:
            return BAD
        return reading.wrong(path, f"Its lists differ in how many {self.what} they have. Give each as many.")

    def fits(self, found: Floats) -> bool:
        """Whether numbers are as deep, as wide and as large as they may be."""
        few, many = self.widths or (1, found.shape[-1])
        return found.ndim in self.depths and few <= found.shape[-1] <= many and bool((found >= self.least).all())

    def _form(self, depth: int) -> ListOf:
        few, many = self.widths or (1, None)
        form = ListOf(Number(self.least, FARTHEST), few, many, self.what)
        for _ in range(depth - 1):
            form = ListOf(form, 1, None, f"lists of {self.what}")
        return form

    def schema(self, named: Schema) -> Schema:
        """Lists of numbers, nested as deep as may be."""
        either = [self._form(depth).schema(named) for depth in self.depths]
        return either[0] if len(either) == 1 else {"anyOf": either}


def rectangular(given: Any) -> Floats | None:
    """Nested lists of numbers as an array, or None if they are anything else, ragged, or too large."""
    level = [given]
    while {*map(type, level)} == {list}:
        level = list(chain.from_iterable(level))
    if not {*map(type, level)} <= {int, float} or not level or not isinstance(given, list):
        return None
    try:
        found = np.array(given, dtype=np.float64)
    except (ValueError, OverflowError):  # ragged, or a whole number beyond all floats
        return None
    return found if bool((np.abs(found) <= FARTHEST).all()) else None


def _depth(given: Any) -> int:
    depth = 0
    while isinstance(given, list):
        depth += 1
        given = given[0] if given else None
    return depth


@dataclass(frozen=True)
class Named:
    """Things of one form by their names."""

    form: Form
    what: str = "names"

    def read(self, given: Any, path: str, reading: Reading) -> dict[str, Any] | Bad:
        """All of them by name."""
        if not isinstance(given, dict):
            return reading.wrong(path, f"It is {kind_of(given)}. Give an object of {self.what}.")
        read = {name: self.form.read(one, inside(path, name), reading) for name, one in given.items()}
        for name in given:
            if problem := unwritable(name):
                read[name] = reading.wrong(inside(path, name), f"Its name {problem}")
        return BAD if any(one is BAD for one in read.values()) else read

    def schema(self, named: Schema) -> Schema:
        """An object with any names."""
        return {
            "type": "object",
            "propertyNames": {"minLength": 1},
            "additionalProperties": self.form.schema(named),
        }
