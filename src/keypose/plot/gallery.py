"""What did the papers show? Redraws their figures from the short scripts in examples/papers, with a page to read them.

A script is named after its paper and figure (`kb84_07.py`), opens with the figure's title and one sentence on what to
see, and defines `draw()`, which gives a drawing; where motion is the point also `film()`.
"""

import ast
import runpy
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from keypose.errors import KeyposeError

PAPERS = {
    "kb84": "Kochanek, Bartels: Interpolating Splines with Local Tension, Continuity, and Bias Control (1984)",
    "bh89": "Bartels, Hardtke: Speed Adjustment for Key-Frame Interpolation (1989)",
    "pf89": "Pintado, Fiume: Grafields: Field-Directed Dynamic Splines for Interactive Motion Control (1989)",
    "gl95": "Gascuel, Lyon: A New Set of Tools to Describe and Tune Trajectories (1995)",
    "lg95": "Lamouret, Gascuel: Scripting Interactive Physically-Based Motions with Relative Paths and "
    "Synchronization (1995)",
}


@dataclass(frozen=True)
class GalleryEntry:
    """One figure: its script, and what that says."""

    script: Path
    title: str
    sentence: str
    code: str
    has_film: bool

    @property
    def paper(self) -> str:
        """Which paper it is from."""
        return self.script.stem.split("_")[0]

    @property
    def picture_file(self) -> str:
        """The file of its picture."""
        return self.script.stem.replace("_", "-") + ".svg"

    @property
    def film_file(self) -> str | None:
        """The file of its film, where motion is the point."""
        return self.script.stem.replace("_", "-") + ".webp" if self.has_film else None


def scripts() -> Path:
    """The folder of the papers' scripts: they come with the library, or stand beside its sources."""
    package = Path(__file__).resolve().parents[1]
    for folder in (package / "examples" / "papers", package.parents[1] / "examples" / "papers"):
        if folder.is_dir():
            return folder
    raise KeyposeError("The scripts of the papers' figures did not come with this copy of Keypose. Install it again.")


def draw_gallery(
    scripts: Path, folder: Path, progress: Callable[[str], object] = lambda line: None
) -> list[GalleryEntry]:
    """Draw every figure of `scripts` into `folder`, write its index page, and tell what was drawn.

    All is drawn beside `folder` first and put there when it is complete, so that nobody finds half a gallery.
    """
    entries, target = read_entries(scripts), folder.resolve()
    if target.exists() and not target.is_dir():
        raise KeyposeError(f"A gallery cannot be drawn into {str(folder)!r}, which is a file. Name a folder.")
    target.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=target.parent, prefix=f".{target.name}-") as temporary:
        for entry in entries:
            namespace = runpy.run_path(str(entry.script))
            namespace["draw"]().save(Path(temporary, entry.picture_file))
            if entry.film_file:
                namespace["film"]().save(Path(temporary, entry.film_file))
            progress(f"{entry.script.stem}: {entry.title}")
        Path(temporary, "README.md").write_text(index_page(entries), encoding="utf-8")
        target.mkdir(exist_ok=True)
        for file in sorted(Path(temporary).iterdir(), key=lambda file: file.suffix == ".md"):  # the page comes last
            file.replace(target / file.name)
    return entries


def read_entries(scripts: Path) -> list[GalleryEntry]:
    """What the scripts in a folder say, in the order of their names; nothing is drawn."""
    found = sorted(script for script in scripts.glob("*_*.py") if script.stem.split("_")[0] in PAPERS)
    if not found:
        raise KeyposeError(f"There are no figures in {str(scripts)!r}. Give the folder of scripts such as kb84_07.py.")
    return [_read_entry(script) for script in found]


def index_page(entries: list[GalleryEntry]) -> str:
    """The index page: each figure with its title, what to see, its picture, its film, its code."""
    lines = [
        "# The papers' figures, redrawn",
        "",
        "Each picture is drawn by the few lines of code under it: `make gallery`.",
    ]
    for paper, title in PAPERS.items():
        chosen = [entry for entry in entries if entry.paper == paper]
        lines += ["", f"## {title}", ""] if chosen else []
        for entry in chosen:
            lines += [f"### {entry.title}", "", entry.sentence, "", f"![{entry.title}]({entry.picture_file})", ""]
            if entry.film_file:
                lines += [f"![{entry.title}, moving]({entry.film_file})", ""]
            lines += ["<details><summary>the code</summary>", "", "```python", entry.code, "```", "", "</details>", ""]
    return "\n".join(lines).rstrip() + "\n"


def _read_entry(script: Path) -> GalleryEntry:
    text = script.read_text(encoding="utf-8")
    module = ast.parse(text, str(script))
    title, _, sentence = (ast.get_docstring(module) or "").strip().partition("\n\n")
    functions = {node.name for node in module.body if isinstance(node, ast.FunctionDef)}
    if not title or not sentence or "draw" not in functions:
        raise KeyposeError(f"{script.name} needs a title, a sentence on what to see, and a function draw().")
    code = "\n".join(text.splitlines()[module.body[0].end_lineno :]).strip()
    return GalleryEntry(script, " ".join(title.split()), " ".join(sentence.split()), code, "film" in functions)
