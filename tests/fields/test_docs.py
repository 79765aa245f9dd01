"""What docs/fields.md shows runs as it stands, and every word it names is there."""

import ast
import inspect
import re
from pathlib import Path

import pytest
from numpy.testing import assert_array_equal

from keypose import fields, plot

PAGE = (Path(__file__).parents[2] / "docs" / "fields.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def page():
    """Every python block of the page, run in order in one namespace."""
    names = {}
    for block in re.findall(r"^```python\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE):
        exec(compile(block, "docs/fields.md", "exec"), names)
    return names


def test_page_example_runs(page):
    assert len(page["take"].times) == 97
    assert not page["take"].events


def test_page_run_returns_to_its_snapshot(page):
    run, stage = page["run"], page["stage"]
    assert (run.time, run.stage) == (1.0, stage)
    assert_array_equal(run.poses["leaf"].position, page["take"].at(1.0)["leaf"].position)


def test_plot_options_on_the_page_are_the_field_options_of_plot():
    rows = re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE)
    others = {"thing", "fps", "seconds", "theme"}
    assert set(rows) == set(inspect.signature(plot).parameters) - others


def signatures():
    """Every signature in the first column of a table: the word, and what stands in its brackets."""
    for cell in re.findall(r"^\| (`\.?\w+\(.*?) \|", PAGE, re.MULTILINE):
        yield from re.findall(r"`(\.?\w+)\(([^`]*)\)`", cell)


@pytest.mark.parametrize(("word", "parameters"), list(signatures()))
def test_signatures_are_those_of_the_code(word, parameters):
    (written,) = ast.parse(f"def {word.removeprefix('.')}({parameters}): ...").body
    names = {}
    exec(compile(ast.Module([written], []), "docs/fields.md", "exec"), names)
    owner = fields.Field if word.startswith(".") else fields
    actual = inspect.signature(getattr(owner, word.removeprefix("."))).parameters.values()
    documented = inspect.signature(names[word.removeprefix(".")]).parameters.values()
    bare = [
        [(each.name, each.kind, each.default) for each in some if each.name != "self"] for some in (documented, actual)
    ]
    assert bare[0] == [(name, _normalized_kind(kind), default) for name, kind, default in bare[1]]


def _normalized_kind(kind):
    """What can only go by position is written as any other."""
    return inspect.Parameter.POSITIONAL_OR_KEYWORD if kind is inspect.Parameter.POSITIONAL_ONLY else kind


def test_every_public_name_has_a_signature():
    words = {word for word, _ in signatures()} | {"Repeller", "Field", "Slider", "Pointer"}
    assert words >= set(fields.__all__)
    assert {".moved", ".turned", ".scaled", ".within", ".during", ".pulsing", ".carried_by", ".delayed"} <= words


def test_every_name_on_the_page_is_in_the_package():
    words = re.findall(r"^\| `(\w+)\(", PAGE, re.MULTILINE) + re.findall(r"`, `([A-Z]\w+)(?:\(|`)", PAGE)
    assert len(words) > 12
    assert [word for word in words if not hasattr(fields, word)] == []
    methods = re.findall(r"`\.(\w+)\(", PAGE)
    assert [method for method in methods if not hasattr(fields.Field, method)] == []
