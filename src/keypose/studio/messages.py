"""What can a page say to the studio? Every gesture is one message, declared here and nowhere else.

TypeScript's types are made from these (`generate_ts`). Reading is strict: an unknown field, a wrong type or a number
that is none is refused with a sentence before anything looks at the message. What a *gesture* does is told again and
again while it lasts, each time as a whole since it began: so a newer message replaces an older one.
"""

from typing import Annotated, Any, Literal

import msgspec

Vector = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]
"""w x y z"""
Index = Annotated[int, msgspec.Meta(ge=0)]
Indices = Annotated[tuple[Index, ...], msgspec.Meta(min_length=1, max_length=100_000)]
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=1000)]
Side = Literal["arrive", "leave", "both"]
Digits = Annotated[int, msgspec.Meta(ge=-12, le=12)]
"""Behind the point, below nought before it: to how many a dragged number is rounded, far below what can be seen."""


class Message(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag=True, kw_only=True):
    """Anything a page says. `id` comes back in the answer."""

    id: Index


class Edit(Message, frozen=True, kw_only=True):
    """A change to the document, undone by name. Messages of one `gesture` are undone together."""

    gesture: str | None = None


# ---- keys ------------------------------------------------------------------------------------------------------------


class MoveKeys(Edit, frozen=True, kw_only=True, tag="move_keys"):
    """Move keys by a way in the world [m], as it was when the gesture began."""

    actor: Name
    keys: Indices
    by: Vector
    time: float | None = None
    """The moment [s] at which what carries the keys is looked at. None: each key when it is passed, as it is shown."""
    digits: Digits | None = None


class TurnKeys(Edit, frozen=True, kw_only=True, tag="turn_keys"):
    """Turn keys about their own places, by a turn in the world."""

    actor: Name
    keys: Indices
    by: Quaternion
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
    to: Vector
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
    by: Vector
    in_world: bool = False
    """Whether that is a way in the world, as points are grasped in the views; else in the drawing's own numbers."""
    digits: Digits | None = None


class DrawPoints(Edit, frozen=True, kw_only=True, tag="draw_points"):
    """Draw a key's drawing anew; every key of the path keeps the same number of points."""

    actor: Name
    key: Index
    places: tuple[Vector, ...]
    digits: Digits | None = None


# ---- paths and speeds ------------------------------------------------------------------------------------------------


class SetPath(Edit, frozen=True, kw_only=True, tag="set_path"):
    """Say something of the whole path: tension, closed, ends, adjust and so on."""

    actor: Name
    changes: dict[str, Any]


class SetMotion(Edit, frozen=True, kw_only=True, tag="set_motion"):
    """Say something of the motion: duration, start, outside."""

    actor: Name
    changes: dict[str, Any]


class SetSpeed(Edit, frozen=True, kw_only=True, tag="set_speed"):
    """Draw the speed anew, by its control values. None: steady, or by the keys' own times."""

    actor: Name
    values: tuple[float, ...] | None


class RaiseSpeed(Edit, frozen=True, kw_only=True, tag="raise_speed"):
    """Drag one control value of the drawn speed."""

    actor: Name
    index: Index
    value: float


class InsertSpeed(Edit, frozen=True, kw_only=True, tag="insert_speed"):
    """One more control value at x = 0 … 1 of the duration."""

    actor: Name
    x: float
    value: float


class DeleteSpeed(Edit, frozen=True, kw_only=True, tag="delete_speed"):
    """One control value less."""

    actor: Name
    index: Index


class NudgeKey(Edit, frozen=True, kw_only=True, tag="nudge_key"):
    """Pass a key some frames later, or earlier if negative (BH89 §6)."""

    actor: Name
    key: Index
    frames: int
    fps: float = 24.0


class TimeKey(Edit, frozen=True, kw_only=True, tag="time_key"):
    """Pin a key to a moment [s] at which it is passed; None frees it, and its speed says when."""

    actor: Name
    key: Index
    time: float | None


# ---- the cast --------------------------------------------------------------------------------------------------------


class AddActor(Edit, frozen=True, kw_only=True, tag="add_actor"):
    """A new actor, as the scene file writes one."""

    actor: dict[str, Any]


class RemoveActor(Edit, frozen=True, kw_only=True, tag="remove_actor"):
    """Take an actor off the stage; those who need it are named in the refusal."""

    actor: Name


class RenameActor(Edit, frozen=True, kw_only=True, tag="rename_actor"):
    """Call an actor something else; whoever speaks of it follows."""

    actor: Name
    name: Name


class SetActor(Edit, frozen=True, kw_only=True, tag="set_actor"):
    """Say something of an actor: parent, facing, look."""

    actor: Name
    changes: dict[str, Any]


class DefineEffect(Edit, frozen=True, kw_only=True, tag="define_effect"):
    """A named effect of the scene's own; no values take it away."""

    name: Name
    values: dict[str, float]


class SetScene(Edit, frozen=True, kw_only=True, tag="set_scene"):
    """The whole scene, as the scene file writes it."""

    scene: dict[str, Any]


# ---- the document ----------------------------------------------------------------------------------------------------


class Undo(Message, frozen=True, kw_only=True, tag="undo"):
    """Take the last change back."""


class Redo(Message, frozen=True, kw_only=True, tag="redo"):
    """Do it again."""


class CancelGesture(Message, frozen=True, kw_only=True, tag="cancel_gesture"):
    """Take a gesture back as if it had never begun: there is nothing to redo. One that did nothing leaves nothing."""

    gesture: Name


class New(Message, frozen=True, kw_only=True, tag="new"):
    """Begin an empty scene."""


class Open(Message, frozen=True, kw_only=True, tag="open"):
    """Open a scene file of the studio's folder."""

    file: Name


class OpenExample(Message, frozen=True, kw_only=True, tag="open_example"):
    """Open one of the example scenes, unsaved."""

    name: Name


class Save(Message, frozen=True, kw_only=True, tag="save"):
    """Save where it was opened; `file`: save as."""

    file: Name | None = None


class Recover(Message, frozen=True, kw_only=True, tag="recover"):
    """Take up the edits that were not saved when the studio last ended, or leave them."""

    take: bool


class Export(Message, frozen=True, kw_only=True, tag="export"):
    """Shoot and write a take, by the file's ending."""

    file: Name
    fps: float = 24.0
    seconds: float | None = None


class CancelExport(Message, frozen=True, kw_only=True, tag="cancel_export"):
    """Stop writing; nothing is left of it."""


# ---- time ------------------------------------------------------------------------------------------------------------


class Play(Message, frozen=True, kw_only=True, tag="play"):
    """Show poses from now on, as time goes by. `speed` is negative backwards."""

    time: float
    speed: float = 1.0
    repeat: Literal["once", "cycle", "ping-pong"] = "once"


class Pause(Message, frozen=True, kw_only=True, tag="pause"):
    """Stop where it is."""


class Seek(Message, frozen=True, kw_only=True, tag="seek"):
    """Show the poses at a moment [s]."""

    time: float


class Ping(Message, frozen=True, kw_only=True, tag="ping"):
    """Nothing: shows how long the way there and back takes."""


class Hello(Message, frozen=True, kw_only=True, tag="hello"):
    """What is on screen: frames per second of trails and stripes."""

    fps: float = 24.0


AnyMessage = (
    MoveKeys | TurnKeys | PlaceKeys | FaceKeys | DragTangent | SetKeys | BackToTcb | ApplyEffect | InsertKey
    | DeleteKeys | PasteKeys | ShiftKey | MovePoints | DrawPoints | SetPath | SetMotion | SetSpeed | RaiseSpeed
    | InsertSpeed | DeleteSpeed | NudgeKey | TimeKey | AddActor | RemoveActor | RenameActor | SetActor | DefineEffect
    | SetScene | Undo | Redo | CancelGesture | New | Open | OpenExample | Save | Recover | Export | CancelExport | Play
    | Pause | Seek | Ping | Hello
)  # fmt: skip
