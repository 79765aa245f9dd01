"""Whose keys are meant, and how does a motion get along with other keys? It keeps all that was said about its time.

Captured keys and key times go with their keys: if keys come or go, they are counted anew (see `captures`).
"""

from collections.abc import Mapping, Sequence

from keypose.curves.checks import check_keys
from keypose.curves.key import Key
from keypose.curves.path import edits
from keypose.curves.path.motion_path import MotionPath
from keypose.errors import KeyposeError
from keypose.motion.motion import Motion
from keypose.motion.take import Recorded
from keypose.stage.stage import Stage
from keypose.studio.edits.captured_keys import followed, renamed
from keypose.studio.edits.goals import goals_called, with_goals_called
from keypose.studio.edits.rough_path import led_along, raced_along
from keypose.timing.key_times import KeyTimes


def motion_of(stage: Stage, name: str) -> Motion:
    """The motion of an actor that has keys; refused for those who are recorded or take ticks."""
    motion = stage[name].motion
    if raced_along(stage, name) is not None:
        raise KeyposeError(
            f"Actor {name!r} races along its path as fast as it can, so it has no times and no drawn speed. "
            "Say how far ahead its target keeps, or its speed."
        )
    if motion is None:
        raise KeyposeError(f"Actor {name!r} takes ticks and has no keys. Change its mover in Python.")
    if isinstance(motion, Recorded):
        raise KeyposeError(f"Actor {name!r} was recorded, frame by frame, and has no keys. Give it a path instead.")
    return motion


def path_of(stage: Stage, name: str) -> MotionPath:
    """The path of an actor as it was said; of who races along a rough one, that."""
    return raced_along(stage, name) or motion_of(stage, name).said[0]


def shown_path(stage: Stage, name: str) -> MotionPath:
    """The path of an actor as it is seen: timings may have put times on it."""
    return raced_along(stage, name) or motion_of(stage, name).path


def listed_times(stage: Stage, name: str) -> KeyTimes | None:
    """The times of all keys of an actor, if it goes by such."""
    timing = None if raced_along(stage, name) is not None else motion_of(stage, name).timing
    return timing if isinstance(timing, KeyTimes) else None


def chosen(path: MotionPath, keys: Sequence[int]) -> list[int]:
    """The keys meant, each once and in order; one that is not there is refused."""
    return sorted({path.keys.index(key) for key in keys})


def with_motion(stage: Stage, name: str, motion: Motion) -> Stage:
    """The stage with an actor moved otherwise."""
    return stage.with_actor(stage[name].changed(motion_or_mover=motion))


def with_path(stage: Stage, name: str, path: MotionPath) -> Stage:
    """The stage with the same number of keys said differently."""
    if (rough := raced_along(stage, name)) is not None:
        return led_along(stage, name, path, goals_called(stage.script, name, rough.keys, path.keys))
    old, timing, duration, start, capture, outside = motion_of(stage, name).said
    named = renamed(old.keys, path.keys, dict(capture))
    motion = Motion(path, timing, duration=duration, start=start, capture=named, outside=outside)
    return with_goals_called(stage, stage[name].changed(motion_or_mover=motion), old.keys, path.keys)


def with_other_keys(
    stage: Stage,
    name: str,
    path: MotionPath,
    came_from: Sequence[int | None],
    times: KeyTimes | None = None,
    moved: int | None = None,
) -> tuple[Stage, str]:
    """The stage with keys that came or went: `came_from` says for each key which one it was, None for a new one.

    `times` are those of all keys, for a motion that goes by key times; `moved` is the key that changed its place, if
    one did. With it comes what the step's name has to say of captures that were lost.
    """
    if raced_along(stage, name) is not None:
        return led_along(stage, name, path, stage.script), ""
    old, timing, duration, start, capture, outside = motion_of(stage, name).said
    said = times if isinstance(timing, KeyTimes) else timing
    made = Motion(path, said, duration=duration, start=start, outside=outside)
    if not capture:
        return with_motion(stage, name, made), ""
    kept, lost = followed(dict(capture), old.keys, came_from, path.segments, made.duration, moved)
    made = Motion(path, said, duration=duration, start=start, capture=kept, outside=outside)
    return with_motion(stage, name, made), lost


def with_keys(path: MotionPath, new: Mapping[int, Key]) -> MotionPath:
    """The path with some keys said differently; it shares all that they do not touch."""
    names_stay, times_stay = True, True
    for index, key in new.items():
        old = path.keys[index]
        names_stay, times_stay = names_stay and old.name == key.name, times_stay and old.time == key.time
        if key.position is not None and key.position.shape != path.shape and path.keys.column("position") is not None:
            raise KeyposeError(
                f"Key {index} was given a position of shape {key.position.shape} on a path of shape {path.shape}. "
                "All keys of a path need the same number of points and dimensions."
            )
    # Times and names are checked against each other: in between, one by one, they may contradict.
    runs = edits.runs(sorted(new)) if times_stay and names_stay else [(min(new), max(new) + 1)]
    made = path
    for start, stop in runs:
        keys = [new[index] if index in new else path.keys[index] for index in range(start, stop)]
        same = all(edits._same_kind(path.keys[start + offset], key) for offset, key in enumerate(keys))
        made = edits.edited(made, start, stop, keys, same_kind=same)
    if not names_stay:
        check_keys(made.keys, made.style)
    return made
