"""A carried field moves and turns with its carrier, a group's adds up, a delayed one arrives when it should."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from keypose.curves.orientation import Orientation
from keypose.errors import KeyposeError
from keypose.fields import Attractor, Uniform, Vortex
from keypose.motion.pose import Pose
from tests.fields.asking import PLACES, TIMES, above, along, for_any, looking, numbers, placed, simple, turns, vectors

STILL = Orientation.identity
SIREN = Uniform((1, 0, 0))


@for_any(placed, vectors, turns)
def test_a_carried_field_is_the_field_moved_and_turned_as_its_carrier_is(field, place, turn):
    carried = field.carried_by("lamp").at(PLACES, TIMES, look=looking(lamp=(place, turn)))
    expected = field.turned(turn).moved(place).at(PLACES, TIMES)
    assert_allclose(carried, expected, atol=1e-9 * (1 + np.abs(expected).max()))


def test_a_carrier_is_asked_for_the_moment_of_each_place():
    look = looking(lamp=along(lambda t: (t, 0, 0), Orientation.turned(90, "z")))
    field = Attractor(1, falloff=0, core=1e-3)
    assert_allclose(field.carried_by("lamp").at([(0, 0, 0), (0, 0, 0)], [-1, 1], look=look), [(-1, 0, 0), (1, 0, 0)])
    assert_allclose(SIREN.carried_by("lamp").at((0, 0, 0), 3, look=look), (0, 1, 0), atol=1e-12)


@for_any(simple, vectors, vectors, turns)
def test_a_groups_field_is_the_sum_over_its_members(field, here, there, turn):
    look = looking(a=(here, STILL), b=(there, turn))
    together = field.carried_by(("a", "b")).at(PLACES, TIMES, look=look)
    alone = [field.carried_by(name).at(PLACES, TIMES, look=look) for name in "ab"]
    assert_allclose(together, alone[0] + alone[1], atol=1e-9 * (1 + np.abs(together).max()))


def test_nobody_feels_their_own_field():
    look = looking(a=((1, 0, 0), STILL), b=((-1, 0, 0), STILL), c=((0, 1, 0), STILL))
    flock = Attractor(1, falloff=0, core=1e-3).carried_by(("a", "b", "c"))
    everyone = flock.at([(1, 0, 0), (-1, 0, 0), (5, 0, 0)], look=look, who=["a", "b", "stranger"])
    for row, (place, others) in enumerate([((1, 0, 0), "bc"), ((-1, 0, 0), "ac"), ((5, 0, 0), "abc")]):
        alone = [Attractor(1, falloff=0, core=1e-3).carried_by(name).at(place, look=look) for name in others]
        assert_allclose(everyone[row], sum(alone), atol=1e-12)
    assert_array_equal(flock.at((1, 0, 0), look=look, who="a"), everyone[0])


def test_a_group_is_known_by_its_star_once_its_members_are_told():
    wind = SIREN + Attractor(1).carried_by("flock/*").moved((1, 0, 0)) * 2
    assert wind.names == ("flock/*",)
    told = wind.resolved({"flock/*": ("flock/1", "flock/2")}.__getitem__)
    assert told == SIREN + Attractor(1).carried_by(("flock/1", "flock/2")).moved((1, 0, 0)) * 2
    assert told.resolved(lambda name: ()) == told
    with pytest.raises(KeyposeError, match="nobody is in it"):
        wind.resolved(lambda name: ())


def test_flat_carriers_and_drawings_carry_from_where_they_are():
    flat = Pose(np.array([1.0, 2.0]), np.array([1.0, 0, 0, 0]))
    drawing = Pose(np.array([[0.0, 2.0], [2.0, 2.0]]), np.array([1.0, 0, 0, 0]))
    expected = Attractor(1).moved((1, 2, 0)).at(PLACES)
    for pose in (flat, drawing):
        assert_allclose(Attractor(1).carried_by("a").at(PLACES, look=lambda name, t, p=pose: p), expected, atol=1e-12)


@for_any(above, above, vectors, numbers)
def test_what_a_still_carrier_sends_arrives_distance_by_speed_seconds_later(distance, speed, place, start):
    siren = SIREN.during(start, start + 100).carried_by("lamp").delayed(speed)
    look, ear = looking(lamp=(place, STILL)), np.add(place, (0, distance, 0))
    arrives = start + distance / speed
    moments = arrives + np.array([-1, -1e-9, 1e-9, 1])
    heard = siren.at(np.broadcast_to(ear, (4, 3)), moments, look=look)[:, 0]
    assert_array_equal(heard, [0, 0, 1, 1])


@for_any(above, above)
def test_a_step_of_its_carrier_is_felt_distance_by_speed_seconds_later(distance, speed):
    """The carrier faces another way from t = 0 on, without leaving its place."""

    def turning(t):
        half = np.where(t < 0, 0.0, np.pi / 4)
        return Pose(np.zeros((*t.shape, 3)), np.stack([np.cos(half), 0 * t, 0 * t, np.sin(half)], axis=-1))

    moments = distance / speed + np.array([-1e-9, 1e-9])
    felt = SIREN.carried_by("lamp").delayed(speed).at([(0, distance, 0)] * 2, moments, look=looking(lamp=turning))
    assert_allclose(felt, [(1, 0, 0), (0, 1, 0)], atol=1e-9)


def test_a_carrier_that_jumps_away_is_felt_where_it_was_until_news_of_it_arrives():
    jumping = along(lambda t: (np.where(t < 0, -1.0, 3.0), 0, 0))
    pull = Attractor(1, falloff=0, core=1e-3).carried_by("lamp").delayed(2)
    moments = np.array([-1, 0.4, 0.6, 1.4, 1.5 - 1e-9, 1.5 + 1e-9, 4])  # news from -1 take 0.5 s, from 3 take 1.5 s
    felt = pull.at(np.zeros((7, 3)), moments, look=looking(lamp=jumping))[:, 0]
    assert_allclose(felt, [-1, -1, -1, -1, -1, 1, 1])


@for_any(vectors, vectors, above)
def test_what_is_felt_left_a_moving_carrier_distance_by_speed_seconds_ago(start, velocity, more):
    """On a straight way the moment can be worked out: |x − X₀ − vτ|² = s²(t − τ)²."""
    v, x0 = np.array(velocity), np.array(start)
    speed = np.linalg.norm(v) * 1.05 + more
    away = PLACES - x0
    a, b = speed**2 - v @ v, speed**2 * TIMES - away @ v
    c = speed**2 * TIMES**2 - np.sum(away**2, axis=1)
    sent = (b - np.sqrt(np.maximum(b**2 - a * c, 0))) / a
    look = looking(lamp=along(lambda t: (x0[0] + v[0] * t, x0[1] + v[1] * t, x0[2] + v[2] * t)))
    field = Vortex(1, core=1)
    felt = field.carried_by("lamp").delayed(speed).at(PLACES, TIMES, look=look)
    expected = field.carried_by("lamp").at(PLACES, sent, look=look)
    assert_allclose(felt, expected, atol=1e-6)


def test_a_delayed_field_of_endless_speed_is_felt_at_once():
    look = looking(lamp=along(lambda t: (np.sin(t), np.cos(3 * t), t)))
    now = Attractor(1).carried_by("lamp")
    assert_allclose(now.delayed(1e12).at(PLACES, TIMES, look=look), now.at(PLACES, TIMES, look=look), atol=1e-8)


def test_ahead_of_a_carrier_faster_than_its_field_nothing_is_felt():
    look = looking(jet=along(lambda t: (2 * t, 0, 0)))
    roar = SIREN.carried_by("jet").delayed(1)
    assert_array_equal(roar.at([(0, 0, 0), (0, 0, 0), (0, 1, 0)], [-1, 0.5, 0.5], look=look)[:, 0], [0, 1, 0])


def test_every_carried_part_of_a_field_is_delayed_and_the_last_word_holds():
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
        (lambda: SIREN.carried_by("a/*").at((0, 0, 0), look=looking()), "group 'a/\\*' is not known here"),
        (lambda: SIREN.carried_by("a").at((0, 0, 0), look=lambda name, t: 3), "answered by 3"),
        (lambda: SIREN.carried_by("a").at((0, 0, 0), look=looking(), who="a"), "senses a field that it carries itself"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(wrong, sentence):
    with pytest.raises(KeyposeError, match=sentence):
        wrong()
