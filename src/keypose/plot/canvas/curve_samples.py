"""Which points make up a drawn curve? Samples from key to key, so that a break is a break and not a bridge."""

from collections.abc import Callable, Iterable

import numpy as np

from keypose.curves.path.motion_path import MotionPath
from keypose.maths.arrays import Floats
from keypose.motion.motion import Motion

PER_SEGMENT = 48
FINELY = 2400  # samples of a whole curve that may turn suddenly, and at least PER_SEGMENT / 2 between two keys
HAIR = 1e-9  # of a segment: so far beside its ends it is on its own side of them
SMOOTH = 0.02  # of the largest value: two neighbouring samples are at most this far apart …
ROUNDS = 12  # … or their distance in time was halved so often
BREAK = 1e-6  # of the largest value: a step this large at a key is a jump
STOPPED = 1e-6  # of the fastest: slower than this a path has no direction, and no curvature
STRAIGHT = 1e-9  # of the largest acceleration: what is left across the direction of travel is rounding


def segment_parameters(path: MotionPath, count: int = PER_SEGMENT) -> Floats:
    """Parameters (segments, count + 1) from one end of each segment to the other, both on its own side."""
    return stretches(np.arange(path.segments + 1.0), count)


def finely(segments: int) -> int:
    """How many samples between two keys show a sudden turn: many between few keys, few between many."""
    return int(np.clip(FINELY // max(segments, 1), PER_SEGMENT // 2, 5 * PER_SEGMENT))


def stretches(marks: Floats, count: int) -> Floats:
    """Samples (n − 1, count + 1) between neighbouring marks (n,), from just after the one to just before the other."""
    # Far from zero a hair beside a mark would round to the mark itself.
    hair = np.maximum(HAIR * np.diff(marks), 4 * np.spacing(np.maximum(np.abs(marks[:-1]), np.abs(marks[1:]))))
    start, stop = marks[:-1] + hair, marks[1:] - hair
    return np.asarray(start[:, None] + (stop - start)[:, None] * np.linspace(0.0, 1.0, count + 1))


def moments(motion: Motion, count: int = PER_SEGMENT) -> Floats:
    """Times (stretches, 2 count + 2) from key to key, evenly in time and evenly along the path's parameter.

    By time alone a sharp bend would fall between two samples; along the parameter it has as many as any other.
    """
    begin, end = motion.span
    apart = HAIR * (end - begin)
    keys = motion.key_times[(motion.key_times > begin + apart) & (motion.key_times < end - apart)]
    keys = keys[np.diff(keys, prepend=begin) > apart]
    even = stretches(np.concatenate([[begin], keys, [end]]), count)
    covered = np.asarray(motion.distance(even))
    reached = np.asarray(motion.path.parameter(covered))
    along = reached[:, :1] + np.diff(reached[:, [0, -1]], axis=1) * np.linspace(0.0, 1.0, count + 1)
    wanted = np.asarray(motion.path.distance(along))
    bends = [np.interp(want, have, when) for want, have, when in zip(wanted, covered, even, strict=True)]
    return np.sort(np.concatenate([even, np.array(bends)], axis=1), axis=1)


def refined(at: Floats, value: Callable[[Floats], Floats]) -> list[Floats]:
    """Samples by stretch (stretches, n) with more of them where the value, (…) → (…, k), changes suddenly.

    Where it still does after that, it jumps, and a new stretch begins.
    """
    moments, owner = at.reshape(-1), np.repeat(np.arange(len(at)), at.shape[1])
    for final in [False] * ROUNDS + [True]:
        values = value(moments)
        far = np.abs(np.diff(values, axis=0)).max(axis=1, initial=0.0) > SMOOTH * np.abs(values).max(initial=0.0)
        between = np.flatnonzero(far & (np.diff(owner) == 0)) + 1
        if final or not len(between):
            break
        moments = np.insert(moments, between, (moments[between - 1] + moments[between]) / 2)
        owner = np.insert(owner, between, owner[between])
    ends = np.concatenate([between, np.flatnonzero(np.diff(owner)) + 1])
    return [stretch for stretch in np.split(moments, np.sort(ends)) if len(stretch) > 1]


def strokes(stretches: Iterable[Floats], *, alike: bool = False) -> list[Floats]:
    """Polylines (n, 2) from points (n, 2) by stretch: joined where they meet, lifted where they jump.

    A jump is a step of more than a millionth of the largest value; `alike` are two directions of one quantity.
    """
    parts = list(stretches)
    points = np.concatenate([np.empty((0, 2)), *parts])
    size = np.where(np.isfinite(points), np.abs(points), 0.0).max(axis=0, initial=0.0)
    step = BREAK * (size.max() if alike else size)
    lines: list[Floats] = []
    for stretch in parts:
        if lines and (np.abs(lines[-1][-1] - stretch[0]) <= step).all():
            lines[-1] = np.concatenate([lines[-1], stretch[1:]])
        else:
            lines.append(stretch)
    return lines


def curvature(path: MotionPath, u: Floats) -> Floats:
    """How sharply the path bends at u [1/m], (…); not a number where it stops."""
    velocity, acceleration = (rate.reshape(*u.shape, -1) for rate in (path.velocity(u), path.acceleration(u)))
    speed = np.linalg.norm(velocity, axis=-1)
    moves = speed > STOPPED * speed.max(initial=0.0)
    direction = velocity / np.where(moves, speed, 1.0)[..., None]
    sideways = acceleration - direction * np.einsum("...i,...i->...", direction, acceleration)[..., None]
    bend, strength = np.linalg.norm(sideways, axis=-1), np.linalg.norm(acceleration, axis=-1)
    bend = np.where(bend > STRAIGHT * strength.max(initial=0.0), bend, 0.0)
    return np.where(moves, bend / np.where(moves, speed, 1.0) ** 2, np.nan)


def one_in(count: float, most: int) -> int:
    """Of how many things to show one, so that of `count` at most about `most` are shown: 1, 2, 5, 10, 20 …."""
    steps = (step * int(10**power) for power in range(300) for step in (1, 2, 5))
    return next(step for step in steps if count <= most * step)
