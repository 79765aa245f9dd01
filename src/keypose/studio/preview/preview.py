"""Where is everybody at any moment, movers too? Motions are asked; what takes ticks is looked up in a take shot before.

The take is shot beside everything else (`background_job`), so until it is there those who need it stand where they were
in the last one, or nowhere.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from keypose.curves import MotionPath
from keypose.maths import Floats, Ints
from keypose.motion import Event, Motion, Pose, RecordedMotion, Take, pose_center
from keypose.physics import SURFACE_NAME, BodyMover, SoftSurface, Still
from keypose.script import ScriptReport
from keypose.stage import Batch, Progress, Stage, expected_duration, lap_duration, pose_lookup, shoot_until_done
from keypose.studio.preview.collisions import collision_views
from keypose.studio.preview.field_handles import FieldHandles
from keypose.studio.preview.key_passes import KeyPasses, find_key_passes, passing_times
from keypose.studio.preview.meetings import meeting_event_views
from keypose.studio.protocol.updates.bodies import CollisionView
from keypose.studio.protocol.updates.meetings import MeetingEventView

UNKNOWN_POSE = np.array([0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0])
ENDLESS_DURATION = 10.0  # [s] of what never ends by itself are shown
TAKE_FPS = 60.0
MAX_TAKE_DURATION = 600.0  # [s]: a page scrubs through minutes, not through days


class Preview:
    """A stage, and a take of it if some of its cast take ticks."""

    def __init__(self, stage: Stage, take: Take | None = None) -> None:
        self.stage = stage
        self.take = take
        self._key_times: dict[str, Floats] = {}
        self._key_passes: dict[str, KeyPasses] = {}
        self._last_frame: CachedFrame | None = None

    @cached_property
    def simulated_names(self) -> frozenset[str]:
        """Those who take ticks or depend on somebody who does."""
        movers = set(self.stage.resolved.movers)
        if not movers:
            return frozenset()
        return frozenset(
            name
            for name in self.stage.names
            if any(dependency in movers for dependency, _ in self.stage.resolved.steps_to(name))
        )

    @cached_property
    def duration(self) -> float:
        """Seconds to play: as long as foreseen, or as it took until all meetings were over when it was shot last."""
        recorded_duration = (
            0.0 if self.take is None or self.stage.resolved.sync_plan is None else float(self.take.times[-1])
        )
        return max(self.expected_duration, recorded_duration)

    @cached_property
    def expected_duration(self) -> float:
        """Seconds until all has ended that ends, if nobody who meets is held up; of what never does, one round."""
        spans = [actor.motion.span[1] for actor in self.stage.actors if actor.motion is not None]
        ends_at = max(expected_duration(self.stage), lap_duration(self.stage))
        return ends_at or max([ENDLESS_DURATION if self.stage.resolved.movers else 0.0, *spans])

    @cached_property
    def collisions(self) -> tuple[CollisionView, ...] | None:
        """Who hits whom, as it was shot last; None while nobody knows."""
        if self.take is None:
            return None if self.simulated_names else ()
        return collision_views(self.take.events)

    @cached_property
    def meeting_events(self) -> tuple[MeetingEventView, ...]:
        """What became of meetings, as it was shot last."""
        return () if self.take is None else meeting_event_views(self.take.events)

    def targets(self, t: float) -> Mapping[str, Floats]:
        """Where those aim who race a target, at a moment [s]; nobody while nobody knows."""
        if self.take is None or not self.take.targets:
            return {}
        frame = min(max(t * self.take.fps, 0.0), len(self.take.times) - 1.0)
        first = min(int(frame), len(self.take.times) - 2)
        fraction = frame - first
        return {
            name: (1 - fraction) * positions[first] + fraction * positions[first + 1]
            for name, positions in self.take.targets.items()
            if name in self.stage.resolved.by_name
        }

    def warnings(self, name: str) -> tuple[str, ...]:
        """What to beware of with an actor, in sentences; of who takes ticks, as it was shot last."""
        if name in self.simulated_names:
            return self._warnings_by_actor.get(name, ())
        meetings = self.stage.resolved.relative_keys
        if name not in meetings:
            return ()
        return tuple(map(warning_text, meetings.actor_events(name, meetings.pass_log, self.duration)))

    @cached_property
    def _warnings_by_actor(self) -> dict[str, tuple[str, ...]]:
        found: dict[str, tuple[str, ...]] = {}
        for event in () if self.take is None else self.take.events:
            if event.kind == "warning":
                found[event.actor] = (*found.get(event.actor, ()), warning_text(event))
        return found

    def shape(self, name: str) -> tuple[int, ...]:
        """The shape of an actor's place: (dim,), or (points, dim) of a drawing; what takes ticks is in space."""
        motion = self.stage[name].motion
        if motion is None:
            return self._initial_poses[name].position.shape if name in self._initial_poses else (3,)
        return motion.position.shape[1:] if isinstance(motion, RecordedMotion) else motion.path.shape

    @cached_property
    def _initial_poses(self) -> dict[str, Pose]:
        """Where those begin who step together."""
        return {
            name: pose for one in self.stage.resolved.systems.values() for name, pose in one.initial_poses().items()
        }

    @cached_property
    def initial_poses(self) -> dict[str, Pose]:
        """Where everybody is at the first moment who does not depend on what takes ticks, and all bodies."""
        evaluator = self.stage.resolved.evaluator(np.zeros(1))
        known = {name: evaluator.pose(name) for name in self.stage.names if name not in self.simulated_names}
        first = {name: Pose(pose_center(pose)[0], pose.orientation[0]) for name, pose in known.items()}
        return first | self._initial_poses

    def _initial_pose(self, name: str, count: int) -> Pose | None:
        """Where a body begins, so many times, if that is known before it is shot."""
        first = self._initial_poses.get(name)
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

    def key_passes(self, name: str, path: MotionPath) -> KeyPasses | None:
        """How the target of somebody went through the keys of its path; looked for once. None while nobody knows."""
        if self.take is None or name not in self.take.targets:
            return None
        if name not in self._key_passes:
            self._key_passes[name] = find_key_passes(self.take, self.take.targets[name], path)
        return self._key_passes[name]

    def playback_times(self, name: str, t: Floats) -> Floats:
        """When a motion is where it says to be at times (n,): later, if its clock went slower when it was shot [s]."""
        plan, take = self.stage.resolved.sync_plan, self.take
        if (
            plan is None
            or name not in plan.clocked_motions
            or take is None
            or not isinstance(take.script, ScriptReport)
        ):
            return t
        if name not in take.script.speed_factors:
            return t
        speed_factor = take.script.speed_factors[name]
        clock_time = np.concatenate(
            [[0.0], np.cumsum((speed_factor[1:] + speed_factor[:-1]) / 2 * np.diff(take.times))]
        )
        clock_time += np.arange(len(clock_time)) * 1e-12  # where it is held, what counts is the moment it came there
        return np.asarray(np.interp(t, clock_time, take.times))

    def parameter(self, name: str, motion: Motion, t: Floats) -> Floats:
        """The parameter of an actor's path at times (n,)."""
        if name not in self.stage.resolved.relative_keys or name in self.simulated_names:
            return np.asarray(motion.parameter(t))
        meetings = self.stage.resolved.relative_keys
        return meetings.relative_motion(name).parameter(
            t, pose_lookup(self.stage.resolved.evaluator), meetings.pass_log(name)
        )

    @property
    def take_duration(self) -> float:
        """How much of it a take shows."""
        return min(self.duration, MAX_TAKE_DURATION)

    def shoot(self, fps: float, progress: Progress | None = None) -> Take:
        """A take of it, anew: as long as foreseen, and until all meetings are over."""
        return shoot_until_done(self.stage, min(self.expected_duration, MAX_TAKE_DURATION), fps, progress=progress)

    def poses(self, name: str, t: Floats) -> Pose | None:
        """One actor's poses in the world at times (n,); None while nobody knows."""
        if name not in self.simulated_names:
            return self.stage.resolved.evaluator(t).pose(name)
        if isinstance(self.stage[name].mover, Still):
            return self._initial_pose(name, len(t))
        return None if self.take is None or name not in self.take else self.take[name].at(t)

    def has_history(self, names: Iterable[str]) -> bool:
        """Whether it knows where all of these were before; a film does."""
        return True

    def all_poses(self, t: float) -> tuple[Floats, list[Floats]]:
        """Where all are at one moment: (actors, 7), place and w x y z, in the stage's order; and drawings' points."""
        if self._last_frame is not None and self._last_frame.time == t:
            return self._refresh(self._last_frame), []
        rows, points, batches = np.empty((len(self.stage.names), 7)), [], self._independent_batches
        times = np.array([t])
        if batches is None:
            evaluator = self.stage.resolved.evaluator(times)
            everything = evaluator.all_poses() if not self.simulated_names else None
            for row, name in zip(rows, self.stage.names, strict=True):
                pose = self.poses(name, times) if everything is None else everything[name]
                if pose is None and isinstance(self.stage[name].mover, BodyMover):
                    pose = self._unrecorded_pose(name, rows)
                points += write_pose_row(row, pose, self.shape(name))
        else:
            for batch, order in batches:
                positions, orientations = batch.pose_arrays(times)
                rows[order, :3], rows[order, 3:] = positions[:, 0], np.concatenate(orientations)
        if not points:
            self._last_frame = CachedFrame(t, rows, frozenset())
        return rows, points

    def _unrecorded_pose(self, name: str, rows: Floats) -> Pose | None:
        """Where a body begins, until it is shot; a surface is around what was seen of its body, which is in a row."""
        mover = self.stage[name].mover
        if not isinstance(mover, SoftSurface):
            return self._initial_pose(name, 1)
        row = rows[self.stage.names.index(name.removesuffix(f"/{SURFACE_NAME}"))]
        surface_pose = mover.rest_pose(Pose.of(row[:3], row[3:]))
        return Pose(surface_pose.position[None], surface_pose.orientation[None])

    @cached_property
    def handles(self) -> FieldHandles:
        """Where its fields are held."""
        return FieldHandles(self.stage)

    def _refresh(self, last: "CachedFrame") -> Floats:
        """The same moment once more, after some of the cast have changed: only those are asked."""
        if last.stale:
            rows, evaluator = last.rows.copy(), self.stage.resolved.evaluator(np.array([last.time]))
            for index, name in enumerate(self.stage.names):
                if name in last.stale:
                    write_pose_row(rows[index], evaluator.pose(name), ())
            self._last_frame = last = CachedFrame(last.time, rows, frozenset())
        return last.rows

    def with_stage(self, stage: Stage, names: frozenset[str]) -> "Preview":
        """The film of another stage that differs in the pictures of these actors only."""
        preview = Preview(stage, self.take)
        single_points = all(
            len(motion.path.shape) == 1 for name in names if (motion := _keyed_motion(stage, name)) is not None
        )
        if (
            self._last_frame is not None
            and stage.names == self.stage.names
            and not self.simulated_names | preview.simulated_names
            and single_points
        ):
            preview._last_frame = CachedFrame(
                self._last_frame.time, self._last_frame.rows, self._last_frame.stale | names
            )
        return preview

    @cached_property
    def _independent_batches(self) -> list[tuple[Batch, Ints]] | None:
        """Batches in which everybody stands on nothing and looks at nobody, if that is the whole cast."""
        actors, batches = self.stage.resolved.by_name, self.stage.resolved.batches
        is_independent = all(
            one.parent is None and one.facing is None and one.motion is not None for one in actors.values()
        )
        if not is_independent or sum(len(batch.names) for batch in batches) < len(actors):
            return None
        if any(len(batch.shape) > 1 for batch in batches):
            return None
        order = {name: index for index, name in enumerate(actors)}
        return [(batch, np.array([order[name] for name in batch.names])) for batch in batches]


@dataclass(frozen=True, eq=False)
class CachedFrame:
    """Where everybody was at the moment looked at last, and who has changed since."""

    time: float
    rows: Floats
    stale: frozenset[str]


def warning_text(event: Event) -> str:
    """What to beware of, and since when if not from the beginning."""
    return event.text if event.time == 0 else f"At {event.time:.3g} s: {event.text}"


def write_pose_row(row: Floats, pose: Pose | None, shape: tuple[int, ...]) -> list[Floats]:
    """Write a pose into a row; the points of a drawing come back, as many as it has even while it is nowhere.

    A page finds the next drawing's points behind them.
    """
    row[:] = UNKNOWN_POSE
    if pose is not None:
        row[:3], row[3:] = pose_center(pose)[0], pose.orientation[0]
    if len(shape) < 2:
        return []
    fits = pose is not None and pose.position.shape[1:-1] == shape[:1]  # a take of before may have had others
    return [pose.position[0] if pose is not None and fits else np.zeros((shape[0], 3))]


def _keyed_motion(stage: Stage, name: str) -> Motion | None:
    motion = stage.resolved.by_name[name].motion if name in stage.resolved.by_name else None
    return None if isinstance(motion, RecordedMotion) else motion
