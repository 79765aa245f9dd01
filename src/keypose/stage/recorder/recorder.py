"""What of a performance is on film? Of movers, frame by frame on the way between two ticks; of all others nothing yet.

Those are functions of time and of what movers did, and are asked for all frames at once.
"""

from collections.abc import Mapping

from keypose.maths import Floats
from keypose.motion import BatchSystem, Event, Pose, Take
from keypose.stage.evaluate.dependencies import PoseStep
from keypose.stage.evaluate.poses import PoseEvaluator
from keypose.stage.recorder.script_report import build_script_report, sync_progress_at
from keypose.stage.recorder.targets import stack_targets, targets_at
from keypose.stage.resolved_stage import ResolvedStage
from keypose.stage.run.moment import Moment, mover_pose_at, previous_pose_at, stack_poses, tick_fraction


class Recorder:
    """What movers of a stage did, as far as it has been seen."""

    def __init__(self, stage: ResolvedStage) -> None:
        self._stage, self._batch_factory = stage, stage.batch_kind
        self._mover_frames: dict[str, list[Pose]] = {name: [] for name in (() if self._batch_factory else stage.movers)}
        self._system_frames: list[Mapping[str, Pose]] = []
        self._previous_frames: dict[PoseStep, list[Pose]] = {step: [] for step in stage.previous_reads.values()}
        self._target_frames: list[list[tuple[tuple[str, ...], Floats]]] = []
        self.progress_frames: list[Floats] = []
        """(2, strands) of every frame: the eases of those who keep appointments, and where they are."""

    def record(self, before: Moment, after: Moment, time: float) -> None:
        """One frame, at `time` on the way from one tick to the next."""
        fraction = tick_fraction(before, after, time)
        for name, frames in self._mover_frames.items():
            frames.append(mover_pose_at(before, after, name, fraction, time))
        for step, previous in self._previous_frames.items():
            previous.append(previous_pose_at(before, after, step, fraction))
        if self._batch_factory is not None:
            self._system_frames.append(after.system_poses(self._batch_factory, before, time))
        self._target_frames.append(targets_at(before, after, time))
        self.progress_frames.append(sync_progress_at(before, after, time))

    def poses(self, times: Floats, last: Moment) -> dict[str, Pose]:
        """The poses of all actors in all frames, at these times, up to the last moment."""
        stage = self._stage
        poses = {name: stack_poses(frames) for name, frames in self._mover_frames.items()}
        system = None if self._batch_factory is None else stage.systems[self._batch_factory]
        if isinstance(system, BatchSystem):
            poses |= system.stack_frames(self._system_frames)
        previous_poses = {step: stack_poses(frames_read) for step, frames_read in self._previous_frames.items()}
        return PoseEvaluator(stage, times, poses.__getitem__, last.pass_log, previous_poses.__getitem__).all_poses()

    def targets(self) -> dict[str, Floats]:
        """The targets of followers in all frames, (frames, 3) each."""
        return stack_targets(self._target_frames)

    def take(self, times: Floats, fps: float, last: Moment, warnings: tuple[Event, ...]) -> Take:
        """The take of all frames, at these times, up to the last moment; `warnings` are added to its events."""
        targets, events = self.targets(), (*last.events, *warnings)
        report = build_script_report(self._stage, times, self.progress_frames, targets, events)
        return Take(times, fps, self.poses(times, last), events, targets, report)
