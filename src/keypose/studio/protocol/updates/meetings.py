"""What is a page told of meetings? Who is to be where, in which order, and what became of them."""

from typing import Literal

import msgspec


class GoalView(msgspec.Struct, frozen=True, kw_only=True):
    """Where one of those who meet is to be."""

    actor: str
    """A part of a figure as "arm/hand"."""
    key: str | None
    """The name of a key of its path; None where a distance is said."""
    distance: float | None
    """Along its path [m]; None where a key is said."""
    is_orientation: bool
    """Whether the goal is the orientation of that key, not its position."""


class MeetingView(msgspec.Struct, frozen=True, kw_only=True):
    """Some who are to reach their goals at the same time."""

    name: str
    goals: tuple[GoalView, ...]
    after: tuple[str, ...]
    """The meetings it waits for."""
    need: int | None
    """How many of those; None is all."""
    of: Literal["targets", "bodies"]
    gate: bool
    """Whether nobody passes before it is active."""
    patience: float
    """[s]"""


class MeetingEventView(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a meeting at a moment."""

    time: float
    meeting: str
    actor: str
    state: Literal["active", "reached", "done", "late", "failed"]
    text: str
    """In a sentence."""
