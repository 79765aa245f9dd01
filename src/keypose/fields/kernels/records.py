"""The records that kernels of fields take: links, groups and sorted points as arrays with names."""

from typing import NamedTuple

from keypose.maths import Floats, Int32s, Ints, UInt32s


class CarrierPoses(NamedTuple):
    """The poses of all carriers of plain fields at one tick; those below `unrotated_count` are not rotated."""

    position: Floats
    """All points, then the other carriers, (carriers, 3)."""
    orientation: Floats
    """(carriers - unrotated_count, 4)"""
    unrotated_count: int


class SparseLinks(NamedTuple):
    """Links one by one: those of row i are row_starts[i] … row_starts[i + 1]."""

    row_starts: Ints
    carriers: Int32s
    law_index: Int32s
    affinity: Floats
    laws: Floats


class DenseLinks(NamedTuple):
    """Links that are pulls to their carriers and nothing else, all with one power, core and radius.

    By far the most common, and the fastest. Those of row i are row_starts[i] … row_starts[i + 1].
    """

    row_starts: Ints
    carriers: UInt32s
    strength: Floats
    """Factors and affinities included: [m/frame²] at a distance of one."""
    power: float
    core: float
    radius: float


class GroupLinks(NamedTuple):
    """All members of a large group push some rows by one law."""

    rows: Ints
    row_objects: Ints
    """The number of the object of each row."""
    affinity: Floats
    carriers: Ints
    carrier_objects: Ints
    """The number of the object that each carrier is; -1 if it is none of them."""
    laws: Floats
    radius: float
    """Beyond which the law is zero [m]; infinity if it has to be evaluated everywhere."""
    is_central: bool
    """Of the law, see `Law.is_central`."""


class CellGrid(NamedTuple):
    """How space is cut: narrower cells along x, see `neighbour_grid`."""

    inverse: float
    """Of the width of a cell along y and z [1/m]."""
    shape: Ints
    """How many there are along each axis until they repeat."""
    axes: Ints
    """Which axes of the world those are: layers lie behind each other along the one that is longest."""


class SortedPoints(NamedTuple):
    """Some points sorted by cell."""

    slots: UInt32s
    """The index of each of them among the sorted."""
    points: Floats
    """Positions, and the number of their object: (4, points), and a little room."""
    cell_starts: Ints
    """Those of cell c are cell_starts[c] … cell_starts[c + 1]."""
    has_far_points: bool
    """Whether any is beyond the farthest cell."""


class CellRow(NamedTuple):
    """Consecutive cells first … last of a row along x, and the rows of cells around it."""

    first: int
    last: int
    nx: int
    """Cells to a row."""
    bases: Ints
    """The first cells of the row itself and of those around it, see `neighbour_grid.neighbour_rows`."""
    discard_row: int
    reaction_row: int


class NearPoints(NamedTuple):
    """Buffers for points that are near a row of cells, laid next to each other, and for pairs with them."""

    column_ends: Ints
    """See `neighbour_grid.gather_row`."""
    xs: Floats
    ys: Floats
    zs: Floats
    owners: Floats
    indices: UInt32s
    pair_ends: Ints
    """Where the pairs of each sensing point end."""
    dx: Floats
    dy: Floats
    dz: Floats
    partners: UInt32s
    """The numbers of the other points of the pairs."""
