"""Which way do a thousand actors face, each at its own parameter? Their turns lie in one array (GL95 §4).

Together go the turns drawn by de Casteljau's slerps. Who turns by GL95's logarithms, or has a single facing to hold, is
asked alone; who has none faces as the world does.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from keypose.curves import NUMBERS_PER_SAMPLE, MotionPath, evaluate_legs, slerp_legs
from keypose.maths import Bools, Floats, Ints, hermite, run_parallel, use_kernels
from keypose.stage.evaluate.ragged_arrays import pack_ragged_arrays
from keypose.stage.evaluate.records import OrientationArrays

IDENTITY = np.array([1.0, 0.0, 0.0, 0.0])


@dataclass(frozen=True, eq=False)
class PathOrientations:
    """The turns of those actors that turn together, and the paths of those that are asked alone.

    Actor rows[i] has the keys first_keys[i] … first_keys[i + 1], its turns' parameter there, and the segments
    firsts[i] … firsts[i + 1] of `controls`.
    """

    rows: Ints
    closed: Bools
    first_keys: Ints
    key_parameters: Floats
    firsts: Ints
    controls: Floats
    """(segments, 4, 4)"""
    unbatched: dict[int, MotionPath]

    @classmethod
    def from_paths(cls, paths: Sequence[MotionPath]) -> "PathOrientations":
        """The turns of these paths."""
        rows, key_parameters, controls, unbatched = [], [], [], {}
        for row, path in enumerate(paths):
            orientation_path, parameters = path.geometry.turns, path.geometry.turns_at_keys
            if orientation_path is None or parameters is None:
                continue
            if path.options.turning == "casteljau" and orientation_path.segments:
                rows.append(row)
                key_parameters.append(parameters)
                controls.append(orientation_path.controls)
            else:
                unbatched[row] = path
        keys, all_parameters = pack_ragged_arrays(
            [*key_parameters, np.empty(0)]
        )  # one more, empty, for where nobody turns
        firsts, curve = pack_ragged_arrays([*controls, np.empty((0, 4, 4))])
        closed = np.array([paths[row].closed for row in rows], dtype=np.bool_)
        return cls(np.array(rows, dtype=np.int64), closed, keys[:-1], all_parameters, firsts[:-1], curve, unbatched)

    @cached_property
    def arrays(self) -> OrientationArrays:
        """The same as a record, with the legs between the controls."""
        legs = slerp_legs(self.controls)
        return OrientationArrays(self.rows, self.closed, self.first_keys, self.key_parameters, self.firsts, legs)

    def at(self, u: Floats) -> list[Floats]:
        """Everybody's facing w x y z at the parameters u (actors, n), one (n, 4) each."""
        orientations = [np.broadcast_to(IDENTITY, (u.shape[1], 4))] * len(u)
        for row, orientation in zip(self.rows.tolist(), self.batch_at(u), strict=True):
            orientations[row] = orientation
        for row, path in self.unbatched.items():
            orientations[row] = path.orientation_at(u[row])
        return orientations

    def batch_at(self, u: Floats) -> Floats:
        """The facings of `rows` at the parameters u (actors, n): (rows, n, 4)."""
        out = np.empty((len(self.rows), u.shape[1], 4))
        if not out.size:
            return out
        work = len(self.rows) * u.shape[1] * NUMBERS_PER_SAMPLE
        if use_kernels(work):
            from keypose.stage.evaluate import kernels

            paths = self.arrays
            run_parallel(lambda start, stop: kernels.path_orientations(paths, u, out, start, stop), len(out), work)
            return out
        closed = self.closed[:, None]
        key, fraction = hermite.locate(u[self.rows], np.diff(self.first_keys)[:, None] - 1, closed)
        before, after = (
            self.key_parameters[self.first_keys[:-1, None] + key],
            self.key_parameters[self.first_keys[:-1, None] + key + 1],
        )
        v = np.where(fraction < 1.0, (after - before) * fraction + before, after)
        segment, s = hermite.locate(v, np.diff(self.firsts)[:, None], closed)
        out[:] = evaluate_legs(self.arrays.legs[self.firsts[:-1, None] + segment], s)
        return out
