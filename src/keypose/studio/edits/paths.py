"""What is said of a whole path, or of its motion? Tension, ends, closed; duration, start, outside."""

from typing import Any

from keypose.curves.path.motion_path import MotionPath
from keypose.curves.path_options import Style
from keypose.document.motion.motions import MOTION, PATH, motion, motion_object
from keypose.document.problems import Reading
from keypose.document.schema.records import Record
from keypose.motion.motion import Motion
from keypose.stage.stage import Stage
from keypose.studio.edits.labels import listed, merged, read_as, settle
from keypose.studio.edits.motions import motion_of, path_of, with_motion, with_path
from keypose.studio.edits.rough_path import raced_along
from keypose.studio.protocol import commands as say
from keypose.timing.key_times import KeyTimes

WHOLE_PATH = Record("a path", {word: field for word, field in PATH.fields.items() if word != "keys"})
WHOLE_MOTION = Record("a motion", {word: field for word, field in MOTION.items() if word != "path"})


def path_said(stage: Stage, message: say.SetPath) -> tuple[Stage, str]:
    """A path with other options; where it says no tension, the scene's default holds."""
    old, whose = path_of(stage, message.actor), f"Actor {message.actor!r}"
    words = {"tension": old.style.tension, **old.style.said()}
    said: dict[str, Any] = read_as(WHOLE_PATH, merged(words, message.changes), "path", stage, whose)
    path = MotionPath._made(old.keys, Style(**{"tension": stage.style.tension, **said}))
    says = f"{_words(message.changes)} of the path of {message.actor}"
    if raced_along(stage, message.actor) is not None:
        return with_path(stage, message.actor, path), says
    _, timing, duration, start, capture, outside = motion_of(stage, message.actor).said
    if isinstance(timing, KeyTimes) and old.closed and not path.closed:
        timing = KeyTimes(timing.times[: len(path)])  # there is no return to the first key any more
    new = Motion(path, timing, duration=duration, start=start, capture=dict(capture), outside=outside)
    return with_motion(stage, message.actor, new), says


def motion_said(stage: Stage, message: say.SetMotion) -> tuple[Stage, str]:
    """A motion that takes another time, or does otherwise before and after; its path stays."""
    old, whose = motion_of(stage, message.actor), f"Actor {message.actor!r}"
    words = {word: value for word, value in motion_object(old, stage.style, whose).items() if word != "path"}
    reading = Reading(style=stage.style)
    said = WHOLE_MOTION.said(merged(words, message.changes), "", reading)
    settle(reading, whose)
    new = motion({**said, "path": old.said[0]}, "", reading)  # type: ignore[dict-item]  # nothing in it is bad
    settle(reading, whose)
    assert isinstance(new, Motion)
    return with_motion(stage, message.actor, new), f"{_words(message.changes)} of {message.actor}"


def _words(changes: dict[str, Any]) -> str:
    return listed([word.replace("_", " ") for word in changes]) if changes else "nothing"
