"""Events of a run or a take: what happened, when, to which actor."""

from dataclasses import dataclass, field
from typing import Literal, get_args

from keypose.errors import KeyposeError, short_repr
from keypose.maths import Vec3, parse_choice, parse_number, parse_vector

EVENT_KINDS = ("note", "warning")

MeetingState = Literal["active", "reached", "done", "late", "failed"]
MEETING_STATES: tuple[str, ...] = get_args(MeetingState)


@dataclass(frozen=True)
class Event:
    """Something that happened during a run: when [s], to which actor, in words, and whether it is a warning."""

    time: float
    actor: str
    text: str
    kind: Literal["note", "warning"] = "note"
    about: str = field(default="", repr=False, compare=False)
    """Its subject, for live display: a later event of the same actor and subject replaces this one."""

    def __post_init__(self) -> None:
        self.__dict__["time"] = parse_number(self.time, "The time of an event")
        for name in ("actor", "text", "about"):
            if not isinstance(getattr(self, name), str):
                raise KeyposeError(f"An event has {name}={short_repr(getattr(self, name))}. Give text.")
        parse_choice(self.kind, EVENT_KINDS, "An event has kind")


@dataclass(frozen=True)
class CollisionEvent(Event):
    """Two bodies came into contact: the other body, the contact point [m], and the closing speed [m/s]."""

    other: str = ""
    place: Vec3 = (0.0, 0.0, 0.0)
    speed: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.other, str):
            raise KeyposeError(f"A collision has other={short_repr(self.other)}. Give the name of the other body.")
        self.__dict__["place"] = parse_vector(self.place, "The contact point of a collision")
        self.__dict__["speed"] = parse_number(self.speed, "The speed of a collision")


@dataclass(frozen=True)
class MeetingEvent(Event):
    """A meeting changed its state, or an actor reached its goal of the meeting (state "reached")."""

    meeting: str = ""
    state: MeetingState = "active"

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.meeting, str):
            raise KeyposeError(f"An event has meeting={short_repr(self.meeting)}. Give the name of a meeting.")
        parse_choice(self.state, MEETING_STATES, "An event of a meeting has state")
