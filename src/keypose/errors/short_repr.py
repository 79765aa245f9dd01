"""Values as they stand in the sentence of an error: on one line, cut short, never failing."""

from collections.abc import Collection
from itertools import islice
from reprlib import Repr
from typing import Any

MAX_KEYS_IN_REPR = 3  # a path or motion of more keys is described instead of written as code


def short_repr(value: object) -> str:
    """A value as it stands in a sentence: on one line, and not for ever."""
    text = " ".join(_SHORT_REPR.repr(value).split())
    return text if len(text) <= 60 else text[:57] + "…"


def list_names(names: Collection[str], limit: int = 6) -> str:
    """Names in a sentence, of many only the first `limit`: 'ball, hand' or 'ball, hand … and 94 more'."""
    if not names:
        return "no actors"
    rest = f" … and {len(names) - limit:,} more" if len(names) > limit else ""
    return ", ".join(" ".join(name.split()) for name in islice(names, limit)) + rest


class _ShortRepr(Repr):
    """Writes no more of a value than a sentence has room for, reads no long list to its end, and never fails."""

    def __init__(self) -> None:
        super().__init__()
        self.maxlist = self.maxtuple = self.maxdict = self.maxset = self.maxdeque = self.maxarray = 24
        self.maxstring = self.maxlong = self.maxother = 200

    def repr_int(self, x: int, level: int) -> str:
        try:
            return super().repr_int(x, level)
        except ValueError:  # Python refuses to write out integers of thousands of digits
            return "a number of thousands of digits"

    def repr_ndarray(self, x: Any, level: int) -> str:
        return self.repr1(x.tolist(), level) if x.size <= 24 else self.repr_instance(x, level)

    def repr_instance(self, x: object, level: int) -> str:
        try:
            return repr(x)
        except Exception:
            return f"a broken {type(x).__name__}"


_SHORT_REPR = _ShortRepr()
