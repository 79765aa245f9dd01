"""What else can be asked for? A scene's sheet, the papers' figures, and the schema from which editors complete."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, cast

from keypose.cli.console import progress, say, say_json, tell_events
from keypose.cli.terminal_text import harmless_json, one_line
from keypose.errors import KeyposeError, UnknownNameError, did_you_mean

if TYPE_CHECKING:
    from keypose.fields.algebra.field import Field
    from keypose.motion.motion import Motion
    from keypose.motion.sync_protocol import Performed
    from keypose.motion.take import Event, Take
    from keypose.plot.sheet import Sheet
    from keypose.script.script import Script
    from keypose.stage.stage import Stage


@dataclass(frozen=True)
class Asked:
    """What of a scene is to be drawn; the whole of it if nothing is said."""

    actor: str | None
    field: str | None
    plane: str | None
    time: float | None
    graph: bool
    script: bool

    def check(self) -> None:
        """Refuse what cannot be asked together."""
        one = {"--actor": self.actor, "--field": self.field, "--graph": self.graph, "--script": self.script}
        said = [option if value is True else f"{option} {value!r}" for option, value in one.items() if value]
        if len(said) > 1:
            raise KeyposeError(f"Both {' and '.join(said[:2])} were to be drawn. Give one of them.")
        for option, value in (("--plane", self.plane), ("--time", self.time)):
            if self.field is None and value is not None:
                raise KeyposeError(f"Only a field is drawn with {option} {value}. Say which: --field wind.")


def plot(scene: Path, output: Path, asked: Asked, fps: float, theme: Literal["light", "dark"]) -> None:
    """Draw a scene, one actor alone, a field, or its script."""
    from keypose.files.formats import load
    from keypose.files.writing import check_place, write_safely
    from keypose.plot.sheet import check_picture

    ending = check_picture(output)
    check_place(output)
    asked.check()
    with progress("reading"):
        thing = load(scene)
    with progress("drawing"):
        sheet, events = _sheet(thing, asked, fps, theme)
        write_safely(output, sheet.as_bytes(ending))
    tell_events(events)
    say(f"{one_line(output)}: drawn.")


def _sheet(
    thing: "Stage | Take", asked: Asked, fps: float, theme: Literal["light", "dark"]
) -> "tuple[Sheet, Sequence[Event]]":
    """The picture of what was asked, and what happened while it was shot."""
    from keypose.plot.sheet import plot as drawn
    from keypose.stage.stage import Stage

    if asked.graph:
        stage = thing if isinstance(thing, Stage) else None
        return drawn(_script_of(thing), stage=stage, theme=theme), ()
    if asked.script:
        take = _kept(thing, fps)
        return drawn(cast("Performed", take.script), theme=theme), take.events
    if asked.field is not None:
        stage = _stage_of(thing, "--field", asked.field)
        sheet = drawn(_field_of(stage, asked.field), plane=asked.plane, t=asked.time, stage=stage, theme=theme)
    else:
        actor = asked.actor
        chosen = thing if actor is None else _alone(_stage_of(thing, "--actor", actor), actor, fps)
        sheet = drawn(chosen, fps=fps, theme=theme)
    return sheet, sheet.events


def _script_of(thing: "Stage | Take") -> "Script":
    """The script of a scene, or that of a take which knows how it was kept."""
    from keypose.motion.take import Take

    script = (thing.script and thing.script.script) if isinstance(thing, Take) else thing.script
    if not script:
        what = "take has no script; a .csv never has" if isinstance(thing, Take) else "scene has no meetings"
        raise KeyposeError(f"A script was to be drawn, and this {what}. Leave --script and --graph out.")
    return cast("Script", script)


def _kept(thing: "Stage | Take", fps: float) -> "Take":
    """A take that knows how a script was kept, shot for it where a scene was given."""
    from keypose.motion.take import Take
    from keypose.plot.stage.track_builder import shot_for_a_picture

    _script_of(thing)
    return thing if isinstance(thing, Take) else shot_for_a_picture(thing, fps)


def _stage_of(thing: "Stage | Take", option: str, name: str) -> "Stage":
    """The scene that something is drawn of."""
    from keypose.motion.take import Take

    if isinstance(thing, Take):
        raise KeyposeError(f"A take is drawn whole, without {option} {name!r}. Give the scene to draw one alone.")
    return thing


def _alone(stage: "Stage", actor: str, fps: float) -> "Motion | Take":
    """One actor's motion; of who takes ticks, how it was shot."""
    from keypose.motion.take import Take
    from keypose.plot.stage.track_builder import shot_for_a_picture

    motion = stage[actor].motion
    if motion is not None:
        return motion
    take = shot_for_a_picture(stage, fps)
    return Take(take.times, take.fps, {actor: take.poses[actor]}, [one for one in take.events if one.actor == actor])


def _field_of(stage: "Stage", name: str) -> "Field":
    """A field of the scene, if it is one that pushes by itself."""
    from keypose.fields.algebra.field import Field

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
    from keypose.document.scene import schema as described

    if output is None:
        say_json(described())
        return
    from keypose.files.writing import write_safely

    write_safely(output, harmless_json(described(), "utf-8").encode() + b"\n")
    say(f"{one_line(output)}: written.")


def gallery(output: Path) -> None:
    """The figures of the papers."""
    from keypose.plot.gallery import figures, gallery, scripts

    total = len(figures(scripts()))
    done = 0
    with progress("drawing") as told:
        told(0, total)

        def drawn(_: str) -> None:
            nonlocal done
            done += 1
            told(done, total)

        entries = gallery(scripts(), output, drawn)
    say(f"{one_line(output / 'README.md')}: {len(entries)} figures.")
