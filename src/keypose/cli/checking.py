"""Is this scene file all right? What is in it, or everything that is wrong with it."""

from pathlib import Path
from typing import Any

import typer

from keypose.cli.answers import BAD_INPUT, beside, say, say_json
from keypose.document.problems import SceneError
from keypose.document.scene import read
from keypose.files.reading import read_whole
from keypose.stage.stage import Stage


def check(scenes: list[Path], as_json: bool) -> None:
    """Tell of each scene what is in it or what is wrong; exit code 2 if any has a problem."""
    found = [_checked(scene) for scene in scenes]
    if as_json:
        say_json(found)
    for one in () if as_json else found:
        if one["fine"]:
            say(f"{one['file']}: {_counted(one)}.")
        for problem in one["problems"]:
            beside(f"{one['file']}: {': '.join(part for part in (problem['path'], problem['text']) if part)}")
    if not all(one["fine"] for one in found):
        raise typer.Exit(BAD_INPUT)


def _checked(scene: Path) -> dict[str, Any]:
    try:
        stage = read(read_whole(scene))
    except SceneError as error:
        problems = [{"path": problem.path, "text": problem.text} for problem in error.problems]
        return {"file": str(scene), "fine": False, "problems": problems}
    return {"file": str(scene), "fine": True, "problems": [], **_contents(stage)}


def _contents(stage: Stage) -> dict[str, Any]:
    keys = sum(len(actor.keys) for actor in stage.actors)
    return {"actors": len(stage.actors), "keys": keys, "seconds": stage.duration, "movers": len(stage.movers)}


def _counted(one: dict[str, Any]) -> str:
    counts = [(one["actors"], "actor"), (one["keys"], "key"), (one["movers"], "mover")]
    parts = [f"{count:,} {what}{'' if count == 1 else 's'}" for count, what in counts if count]
    return ", ".join([*parts, f"{one['seconds']:g} s"]) if parts else "nobody"
