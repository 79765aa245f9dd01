"""What can go wrong, said in a sentence: the fact with its values, then the remedy."""

from collections.abc import Iterable
from reprlib import Repr
from typing import Any


class KeyposeError(ValueError):
    """Anything Keypose refuses. The message names the thing, its value and what to do about it.

    `at` leads to what is wrong within what was given, as far as that is known: ("keys", 2, "time").
    """

    def __init__(self, *sentence: object, at: tuple[str | int, ...] = ()) -> None:
        super().__init__(*sentence)
        self.at = at


class ErrorPath:
    """With it around them, errors know better where they are: `with At("actors", 3): …`."""

    def __init__(self, *path: str | int) -> None:
        self.path = path

    def __enter__(self) -> None: ...

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if isinstance(error, KeyposeError):
            error.at = (*self.path, *error.at)


class UnknownNameError(KeyposeError):
    """A name that nothing here answers to; the message suggests the nearest one that exists."""


def did_you_mean(wrong: str, names: Iterable[str]) -> str:
    """' Did you mean …?' for a near miss, else a short list of what exists, else nothing."""
    from difflib import get_close_matches  # only for people who mistype

    known = sorted(set(names))
    near = get_close_matches(wrong, known, n=1)
    if near:
        return f" Did you mean {near[0]!r}?"
    if not known:
        return ""
    listed = ", ".join(repr(name) for name in known[:8]) + (", …" if len(known) > 8 else "")
    return f" There is {listed}."


def short_repr(value: object) -> str:
    """A value as it stands in a sentence: on one line, and not for ever."""
    text = " ".join(_SHORT_REPR.repr(value).split())
    return text if len(text) <= 60 else text[:57] + "…"


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
