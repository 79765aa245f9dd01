"""What happens to keys that are grabbed? They are moved, turned, and passed otherwise (KB84 §2, GL95 §3)."""

from typing import Any

import numpy as np

from keypose.curves.key import Key, Turn
from keypose.curves.key_columns import Columns, Keys
from keypose.curves.orientation import Orientation
from keypose.curves.path import edits
from keypose.document.motion.key_columns import SHAPING, SIDES
from keypose.document.motion.key_objects import key_objects
from keypose.document.motion.keys import KEY
from keypose.errors import KeyposeError
from keypose.maths.rope import Rope
from keypose.stage.stage import Stage
from keypose.studio.edits.key_frames import UPRIGHT, Frames
from keypose.studio.edits.labels import called, listed, merged, read_as
from keypose.studio.edits.motions import chosen, path_of, shown_path, with_keys, with_path
from keypose.studio.edits.rounding import as_dragged
from keypose.studio.protocol import commands as say


def moved(stage: Stage, message: say.MoveKeys) -> tuple[Stage, str]:
    """Keys moved by a way in the world; those that only turn stay, and drawings move whole."""
    path = path_of(stage, message.actor)
    keys = chosen(path, message.keys)
    frames = Frames(stage, message.actor, keys, message.time)
    places = path.keys.column("position")
    placed = [] if places is None else [index for index in keys if not np.isnan(places[index].flat[0])]
    if places is None or not placed:
        raise KeyposeError(f"{called(path.keys, keys, message.actor).capitalize()} only turns. Give it a place first.")
    new = {}
    for index in placed:
        by = frames.inside(index, message.by)[: path.shape[-1]]
        new[index] = as_dragged(places[index], by, message.digits)
    return with_path(stage, message.actor, edits.moved(path, new)), f"move {called(path.keys, keys, message.actor)}"


def placed(stage: Stage, message: say.PlaceKeys) -> tuple[Stage, str]:
    """Keys put at numbers of their own; an axis that is not said stays as it is."""
    path = path_of(stage, message.actor)
    keys = chosen(path, message.keys)
    which, to = called(path.keys, keys, message.actor), message.to[: path.shape[-1]]
    if all(value is None for value in to):
        raise KeyposeError(f"Nothing was said of the place of {which}. Give a number for one of its axes.")
    new = {}
    for index in keys:
        key = path.keys[index]
        if key.position is None or key.position.ndim != 1:
            own = called(path.keys, [index], message.actor).capitalize()
            what = "only turns" if key.position is None else "is a drawing of many places"
            raise KeyposeError(f"{own} {what}. Take it out of the selection, or move it by a way.")
        place = [old if value is None else value for old, value in zip(key.position.tolist(), to, strict=True)]
        new[index] = key.changed(position=place)
    return with_path(stage, message.actor, with_keys(path, new)), f"place of {which}"


def turned(stage: Stage, message: say.TurnKeys) -> tuple[Stage, str]:
    """Keys turned about their own places by a turn in the world."""
    path, seen = path_of(stage, message.actor), shown_path(stage, message.actor)
    keys, by = chosen(path, message.keys), Orientation.of(message.by)
    frames = Frames(stage, message.actor, keys, message.time)
    new = {}
    for index in keys:
        frame, key = frames.of(index), path.keys[index]
        own = by if frame is UPRIGHT else frame.inverse() @ by @ frame
        facing = key.orientation
        if facing is None:  # it gets the one it is passed with
            facing = Orientation.of(seen.orientation_at(float(index)))
        if isinstance(facing, Turn):
            rest = {word: getattr(facing, word) for word in (*SHAPING, *SIDES)}
            new[index] = key.changed(orientation=Turn(own @ facing.orientation, **rest))
        else:
            new[index] = key.changed(orientation=own @ facing)
    return with_path(stage, message.actor, with_keys(path, new)), f"turn {called(path.keys, keys, message.actor)}"


def said(stage: Stage, message: say.SetKeys) -> tuple[Stage, str]:
    """Keys of which something is said in the words of the scene file."""
    path = path_of(stage, message.actor)
    keys = chosen(path, message.keys)
    if not message.changes:
        raise KeyposeError(f"Nothing was said of {called(path.keys, keys, message.actor)}. Say what shall change.")
    new = {index: _changed(stage, message.actor, path.keys, index, message.changes) for index in keys}
    what = listed([word.replace("_", " ") for word in message.changes])
    made = with_path(stage, message.actor, with_keys(path, new))
    return made, f"{what} of {called(path.keys, keys, message.actor)}"


def effected(stage: Stage, message: say.ApplyEffect) -> tuple[Stage, str]:
    """Keys with a named effect; chords of an effect they had before go, tangents set by hand stay."""
    path = path_of(stage, message.actor)
    keys = chosen(path, message.keys)
    new = {}
    for index in keys:
        chords = [side for side in SIDES if isinstance(getattr(path.keys[index], side), str)]
        changes = {**dict.fromkeys(chords), "effect": message.effect}
        new[index] = _changed(stage, message.actor, path.keys, index, changes)
    made = with_path(stage, message.actor, with_keys(path, new))
    return made, f"{message.effect} at {called(path.keys, keys, message.actor)}"


def key_object(keys: Keys, index: int) -> dict[str, Any]:
    """What one key says, in the words of the scene file; no effect by its name."""
    row = keys.rope.rows(index, index + 1)
    return next(iter(key_objects(Keys(Rope(Columns(1, row.of))), {})))


def _changed(stage: Stage, actor: str, keys: Keys, index: int, changes: dict[str, Any]) -> Key:
    before = key_object(keys, index)
    if changes.get("effect") is not None:  # it says all three anew, where the changes do not say them themselves
        before = {word: value for word, value in before.items() if word not in SHAPING}
    made: Key = read_as(KEY, merged(before, changes), f"keys[{index}]", stage, f"Actor {actor!r}")
    kept = keys[index]
    if "orientation" not in changes and kept.orientation is not None:  # as it was, to the last bit and sign
        made = made.changed(orientation=kept.orientation)
    if "position" not in changes and kept.position is not None:
        made = made.changed(position=np.array(kept.position))
    return made
