"""Limits of facing directions, shared by the reference in `facing` and its kernels."""

import numpy as np

PARALLEL_TOLERANCE = 1e-9  # sine below which a direction and up are one line
MIN_DIRECTION = 1e-12  # a direction shorter than this points nowhere
GRAVITY = 9.81  # [m/s²]
MAX_BANK = np.pi / 2  # [rad] no bank tips an actor over
