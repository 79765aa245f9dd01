"""At which instants is a frame taken? At N + 1 of them, both ends included (BH89 §5, without its loop).

Adding up a step, as the paper's loop does, misses frame 0 and takes one too many in half the cases. Here frames are
counted first and then placed: the first at 0, the last exactly at the end.
"""

import math

import numpy as np

from keypose.errors import KeyposeError
from keypose.maths import MAX_MAGNITUDE, Floats, parse_number

MAX_FRAMES = 100_000_000
FRAME_TOLERANCE = 1e-6  # of a frame: a duration that ends this shortly after a frame ends on it
MIN_FPS, MAX_FPS = 1e-9, 1e9  # frames per second: one in thirty years, and far beyond any camera


def frame_count(duration: float, fps: float) -> int:
    """How many frames show `duration` [s], both ends included: round(duration · fps) + 1, and never less than 2."""
    return _frame_steps(*_check_duration(duration, fps)) + 1


def covering_frame_count(duration: float, fps: float) -> int:
    """The number of frames at 0, 1/fps … that include the end of `duration` [s]: ceil(duration · fps) + 1, at least 2.

    A duration that ends within `FRAME_TOLERANCE` of a frame ends on that frame.
    """
    seconds, rate = _check_duration(duration, fps)
    _check_frame_limit(seconds, rate)
    return max(1, math.ceil(seconds * rate - FRAME_TOLERANCE)) + 1


def frame_times(duration: float, fps: float) -> Floats:
    """The instant of every frame [s], (frame_count,): evenly spaced, first exactly 0, last exactly `duration`.

    Where duration · fps is no whole number, the spacing is the nearest to 1/fps that fits.
    """
    seconds, rate = _check_duration(duration, fps)
    steps = _frame_steps(seconds, rate)
    times = np.arange(steps + 1) * seconds / steps  # placed, not added up: no error grows along the way
    times[-1] = seconds
    return times


def check_fps(fps: float) -> float:
    """`fps` as a float, if it is a frame rate at all."""
    rate = parse_number(fps, "Frames per second")
    if rate <= 0:
        raise KeyposeError(f"Frames per second must be more than 0, but fps is {rate:g}. Film runs at 24.")
    if not MIN_FPS <= rate <= MAX_FPS:
        raise KeyposeError(f"{rate:g} frames per second are not between {MIN_FPS:g} and {MAX_FPS:g}. Film runs at 24.")
    return rate


def _check_duration(duration: float, fps: float) -> tuple[float, float]:
    seconds = parse_number(duration, "A duration")
    if seconds <= 0:
        raise KeyposeError(f"A duration must be longer than 0 s, but it is {seconds:g} s.")
    if seconds > MAX_MAGNITUDE:
        raise KeyposeError(f"A duration of {seconds:g} s is beyond {MAX_MAGNITUDE:g} s. Give it in seconds.")
    return seconds, check_fps(fps)


def _frame_steps(seconds: float, rate: float) -> int:
    _check_frame_limit(seconds, rate)
    return max(1, round(seconds * rate))


def _check_frame_limit(seconds: float, rate: float) -> None:
    if seconds * rate > MAX_FRAMES:
        raise KeyposeError(
            f"{seconds:g} s at {rate:g} frames per second are more than {MAX_FRAMES:,} frames. "
            "Take fewer per second, or a shorter duration."
        )
