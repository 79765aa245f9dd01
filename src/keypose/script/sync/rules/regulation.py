"""The regulation of all speeds at once (LG95 §5), every REGULATION_PERIOD. `kernels.regulation` does it compiled."""

from keypose.maths import Bools, Floats
from keypose.motion import Distances, SyncGraph, SyncRecords
from keypose.script.sync.rules.arrivals import mark_bodies
from keypose.script.sync.rules.delays import HAS_EVENT, update_delays
from keypose.script.sync.rules.speed_factors import (
    SpeedFactors,
    allocate_speed_factors,
    smooth_speed_factor,
    update_efficiency,
)


def regulate(
    graph: SyncGraph, records: SyncRecords, progress: Floats, distances: Distances, time: float, seconds: float
) -> int:
    """Regulate the speed factors of channels at `progress` (channels,), `seconds` after the last time.

    The speed factors of meetings are allocated by measured efficiencies, and approached smoothly. Return flags of all
    delays: HAS_EVENT, EVENT_SOON and LONG_WAIT, see `delays`.
    """
    update_efficiency(graph, records, progress, distances, seconds)
    has_arrivals = mark_bodies(graph, records, distances.distance_left, time, seconds)
    flags = update_delays(graph, records, progress, distances, seconds)
    factors = _allocate(graph, records, progress, distances.distance_left)
    records.channels["speed_factor"][:] = [
        smooth_speed_factor(state.speed_factor, desired, channel.reaction, seconds, is_free)
        for channel, state, desired, is_free in zip(
            graph.channels, records.channels, factors.desired_factor.tolist(), factors.is_free.tolist(), strict=True
        )
    ]
    records.channels["last_progress"][:] = progress
    return flags | HAS_EVENT if has_arrivals else flags


def set_initial_speeds(
    graph: SyncGraph, records: SyncRecords, progress: Floats, distance_left: Floats, is_new: Bools
) -> None:
    """Set new channels (channels,) to their allocated speed factors: they have no speed that must change smoothly."""
    factors = _allocate(graph, records, progress, distance_left)
    records.channels["speed_factor"][is_new] = factors.desired_factor[is_new]


def _allocate(graph: SyncGraph, records: SyncRecords, progress: Floats, distance_left: Floats) -> SpeedFactors:
    """Allocate speed factors, and keep in the records what other rules read of that."""
    factors = allocate_speed_factors(graph, records, progress, distance_left)
    records.goals["own_time"][:], records.goals["is_early"][:] = factors.own_time, factors.is_early
    records.meetings["time_left"][:] = factors.meeting_time
    return factors
