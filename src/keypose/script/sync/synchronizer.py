"""How are appointments kept while it is played? Waiting, then active, then done: and everybody's ease on the way.

What is kept is a value. A `Keeper` works on a copy of it for some ticks, and leaves another one.
"""

from collections.abc import Sized
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from keypose.maths.arrays import Bools, Floats
from keypose.maths.kernel_switch import quick
from keypose.maths.tolerance import PROGRESS_TOLERANCE
from keypose.motion.sync_protocol import ACTIVE, DONE, FAILED, Goals, Why
from keypose.script.events import Appointment, State, appointment
from keypose.script.plan import Plan
from keypose.script.sync.deadlock import Ties
from keypose.script.sync.rules.speed_shares import (
    CREEPING,
    FAILS,
    GOES_ON,
    HELD,
    IS_LATE,
    LOOK,
    MOVING,
    OUTRUN,
    PERIOD,
    SOME,
    SOON,
    STANDING,
    TIED,
)
from keypose.script.sync.state import Kept


def _still(_: tuple[str, bool], stands: bool) -> str:
    return "stands still" if stands else "hardly moves"


class Keeper:
    """Appointments while they are kept, for some ticks."""

    def __init__(self, plan: Plan, kept: Kept) -> None:
        self._plan = plan
        self._quick = rule_kernels(plan)
        self._state, self._reached = kept.state.copy(), kept.reached.copy()
        self._early, self._stays = kept.early.copy(), kept.stays.copy()
        self._reached[self._reached < 0] = np.nan
        waited = kept.late_for, kept.stuck_for, kept.held_for
        self._late_for, self._stuck_for, self._held_for = (values.copy() for values in waited)
        self._was_left, self._blame = kept.was_left.copy(), kept.blame.copy()
        self._efficiency, self._news = kept.efficiency.copy(), np.zeros(len(kept.state), np.int64)
        self.ease, self.hold, self.last = kept.ease.copy(), kept.hold.copy(), kept.last.copy()
        """How fast each strand may go, of its own speed; where it has to stop; where it was when that was found."""
        self.clock, self._rate, self._wait = kept.clock.copy(), kept.rate.copy(), kept.wait.copy()
        self._is_news = kept.is_news
        self._since, self._told, self._new = kept.since, kept.told, list[Appointment]()
        self.asks = kept.asks
        """Whether it is worth while to see what is in somebody's way, as a delay is told of next time."""
        self._have_come = ~np.isnan(self._reached)
        self._may_be_tied = False  # that changes when one is active or fails, or somebody is held for long
        goals = plan.goal_strand, plan.where, plan.first, plan.of_bodies
        self._on_the_way = *goals, self._state
        self._ruled = *goals, plan.patience, plan.pace, plan.least, plan.reaction, plan.races, self._state
        self._own, self._due = np.empty(len(plan.where)), np.empty(len(kept.state))
        delays = self._late_for, self._stuck_for, self._held_for, self._was_left, self._blame
        regulated = self._efficiency, self.ease, self.hold, self._own, self._due, self._news
        self._remembered = self._reached, self._early, *delays, *regulated
        known = self._state, self._reached, self._early, self._stays
        self._holding = *goals, plan.gates, *known, *plan.on_strands, self.hold
        self._is_news_of_bodies = False

    def left(self) -> Kept:
        """All of it as it is now, for good."""
        reached = np.where(np.isnan(self._reached), -1.0, self._reached)
        if self._new:  # else all ticks share what was told
            self._told, self._new = (*self._told, *self._new), []
        kept = Kept(
            self._state.copy(),
            reached,
            self._early.copy(),
            self._stays.copy(),
            self._late_for.copy(),
            self._stuck_for.copy(),
            self._held_for.copy(),
            self._was_left.copy(),
            self._blame.copy(),
            self._efficiency.copy(),
            self.ease.copy(),
            self.hold.copy(),
            self.last.copy(),
            self.clock.copy(),
            self._rate.copy(),
            self._wait.copy(),
            self._is_news,
            self._since,
            self.asks,
            self._told,
        )
        for value in vars(kept).values():
            if isinstance(value, np.ndarray):
                value.flags.writeable = False
        return kept

    @property
    def goals(self) -> Goals:
        """All goals: their strands, where they are, where those of each meeting begin, whose, states, who is early.

        And where targets stay until their bodies have come, which whoever moves them says.
        """
        return *self._on_the_way, self._early, self._stays

    def begin(self, at: Floats, time: float) -> None:
        """Let the first meetings be active, where targets are at `at` (races,)."""
        everywhere = self._everywhere(at)
        self.last[:] = np.minimum(self.last, everywhere)  # what was gone before a change counts
        self._settle(everywhere, time)
        self._quick["held"](everywhere, *self._holding)

    def set_out(self, at: Floats, left: Floats, is_new: Bools, time: float) -> None:
        """Let targets that are new (races,) go at their shares from the first moment on, and clocks if that is now.

        Who is on its way already comes to another speed smoothly.
        """
        plan, is_first = self._plan, time == 0.0
        new = np.concatenate([is_new, np.full(len(self.clock), is_first)])
        if not new.any():
            return
        self._know_clocks(left)
        at = self._everywhere(at)
        goals = plan.goal_strand, plan.where, plan.first, plan.of_bodies, plan.pace, plan.least, plan.races
        known = self._state, self._reached, self._early, self._efficiency, self.ease, self._own, self._due
        self._quick["set_out"](at, left, new, *goals, *known)
        self._hold_all(at)
        if is_first:
            self._rate[:] = np.where(
                self.clock >= self.hold[plan.races :] - PROGRESS_TOLERANCE, 0.0, self.ease[plan.races :]
            )

    def _hold_all(self, at: Floats) -> None:
        """Find again where everybody is held, once it is known who is early, and how long clocks have to wait there."""
        plan = self._plan
        if plan.is_of_bodies:  # at goals of targets only who comes or fails changes that, and is seen when it does
            self._quick["held"](at, *self._holding)
        if len(self.clock):
            goals = plan.goal_strand, plan.where, plan.first, plan.gates, self._state, self._own, self._due
            self._quick["wait_for_others"](*goals, self.hold, plan.races, self._wait)

    def _know_clocks(self, left: Floats) -> None:
        """Fill what is left to goals of clocks [s]."""
        if len(self.clock):
            plan = self._plan
            self._quick["time_left"](self.clock, self._rate, plan.goal_strand, plan.where, plan.races, left)

    def _everywhere(self, at: Floats) -> Floats:
        return np.concatenate([at, self.clock]) if len(self.clock) else at

    def let_pass(self, dt: float) -> bool:
        """Let so many seconds pass; whether it is time to look. Clocks are looked at in every tick, for they go on."""
        before, self._since = self._since, self._since + dt
        return len(self.clock) > 0 or int(self._since / LOOK + 1e-6) > int(before / LOOK + 1e-6)

    def look(self, at: Floats, time: float, dt: float) -> bool:
        """See who has come where, targets at `at` (races,), clocks `dt` seconds later; whether holds changed."""
        if len(self.clock):
            return self._look_at_clocks(at, time, dt)
        if self._quick["passed"](at, *self._on_the_way, time, self._reached):
            self._settle(at, time, has_news=True)
            return True
        return False

    def _look_at_clocks(self, targets: Floats, time: float, dt: float) -> bool:
        """The same where some go by clocks: who is let pass within a tick goes on as if nobody had held it."""
        races, wished, news = self._plan.races, np.empty_like(self.clock), False
        ease, hold = self.ease[races:], self.hold[races:]
        self._quick["go_on"](self.clock, self._rate, ease, hold, self._wait, dt, wished)
        while True:
            self._quick["show"](self.clock, wished, hold)
            at = self._everywhere(targets)
            if not self._quick["passed"](at, *self._on_the_way, time, self._reached):
                self._is_news |= news
                return news
            self._settle(at, time, has_news=True)
            news = True

    def come(self, left: Floats, at: Floats, time: float) -> None:
        """See which bodies have come already to goals of meetings that are active just now; so far is `left`."""
        self._is_news_of_bodies, plan = False, self._plan
        goals = plan.goal_strand, plan.first, plan.of_bodies, plan.pace
        self._know_clocks(left)
        at = self._everywhere(at)
        if self._quick["come"](left, *goals, self._state, time, PERIOD, self._reached, self._early):
            self._settle(at, time, has_news=True)
        else:  # it is known now whose targets have to stay
            self._quick["held"](at, *self._holding)

    @property
    def asks_for_bodies(self) -> bool:
        """Whether a meeting of bodies has just become active: some may have come already."""
        return self._is_news_of_bodies

    @property
    def is_due(self) -> bool:
        """Whether speeds are to be regulated now: now and then, and if a clock has to know at once what is new."""
        return self._is_news or self._since >= PERIOD * (1 - 1e-9)

    def regulate(self, at: Floats, gone: Floats, left: Floats, time: float, why: Why = _still) -> None:
        """Regulate all speeds, where strands are at `at` and have `gone` so far, so far is `left` to each goal.

        `why` tells of a strand that stands still, or hardly moves, what is known of that, as "is stuck".
        """
        seconds = self._since
        if len(self.clock):
            at = self._everywhere(at)
            gone = np.concatenate([gone, self.clock - self.last[self._plan.races :]])
            self._know_clocks(left)
        answer = self._quick["regulate"](at, gone, left, *self._ruled, time, seconds, *self._remembered)
        self._since, self._is_news, self.asks = 0.0, False, bool(answer & SOON)
        self.last[:] = at
        self._hold_all(at)
        if answer & SOME:
            self._may_be_tied |= bool(answer & HELD)
            self._tell_of_delays(time, why)
            self._settle(at, time, has_news=True)  # of who has failed, nobody is held any more
            self._is_news = len(self.clock) > 0

    # ---- from one state to the next ----------------------------------------------------------------------------------

    def _settle(self, at: Floats, time: float, has_news: bool = False) -> None:
        """Let meetings go on from state to state, and fail that hold each other up, until nothing changes."""
        changes = self._go_on(at, time) or has_news
        while self._may_be_tied and self._part_a_circle(at, time):
            self._go_on(at, time)
            changes = True
        if changes:
            self._quick["held"](at, *self._holding)

    def _go_on(self, at: Floats, time: float) -> bool:
        """Let meetings be done, others active, and fail that come after too many that have; whether any did."""
        plan, following, changes = self._plan, np.empty_like(self._state), False
        while True:
            come = ~np.isnan(self._reached)
            for goal in np.flatnonzero(come & ~self._have_come).tolist():
                meeting = int(np.searchsorted(plan.first, goal, side="right")) - 1
                self._tell(time, plan.actors[goal], meeting, "reached", "Has come to its goal of meeting {}.")
            self._have_come = come
            if not self._quick["goes_on"](self._state, self._reached, *plan.order, following):
                return changes
            changes = True
            for meeting in np.flatnonzero(following != self._state).tolist():
                if following[meeting] == DONE:
                    self._be_done(meeting, time)
                elif following[meeting] == ACTIVE:
                    self._be_active(meeting, at, time)
                else:
                    self._be_hopeless(meeting, time)

    def _be_active(self, meeting: int, at: Floats, time: float) -> None:
        plan = self._plan
        self._state[meeting], self._may_be_tied = ACTIVE, True
        self._is_news_of_bodies |= bool(plan.of_bodies[meeting])
        goals = plan.goals_of(meeting)
        for goal in goals:
            if at[plan.goal_strand[goal]] >= plan.where[goal] - PROGRESS_TOLERANCE and not plan.of_bodies[meeting]:
                self._reached[goal] = time
        names = dict.fromkeys(plan.actors[goal] for goal in goals)
        who = f"{_and(names)} {'is on its' if len(names) == 1 else 'are on their'} way"
        self._tell(time, plan.actors[goals.start], meeting, "active", f"Meeting {{}} is active: {who}.")

    def _be_done(self, meeting: int, time: float) -> None:
        plan, goals = self._plan, self._plan.goals_of(meeting)
        self._state[meeting] = DONE
        reached = self._reached[goals.start : goals.stop]
        last = plan.actors[goals.start + int(np.argmax(reached))]
        self._tell(time, last, meeting, "done", f"Meeting {{}} is done, {np.ptp(reached):.3g} s after the first came.")

    # ---- when it goes wrong ------------------------------------------------------------------------------------------

    def _tell_of_delays(self, time: float, why: Why) -> None:
        """Tell of meetings that wait for somebody who hardly moves, or moves again, or has stood for too long."""
        plan = self._plan
        for meeting in np.flatnonzero(self._news).tolist():
            goals, news = plan.goals_of(meeting), int(self._news[meeting])
            blamed = {IS_LATE: (CREEPING, STANDING, OUTRUN), GOES_ON: (MOVING,), FAILS: (STANDING, OUTRUN)}[news]
            to_blame = dict[str, int]()
            for goal in goals:
                if self._blame[goal] in blamed:
                    to_blame.setdefault(plan.actors[goal], goal)
            first = next(iter(to_blame), plan.actors[goals.start])
            waiting = list(dict.fromkeys(name for goal in goals if (name := plan.actors[goal]) not in to_blame))
            blames = to_blame.items() if news != GOES_ON else ()
            who = ", ".join(f"{name!r} {self._reason(goal, why)}" for name, goal in blames)
            if news == FAILS:
                go_on = f" {_and(waiting)} {_does('go', waiting)} on." if waiting else ""
                self._fail(meeting, first, f"Meeting {{}} has failed: {who}.{go_on}", time)
            elif news == IS_LATE:
                wait = f", and {_and(waiting)} {_does('wait', waiting)}" if waiting else ""
                self._tell(time, first, meeting, "late", f"Meeting {{}} is late: {who}{wait}.")
            else:
                move = f"{_and(to_blame)} {_does('move', to_blame)}"
                self._tell(time, first, meeting, "active", f"Meeting {{}} goes on: {move} again.")

    def _reason(self, goal: int, why: Why) -> str:
        """What is told of somebody who is to blame for a delay."""
        if self._blame[goal] == OUTRUN:
            return "comes no nearer to its goal"
        return why(self._plan.strands[self._plan.goal_strand[goal]], bool(self._blame[goal] == STANDING))

    def _be_hopeless(self, meeting: int, time: float) -> None:
        """Let a meeting fail that comes after too many that have."""
        plan = self._plan
        names = _and(plan.names[parent] for parent in plan.parents[meeting] if self._state[parent] == FAILED)
        first = plan.actors[plan.first[meeting]]
        self._fail(meeting, first, f"Meeting {{}} has failed: it comes after {names}.", time)

    def _part_a_circle(self, at: Floats, time: float) -> bool:
        """Let meetings fail that hold each other up, where somebody has stood so for a while; whether any did."""
        self._may_be_tied = False
        asking = (self._held_for >= TIED * (1 - 1e-9)) & (self._state == ACTIVE)
        plan, known = self._plan, (self._state, self._reached, self._early, self._stays)
        if not asking.any() or not self._quick["are_tied"](asking, at, *plan.ties, *known):
            return False
        circle = Ties(plan, *known, at).circle(np.flatnonzero(asking).tolist())
        for meeting in sorted(one for one in circle if self._state[one] == ACTIVE):
            others = _and(plan.names[other] for other in sorted(circle) if other != meeting)
            text = f"Meeting {{}} has failed: it and {others} wait for each other."
            self._fail(meeting, plan.actors[plan.first[meeting]], text, time)
        return bool(circle)

    def _fail(self, meeting: int, actor: str, text: str, time: float) -> None:
        self._state[meeting], self._may_be_tied = FAILED, True
        self._tell(time, actor, meeting, "failed", text)

    def _tell(self, time: float, actor: str, meeting: int, state: State, text: str) -> None:
        name = self._plan.names[meeting]
        self._new.append(appointment(time, actor, name, state, text.replace("{}", repr(name))))


def _and(names: Any) -> str:
    *others, last = [repr(name) for name in names] or [""]
    return f"{', '.join(others)} and {last}" if others else last


def _does(what: str, names: Sized) -> str:
    return what if len(names) > 1 else "goes" if what == "go" else f"{what}s"


_kernels: "WeakKeyDictionary[Plan, dict[str, Any]]" = WeakKeyDictionary()


def rule_kernels(plan: Plan) -> dict[str, Any]:
    """The compiled loops over the arrays of a plan, by their names; the same ones for the same plan."""
    from keypose.script.sync.kernels.clock_rates import go_on, show, time_left, wait_for_others
    from keypose.script.sync.kernels.deadlock import are_tied
    from keypose.script.sync.kernels.step import come, goes_on, held, passed, regulate, set_out

    if plan not in _kernels:
        found = come, goes_on, held, passed, regulate, set_out, are_tied, go_on, show, time_left, wait_for_others
        _kernels[plan] = {one.__name__: quick(one) for one in found}
    return _kernels[plan]
