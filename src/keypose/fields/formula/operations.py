"""What can one step do? Each operation twice: over whole arrays, and as it is written in a compiled loop.

This table is all that a formula can ever do; nothing that was typed is looked up anywhere else.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np


class Operation(NamedTuple):
    """An operation over arrays, and as text over single numbers with a place for each operand."""

    array_function: Callable[..., Any]
    loop_template: str


def divide_or_zero(a: Any, b: Any) -> Any:
    """The quotient a / b, and 0 where b is 0: nothing has a direction where it has no length."""
    return np.where(b == 0.0, 0.0, np.divide(a, b))


OPERATIONS = {
    "add": Operation(np.add, "{} + {}"),
    "subtract": Operation(np.subtract, "{} - {}"),
    "multiply": Operation(np.multiply, "{} * {}"),
    "divide": Operation(np.divide, "{} / {}"),
    "over": Operation(divide_or_zero, "{0} / {1} if {1} != 0.0 else 0.0"),
    "power": Operation(np.power, "{} ** {}"),
    "remainder": Operation(np.mod, "np.mod({}, {})"),
    "negative": Operation(np.negative, "-{}"),
    "absolute": Operation(np.abs, "abs({})"),
    "sign": Operation(np.sign, "np.sign({})"),
    "floor": Operation(np.floor, "np.floor({})"),
    "ceil": Operation(np.ceil, "np.ceil({})"),
    "least": Operation(np.minimum, "np.minimum({}, {})"),
    "most": Operation(np.maximum, "np.maximum({}, {})"),
    "root": Operation(np.sqrt, "np.sqrt({})"),
    "exp": Operation(np.exp, "np.exp({})"),
    "log": Operation(np.log, "np.log({})"),
    "sin": Operation(np.sin, "np.sin({})"),
    "cos": Operation(np.cos, "np.cos({})"),
    "tan": Operation(np.tan, "np.tan({})"),
    "asin": Operation(np.arcsin, "np.arcsin({})"),
    "acos": Operation(np.arccos, "np.arccos({})"),
    "atan": Operation(np.arctan, "np.arctan({})"),
    "atan2": Operation(np.arctan2, "np.arctan2({}, {})"),
    "sinh": Operation(np.sinh, "np.sinh({})"),
    "cosh": Operation(np.cosh, "np.cosh({})"),
    "tanh": Operation(np.tanh, "np.tanh({})"),
    "less": Operation(np.less, "{} < {}"),
    "less or equal": Operation(np.less_equal, "{} <= {}"),
    "equal": Operation(np.equal, "{} == {}"),
    "and": Operation(np.logical_and, "{} and {}"),
    "or": Operation(np.logical_or, "{} or {}"),
    "not": Operation(np.logical_not, "not {}"),
    "where": Operation(np.where, "{1} if {0} else {2}"),
}
BOOLEAN_OPERATIONS = frozenset(
    {"less", "less or equal", "equal", "and", "or", "not"}
)  # answer yes or no, only for "where"
