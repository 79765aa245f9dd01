"""What is in the wheel? What an installed library needs: sources, types, the papers' scripts, the studio's page."""

import shutil
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def wheel_files(tmp_path_factory):
    """The names of the files in a wheel that is built from a copy."""
    copy = tmp_path_factory.mktemp("copy")
    for name in ("pyproject.toml", "hatch_build.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, copy)
    subprocess.run(
        [sys.executable, ROOT / "tools/build_page.py"], check=True, timeout=300
    )  # else it is built in the copy
    for name in ("src", "examples", "tools", "web"):
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__", "node_modules"))
    (copy / "examples" / "__pycache__").mkdir()
    (copy / "examples" / "__pycache__" / "demo.pyc").touch()
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(copy / "dist")]
    process = subprocess.run(build, cwd=copy, capture_output=True, text=True, timeout=300)
    assert process.returncode == 0, process.stderr
    (wheel,) = (copy / "dist").glob("*.whl")
    return set(ZipFile(wheel).namelist())


def test_wheel_contains_all_sources_and_types(wheel_files):
    sources = {file.relative_to(ROOT / "src").as_posix() for file in (ROOT / "src").rglob("*.py*") if file.is_file()}
    wanted = {file for file in sources if "__pycache__" not in file} | {"keypose/py.typed"}
    assert "keypose/__init__.pyi" in wanted
    assert wanted <= wheel_files


def test_wheel_contains_the_paper_scripts_and_no_bytecode(wheel_files):
    scripts = {f"keypose/examples/papers/{file.name}" for file in (ROOT / "examples" / "papers").glob("*.py")}
    assert len(scripts) >= 37
    assert scripts <= wheel_files
    assert not [file for file in wheel_files if file.endswith(".pyc")]


def test_wheel_contains_the_built_studio_page_and_not_its_sources(wheel_files):
    built = ROOT / "src/keypose/studio/page"
    page = {f"keypose/studio/page/{file.relative_to(built).as_posix()}" for file in built.rglob("*") if file.is_file()}
    assert "keypose/studio/page/index.html" in page
    assert page <= wheel_files
    assert not [file for file in wheel_files if file.endswith((".ts", ".svelte")) or "node_modules" in file]
