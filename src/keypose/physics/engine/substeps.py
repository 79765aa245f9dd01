"""When is a step too long? Where two meet so fast that one would go deep into the other, it is taken in halves."""

from math import ceil, log2

from keypose.physics.engine.contact_model import HARDNESS
from keypose.physics.values.movers import TICK

DEEP = 0.25  # of the smallest body: who would go deeper into another is looked at again in smaller steps
SHALLOW, CALM = 0.1, 25  # of that: when all contacts are no deeper for so many ticks, steps are as long as before
TWICE = 2.5  # as fast as the fastest two may meet, and a little more: bodies go on while they are looked at
FINEST = 3  # how often a step is halved at most


def hasty(deepest: float) -> float:
    """How fast somebody must be [m/s] before it can go so deep into another [m]: below, no step need be remembered."""
    return deepest * HARDNESS / (TWICE * TICK)


def finer(speed: float, deepest: float) -> int:
    """How often a step is to be halved so that those who have met so fast [m/s] do not go deep into each other."""
    depth = speed * TICK / HARDNESS
    return min(FINEST, ceil(log2(depth / deepest))) if depth > deepest else 0


def calmed(halved: int, calm: int, depth: float, deepest: float) -> tuple[int, int]:
    """How often a step is halved from now on, and for how many ticks it need not have been, if contacts are so deep."""
    calm = 0 if depth > SHALLOW * deepest else calm + 1
    return (0 if calm > CALM else halved), calm
