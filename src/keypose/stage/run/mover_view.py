"""What does each mover see? Those it watches, in the frame it stands in itself, each worked out once."""

import numpy as np

from keypose.motion import MoverView, Pose, pose_center, to_local
from keypose.stage.actor import Actor
from keypose.stage.evaluate.poses import PoseEvaluator
from keypose.stage.resolved_stage import ResolvedStage

FrameKey = tuple[str, bool] | None  # a parent's name, and whether it is read late; None for the world


class MoverViews:
    """What movers see at one instant."""

    def __init__(self, stage: ResolvedStage, evaluator: PoseEvaluator, time: float) -> None:
        self._stage = stage
        self._evaluator = evaluator
        self._time = time
        self._poses: dict[tuple[FrameKey, str], Pose] = {}

    def view_of(self, actor: Actor) -> MoverView:
        """What one mover sees."""
        frame_key, poses = self._frame_key(actor), self._poses

        def lookup(name: str) -> Pose:
            found = poses.get((frame_key, name))
            return self._evaluate_view(actor, frame_key, name) if found is None else found

        return MoverView(self._time, self._stage.watches[actor.name], lookup)

    def prepare(self) -> None:
        """Work out together what those see who stand on others."""
        views: dict[tuple[FrameKey, str], tuple[Pose, Pose]] = {}
        for name in self._stage.single_movers:
            actor, watched = self._stage.by_name[name], self._stage.watches[name]
            if actor.parent is None or not watched:
                continue
            frame_key, parent_pose = self._frame_key(actor), self._evaluator.parent_pose(name)
            assert parent_pose is not None
            for other in watched:
                world = self._evaluator.pose(other)
                if (frame_key, other) not in views and world.position.ndim == 2:
                    views[frame_key, other] = parent_pose, world
        if len(views) < 2:
            return
        parent_pose = Pose(
            np.concatenate([pose_center(parent) for parent, _ in views.values()]),
            np.concatenate([parent.orientation for parent, _ in views.values()]),
        )
        world = Pose(
            np.concatenate([pose.position for _, pose in views.values()]),
            np.concatenate([pose.orientation for _, pose in views.values()]),
        )
        self._poses.update(zip(views, to_local(parent_pose, world).read_only(), strict=True))

    def _frame_key(self, actor: Actor) -> FrameKey:
        return None if actor.parent is None else (actor.parent, (actor.name, False) in self._stage.previous_reads)

    def _evaluate_view(self, actor: Actor, frame_key: FrameKey, name: str) -> Pose:
        world, parent_pose = self._evaluator.pose(name), self._evaluator.parent_pose(actor.name)
        local_pose = world if parent_pose is None else to_local(parent_pose, world)
        self._poses[frame_key, name] = found = local_pose[0].read_only()  # others see it too
        return found
