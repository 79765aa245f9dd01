"""What is the path while some of its keys are carried about? Those keys are loose (GL95 §6.3, LG95 §4).

At any instant each loose key stands in the frame of its carrier, and the path is the curve through all keys where they
are then. Building it anew at every instant is the definition (`resolved`). How far a loose key reaches is told in
`influence`: only so much differs from instant to instant, and `shapes` derives that alone.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from keypose.curves.distance.length_table import LengthTable
from keypose.curves.key_columns import KeyColumns, Keys
from keypose.curves.path.metric import ANGLE_METRIC, build_metric_table
from keypose.curves.path.motion_path import MotionPath, path_from_keys
from keypose.curves.path.path_orientation import manual_orientation_tangents, orientation_tcb
from keypose.curves.relative.influence import Influence
from keypose.maths import Floats, Ints, Rope, quaternion

DIMENSIONS = 3


@dataclass(frozen=True, eq=False)
class CarrierFrames:
    """Where the carriers of the loose keys are at n instants."""

    position: Floats
    """(n, loose, 3)"""
    orientation: Floats
    """w x y z, (n, loose, 4)"""

    def __len__(self) -> int:
        return len(self.position)

    def transform_points(self, positions: Floats) -> Floats:
        """Where places in these frames, (loose, …, 3), are: (n, loose, …, 3)."""
        over = (slice(None), slice(None), *(None,) * (positions.ndim - 2))
        return self.position[over] + quaternion.rotate(self.orientation[over], positions)

    def rotate_vectors(self, vectors: Floats) -> Floats:
        """Vectors in these frames, (loose, …, 3), as seen from outside; NaN and infinity say what they said before."""
        over = (slice(None), slice(None), *(None,) * (vectors.ndim - 2))
        is_finite = np.isfinite(vectors)
        return np.where(
            is_finite, quaternion.rotate(self.orientation[over], np.where(is_finite, vectors, 0.0)), vectors
        )

    def rotate_orientations(self, orientations: Floats) -> Floats:
        """Facings in these frames, (loose, 4), as seen from outside: (n, loose, 4)."""
        return quaternion.multiply(self.orientation, np.broadcast_to(orientations, self.orientation.shape))


class RelativePath:
    """A path in space, as its keys say it, and which of its keys are loose.

    `marks` are further keys at which distances will be asked for. `alike` numbers the loose keys (loose,): those
    with the same number will always stand in the same frame, so that distances between them never change.
    """

    def __init__(
        self, path: MotionPath, relative_keys: Ints, extra_keys: Ints | None = None, frame_ids: Ints | None = None
    ) -> None:
        self.path = to_3d(path)
        self.geometry = self.path.geometry
        self.relative_keys = relative_keys
        self._extra_keys = np.empty(0, dtype=np.int64) if extra_keys is None else extra_keys
        self.frame_ids = np.arange(len(relative_keys)) if frame_ids is None else frame_ids

    @cached_property
    def influence(self) -> Influence:
        """How far the loose keys reach."""
        return Influence(self.geometry, self.relative_keys)

    @cached_property
    def changing_segments(self) -> Ints:
        """The segments that differ from instant to instant in their curve, or in their turn where turns may count."""
        return np.flatnonzero(
            self.influence.has_changing_curve
            | (self.influence.has_changing_orientation if self.influence.can_measure_angles else False)
        )

    @cached_property
    def resized_segments(self) -> Ints:
        """The touched segments whose length differs too: not all keys that shape them move alike."""
        frame_ids = np.full(len(self.path), -1)
        frame_ids[self.relative_keys] = self.frame_ids
        changing = np.flatnonzero(self.influence.has_changing_curve)
        neighbours = frame_ids[
            np.stack(self.influence.position_chain.neighbour_keys(self.influence.position_segments[changing]))
        ]
        differing = changing[(neighbours != neighbours[0]).any(axis=0)]
        if self.path.options.inertia > 0:
            return np.union1d(differing, np.flatnonzero(self.influence.has_changing_orientation))
        return np.asarray(differing)

    @cached_property
    def distance_keys(self) -> Ints:
        """Keys at which distances are known at every instant: those of touched segments, loose and last ones, marks."""
        inner = np.concatenate(
            [self.changing_segments, self.changing_segments + 1, self.relative_keys, self._extra_keys]
        )
        return np.unique(np.concatenate([[0, self.path.segments], inner])).astype(np.int64)

    @cached_property
    def length_table(self) -> LengthTable:
        """What measures the segments that keep their length."""
        return self.geometry.length_table if self.path.options.inertia > 0 else self.geometry.rope.whole.length_table

    @cached_property
    def angle_table(self) -> LengthTable:
        """What measures those that keep their turn, when nothing travels."""
        return build_metric_table(self.geometry.rope.whole, self.geometry.orientation, ANGLE_METRIC)

    # ---- what the keys say, wherever their carriers are --------------------------------------------------------------

    @cached_property
    def relative_index(self) -> Ints:
        """Which loose key each key is; -1 if it is none, (keys,)."""
        index = np.full(len(self.path), -1)
        index[self.relative_keys] = np.arange(len(self.relative_keys))
        return index

    @cached_property
    def key_values(self) -> dict[str, Floats | None]:
        """What the keys say in their frames: places, facings, and tangents by hand of both."""
        rows = self.path.keys.rope.whole
        values: dict[str, Floats | None] = {
            name: rows.arrays.get(name) for name in ("position", "arrive", "leave", "facing")
        }
        return values | {
            "turn_arrive": manual_orientation_tangents(rows, "arrive"),
            "turn_leave": manual_orientation_tangents(rows, "leave"),
        }

    @cached_property
    def tcb(self) -> dict[str, Floats]:
        """Tension, continuity and bias of each key, (keys, 3), for its place and for its turn."""
        options, rows = self.path.options, self.path.keys.rope.whole
        tcb = rows.arrays.get("tcb")
        defaults = np.broadcast_to(np.array(options.tcb), (len(rows), 3))
        position_tcb = defaults if tcb is None else np.where(np.isnan(tcb), defaults, tcb)
        return {"place": position_tcb, "turn": orientation_tcb(rows, options)}

    # ---- the definition ----------------------------------------------------------------------------------------------

    def resolved(self, frames: CarrierFrames, instant: int) -> MotionPath:
        """The path at one of n instants, built anew."""
        frame = CarrierFrames(frames.position[instant : instant + 1], frames.orientation[instant : instant + 1])
        rows = self.path.keys.rope.whole.arrays
        arrays: dict[str, NDArray[Any]] = {name: column for name, column in rows.items() if name != "relative_to"}
        for name, transform in (
            ("position", frame.transform_points),
            ("arrive", frame.rotate_vectors),
            ("leave", frame.rotate_vectors),
            ("facing", frame.rotate_orientations),
            ("turn_arrive", frame.rotate_vectors),
            ("turn_leave", frame.rotate_vectors),
        ):
            if name in arrays:
                arrays[name] = arrays[name].copy()
                arrays[name][self.relative_keys] = transform(arrays[name][self.relative_keys])[0]
        return path_from_keys(Keys(Rope(KeyColumns(len(self.path), arrays))), self.path.options)


def to_3d(path: MotionPath) -> MotionPath:
    """The path with places of three numbers: a carrier may take its keys out of the plane they were drawn in."""
    missing = DIMENSIONS - path.shape[-1]
    if not missing:
        return path
    rows = path.keys.rope.whole.arrays
    arrays = {
        name: _pad_rows(rows[name], missing) if name in ("position", "arrive", "leave") else rows[name] for name in rows
    }
    return path_from_keys(Keys(Rope(KeyColumns(len(path), arrays))), path.options)


def _pad_rows(rows: Floats, missing: int) -> Floats:
    """Zeros behind each place; NaN and infinity, which say something of the whole vector, go on."""
    last = rows[..., -1:]
    more = np.where(np.isfinite(last), 0.0, last)
    return np.concatenate([rows, *[more] * missing], axis=-1)
