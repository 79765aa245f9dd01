"""How are thousands of links worked out in one tick? As arrays, made once, that compiled loops run over.

A few carriers are links one by one, in rows after rows; of a large group whose field ends at a radius only those near
are looked at; of any other large group everybody. What comes out is what `Field.push` says, to rounding.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil
from typing import NamedTuple, Self

import numpy as np

from keypose.fields.film_units import FILM_FRAME
from keypose.fields.kernels.law import LAW_COLUMNS, MAX_SQUARABLE, Law
from keypose.fields.sensing import cell_grid
from keypose.fields.sensing.links import FieldLink
from keypose.fields.sensing.observed_poses import ObservedPoses
from keypose.fields.sensing.term_arrays import Term, terms
from keypose.maths import ORIGIN, Floats, Int32s, Ints, UInt32s, load_kernels, run_parallel, use_kernels

MIN_PAIRS_FOR_ARRAYS = 2_000  # pairs of who senses and who carries: fewer are as quick as they were said
MAX_DENSE_KINDS = 4  # how many kinds of strands are told apart; further ones are wires
MAX_ROWS_PER_BLOCK = 6_000  # of strands, at most: what is known of so many stays in the second cache
BLOCK_MULTIPLE = 12  # or a multiple of it: as many for each of 2, 3, 4 or 6 threads
MAX_SEPARATE_CARRIERS = 16  # carriers: up to here each is a link of its own
WORK_PER_LINK = 6  # as work goes: about so many numbers of plain arithmetic


@dataclass(frozen=True, eq=False)
class CarrierPoses:
    """Everybody who carries a plain field, at one tick; those below `upright` are not turned."""

    position: Floats
    """All points, and behind them the other carriers, (carriers, 3)."""
    orientation: Floats
    """(carriers - upright, 4)"""
    unrotated_count: int


@dataclass(frozen=True, eq=False)
class SparseLinks:
    """Links one by one: those of row i are firsts[i] … firsts[i + 1]."""

    row_starts: Ints
    carriers: Int32s
    law_index: Int32s
    affinity: Floats
    laws: Floats

    def add(self, poses: CarrierPoses, out: Floats) -> None:
        """Add to `out` (rows, 3)."""
        if not len(self.carriers):
            return
        from keypose.fields.kernels.link_forces import add_sparse_pushes

        links = (self.row_starts, self.carriers, self.law_index, self.affinity, self.laws)
        arguments = (*links, poses.position, poses.orientation, poses.unrotated_count, FILM_FRAME**2, out)
        run_parallel(
            lambda start, stop: add_sparse_pushes(*arguments, start, stop), len(out), WORK_PER_LINK * len(self.carriers)
        )


@dataclass(frozen=True, eq=False)
class DenseLinks:
    """Links that are pulls to their carriers and nothing else, all with one power, core and radius.

    By far the most common, and the quickest: numbers times them are in the strength, and affinities too. They come a
    block of rows after the other, and within it in the order of their carriers: then memory is gone through in order,
    and the few rows of a block stay at hand. Each row is in one block: its sum is the same however they are shared out.
    """

    block_starts: Ints
    """Those of block b are begins[b] … begins[b + 1]."""
    rows: UInt32s
    carriers: UInt32s
    strength: Floats
    """For a tick: [m/frame²] at a distance of one."""
    power: float
    core: float
    radius: float

    @classmethod
    def from_links(cls, rows: Ints, carriers: Ints, strength: Floats, power: float, core: float, radius: float) -> Self:
        """These links [m/s²], in any order."""
        total = int(rows.max(initial=0)) + 1
        block = rows * BLOCK_MULTIPLE * ceil(total / (BLOCK_MULTIPLE * MAX_ROWS_PER_BLOCK)) // total
        order = np.lexsort((rows, carriers, block))
        block_starts = np.searchsorted(block[order], np.arange(block.max(initial=-1) + 2))
        links = rows[order].astype(np.uint32), carriers[order].astype(np.uint32), FILM_FRAME**2 * strength[order]
        return cls(block_starts, *links, power, core, radius)

    def add(self, poses: CarrierPoses, out: Floats) -> None:
        """Add to `out` (rows, 3)."""
        from keypose.fields.kernels.link_forces import add_dense_pushes

        links = (self.block_starts, self.rows, self.carriers, self.strength, self.power, self.core, self.radius)
        work = WORK_PER_LINK * len(self.carriers)
        run_parallel(
            lambda start, stop: add_dense_pushes(*links, poses.position, out, start, stop),
            len(self.block_starts) - 1,
            work,
        )


@dataclass(frozen=True, eq=False)
class GroupLinks:
    """Everybody of a large group pushes some rows by one law."""

    rows: Ints
    row_objects: Ints
    """The number of the object of each row."""
    affinity: Floats
    carriers: Ints
    carrier_objects: Ints
    """The number of the object that each carrier is; -1 if it is none of them."""
    laws: Floats
    radius: float
    """Beyond which the law is zero [m]; infinity if it has to be asked everywhere."""
    is_central: bool
    """Of the law, see there."""

    def add(self, poses: CarrierPoses, out: Floats) -> None:
        """Add to `out` (rows, 3)."""
        if self.radius < np.inf:
            self._add_neighbours(poses, out)
            return
        from keypose.fields.kernels.link_forces import add_group_pushes

        links = (self.rows, self.row_objects, self.affinity, self.carriers, self.carrier_objects, self.laws)
        arguments = (*links, poses.position, poses.orientation, poses.unrotated_count, FILM_FRAME**2, out)
        work = WORK_PER_LINK * len(self.rows) * len(self.carriers)
        run_parallel(lambda start, stop: add_group_pushes(*arguments, start, stop), len(self.rows), work)

    def _add_neighbours(self, poses: CarrierPoses, out: Floats) -> None:
        from keypose.fields.kernels.neighbour_forces import add_neighbour_pushes, first_reaction_row, scatter_sums

        grid = cell_grid.build_cell_grid(poses.position, self.carriers, self.radius)
        carrier_points = cell_grid.sort_points(poses.position, self.carriers, self.carrier_objects, grid)
        row_points = carrier_points
        if self.rows is not self.carriers:
            row_points = cell_grid.sort_points(poses.position, self.rows, self.row_objects, grid)
        carriers = self.carriers
        if not self.is_central:
            carriers = np.empty_like(self.carriers)
            carriers[carrier_points.slots] = self.carriers
        count, is_mutual = (
            len(self.rows),
            row_points is carrier_points and self.is_central and not row_points.has_far_points,
        )
        reaction_row = first_reaction_row(count, grid.shape) if is_mutual else 0
        sums = np.zeros((reaction_row + count, 3))
        law_arguments = (self.laws, self.is_central, is_mutual, poses.orientation, poses.unrotated_count)
        arguments = (
            row_points.points,
            row_points.cell_starts,
            carrier_points.points,
            carrier_points.cell_starts,
            carriers,
            grid.inverse,
            grid.shape,
            *law_arguments,
            sums,
        )
        run_parallel(
            lambda start, stop: add_neighbour_pushes(*arguments, start, stop), count, WORK_PER_LINK * 27 * count
        )
        scatter_arguments = (self.rows, self.affinity, row_points.slots, sums, reaction_row, FILM_FRAME**2, out)
        run_parallel(lambda start, stop: scatter_sums(*scatter_arguments, start, stop), count, WORK_PER_LINK * count)


@dataclass(frozen=True, eq=False)
class LinkArrays:
    """All plain pushes of a company as arrays, and the others as they were said."""

    field_links: tuple[FieldLink, ...]
    other_links: tuple[FieldLink, ...]
    sparse: SparseLinks
    dense: tuple[DenseLinks, ...]
    groups: tuple[GroupLinks, ...]
    other_carriers: tuple[str | None, ...]
    """The carriers behind all points: drawings, and who takes no part; None is the world."""

    def total_push(self, observed: ObservedPoses) -> Floats:
        """Σ affinity · push of all plain pushes [m/frame²], (rows, 3)."""
        poses, out = self._carrier_poses(observed), np.zeros(observed.P.shape)
        self.sparse.add(poses, out)
        for dense_links in self.dense:
            dense_links.add(poses, out)
        for group in self.groups:
            group.add(poses, out)
        return out

    def _carrier_poses(self, observed: ObservedPoses) -> CarrierPoses:
        positions, orientations, unrotated_count = (
            np.zeros((len(self.other_carriers), 3)),
            np.zeros((len(self.other_carriers), 4)),
            len(observed.P),
        )
        orientations[:, 0] = 1.0
        for number, name in enumerate(self.other_carriers):
            if name is not None:
                pose = observed.pose(name)
                positions[number], orientations[number] = pose.position, pose.orientation
        if observed.orientations is not None:
            orientations, unrotated_count = np.concatenate([observed.orientations, orientations]), 0
        return CarrierPoses(
            np.concatenate([observed.P, positions]) if len(positions) else observed.P, orientations, unrotated_count
        )


def build_link_arrays(field_links: Sequence[FieldLink], rows: Mapping[str, Ints], total: int) -> LinkArrays | None:
    """The plain ones of these pushes as arrays; None where there is too little to gain, by the counts alone."""
    candidates = [(link, terms(link.field)) for link in field_links]
    plain_links = [(link, link_terms) for link, link_terms in candidates if link_terms is not None]
    pairs = sum(len(link.rows) * max(len(term.carriers), 1) for link, link_terms in plain_links for term in link_terms)
    if pairs < MIN_PAIRS_FOR_ARRAYS:
        return None
    load_kernels()  # what is played again must be computed the same way
    if not use_kernels(pairs):
        return None
    builder = _LinkArraysBuilder(rows, total)
    for link, link_terms in plain_links:
        for term in link_terms:
            builder.add_term(link, term)
    other_links = tuple(link for link, link_terms in candidates if link_terms is None)
    return LinkArrays(
        tuple(link for link, _ in plain_links),
        other_links,
        *builder.build_separate_links(),
        tuple(builder.groups),
        tuple(builder.other_carriers),
    )


class CarrierLink(NamedTuple):
    """One carrier linked to some rows."""

    rows: Ints
    carrier: int
    law_index: int
    """Of the law, among all."""
    law: Law
    affinity: Floats


@dataclass
class _LinkArraysBuilder:
    """Arrays in the making."""

    point_rows: Mapping[str, Ints]
    total: int
    other_carriers: dict[str | None, int] = field(default_factory=dict)
    laws: dict[Law, int] = field(default_factory=dict)
    links: list[CarrierLink] = field(default_factory=list)
    groups: list[GroupLinks] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.objects = {name: number for number, name in enumerate(self.point_rows)}
        self.row_objects = np.repeat(np.arange(len(self.point_rows)), [len(rows) for rows in self.point_rows.values()])

    def add_term(self, link: FieldLink, term: Term) -> None:
        """One term of a push more."""
        if len(term.carriers) > MAX_SEPARATE_CARRIERS:
            self.groups.append(self._build_group(link, term))
            return
        law_index = self.laws.setdefault(term.law, len(self.laws))
        for name in term.carriers or (None,):
            rows, affinity = link.rows, link.affinity[:, 0]
            if name is not None and name in self.point_rows:  # nobody feels its own
                is_other = self.row_objects[rows] != self.objects[name]
                rows, affinity = rows[is_other], affinity[is_other]
            self.links.append(CarrierLink(rows, self._carrier_index(name), law_index, term.law, affinity))

    def build_separate_links(self) -> tuple[SparseLinks, tuple[DenseLinks, ...]]:
        """All links one by one, those of each row in the order in which they were laid."""
        sparse: list[CarrierLink] = []
        dense: dict[tuple[float, float, float], list[CarrierLink]] = {}
        for link in self.links:
            law = link.law
            kind = law.power, law.core, law.radius
            if law.is_central and (kind in dense or len(dense) < MAX_DENSE_KINDS):
                dense.setdefault(kind, []).append(link)
            else:
                sparse.append(link)
        laws = np.array([law.row for law in self.laws]).reshape(len(self.laws), LAW_COLUMNS)
        dense_links = []
        for kind, links in dense.items():
            counts = [len(link.rows) for link in links]
            rows = np.concatenate([link.rows for link in links])
            carriers = np.repeat([link.carrier for link in links], counts)
            strength = np.concatenate([link.law.strength * link.affinity for link in links])
            dense_links.append(DenseLinks.from_links(rows, carriers, strength, *kind))
        return SparseLinks(*self._sort_by_row(sparse), laws), tuple(dense_links)

    def _sort_by_row(self, links: Sequence[CarrierLink]) -> tuple[Ints, Int32s, Int32s, Floats]:
        """Where the links of each row begin; of each its carrier, the number of its law, its affinity."""
        counts = [len(link.rows) for link in links]
        rows = np.concatenate([np.empty(0, np.int64), *(link.rows for link in links)])
        order = np.argsort(rows, kind="stable")
        row_starts = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=self.total))]).astype(np.int64)
        indices = np.array([(link.carrier, link.law_index) for link in links], dtype=np.int32).reshape(-1, 2)
        carriers, law_index = np.repeat(indices, counts, axis=0)[order].T.copy()
        affinity = np.concatenate([np.empty(0), *(link.affinity for link in links)])
        return row_starts, carriers, law_index, affinity[order]

    def _build_group(self, link: FieldLink, term: Term) -> GroupLinks:
        carriers = np.array([self._carrier_index(name) for name in term.carriers], dtype=np.int64)
        carrier_objects = np.array([self.objects.get(name, -1) for name in term.carriers], dtype=np.int64)
        is_bounded = term.law.ball_center == ORIGIN and 1 / MAX_SQUARABLE < term.law.radius < MAX_SQUARABLE
        rows = carriers if np.array_equal(carriers, link.rows) else link.rows  # then one sorting is enough
        laws, radius = np.array([term.law.row]), term.law.radius if is_bounded else np.inf
        row_arguments = rows, self.row_objects[rows], link.affinity[:, 0].copy()
        return GroupLinks(*row_arguments, carriers, carrier_objects, laws, radius, term.law.is_central)

    def _carrier_index(self, name: str | None) -> int:
        """The number of a carrier: the row of an object of one point, else behind all rows."""
        if name is not None and name in self.point_rows and len(self.point_rows[name]) == 1:
            return int(self.point_rows[name][0])
        return self.total + self.other_carriers.setdefault(name, len(self.other_carriers))
