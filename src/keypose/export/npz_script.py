"""How does an archive keep how a script was kept? Lines of numbers as arrays, and what was said of meetings as JSON.

Meetings stand there as in a scene file. An archive without a script has none of these arrays.
"""

import json
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any, cast

from keypose.document import (
    Field,
    Invalid,
    ListOf,
    MapOf,
    Number,
    ReadContext,
    Record,
    SceneScript,
    Text,
    TooManyProblemsError,
    meeting_object,
    parse_text,
)
from keypose.errors import KeyposeError
from keypose.export.npz_members import FLOATS, TEXT, ArrayMember
from keypose.export.tracks import check_text, first_non_finite
from keypose.maths import Floats, parse_choice
from keypose.motion import MEETING_STATES, Event, MeetingEvent, Take
from keypose.script import Outcome, ScriptReport

EVENT_ARRAYS = ("event_meetings", "event_states")
SCRIPT_ARRAYS = ("script", "paced")
SERIES = ("ease", "speed", "own_speed")
TIMES = ("active", "late", "done", "failed")

_OUTCOME = Record(
    "what became of a meeting",
    {
        "meeting": Field(Text(), "its name", is_required=True),
        "reached": Field(MapOf(Number(), "times, by the names of actors"), "who came when [s]"),
        **{time: Field(Number(), "when [s]") for time in TIMES},
        "why": Field(Text(), "why it is late or has failed"),
        "late_from": Field(ListOf(Number(), what="times"), "when somebody began to delay it [s]"),
        "late_until": Field(ListOf(Number(), what="times"), "when that was over; one less if it never was [s]"),
    },
    lambda meeting, reached=None, why="", late_from=(), late_until=(), active=None, late=None, done=None, failed=None: (
        Outcome(meeting, active, reached or {}, late, done, failed, why, tuple(zip_longest(late_from, late_until)))
    ),
)
_REPORT = Record(
    "a script that was kept",
    {
        "meetings": Field(SceneScript(), "who met whom, and where", is_required=True),
        "outcomes": Field(ListOf(_OUTCOME, what="outcomes"), "what became of each", is_required=True),
        "turns": Field(ListOf(Text(), what="names"), "who does not go but turn", is_required=True),
        "looks": Field(MapOf(Text(), "words, by the names of actors"), "what they look like"),
    },
)


# ---- written ---------------------------------------------------------------------------------------------------------


def text_arrays(take: Take) -> dict[str, list[str]]:
    """What is text of the meetings in a take, by the names of arrays; nothing where there are none."""
    found: dict[str, list[str]] = {}
    if any(isinstance(event, MeetingEvent) for event in take.events):
        meeting_events = [event if isinstance(event, MeetingEvent) else None for event in take.events]
        for event_or_none in filter(None, meeting_events):
            check_text(event_or_none.meeting, "An event of this take is of meeting")
        found["event_meetings"] = [
            "" if event_or_none is None else event_or_none.meeting for event_or_none in meeting_events
        ]
        found["event_states"] = [
            "" if event_or_none is None else event_or_none.state for event_or_none in meeting_events
        ]
    if isinstance(take.script, ScriptReport):
        found |= {"script": [_report_json(take.script)], "paced": list(take.script.actors)}
        for name in take.script.actors:
            check_text(name, "Somebody who keeps appointments is named")
    return found


def number_arrays(take: Take) -> dict[str, Floats]:
    """The numbers of who kept appointments, by the names of arrays."""
    report = take.script
    if not isinstance(report, ScriptReport):
        return {}
    found = {
        f"{series}_{index}": values[name]
        for index, name in enumerate(report.actors)
        for series, values in zip(SERIES, (report.speed_factors, report.speeds, report.nominal_speeds), strict=True)
    }
    _check_finite(report.actors, found)
    return found


def _report_json(report: ScriptReport) -> str:
    """What is said of meetings, as JSON; the same of the same."""
    content: dict[str, Any] = {
        "meetings": [meeting_object(meeting) for meeting in report.script],
        "outcomes": [_outcome_object(outcome) for outcome in report.meetings.values()],
        "turns": [name for name in report.actors if name in report.turns],
    }
    content |= {"looks": dict(report.looks)} if report.looks else {}
    text = json.dumps(content, ensure_ascii=False, allow_nan=False)
    check_text(text, "The script of this take says")
    return text


def _outcome_object(outcome: Outcome) -> dict[str, Any]:
    """An outcome as plain values; what never happened is left out."""
    times = {time: getattr(outcome, time) for time in TIMES if getattr(outcome, time) is not None}
    rest: dict[str, Any] = ({"reached": dict(outcome.reached)} if outcome.reached else {}) | (
        {"why": outcome.reason} if outcome.reason else {}
    )
    if outcome.delays:
        rest["late_from"] = [begin for begin, _ in outcome.delays]
        rest["late_until"] = [end for _, end in outcome.delays if end is not None]
    return {"meeting": outcome.meeting, **times, **rest}


def _check_finite(names: Sequence[str], arrays: Mapping[str, Floats]) -> None:
    for index, name in enumerate(names):
        for series in SERIES:
            frame = first_non_finite(arrays[f"{series}_{index}"])
            if frame is not None:
                what = series.replace("_", " ")
                raise KeyposeError(f"The {what} of {name!r} is not finite at frame {frame}. Give finite numbers.")


# ---- read ------------------------------------------------------------------------------------------------------------


def required_arrays(members: Mapping[str, ArrayMember]) -> list[str]:
    """Which arrays of meetings an archive must hold, by those it does."""
    required = list[str]()
    if not members.keys().isdisjoint(EVENT_ARRAYS):
        required += EVENT_ARRAYS
    if not members.keys().isdisjoint(SCRIPT_ARRAYS):
        required += SCRIPT_ARRAYS
        shape = members["paced"].shape if "paced" in members else ()
        paced = range(min(shape[0] if shape else 0, len(members)))  # with more than that, one is missing
        required += [f"{series}_{index}" for index in paced for series in SERIES]
    return required


def check_arrays(members: Mapping[str, ArrayMember], frames: int, events: int) -> None:
    """Refuse another kind or shape of what is there of meetings."""
    for name in EVENT_ARRAYS:
        if name in members:
            members[name].check(TEXT, (events,))
    if "script" in members:
        members["script"].check(TEXT, ())
        members["paced"].check(TEXT, (-1,))
        for index in range(members["paced"].shape[0]):
            for series in SERIES:
                members[f"{series}_{index}"].check(FLOATS, (frames,))


def restore_meetings(events: list[Event], members: Mapping[str, ArrayMember]) -> list[Event]:
    """Events, those of meetings with which and how that was then."""
    if EVENT_ARRAYS[0] not in members:
        return events
    meetings, states = (members[name].texts() for name in EVENT_ARRAYS)
    return [_meeting_event(*each) for each in zip(events, meetings, states, strict=True)]


def _meeting_event(event: Event, meeting: str, state: str) -> Event:
    if not state:
        return event
    parse_choice(state, MEETING_STATES, "An event of a meeting has state")
    return MeetingEvent(event.time, event.actor, event.text, event.kind, meeting=meeting, state=cast(Any, state))


def read_report(members: Mapping[str, ArrayMember], times: Floats) -> ScriptReport | None:
    """How a script was kept, by an archive; None where there was none."""
    if "script" not in members:
        return None
    names = members["paced"].texts()
    if len(set(names)) < len(names):
        raise KeyposeError("Somebody keeps appointments twice in the archive. Save the take anew.")
    arrays = {f"{series}_{i}": members[f"{series}_{i}"].floats() for i in range(len(names)) for series in SERIES}
    _check_finite(names, arrays)
    content = _parse_report(members["script"].texts()[0])
    speed_factors, speeds, nominal_speeds = (
        {name: arrays[f"{series}_{i}"] for i, name in enumerate(names)} for series in SERIES
    )
    outcomes = {outcome.meeting: outcome for outcome in content["outcomes"]}
    return ScriptReport(
        content["meetings"].frozen(),
        times,
        speed_factors,
        speeds,
        nominal_speeds,
        frozenset(content["turns"]),
        outcomes,
        content.get("looks", {}),
    )


def _parse_report(text: str) -> dict[str, Any]:
    """What is said of meetings; the first thing that is wrong is told."""
    reading = ReadContext()
    try:
        value = parse_text(text.encode(), reading)
        content = value if isinstance(value, Invalid) else _REPORT.read_fields(value, "", reading)
    except TooManyProblemsError:
        content = Invalid()
    if isinstance(content, Invalid):
        raise KeyposeError(f"The script of the archive cannot be read: {reading.problems[0]}")
    return content
