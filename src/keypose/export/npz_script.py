"""How does an archive keep how a script was kept? Lines of numbers as arrays, and what was said of meetings as JSON.

Meetings stand there as in a scene file. An archive without a script has none of these arrays.
"""

import json
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any, cast

from keypose.document.problems import Bad, EnoughError, Reading
from keypose.document.schema.lists import ListOf, Named
from keypose.document.schema.records import Field, Record
from keypose.document.schema.value_types import Number, Text
from keypose.document.scripts import SceneScript, meeting_object
from keypose.document.text.parser import parsed
from keypose.errors import KeyposeError
from keypose.export.npz_members import FLOATS, TEXT, Member
from keypose.export.tracks import check_text, first_endless
from keypose.maths.arrays import Floats
from keypose.maths.inputs import word
from keypose.motion.take import Event, Take
from keypose.script.events import STATES, Appointment
from keypose.script.report import Outcome, Performance

OF_EVENTS = ("event_meetings", "event_states")
OF_SCRIPT = ("script", "paced")
LINES = ("ease", "speed", "own_speed")
TIMES = ("active", "late", "done", "failed")

_OUTCOME = Record(
    "what became of a meeting",
    {
        "meeting": Field(Text(), "its name", needed=True),
        "reached": Field(Named(Number(), "times, by the names of actors"), "who came when [s]"),
        **{time: Field(Number(), "when [s]") for time in TIMES},
        "why": Field(Text(), "why it is late or has failed"),
        "late_from": Field(ListOf(Number(), what="times"), "when somebody began to delay it [s]"),
        "late_until": Field(ListOf(Number(), what="times"), "when that was over; one less if it never was [s]"),
    },
    lambda meeting, reached=None, why="", late_from=(), late_until=(), active=None, late=None, done=None, failed=None: (
        Outcome(meeting, active, reached or {}, late, done, failed, why, tuple(zip_longest(late_from, late_until)))
    ),
)
_KEPT = Record(
    "a script that was kept",
    {
        "meetings": Field(SceneScript(), "who met whom, and where", needed=True),
        "outcomes": Field(ListOf(_OUTCOME, what="outcomes"), "what became of each", needed=True),
        "turns": Field(ListOf(Text(), what="names"), "who does not go but turn", needed=True),
        "looks": Field(Named(Text(), "words, by the names of actors"), "what they look like"),
    },
)


# ---- written ---------------------------------------------------------------------------------------------------------


def texts_of(take: Take) -> dict[str, list[str]]:
    """What is text of the meetings in a take, by the names of arrays; nothing where there are none."""
    found: dict[str, list[str]] = {}
    if any(isinstance(event, Appointment) for event in take.events):
        told = [event if isinstance(event, Appointment) else None for event in take.events]
        for one in filter(None, told):
            check_text(one.meeting, "An event of this take is of meeting")
            word(one.state, STATES, "An event of a meeting has state")
        found["event_meetings"] = ["" if one is None else one.meeting for one in told]
        found["event_states"] = ["" if one is None else one.state for one in told]
    if isinstance(take.script, Performance):
        found |= {"script": [_said(take.script)], "paced": list(take.script.actors)}
        for name in take.script.actors:
            check_text(name, "Somebody who keeps appointments is named")
    return found


def lines_of(take: Take) -> dict[str, Floats]:
    """The numbers of who kept appointments, by the names of arrays."""
    kept = take.script
    if not isinstance(kept, Performance):
        return {}
    found = {
        f"{line}_{index}": values[name]
        for index, name in enumerate(kept.actors)
        for line, values in zip(LINES, (kept.eases, kept.speeds, kept.own_speeds), strict=True)
    }
    _check_finite(kept.actors, found)
    return found


def _said(kept: Performance) -> str:
    """What is said of meetings, as JSON; the same of the same."""
    said: dict[str, Any] = {
        "meetings": [meeting_object(meeting) for meeting in kept.script],
        "outcomes": [_outcome_object(met) for met in kept.meetings.values()],
        "turns": [name for name in kept.actors if name in kept.turns],
    }
    said |= {"looks": dict(kept.looks)} if kept.looks else {}
    text = json.dumps(said, ensure_ascii=False, allow_nan=False)
    check_text(text, "The script of this take says")
    return text


def _outcome_object(met: Outcome) -> dict[str, Any]:
    """An outcome as plain values; what never happened is left out."""
    times = {time: getattr(met, time) for time in TIMES if getattr(met, time) is not None}
    rest: dict[str, Any] = ({"reached": dict(met.reached)} if met.reached else {}) | (
        {"why": met.why} if met.why else {}
    )
    if met.delays:
        rest["late_from"] = [begin for begin, _ in met.delays]
        rest["late_until"] = [end for _, end in met.delays if end is not None]
    return {"meeting": met.meeting, **times, **rest}


def _check_finite(names: Sequence[str], lines: Mapping[str, Floats]) -> None:
    for index, name in enumerate(names):
        for line in LINES:
            frame = first_endless(lines[f"{line}_{index}"])
            if frame is not None:
                what = line.replace("_", " ")
                raise KeyposeError(f"The {what} of {name!r} is not finite at frame {frame}. Give finite numbers.")


# ---- read ------------------------------------------------------------------------------------------------------------


def wanted_of(members: Mapping[str, Member]) -> list[str]:
    """Which arrays of meetings an archive must hold, by those it does."""
    wanted = list[str]()
    if not members.keys().isdisjoint(OF_EVENTS):
        wanted += OF_EVENTS
    if not members.keys().isdisjoint(OF_SCRIPT):
        wanted += OF_SCRIPT
        shape = members["paced"].shape if "paced" in members else ()
        paced = range(min(shape[0] if shape else 0, len(members)))  # with more than that, one is missing
        wanted += [f"{line}_{index}" for index in paced for line in LINES]
    return wanted


def check_kinds(members: Mapping[str, Member], frames: int, events: int) -> None:
    """Refuse another kind or shape of what is there of meetings."""
    for name in OF_EVENTS:
        if name in members:
            members[name].check(TEXT, (events,))
    if "script" in members:
        members["script"].check(TEXT, ())
        members["paced"].check(TEXT, (-1,))
        for index in range(members["paced"].shape[0]):
            for line in LINES:
                members[f"{line}_{index}"].check(FLOATS, (frames,))


def as_told(events: list[Event], members: Mapping[str, Member]) -> list[Event]:
    """Events, those of meetings with which and how that was then."""
    if OF_EVENTS[0] not in members:
        return events
    meetings, states = (members[name].texts() for name in OF_EVENTS)
    return [_as_told(*each) for each in zip(events, meetings, states, strict=True)]


def _as_told(event: Event, meeting: str, state: str) -> Event:
    if not state:
        return event
    word(state, STATES, "An event of a meeting has state")
    return Appointment(event.time, event.actor, event.text, event.kind, meeting=meeting, state=cast(Any, state))


def kept_of(members: Mapping[str, Member], times: Floats) -> Performance | None:
    """How a script was kept, by an archive; None where there was none."""
    if "script" not in members:
        return None
    names = members["paced"].texts()
    if len(set(names)) < len(names):
        raise KeyposeError("Somebody keeps appointments twice in the archive. Save the take anew.")
    lines = {f"{line}_{i}": members[f"{line}_{i}"].floats() for i in range(len(names)) for line in LINES}
    _check_finite(names, lines)
    said = _read(members["script"].texts()[0])
    eases, speeds, own = ({name: lines[f"{line}_{i}"] for i, name in enumerate(names)} for line in LINES)
    met = {one.meeting: one for one in said["outcomes"]}
    return Performance(
        said["meetings"].closed(), times, eases, speeds, own, frozenset(said["turns"]), met, said.get("looks", {})
    )


def _read(text: str) -> dict[str, Any]:
    """What is said of meetings; the first thing that is wrong is told."""
    reading = Reading()
    try:
        given = parsed(text.encode(), reading)
        said = given if isinstance(given, Bad) else _KEPT.said(given, "", reading)
    except EnoughError:
        said = Bad()
    if isinstance(said, Bad):
        raise KeyposeError(f"The script of the archive cannot be read: {reading.problems[0]}")
    return said
