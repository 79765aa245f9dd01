"""Formulas as somebody could type them, at random; for tests of every way to compute them."""

from hypothesis import strategies as st

from keypose.fields.formula.errors import FormulaError
from keypose.fields.formula.parser import NO_VALUE, parse_formula

LEAVES = ["x", "y", "z", "r", "t", "vx", "vy", "vz", "a", "b", "pi", "2", "0.5", "3", "1.25", "0"]
SMOOTH = ["sin({})", "cos({})", "tanh({})", "exp(-({})**2)", "atan({})", "sqrt(1 + ({})**2)", "-({})", "({})**3"]
SMOOTH += ["log(2 + ({})**2)", "sinh(tanh({}))", "asin(0.9*sin({}))", "({}) / (1.5 + cos({}))", "({}) + ({})"]
SMOOTH += ["({}) - ({})", "({}) * ({})", "(2 + sin({})) ** ({})", "hypot({}, 1)", "dot(({}, {}, 1), (1, x, {}))"]
NON_SMOOTH = ["abs({})", "floor({})", "ceil({})", "sign({})", "min({}, {})", "max({}, {}, {})", "clamp({}, -0.5, {})"]
NON_SMOOTH += ["where({} < {}, {}, {})", "where({} == {} or not {} >= {}, {}, {})", "({}) % 0.7", "({}) % ({})"]
NON_SMOOTH += ["({}) / ({})", "({}) ** ({})", "log({})", "sqrt({})", "atan2({}, {})", "length(normalize(({}, {}, 0)))"]
NON_SMOOTH += ["acos({})", "tan({})", "cosh({})", "exp({})", "({}) ** -2", "mix({}, {}, {})", "smoothstep(0, 1, {})"]


def number_formulas(*, smooth: bool = False):
    """Formulas for one number, of x y z r t vx vy vz and the parameters a and b."""
    shapes = st.sampled_from(SMOOTH if smooth else SMOOTH + NON_SMOOTH)
    return st.recursive(
        st.sampled_from(LEAVES),
        lambda inner: shapes.flatmap(
            lambda shape: st.tuples(*[inner] * shape.count("{}")).map(lambda i: shape.format(*i))
        ),
        max_leaves=12,
    ).filter(lambda text: len(text) < 600 and _has_value(text))


def _has_value(text: str) -> bool:
    """Whether its numbers alone do not come to something without a value, which is refused."""
    try:
        parse_formula(text, "number", frozenset("ab"))
    except FormulaError as error:
        return NO_VALUE not in str(error)
    return True
