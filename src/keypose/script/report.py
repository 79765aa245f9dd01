"""How was a script kept? Who went how fast, who waited when, and what became of every meeting (LG95 fig. 8)."""

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal

import numpy as np

from keypose.errors import KeyposeError, UnknownNameError, did_you_mean, shown
from keypose.maths.arrays import Floats
from keypose.maths.inputs import number
from keypose.motion.take import Event
from keypose.script.events import Appointment
from keypose.script.script import Script

Standing = Literal["waiting", "active", "late", "done", "failed"]

TURN = " (turn)"  # behind the name of who turns
SLOWED = 0.95  # of its own speed: who goes slower waits for somebody


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
    why: str
    """Why it is late or has failed, in a sentence."""
    delays: tuple[tuple[float, float | None], ...] = ()
    """From when to when it was late [s]; None: until it was done, or failed, or the end."""

    @property
    def spread(self) -> float | None:
        """How long after the first the last one came [s]; None unless it is done."""
        came = self.reached.values()
        return None if self.done is None or not came else max(came) - min(came)

    def state(self, t: float) -> Standing:
        """How it was at a time [s]."""
        ends: tuple[tuple[float | None, Standing], ...] = ((self.failed, "failed"), (self.done, "done"))
        for time, how in ends:
            if time is not None and time <= t:
                return how
        if any(first <= t and (last is None or t < last) for first, last in self.delays):
            return "late"
        return "active" if self.active is not None and self.active <= t else "waiting"

    def __reduce__(self) -> tuple[Any, ...]:
        known = self.meeting, self.active, dict(self.reached), self.late, self.done, self.failed, self.why, self.delays
        return Outcome, known


@dataclass(frozen=True, eq=False, repr=False)
class Performance:
    """A script as it was kept in a take: `take.script`.

    Who turns towards goals has a line of its own there, as "arm (turn)". Everything is read-only.
    """

    script: Script
    times: Floats
    """(frames,) [s]"""
    eases: Mapping[str, Floats]
    """Which share of its own speed each went at, (frames,): 1 is its own, 0 is held."""
    speeds: Mapping[str, Floats]
    """How fast the target of each went, or a motion by its clock, (frames,) [m/s]; of `turns` [rad/s]."""
    own_speeds: Mapping[str, Floats]
    """How fast it would have gone on its own, (frames,)."""
    turns: frozenset[str]
    """Who does not go but turn."""
    meetings: Mapping[str, Outcome]
    """What became of each, by its name."""
    looks: Mapping[str, str] = field(default_factory=dict)
    """What those look like who meet, where a word says that: a colour, for pictures."""

    def __post_init__(self) -> None:
        for word in ("eases", "speeds", "own_speeds"):
            self.__dict__[word] = MappingProxyType(
                {name: _fixed(values) for name, values in self.__dict__[word].items()}
            )
        self.__dict__["times"], self.__dict__["meetings"] = _fixed(self.times), MappingProxyType(dict(self.meetings))
        self.__dict__["looks"] = MappingProxyType(dict(self.looks))
        self._check()

    def _check(self) -> None:
        """Everybody has a number of each kind for every frame, and every meeting has an outcome."""
        for values in self._lines:
            if values.keys() != self.eases.keys() or any(one.shape != self.times.shape for one in values.values()):
                raise KeyposeError(
                    "A performance has eases, speeds and own speeds of different actors or frames. "
                    "Give each actor one of each for every frame."
                )
        known = set(self.script.actors)
        for name in [*self.eases, *sorted(self.turns)]:
            if name not in self.eases or _whose(name, known) not in known:
                raise KeyposeError(f"A performance tells of {shown(name)}, who is in no meeting. Leave that out.")
        if [*self.meetings] != [meeting.name for meeting in self.script]:
            raise KeyposeError(
                f"A performance has outcomes of {shown([*self.meetings])}. Give one for each meeting, in their order."
            )

    def actor(self, line: str) -> str:
        """Whose line it is, also where it is that of a turn."""
        return _whose(line, self.script.actors)

    @property
    def actors(self) -> tuple[str, ...]:
        """Who keeps appointments; turns too."""
        return tuple(self.eases)

    def state(self, meeting: str, t: float) -> Standing:
        """How a meeting was at a time [s]: "waiting", "active", "late", "done" or "failed"."""
        return self.meetings[self.script[meeting].name].state(number(t, "A time"))

    def waited(self, actor: str) -> tuple[tuple[float, float], ...]:
        """When somebody went slower than .95 of its own speed for others, or was held: from when to when [s]."""
        if not isinstance(actor, str) or actor not in self.eases:
            said = actor if isinstance(actor, str) else shown(actor)
            raise UnknownNameError(f"No {shown(actor)} keeps appointments here.{did_you_mean(said, self.eases)}")
        return below(self.times, self.eases[actor], SLOWED)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Performance):
            return NotImplemented
        same = self.script == other.script and self.meetings == other.meetings and self.turns == other.turns
        same = same and self.looks == other.looks
        return same and np.array_equal(self.times, other.times) and all(map(_alike, self._lines, other._lines))

    @property
    def _lines(self) -> tuple[Mapping[str, Floats], ...]:
        return self.eases, self.speeds, self.own_speeds

    __hash__ = None  # type: ignore[assignment]  # its script has none either

    def __repr__(self) -> str:
        done = sum(outcome.done is not None for outcome in self.meetings.values())
        return f"<Performance: {done} of {len(self.meetings)} meetings done, {len(self.times)} frames>"

    def __reduce__(self) -> tuple[Any, ...]:
        lines = (dict(values) for values in self._lines)
        return Performance, (self.script, self.times, *lines, self.turns, dict(self.meetings), dict(self.looks))


def outcomes(script: Script, events: Iterable[Event]) -> dict[str, Outcome]:
    """What became of each meeting of a script, by what was told."""
    found = {meeting.name: _Told() for meeting in script}
    for event in events:
        if isinstance(event, Appointment) and event.meeting in found:
            found[event.meeting].hear(event)
    return {name: told.outcome(name) for name, told in found.items()}


class _Told:
    """What was told of one meeting so far."""

    def __init__(self) -> None:
        self._times: dict[str, float] = {}
        self._reached: dict[str, float] = {}
        self._delays: list[tuple[float, float | None]] = []
        self._why = ""

    def hear(self, event: Appointment) -> None:
        if event.state == "reached":
            self._reached.setdefault(event.actor, event.time)
            return
        self._times.setdefault(event.state, event.time)
        if event.state == "late":
            self._delays.append((event.time, None))
        elif event.state == "active" and self._delays:
            self._delays[-1] = self._delays[-1][0], event.time
        if event.kind == "warning":
            self._why = event.text

    def outcome(self, meeting: str) -> Outcome:
        when, reached = self._times.get, MappingProxyType(self._reached)
        ends = when("late"), when("done"), when("failed")
        return Outcome(meeting, when("active"), reached, *ends, self._why, tuple(self._delays))


def below(times: Floats, values: Floats, limit: float) -> tuple[tuple[float, float], ...]:
    """Where values (n,) at times (n,) are below a limit, from when to when; on straight lines in between."""
    low = values < limit
    edges = np.flatnonzero(np.diff(low.astype(np.int8)))
    share = (limit - values[edges]) / (values[edges + 1] - values[edges])
    crossed = times[edges] + share * (times[edges + 1] - times[edges])
    ends = [*times[:1][low[:1]], *crossed, *times[-1:][low[-1:]]]
    return tuple((float(first), float(last)) for first, last in zip(ends[::2], ends[1::2], strict=True))


def _whose(line: str, actors: Container[str]) -> str:
    while line not in actors and line.endswith(TURN):
        line = line.removesuffix(TURN)
    return line


def _fixed(values: Floats) -> Floats:
    made = np.array(values, dtype=np.float64)
    made.flags.writeable = False
    return made


def _alike(one: Mapping[str, Floats], other: Mapping[str, Floats]) -> bool:
    return one.keys() == other.keys() and all(np.array_equal(values, other[name]) for name, values in one.items())
