"""What does a tangent handle do? Dragged, it sets a tangent by hand, until TCB takes over again (GL95 §3)."""

import numpy as np

from keypose.curves import Turn
from keypose.errors import KeyposeError
from keypose.stage import Stage
from keypose.studio.edits.drag_precision import round_drag
from keypose.studio.edits.key_frames import KeyFrameOrientations
from keypose.studio.edits.labels import keys_label
from keypose.studio.edits.motions import effective_path, key_indices, path_of, with_keys, with_path
from keypose.studio.protocol import commands

SIDES = {"arrive": ("arrive",), "leave": ("leave",), "both": ("arrive", "leave")}


def drag_tangent(stage: Stage, message: commands.DragTangent) -> tuple[Stage, str]:
    """A tangent set by hand. That of a drawing is the mean of its points': they keep their differences."""
    path, shown = path_of(stage, message.actor), effective_path(stage, message.actor)
    index = path.keys.index(message.key)
    key, label = path.keys[index], keys_label(path.keys, [index], message.actor)
    if key.position is None:
        raise KeyposeError(f"{label.capitalize()} only turns and has no tangent. Give it a place first.")
    to = KeyFrameOrientations(stage, message.actor, [index], message.time).to_local(index, message.to)[: path.shape[-1]]
    to = round_drag(np.zeros_like(to), to, message.digits)
    changes = {}
    for side in SIDES[message.side]:
        tangent = getattr(shown, side)[index]
        changes[side] = to if tangent.ndim == 1 else tangent + (to - np.mean(tangent, axis=0))
    sides = "tangents" if message.side == "both" else f"{message.side} tangent"
    return with_path(stage, message.actor, with_keys(path, {index: key.changed(**changes)})), f"{sides} of {label}"


def back_to_tcb(stage: Stage, message: commands.BackToTcb) -> tuple[Stage, str]:
    """Keys without tangents by hand, in place and in turn."""
    path = path_of(stage, message.actor)
    keys = key_indices(path, message.keys)
    label, new = keys_label(path.keys, keys, message.actor), {}
    for index in keys:
        key = path.keys[index]
        orientation = key.orientation
        is_manual = isinstance(orientation, Turn) and (orientation.arrive is not None or orientation.leave is not None)
        if key.arrive is None and key.leave is None and not is_manual:
            continue
        if isinstance(orientation, Turn) and is_manual:
            orientation = Turn(
                orientation.orientation,
                tension=orientation.tension,
                continuity=orientation.continuity,
                bias=orientation.bias,
            )
            has_no_tcb = orientation.tension is None and orientation.continuity is None and orientation.bias is None
            orientation = orientation.orientation if has_no_tcb else orientation
        new[index] = key.changed(arrive=None, leave=None, orientation=orientation)
    if not new:
        raise KeyposeError(f"No tangent is set by hand at {label}. Tension, continuity and bias shape it already.")
    return with_path(stage, message.actor, with_keys(path, new)), f"back to TCB at {label}"
