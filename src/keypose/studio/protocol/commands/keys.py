"""What can be done to keys and drawings?"""

from typing import Annotated, Any

import msgspec

from keypose.maths import Vec3, Vec4
from keypose.studio.protocol.commands.command import Digits, Edit, Index, Indices, Name, Side


class MoveKeys(Edit, frozen=True, kw_only=True, tag="move_keys"):
    """Move keys by a way in the world [m], as it was when the gesture began."""

    actor: Name
    keys: Indices
    by: Vec3
    time: float | None = None
    """The moment [s] at which what carries the keys is looked at. None: each key when it is passed, as it is shown."""
    digits: Digits | None = None


class TurnKeys(Edit, frozen=True, kw_only=True, tag="turn_keys"):
    """Turn keys about their own places, by a turn in the world."""

    actor: Name
    keys: Indices
    by: Vec4
    time: float | None = None


class PlaceKeys(Edit, frozen=True, kw_only=True, tag="place_keys"):
    """Put keys at numbers [m], as the scene file writes their places; an axis that is None stays each key's own."""

    actor: Name
    keys: Indices
    to: tuple[float | None, float | None, float | None]


class FaceKeys(Edit, frozen=True, kw_only=True, tag="face_keys"):
    """Let keys face another way: turn to its left, nod down, tilt to its right; what is None stays each key's own."""

    actor: Name
    keys: Indices
    degrees: tuple[float | None, float | None, float | None]


class DragTangent(Edit, frozen=True, kw_only=True, tag="drag_tangent"):
    """Set a tangent by hand: dP/du as a vector in the world."""

    actor: Name
    key: Index
    side: Side
    to: Vec3
    time: float | None = None
    digits: Digits | None = None


class SetKeys(Edit, frozen=True, kw_only=True, tag="set_keys"):
    """Say something of several keys; None unsays it. Words and values are those of the scene file."""

    actor: Name
    keys: Indices
    changes: dict[str, Any]


class BackToTcb(Edit, frozen=True, kw_only=True, tag="back_to_tcb"):
    """Let tension, continuity and bias shape these keys again; tangents by hand are lost."""

    actor: Name
    keys: Indices


class ApplyEffect(Edit, frozen=True, kw_only=True, tag="apply_effect"):
    """Give keys a named effect, built in or the scene's own."""

    actor: Name
    keys: Indices
    effect: Name


class InsertKey(Edit, frozen=True, kw_only=True, tag="insert_key"):
    """A new key on the curve, which keeps its shape."""

    actor: Name
    u: float
    time: float | None = None
    """The moment [s] at which the rough path of a follower is seen, if others carry some of its keys."""


class DeleteKeys(Edit, frozen=True, kw_only=True, tag="delete_keys"):
    """Take keys away."""

    actor: Name
    keys: Indices


class PasteKeys(Edit, frozen=True, kw_only=True, tag="paste_keys"):
    """Put copied keys, as the scene file writes them, behind a key; -1 is the front."""

    actor: Name
    after: Annotated[int, msgspec.Meta(ge=-1)]
    keys: Annotated[tuple[dict[str, Any], ...], msgspec.Meta(min_length=1, max_length=100_000)]


class ShiftKey(Edit, frozen=True, kw_only=True, tag="shift_key"):
    """Bring a key to another place in the order of keys."""

    actor: Name
    key: Index
    to: Index


class MovePoints(Edit, frozen=True, kw_only=True, tag="move_points"):
    """Move corresponding points of one drawing, in its plane or in space."""

    actor: Name
    key: Index
    points: Indices
    by: Vec3
    in_world: bool = False
    """Whether that is a way in the world, as points are grasped in the views; else in the drawing's own numbers."""
    digits: Digits | None = None


class DrawPoints(Edit, frozen=True, kw_only=True, tag="draw_points"):
    """Draw a key's drawing anew; every key of the path keeps the same number of points."""

    actor: Name
    key: Index
    places: tuple[Vec3, ...]
    digits: Digits | None = None
