"""A potential pushes downhill: minus its gradient, exactly, at corners and centres too."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from keypose.fields.formula.derivative import negative_gradient
from keypose.fields.formula.evaluate import evaluate_program
from keypose.fields.formula.formula import Formula, Potential
from keypose.fields.formula.operations import BOOLEAN_OPERATIONS, OPERATIONS
from keypose.fields.formula.parser import parse_formula
from tests.fields.formulas import number_formulas

POSITIONS = np.random.default_rng(7).uniform(0.2, 0.9, (40, 3))
NAMES = ("x", "y", "z")
OTHER_VARIABLES = {"t": 0.7, "vx": 0.1, "vy": 0.2, "vz": 0.3, "a": 1.3, "b": 0.4}

SMOOTH = [
    "x + 2*y - z/3", "x*y*z", "x/(1 + y*z)", "x**7 + y**-3 + z**0.3", "x**y + 2**z + y**(x*z)", "sqrt(x + y*y)",
    "exp(x*y) + log(x + z)", "sin(x*y) + cos(y*z) + tan(x*z)", "asin(x*y) + acos(y*z) + atan(x*z)",
    "atan2(x*y, z - 2*x)", "sinh(x) + cosh(x*y) + tanh(x*y*z)", "exp(-r**2)", "r + r**3 + 1/r", "length((x*y, z, 1))",
    "hypot(x, y)", "dot(normalize((x, y, z)), (1, 2, 3))", "smoothstep(0, 1, x*y)", "mix(x, y, z**2)", "-(x - y)",
    "radians(x)*degrees(y)",
]  # fmt: skip
NON_SMOOTH = [
    "abs(x - y)", "min(x, y, z*2)", "max(x*y, z**2)", "clamp(x*3, 0.5, 1.5)", "(5*x) % 1.3", "(9*x) % (y + 0.3)",
    "where(x > y, x*z, y**2)", "where(x > y and not z > 0.5 or y == z or x <= 0, x*z, y**2)",
    "floor(9*x)*y + ceil(3*z)*x", "sign(x - y)*z", "where(x != y, sin(x), cos(y))",
]  # fmt: skip


def complex_step_gradient(text, place):
    """The gradient by the complex step: f(x + ih) has f′(x) as its imaginary part over h, without cancellation."""
    recipe = parse_formula(text, "number", frozenset({"a", "b"}))
    steps = place[:, None, :] + 1e-30j * np.eye(3)
    (value,) = evaluate_program(recipe, {name: steps[..., at] for at, name in enumerate(NAMES)} | OTHER_VARIABLES)
    return np.broadcast_to(np.imag(value), steps.shape[:2]) / 1e-30


def difference_gradient(text, place, h=1e-6):
    """The gradient by differences to both sides."""
    recipe = parse_formula(text, "number", frozenset({"a", "b"}))
    sides = [place[:, None, :] + side * h * np.eye(3) for side in (-1, 1)]
    (before,), (after,) = (
        evaluate_program(recipe, {n: at[..., i] for i, n in enumerate(NAMES)} | OTHER_VARIABLES) for at in sides
    )
    return np.broadcast_to(np.subtract(after, before) / (2 * h), place.shape)


@pytest.mark.parametrize("text", [text for text in SMOOTH if "atan2" not in text and "smoothstep" not in text])
def test_a_smooth_potential_has_its_exact_gradient(text):
    assert Potential(text).at(POSITIONS) == pytest.approx(-complex_step_gradient(text, POSITIONS), rel=1e-13, abs=1e-13)


@pytest.mark.parametrize("text", SMOOTH + NON_SMOOTH)
def test_any_potential_matches_its_difference_gradient(text):
    assert Potential(text).at(POSITIONS) == pytest.approx(-difference_gradient(text, POSITIONS), rel=1e-6, abs=1e-7)


def test_every_operation_is_covered():
    tried = {step.operation for text in SMOOTH + NON_SMOOTH for step in parse_formula(text, "number").instructions}
    assert set(OPERATIONS) <= tried


@settings(max_examples=60, deadline=None)
@given(number_formulas(smooth=True), st.integers(0, 2**32 - 1))
def test_the_gradient_of_any_smooth_formula_is_exact(text, seed):
    place = np.random.default_rng(seed).uniform(-1.5, 1.5, (8, 3))
    with np.errstate(all="ignore"):
        expected = -complex_step_gradient(text, place)
    found = Potential(text, a=OTHER_VARIABLES["a"], b=OTHER_VARIABLES["b"]).at(
        place, OTHER_VARIABLES["t"], [OTHER_VARIABLES["vx"], OTHER_VARIABLES["vy"], OTHER_VARIABLES["vz"]]
    )
    sound = np.isfinite(expected) & np.isfinite(found) & (np.abs(expected) < 1e6)
    assume(sound.any())
    assert found[sound] == pytest.approx(expected[sound], rel=1e-8, abs=1e-8)


def test_quadratic_potential_pulls_to_its_centre_and_is_zero_there():
    bowl = Potential("k * r**2 / 2", k=3)
    assert bowl.at((1, -2, 0.5)) == pytest.approx((-3, 6, -1.5))
    assert bowl.at((0, 0, 0)).tolist() == [0, 0, 0]


@pytest.mark.parametrize("text", ["r", "r**3", "r**2 + r", "exp(-r)", "sqrt(x**2 + y**2)", "hypot(x, y, z)", "r**1.5"])
@pytest.mark.parametrize("place", [(0, 0, 0), (1e-200, 0, 0)])
def test_length_has_zero_gradient_where_it_vanishes(text, place):
    assert np.abs(Potential(text).at(place)).max() < 1e-100


def test_square_root_that_is_no_length_has_infinite_slope_at_zero():
    assert Potential("sqrt(x)").at((0, 0, 0))[0] == -np.inf


def test_a_potential_equals_the_formula_of_its_gradient():
    well, pull = Potential("-exp(-r**2)"), Formula("-2 * (x, y, z) * exp(-r**2)")
    assert well.at(POSITIONS) == pytest.approx(pull.at(POSITIONS), rel=1e-14)


def test_potential_independent_of_position_does_not_push():
    assert Potential("sin(t) * vx + floor(y)").at(POSITIONS).any() == False  # noqa: E712


def test_gradient_contains_no_boolean_operations():
    assert BOOLEAN_OPERATIONS.isdisjoint(
        step.operation for step in negative_gradient(parse_formula("x", "number")).instructions
    )


def test_gradient_shares_its_instructions_with_the_potential():
    deep = "x"
    for _ in range(25):
        deep = f"sin({deep})"
    assert len(negative_gradient(parse_formula(deep, "number")).instructions) < 150
    nested = "(x, y, z)"
    for _ in range(12):
        nested = f"normalize({nested})"
    assert len(negative_gradient(parse_formula(f"length({nested})", "number")).instructions) < 2000
