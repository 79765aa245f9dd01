"""What does a tangent handle do? Dragged, it sets a tangent by hand, until TCB takes over again (GL95 §3)."""

import numpy as np

from keypose.curves.key import Turn
from keypose.errors import KeyposeError
from keypose.stage.stage import Stage
from keypose.studio.edits.key_frames import Frames
from keypose.studio.edits.labels import called
from keypose.studio.edits.motions import chosen, path_of, shown_path, with_keys, with_path
from keypose.studio.edits.rounding import as_dragged
from keypose.studio.protocol import commands as say

SIDES = {"arrive": ("arrive",), "leave": ("leave",), "both": ("arrive", "leave")}


def dragged(stage: Stage, message: say.DragTangent) -> tuple[Stage, str]:
    """A tangent set by hand. That of a drawing is the mean of its points': they keep their differences."""
    path, seen = path_of(stage, message.actor), shown_path(stage, message.actor)
    index = path.keys.index(message.key)
    key, which = path.keys[index], called(path.keys, [index], message.actor)
    if key.position is None:
        raise KeyposeError(f"{which.capitalize()} only turns and has no tangent. Give it a place first.")
    to = Frames(stage, message.actor, [index], message.time).inside(index, message.to)[: path.shape[-1]]
    to = as_dragged(np.zeros_like(to), to, message.digits)
    changes = {}
    for side in SIDES[message.side]:
        now = getattr(seen, side)[index]
        changes[side] = to if now.ndim == 1 else now + (to - np.mean(now, axis=0))
    sides = "tangents" if message.side == "both" else f"{message.side} tangent"
    return with_path(stage, message.actor, with_keys(path, {index: key.changed(**changes)})), f"{sides} of {which}"


def back_to_tcb(stage: Stage, message: say.BackToTcb) -> tuple[Stage, str]:
    """Keys without tangents by hand, in place and in turn."""
    path = path_of(stage, message.actor)
    keys = chosen(path, message.keys)
    which, new = called(path.keys, keys, message.actor), {}
    for index in keys:
        key = path.keys[index]
        turn = key.orientation
        by_hand = isinstance(turn, Turn) and (turn.arrive is not None or turn.leave is not None)
        if key.arrive is None and key.leave is None and not by_hand:
            continue
        if isinstance(turn, Turn) and by_hand:
            turn = Turn(turn.orientation, tension=turn.tension, continuity=turn.continuity, bias=turn.bias)
            plain = turn.tension is None and turn.continuity is None and turn.bias is None
            turn = turn.orientation if plain else turn
        new[index] = key.changed(arrive=None, leave=None, orientation=turn)
    if not new:
        raise KeyposeError(f"No tangent is set by hand at {which}. Tension, continuity and bias shape it already.")
    return with_path(stage, message.actor, with_keys(path, new)), f"back to TCB at {which}"
