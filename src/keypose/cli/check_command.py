"""Is this scene file all right? What is in it and what to beware of, or everything that is wrong with it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

from keypose.cli.console import BAD_INPUT, beside, progress, say, say_json
from keypose.cli.terminal_text import one_line
from keypose.document.problems import Problem, SceneError
from keypose.document.scene import read
from keypose.errors import KeyposeError
from keypose.fields.algebra.field import Field
from keypose.fields.formula.formula import Typed
from keypose.fields.sensing.links import walked
from keypose.fields.system import World
from keypose.files.reading import read_whole
from keypose.physics.simulation.system import Bodies
from keypose.physics.values.movers import Bodily, Skin
from keypose.stage.actor import Actor
from keypose.stage.followers import racers
from keypose.stage.recorder.duration import ends
from keypose.stage.resolve.systems import Senser
from keypose.stage.stage import Stage

COUNTED = {"actors": "actor", "fields": "field", "keys": "key", "movers": "mover", "bodies": "body",
           "connections": "connection", "meetings": "meeting"}  # fmt: skip


def check(scenes: list[Path], as_json: bool) -> None:
    """Tell of each scene what is in it or what is wrong; exit code 2 if any has a problem."""
    found = [_checked(scene) for scene in scenes]
    if as_json:
        say_json(found)
    for one in () if as_json else found:
        _tell(one)
    if not all(one["fine"] for one in found):
        raise typer.Exit(BAD_INPUT)


def _checked(scene: Path) -> dict[str, Any]:
    try:
        with progress("reading"):
            stage = read(read_whole(scene))
    except SceneError as error:
        return _faulty(scene, error.problems, error.count)
    except KeyposeError as error:  # one file that cannot be read keeps nobody from hearing of the others
        return _faulty(scene, (Problem("", str(error)),), 1)
    fine = {"file": str(scene), "fine": True, "count": 0, "problems": []}
    return {**fine, "warnings": [*_unsettled(stage), *_unused(stage)], **_contents(stage)}


def _unsettled(stage: Stage) -> Iterator[str]:
    """Who tracks with gains that will not settle: that is known without shooting."""
    for company in stage.companies.values():
        if isinstance(company, World | Bodies):
            yield from (f"{event.actor}: {event.text}" for event in company.unsettled())


def _unused(stage: Stage) -> Iterator[str]:
    """Which parameters do nothing, of the stage's fields and of those that somebody senses of its own."""
    movers = ((actor.name, actor.mover) for actor in stage.actors if isinstance(actor.mover, Senser))
    own = ((name, sensed) for name, mover in movers for sensed in mover.senses if not isinstance(sensed, str))
    for whose, field in (*stage.fields.items(), *own):
        for part in walked(field) if isinstance(field, Field) else ():
            if isinstance(part, Typed):
                yield from (f"{whose}: {part.told_unused(name)}" for name in part.unused)


def _faulty(scene: Path, problems: tuple[Problem, ...], count: int) -> dict[str, Any]:
    told = [{"path": problem.path, "text": problem.text} for problem in problems]
    return {"file": str(scene), "fine": False, "count": count, "problems": told}


def _contents(stage: Stage) -> dict[str, Any]:
    return {
        "actors": len(stage.actors),
        "fields": len(stage.fields),
        "keys": sum(len(actor.keys) for actor in stage.actors) + sum(len(one.path) for _, one in racers(stage)),
        "seconds": ends(stage),
        "movers": sum(actor.mover is not None for actor in stage.actors),  # parts and surfaces go with theirs
        "bodies": sum(_has_weight(actor) for actor in stage.by_name.values()),
        "connections": len(stage.connections),
        "meetings": len(stage.script or ()),
    }


def _has_weight(actor: Actor) -> bool:
    """Whether somebody, or a part of a figure, is a body; the surface of a soft one is none of its own."""
    return actor.body is not None or (isinstance(actor.mover, Bodily) and not isinstance(actor.mover, Skin))


def _tell(one: dict[str, Any]) -> None:
    file = one_line(one["file"])
    if one["fine"]:
        say(f"{file}: {_counted(one)}.")
        for told in one["warnings"]:
            beside(f"{file}: {one_line(told)}")
    for problem in one["problems"]:
        beside(": ".join(one_line(part) for part in (file, problem["path"], problem["text"]) if part))
    if one["count"] > len(one["problems"]):
        beside(f"{file}: … and more.")


def _counted(one: dict[str, Any]) -> str:
    parts = [f"{one[many]:,} {single if one[many] == 1 else many}" for many, single in COUNTED.items() if one[many]]
    is_endless = one["actors"] and not one["seconds"]
    lasts = "does not end by itself" if is_endless else f"{one['seconds']:g} s"
    return ", ".join([*parts, lasts]) if parts else "nobody"
