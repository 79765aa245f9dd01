"""Which timing holds for a motion? The one that was given, else the keys' own times, else a steady speed.

A profile ignores key times except at captured keys. Keys without a time between keys that have one come in proportion
to the distance between them.
"""

from collections.abc import Mapping
from itertools import pairwise

import numpy as np

from keypose.curves import MotionPath, closing_span
from keypose.errors import ErrorPath, KeyposeError, short_repr
from keypose.maths import Floats, as_number
from keypose.timing import KeyTimeClock, KeyTimes, SpeedClock, SpeedProfile

DURATION_TOLERANCE = 1e-9  # seconds: a duration this near to what the key times say does not contradict them
MAX_DURATION = 1e100
EPSILON = float(np.finfo(np.float64).eps)


def select_timing(
    path: MotionPath,
    timing: SpeedProfile | KeyTimes | None,
    duration: float | None,
    capture: Mapping[str | int, float],
) -> tuple[MotionPath, KeyTimeClock | SpeedClock]:
    """The path as this timing derives it, and the clock that runs along it."""
    if duration is not None:
        duration = _check_duration(duration)
    if not isinstance(capture, Mapping):
        raise KeyposeError(
            f'A motion was to capture {short_repr(capture)}. Give {{key: seconds}}, as {{"bounce": 0.75}}.'
        )
    key_times = path.keys.column("time")
    uses_key_times = timing is None and key_times is not None and bool((~np.isnan(key_times)).any())
    if isinstance(timing, KeyTimes) or uses_key_times:
        if capture:
            raise KeyposeError(
                "A motion by key times was asked to capture keys. Change their times instead.", at=("capture",)
            )
        times = timing.times if isinstance(timing, KeyTimes) else _fill_key_times(path, duration)
        return _key_time_clock(path, np.asarray(times), duration)
    if timing is not None and not isinstance(timing, SpeedProfile):
        raise KeyposeError(f"A motion was given {short_repr(timing)} as its timing. Give a SpeedProfile or KeyTimes.")
    if duration is None:
        seconds = np.nan if key_times is None else key_times[-1] - key_times[0]
        if key_times is not None and path.closed:
            seconds += closing_span(path.keys, path.options)
        if np.isnan(seconds):
            raise KeyposeError(
                "A motion has no duration, and its keys have no times. Give duration=… in seconds.", at=("duration",)
            )
        duration = float(seconds)
    profile = timing or SpeedProfile.steady()
    with ErrorPath("capture"):
        spans = _capture_points(path, profile, duration, capture)
    return path, SpeedClock(profile, duration, *spans)


def _check_duration(duration: float) -> float:
    seconds = as_number(duration)
    if seconds is None or not 0 < seconds <= MAX_DURATION:
        raise KeyposeError(f"A motion has duration {short_repr(duration)}. Give a number of seconds greater than zero.")
    return seconds


def _key_time_clock(path: MotionPath, times: Floats, duration: float | None) -> tuple[MotionPath, KeyTimeClock]:
    keys, with_return = len(path), len(path) + path.closed
    if len(times) not in (keys, with_return):
        more = f" (or {with_return}, with the return to the first)" if path.closed else ""
        raise KeyposeError(
            f"There are {len(times)} key times for a path of {keys} keys. Give one per key{more}.",
            at=("timing", "times"),
        )
    if path.closed and len(times) == keys:
        closing = path.options.closing or float(times[-1] - times[-2])
        times = np.append(times, times[-1] + closing)
    if (
        duration is not None
        and abs(duration - (times[-1] - times[0])) > DURATION_TOLERANCE + 4 * EPSILON * np.abs(times).max()
    ):
        raise KeyposeError(
            f"A motion has duration {duration:g} s, but its key times take {times[-1] - times[0]:g} s. "
            "Leave the duration out, or give a SpeedProfile, which ignores the key times.",
            at=("duration",),
        )
    closing_time: float | None = float(times[keys] - times[keys - 1]) if path.closed else None
    path_times = path.times
    is_same = (
        path_times is not None and np.array_equal(path_times, times[:keys]) and path.options.closing == closing_time
    )
    return path if is_same else path.timed(times[:keys], closing_time), KeyTimeClock(np.array(times))


def _fill_key_times(path: MotionPath, duration: float | None) -> Floats:
    """A time for every key: its own, or by distance between those that have one (KB84 keys on a GL95 path)."""
    times = np.array(path.keys.column("time"), dtype=np.float64)
    if not np.isnan(times).any():
        return times
    if path.closed and duration is not None:
        times = np.append(times, np.nan)  # the return to the first key, at the end of the duration
    known = np.flatnonzero(~np.isnan(times))
    if np.isnan(times[0]):
        if times[known[0]] <= 0:
            raise KeyposeError(
                f"Key {known[0]} is at {times[known[0]]:g} s, but key 0 before it has no time and would start at 0. "
                "Give key 0 a time.",
                at=("path", "keys", 0, "time"),
            )
        times[0] = 0.0
    if np.isnan(times[-1]):
        if duration is None or times[0] + duration <= times[known[-1]]:
            end = "the last key has no time" if duration is None else f"the motion ends at {times[0] + duration:g} s"
            raise KeyposeError(
                f"Key {known[-1]} is at {times[known[-1]]:g} s, but {end}. "
                "Give the last key a time, or a duration that ends later.",
                at=("duration",),
            )
        times[-1] = times[0] + duration
    known = np.flatnonzero(~np.isnan(times))
    distances = np.asarray(path.distance(np.arange(float(len(times)))))
    gaps = np.diff(distances)
    for one, two in pairwise(known):
        gap = np.maximum(gaps[one:two], max(1e-9 * gaps[one:two].sum(), 1e-300))  # keys on one spot come one by one
        times[one + 1 : two] = times[one] + (times[two] - times[one]) * np.cumsum(gap)[:-1] / gap.sum()
    return times


def _capture_points(
    path: MotionPath, profile: SpeedProfile, duration: float, capture: Mapping[str | int, float]
) -> tuple[Floats, Floats]:
    """Moments and distances between which the profile gets a K of its own: the ends, and captured keys."""
    if not capture:
        return np.array([0.0, duration]), np.array([0.0, path.length])
    points = {0: 0.0, path.segments: duration}
    for key, second in capture.items():
        index = path.keys.index(key)
        time = as_number(second)
        if time is None or not 0 <= time <= duration:
            raise KeyposeError(
                f"Key {short_repr(key)} is captured at {short_repr(second)} s, outside the motion. "
                f"Give a second from 0 to {duration:g}."
            )
        if index in points and abs(points[index] - time) > DURATION_TOLERANCE:
            raise KeyposeError(
                f"Key {short_repr(key)} is captured at {time:g} s, but is passed at {points[index]:g} s. "
                "Leave it out, or change the duration."
            )
        points.setdefault(index, time)
    indices = sorted(points)
    times = np.array([points[index] for index in indices])
    distances = np.asarray(path.distance(np.array(indices, dtype=np.float64)))
    distances[-1] = path.length
    areas = np.asarray(profile.covered(times / duration))
    for (one, two), (begin, end), (low, high), length in zip(
        pairwise(indices), pairwise(times), pairwise(areas), np.diff(distances), strict=True
    ):
        if end <= begin:
            raise KeyposeError(
                f"Key {two} is captured at {end:g} s, not after key {one} at {begin:g} s. "
                "Captured keys need the order of the path."
            )
        if high <= low and length > 0:
            raise KeyposeError(
                f"The profile stands still from {begin:g} s to {end:g} s, but the path goes on to key {two}. "
                "Raise it there, or capture the keys at other times."
            )
    return times, distances
