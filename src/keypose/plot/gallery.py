"""What did the papers show? Redraws their figures from the short scripts in examples/papers, with a page to read them.

A script is named after its paper and figure (`kb84_07.py`), opens with the figure's title and one sentence on what to
see, and defines `draw()`, which gives a drawing; where motion is the point also `film()`.
"""

import runpy
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from keypose.errors import KeyposeError

PAPERS = {
    "kb84": "Kochanek, Bartels: Interpolating Splines with Local Tension, Continuity, and Bias Control (1984)",
    "bh89": "Bartels, Hardtke: Speed Adjustment for Key-Frame Interpolation (1989)",
    "gl95": "Gascuel, Lyon: A New Set of Tools to Describe and Tune Trajectories (1995)",
}


@dataclass(frozen=True)
class Entry:
    """One figure: its script, what its docstring says, and the files it drew."""

    script: Path
    title: str
    sentence: str
    still: str
    film: str | None

    @property
    def paper(self) -> str:
        """Which paper it is from."""
        return self.script.stem.split("_")[0]


def gallery(scripts: Path, folder: Path, progress: Callable[[str], object] = lambda line: None) -> list[Entry]:
    """Draw every figure of `scripts` into `folder`, write its index page, and tell what was drawn."""
    found = sorted(script for script in scripts.glob("*_*.py") if script.stem.split("_")[0] in PAPERS)
    if not found:
        raise KeyposeError(f"There are no figures in {str(scripts)!r}. Give the folder of scripts such as kb84_07.py.")
    entries = []
    for script in found:
        entries.append(_drawn(script, folder))
        progress(f"{script.stem}: {entries[-1].title}")
    (folder / "README.md").write_text(_page(entries, scripts), encoding="utf-8")
    return entries


def _drawn(script: Path, folder: Path) -> Entry:
    made = runpy.run_path(str(script))
    title, _, sentence = (made["__doc__"] or "").strip().partition("\n\n")
    if not title or not sentence or "draw" not in made:
        raise KeyposeError(f"{script.name} needs a title, a sentence on what to see, and a function draw().")
    name = script.stem.replace("_", "-")
    made["draw"]().save(folder / f"{name}.svg")
    film = f"{name}.webp" if "film" in made else None
    if film:
        made["film"]().save(folder / film)
    return Entry(script, " ".join(title.split()), " ".join(sentence.split()), f"{name}.svg", film)


def _page(entries: list[Entry], scripts: Path) -> str:
    lines = [
        "# The papers' figures, redrawn",
        "",
        "Each picture is drawn by the few lines of code under it: `make gallery`.",
    ]
    for paper, title in PAPERS.items():
        lines += ["", f"## {title}", ""]
        for entry in (entry for entry in entries if entry.paper == paper):
            lines += [f"### {entry.title}", "", entry.sentence, "", f"![{entry.title}]({entry.still})", ""]
            if entry.film:
                lines += [f"![{entry.title}, moving]({entry.film})", ""]
            code = entry.script.read_text(encoding="utf-8").split('"""', 2)[2].strip()
            lines += ["<details><summary>the code</summary>", "", "```python", code, "```", "", "</details>", ""]
    return "\n".join(lines).rstrip() + "\n"
