"""Fields add up, are values, answer in the shape they are asked, and refuse what is no field in a sentence."""

import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from keypose import fields
from keypose.curves.orientation import Orientation
from keypose.errors import KeyposeError
from keypose.fields import Attractor, Field, Noise, Spring, Uniform, Vortex
from tests.fields.field_strategies import POSITIONS, TIMES, numbers, property_test, transformed_fields

WIND = Uniform((0.4, 0, 0))


@property_test(transformed_fields, transformed_fields)
def test_fields_add_up(a, b):
    assert_allclose((a + b).at(POSITIONS, TIMES), a.at(POSITIONS, TIMES) + b.at(POSITIONS, TIMES), atol=1e-12)


@property_test(transformed_fields, numbers)
def test_number_scales_a_field(field, factor):
    expected = factor * field.at(POSITIONS, TIMES)
    for product in (factor * field, field * factor, np.float64(factor) * field):
        assert isinstance(product, Field)
        assert_allclose(product.at(POSITIONS, TIMES), expected, atol=1e-12)


@property_test(transformed_fields, transformed_fields)
def test_field_minus_itself_is_zero(a, b):
    assert_array_equal((a - a).at(POSITIONS, TIMES), np.zeros_like(POSITIONS))
    assert_allclose((a - b).at(POSITIONS, TIMES), (a + -b).at(POSITIONS, TIMES), atol=1e-12)
    assert_allclose((a / 4).at(POSITIONS, TIMES), (a * 0.25).at(POSITIONS, TIMES), atol=1e-12)


def test_field_addition_is_associative():
    a, b, c = WIND, Vortex(2), Spring(3)
    assert (a + b) + c == a + (b + c) == sum([a, b, c])
    assert (a + b + c).parts == (a, b, c)


@property_test(transformed_fields)
def test_a_field_is_a_value_and_its_repr_is_code(field):
    words = {name: getattr(fields, name) for name in fields.__all__}
    again = eval(repr(field), words | {"Orientation": Orientation})
    assert again == field
    assert hash(again) == hash(field)
    assert {field: 0.5}[again] == 0.5
    assert_array_equal(again.at(POSITIONS, TIMES), field.at(POSITIONS, TIMES))


def test_equivalent_vector_notations_give_equal_fields():
    assert Uniform([0.4, 0, 0]) == Uniform(np.array([0.4, 0, 0])) == Uniform((0.4, 0)) == WIND
    assert Vortex(2, axis=(0, 5, 0)) == Vortex(2.0, axis="y") == Vortex(2)
    assert Vortex(2) != Attractor(2)
    assert Attractor(2) != fields.Repeller(2)


def test_a_field_is_frozen():
    with pytest.raises(AttributeError):
        WIND.vector = (0, 0, 0)


@property_test(transformed_fields)
def test_batch_evaluation_equals_single_evaluation(field):
    together = field.at(POSITIONS.reshape(4, 10, 3), TIMES.reshape(4, 10))
    assert together.shape == (4, 10, 3)
    for place, t, expected in zip(POSITIONS[:5], TIMES, together.reshape(-1, 3), strict=False):
        alone = field.at(place, t)
        assert alone.shape == (3,)
        assert_allclose(alone, expected, atol=1e-12)
    assert_array_equal(field.at(POSITIONS, 0.5), field.at(POSITIONS, np.full(40, 0.5)))
    assert field.at(np.empty((0, 3)), 0.5).shape == (0, 3)


@property_test(transformed_fields)
def test_evaluation_does_not_modify_its_arguments(field):
    places, times = POSITIONS.copy(), TIMES.copy()
    field.at(places, times, np.ones_like(places))
    assert_array_equal(places, POSITIONS)
    assert_array_equal(times, TIMES)


@property_test(transformed_fields)
def test_field_rebuilt_from_its_parts_equals_itself(field):
    assert field.with_parts(field.parts) == field
    assert field.resolved(lambda name: ()) == field
    assert pickle.loads(pickle.dumps(field)) == field


def test_the_tree_of_a_field_can_be_walked():
    lamp = Attractor(2).within(3).carried_by("lamp")
    wind = lamp + 2 * WIND.moved((1, 0, 0))
    assert wind.names == ("lamp",)
    assert wind.parts[1].parts[0].parts == (WIND,)
    assert WIND.parts == ()
    assert WIND.names == ()
    assert wind.with_parts((WIND, WIND)) == WIND + WIND


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (lambda: WIND * "2", r"factor of a field .* '2' was given"),
        (lambda: WIND * float("nan"), "factor of a field"),
        (lambda: None * WIND, "factor of a field"),
        (lambda: WIND * WIND, "factor of a field"),
        (lambda: WIND + 3, "A field and 3 were to be added"),
        (lambda: 3 + WIND, "A field and 3 were to be added"),
        (lambda: WIND - 3, "A field and 3 were to be added"),
        (lambda: WIND / 0, "divided by 0"),
        (lambda: WIND / "2", "divided by '2'"),
        (lambda: WIND.at((0, 0)), r"places of shape \(2,\)"),
        (lambda: WIND.at((0, 0, float("nan"))), "contains nan"),
        (lambda: WIND.at("here"), "must be numbers"),
        (lambda: WIND.at(POSITIONS, TIMES[:7]), r"moments of shape \(7,\).* an array \(40,\)"),
        (lambda: WIND.at(POSITIONS, 0, (1, 0)), r"velocities of shape \(2,\)"),
        (lambda: WIND.at(POSITIONS, look=3), "look=3"),
        (lambda: WIND.at(POSITIONS, who=["a"]), "one for each place"),
    ],
)
def test_invalid_operands_and_arguments_are_refused_with_reason(wrong, sentence):
    with pytest.raises(KeyposeError, match=sentence):
        wrong()


def test_base_class_cannot_be_instantiated():
    with pytest.raises(TypeError):
        Field()


def test_overflow_raises_no_warning():
    assert not np.isfinite((1e100 * Spring(1e100)).at((1e200, 0, 0))).all()
    assert np.isfinite((Attractor(1e100, core=1e-6, falloff=16) + Noise(1e100)).at((1e300, 0, 0))).all()
