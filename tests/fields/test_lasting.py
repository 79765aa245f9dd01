"""A field may last for a while, come and go, or swing to and fro."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from keypose.errors import KeyposeError
from keypose.fields import Uniform
from tests.fields.asking import PLACES, TIMES, above, for_any, numbers, placed

WIND = Uniform((1, 0, 0))


def strengths(field, t):
    return field.at(np.zeros((len(t), 3)), t)[:, 0]


@for_any(placed, numbers, above)
def test_a_field_lasts_from_its_start_up_to_its_stop(field, start, long):
    lasting = field.during(start, start + long).at(PLACES, TIMES)
    on = (start <= TIMES) & (start + long > TIMES)
    assert_allclose(lasting[on], field.at(PLACES, TIMES)[on], atol=1e-12)
    assert_array_equal(lasting[~on], 0)


def test_two_fields_one_after_the_other_never_push_together():
    both = WIND.during(0, 1) + WIND.during(1, 2)
    assert_array_equal(strengths(both, np.array([-0.1, 0, 0.5, 1, 1.5, 2])), [0, 1, 1, 1, 1, 0])


def test_a_fade_comes_and_goes_inside_the_time_it_lasts():
    fading = WIND.during(1, 3, fade=0.5)
    assert_allclose(strengths(fading, np.array([1, 1.25, 1.5, 2.5, 2.75, 3])), [0, 0.5, 1, 1, 0.5, 0])
    slope = np.gradient(strengths(fading, np.linspace(0, 4, 4001)), 1e-3)
    assert np.abs(np.diff(slope)).max() < 0.03


@for_any(placed, above, numbers)
def test_a_pulsing_field_is_whole_every_period_and_turned_round_halfway(field, period, start):
    pulsing = field.pulsing(period, start=start)
    whole = np.full(len(PLACES), start + 3 * period)
    for t, share in ((whole, 1), (whole + period / 4, 0), (whole + period / 2, -1)):
        assert_allclose(pulsing.at(PLACES, t), share * field.at(PLACES, t), atol=1e-9)


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
def test_what_is_wrong_is_said_in_a_sentence(wrong, sentence):
    with pytest.raises(KeyposeError, match=sentence):
        wrong()
