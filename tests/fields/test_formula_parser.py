"""What a typed formula means, and where a wrong one is wrong."""

import math
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keypose.errors import KeyposeError
from keypose.fields.formula.errors import FormulaError
from keypose.fields.formula.evaluate import evaluate_program
from keypose.fields.formula.formula import Formula
from keypose.fields.formula.lexer import MAX_CHARACTERS
from keypose.fields.formula.parser import parse_formula

VARIABLES = {"x": 1.5, "y": -2.0, "z": 0.25, "t": 3.0, "vx": 0.5, "vy": 1.0, "vz": -1.0, "k": 4.0}
X, Y, Z, T = VARIABLES["x"], VARIABLES["y"], VARIABLES["z"], VARIABLES["t"]
R = math.sqrt(X * X + Y * Y + Z * Z)

NUMBERS = {
    "1 + 2 * 3 - 4 / 8": 6.5,
    "-2**2": -4.0,
    "2**3**2": 512.0,
    "2**-1": 0.5,
    "x**-3": X**-3,
    "x**0": 1.0,
    "x**0.5": math.sqrt(X),
    "k**x": 4.0**1.5,
    "-7 % 3": 2.0,
    "y % 0.75": -2.0 % 0.75,
    ".5 + 5. + 1e-3 + 1E2": 105.501,
    "+x - -x": 2 * X,
    "x - y - z": X - Y - Z,
    "x / y / z": X / Y / Z,
    "r": R,
    "r**2 - (x*x + y*y + z*z)": 0.0,
    "r**3": R**3,
    "pi + e + tau": math.pi + math.e + math.tau,
    "vx + 2*vy + 4*vz + t": 0.5 + 2 - 4 + 3,
    "sin(x) + cos(x) + tan(x)": math.sin(X) + math.cos(X) + math.tan(X),
    "asin(z) + acos(z) + atan(z)": math.asin(Z) + math.acos(Z) + math.atan(Z),
    "atan2(y, x)": math.atan2(Y, X),
    "sinh(x) + cosh(x) + tanh(x)": math.sinh(X) + math.cosh(X) + math.tanh(X),
    "exp(x) + log(x) + sqrt(x)": math.exp(X) + math.log(X) + math.sqrt(X),
    "abs(y) + sign(y) + floor(y + 0.5) + ceil(z)": 2.0 - 1.0 - 2.0 + 1.0,
    "min(x, y, z) + 10 * max(x, y, z)": -2.0 + 15.0,
    "hypot(3, 4) + hypot(2, 3, 6)": 12.0,
    "clamp(x, 0, 1) + clamp(y, 0, 1)": 1.0,
    "mix(2, 4, z)": 2.5,
    "smoothstep(0, 1, z)": 0.25**2 * 2.5,
    "smoothstep(0, 1, y) + smoothstep(0, 1, x)": 1.0,
    "radians(180) + degrees(pi)": math.pi + 180,
    "where(x > 0, 2, 3) + where(x < 0, 20, 30)": 32.0,
    "where(x >= 1.5, 1, 0) + where(x <= 1.5, 1, 0) + where(x == 1.5, 1, 0) + where(x != 1.5, 1, 0)": 3.0,
    "where(0 < x < 2 < 3, 1, 0)": 1.0,
    "where(0 < x < 1, 1, 0)": 0.0,
    "where(x > 0 and y > 0, 1, 0) + where(x > 0 or y > 0, 10, 0) + where(not y > 0, 100, 0)": 110.0,
    "where(not (x > 0 and not y > 0), 1, 0)": 0.0,
    "dot((1, 2, 3), (4, 5, 6))": 32.0,
    "dot((1, 2), (4, 5))": 14.0,
    "length((2, 3, 6))": 7.0,
    " \t(x\n+\r\n1) ": 2.5,
}
VECTORS = {
    "(x, y, z)": (X, Y, Z),
    "x, y, z": (X, Y, Z),
    "(x, y)": (X, Y, 0),
    "-(x, y, z)": (-X, -Y, -Z),
    "+(1, 2, 3)": (1, 2, 3),
    "(1, 2, 3) + (4, 5)": (5, 7, 3),
    "(1, 2, 3) - (4, 5, 6)": (-3, -3, -3),
    "2 * (1, 2, 3) * 2 / 8": (0.5, 1, 1.5),
    "(1, 2, 3) * t": (3, 6, 9),
    "cross((1, 0, 0), (0, 1, 0))": (0, 0, 1),
    "cross((1, 2, 3), (4, 5, 6))": (-3, 6, -3),
    "normalize((0, 3, 4))": (0, 0.6, 0.8),
    "normalize((x - 1.5, 0, 0))": (0, 0, 0),
    "where(x > 0, (1, 2, 3), (4, 5, 6))": (1, 2, 3),
    "(-y, x, 0) * exp(-r**2)": (2 * math.exp(-R * R), X * math.exp(-R * R), 0),
}


@pytest.mark.parametrize(("text", "expected"), NUMBERS.items())
def test_number_formula_evaluates_as_in_python(text, expected):
    (found,) = evaluate_program(parse_formula(text, "number", frozenset({"k"})), VARIABLES)
    assert found == pytest.approx(expected, rel=1e-14, abs=1e-14)


@pytest.mark.parametrize(("text", "expected"), VECTORS.items())
def test_vector_formula_evaluates_as_in_python(text, expected):
    assert evaluate_program(parse_formula(text, "vector"), VARIABLES) == pytest.approx(expected, rel=1e-14)


# text: the column, and what is said about it
REFUSED = {
    "": (1, "empty"),
    " \n ": (1, "empty"),
    "(raduis, 0, 0)": (2, "nothing is called 'raduis' here. Did you mean 'radius'?"),
    "(X, 0, 0)": (2, "Did you mean 'x'?"),
    "(x, y, qqq)": (8, "There is radius, x, y, z, t, vx, vy, vz, r, pi, e, tau."),
    "(x,\n y,\n qqq)": (10, "nothing is called 'qqq' here"),
    "  (x, y, qqq)": (10, "nothing is called 'qqq' here"),
    "(x, y, sinn(z))": (8, "Did you mean 'sin'?"),
    "(x, y, frobnicate(z))": (8, "There is sin, cos"),
    "(x, y, sin)": (8, "'sin' is a function. Call it, as in sin(a)."),
    "(x, y, sin(x, y))": (8, "'sin' is given 2 values. Write sin(a)."),
    "(x, y, atan2(x))": (8, "'atan2' is given 1 value. Write atan2(y, x)."),
    "(x, y, max(x))": (8, "max(a, b, …)"),
    "(x, y, sin())": (12, "nothing stands between"),
    "(x, y, t(2))": (8, "'t' is a number. For a product write t * (…)."),
    "(x, y, r(2))": (8, "'r' is a number"),
    "(x, y, pi(2))": (8, "'pi' is a number"),
    "(x, y, radius(2))": (8, "'radius' is a number"),
    "(x, y, 2 t)": (10, "'2' and 't' stand side by side. For a product write *"),
    "(x, y, 2t)": (9, "side by side"),
    "(x, y, 2(t))": (9, "side by side"),
    "(x, y)(z)": (7, "side by side"),
    "x": (1, "one number, and a vector is wanted"),
    "  x": (3, "one number, and a vector is wanted"),
    " x > y": (2, "comparison, and a value is wanted"),
    "(x, y, z, t)": (1, "a vector has 2 or 3 numbers, and here are 4"),
    " x, y, z, t": (2, "a vector has 2 or 3 numbers, and here are 4"),
    "2 * (x, y, z, t)": (5, "a vector has 2 or 3 numbers, and here are 4"),
    "(x, (x, y), z)": (5, "this is a vector. A vector is made of numbers"),
    "(x, y, x > y)": (8, "this is a condition"),
    "(x, y, z) * (x, y, z)": (11, "dot(a, b) for a number or cross(a, b)"),
    "((x, y, z)) * ((x, y, z))": (13, "two vectors are multiplied"),
    "(x, y, z)**2": (10, "length(a)**2"),
    "2**(x, y, z)": (2, "'**' works on numbers"),
    "2 + (x, y, z)": (3, "'+' joins a number and a vector"),
    "1 - (x, y, z) - 2": (3, "'-' joins a number and a vector"),
    "(x, y, z) - (1 + 2)": (11, "'-' joins a number and a vector"),
    "1 / (x, y, z)": (3, "'/' works on numbers"),
    "(x, y, z) % 2": (11, "'%' works on numbers"),
    "(x > 0) * (x, y, z)": (9, "beside a comparison"),
    "(x, y, -(x > 0))": (8, "a comparison has no sign"),
    "(x, y, abs((x, y, z)))": (12, "this is a vector. abs is written abs(a). Write length(a)"),
    "(x, y, length(x))": (15, "'length' works on vectors, and this is a number"),
    "(x, y, dot((x, y, z), t))": (23, "'dot' works on vectors"),
    "(x, y, where(x, y, z))": (14, "a comparison is wanted"),
    "(x, y, where(x and y, y, z))": (14, "a comparison is wanted"),
    "(x, y, where(not x, y, z))": (18, "a comparison is wanted"),
    "where(x > 0, (x, y, z), 0)": (25, "Make both alike"),
    "(x, y, where((x, y) > 0, y, z))": (14, "Numbers are compared"),
    "(x, y, z**65)": (11, "the exponent 65 is too large"),
    "(x, y, z**-65)": (11, "the exponent -65 is too large"),
    "(x, y, z**(8 * 9))": (12, "the exponent 72 is too large"),
    "(x, y, 1e101)": (8, "1e101 is too large a number"),
    "(x, y, 1e999)": (8, "1e999 is too large a number"),
    "(x, y, 007)": (8, "007 begins with a 0"),
    "(x, y, z": (1, "'(' is opened here and never closed"),
    "(x, y, sin(z)": (1, "'(' is opened here and never closed"),
    "(x, y, sin(z": (11, "'(' is opened here and never closed"),
    "(x, y, z))": (10, "')' closes what was never opened"),
    "(x, y, z) + ": (11, "it ends after '+'"),
    "(x, y, ": (6, "it ends after ','"),
    "(x, , z)": (5, "',' stands after ','"),
    "(x, y,)": (7, "')' stands after ','"),
    "* x": (1, "'*' stands at the beginning"),
    "(x, y, z ^ 2)": (10, "A power is written **"),
    "(x, y, z // 2)": (10, "Write floor(a / b)."),
    "(x, y, z = 2)": (10, "Compare with =="),
    "(x, y, z²)": (9, "Write **2"),
    "(x, y, 2 × z)": (10, "Write * for a product"),
    "(x, y, −z)": (8, "Write the plain - for minus"),
    "(x, y, 2π)": (9, "Write pi."),
    "(х, y, z)": (2, "Cyrillic small letter ha"),
    "(x, y,\u00a0z)": (7, "No-break space"),
    "(x, y, z if x else y)": (10, "write where(x > 0, a, b)"),
    "(x, y, x * not y)": (12, "'not' stands after '*'"),
    "(x, y, x not y)": (10, "'not' stands after a value"),
    "(x, y, z[0])": (9, "Write ( and )"),
    "(x, y, z.real)": (9, "Nothing is reached with a dot"),
}


@pytest.mark.parametrize(("text", "problem"), REFUSED.items())
def test_invalid_formula_is_refused_at_its_column(text, problem):
    with pytest.raises(FormulaError) as refusal:
        Formula(text, radius=1.0)
    column, message = problem
    assert message in str(refusal.value)
    assert refusal.value.column == column
    assert str(refusal.value).startswith(f"Column {column} of the formula: ")
    assert refusal.value.at == ("text",)


def test_formula_error_keeps_its_column_when_pickled():
    with pytest.raises(FormulaError) as refusal:
        Formula("(x, y, q)")
    again = pickle.loads(pickle.dumps(refusal.value))
    assert (str(again), again.column, again.at) == (str(refusal.value), 8, ("text",))


def test_long_sum_is_not_too_deep():
    terms = " + ".join(["x"] * 400)
    assert Formula(f"({terms}, 0)").at((1, 0, 0))[0] == 400


def test_too_long_formula_is_refused_at_the_first_excess_character():
    fits = "(x, 0)" + " " * (MAX_CHARACTERS - 6)
    assert Formula(fits).at((1, 0, 0))[0] == 1
    with pytest.raises(FormulaError, match="2,001 characters, and 2,000 are the most") as refusal:
        Formula(fits + " ")
    assert refusal.value.column == MAX_CHARACTERS + 1


def test_repeated_subexpressions_are_computed_once():
    recipe = parse_formula("(x*r, y*r, z*r) * exp(-r) / r + normalize((x, y, z)) * sqrt(x**2 + y**2 + z**2)", "vector")
    assert [step.operation for step in recipe.instructions].count("root") == 1
    assert len(recipe.instructions) == len(set(recipe.instructions))


def test_instructions_the_result_does_not_need_are_omitted():
    recipe = parse_formula("(0 * exp(x), 1 * y + 0, 2 * 3 - 6)", "vector")
    assert {step.operation for step in recipe.instructions} == {"name", "number"}


@pytest.mark.parametrize(
    ("text", "column", "sign"),
    [
        ("(1/0, 0, 0)", 3, "'/'"),
        ("(x, 2 + log(0), 0)", 9, "'log'"),
        ("x * ((0 - 8)**(1/3), 0, 0)", 13, r"'\*\*'"),
        ("(0**-2, 5, 0)", 3, r"'\*\*'"),
        ("(1e99**64, 0, x)", 6, r"'\*\*'"),
        ("normalize((1/(2 - 2), 0, 0))", 13, "'/'"),
        ("where(x > 0, (5 % 0, 0, 0), (1, 0, 0))", 17, "'%'"),
    ],
)
def test_undefined_constant_expressions_are_refused_at_their_operator(text, column, sign):
    with pytest.raises(FormulaError, match=f"{sign} has no value for these numbers") as refused:
        parse_formula(text, "vector")
    assert refused.value.column == column


def test_expressions_that_may_be_defined_are_left_to_evaluation():
    (found,) = evaluate_program(parse_formula("1 / k - 1 / k", "number", frozenset("k")), {"k": np.float64(0.0)})
    assert math.isnan(found)
    assert parse_formula("(log(x), 1 / (x - x), length(normalize((0, 0, 0))))", "vector").outputs


def test_other_variables_can_be_parsed_for_a_metric():
    recipe = parse_formula("hypot(x - X, y - Y)", "number", frozenset(), ("x", "y", "X", "Y"))
    assert evaluate_program(recipe, {"x": 0.0, "y": 0.0, "X": 3.0, "Y": 4.0}) == [5.0]
    with pytest.raises(FormulaError, match="nothing is called 'r' here"):
        parse_formula("r", "number", frozenset(), ("x", "y", "X", "Y"))


TOKENS = [
    "x",
    "y",
    "r",
    "k",
    "2",
    "0.5",
    "1e3",
    "(",
    "(",
    ")",
    ")",
    ",",
    "+",
    "-",
    "*",
    "/",
    "%",
    "**",
    "<",
    ">=",
    "==",
]
TOKENS += [
    "and",
    "or",
    "not",
    "sin(",
    "where(",
    "max(",
    "dot(",
    " ",
    ".",
    "[",
    "'",
    "λ",
    "__class__",
    "lambda",
    "\n",
    ":",
]


@settings(max_examples=400, deadline=None)
@given(st.lists(st.sampled_from(TOKENS), max_size=14).map("".join) | st.text(max_size=20))
def test_any_text_is_parsed_or_refused_at_a_column_within_it(text):
    refusal = None
    try:
        recipe = parse_formula(text, "number", frozenset({"k"}))
    except FormulaError as problem:
        refusal = problem
    if refusal is None:
        assert np.ndim(evaluate_program(recipe, VARIABLES)[0]) == 0
    else:
        assert 1 <= refusal.column <= max(len(text), 1)
        assert len(str(refusal)) < 400
        assert str(refusal)[-1] in ".?"
        assert "cannot be read from here" not in str(refusal)  # each has a reason of its own, never the parser's


def test_a_formula_error_is_a_keypose_error():
    assert issubclass(FormulaError, KeyposeError)
