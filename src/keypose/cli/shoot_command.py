"""How does a scene file become a take? Shot with a bar that tells the time left, written whole or not at all."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from keypose.cli.console import Progress, print_events, print_json, print_result, progress
from keypose.cli.scene_input import input_label, load_input
from keypose.cli.terminal_text import escape_line
from keypose.errors import KeyposeError, list_names
from keypose.files import check_format, check_writable, encode_content, write_safely
from keypose.motion import Take
from keypose.stage import Stage, expected_duration
from keypose.stage import shoot as shot

CHUNK_BYTES = 1 << 22  # bytes


def shoot(
    scene: Path,
    output: Path,
    seconds: float | None,
    fps: float,
    tick: float | None,
    *,
    as_json: bool,
    all_events: bool,
) -> None:
    """Shoot a scene and write the take."""
    check_format(output, Take)  # before the long work, not after it
    check_writable(output)
    with progress("reading"):
        stage = load_input(scene)
    if not isinstance(stage, Stage):
        raise KeyposeError(f"{input_label(scene)!r} is a take and holds no scene. Give a scene file (.json).")
    if seconds is None and not expected_duration(stage):
        raise KeyposeError("Nothing in the scene ends by itself. Give a duration, as --seconds 5.")
    with progress("shooting") as report:
        take = shot(stage, seconds, fps, tick=tick, progress=report)
    with progress("writing") as report:
        content = encode_content(take, output)
        pieces = (
            _slices(content, report) if isinstance(content, bytes) else _count_lines(content, len(take.times), report)
        )
        write_safely(output, pieces)
    if as_json:
        print_json({"file": str(output), **_take_summary(take)})
        return
    print_events(take.events, all_events)
    names = list_names([escape_line(name) for name in take.names])
    print_result(f"{escape_line(output)}: {len(take.times)} frames of {names}, {take.fps:g} frames per second.")


def _count_lines(pieces: Iterable[bytes], frames: int, report: Progress) -> Iterator[bytes]:
    """The lines of a table as they are, and how many frames have been written."""
    lines = 0
    for piece in pieces:
        yield piece
        lines += piece.count(b"\n")
        report(min(lines, frames), frames)


def _slices(content: bytes, report: Progress) -> Iterator[bytes]:
    """An archive in pieces, and how many of its bytes have been written."""
    for start in range(0, len(content), CHUNK_BYTES):
        yield content[start : start + CHUNK_BYTES]
        report(min(start + CHUNK_BYTES, len(content)), len(content))


def _take_summary(take: Take) -> dict[str, Any]:
    events = [
        {"time": event.time, "actor": event.actor, "kind": event.kind, "text": event.text} for event in take.events
    ]
    return {
        "frames": len(take.times),
        "fps": take.fps,
        "seconds": float(take.times[-1]),
        "actors": list(take.names),
        "events": events,
    }
