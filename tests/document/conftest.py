"""Bits are compared here, so everything runs on the kernels from the start: they may differ from numpy in the last."""

from keypose.maths import hermite_kernels

assert hermite_kernels
