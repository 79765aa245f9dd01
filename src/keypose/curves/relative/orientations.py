"""Which way does a path with loose keys face at many instants at once? Only turns that loose keys reach are derived.

The turns go through the faced keys alone. How far along a turn an unfaced key lies depends on the distances between all
keys in it, which change from instant to instant (`partial_keys` says how for a path at rest).
"""

from itertools import pairwise

import numpy as np

from keypose.curves.orientation_path import (
    build_orientation_segments,
    evaluate_angular_velocities,
    evaluate_orientations,
    orientation_chords,
    tangents_from_angular_velocities,
)
from keypose.curves.path.metric import sample_fractions
from keypose.curves.path.partial_keys import curve_parameters
from keypose.curves.path.segments import chord_norms
from keypose.curves.relative.key_chain import Neighbours
from keypose.curves.relative.positions import KeyValues, RelativePositions
from keypose.curves.relative.relative_path import RelativePath
from keypose.maths import Floats, Ints, hermite


class RelativeOrientations:
    """The turns of a loose path at n instants; one of its keys at least has a facing."""

    def __init__(self, relative_path: RelativePath, key_values: KeyValues, positions: RelativePositions) -> None:
        self._relative_path = relative_path
        self._path = relative_path.path
        self._key_values = key_values
        self._positions = positions

    def at(self, u: Floats) -> Floats:
        """The facing at u (n,) of each instant as w x y z, (n, 4)."""
        path, influence, instant = self._path, self._relative_path.influence, np.arange(len(u))
        if len(influence.orientation_chain.key_indices) == 1:
            return self._key_values.at(np.repeat(influence.orientation_chain.key_indices, len(u)), "facing", instant)
        own = path.geometry.wrap(u)
        if len(influence.orientation_chain.key_indices) < len(path):
            segment, s = hermite.locate(own, path.segments, path.closed)
            start, stop = self._orientation_parameters(instant, segment)
            own = start + (stop - start) * s
        assert path.geometry.turns is not None
        out = path.geometry.turns.at(own)
        rotation, s = hermite.locate(own, influence.orientation_chain.segments, influence.orientation_chain.closed)
        changing = np.flatnonzero(influence.changing_rotations[rotation])
        if len(changing):
            out[changing] = evaluate_orientations(
                self._orientation_segments(changing, rotation[changing]), s[changing], path.options.turning
            )
        return out

    def angular_velocity(self, instant: Ints, segment: Ints) -> Floats:
        """Angular velocity of segments (k,) at instants (k,) by u [rad per key], at all samples: (k, parts, 5, 3)."""
        chain, fractions = self._relative_path.influence.orientation_chain, sample_fractions()
        if len(chain.key_indices) == 1:
            return np.zeros((len(segment), *fractions.shape, 3))
        start, stop = self._orientation_parameters(instant, segment)
        # From one key to the next it is within one turn; where it stands between two, either will do.
        begin = np.floor(0.5 * (start + stop))
        if not chain.closed:
            begin = np.minimum(begin, chain.segments - 1)
        segments = self._orientation_segments(instant, begin.astype(np.int64) % chain.segments)
        s = (start - begin)[:, None] + (stop - start)[:, None] * fractions.reshape(-1)
        angular_velocity = (
            evaluate_angular_velocities(segments, np.clip(s, 0.0, 1.0), self._path.options.turning)
            * (stop - start)[:, None, None]
        )
        return angular_velocity.reshape(len(segment), *fractions.shape, 3)

    def _orientation_parameters(self, instant: Ints, segment: Ints) -> tuple[Floats, Floats]:
        """The turns' own parameter at the start and at the end of segments (k,) at instants (k,)."""
        path, influence = self._path, self._relative_path.influence
        at_rest = path.geometry.turns_at_keys
        assert at_rest is not None
        start, stop = at_rest[segment], at_rest[segment + 1]
        changing = np.flatnonzero(influence.has_changing_parameter[segment])
        if len(changing):
            here, end = instant[changing], path.segments if path.closed else None

            def clock(key: Ints) -> Floats:
                return np.where(self._positions.has_travel[here], self._positions.chord_distances(here, key), key)

            start[changing], stop[changing] = (
                curve_parameters(clock, segment[changing] + step, influence.orientation_chain.key_indices, end)
                for step in (0, 1)
            )
        return start, stop

    def _orientation_segments(self, instant: Ints, rotation: Ints) -> Floats:
        """The turns (k,) from one facing to the next at instants (k,), as `build_orientation_segments` has them."""
        chain, turning = self._relative_path.influence.orientation_chain, self._path.options.turning
        keys = chain.neighbour_keys(rotation)
        orientations = [self._key_values.at(key, "facing", instant) for key in keys]
        before, own, after = (orientation_chords(one, two, turning) for one, two in pairwise(orientations))
        chords = chain.chords(before, own, after, rotation)
        spans = chain.time_spans(rotation) or self._spans(instant, rotation, chords)
        tcb = self._relative_path.tcb["turn"]
        manual = [
            self._key_values.manual_at(keys[row], side, instant)
            for row, side in ((1, "turn_leave"), (2, "turn_arrive"))
        ]
        leaving, arriving = (
            None
            if angular_velocities is None
            else tangents_from_angular_velocities(angular_velocities, orientation, turning)
            for angular_velocities, orientation in zip(manual, orientations[1:3], strict=True)
        )
        both = tcb[keys[1]], tcb[keys[2]]
        leave, arrive = chain.tangents(rotation, chords, spans, both, (leaving, arriving))
        return build_orientation_segments(orientations[1], orientations[2], leave, arrive, turning)

    def _spans(self, instant: Ints, rotation: Ints, chords: Neighbours) -> Neighbours:
        """How long each turn and those beside it are: in metres, or in radians where nothing travels."""
        chain = self._relative_path.influence.orientation_chain
        before, own, after = (chord_norms(chord) for chord in chords)
        angles = chain.fill_ends(before, own, after, rotation, "repeat")
        if self._path.adjust != "length":
            return angles
        distances, has_travel = (
            (self._chord_distances(instant, one) for one in chain.neighbour_segments(rotation)),
            self._positions.has_travel[instant],
        )
        before, own, after = (
            np.where(has_travel, distance, angle) for distance, angle in zip(distances, angles, strict=True)
        )
        return chain.fill_ends(before, own, after, rotation, "repeat")

    def _chord_distances(self, instant: Ints, rotation: Ints) -> Floats:
        """How far turns (k,) go by straight lines from key to key, at instants (k,)."""
        chain, chord_distances = self._relative_path.influence.orientation_chain, self._positions.chord_distances
        if len(chain.key_indices) == len(self._path):
            return self._positions.gaps(instant, rotation)
        start, stop = chain.key_indices[rotation], chain.key_indices[(rotation + 1) % len(chain.key_indices)]
        distance = chord_distances(instant, stop) - chord_distances(instant, start)
        lap = chord_distances(instant, np.full_like(rotation, self._path.segments)) if chain.closed else 0.0
        return np.asarray(distance + np.where(stop <= start, lap, 0.0))
