"""Which points make up a drawn curve? Samples from key to key, so that a break is a break and not a bridge."""

from collections.abc import Callable, Iterable

import numpy as np

from keypose.curves import MotionPath
from keypose.maths import Floats
from keypose.motion import Motion

SAMPLES_PER_SEGMENT = 48
SAMPLES_PER_CURVE = (
    2400  # samples of a whole curve that may turn suddenly, and at least PER_SEGMENT / 2 between two keys
)
END_OFFSET = 1e-9  # of a segment: so far beside its ends it is on its own side of them
MAX_RELATIVE_STEP = 0.02  # of the largest value: two neighbouring samples are at most this far apart …
MAX_REFINEMENTS = 12  # … or their distance in time was halved so often
JUMP_TOLERANCE = 1e-6  # of the largest value: a step this large at a key is a jump
MIN_RELATIVE_SPEED = 1e-6  # of the fastest: slower than this a path has no direction, and no curvature
CURVATURE_TOLERANCE = 1e-9  # of the largest acceleration: what is left across the direction of travel is rounding


def segment_parameters(path: MotionPath, count: int = SAMPLES_PER_SEGMENT) -> Floats:
    """Parameters (segments, count + 1) from one end of each segment to the other, both on its own side."""
    return interval_samples(np.arange(path.segments + 1.0), count)


def samples_per_segment(segments: int) -> int:
    """How many samples between two keys show a sudden turn: many between few keys, few between many."""
    return int(np.clip(SAMPLES_PER_CURVE // max(segments, 1), SAMPLES_PER_SEGMENT // 2, 5 * SAMPLES_PER_SEGMENT))


def interval_samples(marks: Floats, count: int) -> Floats:
    """Samples (n − 1, count + 1) between neighbouring marks (n,), from just after the one to just before the other."""
    # Far from zero a hair beside a mark would round to the mark itself.
    end_offset = np.maximum(
        END_OFFSET * np.diff(marks), 4 * np.spacing(np.maximum(np.abs(marks[:-1]), np.abs(marks[1:])))
    )
    start, stop = marks[:-1] + end_offset, marks[1:] - end_offset
    return np.asarray(start[:, None] + (stop - start)[:, None] * np.linspace(0.0, 1.0, count + 1))


def motion_sample_times(motion: Motion, count: int = SAMPLES_PER_SEGMENT) -> Floats:
    """Times (stretches, 2 count + 2) from key to key, evenly in time and evenly along the path's parameter.

    By time alone a sharp bend would fall between two samples; along the parameter it has as many as any other.
    """
    begin, end = motion.span
    min_gap = END_OFFSET * (end - begin)
    keys = motion.key_times[(motion.key_times > begin + min_gap) & (motion.key_times < end - min_gap)]
    keys = keys[np.diff(keys, prepend=begin) > min_gap]
    even_times = interval_samples(np.concatenate([[begin], keys, [end]]), count)
    distances = np.asarray(motion.distance(even_times))
    parameters = np.asarray(motion.path.parameter(distances))
    even_parameters = parameters[:, :1] + np.diff(parameters[:, [0, -1]], axis=1) * np.linspace(0.0, 1.0, count + 1)
    wanted_distances = np.asarray(motion.path.distance(even_parameters))
    times_by_parameter = [
        np.interp(wanted_row, distance_row, time_row)
        for wanted_row, distance_row, time_row in zip(wanted_distances, distances, even_times, strict=True)
    ]
    return np.sort(np.concatenate([even_times, np.array(times_by_parameter)], axis=1), axis=1)


def refine_samples(intervals: Floats, evaluate: Callable[[Floats], Floats]) -> list[Floats]:
    """Samples by stretch (stretches, n) with more of them where the value, (…) → (…, k), changes suddenly.

    Where it still does after that, it jumps, and a new stretch begins.
    """
    times, interval_index = intervals.reshape(-1), np.repeat(np.arange(len(intervals)), intervals.shape[1])
    for final in [False] * MAX_REFINEMENTS + [True]:
        values = evaluate(times)
        is_far = np.abs(np.diff(values, axis=0)).max(axis=1, initial=0.0) > MAX_RELATIVE_STEP * np.abs(values).max(
            initial=0.0
        )
        between = np.flatnonzero(is_far & (np.diff(interval_index) == 0)) + 1
        if final or not len(between):
            break
        times = np.insert(times, between, (times[between - 1] + times[between]) / 2)
        interval_index = np.insert(interval_index, between, interval_index[between])
    ends = np.concatenate([between, np.flatnonzero(np.diff(interval_index)) + 1])
    return [interval for interval in np.split(times, np.sort(ends)) if len(interval) > 1]


def join_strokes(intervals: Iterable[Floats], *, same_unit: bool = False) -> list[Floats]:
    """Polylines (n, 2) from points (n, 2) by stretch: joined where they meet, lifted where they jump.

    A jump is a step of more than a millionth of the largest value; `same_unit` are two directions of one quantity.
    """
    parts = list(intervals)
    points = np.concatenate([np.empty((0, 2)), *parts])
    size = np.where(np.isfinite(points), np.abs(points), 0.0).max(axis=0, initial=0.0)
    step = JUMP_TOLERANCE * (size.max() if same_unit else size)
    lines: list[Floats] = []
    for interval in parts:
        if lines and (np.abs(lines[-1][-1] - interval[0]) <= step).all():
            lines[-1] = np.concatenate([lines[-1], interval[1:]])
        else:
            lines.append(interval)
    return lines


def curvature(path: MotionPath, u: Floats) -> Floats:
    """How sharply the path bends at u [1/m], (…); not a number where it stops."""
    velocity, acceleration = (rate.reshape(*u.shape, -1) for rate in (path.velocity(u), path.acceleration(u)))
    speed = np.linalg.norm(velocity, axis=-1)
    is_moving = speed > MIN_RELATIVE_SPEED * speed.max(initial=0.0)
    direction = velocity / np.where(is_moving, speed, 1.0)[..., None]
    sideways = acceleration - direction * np.einsum("...i,...i->...", direction, acceleration)[..., None]
    normal_acceleration, strength = np.linalg.norm(sideways, axis=-1), np.linalg.norm(acceleration, axis=-1)
    normal_acceleration = np.where(
        normal_acceleration > CURVATURE_TOLERANCE * strength.max(initial=0.0), normal_acceleration, 0.0
    )
    return np.where(is_moving, normal_acceleration / np.where(is_moving, speed, 1.0) ** 2, np.nan)


def display_stride(count: float, most: int) -> int:
    """Of how many things to show one, so that of `count` at most about `most` are shown: 1, 2, 5, 10, 20 …."""
    steps = (step * int(10**power) for power in range(300) for step in (1, 2, 5))
    return next(step for step in steps if count <= most * step)
