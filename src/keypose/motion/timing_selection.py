"""Which timing holds for a motion? The one that was given, else the keys' own times, else a steady speed.

A profile ignores key times except at captured keys. Keys without a time between keys that have one come in proportion
to the distance between them.
"""

from collections.abc import Mapping
from itertools import pairwise

import numpy as np

from keypose.curves.path.motion_path import MotionPath
from keypose.curves.path.segments import closing_span
from keypose.errors import At, KeyposeError, shown
from keypose.maths.arrays import Floats
from keypose.maths.inputs import as_number
from keypose.timing.clocks import Pacing, Passing
from keypose.timing.key_times import KeyTimes
from keypose.timing.speed_profile import SpeedProfile

SAME = 1e-9  # seconds: a duration this near to what the key times say does not contradict them
LONGEST = 1e100
EPSILON = float(np.finfo(np.float64).eps)


def chosen(
    path: MotionPath,
    timing: SpeedProfile | KeyTimes | None,
    duration: float | None,
    capture: Mapping[str | int, float],
) -> tuple[MotionPath, Passing | Pacing]:
    """The path as this timing derives it, and the clock that runs along it."""
    if duration is not None:
        duration = _checked_duration(duration)
    if not isinstance(capture, Mapping):
        raise KeyposeError(f'A motion was to capture {shown(capture)}. Give {{key: seconds}}, as {{"bounce": 0.75}}.')
    said = path.keys.column("time")
    by_keys = timing is None and said is not None and bool((~np.isnan(said)).any())
    if isinstance(timing, KeyTimes) or by_keys:
        if capture:
            raise KeyposeError(
                "A motion by key times was asked to capture keys. Change their times instead.", at=("capture",)
            )
        times = timing.times if isinstance(timing, KeyTimes) else _spread(path, duration)
        return _by_times(path, np.asarray(times), duration)
    if timing is not None and not isinstance(timing, SpeedProfile):
        raise KeyposeError(f"A motion was given {shown(timing)} as its timing. Give a SpeedProfile or KeyTimes.")
    if duration is None:
        taken = np.nan if said is None else said[-1] - said[0]
        if said is not None and path.closed:
            taken += closing_span(path.keys, path.style)
        if np.isnan(taken):
            raise KeyposeError(
                "A motion has no duration, and its keys have no times. Give duration=… in seconds.", at=("duration",)
            )
        duration = float(taken)
    profile = timing or SpeedProfile.steady()
    with At("capture"):
        spans = _captured(path, profile, duration, capture)
    return path, Pacing(profile, duration, *spans)


def _checked_duration(duration: float) -> float:
    seconds = as_number(duration)
    if seconds is None or not 0 < seconds <= LONGEST:
        raise KeyposeError(f"A motion has duration {shown(duration)}. Give a number of seconds greater than zero.")
    return seconds


def _by_times(path: MotionPath, times: Floats, duration: float | None) -> tuple[MotionPath, Passing]:
    keys, wanted = len(path), len(path) + path.closed
    if len(times) not in (keys, wanted):
        more = f" (or {wanted}, with the return to the first)" if path.closed else ""
        raise KeyposeError(
            f"There are {len(times)} key times for a path of {keys} keys. Give one per key{more}.",
            at=("timing", "times"),
        )
    if path.closed and len(times) == keys:
        closing = path.style.closing or float(times[-1] - times[-2])
        times = np.append(times, times[-1] + closing)
    if duration is not None and abs(duration - (times[-1] - times[0])) > SAME + 4 * EPSILON * np.abs(times).max():
        raise KeyposeError(
            f"A motion has duration {duration:g} s, but its key times take {times[-1] - times[0]:g} s. "
            "Leave the duration out, or give a SpeedProfile, which ignores the key times.",
            at=("duration",),
        )
    back: float | None = float(times[keys] - times[keys - 1]) if path.closed else None
    own = path.times
    same = own is not None and np.array_equal(own, times[:keys]) and path.style.closing == back
    return path if same else path.timed(times[:keys], back), Passing(np.array(times))


def _spread(path: MotionPath, duration: float | None) -> Floats:
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
    reached = np.asarray(path.distance(np.arange(float(len(times)))))
    gaps = np.diff(reached)
    for one, two in pairwise(known):
        gap = np.maximum(gaps[one:two], max(1e-9 * gaps[one:two].sum(), 1e-300))  # keys on one spot come one by one
        times[one + 1 : two] = times[one] + (times[two] - times[one]) * np.cumsum(gap)[:-1] / gap.sum()
    return times


def _captured(
    path: MotionPath, profile: SpeedProfile, duration: float, capture: Mapping[str | int, float]
) -> tuple[Floats, Floats]:
    """Moments and distances between which the profile gets a K of its own: the ends, and captured keys."""
    if not capture:
        return np.array([0.0, duration]), np.array([0.0, path.length])
    points = {0: 0.0, path.segments: duration}
    for key, second in capture.items():
        index = path.keys.index(key)
        moment = as_number(second)
        if moment is None or not 0 <= moment <= duration:
            raise KeyposeError(
                f"Key {shown(key)} is captured at {shown(second)} s, outside the motion. "
                f"Give a second from 0 to {duration:g}."
            )
        if index in points and abs(points[index] - moment) > SAME:
            raise KeyposeError(
                f"Key {shown(key)} is captured at {moment:g} s, but is passed at {points[index]:g} s. "
                "Leave it out, or change the duration."
            )
        points.setdefault(index, moment)
    indices = sorted(points)
    moments = np.array([points[index] for index in indices])
    distances = np.asarray(path.distance(np.array(indices, dtype=np.float64)))
    distances[-1] = path.length
    areas = np.asarray(profile.covered(moments / duration))
    for (one, two), (begin, end), (low, high), way in zip(
        pairwise(indices), pairwise(moments), pairwise(areas), np.diff(distances), strict=True
    ):
        if end <= begin:
            raise KeyposeError(
                f"Key {two} is captured at {end:g} s, not after key {one} at {begin:g} s. "
                "Captured keys need the order of the path."
            )
        if high <= low and way > 0:
            raise KeyposeError(
                f"The profile stands still from {begin:g} s to {end:g} s, but the path goes on to key {two}. "
                "Raise it there, or capture the keys at other times."
            )
    return moments, distances
