"""The first fields one reaches for do what their names say."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from keypose.errors import KeyposeError
from keypose.fields import Attractor, Noise, Repeller, Spring, Uniform, Vortex, Wall
from tests.fields.field_strategies import (
    POSITIONS,
    directions,
    falloffs,
    jacobian,
    numbers,
    positive_numbers,
    property_test,
    vectors,
)


@property_test(vectors)
def test_uniform_field_is_the_same_everywhere(vector):
    assert_array_equal(Uniform(vector).at(POSITIONS), np.tile(vector, (len(POSITIONS), 1)))


@property_test(numbers, vectors, falloffs, positive_numbers, directions)
def test_attractor_has_its_strength_at_one_metre_and_its_falloff_power(strength, center, falloff, core, direction):
    field = Attractor(strength, center=center, falloff=falloff, core=min(core, 1.0))
    away = np.array(direction) / np.linalg.norm(direction)
    assert_allclose(field.at(center + away), -strength * away, atol=1e-12)
    assert_allclose(field.at(center + 2 * away), -strength / 2**falloff * away, atol=1e-12)


@property_test(numbers, vectors, falloffs, positive_numbers, directions)
def test_attractor_is_proportional_to_distance_within_its_core(strength, center, falloff, core, direction):
    field = Attractor(strength, center=center, falloff=falloff, core=core)
    away = core * np.array(direction) / np.linalg.norm(direction)
    surface = field.at(center + away)
    assert_array_equal(field.at(center), (0, 0, 0))
    for share in (0.25, 0.5, 1 - 1e-9):
        assert_allclose(field.at(center + share * away), share * surface, rtol=1e-9, atol=1e-12)
    assert_allclose(field.at(center + (1 + 1e-9) * away), surface, rtol=1e-7, atol=1e-12)


@property_test(numbers, vectors, falloffs, positive_numbers)
def test_repeller_is_a_negated_attractor(strength, center, falloff, core):
    options = {"center": center, "falloff": falloff, "core": core}
    pulled = Attractor(strength, **options).at(POSITIONS)
    assert_array_equal(Repeller(strength, **options).at(POSITIONS), -pulled)
    assert_array_equal(Attractor(-strength, **options).at(POSITIONS), -pulled)


@property_test(numbers, vectors, directions, falloffs, positive_numbers)
def test_vortex_force_is_perpendicular_to_its_axis_and_radius(strength, center, axis, falloff, core):
    pushed = Vortex(strength, center=center, axis=axis, falloff=falloff, core=core).at(POSITIONS)
    unit = np.array(axis) / np.linalg.norm(axis)
    assert_allclose(pushed @ unit, 0, atol=1e-9)
    assert_allclose(np.sum(pushed * (POSITIONS - center), axis=1), 0, atol=1e-9)


@property_test(positive_numbers, vectors, directions, falloffs)
def test_vortex_has_no_divergence(strength, center, axis, falloff):
    slope = jacobian(Vortex(strength, center=center, axis=axis, falloff=falloff, core=0.5), POSITIONS)
    assert_allclose(np.trace(slope, axis1=1, axis2=2), 0, atol=1e-6 * max(1, np.abs(slope).max()))


def test_vortex_turns_anticlockwise_seen_from_the_tip_of_its_axis():
    assert_allclose(Vortex(2.0).at((0, 3, 1)), (2, 0, 0))
    assert_allclose(Vortex(2.0, axis="z").at((1, 0, 5)), (0, 2, 0))
    assert_allclose(Vortex(2.0, axis="z").at((4, 0, 5)), (0, 0.5, 0))
    assert_array_equal(Vortex(2.0).at((0, 3, 0)), (0, 0, 0))


@property_test(numbers, vectors)
def test_spring_force_is_the_negative_gradient_of_its_energy(stiffness, center):
    spring = Spring(stiffness, center=center)

    def energy(places):
        return stiffness / 2 * np.sum((places - np.array(center)) ** 2, axis=-1)

    uphill = np.stack([(energy(POSITIONS + e) - energy(POSITIONS - e)) / 2e-3 for e in 1e-3 * np.eye(3)], axis=-1)
    assert_allclose(spring.at(POSITIONS), -uphill, atol=1e-9)
    slope = jacobian(spring, POSITIONS)
    assert_allclose(slope, np.swapaxes(slope, 1, 2), atol=1e-8)


@property_test(numbers, vectors, falloffs, positive_numbers)
def test_attractor_has_no_curl(strength, center, falloff, core):
    slope = jacobian(Attractor(strength, center=center, falloff=falloff, core=core), POSITIONS)
    smooth = np.abs(np.linalg.norm(POSITIONS - center, axis=1) - core) > 1e-3
    assert_allclose(slope[smooth], np.swapaxes(slope, 1, 2)[smooth], atol=1e-6 * max(1, np.abs(slope).max()))


@property_test(vectors, directions, positive_numbers, positive_numbers, vectors)
def test_wall_force_decreases_outwards_to_zero_at_its_reach(point, normal, strength, reach, aside):
    wall, unit = Wall(point, normal, strength, reach), np.array(normal) / np.linalg.norm(normal)
    beside = np.array(point) + np.cross(unit, aside)
    heights = np.linspace(-2, 2, 41)
    pushed = wall.at(beside + reach * heights[:, None] * unit)
    along = pushed @ unit
    assert_allclose(pushed, along[:, None] * unit, atol=1e-12)
    assert_allclose(along[heights < 1e-9], strength)
    assert_allclose(along[heights > 1 - 1e-9], 0, atol=1e-12)
    assert (np.diff(along) <= 1e-12).all()
    assert_allclose(wall.at(beside + reach / 2 * unit) @ unit, strength / 2)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (lambda: Uniform((1, 2, 3, 4)), "vector of a Uniform field was given as"),
        (lambda: Uniform("up"), "vector of a Uniform field was given as 'up'"),
        (lambda: Uniform((1, 2, float("inf"))), "three finite numbers"),
        (lambda: Attractor(float("nan")), "strength of an Attractor must be one finite number"),
        (lambda: Attractor(1e200), "strength of an Attractor is 1e.200"),
        (lambda: Attractor(1, falloff=-1), "falloff of an Attractor is -1. Give a number from 0 to 16"),
        (lambda: Attractor(1, core=0), "core of an Attractor is 0"),
        (lambda: Repeller(1, center=3), "center of a Repeller was given as 3"),
        (lambda: Repeller(None), "strength of a Repeller"),
        (lambda: Vortex(1, axis=(0, 0, 0)), "axis of a Vortex .* points nowhere"),
        (lambda: Vortex(1, axis="w"), "axis of a Vortex was given as 'w'"),
        (lambda: Spring("stiff"), "stiffness of a Spring"),
        (lambda: Wall((0, 0, 0), (0, 0, 0), 1, 1), "normal of a Wall .* points nowhere"),
        (lambda: Wall((0, 0, 0), (0, 1, 0), 1, -1), "reach of a Wall is -1"),
        (lambda: Wall((0, 0, 0), (0, 1, 0), True, 1), "strength of a Wall"),
        (lambda: Noise(1, scale=0), "scale of a Noise is 0"),
        (lambda: Noise(1, seed=0.5), "seed of a Noise was given as 0.5"),
        (lambda: Noise(1, seed=True), "seed of a Noise was given as True"),
        (lambda: Noise(1, speed="fast"), "speed of a Noise"),
    ],
)
def test_invalid_field_arguments_are_refused_with_reason(wrong, sentence):
    with pytest.raises(KeyposeError, match=sentence):
        wrong()
