"""Who pushes as a spring, and how hard? The compiled loops do as the readable rules say."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from keypose import Body, Box
from keypose.maths import quaternion
from keypose.physics.engine.body_arrays import BodyArrays
from keypose.physics.engine.contact_model import contact_model, frozen_contacts, kernels, spring_contacts
from keypose.physics.engine.contact_model.frozen_contacts import add_frozen_contacts, frozen_solref
from keypose.physics.engine.contact_model.spring_contacts import (
    LOSSLESS_DAMPING_RATIO,
    SPRING_DAMPING_RATIO,
    SPRING_IMPEDANCE,
    find_spring_contacts,
    inverse_effective_mass,
    soften_spring,
)
from keypose.physics.engine.engine import Engine
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
    contacts, results = RandomContacts(seed), []
    for module in (kernels, spring_contacts):
        solref, solimp = contacts.solref.copy(), contacts.solimp.copy()
        arguments = contacts.geoms, contacts.body_of_geom, MOVABLE_BODIES, contacts.distances, SHALLOW, solref, solimp
        results.append((module.set_spring_contacts(*arguments), solimp))
        assert_array_equal(solref, contacts.solref)
    assert results[0][0] == results[1][0]
    assert_array_equal(results[0][1], results[1][1])
    assert_array_equal(results[0][1][:, 2:], IMPEDANCE)


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
    velocities, payload = np.zeros((len(poses), 6)), np.tile([0.0, 1.0], (len(poses), 1))
    bodies, results = BodyArrays(poses, velocities, mass, inertia, axes, payload), []
    for module in (kernels, spring_contacts):
        results.append(contacts.solref.copy())
        module.soften_springs(
            contacts.geoms, contacts.body_of_geom, bodies, points, frames, contacts.solimp, results[-1]
        )
    assert_allclose(results[0], results[1], rtol=1e-12)
    assert_array_equal(results[0][contacts.count // 2 :], contacts.solref[contacts.count // 2 :])


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
    engine._contact_model._joint_space = engine.joint_space  # as if they were links
    engine.forward()
    assert_allclose(engine._data.contact.solref, free_solref, rtol=1e-9)
    assert free_solref[0, 0] > 1.5 * engine._model.geom_solref[0, 0], "off their middles they give way more"


@seeds
@given(st.integers(0, 10_000))
def test_frozen_contact_kernel_equals_the_reference(seed):
    contacts, frozen, results = RandomContacts(seed), np.empty((0, 3)), []
    for step in (2 * STEP, STEP / 2):
        deep_pairs = contacts.contact_pairs[contacts.rng.uniform(size=contacts.count) < 0.3]
        frozen = add_frozen_contacts(frozen, deep_pairs[:, ::-1], step)
    for module in (kernels, frozen_contacts):
        results.append(contacts.solref.copy())
        module.set_frozen_solref(contacts.geoms, contacts.body_of_geom, frozen, STEP, results[-1])
    assert_allclose(results[0], results[1], rtol=1e-12)


@seeds
@given(st.integers(0, 10_000))
def test_friction_time_kernel_equals_the_reference(seed):
    contacts, results = RandomContacts(seed), []
    for module in (kernels, contact_model):
        results.append(np.full((contacts.count, 2), np.nan))
        module.set_friction_time(contacts.distances, results[-1], SHALLOW, 0.05)
    assert_array_equal(*results)


def test_frozen_contact_keeps_the_softness_of_its_longer_step():
    solref, contact_pairs = np.array([[0.05, 0.1], [0.05, 0.1], [0.05, 0.1]]), np.array([[1, 0], [1, 2], [0, 2]])
    frozen = np.array([[0, 1, 4 * STEP], [0, 2, STEP / 4]])
    assert_allclose(frozen_solref(solref, contact_pairs, frozen, STEP), [[0.2, 0.1], [0.05, 0.1], [0.05, 0.1]])
