"""Where is an actor some of whose keys are carried when it is at u of its path? Its path bends as its carriers go.

What is seen on screen is the way it takes: where it is at the moment it comes to u.
"""

import numpy as np

from keypose.errors import KeyposeError
from keypose.maths import Floats, quaternion
from keypose.motion import Pose, pose_center, to_local, to_world
from keypose.physics import as_relative_path
from keypose.stage import Stage, pose_lookup
from keypose.studio.edits.key_frames import carrier_frames_at, simulate_moment
from keypose.studio.edits.motions import motion_of, path_of

TIME_SAMPLES = 500  # along the way, then as many again around the place
REFINEMENTS = 3


def position_at_parameter(stage: Stage, name: str, u: float, carrier: str | None) -> tuple[Floats, float]:
    """Its place in the frame it stands in, or in its carrier's, when it comes to u; and the moment [s]."""
    if name in stage.resolved.relative_keys.live:
        raise KeyposeError(
            f"Actor {name!r} depends on what takes ticks, so its way is not known ahead. Paste a key instead."
        )
    meeting, pass_log, lookup = (
        stage.resolved.relative_keys.relative_motion(name),
        stage.resolved.relative_keys.pass_log(name),
        pose_lookup(stage.resolved.evaluator),
    )
    first, last = motion_of(stage, name).span
    moment = first
    for _ in range(REFINEMENTS):
        times = np.linspace(first, last, TIME_SAMPLES)
        parameters = meeting.parameter(times, lookup, pass_log)
        moment = float(np.interp(u, np.maximum.accumulate(parameters), times))
        width = (last - first) / TIME_SAMPLES
        first, last = max(first, moment - width), min(last, moment + width)
    now = np.array([moment])
    local_pose = meeting.at(now, lookup, pass_log)
    if carrier is None:
        return local_pose.position[0], moment
    parent = stage[name].parent
    world = local_pose if parent is None else to_world(lookup(parent, now), local_pose)
    carrier_pose = lookup(carrier, now)
    return to_local(Pose(pose_center(carrier_pose), carrier_pose.orientation), world).position[0], moment


def rough_path_position(stage: Stage, name: str, u: float, time: float) -> tuple[Floats, str | None]:
    """A place on the rough path of a follower as it is bent at a moment [s]; between keys of one carrier, as that sees
    it, and then also who that is.
    """
    path = path_of(stage, name)
    relative_path, names = as_relative_path(path), path.keys.column("relative_to")
    assert relative_path is not None
    assert names is not None
    frames = carrier_frames_at(simulate_moment(stage, time))[name]
    position, segment = np.asarray(relative_path.resolved(frames, 0).at(u)), int(u)
    carrier: str | None = names[segment]
    if carrier is None or names[(segment + 1) % len(path)] != carrier:
        return position, None
    slot = int(relative_path.relative_index[segment])
    return quaternion.rotate(
        quaternion.conjugate(frames.orientation[0, slot]), position - frames.position[0, slot]
    ), carrier
