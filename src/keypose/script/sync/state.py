"""What is known of all appointments at one tick? A value that is rewound with everything else.

A plan, and how it is kept: what a company of bodies or clocks asks for (see `motion.sync_protocol`).
"""

from dataclasses import dataclass

from keypose.maths import Bools, Floats, Ints
from keypose.motion import MeetingEvent


@dataclass(frozen=True, eq=False)
class SyncState:
    """All appointments at one tick."""

    state: Ints
    """(meetings,)"""
    reached_at: Floats
    """(goals,) when [s]; -1 if not yet."""
    is_early: Bools
    """(goals,) whether it has to stop for others: it would be too early, or its body has come and they have not."""
    holds_target: Bools
    """(goals,) whether its target stays there until its body has come, as its path leads back from there."""
    late_for: Floats
    """(meetings,) for how long somebody it waits for hardly moves [s]."""
    blocked_for: Floats
    """(meetings,) for how long somebody it waits for stands still [s]."""
    waiting_for: Floats
    """(meetings,) for how long others hold somebody it waits for [s]."""
    previous_distance: Floats
    """(goals,) how far each was when speeds were last regulated; infinite before that."""
    delay_cause: Ints
    """(goals,) who is to blame for a delay, see `kernels`."""
    efficiency: Floats
    """(strands,)"""
    speed_factor: Floats
    stop_at: Floats
    last_progress: Floats
    """(strands,) where each was when speeds were last regulated, `since` seconds ago."""
    clock: Floats
    """(clocks,) what time it is for each motion that goes by its own [s]"""
    clock_rate: Floats
    """(clocks,) how fast each goes"""
    clock_wait: Floats
    """(clocks,) in how many seconds the others let it pass where it is held"""
    clocks_changed: bool
    """Whether clocks are to be regulated at the next tick, and not only when it is time."""
    since_regulated: float
    wants_delay_reason: bool
    """Whether a delay is told of next time, so that it is worth while to see what is in somebody's way."""
    events: tuple[MeetingEvent, ...]
    keeps_itself = True  # all of it is finite and read-only, and what was told is shared
