"""What docs/studio.md shows runs as it stands, and does what it says."""

import re
from pathlib import Path

import pytest

from keypose.studio.server.launch import Studio

DOCS = Path(__file__).parents[2] / "docs" / "studio.md"


@pytest.fixture
def docs_run(tmp_path, monkeypatch):
    """What is left after every python block of the page was run, in order in one namespace."""
    monkeypatch.setenv("KEYPOSE_STATE", str(tmp_path / "state"))
    monkeypatch.setenv("KEYPOSE_NO_BROWSER", "1")
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"^```python\n(.*?)^```", DOCS.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    assert blocks
    names = {}
    shown, close = [], Studio.close
    monkeypatch.setattr(Studio, "close", lambda studio: (shown.append(studio.stage), close(studio))[1])
    for number, block in enumerate(blocks):
        exec(compile(block, f"docs/studio.md, python block {number + 1}", "exec"), names)
    return names, shown


def test_docs_code_opens_changes_and_closes_the_studio(docs_run):
    names, (stage,) = docs_run
    assert not names["studio"].is_open
    assert stage["red"].motion.path.keys[1].tension == 0.5
    assert names["path"].keys[1].tension is None  # the path that was shown first is as it was


def test_every_documented_shortcut_exists():
    section = re.search(r"## Keyboard\n(.*?)\n## ", DOCS.read_text(encoding="utf-8"), re.DOTALL).group(1)
    known = (DOCS.parents[1] / "web/src/actions/keyboard.ts").read_text(encoding="utf-8")
    arrows = {"←": "ArrowLeft", "→": "ArrowRight", "↑": "ArrowUp", "↓": "ArrowDown", "Esc": "Escape"}
    caps = re.findall(r"`([^`]+)`", section)
    assert len(caps) > 15
    for cap in caps:
        assert re.search(rf'keys: "(.* )?{re.escape(arrows.get(cap, cap))}[" ]', known), cap
