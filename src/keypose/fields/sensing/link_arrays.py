"""How are thousands of links worked out in one tick? As arrays, made once, that compiled loops run over.

A few carriers are links one by one, in rows after rows; of a large group whose field ends at a radius only those near
are looked at; of any other large group everybody. What comes out is what `Field.push` says, to rounding.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from keypose.fields.film_units import FILM_FRAME
from keypose.fields.kernels.law import LAW_COLUMNS, MAX_SQUARABLE, Law
from keypose.fields.kernels.records import CarrierPoses, DenseLinks, GroupLinks, SparseLinks
from keypose.fields.sensing import cell_grid
from keypose.fields.sensing.links import FieldLink
from keypose.fields.sensing.observed_poses import ObservedPoses
from keypose.fields.sensing.term_arrays import Term, terms
from keypose.maths import ORIGIN, Floats, Int32s, Ints, load_kernels, run_parallel, use_kernels

MIN_PAIRS_FOR_ARRAYS = 2_000  # pairs of who senses and who carries: fewer are as quick as they were said
MAX_DENSE_KINDS = 4  # how many kinds of strands are told apart; further ones are wires
MAX_SEPARATE_CARRIERS = 16  # carriers: up to here each is a link of its own
WORK_PER_LINK = 6  # as work goes: about so many numbers of plain arithmetic


def build_dense_links(
    rows: Ints, carriers: Ints, strength: Floats, total: int, power: float, core: float, radius: float
) -> DenseLinks:
    """Pulls [m/s²] of carriers on some of `total` rows, in any order; each row adds them up in order of carriers."""
    order = np.lexsort((carriers, rows))
    row_starts = _row_starts(rows, total)
    return DenseLinks(
        row_starts, carriers[order].astype(np.uint32), FILM_FRAME**2 * strength[order], power, core, radius
    )


def add_sparse_links(links: SparseLinks, poses: CarrierPoses, out: Floats) -> None:
    """Add the pushes of these links to `out` (rows, 3)."""
    if not len(links.carriers):
        return
    from keypose.fields.kernels.link_forces import add_sparse_pushes

    run_parallel(
        lambda start, stop: add_sparse_pushes(links, poses, FILM_FRAME**2, out, start, stop),
        len(out),
        WORK_PER_LINK * len(links.carriers),
    )


def add_dense_links(links: DenseLinks, poses: CarrierPoses, out: Floats) -> None:
    """Add the pulls of these links to `out` (rows, 3)."""
    from keypose.fields.kernels.link_forces import add_dense_pushes

    run_parallel(
        lambda start, stop: add_dense_pushes(links, poses.position, out, start, stop),
        len(out),
        WORK_PER_LINK * len(links.carriers),
    )


def add_group(group: GroupLinks, poses: CarrierPoses, out: Floats) -> None:
    """Add the pushes of this group to `out` (rows, 3)."""
    if group.radius < np.inf:
        _add_neighbours(group, poses, out)
        return
    from keypose.fields.kernels.link_forces import add_group_pushes

    run_parallel(
        lambda start, stop: add_group_pushes(group, poses, FILM_FRAME**2, out, start, stop),
        len(group.rows),
        WORK_PER_LINK * len(group.rows) * len(group.carriers),
    )


def _add_neighbours(group: GroupLinks, poses: CarrierPoses, out: Floats) -> None:
    from keypose.fields.kernels.neighbour_forces import add_neighbour_pushes, first_reaction_row, scatter_sums

    grid = cell_grid.build_cell_grid(poses.position, group.carriers, group.radius)
    carriers = cell_grid.sort_points(poses.position, group.carriers, group.carrier_objects, grid)
    rows = carriers
    if group.rows is not group.carriers:
        rows = cell_grid.sort_points(poses.position, group.rows, group.row_objects, grid)
    sorted_group = group
    if not group.is_central:
        sorted_carriers = np.empty_like(group.carriers)
        sorted_carriers[carriers.slots] = group.carriers
        sorted_group = group._replace(carriers=sorted_carriers)
    count, is_mutual = len(group.rows), rows is carriers and group.is_central and not rows.has_far_points
    reaction_row = first_reaction_row(count, grid.shape) if is_mutual else 0
    sums = np.zeros((reaction_row + count, 3))
    arguments = (sorted_group, poses, grid, rows, carriers, is_mutual, sums)
    run_parallel(lambda start, stop: add_neighbour_pushes(*arguments, start, stop), count, WORK_PER_LINK * 27 * count)
    scatter_arguments = (group.rows, group.affinity, rows.slots, sums, reaction_row, FILM_FRAME**2, out)
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
        add_sparse_links(self.sparse, poses, out)
        for dense_links in self.dense:
            add_dense_links(dense_links, poses, out)
        for group in self.groups:
            add_group(group, poses, out)
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
            dense_links.append(build_dense_links(rows, carriers, strength, self.total, *kind))
        return SparseLinks(*self._sort_by_row(sparse), laws), tuple(dense_links)

    def _sort_by_row(self, links: Sequence[CarrierLink]) -> tuple[Ints, Int32s, Int32s, Floats]:
        """Where the links of each row begin; of each its carrier, the number of its law, its affinity."""
        counts = [len(link.rows) for link in links]
        rows = np.concatenate([np.empty(0, np.int64), *(link.rows for link in links)])
        order = np.argsort(rows, kind="stable")
        indices = np.array([(link.carrier, link.law_index) for link in links], dtype=np.int32).reshape(-1, 2)
        carriers, law_index = np.repeat(indices, counts, axis=0)[order].T.copy()
        affinity = np.concatenate([np.empty(0), *(link.affinity for link in links)])
        return _row_starts(rows, self.total), carriers, law_index, affinity[order]

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


def _row_starts(rows: Ints, total: int) -> Ints:
    """Where the links of each of `total` rows begin once they are sorted by row, and where all end, (total + 1,)."""
    return np.cumsum(np.bincount(rows + 1, minlength=total + 1), dtype=np.int64)
