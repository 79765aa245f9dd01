"""What is remembered of where somebody was: enough for what travels, and no more than that however short ticks are."""

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from keypose.fields.film_units import FILM_FRAME
from keypose.fields.sensing.observed_poses import (
    IDENTITY_ORIENTATION,
    MAX_HISTORY_TICKS,
    MIN_HISTORY_SPACING,
    PoseHistory,
)


def recorded_history(tick, ticks):
    past = PoseHistory(np.empty(0), np.empty((0, 1, 3)), np.empty((0, 1, 4)))
    for time in (np.arange(ticks) * tick).tolist():
        past = past.with_tick(time, np.array([[time, time * time, 0.0]]), IDENTITY_ORIENTATION[None])
    return past


def test_every_film_frame_is_kept():
    assert_array_equal(recorded_history(FILM_FRAME, 50).times, np.arange(50) * FILM_FRAME)
    assert_array_equal(recorded_history(MIN_HISTORY_SPACING, 50).times, np.arange(50) * MIN_HISTORY_SPACING)


def test_short_ticks_are_thinned_and_the_last_is_always_kept():
    past = recorded_history(0.002, 1001)
    assert len(past.times) < 2.0 / MIN_HISTORY_SPACING + 2
    assert past.times[-1] == 2.0
    assert past.times[0] == 0.0
    t = np.linspace(0, 2, 333)
    assert_allclose(past.at(0, t).position, np.stack([t, t * t, 0 * t], axis=1), atol=MIN_HISTORY_SPACING**2)


def test_oldest_ticks_are_dropped():
    past = recorded_history(FILM_FRAME, MAX_HISTORY_TICKS + 100)
    assert len(past.times) == MAX_HISTORY_TICKS
    assert_allclose(past.times[0], 100 * FILM_FRAME)
