"""What does each function of a formula amount to? A few steps over the numbers it is given."""

from math import pi
from typing import Literal, NamedTuple

from keypose.fields.formula.program import ProgramBuilder
from keypose.fields.formula.vocabulary import SCALAR_FUNCTIONS


class Value(NamedTuple):
    """What a part of a formula stands for: the steps that give its one number, its three, or its yes or no."""

    kind: Literal["number", "vector", "condition"]
    parts: tuple[int, ...]


def emit_function(builder: ProgramBuilder, name: str, arguments: list[Value]) -> Value:
    """The value of a function whose arguments have been checked: as many as it takes, and of the right kinds."""
    emit, first = builder.emit, arguments[0].parts
    match name:
        case "where":
            (condition,), yes, no = (value.parts for value in arguments)
            return Value(arguments[1].kind, tuple(emit("where", condition, a, b) for a, b in zip(yes, no, strict=True)))
        case "dot":
            return Value("number", (_emit_dot(builder, first, arguments[1].parts),))
        case "cross":
            (a, b, c), (x, y, z) = first, arguments[1].parts
            pairs = ((b, z, c, y), (c, x, a, z), (a, y, b, x))
            return Value("vector", tuple(emit("subtract", emit("multiply", p, q), emit("multiply", s, t))
                                         for p, q, s, t in pairs))  # fmt: skip
        case "length":
            return Value("number", (builder.length(first),))
        case "normalize":
            length = builder.length(first)
            return Value("vector", tuple(emit("over", part, length) for part in first))
    return Value("number", (_emit_scalar_function(builder, name, [value.parts[0] for value in arguments]),))


def _emit_dot(builder: ProgramBuilder, a: tuple[int, ...], b: tuple[int, ...]) -> int:
    x, y, z = (builder.emit("multiply", p, q) for p, q in zip(a, b, strict=True))
    return builder.emit("add", builder.emit("add", x, y), z)


def _emit_scalar_function(builder: ProgramBuilder, name: str, arguments: list[int]) -> int:
    """A function from numbers to a number."""
    emit, constant = builder.emit, builder.constant
    if name in SCALAR_FUNCTIONS:
        return emit(SCALAR_FUNCTIONS[name], arguments[0])
    match name:
        case "atan2":
            return emit("atan2", *arguments)
        case "min" | "max":
            result = arguments[0]
            for other in arguments[1:]:
                result = emit("least" if name == "min" else "most", result, other)
            return result
        case "hypot":
            return builder.length(arguments)
        case "clamp":
            return emit("least", emit("most", arguments[0], arguments[1]), arguments[2])
        case "mix":
            a, b, fraction = arguments
            return emit("add", a, emit("multiply", emit("subtract", b, a), fraction))
        case "smoothstep":
            low, high, a = arguments
            fraction = emit("divide", emit("subtract", a, low), emit("subtract", high, low))
            fraction = emit("least", emit("most", fraction, constant(0.0)), constant(1.0))
            rest = emit("subtract", constant(3.0), emit("multiply", constant(2.0), fraction))
            return emit("multiply", emit("multiply", fraction, fraction), rest)
        case "radians":
            return emit("multiply", arguments[0], constant(pi / 180))
        case _:
            return emit("multiply", arguments[0], constant(180 / pi))  # degrees
