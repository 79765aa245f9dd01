"""What can go wrong, said in a sentence: the fact with its values, then the remedy."""

from collections.abc import Iterable


class KeyposeError(ValueError):
    """Anything Keypose refuses. The message names the thing, its value and what to do about it."""


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


def shown(value: object) -> str:
    """A value as it stands in a sentence: on one line, and not for ever."""
    try:
        text = " ".join(repr(value).split())
    except ValueError:  # Python refuses to write out integers of thousands of digits
        return "a number of thousands of digits"
    return text if len(text) <= 60 else text[:57] + "…"
