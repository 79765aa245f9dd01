"""What does each function of a formula amount to? A few steps over the numbers it is given."""

from math import pi
from typing import Literal, NamedTuple

from keypose.fields.formula.program import Sheet
from keypose.fields.formula.vocabulary import ON_NUMBERS


class Value(NamedTuple):
    """What a part of a formula stands for: the steps that give its one number, its three, or its yes or no."""

    kind: Literal["number", "vector", "condition"]
    parts: tuple[int, ...]


def called(sheet: Sheet, name: str, given: list[Value]) -> Value:
    """The value of a function whose arguments have been checked: as many as it takes, and of the right kinds."""
    do, first = sheet.do, given[0].parts
    match name:
        case "where":
            (truth,), yes, no = (value.parts for value in given)
            return Value(given[1].kind, tuple(do("where", truth, a, b) for a, b in zip(yes, no, strict=True)))
        case "dot":
            return Value("number", (_dot(sheet, first, given[1].parts),))
        case "cross":
            (a, b, c), (x, y, z) = first, given[1].parts
            pairs = ((b, z, c, y), (c, x, a, z), (a, y, b, x))
            return Value("vector", tuple(do("subtract", do("multiply", p, q), do("multiply", s, t))
                                         for p, q, s, t in pairs))  # fmt: skip
        case "length":
            return Value("number", (sheet.length(first),))
        case "normalize":
            length = sheet.length(first)
            return Value("vector", tuple(do("over", part, length) for part in first))
    return Value("number", (_number(sheet, name, [value.parts[0] for value in given]),))


def _dot(sheet: Sheet, a: tuple[int, ...], b: tuple[int, ...]) -> int:
    x, y, z = (sheet.do("multiply", p, q) for p, q in zip(a, b, strict=True))
    return sheet.do("add", sheet.do("add", x, y), z)


def _number(sheet: Sheet, name: str, given: list[int]) -> int:
    """A function from numbers to a number."""
    do, number = sheet.do, sheet.number
    if name in ON_NUMBERS:
        return do(ON_NUMBERS[name], given[0])
    match name:
        case "atan2":
            return do("atan2", *given)
        case "min" | "max":
            result = given[0]
            for other in given[1:]:
                result = do("least" if name == "min" else "most", result, other)
            return result
        case "hypot":
            return sheet.length(given)
        case "clamp":
            return do("least", do("most", given[0], given[1]), given[2])
        case "mix":
            a, b, share = given
            return do("add", a, do("multiply", do("subtract", b, a), share))
        case "smoothstep":
            low, high, a = given
            share = do("divide", do("subtract", a, low), do("subtract", high, low))
            share = do("least", do("most", share, number(0.0)), number(1.0))
            rest = do("subtract", number(3.0), do("multiply", number(2.0), share))
            return do("multiply", do("multiply", share, share), rest)
        case "radians":
            return do("multiply", given[0], number(pi / 180))
        case _:
            return do("multiply", given[0], number(180 / pi))  # degrees
