"""How often a step is halved where bodies meet so fast that one would go deep into the other."""

from math import ceil, log2

import numpy as np

from keypose.maths import Floats
from keypose.physics.engine.contact_model.restitution import CONTACT_FREQUENCY
from keypose.physics.values.movers import TICK

DEEP_FRACTION = 0.25  # of the smallest body: a collision that would be deeper is repeated with shorter steps
SETTLED_FRACTION, SETTLED_TICKS = (
    0.1,
    25,
)  # of that: when all contacts are no deeper for so many ticks, steps are as long as before
SPEED_MARGIN = 2.5  # as fast as the fastest two may meet, and a little more: bodies go on while they are looked at
MAX_SUBSTEP_LEVEL = 3  # how often a step is halved at most


def deep_contact(half_widths: Floats) -> float:
    """Depth [m] from which a contact counts as deep: a share of half the narrowest moving body."""
    return DEEP_FRACTION * float(half_widths.min(initial=np.inf))


def speed_limit(max_depth: float) -> float:
    """The speed [m/s] below which no body can penetrate another so deeply [m], so that no step has to be saved."""
    return max_depth * CONTACT_FREQUENCY / (SPEED_MARGIN * TICK)


def substep_level(speed: float, max_depth: float) -> int:
    """How often to halve a step so that bodies colliding at this speed [m/s] do not penetrate each other deeply."""
    depth = speed * TICK / CONTACT_FREQUENCY
    return min(MAX_SUBSTEP_LEVEL, ceil(log2(depth / max_depth))) if depth > max_depth else 0


def next_substep_level(level: int, settled_ticks: int, depth: float, max_depth: float) -> tuple[int, int]:
    """How often a step is halved from now on, and for how many ticks it need not have been, if contacts are so deep."""
    settled_ticks = 0 if depth > SETTLED_FRACTION * max_depth else settled_ticks + 1
    return (0 if settled_ticks > SETTLED_TICKS else level), settled_ticks
