"""The Python on the pages of the documentation passes a type checker, as a reader's editor runs it."""

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), *sorted((ROOT / "docs" / "papers").glob("*.md"))]
SNIPPET = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)


def page_module(page):
    """All snippets of a page as one module, on the lines that they have on the page."""
    text = page.read_text(encoding="utf-8")
    lines = [""] * (text.count("\n") + 1)
    for snippet in SNIPPET.finditer(text):
        first = text[: snippet.start(1)].count("\n")
        for number, line in enumerate(snippet[1].splitlines()):
            lines[first + number] = line
    return "\n".join(lines)


def test_snippets_of_all_pages_pass_mypy(tmp_path):
    modules = []
    for page in PAGES:
        if SNIPPET.search(page.read_text(encoding="utf-8")):
            name = re.sub(r"\W", "_", str(page.relative_to(ROOT).with_suffix("")))
            module = tmp_path / f"{name}.py"
            module.write_text(page_module(page), encoding="utf-8")
            modules.append(module)
    assert len(modules) > 5
    options = [
        "--config-file=",
        "--ignore-missing-imports",
        "--check-untyped-defs",
        f"--cache-dir={tmp_path / 'cache'}",
    ]
    process = subprocess.run(
        [sys.executable, "-m", "mypy", *options, *map(str, modules)],
        capture_output=True, text=True, cwd=tmp_path, env={**os.environ, "MYPYPATH": str(ROOT / "src")},
    )  # fmt: skip
    assert process.returncode == 0, process.stdout
