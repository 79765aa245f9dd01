"""What does a motion's clock show outside its span if it does not hold? It starts over, or runs back and forth."""

import numpy as np

from keypose.errors import KeyposeError
from keypose.maths import Bools, Floats

NO_REPEAT, CYCLE, MIRROR = 0.0, 1.0, 2.0  # how many times its span a lap takes: there, and back if it mirrors


def check_finite(t: Floats) -> None:
    """Refuse moments at which a motion that repeats is nowhere."""
    if not np.isfinite(t).all():
        raise KeyposeError("A motion that repeats was asked for an infinite time. Give finite seconds.")


def fold_times(
    t: Floats, start: float | Floats, first: float | Floats, last: float | Floats, lap_spans: float | Floats
) -> tuple[Floats, Bools]:
    """The moment first … last [s] that a clock started at `start` shows at each t, and whether it runs back there.

    `lap_spans` is CYCLE or MIRROR. For several clocks at once all of these are arrays that match t.
    """
    elapsed, length = t - start, last - first
    inside = (t >= start + first) & (t <= start + last)
    lap = lap_spans * length
    phase = np.where(inside, np.minimum(np.maximum(elapsed - first, 0.0), length), np.mod(elapsed - first, lap))
    is_backward = phase > length
    return first + np.where(is_backward, lap - phase, phase), is_backward
