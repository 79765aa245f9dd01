"""How do objects steer each other? All dynamic splines of a stage, one tick after the other (PF89 §2-3).

At each tick every object is asked which fields it senses where it is, what its trackers make of where their targets
are, and goes on along its next segment. All see how it was at the last tick, so it does not matter who is asked first.
An object whose field has no value any more stops and is told of; those who do not sense it go on to the bit.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from keypose.fields.film_units import Friction
from keypose.fields.sensing.observed_poses import UPRIGHT, Frames, Posed, Survey, surveyed
from keypose.fields.sensing.senses import Felt, Senses
from keypose.fields.splines import integrators
from keypose.fields.splines.dynamic_spline import DynamicSpline
from keypose.fields.splines.integrators import State
from keypose.fields.tracking.stability import known_advice
from keypose.fields.tracking.trackers import Tracker
from keypose.maths.arrays import Bools, Floats
from keypose.motion.pose import Pose
from keypose.motion.system import Outlook, Surroundings
from keypose.motion.take import Event

NO_ROWS = np.empty(0, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class Going:
    """All objects at one tick: a row for each of their points."""

    spline: State
    felt: Felt


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
        senses = {name: member.senses for name, member in members.items()}
        self._senses = Senses(senses, self.rows, said, members, self._advice)
        self.links = self._senses.links
        self.watches = self.links.watches
        self._said = said
        friction = np.repeat([member.friction for member in members.values()], counts)
        manners = [(one.continuity, one.beta, one.integrator, one.basis) for one in members.values()]
        self._manners = {
            manner: np.concatenate(
                [self.rows[name] for name, own in zip(members, manners, strict=True) if own == manner]
            )
            for manner in dict.fromkeys(manners)
        }
        self._friction = {manner: Friction(friction[rows]) for manner, rows in self._manners.items()}

    # ---- a company ---------------------------------------------------------------------------------------------------

    def opening(self) -> Mapping[str, Pose]:
        """Where everybody begins."""
        return {name: Pose(member.position, UPRIGHT) for name, member in self.members.items()}

    def begin(self, outlook: Outlook) -> Going:
        """Everybody at the first moment, with warnings of those who will not settle."""
        spline = self._opening_state()
        return Going(spline, self._senses.begun(self._survey(spline, outlook)[0]))

    def gone_on(self, outlook: Outlook, before: "World", state: Going) -> Going:
        """Who was there goes on as it was, linked as it is now. Who had stopped and is said differently tries again."""
        there = [name for name in self.rows if name in before.rows and len(before.rows[name]) == len(self.rows[name])]
        now, then = (np.concatenate([NO_ROWS, *(world.rows[name] for name in there)]) for world in (self, before))
        spline = self._opening_state().with_rows(now, state.spline, then)
        unchanged = (name for name in there if self.members[name] == before.members[name])
        survey, _ = self._survey(spline, outlook)
        return Going(spline, self._senses.gone_on(survey, before._senses, state.felt, unchanged))

    def step(self, state: Going, outlook: Outlook, dt: float) -> Going:
        """Everybody one tick later. Thousands of pushes are looked through only if what comes out is beyond bounds."""
        hopeful = None if not self._senses.is_flat else self._stepped(state, outlook, dt, is_wary=False)
        if hopeful is not None and hopeful.spline.is_bounded:
            return hopeful
        return self._stepped(state, outlook, dt, is_wary=True)

    def _stepped(self, state: Going, outlook: Outlook, dt: float, is_wary: bool) -> Going:
        survey, frames = self._survey(state.spline, outlook)
        sums, felt = self._senses.step(state.felt, survey, dt, is_wary)
        f = sums.f if frames is None else frames.back(sums.f)
        spline = self._advanced(state.spline, f, sums.stopped, dt)
        if is_wary:
            sums.beyond(spline)
            spline = spline.at_rest(sums.stopped, state.spline)
            felt = replace(felt, stopped=sums.stopped, told=sums.told)
        return Going(spline, felt)

    def poses(self, state: Going) -> Mapping[str, Pose]:
        """Where everybody is."""
        return self._posed(state.spline.P)

    def between(self, before: Going, after: Going, share: float) -> Mapping[str, Pose]:
        """Where everybody is on its segment."""
        P = np.empty((self.total, 3))
        for (*_, basis), rows in self._manners.items():
            one, two = before.spline.of(rows), after.spline.of(rows)
            P[rows], _ = integrators.between(one, two, share, tick=after.felt.tick, basis=basis)
        return self._posed(np.where(after.felt.stopped[:, None], before.spline.P, P))

    def events(self, state: Going) -> tuple[Event, ...]:
        """Who will not settle, and who had to stop."""
        return state.felt.told

    def unsettled(self) -> tuple[Event, ...]:
        """A warning of each object that tracks with gains that will not settle."""
        return self._senses.unsettled()

    # ---- inside ------------------------------------------------------------------------------------------------------

    def _opening_state(self) -> State:
        everybody = self.members.values()
        P = np.concatenate([member.position.reshape(-1, 3) for member in everybody])
        v = np.concatenate([member.velocity.reshape(-1, 3) for member in everybody])
        return integrators.begin(P, v)

    def _survey(self, spline: State, outlook: Outlook) -> tuple[Survey, Frames | None]:
        frames = Frames.under(self.rows, self._said.standing, outlook, self.total)
        return surveyed(self.rows, spline, frames, outlook), frames

    def _advice(self, name: str, gain: float, tracker: Tracker) -> str | None:
        """What to do about an object that tracks with a gain that will not settle."""
        one = self.members[name]
        steady = one.integrator == "steady" or one.basis == "linear"
        return known_advice(gain, one.friction, tracker.response, tracker.memory, steady=steady)

    def _advanced(self, spline: State, f: Floats, stopped: Bools, dt: float) -> State:
        """The next state of all points; who stopped stays where it is."""
        if stopped.any():
            f[stopped] = 0.0
        after = spline
        with np.errstate(all="ignore"):
            for manner, rows in self._manners.items():
                continuity, beta, integrator, basis = manner
                everybody = len(rows) == self.total
                made = integrators.advance(
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
