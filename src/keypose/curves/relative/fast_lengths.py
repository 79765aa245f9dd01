"""How long is a path whose keys are carried about, at very many instants? Its stretching segments, by one kernel.

When a carried key is passed is searched for by asking this again and again (`passing_times`), for every actor on a
stage. `RelativeShapes` is the definition, and the answer for all paths but the usual ones: single places, TCB adjusted
to lengths.
"""

import numpy as np

from keypose.curves.distance.length_table import build_length_table
from keypose.curves.kernels.records import ResizedSegments
from keypose.curves.relative.relative_path import CarrierFrames, RelativePath
from keypose.curves.relative.shapes import RelativeShapes
from keypose.maths import Floats, run_parallel, use_kernels

NUMBERS_PER_SEGMENT = 100


class FastLengths:
    """A loose path, and what of it is the same at all instants."""

    def __init__(self, relative_path: RelativePath) -> None:
        path, segments = relative_path.path, relative_path.resized_segments
        self.relative_path = relative_path
        self._is_supported = (
            path.geometry.has_all_positions
            and len(path.shape) == 1
            and path.geometry.turns is None
            and path.options.inertia == 0
            and path.adjust == "length"
            and (path.closed or path.options.ends == "reflect")
            and relative_path.key_values["arrive"] is None
            and relative_path.key_values["leave"] is None
        )
        if not self._is_supported:
            return
        keys = relative_path.distance_keys
        self._is_resized = np.isin(keys[:-1], segments)
        self._fixed_lengths = (
            np.diff(path.geometry.rope.whole.length_table.segment_starts[keys])[~self._is_resized]
            if not self._is_resized.all()
            else None
        )
        self.kernel_segments = ResizedSegments(
            np.ascontiguousarray(np.stack(relative_path.influence.position_chain.neighbour_keys(segments))),
            (segments == 0) & (not path.closed),
            (segments == path.segments - 1) & (not path.closed),
            np.array(relative_path.key_values["position"], order="C"),
            relative_path.relative_index,
            np.array(relative_path.tcb["place"], order="C"),
        )

    def distances_at_keys(self, frames: CarrierFrames) -> Floats:
        """How far the path has come at the `distance_keys` of the loose path, at each instant: (n, distance keys)."""
        count, resized = len(frames), len(self.relative_path.resized_segments)
        work = NUMBERS_PER_SEGMENT * count * resized
        if not self._is_supported or not work or not use_kernels(work):
            return RelativeShapes(self.relative_path, frames).distances_at_keys
        from keypose.curves.kernels.relative_lengths import relative_quartics

        speeds = np.empty((count * resized, 1, 5))
        position, orientation = (
            np.require(column, requirements=["C", "W"]) for column in (frames.position, frames.orientation)
        )
        run_parallel(
            lambda start, stop: relative_quartics(self.kernel_segments, position, orientation, speeds, start, stop),
            count,
            work,
        )
        table = build_length_table(speeds)
        distances = np.zeros((count, len(self.relative_path.distance_keys)))
        distances[:, 1:][:, self._is_resized] = table.distances[table.first_piece[1:] - 1].reshape(count, resized)
        if self._fixed_lengths is not None:
            distances[:, 1:][:, ~self._is_resized] = self._fixed_lengths
        return np.cumsum(distances, axis=1, out=distances)
