"""Where does each meeting of a script stand on paper? In columns from left to right, each right of all it comes after.

Ways that pass other columns get a place there too; then those in a column are put in an order in which few ways cross,
and level with their neighbours. A long row of columns goes on below, as lines of a text do.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from keypose.maths import Floats, Ints

Edge = tuple[int, int]

MAX_PER_COLUMN = 8  # meetings in a column; more begin another one
SWEEPS = 12
BOX_GAP, ROUTE_GAP = 16.0, 9.0  # points between two boxes of a column, and between ways
COLUMN_GAP = 46.0  # points from column to column
WRAP_GAP = 7.0  # points between ways that go on below


@dataclass(frozen=True, eq=False)
class Layout:
    """Boxes on paper [points], y downwards."""

    size: tuple[float, float]
    rows: int
    corners: Floats
    """(boxes, 2) upper left"""
    widths: Floats
    """(boxes,)"""
    routes: dict[Edge, list[Floats]]
    """From box to box, in pieces: level along a column, or across an alley (2, 2); around to the next row (6, 2)."""


def layout_boxes(parents: Sequence[Sequence[int]], sizes: Floats, max_width: float) -> Layout:
    """Boxes of `sizes` (n, 2) [points], each right of its parents, in rows `max_width` wide or more."""
    graph = _LayeredGraph(parents, sizes)
    graph.order_columns()
    graph.align_nodes()
    while (layout := graph.build_layout(sizes, max_width)).rows > 1 and layout.size[1] > layout.size[0]:
        max_width *= 1.3
    return layout


class _LayeredGraph:
    """Boxes and stations of the ways between them, column by column; stations come after all boxes."""

    def __init__(self, parents: Sequence[Sequence[int]], sizes: Floats) -> None:
        self._column_of = _assign_columns(parents)
        self._heights = [*sizes[:, 1].tolist()]
        self._box_count = len(sizes)
        self._chains: dict[Edge, list[int]] = {}
        for child, child_parents in enumerate(parents):
            for parent in child_parents:
                self._chains[parent, child] = self._add_chain(parent, child)
        self._columns: list[list[int]] = [[] for _ in range(max(self._column_of, default=-1) + 1)]
        for node, column in enumerate(self._column_of):
            self._columns[column].append(node)
        self._predecessors: list[list[int]] = [[] for _ in self._column_of]
        self._successors: list[list[int]] = [[] for _ in self._column_of]
        for chain in self._chains.values():
            for node, next_node in pairwise(chain):
                self._successors[node].append(next_node)
                self._predecessors[next_node].append(node)
        self._y = np.zeros(len(self._column_of))

    def _add_chain(self, parent: int, child: int) -> list[int]:
        """A way from box to box, with a station in each column between."""
        first, last = len(self._column_of), self._column_of[child]
        self._column_of += range(self._column_of[parent] + 1, last)
        self._heights += [0.0] * (len(self._column_of) - first)
        return [parent, *range(first, len(self._column_of)), child]

    def order_columns(self) -> None:
        """Order those of each column so that few ways cross: by where their neighbours are, to and fro."""
        best, fewest = [list(column) for column in self._columns], self._count_crossings()
        for sweep in range(SWEEPS):
            forwards = sweep % 2 == 0
            neighbours = self._predecessors if forwards else self._successors
            for column in self._columns if forwards else self._columns[::-1]:
                rank = {node: position for neighbor in self._columns for position, node in enumerate(neighbor)}
                current_rank = {node: position for position, node in enumerate(column)}
                preferred = {
                    node: float(np.mean([rank[neighbor] for neighbor in neighbours[node]]))
                    if neighbours[node]
                    else current_rank[node]
                    for node in column
                }
                column.sort(key=lambda node: (preferred[node], current_rank[node]))
            if (crossings := self._count_crossings()) < fewest:
                best, fewest = [list(column) for column in self._columns], crossings
        self._columns = best

    def _count_crossings(self) -> int:
        crossings = 0
        for column, next_column in pairwise(self._columns):
            rank = {node: position for position, node in enumerate(next_column)}
            ends = [
                rank[neighbor] for node in column for neighbor in sorted(self._successors[node], key=rank.__getitem__)
            ]
            end_ranks = np.array(ends)
            crossings += sum(int((end_ranks[: position + 1] > end).sum()) for position, end in enumerate(ends))
        return crossings

    def align_nodes(self) -> None:
        """Let everybody be level with its neighbours, as near as its own column lets it."""
        for column in self._columns:
            self._y[column] = self._packed_y(column)
            self._y[column] -= self._y[column].mean() if column else 0.0
        for sweep in range(2 * SWEEPS):
            for column in self._columns if sweep % 2 == 0 else self._columns[::-1]:
                preferred = [self._preferred_y(node) for node in column]
                packed = self._packed_y(column)
                self._y[column] = _isotonic_fit(np.array(preferred) - packed) + packed

    def _preferred_y(self, node: int) -> float:
        neighbors = [*self._predecessors[node], *self._successors[node]]
        return float(self._y[neighbors].mean()) if neighbors else float(self._y[node])

    def _packed_y(self, column: list[int]) -> Floats:
        """Where those of a column are if they are as close as can be."""
        middles, end, previous = list[float](), 0.0, None
        for node in column:
            half, is_box = self._heights[node] / 2, node < self._box_count
            gap = 0.0 if previous is None else BOX_GAP if is_box and previous < self._box_count else ROUTE_GAP
            middles.append(end + gap + half)
            end, previous = middles[-1] + half, node
        return np.array(middles)

    # ---- on paper ----------------------------------------------------------------------------------------------------

    def build_layout(self, sizes: Floats, max_width: float) -> Layout:
        """All of it on paper: columns beside each other, rows of them below each other."""
        column_widths = [
            max([0.0, *(float(sizes[node, 0]) for node in column if node < self._box_count)])
            for column in self._columns
        ]
        rows = _wrap_columns(column_widths, max_width)
        left, middle, row_of = (
            np.zeros(len(column_widths)),
            np.zeros(len(self._y)),
            np.zeros(len(column_widths), np.int64),
        )
        right, y, lane_y = 0.0, 0.0, list[float]()
        for number, row in enumerate(rows):
            nodes = [node for column in row for node in self._columns[column]]
            half = np.array([self._heights[node] / 2 for node in nodes])
            middle[nodes] = y + _remove_gaps(self._y[nodes], half)
            y = float((middle[nodes] + half).max())
            x = 0.0
            for column in row:
                left[column], row_of[column] = x, number
                x += column_widths[column] + COLUMN_GAP
            right = max(right, x - COLUMN_GAP)
            lane_y.append(y + BOX_GAP)
            y += 2 * BOX_GAP + WRAP_GAP * self._outgoing_count(row[-1]) if number + 1 < len(rows) else 0.0
        columns = np.array(self._column_of, dtype=np.int64)
        box_widths = np.array(column_widths)[columns]
        corner = np.stack([left[columns], middle - np.array(self._heights) / 2], axis=-1)
        routes = self._build_routes(left, np.array(column_widths), middle, row_of, lane_y)
        return Layout((right, y), len(rows), corner[: self._box_count], box_widths[: self._box_count], routes)

    def _outgoing_count(self, column: int) -> int:
        """How many ways go on from a column to the next."""
        return sum(len(self._successors[node]) for node in self._columns[column])

    def _build_routes(
        self, left: Floats, column_widths: Floats, y: Floats, row: Ints, lane_y: list[float]
    ) -> dict[Edge, list[Floats]]:
        lane_counts, routes = [0] * len(lane_y), dict[Edge, list[Floats]]()
        for edge, chain in self._chains.items():
            pieces = list[Floats]()
            for node, next_node in pairwise(chain):
                here, there = self._column_of[node], self._column_of[next_node]
                if node >= self._box_count and column_widths[here] > 0:
                    pieces.append(np.array([(left[here], y[node]), (left[here] + column_widths[here], y[node])]))
                start, end = (left[here] + column_widths[here], y[node]), (left[there], y[next_node])
                if row[here] == row[there]:
                    pieces.append(np.array([start, end]))
                    continue
                overhang = WRAP_GAP * (1 + lane_counts[row[here]] % 4)
                lane_height = lane_y[row[here]] + WRAP_GAP * lane_counts[row[here]]
                lane_counts[row[here]] += 1
                bend_points = [
                    (start[0] + overhang, start[1]),
                    (start[0] + overhang, lane_height),
                    (end[0] - overhang, lane_height),
                ]
                pieces.append(np.array([start, *bend_points, (end[0] - overhang, end[1]), end]))
            routes[edge] = pieces
        return routes


def _assign_columns(parents: Sequence[Sequence[int]]) -> list[int]:
    """Which column each box stands in: the first behind all its parents, unless that is full."""
    children: list[list[int]] = [[] for _ in parents]
    for child, node_parents in enumerate(parents):
        for parent in node_parents:
            children[parent].append(child)
    pending_parents = [len(node_parents) for node_parents in parents]
    column, column_counts = [0] * len(parents), dict[int, int]()
    ready = [node for node, count in enumerate(pending_parents) if count == 0]
    for node in ready:
        while column_counts.get(column[node], 0) >= MAX_PER_COLUMN:
            column[node] += 1
        column_counts[column[node]] = column_counts.get(column[node], 0) + 1
        for child in children[node]:
            column[child] = max(column[child], column[node] + 1)
            pending_parents[child] -= 1
            if pending_parents[child] == 0:
                ready.append(child)
    for node in reversed(ready):  # who comes after nothing stands near to what comes after it
        if not parents[node] and children[node]:
            nearest = min(column[child] for child in children[node]) - 1
            free = [
                position
                for position in range(column[node] + 1, nearest + 1)
                if column_counts.get(position, 0) < MAX_PER_COLUMN
            ]
            if free:
                column_counts[column[node]] -= 1
                column[node] = free[-1]
                column_counts[free[-1]] = column_counts.get(free[-1], 0) + 1
    return column


def _wrap_columns(column_widths: Sequence[float], max_width: float) -> list[list[int]]:
    """Which columns stand beside each other."""
    rows, space_left = list[list[int]](), -1.0
    for column, width in enumerate(column_widths):
        if space_left < width:
            rows.append([])
            space_left = max_width
        rows[-1].append(column)
        space_left -= width + COLUMN_GAP
    return rows


def _remove_gaps(y: Floats, half: Floats) -> Floats:
    """The middles of what is so high above and below its own (n,), from 0 on, with no strip of nothing between."""
    order = np.argsort(y - half)
    shifted, end, shift = np.empty_like(y), 0.0, -float((y - half).min())
    for node in order.tolist():
        shift = min(shift, end - float(y[node] - half[node]))
        shifted[node] = y[node] + shift
        end = max(end, float(shifted[node] + half[node]) + BOX_GAP)
    return shifted


def _isotonic_fit(values: Floats) -> Floats:
    """The nearest values that never fall: those that do are pooled to their mean."""
    pools: list[tuple[float, int]] = []
    for value in values.tolist():
        mean, count = value, 1
        while pools and pools[-1][0] > mean:
            previous_mean, previous_count = pools.pop()
            mean, count = (
                (previous_mean * previous_count + mean * count) / (previous_count + count),
                count + previous_count,
            )
        pools.append((mean, count))
    return np.array([mean for mean, count in pools for _ in range(count)])
