"""Placing a field and placing the question are the same; a limited field is zero outside."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from keypose.curves.orientation import Orientation
from keypose.errors import KeyposeError
from keypose.fields import Attractor, Spring, Uniform, Vortex
from keypose.fields.algebra.field import Field, FieldQuery
from tests.fields.asking import PLACES, TIMES, above, directions, for_any, placed, simple, slopes, turns, vectors

WIND = Uniform((1, 2, 3))


class Drag(Field):
    """Pushes against how one moves, twice as hard along x; for fields that feel velocities."""

    def push(self, asked: FieldQuery):
        return -asked.velocity * np.array([2.0, 1.0, 1.0])


@for_any(placed, vectors)
def test_moving_a_field_is_moving_the_question_back(field, offset):
    moved = field.moved(offset).at(PLACES + offset, TIMES)
    assert_allclose(moved, field.at(PLACES, TIMES), atol=1e-6 * (1 + np.abs(moved).max()))


@for_any(simple, turns)
def test_turning_a_field_is_turning_question_and_answer(field, turn):
    turned = field.turned(turn).at(turn.rotate(PLACES), TIMES)
    assert_allclose(turned, turn.rotate(field.at(PLACES, TIMES)), atol=1e-9 * (1 + np.abs(turned).max()))


@for_any(simple, directions)
def test_a_field_is_turned_by_degrees_about_an_axis_as_an_orientation_is(field, axis):
    assert field.turned(30, axis) == field.turned(Orientation.turned(30, axis))
    assert (
        field.turned(30, "y")
        == field.turned(Orientation.turned(30, "y"))
        == field.turned(tuple(Orientation.turned(30, "y").wxyz))
    )


@for_any(turns, turns, vectors)
def test_turns_and_moves_of_a_field_follow_each_other(first, second, offset):
    field = Vortex(2, center=(1, 0, 0))
    assert_allclose(field.turned(first).turned(second).at(PLACES), field.turned(second @ first).at(PLACES), atol=1e-9)
    both = field.moved(offset).turned(first)
    assert_allclose(both.at(PLACES), field.turned(first).moved(first.rotate(offset)).at(PLACES), atol=1e-6)


@for_any(vectors, directions, vectors, turns)
def test_a_field_said_elsewhere_is_the_field_moved_and_turned_there(center, axis, offset, turn):
    moved = Vortex(2, center=center, axis=axis).moved(offset)
    assert_allclose(moved.at(PLACES), Vortex(2, center=np.add(center, offset), axis=axis).at(PLACES), atol=1e-6)
    turned = Vortex(2, center=center, axis=axis).turned(turn)
    expected = Vortex(2, center=turn.rotate(center), axis=turn.rotate(axis))
    assert_allclose(turned.at(PLACES), expected.at(PLACES), atol=1e-6)


@for_any(simple, vectors)
def test_stretching_a_field_stretches_its_picture_arrows_too(field, stretch):
    factors = np.where(np.abs(stretch) < 0.2, 0.2, stretch)
    stretched = field.scaled(factors).at(PLACES * factors, TIMES)
    assert_allclose(stretched, factors * field.at(PLACES, TIMES), atol=1e-6 * (1 + np.abs(stretched).max()))


def test_one_factor_stretches_all_three_ways():
    assert Attractor(2).scaled(3) == Attractor(2).scaled((3, 3, 3))


def test_a_stretched_attractor_still_pulls_to_its_centre_and_a_stretched_vortex_does_not_gather():
    pulled = Attractor(2).scaled((3, 1, 0.5)).at(PLACES)
    assert_allclose(np.cross(pulled, PLACES), 0, atol=1e-9)
    slope = slopes(Vortex(2, core=0.5).scaled((3, 1, 0.5)), PLACES)
    assert_allclose(np.trace(slope, axis1=1, axis2=2), 0, atol=1e-5)


def test_a_moved_field_feels_velocities_in_its_own_axes():
    velocity = np.array([1.0, 2.0, 3.0])
    assert_allclose(Drag().at((0, 0, 0), velocity=velocity), (-2, -2, -3))
    assert_allclose(Drag().moved((5, 5, 5)).at((0, 0, 0), velocity=velocity), (-2, -2, -3))
    assert_allclose(Drag().turned(90, "z").at((0, 0, 0), velocity=velocity), (-1, -4, -3), atol=1e-12)
    assert_allclose(Drag().scaled((2, 3, 4)).at((0, 0, 0), velocity=velocity), (-2, -2, -3))


@for_any(placed, above, vectors)
def test_a_field_within_a_ball_is_itself_inside_and_zero_outside(field, radius, center):
    limited = field.within(radius, center=center).at(PLACES, TIMES)
    inside = np.linalg.norm(PLACES - center, axis=1) <= radius
    assert_allclose(limited[inside], field.at(PLACES, TIMES)[inside], atol=1e-12)
    assert_array_equal(limited[~inside], 0)


@for_any(placed, vectors)
def test_a_field_within_a_box_is_itself_inside_and_zero_outside(field, center):
    size = np.array([2.0, 3.0, 1.5])
    limited = field.within(size=size, center=center).at(PLACES, TIMES)
    inside = (np.abs(PLACES - center) <= size / 2).all(axis=1)
    assert_allclose(limited[inside], field.at(PLACES, TIMES)[inside], atol=1e-12)
    assert_array_equal(limited[~inside], 0)


def test_the_border_belongs_to_a_limited_field():
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


def test_outside_its_limit_a_field_is_not_asked_at_all():
    class Endless(Field):
        def push(self, asked):
            return np.full_like(asked.place, np.inf)

    assert_array_equal(Endless().within(1, edge=0.5).at((2, 0, 0)), (0, 0, 0))


def test_a_limit_moves_with_the_field_that_is_moved_after_it():
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
def test_what_is_wrong_is_said_in_a_sentence(wrong, sentence):
    with pytest.raises(KeyposeError, match=sentence):
        wrong()


def test_what_moves_in_a_placed_field_moves_as_in_the_field_itself_placed_likewise():
    field, turn, stretch = Spring(4) + Vortex(1, core=0.5), Orientation.turned(40, (1, 2, 3)), np.array([2, 3, 0.5])
    there = field.turned(turn).scaled(stretch).moved((1, 1, 1))
    start, velocity = np.array([1.0, 0.5, 0.2]), np.array([0.0, 1.0, 0.0])
    end = travelled(field, start, velocity)
    assert np.linalg.norm(end - start) > 1
    placed_end = travelled(there, turn.rotate(start) * stretch + 1, turn.rotate(velocity) * stretch)
    assert_allclose(placed_end, turn.rotate(end) * stretch + 1, atol=1e-9)


def travelled(field, place, velocity):
    """Where small steps through a field lead in a second."""
    for _ in range(100):
        velocity = velocity + field.at(place) / 100
        place = place + velocity / 100
    return place
