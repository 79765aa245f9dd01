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


def test_the_page_s_example_runs(page):
    assert len(page["take"]) == 97
    assert not page["take"].events


def test_the_page_s_run_comes_back_to_its_snapshot(page):
    run, stage = page["run"], page["stage"]
    assert (run.time, run.stage) == (1.0, stage)
    assert_array_equal(run.poses["leaf"].position, page["take"].at(1.0)["leaf"].position)


def test_the_words_of_plot_that_the_page_tells_are_those_of_fields():
    rows = re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE)
    others = {"thing", "fps", "seconds", "theme"}
    assert set(rows) == set(inspect.signature(plot).parameters) - others


def signatures():
    """Every signature in the first column of a table: the word, and what stands in its brackets."""
    for cell in re.findall(r"^\| (`\.?\w+\(.*?) \|", PAGE, re.MULTILINE):
        yield from re.findall(r"`(\.?\w+)\(([^`]*)\)`", cell)


@pytest.mark.parametrize(("word", "said"), list(signatures()))
def test_signatures_are_those_of_the_code(word, said):
    (written,) = ast.parse(f"def {word.removeprefix('.')}({said}): ...").body
    names = {}
    exec(compile(ast.Module([written], []), "docs/fields.md", "exec"), names)
    owner = fields.Field if word.startswith(".") else fields
    there = inspect.signature(getattr(owner, word.removeprefix("."))).parameters.values()
    here = inspect.signature(names[word.removeprefix(".")]).parameters.values()
    bare = [[(each.name, each.kind, each.default) for each in some if each.name != "self"] for some in (here, there)]
    assert bare[0] == [(name, _usual(kind), default) for name, kind, default in bare[1]]


def _usual(kind):
    """What can only go by position is written as any other."""
    return inspect.Parameter.POSITIONAL_OR_KEYWORD if kind is inspect.Parameter.POSITIONAL_ONLY else kind


def test_there_is_a_signature_for_every_word():
    words = {word for word, _ in signatures()} | {"Repeller", "Field", "Slider", "Pointer"}
    assert words >= set(fields.__all__)
    assert {".moved", ".turned", ".scaled", ".within", ".during", ".pulsing", ".carried_by", ".delayed"} <= words


def test_every_word_of_the_page_is_one_of_the_room():
    words = re.findall(r"^\| `(\w+)\(", PAGE, re.MULTILINE) + re.findall(r"`, `([A-Z]\w+)(?:\(|`)", PAGE)
    assert len(words) > 12
    assert [word for word in words if not hasattr(fields, word)] == []
    methods = re.findall(r"`\.(\w+)\(", PAGE)
    assert [method for method in methods if not hasattr(fields.Field, method)] == []
