"""How does a path with loose keys look at many instants at once? Only what those keys reach is derived.

Everywhere else the path is what it always was, and is asked as always. Where its segments run is told in
`moved_places`, which way they face in `moved_turns` and how long they are in `moved_lengths`.
"""

from functools import cached_property
from typing import Literal

import numpy as np

from keypose.curves.path.metric import LENGTH, TURN, Metric
from keypose.curves.path.motion_path import MotionPath
from keypose.curves.relative.lengths import MovedLengths
from keypose.curves.relative.orientations import MovedTurns
from keypose.curves.relative.positions import MovedPlaces, Said
from keypose.curves.relative.relative_path import Frames, Loose
from keypose.maths import hermite
from keypose.maths.arrays import Floats, Ints


class Shapes:
    """A path with loose keys at n instants, its carriers being where `frames` says."""

    def __init__(self, loose: Loose, frames: Frames) -> None:
        self._loose = loose
        self._frames = frames
        self._path = loose.path
        said = Said(loose, frames)
        self._places = MovedPlaces(loose, said, len(frames))
        self._turns = None if loose.path.turns is None else MovedTurns(loose, said, self._places)
        self._settled: dict[int, MotionPath] = {}

    def settled(self, instant: int) -> MotionPath:
        """The path at one instant, built anew."""
        if instant not in self._settled:
            self._settled[instant] = self._loose.settled(self._frames, instant)
        return self._settled[instant]

    # ---- by parameter, one u for each instant ------------------------------------------------------------------------

    def at(self, u: Floats, derivative: Literal[0, 1] = 0) -> Floats:
        """The place, or dP/du, at u (n,) of each instant: (n, …)."""
        path = self._path
        segment, s = hermite.locate(u, path.segments, path.closed)
        bent = np.flatnonzero(self._loose.reach.bent[segment])
        out = hermite.evaluate(path._rope.whole.curve, np.require(u, requirements=["C", "W"]), path.closed, derivative)
        if len(bent):
            out[bent] = hermite.blended(self._curve(bent, segment[bent]), s[bent], derivative)
        return out.reshape(len(u), *path.shape)

    def _curve(self, instant: Ints, segment: Ints) -> Floats:
        """Segments (k, 4, width) of the paths at these instants, known already if distances were asked for."""
        known = self.__dict__.get("_lengths")
        if known is None or not known.differs[segment].all():
            return self._places.curve(instant, segment)
        return np.asarray(known.curve[known.row(instant, segment)])

    def orientation_at(self, u: Floats) -> Floats:
        """The facing at u (n,) of each instant as w x y z, (n, 4)."""
        return self._path.orientation_at(u) if self._turns is None else self._turns.at(u)

    # ---- by distance -------------------------------------------------------------------------------------------------

    @cached_property
    def reached(self) -> Floats:
        """How far the path has come at the keys `ends` of the loose path, at each instant: (n, ends)."""
        if not len(self._standing):
            return self._lengths.reached
        reached = self._lengths.reached.copy()
        reached[self._standing] = self._angles.reached
        return reached

    def parameter(self, distance: Floats) -> Floats:
        """The u at a distance (n,) [m] from the start of each instant's path; held at its ends."""
        u = self._lengths.parameter(distance)
        if len(self._standing):
            u[self._standing] = self._angles.parameter(distance[self._standing])
        return u

    @cached_property
    def _lengths(self) -> MovedLengths:
        """Distance as the path has it wherever it travels."""
        style, loose = self._path.style, self._loose
        metric = Metric(style.mass, style.inertia) if style.inertia > 0 else LENGTH
        return self._measured(np.arange(len(self._frames)), loose.stretching, metric)

    @cached_property
    def _angles(self) -> MovedLengths:
        """Distance at the instants at which nothing travels: the turn [rad]."""
        return self._measured(self._standing, np.flatnonzero(self._loose.reach.turned), TURN)

    def _measured(self, instants: Ints, segments: Ints, metric: Metric) -> MovedLengths:
        rest = self._loose.ruler_of_turns if metric is TURN else self._loose.ruler
        return MovedLengths(self._loose, instants, segments, rest, metric, self._places, self._turns)

    @cached_property
    def _standing(self) -> Ints:
        """The instants at which nothing travels while turns count nothing beside travel."""
        if not self._loose.reach.may_stand:
            return np.empty(0, dtype=np.int64)
        perhaps = np.flatnonzero(self._lengths.reached[:, -1] == 0)
        return np.asarray(perhaps[self._places.stands(perhaps)])
