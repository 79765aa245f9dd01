"""Numba twins of the fields room: arrays in, `out` filled, nothing raised. Importing these loads numba."""
