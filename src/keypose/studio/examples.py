"""What can a beginner open with one click? The examples that come with the library."""

import ast
import re
import runpy
from functools import cache
from pathlib import Path

from keypose.errors import UnknownNameError, did_you_mean, shown
from keypose.stage.stage import Stage
from keypose.studio.folder import opened
from keypose.studio.views import Example


def folder() -> Path | None:
    """Where the examples lie: they come with the library, or stand beside its sources."""
    room = Path(__file__).resolve().parents[1]
    places = (room / "examples", room.parents[1] / "examples")
    return next((place for place in places if (place / "papers").is_dir()), None)


@cache
def examples() -> tuple[Example, ...]:
    """The example scenes, each with what its script says of it."""
    place = folder()
    return () if place is None else tuple(_told(scene) for scene in sorted(place.glob("[0-9]*.json")))


def scene_of(name: str) -> Path:
    """The file of an example."""
    place, known = folder(), [one.name for one in examples()]
    if place is None or name not in known:
        raise UnknownNameError(f"There is no example {shown(name)}.{did_you_mean(name, known)}")
    return place / f"{name}.json"


def stage_of(name: str) -> Stage:
    """The stage of an example, whose movers are known."""
    scene = scene_of(name)
    _run(scene.with_suffix(".py"))
    return opened(scene)


@cache
def _run(script: Path) -> None:
    """Let the movers that an example makes itself be known; it is Python of the library's own."""
    if script.exists() and "@savable" in script.read_text(encoding="utf-8"):
        runpy.run_path(str(script))


def _told(scene: Path) -> Example:
    words = scene.stem.split("_")[1:]
    script = scene.with_suffix(".py")
    text = ast.get_docstring(ast.parse(script.read_text(encoding="utf-8"))) if script.exists() else None
    told = " ".join((text or "").split())
    first = re.match(r".+?[.](?= [A-Z]|$)", told)  # a card holds a sentence
    return Example(name=scene.stem, title=" ".join(words).capitalize(), text=first.group() if first else told)
