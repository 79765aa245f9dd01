"""What else can be asked for? A scene's sheet, the papers' figures, and the schema from which editors complete."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, cast

from keypose.cli.console import print_events, print_json, print_result, progress
from keypose.cli.terminal_text import escape_json, escape_line
from keypose.errors import KeyposeError, UnknownNameError, did_you_mean

if TYPE_CHECKING:
    from keypose.fields import Field
    from keypose.motion import Event, Motion, ScriptReportProtocol, Take
    from keypose.plot import Sheet
    from keypose.script import Script
    from keypose.stage import Stage


@dataclass(frozen=True)
class PlotOptions:
    """What of a scene is to be drawn; the whole of it if nothing is said."""

    actor: str | None
    field: str | None
    plane: str | None
    time: float | None
    graph: bool
    script: bool
    all_events: bool

    def check(self) -> None:
        """Refuse what cannot be asked together."""
        choices = {"--actor": self.actor, "--field": self.field, "--graph": self.graph, "--script": self.script}
        given_options = [
            option if value is True else f"{option} {value!r}" for option, value in choices.items() if value
        ]
        if len(given_options) > 1:
            raise KeyposeError(f"Both {' and '.join(given_options[:2])} were to be drawn. Give one of them.")
        for option, value in (("--plane", self.plane), ("--time", self.time)):
            if self.field is None and value is not None:
                raise KeyposeError(f"Only a field is drawn with {option} {value}. Say which: --field wind.")


def plot(scene: Path, output: Path, options: PlotOptions, fps: float, theme: Literal["light", "dark"]) -> None:
    """Draw a scene, one actor alone, a field, or its script."""
    from keypose.cli.scene_input import load_input
    from keypose.files import check_writable, write_safely
    from keypose.plot import check_picture_ending

    suffix = check_picture_ending(output)
    check_writable(output)
    options.check()
    with progress("reading"):
        thing = load_input(scene)
    with progress("drawing"):
        sheet, events = _draw_sheet(thing, options, fps, theme)
        write_safely(output, sheet.as_bytes(suffix))
    print_events(events, options.all_events)
    print_result(f"{escape_line(output)}: drawn.")


def _draw_sheet(
    thing: "Stage | Take", options: PlotOptions, fps: float, theme: Literal["light", "dark"]
) -> "tuple[Sheet, Sequence[Event]]":
    """The picture of what was asked, and what happened while it was shot."""
    from keypose.plot import plot as drawn
    from keypose.stage import Stage

    if options.graph:
        stage = thing if isinstance(thing, Stage) else None
        return drawn(_find_script(thing), stage=stage, theme=theme), ()
    if options.script:
        take = _take_with_report(thing, fps)
        return drawn(cast("ScriptReportProtocol", take.script), theme=theme), take.events
    if options.field is not None:
        stage = _require_stage(thing, "--field", options.field)
        sheet = drawn(_find_field(stage, options.field), plane=options.plane, t=options.time, stage=stage, theme=theme)
    else:
        actor = options.actor
        chosen = thing if actor is None else _actor_motion(_require_stage(thing, "--actor", actor), actor, fps)
        sheet = drawn(chosen, fps=fps, theme=theme)
    return sheet, sheet.events


def _find_script(thing: "Stage | Take") -> "Script":
    """The script of a scene, or that of a take which knows how it was kept."""
    from keypose.motion import Take

    script = (thing.script and thing.script.script) if isinstance(thing, Take) else thing.script
    if not script:
        what = "take has no script; a .csv never has" if isinstance(thing, Take) else "scene has no meetings"
        raise KeyposeError(f"A script was to be drawn, and this {what}. Leave --script and --graph out.")
    return cast("Script", script)


def _take_with_report(thing: "Stage | Take", fps: float) -> "Take":
    """A take that knows how a script was kept, shot for it where a scene was given."""
    from keypose.motion import Take
    from keypose.plot import shoot_for_picture

    _find_script(thing)
    return thing if isinstance(thing, Take) else shoot_for_picture(thing, fps)


def _require_stage(thing: "Stage | Take", option: str, name: str) -> "Stage":
    """The scene that something is drawn of."""
    from keypose.motion import Take

    if isinstance(thing, Take):
        raise KeyposeError(f"A take is drawn whole, without {option} {name!r}. Give the scene to draw one alone.")
    return thing


def _actor_motion(stage: "Stage", actor: str, fps: float) -> "Motion | Take":
    """One actor's motion; of who takes ticks, how it was shot."""
    from keypose.motion import Take
    from keypose.plot import shoot_for_picture

    motion = stage[actor].motion
    if motion is not None:
        return motion
    take = shoot_for_picture(stage, fps)
    return Take(take.times, take.fps, {actor: take.poses[actor]}, [one for one in take.events if one.actor == actor])


def _find_field(stage: "Stage", name: str) -> "Field":
    """A field of the scene, if it is one that pushes by itself."""
    from keypose.fields import Field

    if not stage.fields:
        raise KeyposeError(f"A field {name!r} was to be drawn, and this scene names none. Name it in its fields.")
    if name not in stage.fields:
        raise UnknownNameError(f"This scene has no field {name!r}.{did_you_mean(name, stage.fields)}")
    found = stage.fields[name]
    if not isinstance(found, Field):
        raise KeyposeError(
            f"{name!r} tracks somebody and pushes only whoever senses it, so it has no picture of its own. "
            "Draw the whole scene."
        )
    return found


def schema(output: Path | None) -> None:
    """The JSON Schema of scene files."""
    from keypose.document import scene_schema as described

    if output is None:
        print_json(described())
        return
    from keypose.files import write_safely

    write_safely(output, escape_json(described(), "utf-8").encode() + b"\n")
    print_result(f"{escape_line(output)}: written.")


def gallery(output: Path) -> None:
    """The figures of the papers."""
    from keypose.plot import draw_gallery, read_entries, scripts

    total = len(read_entries(scripts()))
    done = 0
    with progress("drawing") as report:
        report(0, total)

        def count_figure(_: str) -> None:
            nonlocal done
            done += 1
            report(done, total)

        entries = draw_gallery(scripts(), output, count_figure)
    print_result(f"{escape_line(output / 'README.md')}: {len(entries)} figures.")
