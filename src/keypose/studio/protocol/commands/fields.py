"""What can be done to fields, and to those who sense them?"""

from typing import Annotated, Any, Literal

import msgspec

from keypose.maths import Vec3, Vec4
from keypose.studio.protocol.commands.command import Command, Digits, Edit, Index, Name, Names

PartialVector = tuple[float | None, float | None, float | None]
NO_CHANGE: PartialVector = (None, None, None)


class AddField(Edit, frozen=True, kw_only=True, tag="add_field"):
    """One more field or tracker on the stage, as the scene file writes one."""

    name: Name
    field: Any


class RemoveField(Edit, frozen=True, kw_only=True, tag="remove_field"):
    """Take a field off the stage; the links of all who sensed it go with it."""

    field: Name


class RenameField(Edit, frozen=True, kw_only=True, tag="rename_field"):
    """Call a field something else; whoever senses it follows."""

    field: Name
    name: Name


class SetField(Edit, frozen=True, kw_only=True, tag="set_field"):
    """What a field is, anew and as a whole, as the scene file writes one."""

    field: Name
    value: Any


class MoveField(Edit, frozen=True, kw_only=True, tag="move_field"):
    """Move a field by a way in the world [m]; a carried one in its carrier's frame, as that is at `time` [s]."""

    field: Name
    by: Vec3
    time: float = 0.0
    digits: Digits | None = None


class TurnField(Edit, frozen=True, kw_only=True, tag="turn_field"):
    """Turn a field about its own place, by a turn in the world."""

    field: Name
    by: Vec4
    time: float = 0.0


class StretchField(Edit, frozen=True, kw_only=True, tag="stretch_field"):
    """Stretch a field about its own place, by a factor along each of its own axes."""

    field: Name
    by: Vec3
    time: float = 0.0
    digits: Digits | None = None


class PlaceField(Edit, frozen=True, kw_only=True, tag="place_field"):
    """Say in numbers where a field is, as its carrier sees it; what is None stays as it is.

    `to` is its place [m], `degrees` its turn to the left, nod down and tilt to the right, `stretch` how many times as
    large it is along its own axes. Whoever carries parts of it is seen as at `time` [s].
    """

    field: Name
    part: Index | None = None
    """Which of the fields that add up; None: all of it."""
    to: PartialVector = NO_CHANGE
    degrees: PartialVector = NO_CHANGE
    stretch: PartialVector = NO_CHANGE
    time: float = 0.0


class NameSensed(Edit, frozen=True, kw_only=True, tag="name_sensed"):
    """Put on the stage what somebody senses of its own, under a name; all who sense the same sense it by that name."""

    actor: Name
    field: Any
    """As the scene file writes it."""
    name: Name


class LinkActors(Edit, frozen=True, kw_only=True, tag="link_actors"):
    """Let dynamic splines, followers and free bodies sense a field: its name, or one of their own as a file writes it.

    `affinity` 0 … 1 says how strongly; None cuts the link.
    """

    actors: Names
    field: Any
    affinity: float | None


class SetSplines(Edit, frozen=True, kw_only=True, tag="set_splines"):
    """Say something of dynamic splines: velocity, friction, continuity and so on, in words of the scene file."""

    actors: Names
    changes: dict[str, Any]


class MoveSplines(Edit, frozen=True, kw_only=True, tag="move_splines"):
    """Let dynamic splines begin elsewhere, by a way in the world [m]."""

    actors: Names
    by: Vec3
    digits: Digits | None = None


class KeepPointer(Edit, frozen=True, kw_only=True, tag="keep_pointer"):
    """Give the actor "pointer" the way the mouse led it in this page's live run, as a motion."""


class ShowFields(Command, frozen=True, kw_only=True, tag="show_fields"):
    """Whose arrows this page wants to see, as far as `reach` [m] around each."""

    fields: Annotated[tuple[Name, ...], msgspec.Meta(max_length=64)]
    reach: float


class CheckFormula(Command, frozen=True, kw_only=True, tag="check_formula"):
    """What is wrong with a formula while it is being typed? Answered by `FormulaChecked`."""

    kind: Literal["formula", "potential", "keep"]
    text: Annotated[str, msgspec.Meta(max_length=100_000)]
    parameters: dict[str, Any] = msgspec.field(default_factory=dict)
