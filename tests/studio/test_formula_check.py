"""While a formula is typed, what is wrong is told at its place, and names that nobody has said are offered."""

import pytest

from keypose.studio.present.formula_check import check_formula
from keypose.studio.protocol import commands
from tests.studio.scenes import field_stage
from tests.studio.studio_client import serve_stage

SLIDER = {"value": 1, "low": 0, "high": 2}


def check(text, kind="formula", **parameters):
    return check_formula(commands.CheckFormula(id=7, kind=kind, text=text, parameters=parameters))


@pytest.mark.parametrize(("kind", "text", "parameters"), [
    ("formula", "(-y, x, 0) * exp(-r**2)", {}),
    ("formula", "  (k * vx,\n\tt, pi)", {"k": SLIDER}),
    ("potential", "k * r**2 / 2", {"k": 3}),
    ("keep", "(X - x, 0, Z - z)", {}),
    ("keep", "length((X - x, Y - y, 0))", {}),
])  # fmt: skip
def test_valid_formula_has_no_error(kind, text, parameters):
    reply = check(text, kind, **parameters)
    assert (reply.id, reply.reason, reply.column, reply.end, reply.missing) == (7, None, None, None, ())


@pytest.mark.parametrize(("kind", "text", "wrong"), [
    ("formula", "(x, y, sinn(z))", "sinn"),
    ("formula", "(x, y, z) +* 2", "*"),
    ("formula", "(x, y ^ 2, z)", "^"),
    ("formula", "(x, y, lambda)", "lambda"),
    ("formula", "(x, 1e999, 0)", "1e999"),
    ("formula", "(x, y, θ)", "θ"),
    ("formula", "\n (x, yy, 0)", "yy"),
    ("potential", "length(x)", "x"),
    ("keep", "(X - x, Q, 0)", "Q"),
])  # fmt: skip
def test_formula_error_has_its_column_range(kind, text, wrong):
    reply = check(text, kind)
    assert reply.reason.startswith(f"Column {reply.column + 1} of the formula: ")
    assert text[reply.column : reply.end or reply.column + 1] == wrong


@pytest.mark.parametrize(("text", "missing"), [
    ("(k * x, gust * y, k)", ("k", "gust")),
    ("(k * x, foo(y), known)", ("k",)),
    ("(k * x, y", ()),
    ("(x, y, z) * __import__", ()),
    ("x + y", ()),
])  # fmt: skip
def test_unknown_names_are_offered_as_parameters(text, missing):
    assert check(text, known=2).missing == missing


def test_metric_has_no_parameters():
    assert check("k * X", "keep").missing == ()


@pytest.mark.parametrize(("parameters", "reason"), [
    ({"sin": 2}, "already knows what 'sin' is"),
    ({"k": "much"}, "Give a number, or a slider"),
    ({"k": {"value": 5, "low": 0, "high": 1}}, "Give one between them"),
    ({"__class__": 1}, "plain name"),
])  # fmt: skip
def test_invalid_parameters_are_reported_without_a_column(parameters, reason):
    reply = check("(x, y, z)", **parameters)
    assert reason in reply.reason
    assert reply.column is None


@pytest.mark.parametrize(
    "text", ["", " ", "(" * 100_000, "x" * 100_000, "().__class__.__bases__[0]", "𝐱", "\x00", "a" * 2001]
)
def test_any_text_gets_a_reply(text):
    reply = check(text)
    assert reply.reason
    assert 0 <= reply.column <= len(text)


def test_formula_check_replies_without_changing_the_document(tmp_path):
    with serve_stage(field_stage(), tmp_path) as studio, studio.connect() as client:
        revision = studio.session.revision
        number = client.send("check_formula", kind="formula", text="(k, 0, 0)")
        reply = client.receive_until(lambda update: update["is"] == "formula_checked")
        assert (reply["id"], reply["column"], reply["end"], reply["missing"]) == (number, 1, None, ["k"])
        assert studio.session.revision == revision
