"""Events of meetings."""

from typing import Literal

from keypose.motion import MeetingEvent, MeetingState


def meeting_event(time: float, actor: str, meeting: str, state: MeetingState, text: str) -> MeetingEvent:
    """The event of a meeting and an actor in it; a warning if the meeting is late or has failed."""
    kind: Literal["note", "warning"] = "warning" if state in ("late", "failed") else "note"
    about = f"meeting {meeting}" if kind == "warning" else f"meeting {meeting} {state}"
    return MeetingEvent(time, actor, text, kind, about, meeting=meeting, state=state)
