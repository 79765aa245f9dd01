"""When is a key passed? Keys are shown, and moved, where what carries them is at that moment.

When does a target come to the keys of its rough path, as it was shot? In their order, seen from frame to frame.
"""

from typing import NamedTuple

import numpy as np

from keypose.curves import MotionPath
from keypose.maths import Bools, Floats, Ints, quaternion
from keypose.motion import Motion, Pose, Take, pose_center, pose_to_3d
from keypose.stage import ResolvedStage, Stage, pose_lookup
from keypose.timing import SpeedClock

TIME_SAMPLES = 512  # at a way with carried keys, to see when its other keys are passed


def is_simulated(stage: ResolvedStage, name: str) -> bool:
    """Whether an actor takes ticks, or depends on somebody who does."""
    movers = set(stage.movers)
    return bool(movers) and any(dependency in movers for dependency, _ in stage.steps_to(name))


def passing_times(stage: Stage, name: str, motion: Motion) -> Floats:
    """When each key of an actor's motion is first passed [s], (keys,)."""
    if name not in stage.resolved.relative_keys or is_simulated(stage.resolved, name):
        return motion.key_times
    if isinstance(motion.clock, SpeedClock):
        return _relative_passing_times(stage, name, motion)
    # Keys without a time are passed by distance, wherever their carriers are then.
    return stage.resolved.relative_keys.relative_motion(name).motion.key_times


def _relative_passing_times(stage: Stage, name: str, motion: Motion) -> Floats:
    """When keys are passed by one who meets others: those beside carried keys exactly, the others as they look."""
    meeting, pass_log = stage.resolved.relative_keys.relative_motion(name), stage.resolved.relative_keys.pass_log(name)
    t = np.linspace(*motion.span, TIME_SAMPLES)
    u = np.maximum.accumulate(meeting.parameter(t, pose_lookup(stage.resolved.evaluator), pass_log))
    u += np.arange(TIME_SAMPLES) * 1e-12  # where it waits, what counts is the moment it came there
    pass_times = np.interp(np.arange(float(len(motion.path))), u, t)
    known = (meeting.relative_path.distance_keys < len(pass_times)) & np.isfinite(pass_log.passed_at)
    pass_times[meeting.relative_path.distance_keys[known]] = pass_log.passed_at[known]
    return np.asarray(pass_times)


ARRIVAL_TOLERANCE = 1e-3  # [m]: a target that stands at a key


class KeyPasses(NamedTuple):
    """How a target went through the keys of its path."""

    frames: Ints
    """(keys,) in which frame of the take it was at each; where it never came, in which it was nearest"""
    is_reached: Bools
    """(keys,) whether it came there"""


def find_key_passes(take: Take, targets: Floats, path: MotionPath) -> KeyPasses:
    """How a target that was at these places (frames, 3) went through the keys; each is looked for behind the last."""
    frames, is_reached, first = np.zeros(len(path), dtype=np.int64), np.ones(len(path), dtype=np.bool_), 0
    positions = to_3d(np.asarray(path.at(np.arange(float(len(path))))))
    carriers, given_positions = (path.keys.column(option) for option in ("relative_to", "position"))
    for key in range(1, len(path)):
        carrier = None if carriers is None else carriers[key]
        has_position = given_positions is not None and not np.isnan(given_positions[key]).any()
        is_relative = has_position and carrier is not None and carrier in take
        position = relative_key_positions(take, str(carrier), path, key)[first:] if is_relative else positions[key]
        found, is_reached[key] = _first_approach(targets[first:] - position)
        frames[key] = first + found
        if is_reached[key]:
            first = int(frames[key])
    return KeyPasses(frames, is_reached)


def relative_key_positions(take: Take, carrier: str, path: MotionPath, key: int) -> Floats:
    """Where a key of a path is in each frame of a take, in which somebody carries it: (frames, 3)."""
    pose, given_positions = take[carrier].at(take.times), path.keys.column("position")
    local_position = np.zeros(3) if given_positions is None else np.nan_to_num(given_positions[key])
    return pose_center(pose) + quaternion.rotate(
        pose.orientation, np.append(local_position, np.zeros(3 - len(local_position)))
    )


def to_3d(values: Floats) -> Floats:
    """Places or ways (n, 2) or (n, 3) in space."""
    upright = np.broadcast_to([1.0, 0.0, 0.0, 0.0], (len(values), 4))
    return pose_center(pose_to_3d(Pose.of(values, upright)))


def _first_approach(offsets: Floats) -> tuple[int, bool]:
    """When something so far away (frames, 3) is nearest, the first time it comes near; and whether it ever does."""
    distance, steps = np.linalg.norm(offsets, axis=1), np.linalg.norm(np.diff(offsets, axis=0), axis=1)
    near = distance <= np.maximum(np.append(steps, 0), np.insert(steps, 0, 0)) + ARRIVAL_TOLERANCE
    if not near.any():
        return int(np.argmin(distance)), False
    begin = int(np.argmax(near))
    leaves = np.flatnonzero(~near[begin:])
    end = begin + int(leaves[0]) if len(leaves) else len(near)
    return begin + int(np.argmin(distance[begin:end])), True
