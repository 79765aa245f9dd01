"""How do keys come and go? One is put on the curve, some are deleted or pasted, one is brought to another place.

The others keep their times and, where they can, their captures. Keys that come into a timed path get times between
their neighbours'.
"""

from itertools import chain

import numpy as np

from keypose.curves import (
    Key,
    KeyColumns,
    Keys,
    MotionPath,
    closing_span,
    drop_empty_positions,
    path_from_keys,
    replace_keys,
)
from keypose.document import KEY
from keypose.errors import KeyposeError
from keypose.maths import Floats, Rope
from keypose.physics import carrier_names
from keypose.stage import Stage
from keypose.studio.edits.goals import check_no_goals
from keypose.studio.edits.labels import keys_label, parse_as
from keypose.studio.edits.motions import (
    effective_path,
    explicit_key_times,
    key_indices,
    motion_of,
    path_of,
    with_remapped_keys,
)
from keypose.studio.edits.relative_keys import position_at_parameter, rough_path_position
from keypose.studio.edits.rough_path import rough_path_of
from keypose.studio.protocol import commands
from keypose.timing import KeyTimeClock, KeyTimes


def insert_key(stage: Stage, message: commands.InsertKey) -> tuple[Stage, str]:
    """A key more, on the curve as it is shown."""
    given_path, timed_path = path_of(stage, message.actor), effective_path(stage, message.actor)
    key_times = explicit_key_times(stage, message.actor)
    if stage[message.actor].carriers:
        path, times = _insert_in_relative_path(stage, message.actor, message.u)
    elif rough_path_of(stage, message.actor) is not None and carrier_names(given_path):
        path, times = _insert_in_rough_path(stage, message.actor, message.u, message.time or 0.0), None
    else:
        longer_path = timed_path.insert(message.u)
        is_key_timed = timed_path is not given_path and motion_of(stage, message.actor).timing is None
        path = (
            longer_path
            if timed_path is given_path
            else _restore_key_times(given_path, longer_path, int(message.u) + 1, is_key_timed)
        )
        times = None if key_times is None else _all_times(longer_path)
    segment, count = int(message.u), len(given_path)
    old_indices = [*range(segment + 1), None, *range(segment + 1, count)]
    new_stage, capture_note = with_remapped_keys(stage, message.actor, path, old_indices, times)
    return new_stage, f"insert key {segment + 1} of {message.actor}{capture_note}"


def delete_keys(stage: Stage, message: commands.DeleteKeys) -> tuple[Stage, str]:
    """Some keys less; two must stay."""
    path, key_times = path_of(stage, message.actor), explicit_key_times(stage, message.actor)
    removed_indices = key_indices(path, message.keys)
    label = keys_label(path.keys, removed_indices, message.actor)
    check_no_goals(stage, message.actor, path.keys, removed_indices)
    if len(path) - len(removed_indices) < 2:
        raise KeyposeError(f"Without {label} its path would have fewer than two keys. Leave two, or remove the actor.")
    is_kept = np.ones(len(path), dtype=bool)
    is_kept[removed_indices] = False
    if len(removed_indices) == 1:
        new_path = path.without_key(removed_indices[0])
    else:
        old_columns = path.keys.rope.whole
        columns = KeyColumns(
            int(is_kept.sum()), {column_name: column[is_kept] for column_name, column in old_columns.arrays.items()}
        )
        new_path = path_from_keys(drop_empty_positions(Keys(Rope(columns))), path.options)
    times = None
    if key_times is not None:
        extra_times = len(key_times.times) - len(path)  # the return to the first key
        times = KeyTimes(key_times.times[np.append(is_kept, np.ones(extra_times, dtype=bool))])
    new_stage, capture_note = with_remapped_keys(
        stage, message.actor, new_path, np.flatnonzero(is_kept).tolist(), times
    )
    return new_stage, f"delete {label}{capture_note}"


def paste_keys(stage: Stage, message: commands.PasteKeys) -> tuple[Stage, str]:
    """Copied keys behind another; names that are taken stay with those who have them."""
    path, key_times = path_of(stage, message.actor), explicit_key_times(stage, message.actor)
    at, count = message.after + 1, len(message.keys)
    if at:
        path.keys.index(message.after)
    owner = f"Actor {message.actor!r}"
    keys = [parse_as(KEY, one, f"keys[{index}]", stage, owner) for index, one in enumerate(message.keys)]
    keys = _fit_pasted_keys(path, keys)
    own_times, times = path.times, None
    if key_times is not None:
        times = KeyTimes(np.insert(key_times.times, at, _times_between(key_times.times, at, count)))
    new_times = [None] * count if own_times is None else _times_between(own_times, at, count).tolist()
    keys = [key.changed(time=new_time) for key, new_time in zip(keys, new_times, strict=True)]
    has_same_kind = all(key.position is not None for key in keys) and (
        own_times is not None or path.keys.column("time") is None
    )
    new_path = replace_keys(path, at, at, keys, same_kind=has_same_kind)
    old_indices = [*range(at), *[None] * count, *range(at, len(path))]
    what = "a key" if count == 1 else f"{count} keys"
    new_stage, capture_note = with_remapped_keys(stage, message.actor, new_path, old_indices, times)
    return new_stage, f"paste {what} into {message.actor}{capture_note}"


def shift_key(stage: Stage, message: commands.ShiftKey) -> tuple[Stage, str]:
    """A key brought to another place in the order; the times stay where they are."""
    path, times = path_of(stage, message.actor), explicit_key_times(stage, message.actor)
    source, target = path.keys.index(message.key), path.keys.index(message.to)
    label = keys_label(path.keys, [source], message.actor)
    if source == target:
        raise KeyposeError(f"{label.capitalize()} is at {target} already. Bring it to another place.")
    order = [index for index in range(len(path)) if index != source]
    order.insert(target, source)
    low, high = min(source, target), max(source, target) + 1
    keys = [path.keys[order[slot]].changed(time=path.keys[slot].time) for slot in range(low, high)]
    new_path = replace_keys(path, low, high, keys, same_kind=True)
    new_stage, capture_note = with_remapped_keys(stage, message.actor, new_path, order, times, moved_key=source)
    return new_stage, f"bring {label} to {target}{capture_note}"


def _insert_in_rough_path(stage: Stage, actor: str, u: float, time: float) -> MotionPath:
    """A key more on a rough path with carried keys: where that is at a moment [s], shaped by TCB."""
    path = path_of(stage, actor)
    path.insert(u)  # refuses what is no place for a key
    position, carrier = rough_path_position(stage, actor, u, time)
    before, after = path.keys[int(u)], path.keys[(int(u) + 1) % len(path)]
    pin = before.pin and after.pin if carrier is not None else True
    new = Key(position[: path.shape[-1]]).changed(relative_to=carrier, pin=pin)
    return replace_keys(path, int(u) + 1, int(u) + 1, [new], same_kind=path.keys.column("time") is None)


def _insert_in_relative_path(stage: Stage, actor: str, u: float) -> tuple[MotionPath, KeyTimes | None]:
    """A key more on a path with carried keys: where the actor is when it is there, shaped by TCB."""
    motion, path = motion_of(stage, actor), path_of(stage, actor)
    path.insert(u)  # refuses what is no place for a key
    before, after = path.keys[int(u)], path.keys[(int(u) + 1) % len(path)]
    carrier = before.relative_to if before.relative_to == after.relative_to else None
    position, moment = position_at_parameter(stage, actor, u, carrier)
    new = Key(position[: path.shape[-1]] if len(path.shape) == 1 else position[:, : path.shape[-1]])
    new = new.changed(relative_to=carrier, pin=before.pin and after.pin)
    slot, own_times, times = int(u) + 1, path.keys.column("time"), None
    if isinstance(motion.timing, KeyTimes):
        times = KeyTimes(np.insert(motion.timing.times, slot, moment - motion.start))
    elif own_times is not None and isinstance(motion.clock, KeyTimeClock):
        new = new.changed(time=moment - motion.start)
    return replace_keys(path, slot, slot, [new], same_kind=(new.time is None) == (own_times is None)), times


def _restore_key_times(given_path: MotionPath, longer_path: MotionPath, slot: int, is_key_timed: bool) -> MotionPath:
    """A path that grew while a timing was put on it, with its keys' own times again."""
    own_times = given_path.keys.column("time")
    own_times = np.full(len(given_path), np.nan) if own_times is None else own_times
    all_columns = longer_path.keys.rope.whole
    times = np.insert(own_times, slot, all_columns.arrays["time"][slot] if is_key_timed else np.nan)
    columns = {column_name: column for column_name, column in all_columns.arrays.items() if column_name != "time"}
    columns = columns if np.isnan(times).all() else {**columns, "time": times}
    return path_from_keys(Keys(Rope(KeyColumns(len(all_columns), columns))), given_path.options)


def _all_times(path: MotionPath) -> KeyTimes:
    """When each key of a timed path is passed, and when a closed one is back."""
    times = path.times
    assert times is not None
    back = [times[-1] + closing_span(path.keys, path.options)] if path.closed else []
    return KeyTimes(np.append(times, back))


def _times_between(times: Floats, at: int, count: int) -> Floats:
    """Times for new keys at a place among others: evenly between two, or as far apart as the last two beyond them."""
    if 0 < at < len(times):
        return np.linspace(times[at - 1], times[at], count + 2)[1:-1]
    steps = np.arange(1.0, count + 1)
    if at:
        return np.asarray(times[-1] + steps * (times[-1] - times[-2]))
    return np.asarray(times[0] - steps[::-1] * (times[1] - times[0]))


def _fit_pasted_keys(path: MotionPath, keys: list[Key]) -> list[Key]:
    """Pasted keys without names that are taken; refused if their places are of another kind."""
    names = path.keys.column("name")
    used_names = set(chain(() if names is None else names, [None]))
    fitted_keys = []
    for index, key in enumerate(keys):
        if key.position is not None and key.position.shape != path.shape and path.keys.column("position") is not None:
            raise KeyposeError(
                f"Pasted key {index} has a position of shape {key.position.shape}, but the path's have {path.shape}. "
                "All keys of a path need the same number of points and dimensions."
            )
        fitted_keys.append(key.changed(name=None) if key.name in used_names else key)
        used_names.add(key.name)
    return fitted_keys
