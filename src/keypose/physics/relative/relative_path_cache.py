"""The paths of followers with relative keys, as their carriers stand at one tick."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from keypose.maths import Floats, RecordArray, fast_call, kernels_available
from keypose.motion import Pose
from keypose.physics.following.follower_arrays import FollowerArrays
from keypose.physics.relative.relative_keys import RelativeKeys
from keypose.physics.relative.resolved_paths import ResolvedPaths


class CarrierPoses:
    """Where everybody is who carries keys: fellow bodies in the engine, those whom others move as they are seen."""

    def __init__(
        self,
        names: Sequence[str],
        body_rows: Mapping[str, int],
        fixed_poses: Mapping[str, Pose],
        watched: Sequence[str],
    ) -> None:
        watched_rows = {name: number for number, name in enumerate(watched)}
        body_carriers = [number for number, name in enumerate(names) if name in body_rows and name not in watched_rows]
        self._body_carriers, self._body_rows = (
            np.array(body_carriers, np.int64),
            np.array([body_rows[names[carrier]] for carrier in body_carriers], np.int64),
        )
        watched_carriers = [(number, watched_rows[name]) for number, name in enumerate(names) if name in watched_rows]
        self._watched_carriers, self._watched_rows = np.array(watched_carriers, np.int64).reshape(-1, 2).T.copy()
        self._rest_poses = np.zeros((len(names), 7))
        for number, name in enumerate(names):
            if name in fixed_poses:
                self._rest_poses[number] = *fixed_poses[name].position, *fixed_poses[name].orientation

    def poses(self, body_poses: Floats, watched_poses: Floats) -> Floats:
        """Poses of all carriers, (names, 7), from the poses of bodies and of watched actors (watched, 7)."""
        if len(self._watched_carriers) == len(self._rest_poses):  # as most often
            return watched_poses.take(self._watched_rows, axis=0)
        poses = self._rest_poses.copy()
        if len(self._body_carriers):
            poses[self._body_carriers] = body_poses[self._body_rows]
        if len(self._watched_carriers):
            poses[self._watched_carriers] = watched_poses[self._watched_rows]
        return poses


def build_path_cache(
    relative_keys: RelativeKeys, follower_arrays: FollowerArrays
) -> "RelativePathCache | ResolvedPaths":
    """The compiled cache, or without kernels its reference."""
    cache = RelativePathCache if kernels_available() else ResolvedPaths
    return cache(relative_keys, follower_arrays)


class RelativePathCache:
    """The paths of a race as they are bent now."""

    def __init__(self, relative_keys: RelativeKeys, follower_arrays: FollowerArrays) -> None:
        from keypose.physics.relative.position_kernels import set_frames, step_relative_keys

        self._relative_keys = relative_keys
        self.follower_arrays = replace(
            follower_arrays,
            cubics=follower_arrays.cubics.copy(),
            orientation_samples=follower_arrays.orientation_samples.copy(),
        )
        """The same on these paths; of their facings only those are right that targets may read in this tick."""
        self.orientation_tables = relative_keys.orientation_tables.empty_copy()
        self._set_frames = fast_call(set_frames, partial(setattr, self, "_set_frames"))
        self._step = fast_call(step_relative_keys, partial(setattr, self, "_step"))

    def set_frames(self, frames: Floats) -> None:
        """Bend all paths as they are in these frames."""
        self._set_frames(self._relative_keys.segments, self.orientation_tables, frames, self.follower_arrays.cubics)

    def begin(self, frames: Floats, followers: RecordArray) -> None:
        """Be at the first moment: targets that are new are where their paths begin."""
        from keypose.physics.relative.position_kernels import fill_target_positions

        self.set_frames(frames)
        rows = self._relative_keys.follower_rows
        positions = np.empty((len(rows), 3))
        fill_target_positions(rows, self.follower_arrays.paths, followers, positions)
        is_new = followers["is_new"][rows]
        followers["target"][rows[is_new]] = positions[is_new]

    def step(self, poses: Floats, dt: float, frames: Floats, followers: RecordArray) -> None:
        """Let carriers be at `poses` (names, 7), `dt` seconds after they were where these frames say; both are filled.

        Then paths are bent so, and how fast they move and turn where their targets are is remembered.
        """
        relative_keys, follower_arrays = self._relative_keys, self.follower_arrays
        self._step(
            relative_keys.keys,
            relative_keys.segments,
            self.orientation_tables,
            relative_keys.follower_rows,
            follower_arrays.paths,
            poses,
            dt,
            frames,
            followers,
        )
