"""Packages import from each other's fronts, and a front exports what another package uses."""

import ast
from functools import cache
from pathlib import Path

import pytest
from grimp import ImportGraph

import keypose
from tools.package_fronts import PackageFronts

SOURCES = Path(keypose.__file__).parent
FRONTS = sorted(file.parent.name for file in SOURCES.glob("*/__init__.pyi"))


@cache
def imports(file):
    """Module and name of every import of a file."""
    nodes = ast.walk(ast.parse(file.read_text(encoding="utf-8")))
    return [(node.module, name.name) for node in nodes if isinstance(node, ast.ImportFrom) for name in node.names]


def exports(package):
    """The names that the front of a package exports."""
    return [name for _, name in imports(SOURCES / package / "__init__.pyi")]


def test_contract_reports_an_import_from_inside_another_package():
    graph = ImportGraph()
    for module in ("keypose.stage.stage", "keypose.curves", "keypose.curves.key", "keypose.curves.effects"):
        graph.add_module(module)
    front = {"importer": "keypose.stage.stage", "line_number": 1}
    graph.add_import(imported="keypose.curves.effects", line_contents="from keypose.curves import effects", **front)
    assert PackageFronts("", {}, {}).check(graph, False).kept
    graph.add_import(imported="keypose.curves.key", line_contents="from keypose.curves.key import Key", **front)
    result = PackageFronts("", {}, {}).check(graph, False)
    assert result.metadata["deep"] == ["keypose.stage.stage:1: from keypose.curves.key import Key"]


@pytest.mark.parametrize("package", FRONTS)
def test_each_export_of_a_front_is_used_by_another_package(package):
    words = exports(package)
    assert len(words) == len(set(words))
    others = [file for file in SOURCES.rglob("*.py*") if package not in file.relative_to(SOURCES).parts[:1]]
    used = {
        name
        for file in others
        if file.suffix in (".py", ".pyi")
        for module, name in imports(file)
        if module in (package, f"keypose.{package}")
    }
    public = set(keypose.fields.__all__) if package == "fields" else set()
    assert set(words) - used - public == set()


@pytest.mark.parametrize("package", ["", *FRONTS])
def test_no_export_has_the_name_of_another_module_of_its_package(package):
    folder = SOURCES / package
    modules = {path.stem for path in folder.iterdir() if path.suffix == ".py" or path.is_dir()}
    for module, name in imports(folder / "__init__.pyi"):
        assert name not in modules or module in (None, name), f"importing {package}.{name} would hide the export"
