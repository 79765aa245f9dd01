"""Numba twins of `schedule`: arrays in, `out` filled, nothing raised. Importing this loads numba."""

from keypose.curves.kernels.arc_length import segment_of, steps_per_unit
from keypose.maths.arrays import Floats, Ints
from keypose.maths.kernel_switch import kernel


@kernel
def passing(times: Floats, table: Ints, t: Floats, out: Floats, start: int, stop: int) -> None:
    """Twin of `Passing.parameter` for samples start … stop. NaN gives NaN."""
    scale = steps_per_unit(times, table)
    first, last = times[0], times[times.shape[0] - 1]
    for sample in range(start, stop):
        segment = segment_of(times, table, scale, min(max(t[sample], first), last))
        share = (t[sample] - times[segment]) / (times[segment + 1] - times[segment])
        if share < 0.0:
            share = 0.0
        if share > 1.0:
            share = 1.0
        out[sample] = segment + share
