"""How does a scene file become a take? Shot with a bar that tells the time left, written whole or not at all."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from keypose.cli.console import Progress, progress, say, say_json, tell_events
from keypose.cli.terminal_text import one_line
from keypose.errors import KeyposeError
from keypose.files.formats import check_ending, content_of, load
from keypose.files.writing import check_place, write_safely
from keypose.motion.take import Take
from keypose.stage.recorder.duration import ends
from keypose.stage.recorder.shoot import shoot as shot
from keypose.stage.stage import Stage

PIECE = 1 << 22  # bytes


def shoot(scene: Path, output: Path, seconds: float | None, fps: float, tick: float | None, as_json: bool) -> None:
    """Shoot a scene and write the take."""
    check_ending(output, Take)  # before the long work, not after it
    check_place(output)
    with progress("reading"):
        stage = load(scene)
    if not isinstance(stage, Stage):
        raise KeyposeError(f"{str(scene)!r} holds no scene. Give a scene file (.json).")
    if seconds is None and not ends(stage):
        raise KeyposeError("Nothing in the scene ends by itself. Say how long to shoot, as --seconds 5.")
    with progress("shooting") as told:
        take = shot(stage, seconds, fps, tick=tick, progress=told)
    with progress("writing") as told:
        content = content_of(take, output)
        pieces = _slices(content, told) if isinstance(content, bytes) else _counted(content, len(take), told)
        write_safely(output, pieces)
    if as_json:
        say_json({"file": str(output), **_told(take)})
        return
    tell_events(take.events)
    names = ", ".join(map(one_line, take.names)) or "nobody"
    say(f"{one_line(output)}: {len(take)} frames of {names}, {take.fps:g} frames per second.")


def _counted(pieces: Iterable[bytes], frames: int, told: Progress) -> Iterator[bytes]:
    """The lines of a table as they are, and how many frames have been written."""
    lines = 0
    for piece in pieces:
        yield piece
        lines += piece.count(b"\n")
        told(min(lines, frames), frames)


def _slices(content: bytes, told: Progress) -> Iterator[bytes]:
    """An archive in pieces, and how many of its bytes have been written."""
    for start in range(0, len(content), PIECE):
        yield content[start : start + PIECE]
        told(min(start + PIECE, len(content)), len(content))


def _told(take: Take) -> dict[str, Any]:
    events = [{"time": one.time, "actor": one.actor, "kind": one.kind, "text": one.text} for one in take.events]
    return {
        "frames": len(take),
        "fps": take.fps,
        "seconds": float(take.times[-1]),
        "actors": list(take.names),
        "events": events,
    }
