"""Limits of facing directions, shared by the reference in `facing` and its kernels."""

import numpy as np

MIN_DIRECTION = 1e-12  # a direction shorter than this points nowhere
GRAVITY = 9.81  # [m/s²]
MAX_BANK = np.pi / 2  # [rad] no bank tips an actor over
