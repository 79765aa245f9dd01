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

from keypose.fields import FieldState
from keypose.maths import Vec3
from keypose.motion import Event
from keypose.stage import (
    CHECKPOINT_INTERVAL,
    Moment,
    PoseEvaluator,
    Run,
    Stage,
    as_single_instant,
    mover_pose_at,
    previous_pose_at,
    targets_at,
    tick_fraction,
)
from keypose.studio.playback.live_frame import LiveFrame
from keypose.studio.playback.pointer import PointerHistory, check_pointer, with_pointer_mover
from keypose.studio.preview.preview import Preview


class LiveRun:
    """A live run of a document, at `time` [s]. What fails raises, and it stays where it was."""

    def __init__(self, document: Stage) -> None:
        self.pointer_history = PointerHistory()
        self.time = 0.0
        self.reached_time = 0.0
        """How far it has come [s]; what lies behind `time` of it is shown again, until something is changed."""
        self._document = document
        self._run = Run(with_pointer_mover(document, self.pointer_history))
        self._before = self._after = self._run.moment
        self._latest_snapshot = self._run.snapshot()
        self._seek_time: float | None = None  # the moment [s] it is on its way to

    @property
    def document(self) -> Stage:
        """The scene as it was last said."""
        return self._document

    @property
    def tick(self) -> float:
        """How long a tick takes now [s]."""
        return self._run.moment.tick_time.tick

    @property
    def events(self) -> tuple[Event, ...]:
        """What was worth telling so far."""
        return self._run.events

    # ---- time --------------------------------------------------------------------------------------------------------

    def covers_time(self, time: float) -> bool:
        """Whether no tick has to pass before a moment [s] can be shown."""
        return self._after.tick_time.is_at_or_after(time)

    def advance_tick(self, until: float | None = None) -> None:
        """Go on to the next tick, or to a later one that first reaches `until` [s]; `show` says what to see of
        it.
        """
        if until is not None:
            self._run.skip(until)
        before = self._run.moment
        self._run.tick()
        self._before, self._after = before, self._run.moment

    def show_time(self, time: float) -> None:
        """Show a moment [s] between the last two ticks, or the one it is nearest to."""
        self.time = min(max(time, self._before.time), self._after.time)
        self.reached_time = max(self.reached_time, self.time)

    @property
    def has_pending_seek(self) -> bool:
        """Whether ticks have to pass before what was sought is shown; meanwhile those are."""
        return self._seek_time is not None

    def start_seek(self, time: float) -> None:
        """Show a moment [s] again; of what it has not come to yet, the last, and the first of what it still knows.

        That may lie many ticks behind the last moment it knows, so whoever asks lets them pass with `advance_seek`.
        """
        target = self._seek_time = min(max(time, self._run.earliest_time), self.reached_time)
        if not self._run.time <= target <= self._run.time + CHECKPOINT_INTERVAL * self.tick:
            if self._run.ticks >= self._latest_snapshot.ticks:
                self._latest_snapshot = self._run.snapshot()
            snapshots = {**self._latest_snapshot.checkpoints, **self._run.snapshot().checkpoints}
            self._run.rewind(replace(self._latest_snapshot, checkpoints=snapshots).near(target))
        self._before = self._after = self._run.moment
        self.time = min(self._run.time, target)
        self._check_seek_done()

    def advance_seek(self) -> None:
        """Let a tick pass on the way to what was sought. If that fails it stays there."""
        try:
            self.advance_tick(self._seek_time)
        except Exception:
            self._seek_time = None
            raise
        self.time = min(self._after.time, self.reached_time)
        self._check_seek_done()

    def _check_seek_done(self) -> None:
        if self._seek_time is not None and self.covers_time(self._seek_time):
            self.time, self._seek_time = self._seek_time, None  # to the bit, also a hair beside a tick

    def _show_current_tick(self) -> None:
        """Show the tick that the run is at."""
        self._before = self._after = self._run.moment
        self.show_time(self._after.time)

    # ---- changes -----------------------------------------------------------------------------------------------------

    def change_document(self, document: Stage) -> None:
        """Go on with another scene from the next tick on; at the very beginning, begin with it."""
        previous, self._document = (self._document, self._run.stage), document
        stage = with_pointer_mover(document, self.pointer_history, previous)
        if self._run.ticks:
            self._run.change(stage)
            self._run.forget(rewind_limit(self._run.moment))
        else:
            self._run = Run(stage)
        self._latest_snapshot, self.reached_time = self._run.snapshot(), self.time
        if not (self._run.ticks and _has_same_movers(self._after, self._run.moment)):
            self._show_current_tick()

    def move_pointer(self, position: Vec3) -> None:
        """The mouse holds the pointer there."""
        check_pointer(self._document, position)
        if self.has_pending_seek:
            return  # nothing is led on the way to an earlier moment
        if self._run.ticks < self._latest_snapshot.ticks:
            self.change_document(self._document)  # rewound, and led elsewhere: what came after will not come again
        self.pointer_history.record(self._run.moment.tick_time, position)

    # ---- what is seen ------------------------------------------------------------------------------------------------

    def live_frame(self, document: Stage) -> Preview:
        """Everybody of a document at `time`; who is not in the run yet is nowhere."""
        target_groups = targets_at(self._before, self._after, self.time)
        targets = {
            name: position
            for followers, positions in target_groups
            for name, position in zip(followers, positions, strict=True)
        }
        return LiveFrame(document, self._run.moment, self.time, self.pose_evaluator(), targets)

    def pose_evaluator(self) -> PoseEvaluator:
        """Everybody at `time`: who takes ticks on the way between the last two, all others as they are said now."""
        before, after, time, stage = self._before, self._after, self.time, self._run.moment.stage
        fraction = tick_fraction(before, after, time)
        return PoseEvaluator(
            stage,
            np.array([time]),
            lambda name: as_single_instant(mover_pose_at(before, after, name, fraction, time)),
            self._run.moment.pass_log,
            lambda step: as_single_instant(previous_pose_at(before, after, step, fraction)),
        )


def _has_same_movers(one: Moment, two: Moment) -> bool:
    """Whether those who take ticks at a moment of one stage can be shown in their places on another."""
    movers = one.stage.movers
    return (movers, one.stage.previous_reads) == (two.stage.movers, two.stage.previous_reads) and all(
        one.mover_states[name].pose.position.shape == two.mover_states[name].pose.position.shape for name in movers
    )


MEMORY = 100e6  # [bytes] for all changes together
MAX_CHANGES, MIN_CHANGES = 1000, 20  # changes

MOMENT_BYTES, ACTOR_BYTES, POINT_BYTES = (
    10_000,
    1_000,
    250,
)  # [bytes] as measured: of any moment, for each actor, for each of its points


def rewind_limit(moment: Moment) -> int:
    """How many changes to keep when each is as large as this moment."""
    return int(min(max(MEMORY // moment_size(moment), MIN_CHANGES), MAX_CHANGES))


def moment_size(moment: Moment) -> float:
    """About how many bytes a moment takes."""
    preview = Preview(moment.stage.spec)
    points = sum(prod(preview.shape(name)[:-1]) for name in moment.stage.names)
    field_states = (getattr(system_state.state, "fields", None) for system_state in moment.system_states.values())
    history_bytes = sum(
        one.pose_history.positions.nbytes + one.pose_history.orientations.nbytes
        for one in field_states
        if isinstance(one, FieldState)
    )
    return float(MOMENT_BYTES + ACTOR_BYTES * len(moment.stage.spec.actors) + POINT_BYTES * points + history_bytes)
