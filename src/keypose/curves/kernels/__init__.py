"""Numba twins of the curves' definitions: arrays in, `out` filled, nothing raised. Importing them loads numba."""
