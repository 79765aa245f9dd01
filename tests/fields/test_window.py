"""A field may last for a while, come and go, or swing to and fro."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from keypose.errors import KeyposeError
from keypose.fields import Uniform
from tests.fields.field_strategies import POSITIONS, TIMES, numbers, positive_numbers, property_test, transformed_fields

WIND = Uniform((1, 0, 0))


def strength_at(field, t):
    return field.at(np.zeros((len(t), 3)), t)[:, 0]


@property_test(transformed_fields, numbers, positive_numbers)
def test_field_is_active_from_start_to_stop(field, start, long):
    windowed = field.during(start, start + long).at(POSITIONS, TIMES)
    on = (start <= TIMES) & (start + long > TIMES)
    assert_allclose(windowed[on], field.at(POSITIONS, TIMES)[on], atol=1e-12)
    assert_array_equal(windowed[~on], 0)


def test_consecutive_fields_never_overlap():
    both = WIND.during(0, 1) + WIND.during(1, 2)
    assert_array_equal(strength_at(both, np.array([-0.1, 0, 0.5, 1, 1.5, 2])), [0, 1, 1, 1, 1, 0])


def test_fade_lies_inside_the_active_time():
    fading = WIND.during(1, 3, fade=0.5)
    assert_allclose(strength_at(fading, np.array([1, 1.25, 1.5, 2.5, 2.75, 3])), [0, 0.5, 1, 1, 0.5, 0])
    slope = np.gradient(strength_at(fading, np.linspace(0, 4, 4001)), 1e-3)
    assert np.abs(np.diff(slope)).max() < 0.03


@property_test(transformed_fields, positive_numbers, numbers)
def test_pulsing_field_is_full_every_period_and_reversed_halfway(field, period, start):
    pulsing = field.pulsing(period, start=start)
    whole = np.full(len(POSITIONS), start + 3 * period)
    for t, share in ((whole, 1), (whole + period / 4, 0), (whole + period / 2, -1)):
        assert_allclose(pulsing.at(POSITIONS, t), share * field.at(POSITIONS, t), atol=1e-9)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (lambda: WIND.during(1, 1), "lasts from 1 to 1 s"),
        (lambda: WIND.during("now", 1), "time of a field"),
        (lambda: WIND.during(0, 1, fade=2), "fade of a field is 2"),
        (lambda: WIND.pulsing(0), "period of a field is 0"),
        (lambda: WIND.pulsing(1, start=None), "start of a pulsing field"),
    ],
)
def test_invalid_times_are_refused_with_reason(wrong, sentence):
    with pytest.raises(KeyposeError, match=sentence):
        wrong()
