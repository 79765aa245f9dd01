"""How is a drawing changed? Its points are moved or drawn anew; every key of a path has as many of them (BH89)."""

import numpy as np

from keypose.curves import Key, MotionPath
from keypose.errors import KeyposeError
from keypose.stage import Stage
from keypose.studio.edits.drag_precision import round_drag
from keypose.studio.edits.key_frames import KeyFrameOrientations
from keypose.studio.edits.labels import keys_label
from keypose.studio.edits.motions import path_of, with_keys, with_path
from keypose.studio.protocol import commands


def move_points(stage: Stage, message: commands.MovePoints) -> tuple[Stage, str]:
    """Some points of a drawing moved, in its plane or in space."""
    path = path_of(stage, message.actor)
    index, key, label = _find_drawing(path, message.key, message.actor)
    points, count = sorted(set(message.points)), path.shape[0]
    if points[-1] >= count or points[0] < 0:
        bad_point = next(point for point in points if not 0 <= point < count)
        raise KeyposeError(f"There is no point {bad_point} in {label}. It has points 0 … {count - 1}.")
    positions = np.array(key.position)
    by = np.array(message.by)
    if message.in_world:
        by = KeyFrameOrientations(stage, message.actor, [index]).to_local(index, message.by)
    by = by[: path.shape[-1]]
    positions[points] = round_drag(positions[points], by, message.digits)
    what = f"point {points[0]}" if len(points) == 1 else f"{len(points)} points"
    new_path = with_keys(path, {index: key.changed(position=positions)})
    return with_path(stage, message.actor, new_path), f"move {what} in {label}"


def draw_points(stage: Stage, message: commands.DrawPoints) -> tuple[Stage, str]:
    """A key's drawing anew, with as many points."""
    path = path_of(stage, message.actor)
    index, key, label = _find_drawing(path, message.key, message.actor)
    if len(message.places) != path.shape[0]:
        raise KeyposeError(
            f"{label.capitalize()} was drawn with {len(message.places)} points, but every key of this path has "
            f"{path.shape[0]}. Draw it with {path.shape[0]} points."
        )
    positions = np.array(message.places, dtype=np.float64)[:, : path.shape[-1]]
    if message.digits is not None:
        old = np.array(key.position)
        positions = round_drag(old, positions - old, message.digits)
    new_path = with_keys(path, {index: key.changed(position=positions)})
    return with_path(stage, message.actor, new_path), f"draw {label}"


def _find_drawing(path: MotionPath, key_index: int, actor: str) -> tuple[int, Key, str]:
    """A key that is a drawing, and what it is called."""
    index = path.keys.index(key_index)
    key, label = path.keys[index], keys_label(path.keys, [index], actor)
    if key.position is None or key.position.ndim != 2:
        raise KeyposeError(f"{label.capitalize()} is no drawing and has no points. Move the key itself.")
    return index, key, label
