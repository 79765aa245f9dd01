"""What may be given to a public word that does not want it: things that are no numbers, and odd numbers."""

from datetime import date
from decimal import Decimal
from fractions import Fraction

import numpy as np


class Broken:
    """Fails at whatever is asked of it."""

    def fail(self, *_, **__):
        raise RuntimeError("broken")

    __array__ = __float__ = __index__ = __eq__ = __hash__ = __repr__ = __str__ = fail


def circular():
    knot = []
    knot.append(knot)
    return knot


# Of another kind than a number: each must be refused, unless the parameter says that it accepts it.
NON_NUMBERS = {
    "nothing": lambda: None,
    "text": lambda: "2",
    "a word": lambda: "sideways",
    "empty text": lambda: "",
    "long text": lambda: "x" * 10_000,
    "numpy text": lambda: np.str_("2"),
    "bytes": lambda: b"2",
    "truth": lambda: True,
    "numpy truth": lambda: np.True_,
    "truth in an array": lambda: np.array(True),
    "complex": lambda: 2j,
    "a date": lambda: date(2020, 1, 1),
    "a numpy date": lambda: np.datetime64("2020-01-01"),
    "seconds of numpy": lambda: np.timedelta64(2, "s"),
    "an object": object,
    "a type": lambda: int,
    "a function": lambda: len,
    "an ellipsis": lambda: ...,
    "broken": Broken,
    "a set": lambda: {1.0, 2.0},
    "a dict": lambda: {"a": 1.0},
    "an empty dict": dict,
    "a generator": lambda: (x for x in (0.0, 1.0)),
    "a list": lambda: [1.0, 2.0],
    "an empty list": list,
    "an empty array": lambda: np.zeros(0),
    "a long list": lambda: [0.5] * 100_000,
    "many dimensions": lambda: np.zeros((1,) * 40),
    "circular": circular,
    "ragged": lambda: [[1.0, 2.0], [3.0]],
    "texts": lambda: ["1", "2"],
    "texts and a hole": lambda: ["1", None],
    "truths": lambda: [True, 2.0],
    "a numpy truth in a list": lambda: (np.True_, 2.0, 1.0),
    "truths in a drawing": lambda: [[True, 1.0], [2.0, 3.0]],
    "an array of truths": lambda: np.array([True, False]),
    "an array of objects": lambda: np.array([1.0, "2", object()], dtype=object),
    "an array of truth objects": lambda: np.array([1.0, True], dtype=object),
    "an array of texts": lambda: np.array(["1", "2"]),
    "an array of dates": lambda: np.array(["2020-01-01", "2020-01-02"], dtype="datetime64[D]"),
    "complex numbers": lambda: np.array([1j, 2j]),
    "records": lambda: np.zeros(2, dtype=[("x", float), ("y", float)]),
    "masked": lambda: np.ma.array([1.0, 2.0], mask=[False, True]),
    "long texts": lambda: ["x"] * 100_000,
}

# Numbers, but odd ones: each may be refused, and else must do no harm.
ODD_NUMBERS = {
    "nan": lambda: float("nan"),
    "infinity": lambda: float("inf"),
    "minus infinity": lambda: float("-inf"),
    "zero": lambda: 0,
    "minus zero": lambda: -0.0,
    "minus one": lambda: -1,
    "the largest": lambda: 1.7e308,
    "the smallest": lambda: 5e-324,
    "a large integer": lambda: 2**63,
    "an endless integer": lambda: 10**400,
    "a number of thousands of digits": lambda: -(10**5000),
    "a wide float": lambda: np.longdouble("1e4000"),
    "a narrow float": lambda: np.float16(2),
    "a byte": lambda: np.uint8(2),
    "an array of one": lambda: np.array(2.0),
    "a fraction": lambda: Fraction(1, 3),
    "a decimal": lambda: Decimal("0.5"),
    "a decimal of nothing": lambda: Decimal("sNaN"),
}
