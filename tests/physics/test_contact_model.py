"""Who pushes as a spring, and how hard? The compiled loops do as the readable rules say."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from keypose import Body, Box
from keypose.maths import quaternion
from keypose.physics.engine.contact_model import (
    LOSSLESS_DAMPING_RATIO,
    SPRING_DAMPING_RATIO,
    SPRING_IMPEDANCE,
    add_frozen_contacts,
    find_spring_contacts,
    frozen_solref,
    inverse_effective_mass,
    soften_spring,
)
from keypose.physics.engine.engine import Engine
from keypose.physics.engine.kernels import set_frozen_solref, set_spring_contacts, soften_springs
from keypose.physics.engine.model_spec import BodySpec

SHALLOW, STEP, IMPEDANCE = 0.001, 0.002, 0.9
MOVABLE_BODIES, BODY_COUNT = 6, 8
seeds = settings(deadline=None, max_examples=150)


class RandomContacts:
    """Some contacts, one to three of each pair after each other, as MuJoCo has them; the last two solids stand still.

    Some are pressed together and some only lie there, some bounce for ever, others nearly or not at all.
    """

    def __init__(self, seed):
        self.rng = rng = np.random.default_rng(seed)
        self.solid_of = rng.permutation(BODY_COUNT)
        geom_of, pairs = np.argsort(self.solid_of), set[tuple[int, int]]()
        for _ in range(rng.integers(0, 9)):
            pairs.add(tuple(sorted((int(rng.integers(MOVABLE_BODIES)), int(rng.integers(BODY_COUNT))))))
        solids = [pair for pair in sorted(pairs) if pair[0] != pair[1] for _ in range(rng.integers(1, 4))]
        self.solids = np.array(solids, np.int64).reshape(-1, 2)
        self.geoms = geom_of[self.solids]
        self.count = len(self.solids)
        zeta = {
            pair: rng.choice(
                [
                    LOSSLESS_DAMPING_RATIO / 2,
                    SPRING_DAMPING_RATIO / 2,
                    SPRING_DAMPING_RATIO / 2,
                    2 * SPRING_DAMPING_RATIO,
                ]
            )
            for pair in sorted(pairs)
        }
        self.hard = np.array([(0.05, zeta[pair]) for pair in solids]).reshape(-1, 2)
        self.apart = rng.choice([-0.01, 0.0, 0.0], self.count)
        self.does = np.full((self.count, 5), IMPEDANCE)


@seeds
@given(st.integers(0, 10_000))
def test_spring_contact_kernel_equals_the_reference(seed):
    made = RandomContacts(seed)
    springs = find_spring_contacts(made.solids, MOVABLE_BODIES, made.apart, SHALLOW, made.hard[:, 1])
    hard = made.hard.copy()
    assert (
        set_spring_contacts(made.geoms, made.solid_of, MOVABLE_BODIES, made.apart, SHALLOW, hard, made.does)
        == springs.any()
    )
    assert_array_equal(made.does[:, :2], np.where(springs, SPRING_IMPEDANCE, IMPEDANCE)[:, None].repeat(2, axis=1))
    assert_array_equal(made.does[:, 2:], IMPEDANCE)
    assert_array_equal(hard, made.hard)


@pytest.mark.parametrize("zeta", [LOSSLESS_DAMPING_RATIO / 2, SPRING_DAMPING_RATIO / 2, 2 * SPRING_DAMPING_RATIO])
@pytest.mark.parametrize("count", [1, 2, 4])
def test_contact_row_becomes_springs_and_a_lossy_single_contact_does_not(zeta, count):
    row = np.stack([np.arange(count), np.arange(count) + 1], axis=1)
    apart = np.where(np.arange(count) == 0, -0.01, 0.0)
    found = find_spring_contacts(row, count + 1, apart, SHALLOW, np.full(count, zeta))
    assert_array_equal(found, zeta <= SPRING_DAMPING_RATIO and (count > 1 or zeta <= LOSSLESS_DAMPING_RATIO))


def test_still_body_does_not_propagate_spring_contacts():
    floor, rows = 3, np.array([[0, 3], [0, 1], [2, 3]])
    found = find_spring_contacts(
        rows, floor, np.array([-0.01, 0.0, 0.0]), SHALLOW, np.full(3, SPRING_DAMPING_RATIO / 2)
    )
    assert found.tolist() == [True, True, False]


def random_bodies(rng, count):
    """Bricks anywhere: their places, masses and inertias, and how the axes of those stand in them."""
    place = np.concatenate([rng.normal(size=(count, 3)), quaternion.normalize(rng.normal(size=(count, 4)))], axis=1)
    return (
        place,
        rng.uniform(0.1, 5, count),
        rng.uniform(0.1, 2, (count, 3)),
        quaternion.normalize(rng.normal(size=(count, 4))),
    )


@seeds
@given(st.integers(0, 10_000))
def test_spring_softening_kernel_equals_the_reference(seed):
    made = RandomContacts(seed)
    place, mass, inertia, axes = random_bodies(made.rng, MOVABLE_BODIES)
    points, frames = made.rng.normal(size=(made.count, 3)), made.rng.normal(size=(made.count, 9))
    frames[:, :3] /= np.linalg.norm(frames[:, :3], axis=1)[:, None]
    made.does[: made.count // 2, :2] = SPRING_IMPEDANCE
    hard = made.hard.copy()
    soften_springs(made.geoms, made.solid_of, place, mass, inertia, axes, points, frames, solimp=made.does, solref=hard)
    for number in range(made.count):
        moving = [row for row in made.solids[number] if row < MOVABLE_BODIES]
        known = points[number], frames[number, :3]
        gives = sum(inverse_effective_mass(place[row], mass[row], inertia[row], axes[row], *known) for row in moving)
        expected = soften_spring(made.hard[number], gives, sum(1 / mass[row] for row in moving))
        assert_allclose(hard[number], expected if number < made.count // 2 else made.hard[number], rtol=1e-12)


def test_inverse_effective_mass_is_larger_off_centre():
    place, axes = np.array([1.0, 2, 3, 1, 0, 0, 0]), np.array([1.0, 0, 0, 0])
    body = place, 2.0, np.array([0.5, 0.5, 0.5]), axes
    along = np.array([0.0, 1, 0])
    assert inverse_effective_mass(*body, place[:3] + along, along) == 0.5
    assert inverse_effective_mass(*body, place[:3] + along + [0.5, 0, 0], along) == 0.5 + 0.5**2 / 0.5
    assert_allclose(soften_spring(np.array([0.05, 0.1]), 1.0, 0.5), [0.1, 0.1 / np.sqrt(2)])


def test_spring_softening_of_free_bodies_equals_that_of_jointed_bodies():
    bouncy, aside = Body(Box((0.6, 0.2, 0.4)), bounce=1.0), quaternion.exp(np.array([0.3, 0.2, 0.1]))
    solids = [BodySpec("one", bouncy, (0, 0, 0), (1, 0, 0, 0)), BodySpec("two", bouncy, (0.2, 0.2, 0.1), tuple(aside))]
    engine = Engine(solids, (0, 0, 0), STEP)
    free = engine._data.contact.solref.copy()
    assert (engine._data.contact.solimp[:, 0] == SPRING_IMPEDANCE).any()
    engine._needs_readout = True
    engine.forward()
    assert_allclose(engine._data.contact.solref, free, rtol=1e-9)
    assert free[0, 0] > 1.5 * engine._model.geom_solref[0, 0], "off their middles they give way more"


@seeds
@given(st.integers(0, 10_000))
def test_frozen_contact_kernel_equals_the_reference(seed):
    made = RandomContacts(seed)
    known = np.empty((0, 3))
    for step in (2 * STEP, STEP / 2):
        deep = made.solids[made.rng.uniform(size=made.count) < 0.3]
        known = add_frozen_contacts(known, deep[:, ::-1], step)
    hard = made.hard.copy()
    set_frozen_solref(made.geoms, made.solid_of, known, STEP, hard)
    assert_allclose(hard, frozen_solref(made.hard, made.solids, known, STEP), rtol=1e-12)


def test_frozen_contact_keeps_the_softness_of_its_longer_step():
    hard, pairs = np.array([[0.05, 0.1], [0.05, 0.1], [0.05, 0.1]]), np.array([[1, 0], [1, 2], [0, 2]])
    known = np.array([[0, 1, 4 * STEP], [0, 2, STEP / 4]])
    assert_allclose(frozen_solref(hard, pairs, known, STEP), [[0.2, 0.1], [0.05, 0.1], [0.05, 0.1]])
