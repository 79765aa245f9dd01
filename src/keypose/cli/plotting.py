"""What else can be asked for? A scene's sheet, the papers' figures, and the schema from which editors complete."""

from pathlib import Path
from typing import TYPE_CHECKING, Literal

from keypose.cli.answers import progress, say, say_json, tell_events
from keypose.cli.letters import harmless_json, one_line
from keypose.errors import KeyposeError, UnknownNameError, did_you_mean

if TYPE_CHECKING:
    from keypose.fields.field import Field
    from keypose.motion.motion import Motion
    from keypose.motion.take import Take
    from keypose.stage.stage import Stage


def plot(
    scene: Path,
    output: Path,
    actor: str | None,
    field: str | None,
    plane: str | None,
    time: float | None,
    fps: float,
    theme: Literal["light", "dark"],
) -> None:
    """Draw a scene, one actor alone, or a field."""
    from keypose.files.endings import load
    from keypose.files.writing import check_place, write_safely
    from keypose.plot.sheet import check_picture
    from keypose.plot.sheet import plot as drawn

    ending = check_picture(output)
    check_place(output)
    _check_asked(actor, field, plane, time)
    with progress("reading"):
        thing = load(scene)
    with progress("drawing"):
        if field is not None:
            stage = _stage_of(thing, "--field", field)
            sheet = drawn(_field_of(stage, field), plane=plane, t=time, stage=stage, theme=theme)
        else:
            chosen = thing if actor is None else _alone(_stage_of(thing, "--actor", actor), actor, fps)
            sheet = drawn(chosen, fps=fps, theme=theme)
        write_safely(output, sheet.as_bytes(ending))
    tell_events(sheet.events)
    say(f"{one_line(output)}: drawn.")


def _check_asked(actor: str | None, field: str | None, plane: str | None, time: float | None) -> None:
    """What cannot be asked together."""
    if actor is not None and field is not None:
        raise KeyposeError(f"Both --actor {actor!r} and --field {field!r} were to be drawn. Give one of them.")
    for option, value in (("--plane", plane), ("--time", time)):
        if field is None and value is not None:
            raise KeyposeError(f"Only a field is drawn with {option} {value}. Say which: --field wind.")


def _stage_of(thing: "Stage | Take", option: str, name: str) -> "Stage":
    """The scene that something is drawn of."""
    from keypose.motion.take import Take

    if isinstance(thing, Take):
        raise KeyposeError(f"A take is drawn whole, without {option} {name!r}. Give the scene to draw one alone.")
    return thing


def _alone(stage: "Stage", actor: str, fps: float) -> "Motion | Take":
    """One actor's motion; of who takes ticks, how it was shot."""
    from keypose.motion.take import Take
    from keypose.plot.casting import shot_for
    from keypose.stage.shoot import shoot

    motion = stage[actor].motion
    if motion is not None:
        return motion
    take = shoot(stage, shot_for(stage), fps)
    return Take(take.times, take.fps, {actor: take.poses[actor]}, [one for one in take.events if one.actor == actor])


def _field_of(stage: "Stage", name: str) -> "Field":
    """A field of the scene, if it is one that pushes by itself."""
    from keypose.fields.field import Field

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
