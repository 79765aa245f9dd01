"""The paths of followers with relative keys, built anew at each tick from the resolved keys (LG95 §4).

This is the readable reference of `RelativePathCache`, which derives only what carriers change and targets may read.
"""

from dataclasses import replace

import numpy as np

from keypose.maths import Floats, RecordArray, quaternion
from keypose.physics.following.controller import PathSegments
from keypose.physics.following.follower_arrays import (
    SAMPLES_PER_SEGMENT,
    FollowerArrays,
    sample_orientations,
    segment_cubics,
)
from keypose.physics.following.target import steady_path_velocity
from keypose.physics.relative.orientation_arrays import IS_PINNED, POSITION
from keypose.physics.relative.relative_keys import RelativeKeys


class ResolvedPaths:
    """The paths of all followers, as their carriers are at one tick."""

    def __init__(self, relative_keys: RelativeKeys, follower_arrays: FollowerArrays) -> None:
        self._relative_keys = relative_keys
        self.follower_arrays = replace(
            follower_arrays,
            cubics=follower_arrays.cubics.copy(),
            orientation_samples=follower_arrays.orientation_samples.copy(),
        )

    def set_frames(self, frames: Floats) -> None:
        """Build all paths in these frames of relative keys."""
        arrays = self.follower_arrays
        for number, row in enumerate(self._relative_keys.follower_rows.tolist()):
            path, spec = self._relative_keys.resolve_path(number, frames), arrays.specs[row]
            arrays.cubics[spec.first_segment :][: spec.segment_count] = segment_cubics(path)
            arrays.orientation_samples[spec.first_sample :][: spec.sample_count] = sample_orientations(path)

    def begin(self, frames: Floats, followers: RecordArray) -> None:
        """Build all paths; the targets of new followers are where their paths begin."""
        self.set_frames(frames)
        for row in self._relative_keys.follower_rows.tolist():
            if followers["is_new"][row]:
                followers["target"][row] = self._path(row).position_at(followers["u"][row])

    def step(self, poses: Floats, dt: float, frames: Floats, followers: RecordArray) -> None:
        """Move the carriers to `poses` (carriers, 7), `dt` seconds after the paths were built in these frames.

        Keys that their targets have reached are pinned, paths are built anew, and the velocities of paths at their
        targets are stored.
        """
        keys, rows = self._relative_keys.keys, self._relative_keys.follower_rows.tolist()
        has_rotation = {row: self._relative_keys.orientation_tables.path_row[row] >= 0 for row in rows}
        before = {row: self._target_pose(row, followers, has_rotation[row]) for row in rows}
        u = np.where(keys.is_rotation, followers["turn_u"][keys.follower], followers["u"][keys.follower])
        frames[keys.pins & (u >= keys.key), IS_PINNED] = 1.0
        is_carried = frames[:, IS_PINNED] == 0.0
        frames[is_carried, POSITION:] = poses[keys.carrier[is_carried]]
        self.set_frames(frames)
        for row in rows:
            follower, (old_position, old_orientation) = followers[row], before[row]
            position, orientation = self._target_pose(row, followers, has_rotation[row])
            velocity = (position - old_position) / dt
            follower.path_velocity = steady_path_velocity(velocity, follower.raw_path_velocity)
            follower.raw_path_velocity = velocity
            if has_rotation[row]:
                velocity = quaternion.rotation_vector_between(old_orientation, orientation) / dt
                follower.path_angular_velocity = steady_path_velocity(velocity, follower.raw_path_angular_velocity)
                follower.raw_path_angular_velocity = velocity

    def _path(self, row: int) -> PathSegments:
        return PathSegments(self.follower_arrays.paths, self.follower_arrays.specs[row])

    def _target_pose(self, row: int, followers: RecordArray, has_rotation: bool) -> tuple[Floats, Floats]:
        """The position of a path at its target, and its orientation at the second one."""
        path, v = self._path(row), float(followers["turn_u"][row] * SAMPLES_PER_SEGMENT)
        return path.position_at(followers["u"][row]), path.orientation_at(v) if has_rotation else np.zeros(4)
