"""How do bodies sense fields? As dynamic splines do, but what they are given back is an acceleration [m/s²]."""

import numpy as np

from keypose.fields.film_units import acceleration
from keypose.fields.sensing.observed_poses import ObservedPoses
from keypose.fields.sensing.senses import FieldState, Senses
from keypose.fields.tracking.stability import cached_advice
from keypose.fields.tracking.trackers import Tracker
from keypose.maths import Floats
from keypose.motion import Event, MovingBodies, SensingBodies, StepContext, SystemContext

SENSES_NOTHING_TEXT = "Senses nothing any more"


class BodySenses:
    """What the fields of a stage do to bodies."""

    def __init__(self, sensing_bodies: SensingBodies, context: SystemContext) -> None:
        self._sensing_bodies = sensing_bodies
        rows = {name: np.array([row]) for name, row in sensing_bodies.rows.items()}
        self._senses = Senses(
            sensing_bodies.senses, rows, context, sensing_bodies.system_members, self._advice, SENSES_NOTHING_TEXT
        )
        self.watches = self._senses.links.watches

    def begin(self, bodies: MovingBodies, context: StepContext) -> FieldState:
        """What is remembered at first, with warnings of those who will not settle."""
        return self._senses.begin(self._observe(bodies, context))

    def resume(self, bodies: MovingBodies, context: StepContext, before: "BodySenses", state: FieldState) -> FieldState:
        """Who sensed goes on as it did. Who felt nothing any more and senses otherwise tries again."""
        old_senses, new_senses = before._sensing_bodies.senses, self._sensing_bodies.senses
        unchanged = (name for name in new_senses if name in old_senses and new_senses[name] == old_senses[name])
        return self._senses.resume(self._observe(bodies, context), before._senses, state, unchanged)

    def accelerations(
        self, state: FieldState, bodies: MovingBodies, context: StepContext, dt: float
    ) -> tuple[Floats, FieldState]:
        """The accelerations (rows, 3) [m/s²] of a tick, and what is remembered after it."""
        pushes, new_state = self._senses.step(state, self._observe(bodies, context), dt)
        accelerations = acceleration(pushes.f)
        if pushes.is_stopped.any():
            accelerations[pushes.is_stopped] = 0.0
        return accelerations, new_state

    def events(self, state: FieldState) -> tuple[Event, ...]:
        """Who will not settle, and who feels nothing any more."""
        return state.events

    def stability_warnings(self) -> tuple[Event, ...]:
        """A warning of each body that tracks with gains that will not settle."""
        return self._senses.stability_warnings()

    def _observe(self, bodies: MovingBodies, context: StepContext) -> ObservedPoses:
        return ObservedPoses(self._senses.rows, context, bodies.position, lambda: bodies.velocity, bodies.orientation)

    def _advice(self, name: str, gain: float, tracker: Tracker) -> str | None:
        """What to do about a body that tracks with a gain that will not settle; nothing rubs but what it touches."""
        if name not in self._sensing_bodies.free_ticks:
            return None
        return cached_advice(
            gain, 0.0, tracker.response, tracker.memory, tick=self._sensing_bodies.free_ticks[name], steady=True
        )
