"""Kernels of `rules.regulation`: the regulation of all speeds at once."""

import numpy as np

from keypose.maths import Bools, Floats, kernel
from keypose.motion import Distances, SyncGraph, SyncRecords
from keypose.script.sync.kernels.arrivals import mark_bodies
from keypose.script.sync.kernels.delays import update_delays
from keypose.script.sync.kernels.speed_factors import update_efficiency, update_speed_factors
from keypose.script.sync.rules.delays import HAS_EVENT
from keypose.script.sync.rules.speed_factors import RELEASE_FRACTION


@kernel
def regulate(
    graph: SyncGraph, records: SyncRecords, progress: Floats, distances: Distances, time: float, seconds: float
) -> int:
    """Kernel of `rules.regulation.regulate`."""
    update_efficiency(graph, records, progress, distances, seconds)
    has_arrivals = mark_bodies(graph, records, distances.distance_left, time, seconds)
    flags = update_delays(graph, records, progress, distances, seconds)
    desired_factor, is_free = np.ones(len(progress)), np.ones(len(progress), np.bool_)
    update_speed_factors(graph, records, progress, distances.distance_left, desired_factor, is_free)
    for channel in range(len(progress)):
        channel_state = records.channels[channel]
        if desired_factor[channel] != channel_state.speed_factor:
            time_constant = graph.channels[channel].reaction * (RELEASE_FRACTION if is_free[channel] else 1.0)
            difference = desired_factor[channel] - channel_state.speed_factor
            channel_state.speed_factor += (1 - np.exp(-seconds / time_constant)) * difference
        channel_state.last_progress = progress[channel]
    return flags | HAS_EVENT if has_arrivals else flags


@kernel
def set_initial_speeds(
    graph: SyncGraph, records: SyncRecords, progress: Floats, distance_left: Floats, is_new: Bools
) -> None:
    """Kernel of `rules.regulation.set_initial_speeds`."""
    desired_factor, is_free = np.ones(len(progress)), np.ones(len(progress), np.bool_)
    update_speed_factors(graph, records, progress, distance_left, desired_factor, is_free)
    for channel in range(len(progress)):
        if is_new[channel]:
            records.channels[channel].speed_factor = desired_factor[channel]
