"""Errors as sentences: the fact with its value, then the remedy."""

from collections.abc import Iterable


class KeyposeError(ValueError):
    """Anything Keypose refuses. The message names the thing, its value and what to do about it.

    `at` leads to what is wrong within what was given, as far as that is known: ("keys", 2, "time").
    """

    def __init__(self, *sentence: object, at: tuple[str | int, ...] = ()) -> None:
        super().__init__(*sentence)
        self.at = at


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
    listed = ", ".join(repr(name) for name in known[:8]) + (f" … and {len(known) - 8:,} more" if len(known) > 8 else "")
    return f" There is {listed}."
