"""How do objects steer each other? All dynamic splines of a stage, one tick after the other (PF89 §2-3).

At each tick every object is asked which fields it senses where it is, what its trackers make of where their targets
are, and goes on along its next segment. All see how it was at the last tick, so it does not matter who is asked first.
An object whose field has no value any more stops and is told of; those who do not sense it go on to the bit.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from keypose.fields import segments
from keypose.fields.dynamic_spline import DynamicSpline
from keypose.fields.field import Asked
from keypose.fields.flat import flattened
from keypose.fields.links import linked, remembered
from keypose.fields.segments import State
from keypose.fields.stability import advice
from keypose.fields.sums import STOPPED, Sums
from keypose.fields.surveyed import UPRIGHT, Past, Posed, Survey, aimed, looking
from keypose.fields.tracking import Tracker
from keypose.fields.units import FILM, Friction, field_per_frame, frames
from keypose.motion.company import Outlook, Surroundings
from keypose.motion.pose import Pose
from keypose.motion.take import Event

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

NO_ROWS = np.empty(0, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class Going:
    """All objects at one tick: a row for each of their points."""

    spline: State
    memories: tuple[Any, ...]
    """What each of the `tracks` remembers."""
    targets: Floats
    """Where those were who are tracked and take no part, (targets, 3)."""
    past: Past
    stopped: Mask
    """Whose field has no value any more, (rows,)."""
    told: tuple[Event, ...]
    """Who had to stop, and who does not settle as it is linked now: of each object and tracker once."""
    tick: float
    """How long it was since the tick before [s]."""


class World:
    """The company of all dynamic splines on a stage."""

    def __init__(self, members: Mapping[str, DynamicSpline], said: Surroundings) -> None:
        counts = [member.position.size // 3 for member in members.values()]
        ends = np.cumsum([0, *counts])
        self.members = members
        self.rows = {name: np.arange(*ends[number : number + 2]) for number, name in enumerate(members)}
        self.total = int(ends[-1])
        self._places: dict[str, int | slice] = {
            name: slice(begin, end) if member.position.ndim == 2 else begin
            for (name, member), begin, end in zip(members.items(), ends.tolist(), ends[1:].tolist(), strict=False)
        }
        self.links = linked(members, self.rows, said)
        self.watches = self.links.watches
        self._said = said
        self._flat = flattened(self.links.pushes, self.rows, self.total)
        friction = np.repeat([member.friction for member in members.values()], counts)
        manners = [(one.continuity, one.beta, one.integrator, one.basis) for one in members.values()]
        self._manners = {
            manner: np.concatenate(
                [self.rows[name] for name, own in zip(members, manners, strict=True) if own == manner]
            )
            for manner in dict.fromkeys(manners)
        }
        self._friction = {manner: Friction(friction[rows]) for manner, rows in self._manners.items()}
        tracked = (name for track in self.links.tracks for name in track.targets)
        self._tracked = tuple(dict.fromkeys(name for name in tracked if name not in members))

    # ---- a company ---------------------------------------------------------------------------------------------------

    def opening(self) -> Mapping[str, Pose]:
        """Where everybody begins."""
        return {name: Pose(member.position, UPRIGHT) for name, member in self.members.items()}

    def begin(self, outlook: Outlook) -> Going:
        """Everybody at the first moment, with warnings of those who will not settle."""
        return self._begun(self._opening_state(), outlook)

    def gone_on(self, outlook: Outlook, before: "World", state: Going) -> Going:
        """Who was there goes on as it was, linked as it is now. Who had stopped and is said differently tries again."""
        there = [name for name in self.rows if name in before.rows and len(before.rows[name]) == len(self.rows[name])]
        now, then = (np.concatenate([NO_ROWS, *(world.rows[name] for name in there)]) for world in (self, before))
        spline = self._opening_state().with_rows(now, state.spline, then)
        begun = self._begun(spline, outlook)
        stopped = begun.stopped
        if state.stopped.any() and self._said.fields == before._said.fields:
            for name in (name for name in there if self.members[name] == before.members[name]):
                stopped[self.rows[name]] = state.stopped[before.rows[name]]
        known = dict(zip(before._tracked, state.targets, strict=True))
        targets = np.array([known.get(name, place) for name, place in zip(self._tracked, begun.targets, strict=True)])
        since = {(event.actor, event.about): event.time for event in state.told}
        unsettled = (replace(event, time=since.get((event.actor, event.about), event.time)) for event in begun.told)
        told = *(event for event in state.told if event.about == STOPPED), *unsettled
        return replace(
            begun,
            memories=remembered(before.links.tracks, state.memories, self.links.tracks, begun.memories),
            targets=targets.reshape(-1, 3),
            past=state.past if self.links.remembered == before.links.remembered else begun.past,
            stopped=stopped,
            told=told,
            tick=state.tick,
        )

    def step(self, state: Going, outlook: Outlook, dt: float) -> Going:
        """Everybody one tick later. Thousands of pushes are looked through only if what comes out is beyond bounds."""
        hopeful = None if self._flat is None else self._stepped(state, outlook, dt, is_wary=False)
        if hopeful is not None and hopeful.spline.is_bounded:
            return hopeful
        return self._stepped(state, outlook, dt, is_wary=True)

    def _stepped(self, state: Going, outlook: Outlook, dt: float, is_wary: bool) -> Going:
        survey, past = self._survey(state.spline, outlook), state.past
        if self.links.remembered:
            past = past.and_now(outlook.time, *self._where(self.links.remembered, survey))
        sums = Sums(self.rows, state.stopped, state.told, outlook.time)
        look = looking(survey, past, self.links.remembered)
        rest = self.links.pushes
        if self._flat is not None:
            sums.begin(self._flat.pushed(survey))
            fails = sums.fails() if is_wary else None
            some = () if fails is None else (push.of(fails) for push in self._flat.pushes)
            rest = *(push for push in some if len(push.rows)), *self._flat.rest
        for push in rest:
            asked = Asked(survey.P[push.rows], np.array(outlook.time), survey.v[push.rows], look, push.who)
            with np.errstate(all="ignore"):
                sums.add(push, field_per_frame(push.field.push(asked)))
        targets, _ = self._where(self._tracked, survey)
        going = dict(zip(self._tracked, (targets - state.targets) / state.tick, strict=True))
        memories = []
        for track, memory in zip(self.links.tracks, state.memories, strict=True):
            P_T, v_T = aimed(track, survey, going)
            with np.errstate(all="ignore"):
                pull, memory = track.tracker.pull(
                    memory, survey.P[track.rows], survey.v[track.rows], P_T, v_T, outlook.time, frames(dt)
                )
            sums.add(track, pull)
            memories.append(memory)
        f = sums.f if survey.frames is None else survey.frames.back(sums.f)
        spline = self._advanced(state.spline, f, sums.stopped, dt)
        if is_wary:
            sums.beyond(spline)
            spline = spline.at_rest(sums.stopped, state.spline)
        return Going(spline, tuple(memories), targets, past, sums.stopped, sums.told, dt)

    def poses(self, state: Going) -> Mapping[str, Pose]:
        """Where everybody is."""
        return self._posed(state.spline.P)

    def between(self, before: Going, after: Going, share: float) -> Mapping[str, Pose]:
        """Where everybody is on its segment."""
        P = np.empty((self.total, 3))
        for (*_, basis), rows in self._manners.items():
            one, two = before.spline.of(rows), after.spline.of(rows)
            P[rows], _ = segments.between(one, two, share, tick=after.tick, basis=basis)
        return self._posed(np.where(after.stopped[:, None], before.spline.P, P))

    def events(self, state: Going) -> tuple[Event, ...]:
        """Who will not settle, and who had to stop."""
        return state.told

    def unsettled(self, time: float = 0.0) -> tuple[Event, ...]:
        """A warning of each object that tracks with gains that will not settle: they are known before it moves."""
        found, known = [], dict[tuple[float | bool, ...], str | None]()  # of a flock all have the same gains
        for track in self.links.tracks:
            if not isinstance(track.tracker, Tracker):
                continue
            gains = dict(zip(track.who.tolist(), track.affinity[:, 0].tolist(), strict=True))
            for name, gain in gains.items():
                one = self.members[name]
                steady = one.integrator == "steady" or one.basis == "linear"
                gains_of_it = gain, one.friction, track.tracker.response, track.tracker.memory
                if (*gains_of_it, steady) not in known:
                    known[*gains_of_it, steady] = advice(*gains_of_it, steady=steady)
                told = known[*gains_of_it, steady]
                if told is not None:
                    found.append(Event(time, name, f"{track.called}: {told}", "warning", track.about))
        return tuple(found)

    # ---- inside ------------------------------------------------------------------------------------------------------

    def _opening_state(self) -> State:
        everybody = self.members.values()
        P = np.concatenate([member.position.reshape(-1, 3) for member in everybody])
        v = np.concatenate([member.velocity.reshape(-1, 3) for member in everybody])
        return segments.begin(P, v)

    def _begun(self, spline: State, outlook: Outlook) -> Going:
        """Everybody as it begins, or goes on as part of another company."""
        survey, known = self._survey(spline, outlook), self.links.remembered
        memories = []
        for track in self.links.tracks:
            P_T, v_T = aimed(track, survey, {})
            memories.append(track.tracker.begin(survey.P[track.rows], survey.v[track.rows], P_T, v_T, outlook.time))
        targets, _ = self._where(self._tracked, survey)
        never = Past(np.empty(0), np.empty((0, len(known), 3)), np.empty((0, len(known), 4)))
        stopped = np.zeros(self.total, dtype=bool)
        return Going(spline, tuple(memories), targets, never, stopped, self.unsettled(outlook.time), FILM)

    def _survey(self, spline: State, outlook: Outlook) -> Survey:
        return Survey(self.rows, self._said.standing, spline, outlook)

    def _where(self, names: tuple[str, ...], survey: Survey) -> tuple[Floats, Floats]:
        """Places (names, 3) and turns (names, 4) now."""
        poses = [survey.pose(name) for name in names]
        place, turn = [pose.position for pose in poses], [pose.orientation for pose in poses]
        return np.array(place).reshape(-1, 3), np.array(turn).reshape(-1, 4)

    def _advanced(self, spline: State, f: Floats, stopped: Mask, dt: float) -> State:
        """The next state of all points; who stopped stays where it is."""
        if stopped.any():
            f[stopped] = 0.0
        after = spline
        with np.errstate(all="ignore"):
            for manner, rows in self._manners.items():
                continuity, beta, integrator, basis = manner
                everybody = len(rows) == self.total
                made = segments.advance(
                    spline if everybody else spline.of(rows),
                    f if everybody else f[rows],
                    friction=self._friction[manner],
                    tick=dt,
                    continuity=continuity,
                    beta=beta,
                    integrator=integrator,
                    basis=basis,
                )
                after = made if everybody else after.with_rows(rows, made, np.arange(len(rows)))
        return after.at_rest(stopped, spline)

    def _posed(self, P: Floats) -> Mapping[str, Pose]:
        return Posed(P, self._places)
