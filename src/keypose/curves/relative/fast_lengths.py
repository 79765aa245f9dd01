"""How long is a path whose keys are carried about, at very many instants? Its stretching segments, by one kernel.

When a carried key is passed is searched for by asking this again and again (`passages`), for every actor on a stage.
`Shapes` is the definition, and the answer for all paths but the usual ones: single places, TCB adjusted to lengths.
"""

import numpy as np

from keypose.curves.distance.length_table import measured
from keypose.curves.relative.relative_path import Frames, Loose
from keypose.curves.relative.shapes import Shapes
from keypose.maths.arrays import Floats
from keypose.maths.kernel_switch import compiled, spread

NUMBERS_PER_SEGMENT = 100


class Stretched:
    """A loose path, and what of it is the same at all instants."""

    def __init__(self, loose: Loose) -> None:
        path, segments = loose.path, loose.stretching
        self.loose = loose
        self._usual = (
            path._all_placed
            and len(path.shape) == 1
            and path.turns is None
            and path.style.inertia == 0
            and path.adjust == "length"
            and (path.closed or path.style.ends == "reflect")
            and loose.said["arrive"] is None
            and loose.said["leave"] is None
        )
        if not self._usual:
            return
        ends = loose.ends
        self._beside = np.isin(ends[:-1], segments)
        self._still = np.diff(path._rope.whole.ruler.starts[ends])[~self._beside] if not self._beside.all() else None
        self._columns = (
            np.ascontiguousarray(np.stack(loose.reach.placed.around(segments))),
            (segments == 0) & (not path.closed),
            (segments == path.segments - 1) & (not path.closed),
            np.array(loose.said["position"], order="C"),
            loose.slot,
            np.array(loose.shaping["place"], order="C"),
        )

    def reached(self, frames: Frames) -> Floats:
        """How far the path has come at the keys `ends` of the loose path, at each instant: (n, ends)."""
        count, stretching = len(frames), len(self.loose.stretching)
        work = NUMBERS_PER_SEGMENT * count * stretching
        if not self._usual or not work or not compiled(work):
            return Shapes(self.loose, frames).reached
        from keypose.curves.kernels.relative_lengths import quartics

        speeds = np.empty((count * stretching, 1, 5))
        place, turn = (np.require(column, requirements=["C", "W"]) for column in (frames.place, frames.turn))
        spread(lambda start, stop: quartics(*self._columns, place, turn, speeds, start, stop), count, work)
        ruler = measured(speeds)
        reached = np.zeros((count, len(self.loose.ends)))
        reached[:, 1:][:, self._beside] = ruler.reached[ruler.first[1:] - 1].reshape(count, stretching)
        if self._still is not None:
            reached[:, 1:][:, ~self._beside] = self._still
        return np.cumsum(reached, axis=1, out=reached)
