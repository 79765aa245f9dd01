"""What is remembered of where somebody was: enough for what travels, and no more than that however short ticks are."""

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from keypose.fields.film_units import FILM
from keypose.fields.sensing.observed_poses import APART, MOST_KEPT, UPRIGHT, Past


def remembered(tick, ticks):
    past = Past(np.empty(0), np.empty((0, 1, 3)), np.empty((0, 1, 4)))
    for time in (np.arange(ticks) * tick).tolist():
        past = past.and_now(time, np.array([[time, time * time, 0.0]]), UPRIGHT[None])
    return past


def test_every_tick_of_the_film_is_remembered():
    assert_array_equal(remembered(FILM, 50).times, np.arange(50) * FILM)
    assert_array_equal(remembered(APART, 50).times, np.arange(50) * APART)


def test_of_the_short_ticks_of_bodies_some_are_remembered_and_always_the_last():
    past = remembered(0.002, 1001)
    assert len(past.times) < 2.0 / APART + 2
    assert past.times[-1] == 2.0
    assert past.times[0] == 0.0
    t = np.linspace(0, 2, 333)
    assert_allclose(past.at(0, t).position, np.stack([t, t * t, 0 * t], axis=1), atol=APART**2)


def test_who_was_long_ago_is_forgotten():
    past = remembered(FILM, MOST_KEPT + 100)
    assert len(past.times) == MOST_KEPT
    assert_allclose(past.times[0], 100 * FILM)
