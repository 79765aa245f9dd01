"""A graph of meetings is laid out so that it reads from left to right, and nothing covers anything."""

from itertools import pairwise

import numpy as np
import pytest

from keypose.plot.script.graph_layout import MAX_PER_COLUMN, layout_boxes

SIZES = np.array([(90.0, 50.0), (70.0, 30.0), (120.0, 70.0)])


def random_graph(count, seed=1):
    """Meetings that each come after up to two of the last six."""
    random = np.random.default_rng(seed)
    parents = [
        sorted(set(random.integers(max(0, one - 6), one, size=random.integers(0, 3)).tolist())) if one else []
        for one in range(count)
    ]
    return parents, SIZES[np.arange(count) % 3]


def layout_bounds(layout, sizes):
    return np.concatenate([layout.corners, layout.corners + np.stack([layout.widths, sizes[:, 1]], axis=-1)], axis=1)


@pytest.mark.parametrize("count", [1, 3, 30, 100])
@pytest.mark.parametrize("seed", range(3))
def test_boxes_do_not_overlap_and_are_all_on_the_paper(count, seed):
    parents, sizes = random_graph(count, seed)
    layout = layout_boxes(parents, sizes, 1000.0)
    found = layout_bounds(layout, sizes)
    for one in range(count):
        apart = (found[:, :2] >= found[one, 2:]).any(axis=1) | (found[:, 2:] <= found[one, :2]).any(axis=1)
        assert apart[np.arange(count) != one].all()
    assert (found[:, :2] >= -1e-9).all()
    assert (found[:, 2:] <= np.array(layout.size) + 1e-9).all()


def test_child_is_right_of_its_parents():
    parents, sizes = random_graph(30)
    layout = layout_boxes(parents, sizes, np.inf)
    for child, above in enumerate(parents):
        for parent in above:
            assert layout.corners[child, 0] > layout.corners[parent, 0] + layout.widths[parent]


def test_routes_are_continuous_from_the_right_of_parent_to_the_left_of_child():
    parents, sizes = random_graph(40)
    layout = layout_boxes(parents, sizes, 800.0)
    assert set(layout.routes) == {(parent, child) for child, above in enumerate(parents) for parent in above}
    for (parent, child), pieces in layout.routes.items():
        first = layout.corners[parent] + (layout.widths[parent], sizes[parent, 1] / 2)
        assert pieces[0][0] == pytest.approx(first)
        assert pieces[-1][-1] == pytest.approx(layout.corners[child] + (0, sizes[child, 1] / 2))
        for one, other in pairwise(pieces):
            assert one[-1] == pytest.approx(other[0])


def test_unnecessary_crossings_are_avoided():
    layout = layout_boxes([[], [], [1], [0]], SIZES[[0, 0, 0, 0]], np.inf)
    tops = layout.corners[:, 1]
    assert (tops[0] < tops[1]) == (tops[3] < tops[2])


def test_chain_is_level():
    layout = layout_boxes([[], [0], [1]], SIZES, np.inf)
    assert layout.corners[:, 1] + SIZES[:, 1] / 2 == pytest.approx(np.full(3, 35.0))


def test_long_chain_wraps_into_rows():
    chain = [[], *([one] for one in range(29))]
    layout = layout_boxes(chain, SIZES[np.zeros(30, int)], 1000.0)
    assert layout.size[0] <= 1000
    assert layout.rows > 3
    assert len(set(layout.corners[:, 1].tolist())) == layout.rows


def test_many_roots_are_laid_out_in_several_columns():
    layout = layout_boxes([[]] * 30, SIZES[np.zeros(30, int)], 1000.0)
    _, counts = np.unique(layout.corners[:, 0], return_counts=True)
    assert counts.max() == MAX_PER_COLUMN


def test_root_is_placed_next_to_its_child():
    layout = layout_boxes([[], [0], [1], [2, 4], []], SIZES[np.zeros(5, int)], np.inf)
    assert layout.corners[4, 0] == layout.corners[2, 0]


def test_empty_graph_is_laid_out():
    layout = layout_boxes([], np.empty((0, 2)), 1000.0)
    assert layout.size == (0, 0)
    assert layout.routes == {}
