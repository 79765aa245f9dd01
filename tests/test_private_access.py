"""How often tests reach for private attributes of the package: what they need is in an internal module, without `_`."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
MAX_PRIVATE_ACCESSES = 19
PRIVATE_NAME = re.compile(r"_[a-z]\w*(?<!_)")


def syntax_trees(folder):
    for file in sorted((ROOT / folder).rglob("*.py")):
        yield file.relative_to(ROOT), ast.parse(file.read_text(encoding="utf-8"))


def private_definitions():
    """Private names of functions, classes, attributes and module variables of the package."""
    found = set()
    for _, tree in syntax_trees("src/keypose"):
        for node in ast.walk(tree):
            match node:
                case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                    found.add(name)
                case ast.Attribute(attr=name, ctx=ast.Store()) | ast.Name(id=name, ctx=ast.Store()):
                    found.add(name)
    return {name for name in found if PRIVATE_NAME.fullmatch(name)}


def private_accesses(known):
    """Where tests read or replace one of them: as an attribute, by an import, or by its name in a text."""
    for file, tree in syntax_trees("tests"):
        for node in ast.walk(tree):
            names = []
            match node:
                case ast.Attribute(value=ast.Name(id="self" | "cls" | "os")):
                    pass
                case ast.Attribute(attr=name):
                    names = [name]
                case ast.ImportFrom(module=module, names=imported) if (module or "").startswith("keypose"):
                    names = [one.name for one in imported]
                case ast.Constant(value=str(text)):
                    names = [text.rpartition(".")[2]]
            yield from (f"{file}:{node.lineno}: {name}" for name in names if name in known)


def test_tests_use_fewer_than_twenty_private_attributes():
    found = list(private_accesses(private_definitions()))
    assert len(found) <= MAX_PRIVATE_ACCESSES, "\n".join(found)


def test_every_way_of_access_is_counted(tmp_path, monkeypatch):
    (tmp_path / "tests").mkdir()
    lines = ["from keypose.maths import _one", "thing._two()", 'patch("thing._three")', "self._two", "thing._unknown"]
    (tmp_path / "tests" / "test_thing.py").write_text("\n".join(lines))
    monkeypatch.setattr("tests.test_private_access.ROOT", tmp_path)
    found = list(private_accesses({"_one", "_two", "_three"}))
    assert [one.rpartition(" ")[2] for one in found] == ["_one", "_two", "_three"]
