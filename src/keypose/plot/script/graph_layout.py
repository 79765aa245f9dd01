"""Where does each meeting of a script stand on paper? In columns from left to right, each right of all it comes after.

Ways that pass other columns get a place there too; then those in a column are put in an order in which few ways cross,
and level with their neighbours. A long row of columns goes on below, as lines of a text do.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from keypose.maths.arrays import Floats

Edge = tuple[int, int]

MOST = 8  # meetings in a column; more begin another one
SWEEPS = 12
APART, NEAR = 16.0, 9.0  # points between two boxes of a column, and between ways
ALLEY = 46.0  # points from column to column
TURN = 7.0  # points between ways that go on below


@dataclass(frozen=True, eq=False)
class Layout:
    """Boxes on paper [points], y downwards."""

    size: tuple[float, float]
    rows: int
    corner: Floats
    """(boxes, 2) upper left"""
    wide: Floats
    """(boxes,)"""
    ways: dict[Edge, list[Floats]]
    """From box to box, in pieces: level along a column, or across an alley (2, 2); around to the next row (6, 2)."""


def laid_out(parents: Sequence[Sequence[int]], sizes: Floats, widest: float) -> Layout:
    """Boxes of `sizes` (n, 2) [points], each right of its parents, in rows `widest` wide; wider where they are many."""
    graph = _Graph(parents, sizes)
    graph.sort()
    graph.level()
    while (layout := graph.on_paper(sizes, widest)).rows > 1 and layout.size[1] > layout.size[0]:
        widest *= 1.3
    return layout


class _Graph:
    """Boxes and stations of the ways between them, column by column; stations come after all boxes."""

    def __init__(self, parents: Sequence[Sequence[int]], sizes: Floats) -> None:
        self._column = _columns(parents)
        self._height = [*sizes[:, 1].tolist()]
        self._boxes = len(sizes)
        self._chains: dict[Edge, list[int]] = {}
        for child, above in enumerate(parents):
            for parent in above:
                self._chains[parent, child] = self._chain(parent, child)
        self._columns: list[list[int]] = [[] for _ in range(max(self._column, default=-1) + 1)]
        for one, column in enumerate(self._column):
            self._columns[column].append(one)
        self._before: list[list[int]] = [[] for _ in self._column]
        self._after: list[list[int]] = [[] for _ in self._column]
        for chain in self._chains.values():
            for one, other in pairwise(chain):
                self._after[one].append(other)
                self._before[other].append(one)
        self._y = np.zeros(len(self._column))

    def _chain(self, parent: int, child: int) -> list[int]:
        """A way from box to box, with a station in each column between."""
        first, last = len(self._column), self._column[child]
        self._column += range(self._column[parent] + 1, last)
        self._height += [0.0] * (len(self._column) - first)
        return [parent, *range(first, len(self._column)), child]

    def sort(self) -> None:
        """Order those of each column so that few ways cross: by where their neighbours are, to and fro."""
        best, fewest = [list(column) for column in self._columns], self._crossings()
        for sweep in range(SWEEPS):
            forwards = sweep % 2 == 0
            neighbours = self._before if forwards else self._after
            for column in self._columns if forwards else self._columns[::-1]:
                rank = {one: place for other in self._columns for place, one in enumerate(other)}
                now = {one: place for place, one in enumerate(column)}
                wanted = {
                    one: float(np.mean([rank[other] for other in neighbours[one]])) if neighbours[one] else now[one]
                    for one in column
                }
                column.sort(key=lambda one: (wanted[one], now[one]))
            if (crossings := self._crossings()) < fewest:
                best, fewest = [list(column) for column in self._columns], crossings
        self._columns = best

    def _crossings(self) -> int:
        found = 0
        for column, following in pairwise(self._columns):
            rank = {one: place for place, one in enumerate(following)}
            ends = [rank[other] for one in column for other in sorted(self._after[one], key=rank.__getitem__)]
            below = np.array(ends)
            found += sum(int((below[: place + 1] > end).sum()) for place, end in enumerate(ends))
        return found

    def level(self) -> None:
        """Let everybody be level with its neighbours, as near as its own column lets it."""
        for column in self._columns:
            self._y[column] = self._apart(column)
            self._y[column] -= self._y[column].mean() if column else 0.0
        for sweep in range(2 * SWEEPS):
            for column in self._columns if sweep % 2 == 0 else self._columns[::-1]:
                wanted = [self._wanted(one) for one in column]
                apart = self._apart(column)
                self._y[column] = _rising(np.array(wanted) - apart) + apart

    def _wanted(self, one: int) -> float:
        near = [*self._before[one], *self._after[one]]
        return float(self._y[near].mean()) if near else float(self._y[one])

    def _apart(self, column: list[int]) -> Floats:
        """Where those of a column are if they are as close as can be."""
        found, end, last = list[float](), 0.0, None
        for one in column:
            half, is_box = self._height[one] / 2, one < self._boxes
            gap = 0.0 if last is None else APART if is_box and last < self._boxes else NEAR
            found.append(end + gap + half)
            end, last = found[-1] + half, one
        return np.array(found)

    # ---- on paper ----------------------------------------------------------------------------------------------------

    def on_paper(self, sizes: Floats, widest: float) -> Layout:
        """All of it on paper: columns beside each other, rows of them below each other."""
        wide = [max([0.0, *(float(sizes[one, 0]) for one in column if one < self._boxes)]) for column in self._columns]
        rows = _rows(wide, widest)
        left, middle, row_of = np.zeros(len(wide)), np.zeros(len(self._y)), np.zeros(len(wide), np.int64)
        right, y, alleys = 0.0, 0.0, list[float]()
        for number, row in enumerate(rows):
            members = [one for column in row for one in self._columns[column]]
            half = np.array([self._height[one] / 2 for one in members])
            middle[members] = y + _closed_up(self._y[members], half)
            y = float((middle[members] + half).max())
            x = 0.0
            for column in row:
                left[column], row_of[column] = x, number
                x += wide[column] + ALLEY
            right = max(right, x - ALLEY)
            alleys.append(y + APART)
            y += 2 * APART + TURN * self._turns(row[-1]) if number + 1 < len(rows) else 0.0
        here = np.array(self._column, dtype=np.int64)
        size = np.array(wide)[here]
        corner = np.stack([left[here], middle - np.array(self._height) / 2], axis=-1)
        ways = self._ways(left, np.array(wide), middle, row_of, alleys)
        return Layout((right, y), len(rows), corner[: self._boxes], size[: self._boxes], ways)

    def _turns(self, column: int) -> int:
        """How many ways go on from a column to the next."""
        return sum(len(self._after[one]) for one in self._columns[column])

    def _ways(
        self, left: Floats, wide: Floats, y: Floats, row: NDArray[np.int64], alleys: list[float]
    ) -> dict[Edge, list[Floats]]:
        taken, found = [0] * len(alleys), dict[Edge, list[Floats]]()
        for edge, chain in self._chains.items():
            pieces = list[Floats]()
            for one, other in pairwise(chain):
                here, there = self._column[one], self._column[other]
                if one >= self._boxes and wide[here] > 0:
                    pieces.append(np.array([(left[here], y[one]), (left[here] + wide[here], y[one])]))
                start, end = (left[here] + wide[here], y[one]), (left[there], y[other])
                if row[here] == row[there]:
                    pieces.append(np.array([start, end]))
                    continue
                out = TURN * (1 + taken[row[here]] % 4)
                under = alleys[row[here]] + TURN * taken[row[here]]
                taken[row[here]] += 1
                around = [(start[0] + out, start[1]), (start[0] + out, under), (end[0] - out, under)]
                pieces.append(np.array([start, *around, (end[0] - out, end[1]), end]))
            found[edge] = pieces
        return found


def _columns(parents: Sequence[Sequence[int]]) -> list[int]:
    """Which column each box stands in: the first behind all its parents, unless that is full."""
    children: list[list[int]] = [[] for _ in parents]
    for child, above in enumerate(parents):
        for parent in above:
            children[parent].append(child)
    missing = [len(above) for above in parents]
    column, filled = [0] * len(parents), dict[int, int]()
    ready = [one for one, count in enumerate(missing) if count == 0]
    for one in ready:
        while filled.get(column[one], 0) >= MOST:
            column[one] += 1
        filled[column[one]] = filled.get(column[one], 0) + 1
        for child in children[one]:
            column[child] = max(column[child], column[one] + 1)
            missing[child] -= 1
            if missing[child] == 0:
                ready.append(child)
    for one in reversed(ready):  # who comes after nothing stands near to what comes after it
        if not parents[one] and children[one]:
            nearest = min(column[child] for child in children[one]) - 1
            free = [place for place in range(column[one] + 1, nearest + 1) if filled.get(place, 0) < MOST]
            if free:
                filled[column[one]] -= 1
                column[one] = free[-1]
                filled[free[-1]] = filled.get(free[-1], 0) + 1
    return column


def _rows(wide: Sequence[float], widest: float) -> list[list[int]]:
    """Which columns stand beside each other."""
    rows, room = list[list[int]](), -1.0
    for column, width in enumerate(wide):
        if room < width:
            rows.append([])
            room = widest
        rows[-1].append(column)
        room -= width + ALLEY
    return rows


def _closed_up(y: Floats, half: Floats) -> Floats:
    """The middles of what is so high above and below its own (n,), from 0 on, with no strip of nothing between."""
    order = np.argsort(y - half)
    moved, end, shift = np.empty_like(y), 0.0, -float((y - half).min())
    for one in order.tolist():
        shift = min(shift, end - float(y[one] - half[one]))
        moved[one] = y[one] + shift
        end = max(end, float(moved[one] + half[one]) + APART)
    return moved


def _rising(wanted: Floats) -> Floats:
    """The nearest values that never fall: those that do are pooled to their mean."""
    pools: list[tuple[float, int]] = []
    for value in wanted.tolist():
        mean, count = value, 1
        while pools and pools[-1][0] > mean:
            before, many = pools.pop()
            mean, count = (before * many + mean * count) / (many + count), count + many
        pools.append((mean, count))
    return np.array([mean for mean, count in pools for _ in range(count)])
