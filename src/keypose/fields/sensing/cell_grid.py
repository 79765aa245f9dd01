"""Who of a large group is near enough to be felt? Those in the cells around, where a field ends at a radius."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from keypose.maths.arrays import Floats, Ints
from keypose.maths.kernel_switch import shares, spread

NEARLY = 1.01  # of the radius: how wide a cell is, so that rounding never puts neighbours two cells apart
SAMPLED = 1_000  # of a group, to see how wide it is spread
NUMBERS_PER_PLACE = 6  # as work goes: to sort one costs about as much as so many numbers of plain arithmetic


class Cells(NamedTuple):
    """How space is cut: narrower cells along x, see `kernels.grid`."""

    inverse: float
    """Of the width of a cell along y and z [1/m]."""
    shape: Ints
    """How many there are along each axis until they repeat."""
    axes: Ints
    """Which axes of the world those are: layers lie behind each other along the one that is longest."""


class Sorted(NamedTuple):
    """Some points sorted by cell."""

    at: NDArray[np.uint32]
    """Where each of them is among the sorted."""
    near: Floats
    """Places, and whose they are: (4, points), and a little room."""
    starts: Ints
    """Those of cell c are starts[c] … starts[c + 1]."""
    is_far: bool
    """Whether somebody is beyond the farthest cell."""


def cells(place: Floats, carriers: Ints, radius: float) -> Cells:
    """Cells for a group: room for most of it, in all not many more than members.

    Along each axis a power of two, and so many at least that those around one are all different.
    """
    from keypose.fields.kernels.neighbour_grid import ALONG

    inverse, along = 1 / (NEARLY * radius), np.array([ALONG, 1, 1])
    some = carriers[:: max(len(carriers) // SAMPLED, 1)]
    sample = np.sort(place[some] * inverse, axis=0)
    low, high = sample[len(sample) // 20], sample[-1 - len(sample) // 20]
    axes = np.argsort(high - low, kind="stable")[[1, 0, 2]]
    wide = along * (high - low)[axes] / 0.9 + 1
    fewest = np.ceil(np.log2(2 * along + 1)).astype(np.int64)
    powers = np.maximum(np.ceil(np.log2(np.clip(wide, 1, 2.0**20))).astype(np.int64), fewest)
    while (powers > fewest).any() and 2.0 ** powers.sum() > 2 * ALONG * len(carriers):
        powers[np.argmax(powers - fewest)] -= 1
    return Cells(inverse, np.asarray(2**powers), axes)


def sort(place: Floats, rows: Ints, own: Ints, cut: Cells) -> Sorted:
    """Some rows of `place`, which belong to the objects `own`."""
    from keypose.fields.kernels.neighbour_grid import SPARE, begin_cells, count_in_cells, sort_by_cell

    count, total, work = len(rows), int(cut.shape.prod()), NUMBERS_PER_PLACE * len(rows)
    parts = shares(count, work)
    numbers, counts, far = np.empty(count, np.int32), np.zeros((parts, total), np.int64), np.zeros(parts, np.bool_)
    counting = (place, rows, *cut, numbers, counts, far)
    spread(lambda start, stop: count_in_cells(*counting, start, stop), parts, work)
    starts = np.empty(total + 1, np.int64)
    begin_cells(counts, starts)
    at, near = np.empty(count, np.uint32), np.zeros((4, count + SPARE))
    sorting = (place, rows, own, numbers, counts, at, near)
    spread(lambda start, stop: sort_by_cell(*sorting, start, stop), parts, work)
    return Sorted(at, near, starts, bool(far.any()))
