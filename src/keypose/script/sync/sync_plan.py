"""A plan of meetings, and how it is kept: what a system of bodies or clocks asks for."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from keypose.maths.arrays import Floats
from keypose.maths.tolerance import PROGRESS_TOLERANCE
from keypose.motion.sync_protocol import FAR
from keypose.script.events import Appointment
from keypose.script.meeting import Meeting, TurnGoal
from keypose.script.plan import Begins, Gone, Plan
from keypose.script.sync.state import Kept
from keypose.script.sync.synchronizer import Keeper

Keeping = tuple[Plan, Kept]


@dataclass(frozen=True, eq=False)
class Appointments(Plan):
    """A plan, and how it is kept."""

    def begun(self, time: float, before: Keeping | None = None) -> Kept:
        """What is kept from a time [s] on; where that was another plan before, it goes on."""
        return begun(self, time) if before is None else gone_on(self, time, *before)

    def begins_by(self, time: float, before: tuple[Any, Kept] | None, gone: Gone) -> Begins:
        """Where those who go in rounds are when meetings are said: by their clocks, or how far they have gone round.

        At a time [s], if it was not before; `gone` says where the targets of followers are on their paths.
        """
        plan = None if before is None else before[0]
        clocks = {} if before is None else dict(zip(before[0].timed, before[1].clock.tolist(), strict=True))
        found: dict[tuple[str, str], float] = {}
        for meeting in self.script:
            goes_on = plan is not None and _goes_on(meeting, plan)
            for name, goal in meeting.goals.items():
                runner = self.runners[name]
                if not runner.round:
                    continue
                if runner.motion is None:
                    is_known, place = name in gone, runner.gone_round(gone.get(name), isinstance(goal, TurnGoal))
                else:
                    is_known, place = name in clocks, clocks.get(name, time)
                if plan is not None and goes_on and is_known:
                    place = plan.begins.get((meeting.name, name), 0.0)
                if place:
                    found[meeting.name, name] = place
        return found

    def keeper(self, kept: Kept) -> Keeper:
        """Appointments to be kept for some ticks, from this on."""
        return Keeper(self, kept)

    def events(self, kept: Kept) -> tuple[Appointment, ...]:
        """What was worth telling so far."""
        return kept.told

    def eases(self, kept: Kept) -> Floats:
        """(strands,) which share of its own speed each goes at; 0 for who is held."""
        at, goes = kept.last.copy(), kept.ease.copy()
        at[self.races :], goes[self.races :] = kept.clock, kept.rate
        return np.where(at >= kept.hold - PROGRESS_TOLERANCE, 0.0, goes)

    def clocks(self, kept: Kept) -> Floats:
        """(clocks,) what time it is for each motion that goes by its own [s]."""
        return kept.clock


def begun(plan: Plan, time: float) -> Kept:
    """All appointments before the first tick, at a time [s]: that of all clocks, too."""
    meetings, goals, strands = len(plan.names), len(plan.where), len(plan.strands)
    far = np.full(strands, FAR)
    return Kept(
        np.zeros(meetings, np.int64),
        np.full(goals, -1.0),
        np.zeros(goals, np.bool_),
        np.zeros(goals, np.bool_),
        np.zeros(meetings),
        np.zeros(meetings),
        np.zeros(meetings),
        np.full(goals, np.inf),
        np.zeros(goals, np.int64),
        np.ones(strands),
        np.ones(strands),
        far,
        far.copy(),
        np.full(strands - plan.races, time),
        np.ones(strands - plan.races),
        np.zeros(strands - plan.races),
        False,
        0.0,
        False,
        (),
    )


def _goes_on(meeting: Meeting, before: Plan) -> bool:
    """Whether a meeting was there before, with the same goals."""
    return meeting.name in before.script and before.script[meeting.name].goals == meeting.goals


def gone_on(plan: Plan, time: float, before: Plan, kept: Kept) -> Kept:
    """What is kept where the plan was another one before: of meetings and strands that are still there, as it was."""
    made = begun(plan, time)
    old = {name: number for number, name in enumerate(before.names)}
    as_before = plan.script == before.script and np.array_equal(plan.where, before.where)
    for number, name in enumerate(plan.names):
        if _goes_on(plan.script[name], before):
            now, then = plan.goals_of(number), before.goals_of(old[name])
            made.state[number] = kept.state[old[name]]
            made.late_for[number], made.stuck_for[number] = kept.late_for[old[name]], kept.stuck_for[old[name]]
            if as_before:  # else it is looked again who holds whom up
                made.held_for[number] = kept.held_for[old[name]]
                made.was_left[now.start : now.stop] = kept.was_left[then.start : then.stop]
            made.reached[now.start : now.stop] = kept.reached[then.start : then.stop]
            made.early[now.start : now.stop] = kept.early[then.start : then.stop]
            made.stays[now.start : now.stop] = kept.stays[then.start : then.stop]
            made.blame[now.start : now.stop] = kept.blame[then.start : then.stop]
    strands = {strand: number for number, strand in enumerate(before.strands)}
    for number, strand in enumerate(plan.strands):
        row = strands.get(strand)
        if row is not None and (number < plan.races) == (row < before.races):
            for mine, theirs in ((made.efficiency, kept.efficiency), (made.ease, kept.ease), (made.last, kept.last)):
                mine[number] = theirs[row]
            if number >= plan.races:
                clock, its = number - plan.races, row - before.races
                made.clock[clock], made.rate[clock] = kept.clock[its], kept.rate[its]
                made.wait[clock] = kept.wait[its]
    is_news = kept.is_news or (not as_before and plan.races < len(plan.strands))
    return replace(made, is_news=is_news, since=kept.since, asks=kept.asks, told=kept.told)
