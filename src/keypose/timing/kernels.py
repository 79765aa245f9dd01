"""Numba twins of `clocks`: arrays in, `out` filled, nothing raised. Importing this loads numba."""

from keypose.curves import find_segment, steps_per_unit
from keypose.maths import Floats, Ints, kernel


@kernel
def key_time_parameters(times: Floats, table: Ints, t: Floats, out: Floats, start: int, stop: int) -> None:
    """Twin of `KeyTimeClock.parameter` for samples start … stop. NaN gives NaN."""
    scale = steps_per_unit(times, table)
    first, last = times[0], times[times.shape[0] - 1]
    for sample in range(start, stop):
        segment = find_segment(times, table, scale, min(max(t[sample], first), last))
        fraction = (t[sample] - times[segment]) / (times[segment + 1] - times[segment])
        if fraction < 0.0:
            fraction = 0.0
        if fraction > 1.0:
            fraction = 1.0
        out[sample] = segment + fraction
