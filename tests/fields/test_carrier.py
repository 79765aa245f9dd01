"""A carried field moves and turns with its carrier, a group's adds up, a delayed one arrives when it should."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from keypose.curves.orientation import Orientation
from keypose.errors import KeyposeError
from keypose.fields import Attractor, Uniform, Vortex
from keypose.motion.pose import Pose
from tests.fields.field_strategies import (
    POSITIONS,
    TIMES,
    moving_carrier,
    numbers,
    pose_lookup,
    positive_numbers,
    property_test,
    simple_fields,
    transformed_fields,
    turns,
    vectors,
)

UNROTATED = Orientation.identity
SIREN = Uniform((1, 0, 0))


@property_test(transformed_fields, vectors, turns)
def test_carried_field_is_translated_and_rotated_with_its_carrier(field, place, turn):
    carried = field.carried_by("lamp").at(POSITIONS, TIMES, look=pose_lookup(lamp=(place, turn)))
    expected = field.turned(turn).moved(place).at(POSITIONS, TIMES)
    assert_allclose(carried, expected, atol=1e-9 * (1 + np.abs(expected).max()))


def test_carrier_pose_is_evaluated_at_the_time_of_each_position():
    look = pose_lookup(lamp=moving_carrier(lambda t: (t, 0, 0), Orientation.turned(90, "z")))
    field = Attractor(1, falloff=0, core=1e-3)
    assert_allclose(field.carried_by("lamp").at([(0, 0, 0), (0, 0, 0)], [-1, 1], look=look), [(-1, 0, 0), (1, 0, 0)])
    assert_allclose(SIREN.carried_by("lamp").at((0, 0, 0), 3, look=look), (0, 1, 0), atol=1e-12)


@property_test(simple_fields, vectors, vectors, turns)
def test_group_field_is_the_sum_over_its_members(field, first_position, second_position, turn):
    look = pose_lookup(a=(first_position, UNROTATED), b=(second_position, turn))
    together = field.carried_by(("a", "b")).at(POSITIONS, TIMES, look=look)
    alone = [field.carried_by(name).at(POSITIONS, TIMES, look=look) for name in "ab"]
    assert_allclose(together, alone[0] + alone[1], atol=1e-9 * (1 + np.abs(together).max()))


def test_actors_do_not_sense_their_own_field():
    look = pose_lookup(a=((1, 0, 0), UNROTATED), b=((-1, 0, 0), UNROTATED), c=((0, 1, 0), UNROTATED))
    flock = Attractor(1, falloff=0, core=1e-3).carried_by(("a", "b", "c"))
    everyone = flock.at([(1, 0, 0), (-1, 0, 0), (5, 0, 0)], look=look, who=["a", "b", "stranger"])
    for row, (place, others) in enumerate([((1, 0, 0), "bc"), ((-1, 0, 0), "ac"), ((5, 0, 0), "abc")]):
        alone = [Attractor(1, falloff=0, core=1e-3).carried_by(name).at(place, look=look) for name in others]
        assert_allclose(everyone[row], sum(alone), atol=1e-12)
    assert_array_equal(flock.at((1, 0, 0), look=look, who="a"), everyone[0])


def test_group_wildcard_is_resolved_to_its_members():
    wind = SIREN + Attractor(1).carried_by("flock/*").moved((1, 0, 0)) * 2
    assert wind.names == ("flock/*",)
    resolved = wind.resolved({"flock/*": ("flock/1", "flock/2")}.__getitem__)
    assert resolved == SIREN + Attractor(1).carried_by(("flock/1", "flock/2")).moved((1, 0, 0)) * 2
    assert resolved.resolved(lambda name: ()) == resolved
    with pytest.raises(KeyposeError, match="nobody is in it"):
        wind.resolved(lambda name: ())


def test_flat_carriers_and_drawings_carry_fields_from_their_position():
    flat = Pose(np.array([1.0, 2.0]), np.array([1.0, 0, 0, 0]))
    drawing = Pose(np.array([[0.0, 2.0], [2.0, 2.0]]), np.array([1.0, 0, 0, 0]))
    expected = Attractor(1).moved((1, 2, 0)).at(POSITIONS)
    for pose in (flat, drawing):
        assert_allclose(
            Attractor(1).carried_by("a").at(POSITIONS, look=lambda name, t, p=pose: p), expected, atol=1e-12
        )


@property_test(positive_numbers, positive_numbers, vectors, numbers)
def test_delayed_field_of_a_still_carrier_arrives_after_distance_over_speed(distance, speed, place, start):
    siren = SIREN.during(start, start + 100).carried_by("lamp").delayed(speed)
    look, ear = pose_lookup(lamp=(place, UNROTATED)), np.add(place, (0, distance, 0))
    arrives = start + distance / speed
    moments = arrives + np.array([-1, -1e-9, 1e-9, 1])
    strengths = siren.at(np.broadcast_to(ear, (4, 3)), moments, look=look)[:, 0]
    assert_array_equal(strengths, [0, 0, 1, 1])


@property_test(positive_numbers, positive_numbers)
def test_carrier_rotation_is_sensed_after_distance_over_speed(distance, speed):
    """The carrier faces another way from t = 0 on, without leaving its place."""

    def turning(t):
        half = np.where(t < 0, 0.0, np.pi / 4)
        return Pose(np.zeros((*t.shape, 3)), np.stack([np.cos(half), 0 * t, 0 * t, np.sin(half)], axis=-1))

    moments = distance / speed + np.array([-1e-9, 1e-9])
    felt = SIREN.carried_by("lamp").delayed(speed).at([(0, distance, 0)] * 2, moments, look=pose_lookup(lamp=turning))
    assert_allclose(felt, [(1, 0, 0), (0, 1, 0)], atol=1e-9)


def test_jumped_carrier_is_sensed_at_its_old_position_until_the_delay_has_passed():
    jumping = moving_carrier(lambda t: (np.where(t < 0, -1.0, 3.0), 0, 0))
    pull = Attractor(1, falloff=0, core=1e-3).carried_by("lamp").delayed(2)
    moments = np.array([-1, 0.4, 0.6, 1.4, 1.5 - 1e-9, 1.5 + 1e-9, 4])  # news from -1 take 0.5 s, from 3 take 1.5 s
    felt = pull.at(np.zeros((7, 3)), moments, look=pose_lookup(lamp=jumping))[:, 0]
    assert_allclose(felt, [-1, -1, -1, -1, -1, 1, 1])


@property_test(vectors, vectors, positive_numbers)
def test_delayed_field_of_a_moving_carrier_was_emitted_at_the_retarded_time(start, velocity, more):
    """On a straight way the moment can be worked out: |x − X₀ − vτ|² = s²(t − τ)²."""
    v, x0 = np.array(velocity), np.array(start)
    speed = np.linalg.norm(v) * 1.05 + more
    away = POSITIONS - x0
    a, b = speed**2 - v @ v, speed**2 * TIMES - away @ v
    c = speed**2 * TIMES**2 - np.sum(away**2, axis=1)
    sent = (b - np.sqrt(np.maximum(b**2 - a * c, 0))) / a
    look = pose_lookup(lamp=moving_carrier(lambda t: (x0[0] + v[0] * t, x0[1] + v[1] * t, x0[2] + v[2] * t)))
    field = Vortex(1, core=1)
    felt = field.carried_by("lamp").delayed(speed).at(POSITIONS, TIMES, look=look)
    expected = field.carried_by("lamp").at(POSITIONS, sent, look=look)
    assert_allclose(felt, expected, atol=1e-6)


def test_delay_vanishes_for_very_large_propagation_speed():
    look = pose_lookup(lamp=moving_carrier(lambda t: (np.sin(t), np.cos(3 * t), t)))
    now = Attractor(1).carried_by("lamp")
    assert_allclose(now.delayed(1e12).at(POSITIONS, TIMES, look=look), now.at(POSITIONS, TIMES, look=look), atol=1e-8)


def test_nothing_is_sensed_ahead_of_a_carrier_faster_than_its_field():
    look = pose_lookup(jet=moving_carrier(lambda t: (2 * t, 0, 0)))
    roar = SIREN.carried_by("jet").delayed(1)
    assert_array_equal(roar.at([(0, 0, 0), (0, 0, 0), (0, 1, 0)], [-1, 0.5, 0.5], look=look)[:, 0], [0, 1, 0])


def test_delay_applies_to_every_carried_part_and_the_last_one_counts():
    a, b = Attractor(1).carried_by("a"), Vortex(1).carried_by("b")
    assert (a + 2 * b).delayed(3) == a.delayed(3) + 2 * b.delayed(3)
    assert a.delayed(3).delayed(5) == a.delayed(5)
    assert repr(a.delayed(3)) == "Attractor(1.0).carried_by('a').delayed(3.0)"
    assert repr((SIREN + SIREN).carried_by(["a", "b"])).endswith(").carried_by(('a', 'b'))")


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (lambda: SIREN.carried_by(""), "carried by ''. Give the name of an actor"),
        (lambda: SIREN.carried_by("/*"), "carried by '/\\*'"),
        (lambda: SIREN.carried_by(()), r"carried by \(\)"),
        (lambda: SIREN.carried_by(("a", "")), "carried by"),
        (lambda: SIREN.carried_by(3), "carried by 3"),
        (lambda: SIREN.carried_by("a").carried_by("b"), "Let only one of them carry it"),
        (lambda: SIREN.delayed(3), "that nobody carries"),
        (lambda: (SIREN + SIREN.carried_by("a")).delayed(3), "that nobody carries"),
        (lambda: SIREN.carried_by("a").delayed(0), "speed of a delayed field is 0"),
        (lambda: SIREN.carried_by("a").delayed(None), "speed of a delayed field"),
        (lambda: SIREN.carried_by("a").delayed("fast"), "speed of a delayed field"),
        (lambda: SIREN.carried_by("a").at((0, 0, 0)), "carried by 'a', and it was not said where that is"),
        (lambda: SIREN.carried_by("a/*").at((0, 0, 0), look=pose_lookup()), "group 'a/\\*' is not known here"),
        (lambda: SIREN.carried_by("a").at((0, 0, 0), look=lambda name, t: 3), "answered by 3"),
        (
            lambda: SIREN.carried_by("a").at((0, 0, 0), look=pose_lookup(), who="a"),
            "senses a field that it carries itself",
        ),
    ],
)
def test_invalid_carriers_and_delays_are_refused_with_reason(wrong, sentence):
    with pytest.raises(KeyposeError, match=sentence):
        wrong()
