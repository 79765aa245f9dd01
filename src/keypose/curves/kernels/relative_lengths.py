"""Numba twin of what `shapes` derives for the segments that stretch: arrays in, `out` filled, nothing raised."""

import numpy as np

from keypose.curves.kernels.records import ResizedSegments
from keypose.maths import Floats, kernel


@kernel
def relative_quartics(
    segments: ResizedSegments,
    carrier_positions: Floats,
    carrier_orientations: Floats,
    out: Floats,
    start: int,
    stop: int,
) -> None:
    """Fill `out` (n · segments, 1, 5) with |dP/ds|² of each segment at the instants start … stop.

    Relative keys are in the frames `carrier_positions` (n, relative keys, 3) and `carrier_orientations`
    (n, relative keys, 4).
    """
    keys, positions, relative_index, tcb = segments.keys, segments.positions, segments.relative_index, segments.tcb
    p = np.empty((4, 3))
    chord = np.empty((3, 3))
    span = np.empty(3)
    for i in range(start, stop):
        for j in range(keys.shape[1]):
            for k in range(4):
                key = keys[k, j]
                x, y, z = positions[key, 0], positions[key, 1], positions[key, 2]
                slot = relative_index[key]
                if slot >= 0:
                    w, a, b, c = (
                        carrier_orientations[i, slot, 0],
                        carrier_orientations[i, slot, 1],
                        carrier_orientations[i, slot, 2],
                        carrier_orientations[i, slot, 3],
                    )
                    ax, ay, az = 2 * (b * z - c * y), 2 * (c * x - a * z), 2 * (a * y - b * x)
                    x, y, z = (
                        carrier_positions[i, slot, 0] + (x + w * ax + (b * az - c * ay)),
                        carrier_positions[i, slot, 1] + (y + w * ay + (c * ax - a * az)),
                        carrier_positions[i, slot, 2] + (z + w * az + (a * ay - b * ax)),
                    )
                p[k, 0], p[k, 1], p[k, 2] = x, y, z
            for k in range(3):
                for axis in range(3):
                    chord[k, axis] = p[k + 1, axis] - p[k, axis]
            for axis in range(3):
                if segments.is_first[j]:
                    chord[0, axis] = chord[1, axis]
                if segments.is_last[j]:
                    chord[2, axis] = chord[1, axis]
            for k in range(3):
                x, y, z = chord[k, 0], chord[k, 1], chord[k, 2]
                span[k] = np.sqrt(x * x + y * y + z * z)
            leave_in, leave_out = chord_weights(tcb, keys[1, j], span[0], span[1], 1.0)
            arrive_out, arrive_in = chord_weights(tcb, keys[2, j], span[2], span[1], -1.0)
            row = i * keys.shape[1] + j
            for power in range(5):
                out[row, 0, power] = 0.0
            for axis in range(3):
                own = chord[1, axis]
                leave = leave_in * chord[0, axis] + leave_out * own
                arrive = arrive_in * own + arrive_out * chord[2, axis]
                c1 = 2 * (3 * own - 2 * leave - arrive)
                c2 = 3 * (leave + arrive - 2 * own)
                out[row, 0, 0] += leave * leave
                out[row, 0, 1] += 2 * leave * c1
                out[row, 0, 2] += c1 * c1 + 2 * leave * c2
                out[row, 0, 3] += 2 * c1 * c2
                out[row, 0, 4] += c2 * c2


@kernel
def chord_weights(tcb: Floats, key: int, other: float, own: float, sense: float) -> tuple[float, float]:
    """What the chords count for in a key's tangent on its own side: that of the other side, and that of its own.

    Twin of `tangents.tcb_tangents` for one key: `sense` is 1 for the side that leaves, -1 for the one that
    arrives.
    """
    tension, continuity, bias = tcb[key, 0], tcb[key, 1], sense * tcb[key, 2]
    half = (1 - tension) / 2
    of_own = 2 * own / (other + own) if other + own > 0.0 else 1.0
    return (1 + continuity) * (half * (1 + bias)) * of_own, (1 - continuity) * (half * (1 - bias)) * of_own
