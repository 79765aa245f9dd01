"""Who is near, sorted by cell; and links one by one, many at once: the loops come to what plain arithmetic says."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from keypose.fields import Repeller
from keypose.fields.film_units import FILM_FRAME
from keypose.fields.kernels import link_forces, neighbour_grid
from keypose.fields.sensing import cell_grid, link_arrays
from keypose.fields.sensing.term_arrays import terms
from keypose.fields.splines.integrators import all_within
from keypose.maths import kernel_switch


def scattered(count, seed=1, wide=8.0):
    return np.random.default_rng(seed).uniform(-wide, wide, (count, 3))


def flock(count, radius=1.0):
    """Everybody pushes everybody within a radius."""
    rows, (term,) = np.arange(count), terms(Repeller(0.5).within(radius))
    affinity = np.linspace(0.2, 1.0, count)
    return link_arrays.GroupLinks(rows, rows, affinity, rows, rows, np.array([term.law.row]), radius, True)


def pushes(group, place):
    out = np.zeros_like(place)
    group.add(link_arrays.CarrierPoses(place, np.empty((0, 4)), len(place)), out)
    return out


# ---- cells -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("threads", ["1", "2", "3"])
def test_points_are_sorted_by_cell_and_stay_in_order_within_it_however_the_work_is_shared(monkeypatch, threads):
    monkeypatch.setattr(kernel_switch, "WORTH_A_THREAD", 1)
    monkeypatch.setenv("KEYPOSE_THREADS", threads)
    place, rows = scattered(700), np.random.default_rng(2).permutation(700)[:500]
    cut = cell_grid.build_cell_grid(place, rows, 1.0)
    made = cell_grid.sort_points(place, rows, rows + 7, cut)
    x, y, z = (
        np.floor(place[rows][:, cut.axes] * cut.inverse * (neighbour_grid.CELLS_PER_RADIUS_X, 1, 1)).astype(int)
        % cut.shape
    ).T
    cell = (z * cut.shape[1] + y) * cut.shape[0] + x
    order = np.argsort(cell, kind="stable")
    assert_array_equal(made.points[:3, :500].T, place[rows][order])
    assert_array_equal(made.points[3, :500], rows[order] + 7)
    assert_array_equal(made.slots[order], np.arange(500))
    assert_array_equal(np.diff(made.cell_starts), np.bincount(cell, minlength=cut.shape.prod()))


@given(st.integers(1, 3000), st.tuples(*[st.floats(0, 1e6)] * 3), st.floats(1e-3, 1e3))
@settings(max_examples=50, deadline=None)
def test_cells_are_not_many_more_than_those_in_them_and_those_around_one_are_all_different(count, wide, radius):
    shape = cell_grid.build_cell_grid(scattered(count) * wide, np.arange(count), radius).shape
    assert (shape >= (2 * neighbour_grid.CELLS_PER_RADIUS_X + 1, 3, 3)).all()
    assert (np.log2(shape) % 1 == 0).all()
    assert shape.prod() <= max(2 * neighbour_grid.CELLS_PER_RADIUS_X * count, 128)


def test_neighbours_lie_near_each_other_when_they_are_sorted():
    place = scattered(20_000, wide=10.0)
    cut = cell_grid.build_cell_grid(place, np.arange(len(place)), 1.0)
    made = cell_grid.sort_points(place, np.arange(len(place)), np.arange(len(place)), cut)
    away = np.linalg.norm(np.diff(made.points[:3, : len(place)].T, axis=0), axis=1)
    assert np.median(away) < 1.5 < 9 < np.median(np.linalg.norm(np.diff(place, axis=0), axis=1))


# ---- a group ---------------------------------------------------------------------------------------------------------


def test_a_flock_given_in_another_order_is_pushed_the_same_to_rounding_and_the_same_order_to_the_bit():
    place, shuffled = scattered(3000), np.random.default_rng(5).permutation(3000)
    group = flock(3000)
    once, again, other = pushes(group, place), pushes(group, place), pushes(group, place[shuffled])
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
def test_a_flock_of_any_shape_is_pushed_as_every_pair_of_it_says(wide, count, points, seed):
    place = np.random.default_rng(seed).uniform(-1, 1, (count, 3)) * wide
    rows, owner, (term,) = np.arange(count), np.arange(count) // points, terms(Repeller(0.5).within(1.0))
    group = link_arrays.GroupLinks(rows, owner, np.ones(count), rows, owner, np.array([term.law.row]), 1.0, True)
    d = place[:, None] - place
    distance = np.linalg.norm(d, axis=-1)
    is_felt = (distance <= 1.0) & (owner[:, None] != owner)
    pull = FILM_FRAME**2 * is_felt * 0.5 / np.maximum(distance, term.law.core) ** 3
    assert_allclose(pushes(group, place), (pull[..., None] * d).sum(axis=1), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("flat_axis", [0, 1, 2])
def test_the_layers_of_a_flat_flock_lie_behind_each_other_along_its_longest_side(flat_axis):
    place = scattered(2000) * np.roll((0.0, 1.0, 4.0), flat_axis)
    cut = cell_grid.build_cell_grid(place, np.arange(2000), 1.0)
    assert cut.axes.tolist() == np.argsort(np.ptp(place, axis=0))[[1, 0, 2]].tolist()


def test_how_a_large_flock_is_shared_out_does_not_change_a_bit(monkeypatch):
    place, found = scattered(5000), []
    monkeypatch.setattr(kernel_switch, "WORTH_A_THREAD", 1)
    for threads in ("1", "2", "7"):  # rows of cells are cut in the middle, and laid twice
        monkeypatch.setenv("KEYPOSE_THREADS", threads)
        found.append(pushes(flock(5000), place))
    assert_array_equal(found[0], found[1])
    assert_array_equal(found[0], found[2])


def test_somebody_far_beyond_all_cells_among_a_flock_changes_nobody_else():
    place = scattered(400)
    alone = pushes(flock(400), place)
    place[[7, 90, 91, 300]] += 1e30
    with_far = pushes(flock(400), place)
    left = np.linalg.norm(scattered(400)[:, None] - scattered(400)[[7, 90, 91, 300]], axis=-1).min(axis=1) > 1.0
    assert_array_equal(with_far[[7, 90, 91, 300]], np.zeros((4, 3)))
    assert_allclose(with_far[left], alone[left], rtol=1e-9, atol=1e-15)


# ---- links one by one ------------------------------------------------------------------------------------------------


def linked(place, degrees, power, radius, seed=3):
    """Strands with so many links of each row."""
    rng = np.random.default_rng(seed)
    rows = np.repeat(np.arange(len(place)), degrees)
    to = (rows + rng.integers(1, len(place), len(rows))) % len(place)
    return link_arrays.DenseLinks.from_links(rows, to, rng.normal(size=len(rows)), power, 0.25, radius)


@pytest.mark.parametrize("power", [3.0, 2.0, 2.5, 0.0])
@pytest.mark.parametrize("radius", [np.inf, 6.0])
@given(
    degrees=st.lists(
        st.sampled_from([0, 1, 10, link_forces.CHUNK_SIZE - 1, link_forces.CHUNK_SIZE, 700]), min_size=2, max_size=12
    )
)
@settings(max_examples=15, deadline=None)
def test_pulls_along_any_number_of_links_add_up(power, radius, degrees):
    place = scattered(len(degrees))
    links = linked(place, degrees, power, radius)
    d = place[links.carriers] - place[links.rows]
    distance = np.linalg.norm(d, axis=1)
    pull = np.where(distance <= radius, links.strength / np.maximum(distance, 0.25) ** power, 0.0)[:, None] * d
    defined, found = np.zeros_like(place), np.ones_like(place)
    np.add.at(defined, links.rows, pull)
    links.add(link_arrays.CarrierPoses(place, np.empty((0, 4)), len(place)), found)
    assert_allclose(found - 1, defined, rtol=1e-9, atol=1e-12)


def test_a_link_across_all_the_world_changes_no_bit_of_who_is_worked_out_beside_it():
    place = scattered(40)
    links = linked(place, np.full(40, 9), 3.0, np.inf)
    tame, wild = np.zeros((40, 3)), np.zeros((40, 3))
    links.add(link_arrays.CarrierPoses(place, np.empty((0, 4)), 40), tame)
    place[5, 0] = 1e98
    links.add(link_arrays.CarrierPoses(place, np.empty((0, 4)), 40), wild)
    beside = ~np.isin(np.arange(40), links.rows[links.carriers == 5]) & (np.arange(40) != 5)
    assert beside.sum() > 10
    assert_array_equal(wild[beside], tame[beside])
    assert np.isfinite(wild).all()


# ---- within all bounds -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("allowed", [True, False], ids=["compiled", "as defined"])
@pytest.mark.parametrize("count", [0, 1, 5000])
def test_one_number_beyond_a_bound_or_none_at_all_is_noticed_among_any_number_of_them(monkeypatch, allowed, count):
    monkeypatch.setattr(kernel_switch, "_allowed", allowed)
    monkeypatch.setattr(kernel_switch, "WORTH_A_THREAD", 1)
    values = np.full((count, 3), -2.0)
    assert all_within(values, 2.0)
    for wild in (-2.5, 2.5, np.inf, -np.inf, np.nan) if count else ():
        values[-1, 2] = wild
        assert not all_within(values, 2.0)
        assert all_within(values, np.finfo(float).max) == np.isfinite(wild)
