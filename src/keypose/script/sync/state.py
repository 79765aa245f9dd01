"""The state of all meetings at one tick: a value that is rewound with everything else."""

from dataclasses import dataclass

from keypose.motion import MeetingEvent, SyncRecords


@dataclass(frozen=True, eq=False)
class SyncState:
    """All meetings at one tick."""

    records: SyncRecords
    """Read-only."""
    clocks_changed: bool
    """Whether clocks are to be regulated at the next tick, and not only after a period."""
    since_regulated: float
    """[s]"""
    wants_delay_reason: bool
    """Whether a delay will be reported at the next regulation: its reason is worth finding."""
    events: tuple[MeetingEvent, ...]
    keeps_itself = True  # its arrays are read-only, and its events are shared
