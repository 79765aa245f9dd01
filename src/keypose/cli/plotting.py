"""What else can be asked for? A scene's sheet, the papers' figures, and the schema from which editors complete."""

import json
from pathlib import Path
from typing import Literal

from keypose.cli.answers import progress, say
from keypose.errors import KeyposeError


def plot(scene: Path, output: Path, actor: str | None, fps: float, theme: Literal["light", "dark"]) -> None:
    """Draw a scene, or one actor's motion alone."""
    from keypose.files.endings import load
    from keypose.files.writing import write_safely
    from keypose.plot.sheet import check_picture
    from keypose.plot.sheet import plot as drawn

    ending = check_picture(output)
    thing = load(scene)
    if actor is not None:
        thing = thing[actor].motion
        if thing is None:
            raise KeyposeError(
                f"Actor {actor!r} takes ticks and has no path to draw. Shoot the scene and draw the take."
            )
    write_safely(output, drawn(thing, fps=fps, theme=theme).as_bytes(ending))
    say(f"{output}: drawn.")


def schema(output: Path | None) -> None:
    """The JSON Schema of scene files."""
    from keypose.document.scene import schema as described

    text = json.dumps(described(), indent=2, ensure_ascii=False)
    if output is None:
        say(text)
        return
    from keypose.files.writing import write_safely

    write_safely(output, text.encode() + b"\n")
    say(f"{output}: written.")


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
    say(f"{output / 'README.md'}: {len(entries)} figures.")
