"""How do objects steer each other? All dynamic splines of a stage, one tick after the other (PF89 §2-3).

At each tick every object is asked which fields it senses where it is, what its trackers make of where their targets
are, and goes on along its next segment. All see how it was at the last tick, so it does not matter who is asked first.
An object whose field has no value any more stops and is told of; those who do not sense it go on to the bit.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from keypose.fields.film_units import Friction
from keypose.fields.sensing.observed_poses import (
    IDENTITY_ORIENTATION,
    ObservedPoses,
    ParentFrames,
    PoseMap,
    observe_splines,
)
from keypose.fields.sensing.senses import FieldState, Senses
from keypose.fields.splines import integrators
from keypose.fields.splines.dynamic_spline import DynamicSpline
from keypose.fields.splines.integrators import PointState
from keypose.fields.tracking.stability import cached_advice
from keypose.fields.tracking.trackers import Tracker
from keypose.maths import Bools, Floats
from keypose.motion import Event, Pose, StepContext, SystemContext

NO_ROWS = np.empty(0, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class SplineState:
    """All objects at one tick: a row for each of their points."""

    points: PointState
    fields: FieldState


class SplineSystem:
    """The company of all dynamic splines on a stage."""

    def __init__(self, movers: Mapping[str, DynamicSpline], context: SystemContext) -> None:
        counts = [mover.position.size // 3 for mover in movers.values()]
        ends = np.cumsum([0, *counts])
        self.movers = movers
        self.rows = {name: np.arange(*ends[number : number + 2]) for number, name in enumerate(movers)}
        self.total = int(ends[-1])
        self._point_slices: dict[str, int | slice] = {
            name: slice(begin, end) if mover.position.ndim == 2 else begin
            for (name, mover), begin, end in zip(movers.items(), ends.tolist(), ends[1:].tolist(), strict=False)
        }
        senses = {name: mover.senses for name, mover in movers.items()}
        self._senses = Senses(senses, self.rows, context, movers, self._advice)
        self.links = self._senses.links
        self.watches = self.links.watches
        self._system_context = context
        friction = np.repeat([mover.friction for mover in movers.values()], counts)
        methods = [(spline.continuity, spline.beta, spline.integrator, spline.basis) for spline in movers.values()]
        self._rows_by_method = {
            method: np.concatenate(
                [self.rows[name] for name, own_method in zip(movers, methods, strict=True) if own_method == method]
            )
            for method in dict.fromkeys(methods)
        }
        self._friction = {method: Friction(friction[rows]) for method, rows in self._rows_by_method.items()}

    # ---- a company ---------------------------------------------------------------------------------------------------

    def initial_poses(self) -> Mapping[str, Pose]:
        """Where everybody begins."""
        return {name: Pose(mover.position, IDENTITY_ORIENTATION) for name, mover in self.movers.items()}

    def begin(self, context: StepContext) -> SplineState:
        """Everybody at the first moment, with warnings of those who will not settle."""
        points = self._initial_points()
        return SplineState(points, self._senses.begin(self._observe(points, context)[0]))

    def resume(self, context: StepContext, before: "SplineSystem", state: SplineState) -> SplineState:
        """Who was there goes on as it was, linked as it is now. Who had stopped and is said differently tries again."""
        names = [name for name in self.rows if name in before.rows and len(before.rows[name]) == len(self.rows[name])]
        new_rows, old_rows = (
            np.concatenate([NO_ROWS, *(system.rows[name] for name in names)]) for system in (self, before)
        )
        points = self._initial_points().with_rows(new_rows, state.points, old_rows)
        unchanged = (name for name in names if self.movers[name] == before.movers[name])
        observed, _ = self._observe(points, context)
        return SplineState(points, self._senses.resume(observed, before._senses, state.fields, unchanged))

    def step(self, state: SplineState, context: StepContext, dt: float) -> SplineState:
        """Everybody one tick later. Thousands of pushes are looked through only if what comes out is beyond bounds."""
        unchecked = None if not self._senses.has_link_arrays else self._step_once(state, context, dt, is_checked=False)
        if unchecked is not None and unchecked.points.is_bounded:
            return unchecked
        return self._step_once(state, context, dt, is_checked=True)

    def _step_once(self, state: SplineState, context: StepContext, dt: float, is_checked: bool) -> SplineState:
        observed, frames = self._observe(state.points, context)
        pushes, fields = self._senses.step(state.fields, observed, dt, is_checked)
        f = pushes.f if frames is None else frames.vectors_to_parent(pushes.f)
        points = self._advance_points(state.points, f, pushes.is_stopped, dt)
        if is_checked:
            pushes.stop_out_of_bounds(points)
            points = points.with_stopped_points(pushes.is_stopped, state.points)
            fields = replace(fields, is_stopped=pushes.is_stopped, events=pushes.events)
        return SplineState(points, fields)

    def poses(self, state: SplineState) -> Mapping[str, Pose]:
        """Where everybody is."""
        return self._pose_map(state.points.P)

    def between(self, before: SplineState, after: SplineState, fraction: float) -> Mapping[str, Pose]:
        """Where everybody is on its segment."""
        P = np.empty((self.total, 3))
        for (*_, basis), rows in self._rows_by_method.items():
            start, end = before.points.select(rows), after.points.select(rows)
            P[rows], _ = integrators.between(start, end, fraction, tick=after.fields.tick, basis=basis)
        return self._pose_map(np.where(after.fields.is_stopped[:, None], before.points.P, P))

    def events(self, state: SplineState) -> tuple[Event, ...]:
        """Who will not settle, and who had to stop."""
        return state.fields.events

    def stability_warnings(self) -> tuple[Event, ...]:
        """A warning of each object that tracks with gains that will not settle."""
        return self._senses.stability_warnings()

    # ---- inside ------------------------------------------------------------------------------------------------------

    def _initial_points(self) -> PointState:
        movers = self.movers.values()
        P = np.concatenate([mover.position.reshape(-1, 3) for mover in movers])
        v = np.concatenate([mover.velocity.reshape(-1, 3) for mover in movers])
        return integrators.initial_state(P, v)

    def _observe(self, points: PointState, context: StepContext) -> tuple[ObservedPoses, ParentFrames | None]:
        frames = ParentFrames.of_parents(self.rows, self._system_context.child_actors, context, self.total)
        return observe_splines(self.rows, points, frames, context), frames

    def _advice(self, name: str, gain: float, tracker: Tracker) -> str | None:
        """What to do about an object that tracks with a gain that will not settle."""
        mover = self.movers[name]
        steady = mover.integrator == "steady" or mover.basis == "linear"
        return cached_advice(gain, mover.friction, tracker.response, tracker.memory, steady=steady)

    def _advance_points(self, points: PointState, f: Floats, is_stopped: Bools, dt: float) -> PointState:
        """The next state of all points; who stopped stays where it is."""
        if is_stopped.any():
            f[is_stopped] = 0.0
        after = points
        with np.errstate(all="ignore"):
            for method, rows in self._rows_by_method.items():
                continuity, beta, integrator, basis = method
                is_all = len(rows) == self.total
                advanced = integrators.advance(
                    points if is_all else points.select(rows),
                    f if is_all else f[rows],
                    friction=self._friction[method],
                    tick=dt,
                    continuity=continuity,
                    beta=beta,
                    integrator=integrator,
                    basis=basis,
                )
                after = advanced if is_all else after.with_rows(rows, advanced, np.arange(len(rows)))
        return after.with_stopped_points(is_stopped, points)

    def _pose_map(self, P: Floats) -> Mapping[str, Pose]:
        return PoseMap(P, self._point_slices)
