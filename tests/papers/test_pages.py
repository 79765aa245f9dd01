"""The paper pages keep their word: every equation and figure has its row, and what a row names is there."""

import ast
import importlib
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GALLERY = ROOT / "docs" / "gallery"

PAPERS = ("kb84", "bh89", "pf89", "gl95", "lg95")
EQUATIONS = {
    "kb84": ["step", *(f"eq. {n}" for n in range(1, 11))],
    "bh89": ["§5 arc", "§5 K", "eq. 5.1", "eq. 5.2", "eq. 5.3", "§5 frames"],
    "pf89": [f"eq. {n}" for n in range(1, 11)],
    "gl95": [
        *("eq. 1", "§2.1 TCB", "§2.1 ends", "eq. 2", "eq. 3"),
        *("§5.1 dl_P", "§5.1 dl_Q", "§5.1 dl", "§5.1 l(t)", "§5.2 L(x)", "§5.2 l(t)", "§7.1"),
    ],
    "lg95": ["eq. 1", "eq. 2", "§3.1 speed", "§3.1 β", "§5 rule", "§5 t_estimated"],
}
FIGURES = {"kb84": range(1, 25), "bh89": range(1, 8), "pf89": range(1, 6), "gl95": range(1, 11), "lg95": range(1, 12)}
FIGURE_NUMBERS = {
    "kb84": range(1, 25),
    "bh89": (1, 2, 4, 5, 6),
    "pf89": range(1, 6),
    "gl95": range(1, 11),
    "lg95": range(1, 12),
}

NAME = re.compile(r"`([^`]+)`")
LINK = re.compile(r"\[(?P<label>[^\]]+)\]\((?P<target>[^)]+)\)")


@cache
def rows(paper):
    """The cells of every row of the page's tables, heads and rules aside."""
    page = (ROOT / "docs" / "papers" / f"{paper}.md").read_text(encoding="utf-8")
    lines = [line.strip().strip("|").split("|") for line in page.splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in line] for line in lines]
    return [row for row in cells if row[0] not in ("eq./fig.", "section") and set(row[0]) != {"-"}]


def label(row):
    return LINK.sub(r"\g<label>", row[0])


def is_importable(dotted):
    """Whether a dotted name can be imported and asked for."""
    parts = dotted.split(".")
    for split in range(len(parts), 0, -1):
        try:
            thing = importlib.import_module(".".join(parts[:split]))
        except ModuleNotFoundError:
            continue
        for part in parts[split:]:
            if not hasattr(thing, part):
                return False
            thing = getattr(thing, part)
        return True
    return False


@cache
def functions_in(file):
    path = ROOT / file
    if not path.is_file():
        return frozenset()
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return frozenset(node.name for node in tree.body if isinstance(node, ast.FunctionDef))


@pytest.mark.parametrize("paper", PAPERS)
def test_every_equation_and_figure_has_one_row(paper):
    labels = [label(row) for row in rows(paper)]
    for wanted in [*EQUATIONS[paper], *(f"fig. {n}" for n in FIGURES[paper])]:
        assert labels.count(wanted) == 1, f"{paper}.md has {labels.count(wanted)} rows for {wanted}"


@pytest.mark.parametrize("paper", PAPERS)
def test_every_row_has_five_cells(paper):
    for row in rows(paper):
        assert len(row) == 5, f"{paper}.md: {row}"
        assert all(row), f"{paper}.md: {row}"


@pytest.mark.parametrize("paper", PAPERS)
def test_every_row_names_a_function_and_a_test(paper):
    for row in rows(paper):
        assert NAME.findall(row[2]), f"{paper}.md, {row[0]}: no function"
        assert NAME.findall(row[3]), f"{paper}.md, {row[0]}: no test"


@pytest.mark.parametrize("paper", PAPERS)
def test_every_function_named_exists(paper):
    missing = [(label(row), name) for row in rows(paper) for name in NAME.findall(row[2]) if not is_importable(name)]
    assert not missing


@pytest.mark.parametrize("paper", PAPERS)
def test_every_test_named_exists(paper):
    named = [(label(row), *name.split("::")) for row in rows(paper) for name in NAME.findall(row[3])]
    missing = [(row, file, name) for row, file, name in named if name not in functions_in(file)]
    assert not missing


@pytest.mark.parametrize("paper", PAPERS)
def test_every_claim_test_is_listed_on_the_page(paper):
    files = [f"tests/papers/{file.name}" for file in (ROOT / "tests" / "papers").glob(f"test_{paper}*.py")]
    named = {name for row in rows(paper) for name in NAME.findall(row[3])}
    claims = {f"{file}::{name}" for file in files for name in functions_in(file) if name.startswith("test_")}
    assert claims
    assert claims - named == set()


@pytest.mark.parametrize("paper", PAPERS)
def test_every_drawn_figure_links_to_its_picture_and_has_its_script(paper):
    links = {link["label"]: link["target"] for row in rows(paper) for link in LINK.finditer(row[0])}
    assert links == {f"fig. {n}": f"../gallery/{paper}-{n:02d}.svg" for n in FIGURE_NUMBERS[paper]}
    missing = [n for n in FIGURE_NUMBERS[paper] if not (ROOT / "examples" / "papers" / f"{paper}_{n:02d}.py").is_file()]
    assert not missing, f"no examples/papers/{paper}_NN.py for figures {missing}"


@pytest.mark.skipif(not (GALLERY / "README.md").is_file(), reason="the gallery has not been drawn: make gallery")
@pytest.mark.parametrize("paper", PAPERS)
def test_every_picture_linked_is_in_the_gallery(paper):
    targets = [link["target"] for row in rows(paper) for cell in row for link in LINK.finditer(cell)]
    missing = [target for target in targets if not (ROOT / "docs" / "papers" / target).resolve().is_file()]
    assert not missing


def test_removed_name_is_reported():
    assert is_importable("keypose.MotionPath.at")
    assert is_importable("keypose.maths.hermite.weights")
    assert not is_importable("keypose.MotionPath.nowhere")
    assert not is_importable("keypose.maths.nothing.at_all")
    assert "test_removed_name_is_reported" in functions_in("tests/papers/test_pages.py")
    assert not functions_in("tests/papers/test_gone.py")
