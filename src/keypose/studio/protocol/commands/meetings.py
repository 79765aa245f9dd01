"""What can be done to meetings: who is to be where at the same time, and in which order?"""

from typing import Annotated, Any

import msgspec

from keypose.studio.protocol.commands.command import Edit, Name


class AddMeeting(Edit, frozen=True, kw_only=True, tag="add_meeting"):
    """One meeting more, with a goal for each actor.

    A goal is the name of a key, a distance along the path [m], {"turn": "the name of a key"}, or {"key": 2}: a key by
    its number, which gets a name if it has none.
    """

    goals: Annotated[dict[str, Any], msgspec.Meta(min_length=1, max_length=10_000)]
    name: Name | None = None
    """None: one that is free."""
    after: tuple[Name, ...] = ()


class SetMeeting(Edit, frozen=True, kw_only=True, tag="set_meeting"):
    """Say something of a meeting: name, need, of, gate, patience."""

    meeting: Name
    changes: dict[str, Any]


class SetGoal(Edit, frozen=True, kw_only=True, tag="set_goal"):
    """Let an actor of a meeting have another goal, or one more actor come; None: it comes no more."""

    meeting: Name
    actor: Name
    goal: Any


class ConnectMeetings(Edit, frozen=True, kw_only=True, tag="connect_meetings"):
    """Let a meeting wait for another."""

    meeting: Name
    after: Name


class DisconnectMeetings(Edit, frozen=True, kw_only=True, tag="disconnect_meetings"):
    """Let a meeting wait for another no more."""

    meeting: Name
    after: Name


class RemoveMeeting(Edit, frozen=True, kw_only=True, tag="remove_meeting"):
    """Take a meeting out of the script; whoever waited for it waits for what it waited for."""

    meeting: Name
