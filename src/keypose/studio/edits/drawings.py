"""How is a drawing changed? Its points are moved or drawn anew; every key of a path has as many of them (BH89)."""

import numpy as np

from keypose.curves.key import Key
from keypose.curves.path.motion_path import MotionPath
from keypose.errors import KeyposeError
from keypose.stage.stage import Stage
from keypose.studio.edits.key_frames import Frames
from keypose.studio.edits.labels import called
from keypose.studio.edits.motions import path_of, with_keys, with_path
from keypose.studio.edits.rounding import as_dragged
from keypose.studio.protocol import commands as say


def points_moved(stage: Stage, message: say.MovePoints) -> tuple[Stage, str]:
    """Some points of a drawing moved, in its plane or in space."""
    path = path_of(stage, message.actor)
    index, key, which = _drawing(path, message.key, message.actor)
    points, count = sorted(set(message.points)), path.shape[0]
    if points[-1] >= count or points[0] < 0:
        wrong = next(point for point in points if not 0 <= point < count)
        raise KeyposeError(f"There is no point {wrong} in {which}. It has points 0 … {count - 1}.")
    places = np.array(key.position)
    by = np.array(message.by)
    if message.in_world:
        by = Frames(stage, message.actor, [index]).inside(index, message.by)
    by = by[: path.shape[-1]]
    places[points] = as_dragged(places[points], by, message.digits)
    what = f"point {points[0]}" if len(points) == 1 else f"{len(points)} points"
    made = with_keys(path, {index: key.changed(position=places)})
    return with_path(stage, message.actor, made), f"move {what} in {which}"


def drawn(stage: Stage, message: say.DrawPoints) -> tuple[Stage, str]:
    """A key's drawing anew, with as many points."""
    path = path_of(stage, message.actor)
    index, key, which = _drawing(path, message.key, message.actor)
    if len(message.places) != path.shape[0]:
        raise KeyposeError(
            f"{which.capitalize()} was drawn with {len(message.places)} points, but every key of this path has "
            f"{path.shape[0]}. Draw it with {path.shape[0]} points."
        )
    places = np.array(message.places, dtype=np.float64)[:, : path.shape[-1]]
    if message.digits is not None:
        old = np.array(key.position)
        places = as_dragged(old, places - old, message.digits)
    made = with_keys(path, {index: key.changed(position=places)})
    return with_path(stage, message.actor, made), f"draw {which}"


def _drawing(path: MotionPath, asked: int, actor: str) -> tuple[int, Key, str]:
    """A key that is a drawing, and what it is called."""
    index = path.keys.index(asked)
    key, which = path.keys[index], called(path.keys, [index], actor)
    if key.position is None or key.position.ndim != 2:
        raise KeyposeError(f"{which.capitalize()} is no drawing and has no points. Move the key itself.")
    return index, key, which
