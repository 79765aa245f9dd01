"""What else can be asked for? A scene's sheet, the papers' figures, and the schema from which editors complete."""

from pathlib import Path
from typing import TYPE_CHECKING, Literal

from keypose.cli.answers import progress, say, say_json, tell_events
from keypose.cli.letters import harmless_json, one_line
from keypose.errors import KeyposeError

if TYPE_CHECKING:
    from keypose.motion.motion import Motion
    from keypose.motion.take import Take
    from keypose.stage.stage import Stage


def plot(scene: Path, output: Path, actor: str | None, fps: float, theme: Literal["light", "dark"]) -> None:
    """Draw a scene, or one actor's motion alone."""
    from keypose.files.endings import load
    from keypose.files.writing import check_place, write_safely
    from keypose.plot.sheet import check_picture
    from keypose.plot.sheet import plot as drawn

    ending = check_picture(output)
    check_place(output)
    with progress("reading"):
        thing = load(scene)
    chosen = thing if actor is None else _motion_of(thing, actor)
    with progress("drawing"):
        sheet = drawn(chosen, fps=fps, theme=theme)
        write_safely(output, sheet.as_bytes(ending))
    tell_events(sheet.events)
    say(f"{one_line(output)}: drawn.")


def _motion_of(thing: "Stage | Take", actor: str) -> "Motion":
    """One actor's motion, if it is one."""
    from keypose.motion.take import Take

    if isinstance(thing, Take):
        raise KeyposeError(f"A take is drawn whole, without --actor {actor!r}. Give the scene to draw one alone.")
    motion = thing[actor].motion
    if motion is None:
        raise KeyposeError(f"Actor {actor!r} takes ticks and has no path to draw. Draw the whole scene.")
    return motion


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
