"""How does an actor go through the world? Its trail over its span, a dot per frame, its keys and their tangents.

The trail is sampled in time, so it shows what is seen: a ring on a moving hand, a key where its carrier has brought it
when it is passed. Its numbers go to the page as they are (`updates.Curve`).
"""

import math

import numpy as np

from keypose.errors import KeyposeError
from keypose.maths import Floats, Indices, quaternion
from keypose.motion import IDENTITY, Motion, Pose, RecordedMotion, pose_center, pose_to_3d
from keypose.stage import Actor, pose_lookup
from keypose.studio.edits.rough_path import rough_path_of
from keypose.studio.present.relative_paths import current_relative_path
from keypose.studio.present.rough_paths import path_arrays
from keypose.studio.present.scene import pack_arrays
from keypose.studio.present.trail_samples import PROFILE_SAMPLES, SampleTimes, sample_profile
from keypose.studio.preview.preview import Preview
from keypose.studio.protocol.updates.updates import Curve, pack_update
from keypose.timing import SpeedClock, SpeedProfile


def pack_curve(preview: Preview, name: str, fps: float, revision: int) -> bytes:
    """An actor's trail, packed."""
    actor = preview.stage[name]
    motion = actor.motion
    if motion is None or isinstance(motion, RecordedMotion):
        arrays, length = _recorded_trail(preview, actor, fps)
    else:
        arrays, length = _motion_trail(preview, actor, motion, fps)
    path = current_relative_path(preview, name, 0.0) or rough_path_of(preview.stage, name)
    if path is not None:
        arrays, length = arrays | path_arrays(path), max(path.length, length)
    layout, data = pack_arrays(arrays)
    duration = preview.take_duration if motion is None else motion.span[1] - motion.span[0]
    head = Curve(actor=name, revision=revision, length=length, duration=duration, arrays=layout)
    return pack_update(head, data)


class TrailProgress:
    """How a motion goes along its path at the moments of its trail; what its drawn speed says is not asked anew."""

    def __init__(self, motion: Motion, fps: float) -> None:
        clock = motion.clock
        if isinstance(clock, SpeedClock) and type(motion) is Motion:  # else it may have answers of its own
            samples = sample_profile(clock.profile, clock.duration, motion.start, fps)
            self.sample_times, self.profile = samples.sample_times, samples.profile
            distance, self.speed = samples.distance(clock), samples.speed(clock)
            self.stripes, self.u = distance[:: self.sample_times.step], motion.path.parameter(distance)
            return
        self.sample_times, self.profile = SampleTimes.over_span(motion.span, fps), _speed_profile(motion)
        times = self.sample_times.times
        self.u, self.speed = np.asarray(motion.parameter(times)), np.asarray(motion.speed(times))
        self.stripes = np.asarray(motion.distance(times[:: self.sample_times.step]))


def _motion_trail(preview: Preview, actor: Actor, motion: Motion, fps: float) -> tuple[dict[str, Floats], float]:
    """The trail of a motion with keys."""
    progress = TrailProgress(motion, fps)
    sample_times = progress.sample_times
    count = len(sample_times.times)
    is_relative = bool(actor.carriers) and actor.name not in preview.simulated_names
    if actor.parent is None and not actor.carriers:
        # Its keys are on the path wherever time is: when they are passed need not be known to draw them.
        key = np.arange(float(len(motion.path)))
        u = np.concatenate([progress.u, key])
        speed = np.concatenate([progress.speed, np.interp(key, progress.u, progress.speed)])
        poses: Pose | None = pose_to_3d(Pose.of(motion.path.at(u), np.broadcast_to(IDENTITY, (len(u), 4))))
        order = np.argsort(u, kind="stable")
    else:
        times = np.concatenate([sample_times.times, preview.key_times(actor.name, motion)])
        u, times = preview.parameter(actor.name, motion, times), preview.playback_times(actor.name, times)
        poses = preview.poses(actor.name, times)
        order = np.argsort(times, kind="stable")
        speed = np.empty(len(times)) if poses is None else _sample_speeds(pose_center(poses), times, order)
    arrays = _line_arrays(poses, order, speed, u, slice(0, count, sample_times.step))
    arrays |= _key_arrays(preview, actor, motion, None if poses is None else poses[count:], is_relative)
    return {**arrays, "stripes": progress.stripes, "profile": progress.profile}, motion.path.length


def _line_arrays(poses: Pose | None, order: Indices, speed: Floats, u: Floats, frames: slice) -> dict[str, Floats]:
    """The trail itself: samples and keys in the order they are passed, and a dot per frame."""
    if poses is None:
        nothing = np.empty(0)
        return {"line": np.empty((0, 3)), "line_u": nothing, "line_speed": nothing, "dots": np.empty((0, 3)),
                "dot_speed": nothing}  # fmt: skip
    positions = pose_center(poses)
    return {
        "line": positions[order],
        "line_u": u[order],
        "line_speed": speed[order],
        "dots": positions[frames],
        "dot_speed": speed[frames],
    }


def _sample_speeds(positions: Floats, t: Floats, order: Indices) -> Floats:
    """Metres per second at samples of a way (n, 3), which come one after the other in this order."""
    distances = np.sqrt(np.sum(np.diff(positions[order], axis=0) ** 2, axis=1))
    durations = np.diff(t[order])
    speeds = np.divide(distances, durations, out=np.zeros_like(distances), where=durations > 0)
    weight = np.concatenate([[0.0], durations, [0.0]])
    padded = np.concatenate([speeds[:1], speeds, speeds[-1:]])
    total = weight[:-1] + weight[1:]
    # A key's own moment may be a sample's: what took no time has no say.
    mean = (padded[:-1] * weight[:-1] + padded[1:] * weight[1:]) / np.where(total > 0, total, 1.0)
    speed = np.empty(len(t))
    speed[order] = mean
    return speed


def _key_arrays(
    preview: Preview, actor: Actor, motion: Motion, key_poses: Pose | None, is_relative: bool
) -> dict[str, Floats]:
    """Where the keys are in the world when they are passed, and how they are passed."""
    if key_poses is None:
        return {"keys": np.empty((0, 3)), "key_orientations": np.empty((0, 4)), "arrive": np.empty((0, 3)),
                "leave": np.empty((0, 3))}  # fmt: skip
    orientations = key_poses.orientation
    if actor.parent is None and not actor.carriers:  # the samples are without facings, which only keys need
        facing_poses = (
            None if actor.facing is None else preview.poses(actor.name, preview.key_times(actor.name, motion))
        )
        if facing_poses is not None:
            orientations = facing_poses.orientation
        elif motion.path.geometry.turns is not None:
            orientations = motion.path.orientation_at(np.arange(float(len(orientations))))
    if is_relative:
        meetings = preview.stage.resolved.relative_keys
        passing_times, lookup = preview.key_times(actor.name, motion), pose_lookup(preview.stage.resolved.evaluator)
        arrive, leave = meetings.relative_motion(actor.name).tangents(
            passing_times, lookup, meetings.pass_log(actor.name)
        )
    else:
        arrive, leave = np.asarray(motion.path.arrive), np.asarray(motion.path.leave)
    arrive, leave = (_mean_tangents(tangents) for tangents in (arrive, leave))
    parent_poses = None if actor.parent is None else preview.poses(actor.parent, preview.key_times(actor.name, motion))
    if parent_poses is not None:
        arrive, leave = (quaternion.rotate(parent_poses.orientation, tangents) for tangents in (arrive, leave))
    found = {"keys": pose_center(key_poses), "key_orientations": orientations, "arrive": arrive, "leave": leave}
    return {**found, "drawings": key_poses.position} if key_poses.position.ndim == 3 else found


def _mean_tangents(tangents: Floats) -> Floats:
    """Tangents (keys, …) as one vector in space each, (keys, 3): of a drawing the mean over its points."""
    one = tangents.mean(axis=1) if tangents.ndim == 3 else tangents
    if one.shape[1] == 3:
        return one
    return np.concatenate([one, np.zeros((len(one), 3 - one.shape[1]))], axis=1)


def _speed_profile(motion: Motion) -> Floats:
    """The relative speed over x = 0 … 1 of the duration, (p, 2)."""
    x = np.linspace(0.0, 1.0, PROFILE_SAMPLES)
    if isinstance(motion.clock, SpeedClock):
        profile = motion.timing if isinstance(motion.timing, SpeedProfile) else SpeedProfile.steady()
        return np.stack([x, profile.at(x)], axis=1)
    first, last = motion.span
    speed = np.asarray(motion.speed(np.minimum(first + x * (last - first), last)))
    mean = float(speed.mean())
    return np.stack([x, speed / mean if mean > 0 else speed], axis=1)


def _recorded_trail(preview: Preview, actor: Actor, fps: float) -> tuple[dict[str, Floats], float]:
    """The trail of what was recorded, or takes ticks: it has no keys."""
    span = (0.0, preview.take_duration) if actor.motion is None else actor.motion.span
    if not (math.isfinite(span[1] - span[0]) and span[1] > span[0]):
        raise KeyposeError(f"Actor {actor.name!r} has no span to draw: {span[0]:g} to {span[1]:g} s.")
    sample_times = SampleTimes.over_span(span, fps)
    poses = preview.poses(actor.name, sample_times.times)
    u = (sample_times.times - span[0]) / (span[1] - span[0])
    order = np.arange(len(sample_times.times))
    speed = np.empty(0) if poses is None else _sample_speeds(pose_center(poses), sample_times.times, order)
    arrays = _line_arrays(poses, order, speed, u, slice(0, None, sample_times.step))
    line = arrays["line"]
    distance = np.concatenate([[0.0], np.cumsum(np.sqrt(np.sum(np.diff(line, axis=0) ** 2, axis=1)))])
    nothing = {"keys": np.empty((0, 3)), "key_orientations": np.empty((0, 4)), "arrive": np.empty((0, 3)),
               "leave": np.empty((0, 3)), "profile": np.empty((0, 2))}  # fmt: skip
    return {**arrays, **nothing, "stripes": distance[:: sample_times.step]}, float(distance[-1])
