"""Which keys of followers do others carry, and what of their paths do those bend? Said once, as arrays (LG95 §4).

A carried key stands in the frame of its carrier; once its target has come to it, it is pinned: it stays in the frame it
had then. So all that is remembered of a carried key is one frame and whether that is pinned. The path at any tick is
defined by `resolve_path`, which builds it anew; `position_kernels` derives only the segments that carried keys reach,
and `orientation_kernels` only the facings that are asked for.

Where do the paths of followers run at this tick, while others carry some of their keys?

Each thread keeps its own copy of all paths. What it holds depends on nothing but the frames of the carried keys, so
that whoever goes on from a state comes to the same bits.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from keypose.curves import CarrierFrames, MotionPath, RelativePath, tangent_scales
from keypose.maths import Bools, Floats, Ints, RecordArray
from keypose.physics.following.follower_arrays import FollowerArrays
from keypose.physics.relative.orientation_arrays import (
    FRAME_COLUMNS,
    ORIENTATION,
    POSITION,
    OrientationTables,
    build_orientation_tables,
)
from keypose.physics.relative.tangent_weights import build_tangent_weights, path_end_modes
from keypose.physics.values.connections import Reach
from keypose.physics.values.movers import Follow


class RelativeKeyArrays(NamedTuple):
    """The carried keys of all followers, n of them."""

    carrier: Ints
    """(n,) which of those who carry"""
    follower: Ints
    """(n,) whose key it is, among all followers"""
    key: Ints
    """(n,) which key of its path"""
    pins: Bools
    """(n,) whether it is pinned when its target comes to it"""
    is_rotation: Bools
    """(n,) whether the target of the rotation has to reach it: a key without a position."""


class RelativeSegments(NamedTuple):
    """The segments that carried keys reach, n of them, made of keys in their frames."""

    positions: Floats
    """All keys of paths with carried ones, each in its frame."""
    relative_index: Ints
    """Which of the carried keys each of them is; -1 for none."""
    segment_rows: Ints
    """(n,) which of all segments"""
    keys: Ints
    """(n, 4) its own two keys and those beside them, among all keys of followers with carried ones"""
    end_modes: Ints
    """(n, 2) whether a path ends before or after it, and how"""
    weights: Floats
    """(n, 2, 2) what the chord before and its own count for as it is left, its own and that after as it arrives"""
    weight_modes: Ints
    """(n, 2)"""
    manual_tangents: Floats
    """(n, 2, 3) tangents by hand, in the frames of its own two keys"""
    segment_cuts: Floats
    """(n, 2) where it begins on the curve from place to place, and how much of that it is"""


@dataclass(frozen=True, eq=False)
class RelativeKeys:
    """All carried keys of a company, a row each, and whose they are."""

    carriers: tuple[str, ...]
    """Everybody who carries, once."""
    keys: RelativeKeyArrays
    follower_rows: Ints
    """Those with carried keys, each once."""
    paths: tuple[RelativePath, ...]
    """Their paths."""
    segments: RelativeSegments
    orientation_tables: OrientationTables

    @classmethod
    def of(cls, followers: "Mapping[str, Follow | Reach]", follower_arrays: FollowerArrays) -> "RelativeKeys":
        """The carried keys of these, who race so."""
        carriers: dict[str, int] = {}
        rows: list[tuple[int, int, int, bool, bool]] = []
        segments, paths, follower_rows, first_key = [_empty_segments()], [], [], 0
        for follower, follow in enumerate(followers.values()):
            relative_path = as_relative_path(follow.path)
            if relative_path is None:
                continue
            path, column = relative_path.path, follow.path.keys.column
            carrier_names, pins, positions = column("relative_to"), column("pin"), path.keys.column("position")
            assert carrier_names is not None
            for key in relative_path.relative_keys.tolist():
                has_position = positions is not None and not np.isnan(positions[key, 0])
                is_pinned = True if pins is None else bool(pins[key])
                rows.append(
                    (
                        carriers.setdefault(carrier_names[key], len(carriers)),
                        follower,
                        key,
                        is_pinned,
                        not has_position,
                    )
                )
            relative_index = np.where(
                relative_path.relative_index >= 0,
                relative_path.relative_index + len(rows) - len(relative_path.relative_keys),
                -1,
            )
            local_positions = np.zeros((len(path), 3)) if positions is None else np.nan_to_num(positions)
            segments.append(
                RelativeSegments(
                    local_positions,
                    relative_index,
                    *_segment_arrays(relative_path, int(follower_arrays.specs[follower].first_segment), first_key),
                )
            )
            paths.append(relative_path)
            follower_rows.append(follower)
            first_key += len(path)
        carrier, key_follower, key_number, pinned, is_rotation = np.array(rows, dtype=np.int64).reshape(-1, 5).T.copy()
        orientation_paths = {
            follower: relative_path
            for follower, relative_path in zip(follower_rows, paths, strict=True)
            if _has_moving_orientations(relative_path)
        }
        return cls(
            tuple(carriers),
            RelativeKeyArrays(carrier, key_follower, key_number, pinned.astype(np.bool_), is_rotation.astype(np.bool_)),
            np.array(follower_rows, dtype=np.int64),
            tuple(paths),
            RelativeSegments(*(np.concatenate(parts) for parts in zip(*segments, strict=True))),
            build_orientation_tables(
                orientation_paths, key_follower, follower_arrays.specs["first_segment"], len(followers)
            ),
        )

    def __bool__(self) -> bool:
        return bool(len(self.follower_rows))

    def initial_frames(self, poses: Floats) -> Floats:
        """What is remembered at first, (keys, FRAME_COLUMNS), where the carriers are so, (names, 7)."""
        frames = np.zeros((len(self.keys.follower), FRAME_COLUMNS))
        frames[:, POSITION:] = poses[self.keys.carrier]
        return frames

    def resume_frames(
        self,
        frames: Floats,
        follower_names: Sequence[str],
        previous: "RelativeKeys",
        previous_names: Sequence[str],
        previous_frames: Floats,
    ) -> None:
        """Take over what was remembered of keys that the same still carry, in paths of as many keys."""
        counts = [
            {
                names[follower]: len(relative_path.path)
                for follower, relative_path in zip(relative_keys.follower_rows, relative_keys.paths, strict=True)
            }
            for relative_keys, names in ((self, follower_names), (previous, previous_names))
        ]
        previous_rows = {key: row for row, key in enumerate(previous._key_identities(previous_names))}
        for row, key in enumerate(self._key_identities(follower_names)):
            if key in previous_rows and counts[0][key[0]] == counts[1][key[0]]:
                frames[row] = previous_frames[previous_rows[key]]

    def clear_path_velocities(self, followers: RecordArray) -> None:
        """Set the path velocities of followers to zero whose paths have no relative keys."""
        is_fixed = np.ones(len(followers), np.bool_)
        is_fixed[self.follower_rows] = False
        followers["path_velocity"][is_fixed] = followers["raw_path_velocity"][is_fixed] = 0.0
        has_fixed_rotation = self.orientation_tables.path_row < 0
        followers["path_angular_velocity"][has_fixed_rotation] = 0.0
        followers["raw_path_angular_velocity"][has_fixed_rotation] = 0.0

    def _key_identities(self, follower_names: Sequence[str]) -> list[tuple[str, int, str]]:
        """Of each carried key whose it is, its number, and who carries it."""
        carrier, follower, number, *_ = (column.tolist() for column in self.keys)
        return [
            (follower_names[follower_row], key, self.carriers[carrier_row])
            for carrier_row, follower_row, key in zip(carrier, follower, number, strict=True)
        ]

    def follower_frames(self, follower: int, frames: Floats) -> CarrierFrames:
        """The frames of one of the followers with carried keys, by its number among those."""
        key_frames = frames[self.keys.follower == self.follower_rows[follower]]
        return CarrierFrames(key_frames[None, :, POSITION:ORIENTATION], key_frames[None, :, ORIENTATION:])

    def resolve_path(self, follower: int, frames: Floats) -> MotionPath:
        """The path of one of them where its carriers are so: built anew, the definition."""
        return self.paths[follower].resolved(self.follower_frames(follower, frames), 0)


def as_relative_path(path: MotionPath) -> RelativePath | None:
    """A path with its carried keys loose; None if nobody carries any."""
    names = path.keys.column("relative_to")
    relative_keys = [] if names is None else [key for key, name in enumerate(names) if name is not None]
    return RelativePath(path, np.array(relative_keys, dtype=np.int64)) if relative_keys else None


def _has_moving_orientations(relative_path: RelativePath) -> bool:
    if relative_path.path.geometry.turns is None:
        return False
    return bool(
        relative_path.influence.has_changing_orientation.any()
        or np.isin(relative_path.influence.orientation_chain.key_indices, relative_path.relative_keys).any()
    )


def _segment_arrays(relative_path: RelativePath, first_segment: int, first_key: int) -> tuple[Any, ...]:
    """The segments of a path that its carried keys reach, which begin with the `first_segment` of all, and its keys so
    too.
    """
    influence, options, chain = (
        relative_path.influence,
        relative_path.path.options,
        relative_path.influence.position_chain,
    )
    affected = np.flatnonzero(influence.has_changing_curve)
    own = influence.position_segments[affected]
    keys, manual_tangents = (
        chain.neighbour_keys(own),
        [_manual_tangents(relative_path, side) for side in ("leave", "arrive")],
    )
    tangents = build_tangent_weights(
        chain, options, relative_path.path.adjust, relative_path.tcb["place"], manual_tangents, own, keys
    )
    segment_cuts = np.tile([0.0, 1.0], (len(own), 1))
    if influence.segment_cuts is not None:
        span, span_parameter = influence.segment_cuts
        segment_cuts = np.stack(
            [span_parameter[affected] - span[affected], span_parameter[affected + 1] - span_parameter[affected]], axis=1
        )
    return (
        affected + first_segment,
        np.stack(keys, axis=1) + first_key,
        path_end_modes(chain, options, own),
        *tangents,
        segment_cuts,
    )


def _manual_tangents(relative_path: RelativePath, side: str) -> Floats | None:
    """Tangents by hand of all keys, as long as they are from one place to the next."""
    tangents, cut, links = (
        relative_path.key_values[side],
        relative_path.influence.segment_cuts,
        relative_path.influence.position_chain.key_indices,
    )
    if tangents is None or cut is None:
        return tangents
    tangents = tangents.copy()
    tangents[links] /= tangent_scales(cut[1], links, side)[:, None]
    return tangents


def _empty_segments() -> RelativeSegments:
    float_shapes = {"positions": (0, 3), "weights": (0, 2, 2), "manual_tangents": (0, 2, 3), "segment_cuts": (0, 2)}
    int_shapes = {
        "relative_index": (0,),
        "segment_rows": (0,),
        "keys": (0, 4),
        "end_modes": (0, 2),
        "weight_modes": (0, 2),
    }
    fields: dict[str, Any] = {name: np.empty(shape) for name, shape in float_shapes.items()}
    fields |= {name: np.empty(shape, np.int64) for name, shape in int_shapes.items()}
    return RelativeSegments(**fields)
