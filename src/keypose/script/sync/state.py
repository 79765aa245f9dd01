"""What is known of all appointments at one tick? A value that is rewound with everything else.

A plan, and how it is kept: what a company of bodies or clocks asks for (see `motion.sync_protocol`).
"""

from dataclasses import dataclass

from keypose.maths.arrays import Bools, Floats, Ints
from keypose.script.events import Appointment


@dataclass(frozen=True, eq=False)
class Kept:
    """All appointments at one tick."""

    state: Ints
    """(meetings,)"""
    reached: Floats
    """(goals,) when [s]; -1 if not yet."""
    early: Bools
    """(goals,) whether it has to stop for others: it would be too early, or its body has come and they have not."""
    stays: Bools
    """(goals,) whether its target stays there until its body has come, as its path leads back from there."""
    late_for: Floats
    """(meetings,) for how long somebody it waits for hardly moves [s]."""
    stuck_for: Floats
    """(meetings,) for how long somebody it waits for stands still [s]."""
    held_for: Floats
    """(meetings,) for how long others hold somebody it waits for [s]."""
    was_left: Floats
    """(goals,) how far each was when speeds were last regulated; infinite before that."""
    blame: Ints
    """(goals,) who is to blame for a delay, see `kernels`."""
    efficiency: Floats
    """(strands,)"""
    ease: Floats
    hold: Floats
    last: Floats
    """(strands,) where each was when speeds were last regulated, `since` seconds ago."""
    clock: Floats
    """(clocks,) what time it is for each motion that goes by its own [s]"""
    rate: Floats
    """(clocks,) how fast each goes"""
    wait: Floats
    """(clocks,) in how many seconds the others let it pass where it is held"""
    is_news: bool
    """Whether clocks are to be regulated at the next tick, and not only when it is time."""
    since: float
    asks: bool
    """Whether a delay is told of next time, so that it is worth while to see what is in somebody's way."""
    told: tuple[Appointment, ...]
    keeps_itself = True  # all of it is finite and read-only, and what was told is shared
