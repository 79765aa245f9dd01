"""What is told of a meeting? When it became active, who came when, and whether it was kept."""

from dataclasses import dataclass
from typing import Literal, get_args

from keypose.motion import Event

MeetingState = Literal["active", "reached", "done", "late", "failed"]
MEETING_STATES: tuple[str, ...] = get_args(MeetingState)


@dataclass(frozen=True)
class MeetingEvent(Event):
    """What became of a meeting: it is `active`, `late`, `done` or has `failed`; or an actor has `reached` its goal."""

    meeting: str = ""
    state: MeetingState = "active"


def meeting_event(time: float, actor: str, meeting: str, state: MeetingState, text: str) -> MeetingEvent:
    """Something to tell of a meeting, and of an actor in it."""
    kind: Literal["note", "warning"] = "warning" if state in ("late", "failed") else "note"
    about = f"meeting {meeting}" if kind == "warning" else f"meeting {meeting} {state}"
    return MeetingEvent(time, actor, text, kind, about, meeting=meeting, state=state)
