"""Who pushes as a spring, and how hard? The compiled loops do as the readable rules say."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from keypose import Body, Box
from keypose.maths import quaternion
from keypose.physics.engine.body_arrays import BodyArrays
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
        self.body_of_geom = rng.permutation(BODY_COUNT)
        geom_of, pairs = np.argsort(self.body_of_geom), set[tuple[int, int]]()
        for _ in range(rng.integers(0, 9)):
            pairs.add(tuple(sorted((int(rng.integers(MOVABLE_BODIES)), int(rng.integers(BODY_COUNT))))))
        pair_list = [pair for pair in sorted(pairs) if pair[0] != pair[1] for _ in range(rng.integers(1, 4))]
        self.contact_pairs = np.array(pair_list, np.int64).reshape(-1, 2)
        self.geoms = geom_of[self.contact_pairs]
        self.count = len(self.contact_pairs)
        damping_ratios = {
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
        self.solref = np.array([(0.05, damping_ratios[pair]) for pair in pair_list]).reshape(-1, 2)
        self.distances = rng.choice([-0.01, 0.0, 0.0], self.count)
        self.solimp = np.full((self.count, 5), IMPEDANCE)


@seeds
@given(st.integers(0, 10_000))
def test_spring_contact_kernel_equals_the_reference(seed):
    contacts = RandomContacts(seed)
    is_spring = find_spring_contacts(
        contacts.contact_pairs, MOVABLE_BODIES, contacts.distances, SHALLOW, contacts.solref[:, 1]
    )
    solref = contacts.solref.copy()
    assert (
        set_spring_contacts(
            contacts.geoms, contacts.body_of_geom, MOVABLE_BODIES, contacts.distances, SHALLOW, solref, contacts.solimp
        )
        == is_spring.any()
    )
    assert_array_equal(
        contacts.solimp[:, :2], np.where(is_spring, SPRING_IMPEDANCE, IMPEDANCE)[:, None].repeat(2, axis=1)
    )
    assert_array_equal(contacts.solimp[:, 2:], IMPEDANCE)
    assert_array_equal(solref, contacts.solref)


@pytest.mark.parametrize(
    "damping_ratio", [LOSSLESS_DAMPING_RATIO / 2, SPRING_DAMPING_RATIO / 2, 2 * SPRING_DAMPING_RATIO]
)
@pytest.mark.parametrize("count", [1, 2, 4])
def test_contact_row_becomes_springs_and_a_lossy_single_contact_does_not(damping_ratio, count):
    contact_pairs = np.stack([np.arange(count), np.arange(count) + 1], axis=1)
    distances = np.where(np.arange(count) == 0, -0.01, 0.0)
    is_spring = find_spring_contacts(contact_pairs, count + 1, distances, SHALLOW, np.full(count, damping_ratio))
    assert_array_equal(
        is_spring, damping_ratio <= SPRING_DAMPING_RATIO and (count > 1 or damping_ratio <= LOSSLESS_DAMPING_RATIO)
    )


def test_still_body_does_not_propagate_spring_contacts():
    floor, contact_pairs = 3, np.array([[0, 3], [0, 1], [2, 3]])
    is_spring = find_spring_contacts(
        contact_pairs, floor, np.array([-0.01, 0.0, 0.0]), SHALLOW, np.full(3, SPRING_DAMPING_RATIO / 2)
    )
    assert is_spring.tolist() == [True, True, False]


def random_bodies(rng, count):
    """Bricks anywhere: their places, masses and inertias, and how the axes of those stand in them."""
    poses = np.concatenate([rng.normal(size=(count, 3)), quaternion.normalize(rng.normal(size=(count, 4)))], axis=1)
    return (
        poses,
        rng.uniform(0.1, 5, count),
        rng.uniform(0.1, 2, (count, 3)),
        quaternion.normalize(rng.normal(size=(count, 4))),
    )


@seeds
@given(st.integers(0, 10_000))
def test_spring_softening_kernel_equals_the_reference(seed):
    contacts = RandomContacts(seed)
    poses, mass, inertia, axes = random_bodies(contacts.rng, MOVABLE_BODIES)
    points, frames = contacts.rng.normal(size=(contacts.count, 3)), contacts.rng.normal(size=(contacts.count, 9))
    frames[:, :3] /= np.linalg.norm(frames[:, :3], axis=1)[:, None]
    contacts.solimp[: contacts.count // 2, :2] = SPRING_IMPEDANCE
    solref = contacts.solref.copy()
    velocities, payload = np.zeros((len(poses), 6)), np.tile([0.0, 1.0], (len(poses), 1))
    soften_springs(
        contacts.geoms,
        contacts.body_of_geom,
        BodyArrays(poses, velocities, mass, inertia, axes, payload),
        points,
        frames,
        solimp=contacts.solimp,
        solref=solref,
    )
    for contact in range(contacts.count):
        moving_bodies = [body for body in contacts.contact_pairs[contact] if body < MOVABLE_BODIES]
        point_and_direction = points[contact], frames[contact, :3]
        inverse_mass = sum(
            inverse_effective_mass(poses[body], mass[body], inertia[body], axes[body], *point_and_direction)
            for body in moving_bodies
        )
        expected = soften_spring(contacts.solref[contact], inverse_mass, sum(1 / mass[body] for body in moving_bodies))
        assert_allclose(
            solref[contact], expected if contact < contacts.count // 2 else contacts.solref[contact], rtol=1e-12
        )


def test_inverse_effective_mass_is_larger_off_centre():
    pose, axes = np.array([1.0, 2, 3, 1, 0, 0, 0]), np.array([1.0, 0, 0, 0])
    body = pose, 2.0, np.array([0.5, 0.5, 0.5]), axes
    direction = np.array([0.0, 1, 0])
    assert inverse_effective_mass(*body, pose[:3] + direction, direction) == 0.5
    assert inverse_effective_mass(*body, pose[:3] + direction + [0.5, 0, 0], direction) == 0.5 + 0.5**2 / 0.5
    assert_allclose(soften_spring(np.array([0.05, 0.1]), 1.0, 0.5), [0.1, 0.1 / np.sqrt(2)])


def test_spring_softening_of_free_bodies_equals_that_of_jointed_bodies():
    body, orientation = Body(Box((0.6, 0.2, 0.4)), bounce=1.0), quaternion.exp(np.array([0.3, 0.2, 0.1]))
    body_specs = [
        BodySpec("one", body, (0, 0, 0), (1, 0, 0, 0)),
        BodySpec("two", body, (0.2, 0.2, 0.1), tuple(orientation)),
    ]
    engine = Engine(body_specs, (0, 0, 0), STEP)
    free_solref = engine._data.contact.solref.copy()
    assert (engine._data.contact.solimp[:, 0] == SPRING_IMPEDANCE).any()
    engine._needs_readout = True
    engine.forward()
    assert_allclose(engine._data.contact.solref, free_solref, rtol=1e-9)
    assert free_solref[0, 0] > 1.5 * engine._model.geom_solref[0, 0], "off their middles they give way more"


@seeds
@given(st.integers(0, 10_000))
def test_frozen_contact_kernel_equals_the_reference(seed):
    contacts = RandomContacts(seed)
    frozen_contacts = np.empty((0, 3))
    for step in (2 * STEP, STEP / 2):
        deep_pairs = contacts.contact_pairs[contacts.rng.uniform(size=contacts.count) < 0.3]
        frozen_contacts = add_frozen_contacts(frozen_contacts, deep_pairs[:, ::-1], step)
    solref = contacts.solref.copy()
    set_frozen_solref(contacts.geoms, contacts.body_of_geom, frozen_contacts, STEP, solref)
    assert_allclose(solref, frozen_solref(contacts.solref, contacts.contact_pairs, frozen_contacts, STEP), rtol=1e-12)


def test_frozen_contact_keeps_the_softness_of_its_longer_step():
    solref, contact_pairs = np.array([[0.05, 0.1], [0.05, 0.1], [0.05, 0.1]]), np.array([[1, 0], [1, 2], [0, 2]])
    frozen_contacts = np.array([[0, 1, 4 * STEP], [0, 2, STEP / 4]])
    assert_allclose(frozen_solref(solref, contact_pairs, frozen_contacts, STEP), [[0.2, 0.1], [0.05, 0.1], [0.05, 0.1]])
