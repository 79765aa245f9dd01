"""Where is everybody at any moment, movers too? Motions are asked; what takes ticks is looked up in a take shot before.

The take is shot beside everything else (`shooting`), so until it is there those who need it stand where they were in
the last one, or nowhere.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from keypose.curves.path.motion_path import MotionPath
from keypose.maths.arrays import Floats, Ints
from keypose.motion.hierarchy import middle
from keypose.motion.motion import Motion
from keypose.motion.pose import Pose
from keypose.motion.take import Event, Recorded, Take
from keypose.physics.values.movers import SKIN, Bodily, Skin, Still
from keypose.script.report import Performance
from keypose.stage.evaluate.batch import Batch
from keypose.stage.evaluate.poses import looking
from keypose.stage.recorder.duration import a_round, ends
from keypose.stage.recorder.shoot import Progress, shot_out
from keypose.stage.stage import Stage
from keypose.studio.preview.collisions import hit_views
from keypose.studio.preview.field_handles import Handles
from keypose.studio.preview.key_passing import Raced, passing_times, raced
from keypose.studio.preview.meetings import appointment_views
from keypose.studio.protocol.updates.bodies import HitView
from keypose.studio.protocol.updates.meetings import AppointmentView

NOWHERE = np.array([0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0])
UNENDING = 10.0  # [s] of what never ends by itself are shown
TAKE_FPS = 60.0
LONGEST_TAKE = 600.0  # [s]: a page scrubs through minutes, not through days


class Film:
    """A stage, and a take of it if some of its cast take ticks."""

    def __init__(self, stage: Stage, take: Take | None = None) -> None:
        self.stage = stage
        self.take = take
        self._key_times: dict[str, Floats] = {}
        self._raced: dict[str, Raced] = {}
        self._last: Seen | None = None

    @cached_property
    def ticking(self) -> frozenset[str]:
        """Those who take ticks or depend on somebody who does."""
        movers = set(self.stage.movers)
        if not movers:
            return frozenset()
        return frozenset(
            name for name in self.stage.names if any(other in movers for other, _ in self.stage.steps_to(name))
        )

    @cached_property
    def duration(self) -> float:
        """Seconds to play: as long as foreseen, or as it took until all meetings were over when it was shot last."""
        took = 0.0 if self.take is None or self.stage.plan is None else float(self.take.times[-1])
        return max(self.foreseen, took)

    @cached_property
    def foreseen(self) -> float:
        """Seconds until all has ended that ends, if nobody who meets is held up; of what never does, one round."""
        rounds = [actor.motion.span[1] for actor in self.stage.actors if actor.motion is not None]
        lasts = max(ends(self.stage), a_round(self.stage))
        return lasts or max([UNENDING if self.stage.movers else 0.0, *rounds])

    @cached_property
    def hits(self) -> tuple[HitView, ...] | None:
        """Who hits whom, as it was shot last; None while nobody knows."""
        if self.take is None:
            return None if self.ticking else ()
        return hit_views(self.take.events)

    @cached_property
    def appointments(self) -> tuple[AppointmentView, ...]:
        """What became of meetings, as it was shot last."""
        return () if self.take is None else appointment_views(self.take.events)

    def targets(self, t: float) -> Mapping[str, Floats]:
        """Where those aim who race a target, at a moment [s]; nobody while nobody knows."""
        if self.take is None or not self.take.targets:
            return {}
        frame = min(max(t * self.take.fps, 0.0), len(self.take) - 1.0)
        first = min(int(frame), len(self.take) - 2)
        share = frame - first
        return {
            name: (1 - share) * places[first] + share * places[first + 1]
            for name, places in self.take.targets.items()
            if name in self.stage.by_name
        }

    def warnings(self, name: str) -> tuple[str, ...]:
        """What to beware of with an actor, in sentences; of who takes ticks, as it was shot last."""
        if name in self.ticking:
            return self._warned.get(name, ())
        meetings = self.stage.meetings
        if name not in meetings:
            return ()
        return tuple(map(warned, meetings.events_of(name, meetings.story, self.duration)))

    @cached_property
    def _warned(self) -> dict[str, tuple[str, ...]]:
        found: dict[str, tuple[str, ...]] = {}
        for event in () if self.take is None else self.take.events:
            if event.kind == "warning":
                found[event.actor] = (*found.get(event.actor, ()), warned(event))
        return found

    def shape(self, name: str) -> tuple[int, ...]:
        """The shape of an actor's place: (dim,), or (points, dim) of a drawing; what takes ticks is in space."""
        motion = self.stage[name].motion
        if motion is None:
            return self._opening[name].position.shape if name in self._opening else (3,)
        return motion.position.shape[1:] if isinstance(motion, Recorded) else motion.path.shape

    @cached_property
    def _opening(self) -> dict[str, Pose]:
        """Where those begin who step together."""
        return {name: pose for one in self.stage.companies.values() for name, pose in one.opening().items()}

    @cached_property
    def beginnings(self) -> dict[str, Pose]:
        """Where everybody is at the first moment who does not depend on what takes ticks, and all bodies."""
        now = self.stage.instants(np.zeros(1))
        known = {name: now.pose(name) for name in self.stage.names if name not in self.ticking}
        first = {name: Pose(middle(pose)[0], pose.orientation[0]) for name, pose in known.items()}
        return first | self._opening

    def _first(self, name: str, count: int) -> Pose | None:
        """Where a body begins, so many times, if that is known before it is shot."""
        first = self._opening.get(name)
        return (
            None
            if first is None
            else Pose(*(np.repeat(values[None], count, 0) for values in (first.position, first.orientation)))
        )

    def key_times(self, name: str, motion: Motion) -> Floats:
        """When an actor's keys are first passed [s]; looked for once."""
        if name not in self._key_times:
            self._key_times[name] = passing_times(self.stage, name, motion)
        return self._key_times[name]

    def raced(self, name: str, path: MotionPath) -> Raced | None:
        """How the target of somebody went through the keys of its path; looked for once. None while nobody knows."""
        if self.take is None or name not in self.take.targets:
            return None
        if name not in self._raced:
            self._raced[name] = raced(self.take, self.take.targets[name], path)
        return self._raced[name]

    def played(self, name: str, t: Floats) -> Floats:
        """When a motion is where it says to be at times (n,): later, if its clock went slower when it was shot [s]."""
        plan, take = self.stage.plan, self.take
        if plan is None or name not in plan.timed or take is None or not isinstance(take.script, Performance):
            return t
        if name not in take.script.eases:
            return t
        ease = take.script.eases[name]
        gone = np.concatenate([[0.0], np.cumsum((ease[1:] + ease[:-1]) / 2 * np.diff(take.times))])
        gone += np.arange(len(gone)) * 1e-12  # where it is held, what counts is the moment it came there
        return np.asarray(np.interp(t, gone, take.times))

    def parameter(self, name: str, motion: Motion, t: Floats) -> Floats:
        """The parameter of an actor's path at times (n,)."""
        if name not in self.stage.meetings or name in self.ticking:
            return np.asarray(motion.parameter(t))
        meetings = self.stage.meetings
        return meetings.of(name).parameter(t, looking(self.stage.instants), meetings.story(name))

    @property
    def take_seconds(self) -> float:
        """How much of it a take shows."""
        return min(self.duration, LONGEST_TAKE)

    def shot(self, fps: float, progress: Progress | None = None) -> Take:
        """A take of it, anew: as long as foreseen, and until all meetings are over."""
        return shot_out(self.stage, min(self.foreseen, LONGEST_TAKE), fps, progress=progress)

    def poses(self, name: str, t: Floats) -> Pose | None:
        """One actor's poses in the world at times (n,); None while nobody knows."""
        if name not in self.ticking:
            return self.stage.instants(t).pose(name)
        if isinstance(self.stage[name].mover, Still):
            return self._first(name, len(t))
        return None if self.take is None or name not in self.take else self.take[name].at(t)

    def remembers(self, names: Iterable[str]) -> bool:
        """Whether it knows where all of these were before; a film does."""
        return True

    def everybody(self, t: float) -> tuple[Floats, list[Floats]]:
        """Where all are at one moment: (actors, 7), place and w x y z, in the stage's order; and drawings' points."""
        if self._last is not None and self._last.time == t:
            return self._again(self._last), []
        rows, points, alone = np.empty((len(self.stage.names), 7)), [], self._alone
        asked = np.array([t])
        if alone is None:
            now = self.stage.instants(asked)
            every = now.everybody() if not self.ticking else None
            for row, name in zip(rows, self.stage.names, strict=True):
                pose = self.poses(name, asked) if every is None else every[name]
                if pose is None and isinstance(self.stage[name].mover, Bodily):
                    pose = self._unshot(name, rows)
                points += filled(row, pose, self.shape(name))
        else:
            for batch, order in alone:
                places, facings = batch.rows(asked)
                rows[order, :3], rows[order, 3:] = places[:, 0], np.concatenate(facings)
        if not points:
            self._last = Seen(t, rows, frozenset())
        return rows, points

    def _unshot(self, name: str, rows: Floats) -> Pose | None:
        """Where a body begins, until it is shot; a surface is around what was seen of its body, which is in a row."""
        mover = self.stage[name].mover
        if not isinstance(mover, Skin):
            return self._first(name, 1)
        row = rows[self.stage.names.index(name.removesuffix(f"/{SKIN}"))]
        around = mover.around(Pose.of(row[:3], row[3:]))
        return Pose(around.position[None], around.orientation[None])

    @cached_property
    def handles(self) -> Handles:
        """Where its fields are held."""
        return Handles(self.stage)

    def _again(self, last: "Seen") -> Floats:
        """The same moment once more, after some of the cast have changed: only those are asked."""
        if last.stale:
            rows, now = last.rows.copy(), self.stage.instants(np.array([last.time]))
            for index, name in enumerate(self.stage.names):
                if name in last.stale:
                    filled(rows[index], now.pose(name), ())
            self._last = last = Seen(last.time, rows, frozenset())
        return last.rows

    def changed(self, stage: Stage, names: frozenset[str]) -> "Film":
        """The film of another stage that differs in the pictures of these actors only."""
        film = Film(stage, self.take)
        one_place = all(len(motion.path.shape) == 1 for name in names if (motion := _keyed(stage, name)) is not None)
        if self._last is not None and stage.names == self.stage.names and not self.ticking | film.ticking and one_place:
            film._last = Seen(self._last.time, self._last.rows, self._last.stale | names)
        return film

    @cached_property
    def _alone(self) -> list[tuple[Batch, Ints]] | None:
        """Batches in which everybody stands on nothing and looks at nobody, if that is the whole cast."""
        actors, batches = self.stage.by_name, self.stage.batches
        free = all(one.parent is None and one.facing is None and one.motion is not None for one in actors.values())
        if not free or sum(len(batch.names) for batch in batches) < len(actors):
            return None
        if any(len(batch.shape) > 1 for batch in batches):
            return None
        order = {name: index for index, name in enumerate(actors)}
        return [(batch, np.array([order[name] for name in batch.names])) for batch in batches]


@dataclass(frozen=True, eq=False)
class Seen:
    """Where everybody was at the moment looked at last, and who has changed since."""

    time: float
    rows: Floats
    stale: frozenset[str]


def warned(event: Event) -> str:
    """What to beware of, and since when if not from the beginning."""
    return event.text if event.time == 0 else f"At {event.time:.3g} s: {event.text}"


def filled(row: Floats, pose: Pose | None, shape: tuple[int, ...]) -> list[Floats]:
    """Write a pose into a row; the points of a drawing come back, as many as it has even while it is nowhere.

    A page finds the next drawing's points behind them.
    """
    row[:] = NOWHERE
    if pose is not None:
        row[:3], row[3:] = middle(pose)[0], pose.orientation[0]
    if len(shape) < 2:
        return []
    fits = pose is not None and pose.position.shape[1:-1] == shape[:1]  # a take of before may have had others
    return [pose.position[0] if pose is not None and fits else np.zeros((shape[0], 3))]


def _keyed(stage: Stage, name: str) -> Motion | None:
    motion = stage.by_name[name].motion if name in stage.by_name else None
    return None if isinstance(motion, Recorded) else motion
