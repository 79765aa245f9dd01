"""What is said of a whole path, or of its motion? Tension, ends, closed; duration, start, outside."""

from typing import Any

from keypose.curves import PathOptions, path_from_keys
from keypose.document import MOTION_FIELDS, PATH, ReadContext, Record, motion_object, read_motion
from keypose.motion import Motion
from keypose.stage import Stage
from keypose.studio.edits.labels import join_words, merge_options, parse_as, raise_problems
from keypose.studio.edits.motions import motion_of, path_of, with_motion, with_path
from keypose.studio.edits.rough_path import rough_path_of
from keypose.studio.protocol import commands
from keypose.timing import KeyTimes

PATH_OPTIONS = Record("a path", {word: field for word, field in PATH.fields.items() if word != "keys"})
MOTION_OPTIONS = Record("a motion", {word: field for word, field in MOTION_FIELDS.items() if word != "path"})


def set_path(stage: Stage, message: commands.SetPath) -> tuple[Stage, str]:
    """A path with other options; where it says no tension, the scene's default holds."""
    old, owner = path_of(stage, message.actor), f"Actor {message.actor!r}"
    old_options = {"tension": old.options.tension, **old.options.non_defaults()}
    options: dict[str, Any] = parse_as(PATH_OPTIONS, merge_options(old_options, message.changes), "path", stage, owner)
    path = path_from_keys(old.keys, PathOptions(**{"tension": stage.style.tension, **options}))
    label = f"{_options_label(message.changes)} of the path of {message.actor}"
    if rough_path_of(stage, message.actor) is not None:
        return with_path(stage, message.actor, path), label
    _, timing, duration, start, capture, outside = motion_of(stage, message.actor).spec
    if isinstance(timing, KeyTimes) and old.closed and not path.closed:
        timing = KeyTimes(timing.times[: len(path)])  # there is no return to the first key any more
    new = Motion(path, timing, duration=duration, start=start, capture=dict(capture), outside=outside)
    return with_motion(stage, message.actor, new), label


def set_motion(stage: Stage, message: commands.SetMotion) -> tuple[Stage, str]:
    """A motion that takes another time, or does otherwise before and after; its path stays."""
    old, owner = motion_of(stage, message.actor), f"Actor {message.actor!r}"
    old_options = {
        option: value for option, value in motion_object(old, stage.style, owner).items() if option != "path"
    }
    reading = ReadContext(style=stage.style)
    options = MOTION_OPTIONS.read_fields(merge_options(old_options, message.changes), "", reading)
    raise_problems(reading, owner)
    new = read_motion({**options, "path": old.spec[0]}, "", reading)  # type: ignore[dict-item]  # nothing in it is bad
    raise_problems(reading, owner)
    assert isinstance(new, Motion)
    return with_motion(stage, message.actor, new), f"{_options_label(message.changes)} of {message.actor}"


def _options_label(changes: dict[str, Any]) -> str:
    return join_words([option.replace("_", " ") for option in changes]) if changes else "nothing"
