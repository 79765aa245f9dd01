"""Bitwise comparisons need the kernels from the start, and scenes of these tests need their movers to be savable."""

from keypose.maths import hermite_kernels
from tests.document.stage_samples import Hopper

assert hermite_kernels
assert Hopper
