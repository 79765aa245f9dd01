"""Named sets of tension, continuity and bias."""

import pickle

import numpy as np
import pytest

from keypose import Key, KeyposeError, MotionPath, effects
from keypose.curves.effects import Effect

EFFECT_NAMES = ["overshoot", "undershoot", "corner", "tight", "loose", "still", "linear"]


def test_overshoot_has_the_values_of_the_paper():
    assert dict(effects.overshoot) == {"tension": -0.3, "continuity": 0, "bias": 1}


@pytest.mark.parametrize("name", EFFECT_NAMES)
def test_a_named_effect_unpacks_into_a_key(name):
    effect = getattr(effects, name)
    key = Key((1, 2), **effect)
    assert {word: getattr(key, word) for word in effect} == dict(effect)


@pytest.mark.parametrize("name", EFFECT_NAMES)
def test_effects_are_immutable_and_compare_by_value(name):
    effect = getattr(effects, name)
    again = eval(repr(effect), {"Effect": Effect})
    assert again == effect == pickle.loads(pickle.dumps(effect))
    assert hash(again) == hash(effect)
    with pytest.raises(TypeError):
        effect["tension"] = 0.5


def test_custom_effect_can_be_defined():
    snap = effects.Effect(tension=0.4, bias=np.float32(-0.5))
    assert Key((0, 0), **snap) == Key((0, 0), tension=0.4, continuity=0, bias=-0.5)
    assert repr(snap) == "Effect(tension=0.4, bias=-0.5)"


@pytest.mark.parametrize("wrong", ["0.5", True, None, np.nan, np.inf, [0.5], 1j, 10**400])
@pytest.mark.parametrize("word", ["tension", "continuity", "bias"])
def test_nonfinite_effect_values_are_refused(word, wrong):
    with pytest.raises(KeyposeError, match=f"An effect's {word} is .*Give a finite number"):
        Effect(**{word: wrong})


def test_still_stops_and_corner_breaks_at_full_speed():
    places = [(0, 0), (1, 0), (1, 1)]
    still = MotionPath([places[0], Key(places[1], **effects.still), places[2]])
    corner = MotionPath([places[0], Key(places[1], **effects.corner), places[2]])
    assert not still.arrive[1].any()
    assert not still.leave[1].any()
    assert corner.arrive[1].tolist() == [1, 0]
    assert corner.leave[1].tolist() == [0, 1]


def test_overshoot_follows_through_and_undershoot_turns_early():
    def shape_parameters(effect):
        return MotionPath([(0, 0), Key((1, 0), **effect), (1, 1)]).leave[1].tolist()

    assert shape_parameters(effects.overshoot) == [1.3, 0]
    assert shape_parameters(effects.undershoot) == [0, 1.3]
    assert shape_parameters(effects.tight) == [0.25, 0.25]
    assert shape_parameters(effects.loose) == [0.75, 0.75]


@pytest.mark.parametrize("adjust", [None, "none", "time", "velocity", "length", "unit"])
def test_linear_is_straight_at_constant_speed_for_unequal_times(adjust):
    times, places = [0, 1, 4, 4.5], np.array([[0, 0], [1, 2], [7, 1], [8, 8.0]])
    keys = [Key(place, time=time, **effects.linear) for place, time in zip(places, times, strict=True)]
    path = MotionPath(keys, adjust=adjust)
    s = np.linspace(0, 1, 11)[:-1]
    for segment, chord in enumerate(np.diff(places, axis=0)):
        np.testing.assert_allclose(path.at(segment + s), places[segment] + s[:, None] * chord, rtol=0, atol=2e-15)
        np.testing.assert_allclose(path.velocity(segment + s), np.tile(chord, (10, 1)), rtol=0, atol=1e-14)
