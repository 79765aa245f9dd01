"""Which way is downhill? The slope of a formula, exactly, by the rules of differentiation step by step.

The rules are our own, applied to a recipe rather than through SymPy: a recipe is already checked and shared, so its
slope takes a few milliseconds and no import, shares every step with the formula itself, and grows no faster than it.
"""

from collections.abc import Callable
from functools import lru_cache, reduce

from keypose.fields.formula.program import Recipe, Sheet, Step
from keypose.fields.formula.vocabulary import PLACE

Rule = Callable[[Sheet, int, Step, "Slopes"], int]
Slopes = tuple[int, ...]


@lru_cache(maxsize=512)
def downhill(potential: Recipe) -> Recipe:
    """−∇V of a recipe V with one number as its answer.

    Where V has a corner its slope is one of those beside it; where r, or another length, is 0, that of r counts as 0.
    """
    sheet = Sheet(potential.steps)
    return sheet.recipe(sheet.do("negative", slope(sheet, potential, name)) for name in PLACE)


def slope(sheet: Sheet, recipe: Recipe, name: str) -> int:
    """The step that gives the derivative of a recipe's one answer by a variable; `sheet` begins with its steps."""
    zero, one = sheet.number(0.0), sheet.number(1.0)
    slopes: list[int] = []
    for at, step in enumerate(recipe.steps):
        of = tuple(slopes[part] for part in step.of)
        if step.name == name:
            slopes.append(one)
        elif all(part == zero for part in of) or step.operation not in RULES:  # steps up and down stairs are level
            slopes.append(zero)
        else:
            slopes.append(RULES[step.operation](sheet, at, step, of))
    return slopes[recipe.answer[0]]


def _product(sheet: Sheet, *factors: int) -> int:
    return reduce(lambda a, b: sheet.do("multiply", a, b), factors)


def _square(sheet: Sheet, at: int) -> int:
    return sheet.do("multiply", at, at)


def _linear(sheet: Sheet, at: int, step: Step, d: Slopes) -> int:
    return sheet.do(step.operation, *d)


def _multiply(sheet: Sheet, at: int, step: Step, d: Slopes) -> int:
    a, b = step.of
    return sheet.do("add", sheet.do("multiply", d[0], b), sheet.do("multiply", a, d[1]))


def _divide(sheet: Sheet, at: int, step: Step, d: Slopes) -> int:
    """(a / b)′ = (a′ − (a / b) b′) / b; "over" is 0 where b is, and so is its slope."""
    return sheet.do(step.operation, sheet.do("subtract", d[0], sheet.do("multiply", at, d[1])), step.of[1])


def _remainder(sheet: Sheet, at: int, step: Step, d: Slopes) -> int:
    """Of a % b, which is a − b ⌊a / b⌋, and the floor is level."""
    times = sheet.do("floor", sheet.do("divide", *step.of))
    return sheet.do("subtract", d[0], sheet.do("multiply", times, d[1]))


def _power(sheet: Sheet, at: int, step: Step, d: Slopes) -> int:
    """(aᵇ)′ = b aᵇ⁻¹ a′ + aᵇ log(a) b′; a logarithm only if the exponent changes."""
    a, b = step.of
    less = sheet.do("power", a, sheet.do("subtract", b, sheet.number(1.0)))
    by_base = _product(sheet, d[0], b, less)
    if sheet.value(d[1]) == 0.0:
        return by_base
    return sheet.do("add", by_base, _product(sheet, d[1], at, sheet.do("log", a)))


def _root(sheet: Sheet, at: int, step: Step, d: Slopes) -> int:
    divide = "over" if sheet.is_length(at) else "divide"
    return sheet.do(divide, sheet.do("multiply", d[0], sheet.number(0.5)), at)


def _atan2(sheet: Sheet, at: int, step: Step, d: Slopes) -> int:
    y, x = step.of
    turned = sheet.do("subtract", sheet.do("multiply", x, d[0]), sheet.do("multiply", y, d[1]))
    return sheet.do("divide", turned, sheet.do("add", _square(sheet, x), _square(sheet, y)))


def _choice(sheet: Sheet, at: int, step: Step, d: Slopes) -> int:
    """The slope of whichever is the smaller, or the larger."""
    a, b = step.of
    first = sheet.do("less or equal", *((a, b) if step.operation == "least" else (b, a)))
    return sheet.do("where", first, *d)


def _where(sheet: Sheet, at: int, step: Step, d: Slopes) -> int:
    return sheet.do("where", step.of[0], d[1], d[2])


def _chain(inner: Callable[[Sheet, int, int], int]) -> Rule:
    """f(a)′ = f′(a) a′, with f′ from a and f(a)."""
    return lambda sheet, at, step, d: sheet.do("multiply", d[0], inner(sheet, step.of[0], at))


def _one_minus_square(sheet: Sheet, at: int) -> int:
    return sheet.do("subtract", sheet.number(1.0), _square(sheet, at))


def _one_plus_square(sheet: Sheet, at: int) -> int:
    return sheet.do("add", sheet.number(1.0), _square(sheet, at))


def _one_over(sheet: Sheet, at: int) -> int:
    return sheet.do("divide", sheet.number(1.0), at)


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
    "absolute": _chain(lambda sheet, a, f: sheet.do("sign", a)),
    "exp": _chain(lambda sheet, a, f: f),
    "log": _chain(lambda sheet, a, f: _one_over(sheet, a)),
    "sin": _chain(lambda sheet, a, f: sheet.do("cos", a)),
    "cos": _chain(lambda sheet, a, f: sheet.do("negative", sheet.do("sin", a))),
    "tan": _chain(lambda sheet, a, f: _one_plus_square(sheet, f)),
    "asin": _chain(lambda sheet, a, f: _one_over(sheet, sheet.do("root", _one_minus_square(sheet, a)))),
    "acos": _chain(
        lambda sheet, a, f: sheet.do("negative", _one_over(sheet, sheet.do("root", _one_minus_square(sheet, a))))
    ),
    "atan": _chain(lambda sheet, a, f: _one_over(sheet, _one_plus_square(sheet, a))),
    "sinh": _chain(lambda sheet, a, f: sheet.do("cosh", a)),
    "cosh": _chain(lambda sheet, a, f: sheet.do("sinh", a)),
    "tanh": _chain(lambda sheet, a, f: _one_minus_square(sheet, f)),
}
