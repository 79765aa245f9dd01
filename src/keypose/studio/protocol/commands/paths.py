"""What can be done to a whole path, and to its speed?"""

from typing import Any

from keypose.studio.protocol.commands.command import Edit, Index, Name


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
