"""How does a scene file become a take? Shot with a bar that tells the time left, written whole or not at all."""

from pathlib import Path

from keypose.cli.answers import beside, progress, say, say_json
from keypose.errors import KeyposeError
from keypose.files.endings import check_ending, load, save
from keypose.motion.take import Take
from keypose.stage.shoot import shoot as shot
from keypose.stage.stage import Stage


def shoot(scene: Path, output: Path, seconds: float | None, fps: float, tick: float | None, as_json: bool) -> None:
    """Shoot a scene and write the take."""
    check_ending(output, Take)  # before the long work, not after it
    stage = load(scene)
    if not isinstance(stage, Stage):
        raise KeyposeError(f"{str(scene)!r} holds no scene. Give a scene file (.json).")
    with progress("shooting") as told:
        take = shot(stage, _length(stage, seconds), fps, tick=tick, progress=told)
    save(take, output)
    if as_json:
        events = [{"time": one.time, "actor": one.actor, "kind": one.kind, "text": one.text} for one in take.events]
        frames = {"frames": len(take), "fps": take.fps, "seconds": float(take.times[-1])}
        say_json({"file": str(output), **frames, "actors": list(take.names), "events": events})
        return
    for event in take.events:
        beside(f"{event.time:g} s, {event.actor}: {event.text}")
    say(f"{output}: {len(take)} frames of {', '.join(take.names) or 'nobody'}, {take.fps:g} frames per second.")


def _length(stage: Stage, seconds: float | None) -> float:
    if seconds is not None:
        return seconds
    if not stage.duration > 0:
        raise KeyposeError("Nothing in the scene ends by itself. Say how long to shoot, as --seconds 5.")
    return stage.duration
