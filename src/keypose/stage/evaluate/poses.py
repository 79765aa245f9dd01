"""Where is everybody at these moments? Each actor's own pose first, then from the root up, then who looks at whom.

Asked for some, only those and what they stand on or look at are worked out; each is worked out once.
"""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from keypose.maths import Floats
from keypose.motion import (
    BANK_WINDOW,
    FaceForward,
    LookAt,
    PassLog,
    Pose,
    PoseLookup,
    forward_orientations,
    pose_center,
    pose_to_3d,
)
from keypose.stage.evaluate.dependencies import PoseStep, final_step, look_at_batch, required_steps, to_world_batch

if TYPE_CHECKING:
    from keypose.stage.evaluate.batch import Batch
    from keypose.stage.resolved_stage import ResolvedStage


class PoseEvaluator:
    """The cast at times t (n,) [s].

    `taken(name)` says the poses (n, …) of a mover in the frame it stands in, `story(name)` which keys of an actor have
    been passed by when, `late(step)` what a mover on a circle reads of another, or None if it stands by itself.
    """

    def __init__(
        self,
        stage: "ResolvedStage",
        t: Floats,
        mover_pose: Callable[[str], Pose],
        pass_log: Callable[[str], PassLog],
        previous_pose: Callable[[PoseStep], Pose | None] = lambda _: None,
    ) -> None:
        self._stage = stage
        self._t = t
        self._mover_pose = mover_pose
        self._pass_log = pass_log
        self._previous_pose = previous_pose
        self._batch_poses: dict[str, Pose] = {}
        self._poses: dict[PoseStep, Pose] = {}
        self._base_times = t
        self._offset = 0
        self._shifted: dict[int, PoseEvaluator] = {}

    def all_poses(self) -> dict[str, Pose]:
        """All poses in the world, in the stage's order of actors."""
        self.prepare(self._stage.batches, self._stage.levels)
        actors = self._stage.by_name
        return {name: self._poses[final_step(actors, name)] for name in actors}

    def prepare(self, batches: Iterable["Batch"], levels: Iterable[Iterable[PoseStep]]) -> None:
        """Work out what will be asked for, those of a batch and those of a level together."""
        for batch in batches:
            self._batch_poses.update(batch.poses(self._t))
        for level in levels:
            self._evaluate_level(level)

    def pose(self, name: str) -> Pose:
        """One actor's poses in the world."""
        return self.pose_after(final_step(self._stage.by_name, name))

    def pose_after(self, step: PoseStep) -> Pose:
        """One actor's poses in the world after a step: turned to what it looks at, or not yet."""
        if step not in self._poses:
            self._evaluate(self._stage.steps_to(step[0]))
        return self._poses[step]

    def parent_pose(self, name: str) -> Pose | None:
        """What an actor stands on, as it reads it; None for the world."""
        parent = self._stage.by_name[name].parent
        if parent is None:
            return None
        other = final_step(self._stage.by_name, parent)
        return self._previous_pose(other) if (name, False) in self._stage.previous_reads else self.pose_after(other)

    def _evaluate(self, steps: Iterable[PoseStep]) -> None:
        """Do these steps one after the other."""
        for step in steps:
            self._evaluate_level([step])

    def _evaluate_level(self, level: Iterable[PoseStep]) -> None:
        """Do these steps, none of which needs another."""
        actors, previous_reads, poses = self._stage.by_name, self._stage.previous_reads, self._poses
        look_at_pairs: dict[PoseStep, tuple[Pose, Pose]] = {}
        parent_pairs: dict[PoseStep, tuple[Pose, Pose]] = {}
        for step in level:
            if step in poses:
                continue
            name, is_aimed = step
            actor = actors[name]
            if is_aimed:
                assert isinstance(actor.facing, LookAt)
                target = (
                    self._previous_pose(previous_reads[step])
                    if step in previous_reads
                    else poses[actor.facing.name, False]
                )
                if target is None:
                    poses[step] = poses[name, False]
                else:
                    look_at_pairs[step] = poses[name, False], target
                continue
            parent_pose = None
            if actor.parent is not None:
                parent_pose = (
                    self._previous_pose(previous_reads[step])
                    if step in previous_reads
                    else poses[final_step(actors, actor.parent)]
                )
            local_pose = self._local_pose(name)
            if parent_pose is None:
                poses[step] = local_pose
            else:
                parent_pairs[step] = parent_pose, local_pose
        for steps, compose in ((parent_pairs, to_world_batch), (look_at_pairs, look_at_batch)):
            if steps:
                poses.update(zip(steps, compose(*zip(*steps.values(), strict=True)), strict=True))

    def _local_pose(self, name: str) -> Pose:
        """An actor's poses in the frame it stands in."""
        actor = self._stage.by_name[name]
        if actor.motion is None:
            return self._mover_pose(name)
        if name in self._stage.relative_keys:
            return self._relative_key_pose(name)
        if name in self._batch_poses:
            return self._batch_poses[name]
        pose = pose_to_3d(actor.motion.at(self._t))
        if isinstance(actor.facing, FaceForward):
            return Pose(pose.position, actor.facing.orientations_along(actor.motion, self._t, pose.orientation))
        return pose

    def _relative_key_pose(self, name: str) -> Pose:
        """The poses of an actor some of whose keys are carried, in the frame it stands in."""
        actor, relative_motion, log = (
            self._stage.by_name[name],
            self._stage.relative_keys.relative_motion(name),
            self._pass_log(name),
        )
        pose = relative_motion.at(self._t, self._carrier_pose, log)
        if not isinstance(actor.facing, FaceForward):
            return pose
        upright = forward_orientations(relative_motion.direction(self._t, self._carrier_pose, log), pose.orientation)
        if not actor.facing.bank:
            return Pose(pose.position, upright)
        later_position, earlier_position = (self._at_offset(offset)._local_position(name) for offset in (1, -1))
        acceleration = (later_position - 2 * pose_center(pose) + earlier_position) / BANK_WINDOW**2
        return Pose(pose.position, actor.facing.apply_bank(upright, acceleration))

    def _carrier_pose(self, name: str, t: Floats) -> Pose:
        """A carrier's poses, which are worked out before they are needed."""
        assert t is self._t
        return self._poses[final_step(self._stage.by_name, name)]

    def _at_offset(self, offset: int) -> "PoseEvaluator":
        """The cast so many times `BANK_WINDOW` later. All who lean share these, or each of a chain would triple the
        work.
        """
        self._shifted.setdefault(self._offset, self)
        total_offset = self._offset + offset
        if total_offset not in self._shifted:
            other = PoseEvaluator(
                self._stage,
                self._base_times + total_offset * BANK_WINDOW,
                self._mover_pose,
                self._pass_log,
                self._previous_pose,
            )
            other._base_times, other._offset, other._shifted = self._base_times, total_offset, self._shifted
            self._shifted[total_offset] = other
        return self._shifted[total_offset]

    def _local_position(self, name: str) -> Floats:
        """Where an actor whose keys are carried is in the frame it stands in, whichever way it faces."""
        for other in required_steps(self._stage.by_name, (name, False)):
            self.pose(other[0])
        return pose_center(
            self._stage.relative_keys.relative_motion(name).at(self._t, self._carrier_pose, self._pass_log(name))
        )


def pose_lookup(evaluator_at: Callable[[Floats], PoseEvaluator], batches: Iterable["Batch"] = ()) -> PoseLookup:
    """How to look at anybody at any times; those of a batch are asked together, and nobody twice for the same times."""
    cached: list[tuple[Floats, PoseEvaluator]] = []

    def lookup(name: str, t: Floats) -> Pose:
        if not cached or cached[0][0] is not t:
            evaluator = evaluator_at(t)
            evaluator.prepare(batches, ())
            cached[:] = [(t, evaluator)]
        return cached[0][1].pose(name)

    return lookup
