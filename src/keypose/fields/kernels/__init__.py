"""Numba kernels of fields and the records they take: arrays in, `out` filled, nothing raised."""
