"""Which way do a thousand actors face, each at its own parameter? Their turns lie in one array (GL95 §4).

Together go the turns drawn by de Casteljau's slerps. Who turns by GL95's logarithms, or has a single facing to hold, is
asked alone; who has none faces as the world does.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from keypose.curves.orientation_path import NUMBERS_PER_SAMPLE, casteljau, prepared_legs
from keypose.curves.path.motion_path import MotionPath
from keypose.maths import hermite
from keypose.maths.arrays import Bools, Floats, Ints
from keypose.maths.kernel_switch import compiled, spread
from keypose.stage.evaluate.ragged_arrays import end_to_end

IDENTITY = np.array([1.0, 0.0, 0.0, 0.0])


@dataclass(frozen=True, eq=False)
class Turnings:
    """The turns of those actors that turn together, and the paths of those that are asked alone.

    Actor rows[i] has the keys keys[i] … keys[i + 1] of `own`, its turns' parameter there, and the segments
    firsts[i] … firsts[i + 1] of `controls`.
    """

    rows: Ints
    closed: Bools
    keys: Ints
    own: Floats
    firsts: Ints
    controls: Floats
    """(segments, 4, 4)"""
    alone: dict[int, MotionPath]

    @classmethod
    def along(cls, paths: Sequence[MotionPath]) -> "Turnings":
        """The turns of these paths."""
        rows, own, controls, alone = [], [], [], {}
        for row, path in enumerate(paths):
            turns, at_keys = path.turns, path.turns_at_keys
            if turns is None or at_keys is None:
                continue
            if path.style.turning == "casteljau" and turns.segments:
                rows.append(row)
                own.append(at_keys)
                controls.append(turns.controls)
            else:
                alone[row] = path
        keys, joined = end_to_end([*own, np.empty(0)])  # one more, empty, for where nobody turns
        firsts, curve = end_to_end([*controls, np.empty((0, 4, 4))])
        closed = np.array([paths[row].closed for row in rows], dtype=np.bool_)
        return cls(np.array(rows, dtype=np.int64), closed, keys[:-1], joined, firsts[:-1], curve, alone)

    @cached_property
    def legs(self) -> Floats:
        """What the kernels need of the controls, (segments, 3, 9)."""
        return prepared_legs(self.controls)

    def at(self, u: Floats) -> list[Floats]:
        """Everybody's facing w x y z at the parameters u (actors, n), one (n, 4) each."""
        facings = [np.broadcast_to(IDENTITY, (u.shape[1], 4))] * len(u)
        for row, facing in zip(self.rows.tolist(), self.together(u), strict=True):
            facings[row] = facing
        for row, path in self.alone.items():
            facings[row] = path.orientation_at(u[row])
        return facings

    def together(self, u: Floats) -> Floats:
        """The facings of `rows` at the parameters u (actors, n): (rows, n, 4)."""
        out = np.empty((len(self.rows), u.shape[1], 4))
        if not out.size:
            return out
        work = len(self.rows) * u.shape[1] * NUMBERS_PER_SAMPLE
        if compiled(work):
            from keypose.stage.evaluate import kernels

            columns = (self.rows, self.closed, self.keys, self.own, self.firsts, self.legs, u, out)
            spread(lambda start, stop: kernels.turnings(*columns, start, stop), len(out), work)
            return out
        closed = self.closed[:, None]
        key, share = hermite.locate(u[self.rows], np.diff(self.keys)[:, None] - 1, closed)
        before, after = self.own[self.keys[:-1, None] + key], self.own[self.keys[:-1, None] + key + 1]
        v = np.where(share < 1.0, (after - before) * share + before, after)
        segment, s = hermite.locate(v, np.diff(self.firsts)[:, None], closed)
        out[:] = casteljau(self.controls[self.firsts[:-1, None] + segment], s)
        return out
