"""When is a key passed? Keys are shown, and moved, where what carries them is at that moment.

When does a target come to the keys of its rough path, as it was shot? In their order, seen from frame to frame.
"""

from typing import NamedTuple

import numpy as np

from keypose.curves.path.motion_path import MotionPath
from keypose.maths import quaternion
from keypose.maths.arrays import Bools, Floats, Ints
from keypose.motion.hierarchy import in_space, middle
from keypose.motion.motion import Motion
from keypose.motion.pose import Pose
from keypose.motion.take import Take
from keypose.stage.evaluate.poses import looking
from keypose.stage.stage import Stage
from keypose.timing.clocks import Pacing

LOOKS = 512  # at a way with carried keys, to see when its other keys are passed


def takes_ticks(stage: Stage, name: str) -> bool:
    """Whether an actor takes ticks, or depends on somebody who does."""
    movers = set(stage.movers)
    return bool(movers) and any(other in movers for other, _ in stage.steps_to(name))


def passing_times(stage: Stage, name: str, motion: Motion) -> Floats:
    """When each key of an actor's motion is first passed [s], (keys,)."""
    if name not in stage.meetings or takes_ticks(stage, name):
        return motion.key_times
    if isinstance(motion.clock, Pacing):
        return _met(stage, name, motion)
    return stage.meetings.of(name).motion.key_times  # keys without a time come by distance, wherever carriers are then


def _met(stage: Stage, name: str, motion: Motion) -> Floats:
    """When keys are passed by one who meets others: those beside carried keys exactly, the others as they look."""
    meeting, story = stage.meetings.of(name), stage.meetings.story(name)
    t = np.linspace(*motion.span, LOOKS)
    u = np.maximum.accumulate(meeting.parameter(t, looking(stage.instants), story))
    u += np.arange(LOOKS) * 1e-12  # where it waits, what counts is the moment it came there
    moments = np.interp(np.arange(float(len(motion.path))), u, t)
    known = (meeting.loose.ends < len(moments)) & np.isfinite(story.passed)
    moments[meeting.loose.ends[known]] = story.passed[known]
    return np.asarray(moments)


NEAR = 1e-3  # [m]: a target that stands at a key


class Raced(NamedTuple):
    """How a target went through the keys of its path."""

    frame: Ints
    """(keys,) in which frame of the take it was at each; where it never came, in which it was nearest"""
    comes: Bools
    """(keys,) whether it came there"""


def raced(take: Take, targets: Floats, path: MotionPath) -> Raced:
    """How a target that was at these places (frames, 3) went through the keys; each is looked for behind the last."""
    frame, comes, first = np.zeros(len(path), dtype=np.int64), np.ones(len(path), dtype=np.bool_), 0
    places = in_places(np.asarray(path.at(np.arange(float(len(path))))))
    carriers, said = (path.keys.column(word) for word in ("relative_to", "position"))
    for key in range(1, len(path)):
        carrier = None if carriers is None else carriers[key]
        stands = said is not None and not np.isnan(said[key]).any()
        is_carried = stands and carrier is not None and carrier in take
        place = carried(take, str(carrier), path, key)[first:] if is_carried else places[key]
        found, comes[key] = _coming(targets[first:] - place)
        frame[key] = first + found
        if comes[key]:
            first = int(frame[key])
    return Raced(frame, comes)


def carried(take: Take, carrier: str, path: MotionPath, key: int) -> Floats:
    """Where a key of a path is in each frame of a take, in which somebody carries it: (frames, 3)."""
    pose, said = take[carrier].at(take.times), path.keys.column("position")
    own = np.zeros(3) if said is None else np.nan_to_num(said[key])
    return middle(pose) + quaternion.rotate(pose.orientation, np.append(own, np.zeros(3 - len(own))))


def in_places(values: Floats) -> Floats:
    """Places or ways (n, 2) or (n, 3) in space."""
    upright = np.broadcast_to([1.0, 0.0, 0.0, 0.0], (len(values), 4))
    return middle(in_space(Pose.of(values, upright)))


def _coming(away: Floats) -> tuple[int, bool]:
    """When something so far away (frames, 3) is nearest, the first time it comes near; and whether it ever does."""
    distance, steps = np.linalg.norm(away, axis=1), np.linalg.norm(np.diff(away, axis=0), axis=1)
    near = distance <= np.maximum(np.append(steps, 0), np.insert(steps, 0, 0)) + NEAR
    if not near.any():
        return int(np.argmin(distance)), False
    begin = int(np.argmax(near))
    leaves = np.flatnonzero(~near[begin:])
    end = begin + int(leaves[0]) if len(leaves) else len(near)
    return begin + int(np.argmin(distance[begin:end])), True
