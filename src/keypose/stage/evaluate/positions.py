"""Where in space are a thousand actors, each at its own parameter? Their segments lie in one array (KB84 eq. 2)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from keypose.curves import MotionPath
from keypose.maths import Bools, Floats, Ints, hermite, run_parallel, use_kernels
from keypose.stage.evaluate.ragged_arrays import pack_ragged_arrays


@dataclass(frozen=True, eq=False)
class PathPositions:
    """The paths of all actors: that of actor i has the segments firsts[i] … firsts[i + 1] of the curve."""

    firsts: Ints
    closed: Bools
    curve: Floats
    """(segments, 4, 3), or (segments, 4, 3 · points) for drawings."""

    @classmethod
    def from_paths(cls, paths: Sequence[MotionPath]) -> "PathPositions":
        """These paths, all of one place or all of equally many points."""
        firsts, curve = pack_ragged_arrays([_curve_in_3d(path) for path in paths])
        return cls(firsts, np.array([path.closed for path in paths]), curve)

    def at(self, u: Floats, derivative: int = 0) -> Floats:
        """Everybody's place, or a derivative by u, at the parameters u (actors, n): (actors, n, width)."""
        out = np.empty((*u.shape, self.curve.shape[2]))
        if use_kernels(out.size):
            from keypose.stage.evaluate import kernels

            columns = (self.firsts, self.closed, self.curve, u, derivative, out)
            run_parallel(lambda start, stop: kernels.path_positions(*columns, start, stop), len(u), out.size)
            return out
        segment, s = hermite.locate(u, np.diff(self.firsts)[:, None], self.closed[:, None])
        out[:] = hermite.evaluate_segments(self.curve[self.firsts[:-1, None] + segment], s, derivative)
        return out


def _curve_in_3d(path: MotionPath) -> Floats:
    """Its segments with three numbers to each point: y and z are 0 where nothing was said."""
    curve, dimensions = path.geometry.curve, path.shape[-1]
    if dimensions == 3:
        return curve
    points = np.zeros((len(curve), 4, curve.shape[2] // dimensions, 3))
    points[..., :dimensions] = curve.reshape(*points.shape[:3], dimensions)
    return points.reshape(len(curve), 4, -1)
