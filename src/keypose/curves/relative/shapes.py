"""How does a path with loose keys look at many instants at once? Only what those keys reach is derived.

Everywhere else the path is what it always was, and is asked as always. Where its segments run is told in
`positions`, which way they face in `orientations` and how long they are in `lengths`.
"""

from functools import cached_property
from typing import Literal

import numpy as np

from keypose.curves.path.metric import ANGLE_METRIC, LENGTH_METRIC, Metric
from keypose.curves.path.motion_path import MotionPath
from keypose.curves.relative.lengths import RelativeLengths
from keypose.curves.relative.orientations import RelativeOrientations
from keypose.curves.relative.positions import KeyValues, RelativePositions
from keypose.curves.relative.relative_path import CarrierFrames, RelativePath
from keypose.maths import Floats, Ints, hermite


class RelativeShapes:
    """A path with loose keys at n instants, its carriers being where `frames` says."""

    def __init__(self, relative_path: RelativePath, frames: CarrierFrames) -> None:
        self._relative_path = relative_path
        self._frames = frames
        self._path = relative_path.path
        key_values = KeyValues(relative_path, frames)
        self._positions = RelativePositions(relative_path, key_values, len(frames))
        self._orientations = (
            None
            if relative_path.geometry.turns is None
            else RelativeOrientations(relative_path, key_values, self._positions)
        )
        self._resolved: dict[int, MotionPath] = {}

    def resolved(self, instant: int) -> MotionPath:
        """The path at one instant, built anew."""
        if instant not in self._resolved:
            self._resolved[instant] = self._relative_path.resolved(self._frames, instant)
        return self._resolved[instant]

    # ---- by parameter, one u for each instant ------------------------------------------------------------------------

    def at(self, u: Floats, derivative: Literal[0, 1] = 0) -> Floats:
        """The place, or dP/du, at u (n,) of each instant: (n, …)."""
        path = self._path
        segment, s = hermite.locate(u, path.segments, path.closed)
        changing = np.flatnonzero(self._relative_path.influence.has_changing_curve[segment])
        out = hermite.evaluate(path.geometry.curve, np.require(u, requirements=["C", "W"]), path.closed, derivative)
        if len(changing):
            out[changing] = hermite.evaluate_segments(self._curve(changing, segment[changing]), s[changing], derivative)
        return out.reshape(len(u), *path.shape)

    def _curve(self, instant: Ints, segment: Ints) -> Floats:
        """Segments (k, 4, width) of the paths at these instants, known already if distances were asked for."""
        known = self.__dict__.get("_lengths")
        if known is None or not known.has_changing_length[segment].all():
            return self._positions.curve(instant, segment)
        return np.asarray(known.curve[known.curve_rows(instant, segment)])

    def orientation_at(self, u: Floats) -> Floats:
        """The facing at u (n,) of each instant as w x y z, (n, 4)."""
        return self._path.orientation_at(u) if self._orientations is None else self._orientations.at(u)

    # ---- by distance -------------------------------------------------------------------------------------------------

    @cached_property
    def distances_at_keys(self) -> Floats:
        """How far the path has come at the `distance_keys` of the loose path, at each instant: (n, distance keys)."""
        if not len(self._still_instants):
            return self._lengths.distances_at_keys
        distances = self._lengths.distances_at_keys.copy()
        distances[self._still_instants] = self._angles.distances_at_keys
        return distances

    def parameter(self, distance: Floats) -> Floats:
        """The u at a distance (n,) [m] from the start of each instant's path; held at its ends."""
        u = self._lengths.parameter(distance)
        if len(self._still_instants):
            u[self._still_instants] = self._angles.parameter(distance[self._still_instants])
        return u

    @cached_property
    def _lengths(self) -> RelativeLengths:
        """Distance as the path has it wherever it travels."""
        options, relative_path = self._path.options, self._relative_path
        metric = Metric(options.mass, options.inertia) if options.inertia > 0 else LENGTH_METRIC
        return self._build_lengths(np.arange(len(self._frames)), relative_path.resized_segments, metric)

    @cached_property
    def _angles(self) -> RelativeLengths:
        """Distance at the instants at which nothing travels: the turn [rad]."""
        return self._build_lengths(
            self._still_instants, np.flatnonzero(self._relative_path.influence.has_changing_orientation), ANGLE_METRIC
        )

    def _build_lengths(self, instants: Ints, segments: Ints, metric: Metric) -> RelativeLengths:
        fixed_table = self._relative_path.angle_table if metric is ANGLE_METRIC else self._relative_path.length_table
        return RelativeLengths(
            self._relative_path, instants, segments, fixed_table, metric, self._positions, self._orientations
        )

    @cached_property
    def _still_instants(self) -> Ints:
        """The instants at which nothing travels while turns count nothing beside travel."""
        if not self._relative_path.influence.can_stand_still:
            return np.empty(0, dtype=np.int64)
        candidates = np.flatnonzero(self._lengths.distances_at_keys[:, -1] == 0)
        return np.asarray(candidates[self._positions.is_still(candidates)])
