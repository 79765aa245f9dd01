"""Which way is downhill? The slope of a formula, exactly, by the rules of differentiation step by step.

The rules are our own, applied to a recipe rather than through SymPy: a recipe is already checked and shared, so its
slope takes a few milliseconds and no import, shares every step with the formula itself, and grows no faster than it.
"""

from collections.abc import Callable
from functools import lru_cache, reduce

from keypose.fields.formula.program import Instruction, Program, ProgramBuilder
from keypose.fields.formula.vocabulary import POSITION

Rule = Callable[[ProgramBuilder, int, Instruction, "Derivatives"], int]
Derivatives = tuple[int, ...]


@lru_cache(maxsize=512)
def negative_gradient(potential: Program) -> Program:
    """−∇V of a recipe V with one number as its answer.

    Where V has a corner its slope is one of those beside it; where r, or another length, is 0, that of r counts as 0.
    """
    builder = ProgramBuilder(potential.instructions)
    return builder.build(builder.emit("negative", partial_derivative(builder, potential, name)) for name in POSITION)


def partial_derivative(builder: ProgramBuilder, program: Program, name: str) -> int:
    """The step that gives the derivative of a recipe's one answer by a variable; `builder` begins with its steps."""
    zero, one = builder.constant(0.0), builder.constant(1.0)
    derivatives: list[int] = []
    for index, instruction in enumerate(program.instructions):
        operand_derivatives = tuple(derivatives[part] for part in instruction.operands)
        if instruction.name == name:
            derivatives.append(one)
        elif (
            all(part == zero for part in operand_derivatives) or instruction.operation not in RULES
        ):  # steps up and down stairs are level
            derivatives.append(zero)
        else:
            derivatives.append(RULES[instruction.operation](builder, index, instruction, operand_derivatives))
    return derivatives[program.outputs[0]]


def _product(builder: ProgramBuilder, *factors: int) -> int:
    return reduce(lambda a, b: builder.emit("multiply", a, b), factors)


def _square(builder: ProgramBuilder, index: int) -> int:
    return builder.emit("multiply", index, index)


def _linear(builder: ProgramBuilder, index: int, instruction: Instruction, d: Derivatives) -> int:
    return builder.emit(instruction.operation, *d)


def _multiply(builder: ProgramBuilder, index: int, instruction: Instruction, d: Derivatives) -> int:
    a, b = instruction.operands
    return builder.emit("add", builder.emit("multiply", d[0], b), builder.emit("multiply", a, d[1]))


def _divide(builder: ProgramBuilder, index: int, instruction: Instruction, d: Derivatives) -> int:
    """(a / b)′ = (a′ − (a / b) b′) / b; "over" is 0 where b is, and so is its slope."""
    return builder.emit(
        instruction.operation,
        builder.emit("subtract", d[0], builder.emit("multiply", index, d[1])),
        instruction.operands[1],
    )


def _remainder(builder: ProgramBuilder, index: int, instruction: Instruction, d: Derivatives) -> int:
    """Of a % b, which is a − b ⌊a / b⌋, and the floor is level."""
    times = builder.emit("floor", builder.emit("divide", *instruction.operands))
    return builder.emit("subtract", d[0], builder.emit("multiply", times, d[1]))


def _power(builder: ProgramBuilder, index: int, instruction: Instruction, d: Derivatives) -> int:
    """(aᵇ)′ = b aᵇ⁻¹ a′ + aᵇ log(a) b′; a logarithm only if the exponent changes."""
    a, b = instruction.operands
    less = builder.emit("power", a, builder.emit("subtract", b, builder.constant(1.0)))
    by_base = _product(builder, d[0], b, less)
    if builder.constant_value(d[1]) == 0.0:
        return by_base
    return builder.emit("add", by_base, _product(builder, d[1], index, builder.emit("log", a)))


def _root(builder: ProgramBuilder, index: int, instruction: Instruction, d: Derivatives) -> int:
    divide = "over" if builder.is_length(index) else "divide"
    return builder.emit(divide, builder.emit("multiply", d[0], builder.constant(0.5)), index)


def _atan2(builder: ProgramBuilder, index: int, instruction: Instruction, d: Derivatives) -> int:
    y, x = instruction.operands
    numerator = builder.emit("subtract", builder.emit("multiply", x, d[0]), builder.emit("multiply", y, d[1]))
    return builder.emit("divide", numerator, builder.emit("add", _square(builder, x), _square(builder, y)))


def _choice(builder: ProgramBuilder, index: int, instruction: Instruction, d: Derivatives) -> int:
    """The slope of whichever is the smaller, or the larger."""
    a, b = instruction.operands
    is_first = builder.emit("less or equal", *((a, b) if instruction.operation == "least" else (b, a)))
    return builder.emit("where", is_first, *d)


def _where(builder: ProgramBuilder, index: int, instruction: Instruction, d: Derivatives) -> int:
    return builder.emit("where", instruction.operands[0], d[1], d[2])


def _chain(inner: Callable[[ProgramBuilder, int, int], int]) -> Rule:
    """f(a)′ = f′(a) a′, with f′ from a and f(a)."""
    return lambda builder, index, instruction, d: builder.emit(
        "multiply", d[0], inner(builder, instruction.operands[0], index)
    )


def _one_minus_square(builder: ProgramBuilder, index: int) -> int:
    return builder.emit("subtract", builder.constant(1.0), _square(builder, index))


def _one_plus_square(builder: ProgramBuilder, index: int) -> int:
    return builder.emit("add", builder.constant(1.0), _square(builder, index))


def _one_over(builder: ProgramBuilder, index: int) -> int:
    return builder.emit("divide", builder.constant(1.0), index)


RULES: dict[str, Rule] = {
    "add": _linear,
    "subtract": _linear,
    "negative": _linear,
    "multiply": _multiply,
    "divide": _divide,
    "over": _divide,
    "remainder": _remainder,
    "power": _power,
    "root": _root,
    "atan2": _atan2,
    "least": _choice,
    "most": _choice,
    "where": _where,
    "absolute": _chain(lambda sheet, a, f: sheet.emit("sign", a)),
    "exp": _chain(lambda sheet, a, f: f),
    "log": _chain(lambda sheet, a, f: _one_over(sheet, a)),
    "sin": _chain(lambda sheet, a, f: sheet.emit("cos", a)),
    "cos": _chain(lambda sheet, a, f: sheet.emit("negative", sheet.emit("sin", a))),
    "tan": _chain(lambda sheet, a, f: _one_plus_square(sheet, f)),
    "asin": _chain(lambda sheet, a, f: _one_over(sheet, sheet.emit("root", _one_minus_square(sheet, a)))),
    "acos": _chain(
        lambda sheet, a, f: sheet.emit("negative", _one_over(sheet, sheet.emit("root", _one_minus_square(sheet, a))))
    ),
    "atan": _chain(lambda sheet, a, f: _one_over(sheet, _one_plus_square(sheet, a))),
    "sinh": _chain(lambda sheet, a, f: sheet.emit("cosh", a)),
    "cosh": _chain(lambda sheet, a, f: sheet.emit("sinh", a)),
    "tanh": _chain(lambda sheet, a, f: _one_minus_square(sheet, f)),
}
