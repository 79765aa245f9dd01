"""A formula is computed step by step over arrays, or in one compiled loop: the same answer, whichever is quicker."""

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keypose.fields.formula.compile import MAX_COMPILED_INSTRUCTIONS, compile_loop, load_loop, loop_source
from keypose.fields.formula.formula import WORTH_COMPILING, Formula, Potential
from keypose.fields.formula.operations import OPERATIONS
from keypose.fields.formula.parameter import Slider
from keypose.maths import kernel_switch
from tests.fields.formulas import number_formulas

MANY = WORTH_COMPILING // 3 + 1
PARAMETERS = {"a": Slider(1.3, 0, 2), "b": -0.4}
VECTORS = st.tuples(number_formulas(), number_formulas(), number_formulas()).map(
    lambda parts: "({}, {}, {})".format(*parts)
)


@pytest.fixture(autouse=True)
def kernels_loaded():
    kernel_switch.load_kernels()


def random_query(count, seed=0):
    """Places with zeros, ties and large numbers among them, velocities and moments."""
    rng = np.random.default_rng(seed)
    place = rng.normal(size=(count, 3)) * rng.choice([0.0, 1.0, 1.0, 30.0], size=(count, 3))
    return place, rng.normal(size=(count, 3)), rng.uniform(0, 5, count)


def numpy_result(field, place, velocity, t):
    out = np.empty(place.shape)
    field.fill_by_steps(place, velocity, np.asarray(t, dtype=float), out)
    return out


def loop_result(field, place, velocity, t, make=compile_loop):
    """By the loop of its source: compiled, or as plain Python if made so."""
    out, t = np.full(place.shape, -1.0), np.asarray(t, dtype=float)
    values = np.array(field.parameter_values)
    fill = make(loop_source(field.program, tuple(field.parameters), t.ndim > 0))
    with np.errstate(all="ignore"):
        fill(place, velocity, t if t.ndim else t[()], values, out)
    return out


def python_loop(source):
    """The loop as plain Python, with numpy's numbers: those divide by zero as compiled ones do."""
    return load_loop(re.sub(r"= (-?\d\S*)$", r"= np.float64(\1)", source, flags=re.MULTILINE))


def assert_alike(found, expected):
    """Equal but for the last bits, which functions of numpy and of the compiler may round differently."""
    assert (np.isnan(found) == np.isnan(expected)).all()
    known = np.isfinite(expected)
    assert found[known] == pytest.approx(expected[known], rel=1e-9, abs=1e-9)


@settings(max_examples=150, deadline=None)
@given(VECTORS, st.booleans())
def test_loop_source_equals_the_numpy_evaluation(text, moments):
    field = Formula(text, **PARAMETERS)
    place, velocity, t = random_query(12)
    t = t if moments else t[0]
    found, expected = loop_result(field, place, velocity, t, python_loop), numpy_result(field, place, velocity, t)
    assert np.array_equal(found, expected, equal_nan=True) or np.allclose(found, expected, 1e-9, 1e-9, equal_nan=True)


@settings(max_examples=8, deadline=None)
@given(VECTORS)
def test_compiled_loop_equals_the_numpy_evaluation(text):
    field = Formula(text, **PARAMETERS)
    place, velocity, t = random_query(40)
    found, expected = loop_result(field, place, velocity, t), numpy_result(field, place, velocity, t)
    steady = np.isclose(expected, numpy_result(field, place * (1 + 1e-13), velocity, t), 1e-6, 1e-6, equal_nan=True)
    assert_alike(np.where(steady, found, 0), np.where(steady, expected, 0))  # beside a jump the last bit decides


OPERATION_TEXTS = {
    "where": "where(x < y or not z <= 0 and x == x, x, y)",
    "over": "dot(normalize((x, y, z)), (1, 1, 1))",
    "power": "abs(x)**y",
    "remainder": "x % y",
    "atan2": "atan2(x, y)",
    "least": "min(x, y)",
    "most": "max(x, y)",
}
OPERATION_TEXTS |= {
    name: f"{name}(x)" for name in ("abs", "sign", "floor", "ceil", "sqrt", "exp", "log", "sin", "cos", "tan")
}
OPERATION_TEXTS |= {name: f"{name}(x)" for name in ("asin", "acos", "atan", "sinh", "cosh", "tanh")}


@pytest.mark.parametrize(
    "text", ["(1/o, o/o, o**-2)", "(log(o), (o - 8)**(1/3), 5 % o)", "(1e99**(64+o), -1/o, acos(2+o))"]
)
def test_undefined_values_compile_identically(text):
    place = np.ones((2, 3))
    found, expected = (form(Formula(text, o=0), place, place, 0.0) for form in (loop_result, numpy_result))
    assert np.array_equal(found, expected, equal_nan=True)
    assert not np.isfinite(expected).any()


def test_each_compiled_operation_matches_numpy_at_extreme_numbers():
    odd = np.array([0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.0, 1e-300, 1e300, -1e300, np.inf, -np.inf, np.nan])
    x, y = (each.ravel() for each in np.meshgrid(odd, odd))
    place = np.ascontiguousarray(np.stack([x, y, y[::-1]], axis=1))
    tried, texts = set(), list(OPERATION_TEXTS.values())
    for three in (texts[at : at + 3] for at in range(0, len(texts), 3)):
        field = Formula("(" + ", ".join([*three, "0", "0"][:3]) + ")")
        tried |= {step.operation for step in field.program.instructions}
        found, expected = loop_result(field, place, place, 0.0), numpy_result(field, place, place, 0.0)
        assert np.allclose(found, expected, 1e-12, 0, equal_nan=True), three
    assert set(OPERATIONS) - {"subtract", "divide", "negative", "add", "multiply"} <= tried


def test_large_batches_use_the_loop_and_small_ones_do_not(monkeypatch):
    calls = []
    monkeypatch.setattr(Formula, "fill_by_loop", lambda *_: calls.append("loop"))
    monkeypatch.setattr(Formula, "fill_by_steps", lambda *_: calls.append("steps"))
    field = Formula("(x, y, z)")
    monkeypatch.setattr(kernel_switch, "allowed", True)
    monkeypatch.setattr(kernel_switch, "loaded", True)
    field.at(np.zeros((MANY, 3)))
    field.at(np.zeros((10, 3)))  # numba is loaded by now, but a formula is compiled on its own
    monkeypatch.setattr(kernel_switch, "allowed", False)
    field.at(np.zeros((MANY, 3)))
    assert calls == ["loop", "steps", "steps"]


def test_very_long_formula_is_never_compiled(monkeypatch):
    monkeypatch.setattr(Formula, "fill_by_loop", None)
    field = Formula("(" + "+".join(f"sin({n}*x)" for n in range(MAX_COMPILED_INSTRUCTIONS // 3)) + ", 0)")
    assert len(field.program.instructions) > MAX_COMPILED_INSTRUCTIONS
    assert field.at(np.zeros((MANY, 3)))[0].tolist() == [0, 0, 0]


@pytest.mark.parametrize("moments", [False, True])
def test_large_batch_equals_single_evaluations(moments, monkeypatch):
    monkeypatch.setattr(kernel_switch, "allowed", True)
    field = Potential("a * r**2 / 2 + sin(x + t) * exp(-b * z**2) + vx * y", **PARAMETERS)
    place, velocity, t = random_query(MANY)
    t = t if moments else 1.5
    found = field.at(place, t, velocity)
    some = slice(0, MANY, 97)
    assert_alike(found[some], field.at(place[some], t[some] if moments else t, velocity[some]))
    assert_alike(field.at(place, t)[some], field.at(place[some], t[some] if moments else t))
    assert (field.at(place.reshape(1, MANY, 3), t, velocity[None])[0] == found).all()


@pytest.mark.parametrize("form", [numpy_result, loop_result])
def test_result_is_bitwise_independent_of_the_rest_of_the_batch(form):
    field = Formula("(exp(-r) * tanh(x), sin(x) + log(r) ** a, atan2(y, x) * tan(z) - y ** 5)", a=1.7)
    place, velocity, t = random_query(101)
    whole = form(field, place, velocity, t)
    for some in (slice(1, None), slice(None, None, 7), slice(50, 51)):
        part = form(field, place[some].copy(), velocity[some].copy(), t[some].copy())
        assert np.array_equal(part, whole[some], equal_nan=True)


def test_thread_count_does_not_change_the_result(monkeypatch):
    monkeypatch.setattr(kernel_switch, "allowed", True)
    field = Formula("(-y, x, sin(z)) * exp(-r)")
    place, *_ = random_query(150_000)
    together = field.at(place)
    monkeypatch.setenv("KEYPOSE_THREADS", "1")
    assert (field.at(place) == together).all()


def test_moving_a_slider_compiles_nothing(monkeypatch):
    monkeypatch.setattr(kernel_switch, "allowed", True)
    field = Formula("(k * x, y, 0)", k=Slider(1, 0, 9))
    place = np.ones((MANY, 3))
    field.at(place)
    known = compile_loop.cache_info().misses
    assert field.changed(k=7).at(place)[0].tolist() == [7, 1, 0]
    assert compile_loop.cache_info().misses == known
