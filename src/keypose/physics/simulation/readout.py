"""What can be read from a state of all bodies: poses, targets, progress and events."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from keypose.curves import CarrierFrames
from keypose.maths import Floats, kernels_available
from keypose.motion import Event, Pose, SyncPlanProtocol
from keypose.physics.simulation.body_plan import BodyPlan
from keypose.physics.simulation.state import BodyPoses, BodyState


class BodyReadout:
    """Reads the states of the bodies of a plan."""

    def __init__(self, plan: BodyPlan) -> None:
        self._plan = plan

    def poses(self, state: BodyState) -> Mapping[str, Pose]:
        """Where everybody is."""
        return self._body_poses(state.poses, state.soft_points, self._clock_times(state))

    def between(self, before: BodyState, after: BodyState, fraction: float) -> Mapping[str, Pose]:
        """Where everybody is between two ticks."""
        if kernels_available():
            from keypose.physics.engine.kernels import interpolate_poses
        else:
            from keypose.physics.simulation.state import interpolate_poses
        poses = interpolate_poses(before.poses, after.poses, fraction)
        soft_points = before.soft_points + fraction * (after.soft_points - before.soft_points)
        first, last = self._clock_times(before), self._clock_times(after)
        return self._body_poses(poses, soft_points, first + fraction * (last - first))

    def _body_poses(self, poses: Floats, soft_points: Floats, clock_times: Floats) -> BodyPoses:
        return BodyPoses(
            poses,
            soft_points,
            self._plan.rows,
            self._plan.static_poses,
            self._plan.surfaces,
            self._plan.movers,
            self._plan.clocked_motions,
            clock_times,
        )

    def _clock_times(self, state: BodyState) -> Floats:
        """What time it is for those who go by clocks of their own."""
        return np.empty(0) if self._plan.sync_plan is None else self._plan.sync_plan.clock_times(state.sync)

    def stack_frames(self, frames: Sequence[Mapping[str, Pose]]) -> dict[str, Pose]:
        """Where everybody is in each of some frames, which `poses` or `between` gave."""
        body_poses = [frame for frame in frames if isinstance(frame, BodyPoses)]
        poses = np.stack([frame.poses for frame in body_poses])
        found = {name: Pose(poses[:, row, :3], poses[:, row, 3:]) for name, row in self._plan.rows.items()}
        found |= self._plan.surfaces.stack_frames([frame.soft_points for frame in body_poses])
        for name, pose in self._plan.static_poses.items():
            found[name] = Pose(*(np.tile(values, (len(frames), 1)) for values in (pose.position, pose.orientation)))
        clocks = np.array([frame.clock_times for frame in body_poses])
        found |= {
            name: motion.at(clocks[:, row]) for row, (name, motion) in enumerate(self._plan.clocked_motions.items())
        }
        return {name: found[name] for name in (*self._plan.movers, *self._plan.clocked_motions)}

    def targets(self, state: BodyState) -> Floats:
        """Where their targets are, (racers, 3)."""
        return np.asarray(state.followers["target"])

    def target_parameters(self, state: BodyState) -> Mapping[str, tuple[float, float, int]]:
        """Where the targets of their places and turns are, and of how many segments each goes round; 0 if not."""
        specs, followers = self._plan.follower_arrays.specs, state.followers
        lap_segments = np.where(specs["closed"], specs["segment_count"], 0).tolist()
        columns = self._plan.follower_arrays.names, followers["u"].tolist(), followers["turn_u"].tolist(), lap_segments
        return {name: (u, turn_u, segments) for name, u, turn_u, segments in zip(*columns, strict=True)}

    def speed_factors(self, state: BodyState) -> Floats:
        """(strands,) which share of its own speed each goes at."""
        return np.empty(0) if self._plan.sync_plan is None else self._plan.sync_plan.speed_factors(state.sync)

    def progress(self, state: BodyState) -> Floats:
        """(strands,) where targets are on their paths, and what time it is by clocks."""
        target_parameters = (
            np.empty(0) if self._plan.body_progress is None else self._plan.body_progress.progress(state.followers)
        )
        return np.concatenate([target_parameters, self._clock_times(state)])

    def carrier_frames(self, state: BodyState) -> Mapping[str, CarrierFrames]:
        """In which frames the carried keys of each stand who has some."""
        followers = enumerate(self._plan.relative_keys.follower_rows.tolist())
        return {
            self._plan.follower_arrays.names[follower]: self._plan.relative_keys.follower_frames(
                number, state.relative_keys
            )
            for number, follower in followers
        }

    def events(self, state: BodyState) -> tuple[Event, ...]:
        """Who bumped into whom, who was stuck, and who feels nothing any more."""
        field_events = () if self._plan.field_forces is None else self._plan.field_forces.events(state.fields)
        sync_events = () if self._plan.sync_plan is None else self._plan.sync_plan.events(state.sync)
        return *state.events.entries, *field_events, *sync_events

    def sync_state(self, state: BodyState) -> tuple[SyncPlanProtocol, Any] | None:
        """The meetings there are, and how they were kept so far; None if nobody with a body meets anybody."""
        return None if self._plan.sync_plan is None else (self._plan.sync_plan, state.sync)

    def stability_warnings(self) -> tuple[Event, ...]:
        """A warning of each body that tracks with gains that will not settle."""
        return () if self._plan.field_forces is None else self._plan.field_forces.sensing.stability_warnings()
