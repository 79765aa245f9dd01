"""Which way does a key face, in degrees a person can type? A turn to its left, then a nod down, a tilt to its right.

That is `Orientation.from_euler((turn, nod, tilt), "YXZ")` for whoever looks along +Z with +Y up. Where it looks
straight up or down, turn and tilt are the same: there it is said as a turn.
"""

import numpy as np

from keypose.curves.key import Turn
from keypose.curves.orientation import Orientation
from keypose.document.motion.key_columns import SHAPING, SIDES
from keypose.errors import KeyposeError
from keypose.maths import quaternion
from keypose.maths.arrays import Floats
from keypose.stage.stage import Stage
from keypose.studio.edits.labels import called
from keypose.studio.edits.motions import chosen, path_of, shown_path, with_keys, with_path
from keypose.studio.protocol import commands as say

ORDER = "YXZ"
UPRIGHT = 1 - 1e-12  # of the sine of a nod: beyond it, it looks straight up or down


def degrees_of(facings: Floats) -> Floats:
    """Facings (n, 4) as turn, nod and tilt, (n, 3) degrees; those that are not set stay so."""
    axes = [quaternion.rotate(facings, np.broadcast_to(axis, (len(facings), 3))) for axis in np.eye(3)]
    (x0, x1, x2), (_, y1, _), (z0, z1, z2) = (axis.T for axis in axes)
    steep = np.abs(z1) > UPRIGHT
    turn = np.where(steep, np.arctan2(-x2, x0), np.arctan2(z0, z2))
    nod = np.arcsin(np.clip(-z1, -1, 1))
    tilt = np.where(steep, 0.0, np.arctan2(x1, y1))
    degrees: Floats = np.degrees(np.stack([turn, nod, tilt], axis=1)) + 0.0  # no minus before nought
    return degrees


def faced(stage: Stage, message: say.FaceKeys) -> tuple[Stage, str]:
    """Keys that face another way; an angle that is not said stays each key's own."""
    path, seen = path_of(stage, message.actor), shown_path(stage, message.actor)
    keys = chosen(path, message.keys)
    which = called(path.keys, keys, message.actor)
    if all(angle is None for angle in message.degrees):
        raise KeyposeError(f"Nothing was said of the facing of {which}. Give its turn, nod or tilt in degrees.")
    new = {}
    for index in keys:
        key = path.keys[index]
        facing = key.orientation
        if facing is None:  # it gets the one it is passed with
            facing = Orientation.of(seen.orientation_at(float(index)))
        own = facing.orientation if isinstance(facing, Turn) else facing
        angles = degrees_of(own.wxyz[np.newaxis])[0]
        said = [float(old) if angle is None else angle for old, angle in zip(angles, message.degrees, strict=True)]
        made = Orientation.from_euler(said, ORDER)
        if np.dot(made.wxyz, own.wxyz) < 0:  # of both signs of a facing, the one it had
            made = Orientation.of(-made.wxyz)
        if isinstance(facing, Turn):
            rest = {word: getattr(facing, word) for word in (*SHAPING, *SIDES)}
            new[index] = key.changed(orientation=Turn(made, **rest))
        else:
            new[index] = key.changed(orientation=made)
    return with_path(stage, message.actor, with_keys(path, new)), f"facing of {which}"
