"""How was a script kept? Who went how fast, who waited when, and what became of every meeting (LG95 fig. 8)."""

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal

import numpy as np

from keypose.errors import KeyposeError, UnknownNameError, did_you_mean, short_repr
from keypose.maths import Floats, parse_number
from keypose.motion import Event, MeetingEvent
from keypose.script.script import Script

MeetingPhase = Literal["waiting", "active", "late", "done", "failed"]

TURN_SUFFIX = " (turn)"  # behind the name of who turns
WAIT_THRESHOLD = 0.95  # of its own speed: who goes slower waits for somebody


@dataclass(frozen=True)
class Outcome:
    """What became of a meeting; each time [s] is None if that never happened."""

    meeting: str
    active: float | None
    reached: Mapping[str, float]
    """When each came to its goal who did [s]."""
    late: float | None
    """When it was first told that somebody is stuck."""
    done: float | None
    failed: float | None
    reason: str
    """Why it is late or has failed, in a sentence."""
    delays: tuple[tuple[float, float | None], ...] = ()
    """From when to when it was late [s]; None: until it was done, or failed, or the end."""

    @property
    def spread(self) -> float | None:
        """How long after the first the last one came [s]; None unless it is done."""
        arrivals = self.reached.values()
        return None if self.done is None or not arrivals else max(arrivals) - min(arrivals)

    def state(self, t: float) -> MeetingPhase:
        """How it was at a time [s]."""
        ends: tuple[tuple[float | None, MeetingPhase], ...] = ((self.failed, "failed"), (self.done, "done"))
        for time, phase in ends:
            if time is not None and time <= t:
                return phase
        if any(first <= t and (last is None or t < last) for first, last in self.delays):
            return "late"
        return "active" if self.active is not None and self.active <= t else "waiting"

    def __reduce__(self) -> tuple[Any, ...]:
        values = (
            self.meeting,
            self.active,
            dict(self.reached),
            self.late,
            self.done,
            self.failed,
            self.reason,
            self.delays,
        )
        return Outcome, values


@dataclass(frozen=True, eq=False, repr=False)
class ScriptReport:
    """A script as it was kept in a take: `take.script`.

    Who turns towards goals has a line of its own there, as "arm (turn)". Everything is read-only.
    """

    script: Script
    times: Floats
    """(frames,) [s]"""
    speed_factors: Mapping[str, Floats]
    """Which share of its own speed each went at, (frames,): 1 is its own, 0 is held."""
    speeds: Mapping[str, Floats]
    """How fast the target of each went, or a motion by its clock, (frames,) [m/s]; of `turns` [rad/s]."""
    nominal_speeds: Mapping[str, Floats]
    """How fast it would have gone on its own, (frames,)."""
    turns: frozenset[str]
    """Who does not go but turn."""
    meetings: Mapping[str, Outcome]
    """What became of each, by its name."""
    looks: Mapping[str, str] = field(default_factory=dict)
    """What those look like who meet, where a word says that: a colour, for pictures."""

    def __post_init__(self) -> None:
        for field_name in ("speed_factors", "speeds", "nominal_speeds"):
            self.__dict__[field_name] = MappingProxyType(
                {name: _read_only_copy(values) for name, values in self.__dict__[field_name].items()}
            )
        self.__dict__["times"], self.__dict__["meetings"] = (
            _read_only_copy(self.times),
            MappingProxyType(dict(self.meetings)),
        )
        self.__dict__["looks"] = MappingProxyType(dict(self.looks))
        self._check()

    def _check(self) -> None:
        """Everybody has a number of each kind for every frame, and every meeting has an outcome."""
        for values in self._lines:
            if values.keys() != self.speed_factors.keys() or any(
                one.shape != self.times.shape for one in values.values()
            ):
                raise KeyposeError(
                    "A performance has eases, speeds and own speeds of different actors or frames. "
                    "Give each actor one of each for every frame."
                )
        known = set(self.script.actors)
        for name in [*self.speed_factors, *sorted(self.turns)]:
            if name not in self.speed_factors or _line_actor(name, known) not in known:
                raise KeyposeError(f"A performance tells of {short_repr(name)}, who is in no meeting. Leave that out.")
        if [*self.meetings] != [meeting.name for meeting in self.script]:
            raise KeyposeError(
                f"A performance has outcomes of {short_repr([*self.meetings])}. Give one for each meeting, in "
                "their order."
            )

    def actor(self, line: str) -> str:
        """Whose line it is, also where it is that of a turn."""
        self._check_name(line)
        return _line_actor(line, self.script.actors)

    @property
    def actors(self) -> tuple[str, ...]:
        """Who keeps appointments; turns too."""
        return tuple(self.speed_factors)

    def state(self, meeting: str, t: float) -> MeetingPhase:
        """How a meeting was at a time [s]: "waiting", "active", "late", "done" or "failed"."""
        return self.meetings[self.script[meeting].name].state(parse_number(t, "A time"))

    def waits(self, actor: str) -> tuple[tuple[float, float], ...]:
        """When somebody went slower than .95 of its own speed for others, or was held: from when to when [s]."""
        self._check_name(actor)
        return intervals_below(self.times, self.speed_factors[actor], WAIT_THRESHOLD)

    def _check_name(self, name: object) -> None:
        if not isinstance(name, str) or name not in self.speed_factors:
            text = name if isinstance(name, str) else short_repr(name)
            raise UnknownNameError(
                f"No {short_repr(name)} keeps appointments here.{did_you_mean(text, self.speed_factors)}"
            )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ScriptReport):
            return NotImplemented
        same = self.script == other.script and self.meetings == other.meetings and self.turns == other.turns
        same = same and self.looks == other.looks
        return same and np.array_equal(self.times, other.times) and all(map(_equal_lines, self._lines, other._lines))

    @property
    def _lines(self) -> tuple[Mapping[str, Floats], ...]:
        return self.speed_factors, self.speeds, self.nominal_speeds

    __hash__ = None  # type: ignore[assignment]  # its script has none either

    def __repr__(self) -> str:
        done = sum(outcome.done is not None for outcome in self.meetings.values())
        return f"<Performance: {done} of {len(self.meetings)} meetings done, {len(self.times)} frames>"

    def __reduce__(self) -> tuple[Any, ...]:
        lines = (dict(values) for values in self._lines)
        return ScriptReport, (self.script, self.times, *lines, self.turns, dict(self.meetings), dict(self.looks))


def meeting_outcomes(script: Script, events: Iterable[Event]) -> dict[str, Outcome]:
    """What became of each meeting of a script, by what was told."""
    histories = {meeting.name: _MeetingHistory() for meeting in script}
    for event in events:
        if isinstance(event, MeetingEvent) and event.meeting in histories:
            histories[event.meeting].add(event)
    return {name: history.outcome(name) for name, history in histories.items()}


class _MeetingHistory:
    """What was told of one meeting so far."""

    def __init__(self) -> None:
        self._times: dict[str, float] = {}
        self._reached: dict[str, float] = {}
        self._delays: list[tuple[float, float | None]] = []
        self._reason = ""

    def add(self, event: MeetingEvent) -> None:
        if event.state == "reached":
            self._reached.setdefault(event.actor, event.time)
            return
        self._times.setdefault(event.state, event.time)
        if event.state == "late":
            self._delays.append((event.time, None))
        elif event.state == "active" and self._delays:
            self._delays[-1] = self._delays[-1][0], event.time
        if event.kind == "warning":
            self._reason = event.text

    def outcome(self, meeting: str) -> Outcome:
        when, reached = self._times.get, MappingProxyType(self._reached)
        ends = when("late"), when("done"), when("failed")
        return Outcome(meeting, when("active"), reached, *ends, self._reason, tuple(self._delays))


def intervals_below(times: Floats, values: Floats, limit: float) -> tuple[tuple[float, float], ...]:
    """Where values (n,) at times (n,) are below a limit, from when to when; on straight lines in between."""
    low = values < limit
    edges = np.flatnonzero(np.diff(low.astype(np.int8)))
    fraction = (limit - values[edges]) / (values[edges + 1] - values[edges])
    crossed = times[edges] + fraction * (times[edges + 1] - times[edges])
    ends = [*times[:1][low[:1]], *crossed, *times[-1:][low[-1:]]]
    return tuple((float(first), float(last)) for first, last in zip(ends[::2], ends[1::2], strict=True))


def _line_actor(line: str, actors: Container[str]) -> str:
    while line not in actors and line.endswith(TURN_SUFFIX):
        line = line.removesuffix(TURN_SUFFIX)
    return line


def _read_only_copy(values: Floats) -> Floats:
    copy = np.array(values, dtype=np.float64)
    copy.flags.writeable = False
    return copy


def _equal_lines(one: Mapping[str, Floats], other: Mapping[str, Floats]) -> bool:
    return one.keys() == other.keys() and all(np.array_equal(values, other[name]) for name, values in one.items())
