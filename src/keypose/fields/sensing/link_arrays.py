"""How are thousands of links worked out in one tick? As arrays, made once, that compiled loops run over.

A few carriers are links one by one, in rows after rows; of a large group whose field ends at a radius only those near
are looked at; of any other large group everybody. What comes out is what `Field.push` says, to rounding.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil
from typing import NamedTuple, Self

import numpy as np

from keypose.fields.film_units import FILM
from keypose.fields.kernels.law import COLUMNS, TAME, Law
from keypose.fields.sensing import cell_grid
from keypose.fields.sensing.links import Push
from keypose.fields.sensing.observed_poses import Survey
from keypose.fields.sensing.term_arrays import Term, terms
from keypose.maths.arrays import Floats, Int32s, Ints, UInt32s
from keypose.maths.inputs import ORIGIN
from keypose.maths.kernel_switch import compiled, settle, spread

WORTH_ARRAYS = 2_000  # pairs of who senses and who carries: fewer are as quick as they were said
ALIKE = 4  # how many kinds of strands are told apart; further ones are wires
ROWS_AT_ONCE = 6_000  # of strands, at most: what is known of so many stays in the second cache
BLOCKS = 12  # or a multiple of it: as many for each of 2, 3, 4 or 6 threads
FEW = 16  # carriers: up to here each is a link of its own
NUMBERS_PER_LINK = 6  # as work goes: about so many numbers of plain arithmetic


@dataclass(frozen=True, eq=False)
class Seen:
    """Everybody who carries a plain field, at one tick; those below `upright` are not turned."""

    place: Floats
    """All points, and behind them the other carriers, (carriers, 3)."""
    turn: Floats
    """(carriers - upright, 4)"""
    upright: int


@dataclass(frozen=True, eq=False)
class Wires:
    """Links one by one: those of row i are firsts[i] … firsts[i + 1]."""

    firsts: Ints
    carriers: Int32s
    which: Int32s
    affinity: Floats
    laws: Floats

    def add(self, seen: Seen, out: Floats) -> None:
        """Add to `out` (rows, 3)."""
        if not len(self.carriers):
            return
        from keypose.fields.kernels.link_forces import wires

        links = (self.firsts, self.carriers, self.which, self.affinity, self.laws)
        columns = (*links, seen.place, seen.turn, seen.upright, FILM**2, out)
        spread(lambda start, stop: wires(*columns, start, stop), len(out), NUMBERS_PER_LINK * len(self.carriers))


@dataclass(frozen=True, eq=False)
class Strands:
    """Links that are pulls to their carriers and nothing else, all with one power, core and radius.

    By far the most common, and the quickest: numbers times them are in the strength, and affinities too. They come a
    block of rows after the other, and within it in the order of their carriers: then memory is gone through in order,
    and the few rows of a block stay at hand. Each row is in one block: its sum is the same however they are shared out.
    """

    begins: Ints
    """Those of block b are begins[b] … begins[b + 1]."""
    rows: UInt32s
    carriers: UInt32s
    strength: Floats
    """For a tick: [m/frame²] at a distance of one."""
    power: float
    core: float
    radius: float

    @classmethod
    def strung(cls, rows: Ints, carriers: Ints, strength: Floats, power: float, core: float, radius: float) -> Self:
        """These links [m/s²], in any order."""
        total = int(rows.max(initial=0)) + 1
        block = rows * BLOCKS * ceil(total / (BLOCKS * ROWS_AT_ONCE)) // total
        order = np.lexsort((rows, carriers, block))
        begins = np.searchsorted(block[order], np.arange(block.max(initial=-1) + 2))
        links = rows[order].astype(np.uint32), carriers[order].astype(np.uint32), FILM**2 * strength[order]
        return cls(begins, *links, power, core, radius)

    def add(self, seen: Seen, out: Floats) -> None:
        """Add to `out` (rows, 3)."""
        from keypose.fields.kernels.link_forces import strands

        links = (self.begins, self.rows, self.carriers, self.strength, self.power, self.core, self.radius)
        work = NUMBERS_PER_LINK * len(self.carriers)
        spread(lambda start, stop: strands(*links, seen.place, out, start, stop), len(self.begins) - 1, work)


@dataclass(frozen=True, eq=False)
class Group:
    """Everybody of a large group pushes some rows by one law."""

    rows: Ints
    own: Ints
    """The number of the object of each row."""
    affinity: Floats
    carriers: Ints
    theirs: Ints
    """The number of the object that each carrier is; -1 if it is none of them."""
    laws: Floats
    radius: float
    """Beyond which the law is zero [m]; infinity if it has to be asked everywhere."""
    is_central: bool
    """Of the law, see there."""

    def add(self, seen: Seen, out: Floats) -> None:
        """Add to `out` (rows, 3)."""
        if self.radius < np.inf:
            self._add_near(seen, out)
            return
        from keypose.fields.kernels.link_forces import crowd

        links = (self.rows, self.own, self.affinity, self.carriers, self.theirs, self.laws)
        columns = (*links, seen.place, seen.turn, seen.upright, FILM**2, out)
        work = NUMBERS_PER_LINK * len(self.rows) * len(self.carriers)
        spread(lambda start, stop: crowd(*columns, start, stop), len(self.rows), work)

    def _add_near(self, seen: Seen, out: Floats) -> None:
        from keypose.fields.kernels.neighbour_forces import given_rows, hand_out, swarm

        cut = cell_grid.cells(seen.place, self.carriers, self.radius)
        theirs = cell_grid.sort(seen.place, self.carriers, self.theirs, cut)
        mine = theirs
        if self.rows is not self.carriers:
            mine = cell_grid.sort(seen.place, self.rows, self.own, cut)
        carriers = self.carriers
        if not self.is_central:
            carriers = np.empty_like(self.carriers)
            carriers[theirs.at] = self.carriers
        count, is_mutual = len(self.rows), mine is theirs and self.is_central and not mine.is_far
        given = given_rows(count, cut.shape) if is_mutual else 0
        sums = np.zeros((given + count, 3))
        law = (self.laws, self.is_central, is_mutual, seen.turn, seen.upright)
        columns = (mine.near, mine.starts, theirs.near, theirs.starts, carriers, cut.inverse, cut.shape, *law, sums)
        spread(lambda start, stop: swarm(*columns, start, stop), count, NUMBERS_PER_LINK * 27 * count)
        shares = (self.rows, self.affinity, mine.at, sums, given, FILM**2, out)
        spread(lambda start, stop: hand_out(*shares, start, stop), count, NUMBERS_PER_LINK * count)


@dataclass(frozen=True, eq=False)
class Flat:
    """All plain pushes of a company as arrays, and the others as they were said."""

    pushes: tuple[Push, ...]
    rest: tuple[Push, ...]
    wires: Wires
    strands: tuple[Strands, ...]
    groups: tuple[Group, ...]
    others: tuple[str | None, ...]
    """The carriers behind all points: drawings, and who takes no part; None is the world."""

    def pushed(self, survey: Survey) -> Floats:
        """Σ affinity · push of all plain pushes [m/frame²], (rows, 3)."""
        seen, out = self._seen(survey), np.zeros(survey.P.shape)
        self.wires.add(seen, out)
        for strands in self.strands:
            strands.add(seen, out)
        for group in self.groups:
            group.add(seen, out)
        return out

    def _seen(self, survey: Survey) -> Seen:
        place, turn, upright = np.zeros((len(self.others), 3)), np.zeros((len(self.others), 4)), len(survey.P)
        turn[:, 0] = 1.0
        for number, name in enumerate(self.others):
            if name is not None:
                pose = survey.pose(name)
                place[number], turn[number] = pose.position, pose.orientation
        if survey.turn is not None:
            turn, upright = np.concatenate([survey.turn, turn]), 0
        return Seen(np.concatenate([survey.P, place]) if len(place) else survey.P, turn, upright)


def flattened(pushes: Sequence[Push], rows: Mapping[str, Ints], total: int) -> Flat | None:
    """The plain ones of these pushes as arrays; None where there is too little to gain, by the counts alone."""
    found = [(push, terms(push.field)) for push in pushes]
    plain = [(push, made) for push, made in found if made is not None]
    pairs = sum(len(push.rows) * max(len(term.carriers), 1) for push, made in plain for term in made)
    if pairs < WORTH_ARRAYS:
        return None
    settle()  # what is played again must be computed the same way
    if not compiled(pairs):
        return None
    laying = _Laying(rows, total)
    for push, made in plain:
        for term in made:
            laying.lay(push, term)
    rest = tuple(push for push, made in found if made is None)
    return Flat(
        tuple(push for push, _ in plain), rest, *laying.links_one_by_one(), tuple(laying.groups), tuple(laying.others)
    )


class Laid(NamedTuple):
    """One carrier linked to some rows."""

    rows: Ints
    carrier: int
    number: int
    """Of the law, among all."""
    law: Law
    affinity: Floats


@dataclass
class _Laying:
    """Arrays in the making."""

    points: Mapping[str, Ints]
    total: int
    others: dict[str | None, int] = field(default_factory=dict)
    laws: dict[Law, int] = field(default_factory=dict)
    links: list[Laid] = field(default_factory=list)
    groups: list[Group] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.objects = {name: number for number, name in enumerate(self.points)}
        self.own = np.repeat(np.arange(len(self.points)), [len(rows) for rows in self.points.values()])

    def lay(self, push: Push, term: Term) -> None:
        """One term of a push more."""
        if len(term.carriers) > FEW:
            self.groups.append(self._group(push, term))
            return
        law = self.laws.setdefault(term.law, len(self.laws))
        for name in term.carriers or (None,):
            rows, affinity = push.rows, push.affinity[:, 0]
            if name is not None and name in self.points:  # nobody feels its own
                others = self.own[rows] != self.objects[name]
                rows, affinity = rows[others], affinity[others]
            self.links.append(Laid(rows, self._carrier(name), law, term.law, affinity))

    def links_one_by_one(self) -> tuple[Wires, tuple[Strands, ...]]:
        """All links one by one, those of each row in the order in which they were laid."""
        wires: list[Laid] = []
        strands: dict[tuple[float, float, float], list[Laid]] = {}
        for link in self.links:
            law = link.law
            alike = law.power, law.core, law.radius
            if law.is_central and (alike in strands or len(strands) < ALIKE):
                strands.setdefault(alike, []).append(link)
            else:
                wires.append(link)
        laws = np.array([law.row for law in self.laws]).reshape(len(self.laws), COLUMNS)
        made = []
        for alike, links in strands.items():
            counts = [len(link.rows) for link in links]
            rows = np.concatenate([link.rows for link in links])
            carriers = np.repeat([link.carrier for link in links], counts)
            strength = np.concatenate([link.law.strength * link.affinity for link in links])
            made.append(Strands.strung(rows, carriers, strength, *alike))
        return Wires(*self._in_rows(wires), laws), tuple(made)

    def _in_rows(self, links: Sequence[Laid]) -> tuple[Ints, Int32s, Int32s, Floats]:
        """Where the links of each row begin; of each its carrier, the number of its law, its affinity."""
        counts = [len(link.rows) for link in links]
        rows = np.concatenate([np.empty(0, np.int64), *(link.rows for link in links)])
        order = np.argsort(rows, kind="stable")
        firsts = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=self.total))]).astype(np.int64)
        numbers = np.array([(link.carrier, link.number) for link in links], dtype=np.int32).reshape(-1, 2)
        carriers, which = np.repeat(numbers, counts, axis=0)[order].T.copy()
        affinity = np.concatenate([np.empty(0), *(link.affinity for link in links)])
        return firsts, carriers, which, affinity[order]

    def _group(self, push: Push, term: Term) -> Group:
        carriers = np.array([self._carrier(name) for name in term.carriers], dtype=np.int64)
        theirs = np.array([self.objects.get(name, -1) for name in term.carriers], dtype=np.int64)
        near = term.law.middle == ORIGIN and 1 / TAME < term.law.radius < TAME
        rows = carriers if np.array_equal(carriers, push.rows) else push.rows  # then one sorting is enough
        laws, radius = np.array([term.law.row]), term.law.radius if near else np.inf
        mine = rows, self.own[rows], push.affinity[:, 0].copy()
        return Group(*mine, carriers, theirs, laws, radius, term.law.is_central)

    def _carrier(self, name: str | None) -> int:
        """The number of a carrier: the row of an object of one point, else behind all rows."""
        if name is not None and name in self.points and len(self.points[name]) == 1:
            return int(self.points[name][0])
        return self.total + self.others.setdefault(name, len(self.others))
