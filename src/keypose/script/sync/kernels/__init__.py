"""Numba kernels of the synchronization rules."""
