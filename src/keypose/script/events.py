"""What is told of a meeting? When it became active, who came when, and whether it was kept."""

from dataclasses import dataclass
from typing import Literal, get_args

from keypose.motion.take import Event

State = Literal["active", "reached", "done", "late", "failed"]
STATES: tuple[str, ...] = get_args(State)


@dataclass(frozen=True)
class Appointment(Event):
    """What became of a meeting: it is `active`, `late`, `done` or has `failed`; or an actor has `reached` its goal."""

    meeting: str = ""
    state: State = "active"


def appointment(time: float, actor: str, meeting: str, state: State, text: str) -> Appointment:
    """Something to tell of a meeting, and of an actor in it."""
    kind: Literal["note", "warning"] = "warning" if state in ("late", "failed") else "note"
    about = f"meeting {meeting}" if kind == "warning" else f"meeting {meeting} {state}"
    return Appointment(time, actor, text, kind, about, meeting=meeting, state=state)
