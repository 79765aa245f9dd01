"""Which way does a key face, in degrees a person can type? A turn to its left, then a nod down, a tilt to its right.

That is `Orientation.from_euler((turn, nod, tilt), "YXZ")` for whoever looks along +Z with +Y up. Where it looks
straight up or down, turn and tilt are the same: there it is said as a turn.
"""

import numpy as np

from keypose.curves import Orientation, Turn
from keypose.document import SIDES, TCB
from keypose.errors import KeyposeError
from keypose.maths import Floats, quaternion
from keypose.stage import Stage
from keypose.studio.edits.labels import keys_label
from keypose.studio.edits.motions import effective_path, key_indices, path_of, with_keys, with_path
from keypose.studio.protocol import commands

EULER_ORDER = "YXZ"


def euler_degrees(orientations: Floats) -> Floats:
    """Facings (n, 4) as turn, nod and tilt, (n, 3) degrees; those that are not set stay so."""
    degrees: Floats = np.degrees(quaternion.to_euler(orientations, EULER_ORDER)) + 0.0  # no minus before nought
    return degrees


def face_keys(stage: Stage, message: commands.FaceKeys) -> tuple[Stage, str]:
    """Keys that face another way; an angle that is not said stays each key's own."""
    path, shown = path_of(stage, message.actor), effective_path(stage, message.actor)
    keys = key_indices(path, message.keys)
    label = keys_label(path.keys, keys, message.actor)
    if all(angle is None for angle in message.degrees):
        raise KeyposeError(f"Nothing was said of the facing of {label}. Give its turn, nod or tilt in degrees.")
    new = {}
    for index in keys:
        key = path.keys[index]
        orientation = key.orientation
        if orientation is None:  # it gets the one it is passed with
            orientation = Orientation.of(shown.orientation_at(float(index)))
        old_orientation = orientation.orientation if isinstance(orientation, Turn) else orientation
        angles = euler_degrees(old_orientation.wxyz[np.newaxis])[0]
        new_angles = [
            float(old) if angle is None else angle for old, angle in zip(angles, message.degrees, strict=True)
        ]
        new_orientation = Orientation.from_euler(new_angles, EULER_ORDER)
        if np.dot(new_orientation.wxyz, old_orientation.wxyz) < 0:  # of both signs of a facing, the one it had
            new_orientation = Orientation.of(-new_orientation.wxyz)
        if isinstance(orientation, Turn):
            tcb_options = {option: getattr(orientation, option) for option in (*TCB, *SIDES)}
            new[index] = key.changed(orientation=Turn(new_orientation, **tcb_options))
        else:
            new[index] = key.changed(orientation=new_orientation)
    return with_path(stage, message.actor, with_keys(path, new)), f"facing of {label}"
