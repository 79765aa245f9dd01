"""What happens to keys that are grabbed? They are moved, turned, and passed otherwise (KB84 §2, GL95 §3)."""

from typing import Any

import numpy as np

from keypose.curves import Key, KeyColumns, Keys, Orientation, Turn
from keypose.curves import move_keys as move_path_keys
from keypose.document import KEY, SIDES, TCB, key_objects
from keypose.errors import KeyposeError
from keypose.maths import Rope
from keypose.stage import Stage
from keypose.studio.edits.drag_precision import round_drag
from keypose.studio.edits.key_frames import IDENTITY, KeyFrameOrientations
from keypose.studio.edits.labels import join_words, keys_label, merge_options, parse_as
from keypose.studio.edits.motions import effective_path, key_indices, path_of, with_keys, with_path
from keypose.studio.protocol import commands


def move_keys(stage: Stage, message: commands.MoveKeys) -> tuple[Stage, str]:
    """Keys moved by a way in the world; those that only turn stay, and drawings move whole."""
    path = path_of(stage, message.actor)
    keys = key_indices(path, message.keys)
    frames = KeyFrameOrientations(stage, message.actor, keys, message.time)
    positions = path.keys.column("position")
    movable = [] if positions is None else [index for index in keys if not np.isnan(positions[index].flat[0])]
    if positions is None or not movable:
        raise KeyposeError(
            f"{keys_label(path.keys, keys, message.actor).capitalize()} only turns. Give it a place first."
        )
    new = {}
    for index in movable:
        by = frames.to_local(index, message.by)[: path.shape[-1]]
        new[index] = round_drag(positions[index], by, message.digits)
    return with_path(
        stage, message.actor, move_path_keys(path, new)
    ), f"move {keys_label(path.keys, keys, message.actor)}"


def place_keys(stage: Stage, message: commands.PlaceKeys) -> tuple[Stage, str]:
    """Keys put at numbers of their own; an axis that is not said stays as it is."""
    path = path_of(stage, message.actor)
    keys = key_indices(path, message.keys)
    label, to = keys_label(path.keys, keys, message.actor), message.to[: path.shape[-1]]
    if all(value is None for value in to):
        raise KeyposeError(f"Nothing was said of the place of {label}. Give a number for one of its axes.")
    new = {}
    for index in keys:
        key = path.keys[index]
        if key.position is None or key.position.ndim != 1:
            key_label = keys_label(path.keys, [index], message.actor).capitalize()
            what = "only turns" if key.position is None else "is a drawing of many places"
            raise KeyposeError(f"{key_label} {what}. Take it out of the selection, or move it by a way.")
        position = [old if value is None else value for old, value in zip(key.position.tolist(), to, strict=True)]
        new[index] = key.changed(position=position)
    return with_path(stage, message.actor, with_keys(path, new)), f"place of {label}"


def turn_keys(stage: Stage, message: commands.TurnKeys) -> tuple[Stage, str]:
    """Keys turned about their own places by a turn in the world."""
    path, shown = path_of(stage, message.actor), effective_path(stage, message.actor)
    keys, by = key_indices(path, message.keys), Orientation.of(message.by)
    frames = KeyFrameOrientations(stage, message.actor, keys, message.time)
    new = {}
    for index in keys:
        frame, key = frames.orientation(index), path.keys[index]
        local_rotation = by if frame is IDENTITY else frame.inverse() @ by @ frame
        orientation = key.orientation
        if orientation is None:  # it gets the one it is passed with
            orientation = Orientation.of(shown.orientation_at(float(index)))
        if isinstance(orientation, Turn):
            tcb_options = {option: getattr(orientation, option) for option in (*TCB, *SIDES)}
            new[index] = key.changed(orientation=Turn(local_rotation @ orientation.orientation, **tcb_options))
        else:
            new[index] = key.changed(orientation=local_rotation @ orientation)
    return with_path(stage, message.actor, with_keys(path, new)), f"turn {keys_label(path.keys, keys, message.actor)}"


def set_keys(stage: Stage, message: commands.SetKeys) -> tuple[Stage, str]:
    """Keys of which something is said in the words of the scene file."""
    path = path_of(stage, message.actor)
    keys = key_indices(path, message.keys)
    if not message.changes:
        raise KeyposeError(f"Nothing was said of {keys_label(path.keys, keys, message.actor)}. Say what shall change.")
    new = {index: _change_key(stage, message.actor, path.keys, index, message.changes) for index in keys}
    what = join_words([option.replace("_", " ") for option in message.changes])
    new_stage = with_path(stage, message.actor, with_keys(path, new))
    return new_stage, f"{what} of {keys_label(path.keys, keys, message.actor)}"


def apply_effect(stage: Stage, message: commands.ApplyEffect) -> tuple[Stage, str]:
    """Keys with a named effect; chords of an effect they had before go, tangents set by hand stay."""
    path = path_of(stage, message.actor)
    keys = key_indices(path, message.keys)
    new = {}
    for index in keys:
        chords = [side for side in SIDES if isinstance(getattr(path.keys[index], side), str)]
        changes = {**dict.fromkeys(chords), "effect": message.effect}
        new[index] = _change_key(stage, message.actor, path.keys, index, changes)
    new_stage = with_path(stage, message.actor, with_keys(path, new))
    return new_stage, f"{message.effect} at {keys_label(path.keys, keys, message.actor)}"


def key_object(keys: Keys, index: int) -> dict[str, Any]:
    """What one key says, in the words of the scene file; no effect by its name."""
    row = keys.rope.rows(index, index + 1)
    return next(iter(key_objects(Keys(Rope(KeyColumns(1, row.arrays))), {})))


def _change_key(stage: Stage, actor: str, keys: Keys, index: int, changes: dict[str, Any]) -> Key:
    before = key_object(keys, index)
    if changes.get("effect") is not None:  # it says all three anew, where the changes do not say them themselves
        before = {option: value for option, value in before.items() if option not in TCB}
    new_key: Key = parse_as(KEY, merge_options(before, changes), f"keys[{index}]", stage, f"Actor {actor!r}")
    old_key = keys[index]
    if "orientation" not in changes and old_key.orientation is not None:  # as it was, to the last bit and sign
        new_key = new_key.changed(orientation=old_key.orientation)
    if "position" not in changes and old_key.position is not None:
        new_key = new_key.changed(position=np.array(old_key.position))
    return new_key
