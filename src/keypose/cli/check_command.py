"""Is this scene file all right? What is in it and what to beware of, or everything that is wrong with it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

from keypose.cli.console import BAD_INPUT, print_json, print_note, print_result, progress
from keypose.cli.scene_input import input_label, is_take_file, load_input, read_input
from keypose.cli.scene_warnings import color_warnings, ignored_time_warnings, tension_warnings
from keypose.cli.terminal_text import escape_line
from keypose.document import Problem, SceneError, read
from keypose.errors import KeyposeError, list_names
from keypose.fields import Field, FormulaField, SplineSystem, walk_field
from keypose.motion import Take
from keypose.physics import BodyMover, BodySystem, SoftSurface
from keypose.stage import Actor, SensingMover, Stage, expected_duration, find_followers

COUNT_LABELS = {"actors": "actor", "fields": "field", "keys": "key", "movers": "mover", "bodies": "body",
           "connections": "connection", "meetings": "meeting"}  # fmt: skip


def check(scenes: list[Path], as_json: bool) -> None:
    """Report for each scene what is in it or what is wrong; exit code 2 if any has a problem."""
    reports = [_check_take(file) if is_take_file(file) else _check_scene(file) for file in scenes]
    if as_json:
        print_json(reports)
    for report in () if as_json else reports:
        _print_report(report)
    if not all(report["fine"] for report in reports):
        raise typer.Exit(BAD_INPUT)


def _check_scene(scene: Path) -> dict[str, Any]:
    try:
        with progress("reading"):
            stage = read(read_input(scene))
    except SceneError as error:
        return _problem_report(scene, error.problems, error.count)
    except KeyposeError as error:  # one file that cannot be read keeps nobody from hearing of the others
        return _problem_report(scene, (Problem("", str(error)),), 1)
    warnings = (
        _stability_warnings,
        _unused_parameter_warnings,
        color_warnings,
        tension_warnings,
        ignored_time_warnings,
    )
    return {
        **_fine_report(scene),
        "warnings": [text for find_warnings in warnings for text in find_warnings(stage)],
        **_scene_counts(stage),
    }


def _check_take(file: Path) -> dict[str, Any]:
    """A file that holds a take and no scene."""
    try:
        with progress("reading"):
            take = load_input(file)
    except KeyposeError as error:
        return _problem_report(file, (Problem("", str(error)),), 1)
    assert isinstance(take, Take)
    summary = {
        "frames": len(take.times),
        "fps": take.fps,
        "seconds": float(take.times[-1] - take.times[0]),
        "actors": list(take.names),
        "events": len(take.events),
    }
    return {**_fine_report(file), "warnings": [], "take": summary}


def _fine_report(file: Path) -> dict[str, Any]:
    return {"file": str(file), "fine": True, "count": 0, "problems": []}


def _stability_warnings(stage: Stage) -> Iterator[str]:
    """Who tracks with gains that will not settle: that is known without shooting."""
    for system in stage.resolved.systems.values():
        if isinstance(system, SplineSystem | BodySystem):
            yield from (f"{event.actor}: {event.text}" for event in system.stability_warnings())


def _unused_parameter_warnings(stage: Stage) -> Iterator[str]:
    """Which parameters do nothing, of the stage's fields and of those that somebody senses of its own."""
    movers = ((actor.name, actor.mover) for actor in stage.actors if isinstance(actor.mover, SensingMover))
    own_fields = (
        (name, field_or_name)
        for name, mover in movers
        for field_or_name in mover.senses
        if not isinstance(field_or_name, str)
    )
    for owner, field in (*stage.fields.items(), *own_fields):
        for part in walk_field(field) if isinstance(field, Field) else ():
            if isinstance(part, FormulaField):
                yield from (f"{owner}: {part.unused_message(name)}" for name in part.unused_parameters)


def _problem_report(scene: Path, problems: tuple[Problem, ...], count: int) -> dict[str, Any]:
    entries = [{"path": problem.path, "text": problem.text} for problem in problems]
    return {"file": str(scene), "fine": False, "count": count, "problems": entries}


def _scene_counts(stage: Stage) -> dict[str, Any]:
    return {
        "actors": len(stage.actors),
        "fields": len(stage.fields),
        "keys": sum(len(actor.keys) for actor in stage.actors)
        + sum(len(follower.path) for _, follower in find_followers(stage)),
        "seconds": expected_duration(stage),
        "movers": sum(actor.mover is not None for actor in stage.actors),  # parts and surfaces go with theirs
        "bodies": sum(_is_body(actor) for actor in stage.resolved.by_name.values()),
        "connections": len(stage.connections),
        "meetings": len(stage.script or ()),
    }


def _is_body(actor: Actor) -> bool:
    """Whether somebody, or a part of a figure, is a body; the surface of a soft one is none of its own."""
    return actor.body is not None or (isinstance(actor.mover, BodyMover) and not isinstance(actor.mover, SoftSurface))


def _print_report(report: dict[str, Any]) -> None:
    file = escape_line(input_label(Path(report["file"])))
    if "take" in report:
        print_result(f"{file}: {_take_text(report['take'])}")
        print_note(
            f"Plot it with 'keypose plot {file} -o sheet.svg', or read it in Python with keypose.load. "
            "The scene it was shot from is not in it."
        )
    elif report["fine"]:
        print_result(f"{file}: {_count_text(report)}.")
        for warning in report["warnings"]:
            print_note(f"{file}: {escape_line(warning)}")
    for problem in report["problems"]:
        print_note(": ".join(escape_line(part) for part in (file, problem["path"], problem["text"]) if part))
    if report["count"] > len(report["problems"]):
        print_note(f"{file}: … and more.")


def _take_text(take: dict[str, Any]) -> str:
    names = list_names([escape_line(name) for name in take["actors"]])
    events = f", {take['events']:,} event{'s' * (take['events'] != 1)}" if take["events"] else ""
    return f"a take, {take['frames']} frames of {names}, {take['seconds']:g} s at {take['fps']:g} per second{events}."


def _count_text(report: dict[str, Any]) -> str:
    parts = [
        f"{report[plural]:,} {singular if report[plural] == 1 else plural}"
        for plural, singular in COUNT_LABELS.items()
        if report[plural]
    ]
    is_endless = report["actors"] and not report["seconds"]
    duration = "does not end by itself" if is_endless else f"{report['seconds']:g} s"
    return ", ".join([*parts, duration]) if parts else "no actors"
