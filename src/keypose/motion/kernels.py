"""Numba twins of `hierarchy`: arrays in, `out` filled, nothing raised. Importing this loads numba."""

import numpy as np
from numpy.typing import NDArray

from keypose.maths.kernel import kernel

Floats = NDArray[np.float64]


@kernel
def stand(
    carrier: Floats, turn: Floats, places: Floats, facings: Floats, out: Floats, faced: Floats, start: int, stop: int
) -> None:
    """Twin of `hierarchy.stood_on` for instants start … stop; places are (n, points, 3)."""
    for i in range(start, stop):
        w, x, y, z = turn[i, 0], turn[i, 1], turn[i, 2], turn[i, 3]
        for point in range(places.shape[1]):
            px, py, pz = places[i, point, 0], places[i, point, 1], places[i, point, 2]
            ax, ay, az = 2 * (y * pz - z * py), 2 * (z * px - x * pz), 2 * (x * py - y * px)
            out[i, point, 0] = carrier[i, 0] + (px + w * ax + (y * az - z * ay))
            out[i, point, 1] = carrier[i, 1] + (py + w * ay + (z * ax - x * az))
            out[i, point, 2] = carrier[i, 2] + (pz + w * az + (x * ay - y * ax))
        bw, bx, by, bz = facings[i, 0], facings[i, 1], facings[i, 2], facings[i, 3]
        faced[i, 0] = w * bw - (x * bx + y * by + z * bz)
        faced[i, 1] = w * bx + bw * x + (y * bz - z * by)
        faced[i, 2] = w * by + bw * y + (z * bx - x * bz)
        faced[i, 3] = w * bz + bw * z + (x * by - y * bx)
