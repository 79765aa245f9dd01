"""How do bodies sense fields? As dynamic splines do, but what they are given back is an acceleration [m/s²]."""

import numpy as np

from keypose.fields.film_units import acceleration
from keypose.fields.sensing.observed_poses import Survey
from keypose.fields.sensing.senses import Felt, Senses
from keypose.fields.tracking.stability import known_advice
from keypose.fields.tracking.trackers import Tracker
from keypose.maths.arrays import Floats
from keypose.motion.sensing_protocol import Moving, Sensers
from keypose.motion.system import Outlook, Surroundings
from keypose.motion.take import Event

NUMB = "Senses nothing any more"


class Weighed:
    """What the fields of a stage do to bodies."""

    def __init__(self, sensers: Sensers, said: Surroundings) -> None:
        self._sensers = sensers
        rows = {name: np.array([row]) for name, row in sensers.rows.items()}
        self._senses = Senses(sensers.senses, rows, said, sensers.fellows, self._advice, NUMB)
        self.watches = self._senses.links.watches

    def begin(self, moving: Moving, outlook: Outlook) -> Felt:
        """What is remembered at first, with warnings of those who will not settle."""
        return self._senses.begun(self._survey(moving, outlook))

    def gone_on(self, moving: Moving, outlook: Outlook, before: "Weighed", state: Felt) -> Felt:
        """Who sensed goes on as it did. Who felt nothing any more and senses otherwise tries again."""
        then, now = before._sensers.senses, self._sensers.senses
        unchanged = (name for name in now if name in then and now[name] == then[name])
        return self._senses.gone_on(self._survey(moving, outlook), before._senses, state, unchanged)

    def felt(self, state: Felt, moving: Moving, outlook: Outlook, dt: float) -> tuple[Floats, Felt]:
        """The accelerations (rows, 3) [m/s²] of a tick, and what is remembered after it."""
        sums, after = self._senses.step(state, self._survey(moving, outlook), dt)
        pushed = acceleration(sums.f)
        if sums.stopped.any():
            pushed[sums.stopped] = 0.0
        return pushed, after

    def events(self, state: Felt) -> tuple[Event, ...]:
        """Who will not settle, and who feels nothing any more."""
        return state.told

    def unsettled(self) -> tuple[Event, ...]:
        """A warning of each body that tracks with gains that will not settle."""
        return self._senses.unsettled()

    def _survey(self, moving: Moving, outlook: Outlook) -> Survey:
        return Survey(self._senses.rows, outlook, moving.place, lambda: moving.velocity, moving.turn)

    def _advice(self, name: str, gain: float, tracker: Tracker) -> str | None:
        """What to do about a body that tracks with a gain that will not settle; nothing rubs but what it touches."""
        if name not in self._sensers.loose:
            return None
        return known_advice(gain, 0.0, tracker.response, tracker.memory, tick=self._sensers.loose[name], steady=True)
