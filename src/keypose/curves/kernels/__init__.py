"""Numba kernels of curves and the records they take: arrays in, `out` filled, nothing raised."""
