"""The mathematics under the motion: arrays in, arrays out, nothing about animation.

Each file holds one subject in numpy that reads like the papers; that code is the definition. `kernels` holds the
numba twins that carry the load, and `kernel` decides when a twin is worth loading.
"""
