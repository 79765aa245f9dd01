"""Files and functions that CONTRIBUTING.md and the other pages name exist."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
JOURNEYS = re.findall(
    r"^\| [^|]+ \| `([\w/]+\.py)` \| `([\w.]+)` \|$",
    (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"),
    re.MULTILINE,
)


def definitions(tree, prefix=""):
    """Dotted names of all classes, functions and methods of a module."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield prefix + node.name
            yield from definitions(node, f"{prefix}{node.name}.")


def test_there_are_five_journeys_of_several_steps():
    assert len(JOURNEYS) >= 30


@pytest.mark.parametrize(("file", "name"), JOURNEYS)
def test_each_step_of_a_journey_names_a_definition_of_its_file(file, name):
    tree = ast.parse((ROOT / "src" / "keypose" / file).read_text(encoding="utf-8"))
    assert name in set(definitions(tree))


PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_each_file_named_on_a_page_exists(page):
    named = re.findall(r"\b(?:src/keypose|tests|tools|web|examples|benchmarks)/[\w/.-]+\.\w+", page.read_text("utf-8"))
    assert [name for name in sorted(set(named)) if not (ROOT / name).exists()] == []
