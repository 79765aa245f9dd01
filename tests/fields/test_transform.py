"""Placing a field and placing the question are the same; a limited field is zero outside."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from keypose.curves.orientation import Orientation
from keypose.errors import KeyposeError
from keypose.fields import Attractor, Spring, Uniform, Vortex
from keypose.fields.algebra.field import Field, FieldQuery
from tests.fields.field_strategies import (
    POSITIONS,
    TIMES,
    directions,
    jacobian,
    positive_numbers,
    property_test,
    simple_fields,
    transformed_fields,
    turns,
    vectors,
)

WIND = Uniform((1, 2, 3))


class Drag(Field):
    """Pushes against how one moves, twice as hard along x; for fields that feel velocities."""

    def push(self, query: FieldQuery):
        return -query.velocity * np.array([2.0, 1.0, 1.0])


@property_test(transformed_fields, vectors)
def test_moved_field_equals_the_field_at_the_position_moved_back(field, offset):
    moved = field.moved(offset).at(POSITIONS + offset, TIMES)
    assert_allclose(moved, field.at(POSITIONS, TIMES), atol=1e-6 * (1 + np.abs(moved).max()))


@property_test(simple_fields, turns)
def test_turned_field_rotates_positions_and_forces(field, turn):
    turned = field.turned(turn).at(turn.rotate(POSITIONS), TIMES)
    assert_allclose(turned, turn.rotate(field.at(POSITIONS, TIMES)), atol=1e-9 * (1 + np.abs(turned).max()))


@property_test(simple_fields, directions)
def test_field_turned_by_degrees_equals_field_turned_by_orientation(field, axis):
    assert field.turned(30, axis) == field.turned(Orientation.turned(30, axis))
    assert (
        field.turned(30, "y")
        == field.turned(Orientation.turned(30, "y"))
        == field.turned(tuple(Orientation.turned(30, "y").wxyz))
    )


@property_test(turns, turns, vectors)
def test_turns_and_moves_of_a_field_compose(first, second, offset):
    field = Vortex(2, center=(1, 0, 0))
    assert_allclose(
        field.turned(first).turned(second).at(POSITIONS), field.turned(second @ first).at(POSITIONS), atol=1e-9
    )
    both = field.moved(offset).turned(first)
    assert_allclose(both.at(POSITIONS), field.turned(first).moved(first.rotate(offset)).at(POSITIONS), atol=1e-6)


@property_test(vectors, directions, vectors, turns)
def test_transformed_field_equals_the_field_built_at_that_pose(center, axis, offset, turn):
    moved = Vortex(2, center=center, axis=axis).moved(offset)
    assert_allclose(moved.at(POSITIONS), Vortex(2, center=np.add(center, offset), axis=axis).at(POSITIONS), atol=1e-6)
    turned = Vortex(2, center=center, axis=axis).turned(turn)
    expected = Vortex(2, center=turn.rotate(center), axis=turn.rotate(axis))
    assert_allclose(turned.at(POSITIONS), expected.at(POSITIONS), atol=1e-6)


@property_test(simple_fields, vectors)
def test_scaled_field_scales_positions_and_forces(field, stretch):
    factors = np.where(np.abs(stretch) < 0.2, 0.2, stretch)
    stretched = field.scaled(factors).at(POSITIONS * factors, TIMES)
    assert_allclose(stretched, factors * field.at(POSITIONS, TIMES), atol=1e-6 * (1 + np.abs(stretched).max()))


def test_one_factor_scales_all_three_axes():
    assert Attractor(2).scaled(3) == Attractor(2).scaled((3, 3, 3))


def test_scaled_attractor_points_to_its_centre_and_scaled_vortex_has_no_divergence():
    pulled = Attractor(2).scaled((3, 1, 0.5)).at(POSITIONS)
    assert_allclose(np.cross(pulled, POSITIONS), 0, atol=1e-9)
    slope = jacobian(Vortex(2, core=0.5).scaled((3, 1, 0.5)), POSITIONS)
    assert_allclose(np.trace(slope, axis1=1, axis2=2), 0, atol=1e-5)


def test_moved_field_receives_velocities_in_its_own_axes():
    velocity = np.array([1.0, 2.0, 3.0])
    assert_allclose(Drag().at((0, 0, 0), velocity=velocity), (-2, -2, -3))
    assert_allclose(Drag().moved((5, 5, 5)).at((0, 0, 0), velocity=velocity), (-2, -2, -3))
    assert_allclose(Drag().turned(90, "z").at((0, 0, 0), velocity=velocity), (-1, -4, -3), atol=1e-12)
    assert_allclose(Drag().scaled((2, 3, 4)).at((0, 0, 0), velocity=velocity), (-2, -2, -3))


@property_test(transformed_fields, positive_numbers, vectors)
def test_a_field_within_a_ball_is_itself_inside_and_zero_outside(field, radius, center):
    limited = field.within(radius, center=center).at(POSITIONS, TIMES)
    inside = np.linalg.norm(POSITIONS - center, axis=1) <= radius
    assert_allclose(limited[inside], field.at(POSITIONS, TIMES)[inside], atol=1e-12)
    assert_array_equal(limited[~inside], 0)


@property_test(transformed_fields, vectors)
def test_a_field_within_a_box_is_itself_inside_and_zero_outside(field, center):
    size = np.array([2.0, 3.0, 1.5])
    limited = field.within(size=size, center=center).at(POSITIONS, TIMES)
    inside = (np.abs(POSITIONS - center) <= size / 2).all(axis=1)
    assert_allclose(limited[inside], field.at(POSITIONS, TIMES)[inside], atol=1e-12)
    assert_array_equal(limited[~inside], 0)


def test_border_belongs_to_a_limited_field():
    assert_array_equal(WIND.within(2).at([(0, 2, 0), (0, 2 + 1e-12, 0)]), [(1, 2, 3), (0, 0, 0)])
    assert_array_equal(WIND.within(size=(2, 4, 6)).at([(1, -2, 3), (1, -2, 3.001)]), [(1, 2, 3), (0, 0, 0)])


@pytest.mark.parametrize("limit", [{"radius": 2}, {"size": (4, 4, 4)}])
def test_an_edge_fades_inside_the_border_smoothly(limit):
    x = np.linspace(-3, 3, 6001)
    strength = WIND.within(**limit, edge=1).at(np.stack([x, 0 * x, 0 * x], axis=1))[:, 0]
    assert_array_equal(strength[np.abs(x) <= 1], 1)
    assert_array_equal(strength[np.abs(x) >= 2], 0)
    assert strength[np.argmin(np.abs(x - 1.5))] == pytest.approx(0.5, abs=1e-3)
    slope = np.gradient(strength, x)
    assert np.abs(slope).max() == pytest.approx(1.5, abs=1e-3)
    assert np.abs(np.diff(slope)).max() < 0.01


def test_field_is_not_evaluated_outside_its_limit():
    class Endless(Field):
        def push(self, query):
            return np.full_like(query.position, np.inf)

    assert_array_equal(Endless().within(1, edge=0.5).at((2, 0, 0)), (0, 0, 0))


def test_limit_moves_with_a_later_move_of_the_field():
    assert_array_equal(WIND.within(1).moved((5, 0, 0)).at([(5, 0, 0), (0, 0, 0)]), [(1, 2, 3), (0, 0, 0)])
    assert_array_equal(WIND.moved((5, 0, 0)).within(1).at([(5, 0, 0), (0, 0, 0)]), [(0, 0, 0), (1, 2, 3)])


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (lambda: WIND.moved("up"), "offset of a field was given as 'up'"),
        (lambda: WIND.moved((1, 2, float("nan"))), "offset of a field"),
        (lambda: WIND.turned(30), "Say about what"),
        (lambda: WIND.turned(30, (0, 0, 0)), "points nowhere"),
        (lambda: WIND.turned("y"), "orientation was given as 'y'"),
        (lambda: WIND.scaled(0), "stretched by .*0.0"),
        (lambda: WIND.scaled((1, 2)), "Give one factor or three"),
        (lambda: WIND.scaled((1, 2, 0)), "stretched by"),
        (lambda: WIND.within(-1), "radius of a field is -1"),
        (lambda: WIND.within(0), "radius of a field is 0"),
        (lambda: WIND.within(), "either a radius or the size"),
        (lambda: WIND.within(1, size=(1, 1, 1)), "either a radius or the size"),
        (lambda: WIND.within(size=(1, 0, 1)), "three sides above zero"),
        (lambda: WIND.within(1, edge=-0.1), "edge of a field is -0.1"),
        (lambda: WIND.within(1, edge=2), "edge of a field is 2. Give a number from 0 to 1"),
        (lambda: WIND.within(1, center="here"), "center of a field's limit"),
    ],
)
def test_invalid_transforms_are_refused_with_reason(wrong, sentence):
    with pytest.raises(KeyposeError, match=sentence):
        wrong()


def test_trajectory_in_a_transformed_field_is_the_transformed_trajectory():
    field, turn, stretch = Spring(4) + Vortex(1, core=0.5), Orientation.turned(40, (1, 2, 3)), np.array([2, 3, 0.5])
    transformed = field.turned(turn).scaled(stretch).moved((1, 1, 1))
    start, velocity = np.array([1.0, 0.5, 0.2]), np.array([0.0, 1.0, 0.0])
    end = integrated_position(field, start, velocity)
    assert np.linalg.norm(end - start) > 1
    placed_end = integrated_position(transformed, turn.rotate(start) * stretch + 1, turn.rotate(velocity) * stretch)
    assert_allclose(placed_end, turn.rotate(end) * stretch + 1, atol=1e-9)


def integrated_position(field, place, velocity):
    """Where small steps through a field lead in a second."""
    for _ in range(100):
        velocity = velocity + field.at(place) / 100
        place = place + velocity / 100
    return place
