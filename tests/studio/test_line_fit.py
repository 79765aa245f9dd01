"""A line drawn with the mouse is kept with as few keys as a person can go on with, and moves as the mouse did."""

import numpy as np
import pytest

from keypose.studio.edits.line_fit import FIT_TOLERANCE, fit_motion

T = np.arange(230) / 60
REST_INTERVAL = (1.3, 2.1)  # [s], between a stroke and a circle


def smoothstep(share):
    share = np.clip(share, 0, 1)
    return share * share * (3 - 2 * share)


def hand_positions(t):
    """A hand that draws a stroke, rests for a second and draws a circle, (n, 3) [m]."""
    stroke, turn = smoothstep(t / 1.2), 2 * np.pi * smoothstep((t - 2.2) / 1.4)
    line = np.stack([4 * stroke - 2, 1.5 * np.sin(3 * stroke), 0 * t], axis=1)
    return line + 1.2 * np.stack([1 - np.cos(turn), np.sin(turn), 0 * t], axis=1)


SAMPLED_LINES = {
    "as it is": hand_positions(T),
    "in pixels": np.round(hand_positions(T) / 0.02) * 0.02,
    "by a mouse that tells every other tick": np.repeat(hand_positions(T)[::2], 2, axis=0),
}


@pytest.mark.parametrize("positions", SAMPLED_LINES.values(), ids=SAMPLED_LINES)
def test_fitted_line_has_few_keys_and_follows_the_mouse(positions):
    fitted = fit_motion(T, positions)
    size = np.linalg.norm(np.ptp(positions, axis=0))
    off = np.linalg.norm(fitted.at(T).position - hand_positions(T)[:, :2], axis=1)
    assert len(fitted.path) <= 24
    assert off.max() < 2.5 * FIT_TOLERANCE * size  # half of a tick's way is the mouse's own
    assert fitted.span == (T[0], T[-1])
    resting = fitted.at(np.linspace(*REST_INTERVAL, 50)).position
    assert np.ptp(resting, axis=0).max() < FIT_TOLERANCE * size


def test_fitted_line_has_no_superfluous_key():
    fitted = fit_motion(T, hand_positions(T))
    assert np.linalg.norm(fitted.at(T).position - hand_positions(T)[:, :2], axis=1).max() < 1.1 * FIT_TOLERANCE * 5.8
    keys = np.array([key.position for key in fitted.path.keys])
    same = np.all(keys[:-1] == keys[1:], axis=1)
    assert not (same[:-1] & same[1:]).any()  # a rest has two keys at most
