"""Who is near, sorted by cell; and links one by one, many at once: the loops come to what plain arithmetic says."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from keypose.fields import Repeller
from keypose.fields.film_units import FILM_FRAME
from keypose.fields.kernels import link_forces, neighbour_grid
from keypose.fields.kernels.records import CarrierPoses, GroupLinks
from keypose.fields.sensing import cell_grid, link_arrays
from keypose.fields.sensing.term_arrays import terms
from keypose.fields.splines.integrators import all_within
from keypose.maths import kernel_switch


def random_positions(count, seed=1, wide=8.0):
    return np.random.default_rng(seed).uniform(-wide, wide, (count, 3))


def repeller_group(count, radius=1.0):
    """Everybody pushes everybody within a radius."""
    rows, (term,) = np.arange(count), terms(Repeller(0.5).within(radius))
    affinity = np.linspace(0.2, 1.0, count)
    return GroupLinks(rows, rows, affinity, rows, rows, np.array([term.law.row]), radius, True)


def group_forces(group, place):
    out = np.zeros_like(place)
    link_arrays.add_group(group, CarrierPoses(place, np.empty((0, 4)), len(place)), out)
    return out


# ---- cells -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("threads", ["1", "2", "3"])
def test_points_are_sorted_stably_by_cell_for_any_thread_count(monkeypatch, threads):
    monkeypatch.setattr(kernel_switch, "WORTH_A_THREAD", 1)
    monkeypatch.setenv("KEYPOSE_THREADS", threads)
    place, rows = random_positions(700), np.random.default_rng(2).permutation(700)[:500]
    cut = cell_grid.build_cell_grid(place, rows, 1.0)
    result = cell_grid.sort_points(place, rows, rows + 7, cut)
    x, y, z = (
        np.floor(place[rows][:, cut.axes] * cut.inverse * (neighbour_grid.CELLS_PER_RADIUS_X, 1, 1)).astype(int)
        % cut.shape
    ).T
    cell = (z * cut.shape[1] + y) * cut.shape[0] + x
    order = np.argsort(cell, kind="stable")
    assert_array_equal(result.points[:3, :500].T, place[rows][order])
    assert_array_equal(result.points[3, :500], rows[order] + 7)
    assert_array_equal(result.slots[order], np.arange(500))
    assert_array_equal(np.diff(result.cell_starts), np.bincount(cell, minlength=cut.shape.prod()))


@given(st.integers(1, 3000), st.tuples(*[st.floats(0, 1e6)] * 3), st.floats(1e-3, 1e3))
@settings(max_examples=50, deadline=None)
def test_cell_count_is_bounded_and_neighbour_cells_are_distinct(count, wide, radius):
    shape = cell_grid.build_cell_grid(random_positions(count) * wide, np.arange(count), radius).shape
    assert (shape >= (2 * neighbour_grid.CELLS_PER_RADIUS_X + 1, 3, 3)).all()
    assert (np.log2(shape) % 1 == 0).all()
    assert shape.prod() <= max(2 * neighbour_grid.CELLS_PER_RADIUS_X * count, 128)


def test_sorted_neighbours_are_close_in_memory():
    place = random_positions(20_000, wide=10.0)
    cut = cell_grid.build_cell_grid(place, np.arange(len(place)), 1.0)
    result = cell_grid.sort_points(place, np.arange(len(place)), np.arange(len(place)), cut)
    away = np.linalg.norm(np.diff(result.points[:3, : len(place)].T, axis=0), axis=1)
    assert np.median(away) < 1.5 < 9 < np.median(np.linalg.norm(np.diff(place, axis=0), axis=1))


# ---- a group ---------------------------------------------------------------------------------------------------------


def test_group_forces_are_deterministic_and_order_changes_only_rounding():
    place, shuffled = random_positions(3000), np.random.default_rng(5).permutation(3000)
    group = repeller_group(3000)
    once, again, other = group_forces(group, place), group_forces(group, place), group_forces(group, place[shuffled])
    assert_array_equal(once, again)
    share = group.affinity[:, None]
    assert_allclose((other / share)[np.argsort(shuffled)], once / share, rtol=1e-9, atol=1e-15)


@given(
    wide=st.tuples(*[st.sampled_from([0.0, 0.4, 3.0, 9.0])] * 3),
    count=st.integers(17, 300),
    points=st.sampled_from([1, 5]),
    seed=st.integers(0, 99),
)
@settings(max_examples=60, deadline=None)
def test_group_forces_equal_the_sum_over_all_pairs(wide, count, points, seed):
    place = np.random.default_rng(seed).uniform(-1, 1, (count, 3)) * wide
    rows, owner, (term,) = np.arange(count), np.arange(count) // points, terms(Repeller(0.5).within(1.0))
    group = GroupLinks(rows, owner, np.ones(count), rows, owner, np.array([term.law.row]), 1.0, True)
    d = place[:, None] - place
    distance = np.linalg.norm(d, axis=-1)
    is_felt = (distance <= 1.0) & (owner[:, None] != owner)
    pull = FILM_FRAME**2 * is_felt * 0.5 / np.maximum(distance, term.law.core) ** 3
    assert_allclose(group_forces(group, place), (pull[..., None] * d).sum(axis=1), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("flat_axis", [0, 1, 2])
def test_axes_of_a_flat_group_are_ordered_by_extent(flat_axis):
    place = random_positions(2000) * np.roll((0.0, 1.0, 4.0), flat_axis)
    cut = cell_grid.build_cell_grid(place, np.arange(2000), 1.0)
    assert cut.axes.tolist() == np.argsort(np.ptp(place, axis=0))[[1, 0, 2]].tolist()


def test_thread_count_does_not_change_group_forces(monkeypatch):
    place, found = random_positions(5000), []
    monkeypatch.setattr(kernel_switch, "WORTH_A_THREAD", 1)
    for threads in ("1", "2", "7"):  # rows of cells are cut in the middle, and laid twice
        monkeypatch.setenv("KEYPOSE_THREADS", threads)
        found.append(group_forces(repeller_group(5000), place))
    assert_array_equal(found[0], found[1])
    assert_array_equal(found[0], found[2])


def test_members_far_outside_the_grid_do_not_affect_the_others():
    place = random_positions(400)
    alone = group_forces(repeller_group(400), place)
    place[[7, 90, 91, 300]] += 1e30
    with_far = group_forces(repeller_group(400), place)
    left = (
        np.linalg.norm(random_positions(400)[:, None] - random_positions(400)[[7, 90, 91, 300]], axis=-1).min(axis=1)
        > 1.0
    )
    assert_array_equal(with_far[[7, 90, 91, 300]], np.zeros((4, 3)))
    assert_allclose(with_far[left], alone[left], rtol=1e-9, atol=1e-15)


# ---- links one by one ------------------------------------------------------------------------------------------------


def random_links(place, degrees, power, radius, seed=3):
    """Strands with so many links of each row."""
    rng = np.random.default_rng(seed)
    rows = np.repeat(np.arange(len(place)), degrees)
    to = (rows + rng.integers(1, len(place), len(rows))) % len(place)
    return link_arrays.build_dense_links(rows, to, rng.normal(size=len(rows)), len(place), power, 0.25, radius)


@pytest.mark.parametrize("power", [3.0, 2.0, 2.5, 0.0])
@pytest.mark.parametrize("radius", [np.inf, 6.0])
@given(
    degrees=st.lists(
        st.sampled_from([0, 1, 10, link_forces.CHUNK_SIZE - 1, link_forces.CHUNK_SIZE, 700]), min_size=2, max_size=12
    )
)
@settings(max_examples=15, deadline=None)
def test_link_forces_add_up_for_any_number_of_links(power, radius, degrees):
    place = random_positions(len(degrees))
    links, rows = random_links(place, degrees, power, radius), np.repeat(np.arange(len(place)), degrees)
    d = place[links.carriers] - place[rows]
    distance = np.linalg.norm(d, axis=1)
    pull = np.where(distance <= radius, links.strength / np.maximum(distance, 0.25) ** power, 0.0)[:, None] * d
    defined, found = np.zeros_like(place), np.ones_like(place)
    np.add.at(defined, rows, pull)
    link_arrays.add_dense_links(links, CarrierPoses(place, np.empty((0, 4)), len(place)), found)
    assert_allclose(found - 1, defined, rtol=1e-9, atol=1e-12)


def test_extremely_long_link_does_not_change_other_rows():
    place = random_positions(40)
    links = random_links(place, np.full(40, 9), 3.0, np.inf)
    tame, wild = np.zeros((40, 3)), np.zeros((40, 3))
    link_arrays.add_dense_links(links, CarrierPoses(place, np.empty((0, 4)), 40), tame)
    place[5, 0] = 1e98
    link_arrays.add_dense_links(links, CarrierPoses(place, np.empty((0, 4)), 40), wild)
    beside = ~np.isin(np.arange(40), np.repeat(np.arange(40), 9)[links.carriers == 5]) & (np.arange(40) != 5)
    assert beside.sum() > 10
    assert_array_equal(wild[beside], tame[beside])
    assert np.isfinite(wild).all()


# ---- within all bounds -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("allowed", [True, False], ids=["compiled", "as defined"])
@pytest.mark.parametrize("count", [0, 1, 5000])
def test_single_value_out_of_bounds_or_nan_is_detected(monkeypatch, allowed, count):
    monkeypatch.setattr(kernel_switch, "allowed", allowed)
    monkeypatch.setattr(kernel_switch, "WORTH_A_THREAD", 1)
    values = np.full((count, 3), -2.0)
    assert all_within(values, 2.0)
    for wild in (-2.5, 2.5, np.inf, -np.inf, np.nan) if count else ():
        values[-1, 2] = wild
        assert not all_within(values, 2.0)
        assert all_within(values, np.finfo(float).max) == np.isfinite(wild)
