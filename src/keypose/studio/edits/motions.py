"""Whose keys are meant, and how does a motion get along with other keys? It keeps all that was said about its time.

Captured keys and key times go with their keys: if keys come or go, they are counted anew (see `captured_keys`).
"""

from collections.abc import Mapping, Sequence

from keypose.curves import Key, MotionPath, check_keys, has_same_fields, index_runs, replace_keys
from keypose.errors import KeyposeError
from keypose.motion import Motion, RecordedMotion
from keypose.stage import Stage
from keypose.studio.edits.captured_keys import remap_captures, rename_captures
from keypose.studio.edits.goals import rename_goals, with_renamed_goals
from keypose.studio.edits.rough_path import rough_path_of, with_rough_path
from keypose.timing import KeyTimes


def motion_of(stage: Stage, name: str) -> Motion:
    """The motion of an actor that has keys; refused for those who are recorded or take ticks."""
    motion = stage[name].motion
    if rough_path_of(stage, name) is not None:
        raise KeyposeError(
            f"Actor {name!r} races along its path as fast as it can, so it has no times and no drawn speed. "
            "Say how far ahead its target keeps, or its speed."
        )
    if motion is None:
        raise KeyposeError(f"Actor {name!r} takes ticks and has no keys. Change its mover in Python.")
    if isinstance(motion, RecordedMotion):
        raise KeyposeError(f"Actor {name!r} was recorded, frame by frame, and has no keys. Give it a path instead.")
    return motion


def path_of(stage: Stage, name: str) -> MotionPath:
    """The path of an actor as it was said; of who races along a rough one, that."""
    return rough_path_of(stage, name) or motion_of(stage, name).spec[0]


def effective_path(stage: Stage, name: str) -> MotionPath:
    """The path of an actor as it is seen: timings may have put times on it."""
    return rough_path_of(stage, name) or motion_of(stage, name).path


def explicit_key_times(stage: Stage, name: str) -> KeyTimes | None:
    """The times of all keys of an actor, if it goes by such."""
    timing = None if rough_path_of(stage, name) is not None else motion_of(stage, name).timing
    return timing if isinstance(timing, KeyTimes) else None


def key_indices(path: MotionPath, keys: Sequence[int]) -> list[int]:
    """The keys meant, each once and in order; one that is not there is refused."""
    return sorted({path.keys.index(key) for key in keys})


def with_motion(stage: Stage, name: str, motion: Motion) -> Stage:
    """The stage with an actor moved otherwise."""
    return stage.with_actor(stage[name].changed(motion_or_mover=motion))


def with_path(stage: Stage, name: str, path: MotionPath) -> Stage:
    """The stage with the same number of keys said differently."""
    if (rough_path := rough_path_of(stage, name)) is not None:
        return with_rough_path(stage, name, path, rename_goals(stage.script, name, rough_path.keys, path.keys))
    old, timing, duration, start, capture, outside = motion_of(stage, name).spec
    captures = rename_captures(old.keys, path.keys, dict(capture))
    motion = Motion(path, timing, duration=duration, start=start, capture=captures, outside=outside)
    return with_renamed_goals(stage, stage[name].changed(motion_or_mover=motion), old.keys, path.keys)


def with_remapped_keys(
    stage: Stage,
    name: str,
    path: MotionPath,
    old_indices: Sequence[int | None],
    times: KeyTimes | None = None,
    moved_key: int | None = None,
) -> tuple[Stage, str]:
    """The stage with keys that came or went: `old_indices` says for each key which one it was, None for a new one.

    `times` are those of all keys, for a motion that goes by key times; `moved_key` is the key that changed its place,
    if one did. With it comes what the step's name has to say of captures that were lost.
    """
    if rough_path_of(stage, name) is not None:
        return with_rough_path(stage, name, path, stage.script), ""
    old, timing, duration, start, capture, outside = motion_of(stage, name).spec
    new_timing = times if isinstance(timing, KeyTimes) else timing
    new_motion = Motion(path, new_timing, duration=duration, start=start, outside=outside)
    if not capture:
        return with_motion(stage, name, new_motion), ""
    captures, capture_note = remap_captures(
        dict(capture), old.keys, old_indices, path.segments, new_motion.duration, moved_key
    )
    new_motion = Motion(path, new_timing, duration=duration, start=start, capture=captures, outside=outside)
    return with_motion(stage, name, new_motion), capture_note


def with_keys(path: MotionPath, new: Mapping[int, Key]) -> MotionPath:
    """The path with some keys said differently; it shares all that they do not touch."""
    same_names, same_times = True, True
    for index, key in new.items():
        old = path.keys[index]
        same_names, same_times = same_names and old.name == key.name, same_times and old.time == key.time
        if key.position is not None and key.position.shape != path.shape and path.keys.column("position") is not None:
            raise KeyposeError(
                f"Key {index} was given a position of shape {key.position.shape} on a path of shape {path.shape}. "
                "All keys of a path need the same number of points and dimensions."
            )
    # Times and names are checked against each other: in between, one by one, they may contradict.
    runs = index_runs(sorted(new)) if same_times and same_names else [(min(new), max(new) + 1)]
    new_path = path
    for start, stop in runs:
        keys = [new[index] if index in new else path.keys[index] for index in range(start, stop)]
        same = all(has_same_fields(path.keys[start + offset], key) for offset, key in enumerate(keys))
        new_path = replace_keys(new_path, start, stop, keys, same_kind=same)
    if not same_names:
        check_keys(new_path.keys, new_path.options)
    return new_path
