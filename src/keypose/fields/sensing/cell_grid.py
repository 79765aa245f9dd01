"""Who of a large group is near enough to be felt? Those in the cells around, where a field ends at a radius."""

import numpy as np

from keypose.fields.kernels.records import CellGrid, SortedPoints
from keypose.maths import Floats, Ints, run_parallel, thread_count

CELL_MARGIN = 1.01  # of the radius: how wide a cell is, so that rounding never puts neighbours two cells apart
SAMPLE_SIZE = 1_000  # of a group, to see how wide it is spread
WORK_PER_POINT = 6  # as work goes: to sort one costs about as much as so many numbers of plain arithmetic


def build_cell_grid(position: Floats, carriers: Ints, radius: float) -> CellGrid:
    """Cells for a group: room for most of it, in all not many more than members.

    Along each axis a power of two, and so many at least that those around one are all different.
    """
    from keypose.fields.kernels.neighbour_grid import CELLS_PER_RADIUS_X

    inverse, cells_per_radius = 1 / (CELL_MARGIN * radius), np.array([CELLS_PER_RADIUS_X, 1, 1])
    sample_rows = carriers[:: max(len(carriers) // SAMPLE_SIZE, 1)]
    sample = np.sort(position[sample_rows] * inverse, axis=0)
    low, high = sample[len(sample) // 20], sample[-1 - len(sample) // 20]
    axes = np.argsort(high - low, kind="stable")[[1, 0, 2]]
    widths = cells_per_radius * (high - low)[axes] / 0.9 + 1
    min_powers = np.ceil(np.log2(2 * cells_per_radius + 1)).astype(np.int64)
    powers = np.maximum(np.ceil(np.log2(np.clip(widths, 1, 2.0**20))).astype(np.int64), min_powers)
    while (powers > min_powers).any() and 2.0 ** powers.sum() > 2 * CELLS_PER_RADIUS_X * len(carriers):
        powers[np.argmax(powers - min_powers)] -= 1
    return CellGrid(inverse, np.asarray(2**powers), axes)


def sort_points(position: Floats, rows: Ints, objects: Ints, grid: CellGrid) -> SortedPoints:
    """Some rows of `position`, which belong to the objects `objects`."""
    from keypose.fields.kernels.neighbour_grid import PADDING, count_in_cells, fill_cell_starts, sort_by_cell

    count, total, work = len(rows), int(grid.shape.prod()), WORK_PER_POINT * len(rows)
    parts = thread_count(count, work)
    numbers, counts, is_far = np.empty(count, np.int32), np.zeros((parts, total), np.int64), np.zeros(parts, np.bool_)
    count_arguments = (position, rows, grid, numbers, counts, is_far)
    run_parallel(lambda start, stop: count_in_cells(*count_arguments, start, stop), parts, work)
    cell_starts = np.empty(total + 1, np.int64)
    fill_cell_starts(counts, cell_starts)
    slots, points = np.empty(count, np.uint32), np.zeros((4, count + PADDING))
    sort_arguments = (position, rows, objects, numbers, counts, slots, points)
    run_parallel(lambda start, stop: sort_by_cell(*sort_arguments, start, stop), parts, work)
    return SortedPoints(slots, points, cell_starts, bool(is_far.any()))
