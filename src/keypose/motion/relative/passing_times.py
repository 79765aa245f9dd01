"""When is each carried key passed? The story of a rendez-vous, told from moment to moment (LG95 §4).

On a timed path a key is passed at its time. Otherwise at the earliest instant at which the travelled share reaches the
key's share of the length, carriers taken at that instant. Distance never decreases: where the path ahead shrinks faster
than it is travelled, the actor waits; and where the next key will come nearer than the actor would have gone by then,
it waits for the key where that will be. What nobody can know may push it back: a carrier that takes ticks, or a change
while it runs.

Between the moments looked at, what happens is found by looking closer wherever the way bends so much that it may turn.
"""

from dataclasses import replace

import numpy as np

from keypose.maths import Floats
from keypose.motion.relative.approach_limits import approach_limits
from keypose.motion.relative.corner_times import CornerTimes, no_corners
from keypose.motion.relative.pass_log import PassLog
from keypose.motion.relative.relative_motion import PoseLookup, RelativeMotion
from keypose.motion.relative.root_search import Samples, TimeFunction, first_root, refine_samples, running_peaks

SAMPLES_PER_SECOND, MIN_SAMPLES, MAX_SAMPLES = 48, 64, 20_000  # where a path is looked at first
SAMPLES_PER_CORNER = 4  # looks
CORNER_OFFSET = 1e-9  # of the time from corner to corner: just before or after one
MIN_BATCH, MAX_BATCH = 8, 128  # looks: a pinned key changes what comes after it
SEGMENTS_PER_BATCH = 512  # segments: so many are measured while one look makes up its mind


def solve_passing_times(
    relative_motion: RelativeMotion,
    lookup: PoseLookup,
    corners: CornerTimes = no_corners,
    log: PassLog | None = None,
    start_time: float = -np.inf,
) -> PassLog:
    """The whole story, for carriers that are functions of time and turn abruptly at `corners` at most.

    A `log` that is known up to the moment `start_time` is told on from there.
    """
    log = relative_motion.empty_log if log is None else log
    if relative_motion.is_timed:
        return advance_log(
            relative_motion,
            log,
            np.array([max(start_time, log.passed_at[0]), max(start_time, log.passed_at[-1])]),
            lookup,
        )
    first, last = (max(start_time, time) for time in relative_motion.motion.span)
    samples = int(np.clip(SAMPLES_PER_SECOND * (last - first), MIN_SAMPLES, MAX_SAMPLES))
    times = sample_times(np.linspace(first, last, samples + 1), corners(first, last))
    return advance_log(relative_motion, log, times, lookup, knows_future=True)


def sample_times(times: Floats, corners: Floats) -> Floats:
    """Moments to look at (n,): these times, the corners between them, and some from each of all these to the next.

    From corner to corner carriers move smoothly, so that some looks show what they do there; at a corner they may turn,
    or be elsewhere all at once: looks just before and after it show how they come there and leave.
    """
    if not len(corners):
        return times
    bounds = np.unique(np.concatenate([times[[0, -1]], corners]))
    between = np.arange((len(bounds) - 1) * SAMPLES_PER_CORNER + 1) / SAMPLES_PER_CORNER
    corner = np.arange(len(bounds) - 1)
    between = np.concatenate([between, corner + CORNER_OFFSET, corner + 1 - CORNER_OFFSET])
    return np.union1d(times, np.interp(between, np.arange(len(bounds)), bounds))


def advance_log(
    relative_motion: RelativeMotion, log: PassLog, times: Floats, lookup: PoseLookup, *, knows_future: bool = False
) -> PassLog:
    """The story told on through these moments, in order; the first of them may have been told already.

    Where the future is `knows_future`, nobody goes further than the next key will come to meet him.
    """
    if relative_motion.motion.outside != "hold":  # it passes its keys again and again: what counts is the first time
        times = np.unique(np.minimum(times, relative_motion.motion.span[1]))
    if relative_motion.is_timed:
        return _pin_timed_keys(relative_motion, log, times, lookup)
    min_count = int(
        np.clip(
            SEGMENTS_PER_BATCH // max(len(relative_motion.relative_path.changing_segments), 1), MIN_BATCH, MAX_BATCH
        )
    )
    count, samples = min_count, list[Samples]()
    while log.next_key < len(log.passed_at):
        batch = times[:count]
        distances = _distance_function(relative_motion, log, lookup)
        log, pass_time, batch_samples = _advance_to_next_pass(relative_motion, log, batch, distances)
        samples.append(batch_samples)
        if pass_time is not None:
            limits = approach_limits(distances, samples, log) if knows_future else None
            log = _add_pass(relative_motion, log, pass_time, lookup)
            log = log if limits is None else log.with_limits(*limits)
            samples = []
            count = int(np.clip(2 * np.searchsorted(batch, pass_time), min_count, MAX_BATCH))
            times = np.append(pass_time, times[times > pass_time])
        elif len(batch) < len(times):
            times = times[len(batch) - 2 :]  # a way that is furthest between two looks shows only in the third
            count = min(2 * count, MAX_BATCH)
        else:
            break
    return log


def truncate_log(relative_motion: RelativeMotion, log: PassLog, time: float) -> PassLog:
    """The story as it was known at a moment [s]."""
    is_later = log.passed_at[relative_motion.distance_key_indices] > time
    positions, orientations = (
        np.where(is_later[:, None], np.nan, values) for values in (log.carrier_positions, log.carrier_orientations)
    )
    passed_at = log.passed_at if relative_motion.is_timed else np.where(log.passed_at > time, np.inf, log.passed_at)
    return replace(log.until(time), passed_at=passed_at, carrier_positions=positions, carrier_orientations=orientations)


def transfer_log(
    old_motion: RelativeMotion, log: PassLog, relative_motion: RelativeMotion, time: float
) -> PassLog | None:
    """The story so far of a motion that is another from this moment on; None if its carried keys are not the same."""
    is_same = old_motion.carriers == relative_motion.carriers and old_motion.is_timed == relative_motion.is_timed
    if not is_same or not np.array_equal(
        old_motion.relative_path.relative_keys, relative_motion.relative_path.relative_keys
    ):
        return None
    known_log = truncate_log(old_motion, log, time)
    if not relative_motion.is_timed:
        return (
            known_log
            if np.array_equal(old_motion.relative_path.distance_keys, relative_motion.relative_path.distance_keys)
            else None
        )
    is_later = relative_motion.empty_log.passed_at[relative_motion.distance_key_indices] > time
    positions, orientations = (
        np.where(is_later[:, None], np.nan, values)
        for values in (known_log.carrier_positions, known_log.carrier_orientations)
    )
    return replace(relative_motion.empty_log, carrier_positions=positions, carrier_orientations=orientations)


def _pin_timed_keys(relative_motion: RelativeMotion, log: PassLog, times: Floats, lookup: PoseLookup) -> PassLog:
    """The story of a timed path, its keys pinned as far as their times have come."""
    passed_at = log.passed_at[relative_motion.distance_key_indices]
    for index in np.flatnonzero(relative_motion.pin_flags & ~log.is_pinned & (passed_at <= times[-1])).tolist():
        log = relative_motion.pin_key(log, index, max(passed_at[index], times[0]), lookup)
    return log


def _distance_function(relative_motion: RelativeMotion, log: PassLog, lookup: PoseLookup) -> TimeFunction:
    """How far an actor wants to be at times (n,) past the next key and past the last one: (n, 2) [m]."""
    keys = [log.next_key, log.next_key - 1]

    def distances(t: Floats) -> Floats:
        schedule = relative_motion.distance_schedule(t, lookup, log)
        return schedule.target_distance[:, None] - schedule.distances_at_keys[:, keys]

    return distances


def _advance_to_next_pass(
    relative_motion: RelativeMotion, log: PassLog, times: Floats, distances: TimeFunction
) -> tuple[PassLog, float | None, Samples]:
    """The story told until the next key is passed or the times are over, when that is passed, and what was seen."""
    if log.next_key == 0:
        start_time = relative_motion.motion.span[0]
        return log, None if times[-1] < start_time else max(start_time, float(times[0])), (times[:0], np.empty((0, 2)))
    times, values = refine_samples(distances, times, float(log.hold_distances[-1]))
    pass_time = first_root(lambda t: distances(t)[:, 0], times, values[:, 0])
    if pass_time is not None:
        is_before = times < pass_time
        times, values = (
            np.append(times[is_before], pass_time),
            np.append(values[is_before], distances(np.array([pass_time])), axis=0),
        )
    return _add_holds(log, lambda t: distances(t)[:, 1], times, values[:, 1]), pass_time, (times, values)


def _add_pass(relative_motion: RelativeMotion, log: PassLog, time: float, lookup: PoseLookup) -> PassLog:
    """The story with the next key passed at this moment, and pinned if it is carried so far."""
    key = log.next_key
    log = log.with_pass(time)
    for index in np.flatnonzero((relative_motion.distance_key_indices == key) & relative_motion.pin_flags).tolist():
        log = relative_motion.pin_key(log, index, time, lookup)
    return log


def _add_holds(log: PassLog, distance: TimeFunction, times: Floats, distances: Floats) -> PassLog:
    """The log with a hold wherever `distances` (n,) ahead of the last passed key decrease at these times."""
    for time, peak in running_peaks(distance, times, distances, float(log.hold_distances[-1])):
        log = log.with_hold(max(time, float(log.hold_times[-1])), peak)
    return log
