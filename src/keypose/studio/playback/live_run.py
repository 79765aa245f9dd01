"""What is seen of a scene that is played live? The instant on the way between two ticks, at any time it has come to.

A run is always at the first tick not before what is seen, so that motion is smooth however long ticks take. Edits hold
from that tick on; rewound, it shows again what it showed.

How many changes of a live run can be rewound to? As many as fit into some memory, for each holds a whole moment.

A hand that drags makes one at every tick: of a drawing with all its points, of fields that travel with where their
carriers were.
"""

from dataclasses import replace
from math import prod

import numpy as np

from keypose.fields.sensing.senses import Felt
from keypose.maths.arrays import Vec3
from keypose.motion.take import Event
from keypose.stage.evaluate.poses import Instants
from keypose.stage.recorder.targets import aims_at
from keypose.stage.run.moment import Moment, at_once, late_on_the_way, share_of_way, taken_at
from keypose.stage.run.run import KEPT_EVERY, Run
from keypose.stage.stage import Stage
from keypose.studio.playback.live_frame import Glimpse
from keypose.studio.playback.pointer import Strokes, check_pointer, leading
from keypose.studio.preview.preview import Film


class Running:
    """A live run of a document, at `time` [s]. What fails raises, and it stays where it was."""

    def __init__(self, document: Stage) -> None:
        self.strokes = Strokes()
        self.time = 0.0
        self.reached = 0.0
        """How far it has come [s]; what lies behind `time` of it is shown again, until something is changed."""
        self._document = document
        self._run = Run(leading(document, self.strokes))
        self._before = self._after = self._run.moment
        self._furthest = self._run.snapshot()
        self._wanted: float | None = None  # the moment [s] it is on its way to

    @property
    def document(self) -> Stage:
        """The scene as it was last said."""
        return self._document

    @property
    def tick(self) -> float:
        """How long a tick takes now [s]."""
        return self._run.moment.beat.tick

    @property
    def events(self) -> tuple[Event, ...]:
        """What was worth telling so far."""
        return self._run.events

    # ---- time --------------------------------------------------------------------------------------------------------

    def has_come_to(self, time: float) -> bool:
        """Whether no tick has to pass before a moment [s] can be shown."""
        return self._after.beat.has_come(time)

    def let_tick_pass(self, until: float | None = None) -> None:
        """Go on to the next tick, or to a later one that first reaches `until` [s]; `show` says what to see of it."""
        if until is not None:
            self._run.skip(until)
        before = self._run.moment
        self._run.tick()
        self._before, self._after = before, self._run.moment

    def show(self, time: float) -> None:
        """Show a moment [s] between the last two ticks, or the one it is nearest to."""
        self.time = min(max(time, self._before.time), self._after.time)
        self.reached = max(self.reached, self.time)

    @property
    def is_on_its_way(self) -> bool:
        """Whether ticks have to pass before what was sought is shown; meanwhile those are."""
        return self._wanted is not None

    def head_for(self, time: float) -> None:
        """Show a moment [s] again; of what it has not come to yet, the last, and the first of what it still knows.

        That may lie many ticks behind the last moment it knows, so whoever asks lets them pass with `come_nearer`.
        """
        wanted = self._wanted = min(max(time, self._run.begins), self.reached)
        if not self._run.time <= wanted <= self._run.time + KEPT_EVERY * self.tick:
            if self._run.ticks >= self._furthest.ticks:
                self._furthest = self._run.snapshot()
            kept = {**self._furthest.kept, **self._run.snapshot().kept}
            self._run.rewind(replace(self._furthest, kept=kept).near(wanted))
        self._before = self._after = self._run.moment
        self.time = min(self._run.time, wanted)
        self._see_whether_there()

    def come_nearer(self) -> None:
        """Let a tick pass on the way to what was sought. If that fails it stays there."""
        try:
            self.let_tick_pass(self._wanted)
        except Exception:
            self._wanted = None
            raise
        self.time = min(self._after.time, self.reached)
        self._see_whether_there()

    def _see_whether_there(self) -> None:
        if self._wanted is not None and self.has_come_to(self._wanted):
            self.time, self._wanted = self._wanted, None  # to the bit, also a hair beside a tick

    def _stand_still(self) -> None:
        """Show the tick that the run is at."""
        self._before = self._after = self._run.moment
        self.show(self._after.time)

    # ---- changes -----------------------------------------------------------------------------------------------------

    def change(self, document: Stage) -> None:
        """Go on with another scene from the next tick on; at the very beginning, begin with it."""
        last, self._document = (self._document, self._run.stage), document
        stage = leading(document, self.strokes, last)
        if self._run.ticks:
            self._run.change(stage)
            self._run.forget(changes_kept(self._run.moment))
        else:
            self._run = Run(stage)
        self._furthest, self.reached = self._run.snapshot(), self.time
        if not (self._run.ticks and _are_found_alike(self._after, self._run.moment)):
            self._stand_still()

    def point(self, place: Vec3) -> None:
        """The mouse holds the pointer there."""
        check_pointer(self._document, place)
        if self.is_on_its_way:
            return  # nothing is led on the way to an earlier moment
        if self._run.ticks < self._furthest.ticks:
            self.change(self._document)  # rewound, and led elsewhere: what came after will not come again
        self.strokes.put(self._run.moment.beat, place)

    # ---- what is seen ------------------------------------------------------------------------------------------------

    def film_of(self, document: Stage) -> Film:
        """Everybody of a document at `time`; who is not in the run yet is nowhere."""
        aims = aims_at(self._before, self._after, self.time)
        targets = {name: place for racers, places in aims for name, place in zip(racers, places, strict=True)}
        return Glimpse(document, self._run.moment, self.time, self.instant(), targets)

    def instant(self) -> Instants:
        """Everybody at `time`: who takes ticks on the way between the last two, all others as they are said now."""
        before, after, time, stage = self._before, self._after, self.time, self._run.stage
        share = share_of_way(before, after, time)
        return Instants(
            stage,
            np.array([time]),
            lambda name: at_once(taken_at(before, after, name, share, time)),
            self._run.moment.story,
            lambda step: at_once(late_on_the_way(before, after, step, share)),
        )


def _are_found_alike(one: Moment, two: Moment) -> bool:
    """Whether those who take ticks at a moment of one stage can be shown in their places on another."""
    movers = one.stage.movers
    return (movers, one.stage.late) == (two.stage.movers, two.stage.late) and all(
        one.tracks[name].pose.position.shape == two.tracks[name].pose.position.shape for name in movers
    )


MEMORY = 100e6  # [bytes] for all changes together
MOST, FEWEST = 1000, 20  # changes

MOMENT, ACTOR, POINT = 10_000, 1_000, 250  # [bytes] as measured: of any moment, for each actor, for each of its points


def changes_kept(moment: Moment) -> int:
    """How many changes to keep when each is as large as this moment."""
    return int(min(max(MEMORY // size_of(moment), FEWEST), MOST))


def size_of(moment: Moment) -> float:
    """About how many bytes a moment takes."""
    film = Film(moment.stage)
    points = sum(prod(film.shape(name)[:-1]) for name in moment.stage.names)
    felt = (getattr(cast.state, "felt", None) for cast in moment.casts.values())
    travelling = sum(one.past.place.nbytes + one.past.turn.nbytes for one in felt if isinstance(one, Felt))
    return float(MOMENT + ACTOR * len(moment.stage.actors) + POINT * points + travelling)
