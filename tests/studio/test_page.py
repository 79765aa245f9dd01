"""Is the page small, whole and alone? It works offline, under rules that allow nothing from elsewhere."""

import gzip
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MAX_SIZE = 400_000  # bytes, as they go over the wire


@pytest.fixture(scope="module")
def page():
    """The page as it is built from the sources now."""
    subprocess.run([sys.executable, ROOT / "tools/build_page.py"], check=True, timeout=300)
    return ROOT / "src/keypose/studio/page"


@pytest.fixture(scope="module")
def files(page):
    return {file.relative_to(page).as_posix(): file.read_bytes() for file in page.rglob("*") if file.is_file()}


def test_the_page_is_small(files):
    assert sum(len(gzip.compress(content)) for content in files.values()) <= MAX_SIZE


def test_the_page_requests_only_its_own_files(files):
    requested = re.findall(r'(?:src|href)="([^"]*)"', files["index.html"].decode())
    assert len(requested) >= 3
    for address in requested:
        assert address.startswith("./"), address
        assert address.removeprefix("./") in files


def test_the_page_has_no_inline_script_or_style(files):
    text = files["index.html"].decode()
    assert "style=" not in text
    assert "<style" not in text
    assert all("src=" in script for script in re.findall(r"<script[^>]*>", text))


def test_styles_fetch_nothing(files):
    for name, content in files.items():
        if name.endswith(".css"):
            assert b"url(" not in content, name
            assert b"@import" not in content, name


def test_scripts_use_no_eval_and_no_unknown_address(files):
    for name, content in files.items():
        if not name.endswith(".js"):
            continue
        text = content.decode()
        assert not re.search(r"\beval\(|new Function\(", text), name
        addresses = re.findall(r"https?://[^\s\"'`)]*", text)
        known = ("http://www.w3.org/", "https://svelte.dev/e/", "https://${e}flow.dev/error")  # namespaces, and errors
        known += ("https://svelteflow.dev",)  # and, to be clicked, who draws the graph of meetings
        assert [address for address in addresses if not address.startswith(known)] == [], name


@pytest.mark.parametrize("script", ["check", "test"])
def test_page_type_check_and_unit_tests_pass(script):
    process = subprocess.run(
        [sys.executable, ROOT / "tools/build_page.py", script], capture_output=True, text=True, timeout=300
    )
    assert process.returncode == 0, process.stderr
