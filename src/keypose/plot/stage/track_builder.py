"""What does a stage or a take say of everybody? Asked at so many moments that a sheet of all of them can be read."""

from dataclasses import replace
from typing import Any

import numpy as np

from keypose.errors import KeyposeError
from keypose.maths import Floats, Ints, parse_number
from keypose.motion import LookAt, Motion, Pose, RecordedMotion, Take, pose_center, pose_to_3d, watched_names
from keypose.plot.marks.bodies import body_shape
from keypose.plot.stage.actor_parts import figure_parts, reaches_by_link, soft_surface, standalone_names
from keypose.plot.stage.tracks import (
    NO_POSITIONS,
    NO_TIMES,
    ActorTrack,
    KeyMeeting,
    StageTracks,
    pose_track,
    sample_strides,
)
from keypose.stage import Actor, Camera, Stage, expected_duration, lap_duration, shoot, shoot_until_done
from keypose.timing import check_fps

TOTAL_DOTS, MIN_DOTS, MAX_DOTS = 2400, 12, 600  # of all, and of each
TOTAL_SAMPLES, MIN_SAMPLES, MAX_SAMPLES = 40_000, 60, 4000
SAMPLES_PER_FRAME, SAMPLES_PER_KEY = (
    4,
    8,
)  # samples from frame to frame, and from key to key, so that a trail is a curve
SAMPLE_TOLERANCE = 0.02  # of a sample: nearer to it, a key has no sample of its own
SETTLE_TIME, DEFAULT_DURATION = 2.0, 5.0  # [s] movers are shot for: after the last motion, and where nothing ends
MAX_DURATION = 600.0  # [s]
MAX_ACTORS_WITH_KEYS = 20  # more than so many actors have trails without keys, as have those with more than …
MAX_KEYS = 200  # … so many keys
MAX_ACTORS_WITH_DISTANCES = 3  # of so many, everybody's distance from everybody is worth a line


def tracks_of_take(take: Take, stage: Stage | None = None) -> StageTracks:
    """Everybody in a take, at its frames; what they look like is said by the stage it was shot on."""
    if not take.poses:
        raise KeyposeError("Nobody is in this take, so there is nothing to plot. Shoot a stage with an actor.")
    step, stride = sample_strides(len(take.times), *_sample_budget(len(take.poses)))
    frame_indices = np.unique(np.append(np.arange(0, len(take.times), step), len(take.times) - 1))
    dots = np.unique(
        np.append(np.searchsorted(frame_indices, np.arange(0, len(take.times), stride)), len(frame_indices) - 1)
    )
    poses = {
        name: Pose(pose.position[frame_indices], pose.orientation[frame_indices]) for name, pose in take.poses.items()
    }
    actor_tracks = tuple(
        replace(
            pose_track(name, poses[name]),
            targets=take.targets[name][frame_indices] if name in take.targets else NO_POSITIONS,
            surface=soft_surface(name, poses),
            **({} if stage is None or name not in stage.resolved.by_name else _take_fields(stage, name, poses)),
        )
        for name in standalone_names(poses, stage)
    )
    names = [track.name for track in actor_tracks] if len(actor_tracks) <= MAX_ACTORS_WITH_DISTANCES else []
    pairs = tuple((first, second) for index, first in enumerate(names) for second in names[index + 1 :])
    return StageTracks(take.times[frame_indices], dots, stride, take.fps, actor_tracks, (), take.events, pairs)


def tracks_of_stage(stage: Stage, fps: float, seconds: float | None) -> StageTracks:
    """Everybody on a stage: from the first motion's beginning to the last one's end, or for so many seconds from 0.

    A stage with movers is shot: until two seconds after its last motion has ended, until followers have come and all
    meetings are over, or for five if nothing ends.
    """
    if not stage.actors:
        raise KeyposeError("Nobody is on this stage, so there is nothing to plot. Give it an actor.")
    if seconds is not None and not 0 < parse_number(seconds, "The seconds to plot") < np.inf:
        raise KeyposeError(f"A stage was to be plotted for {seconds:g} s. Give a number greater than zero.")
    if stage.resolved.movers:
        return _tracks_of_shot(stage, fps, seconds)
    begin, end = _motion_span(stage) if seconds is None else (0.0, float(seconds))
    times, dots, stride = _sample_times(stage, begin, end, check_fps(fps))
    events = stage.resolved.relative_keys.events(stage.resolved.relative_keys.pass_log, end)
    poses = stage.at(times)
    actor_tracks = tuple(
        ActorTrack(
            actor.name, poses[actor.name], **_appearance_fields(actor), **_motion_fields(stage, actor, begin, end)
        )
        for actor in stage.actors
    )
    return _with_meetings(stage, StageTracks(times, dots, stride, fps, actor_tracks, (), events))


def shoot_for_picture(stage: Stage, fps: float) -> Take:
    """A stage with movers, shot as long as a picture of it wants, and until all its meetings are over."""
    return shoot_until_done(stage, picture_duration(stage), fps)


def picture_duration(stage: Stage) -> float:
    """How long [s] a stage with movers is shot for a picture, if nothing is in the way of those who meet."""
    settled_time = stage.resolved.duration + SETTLE_TIME if stage.resolved.duration else 0.0
    duration = max(expected_duration(stage), lap_duration(stage), settled_time) or DEFAULT_DURATION
    if duration > MAX_DURATION:
        raise KeyposeError(
            f"This stage has movers and would be shot for {duration:g} s to be plotted. Say how long: seconds=60."
        )
    return duration


def _tracks_of_shot(stage: Stage, fps: float, seconds: float | None) -> StageTracks:
    """A stage with movers, shot for the picture."""
    take = shoot_for_picture(stage, fps) if seconds is None else shoot(stage, float(seconds), fps)
    tracks = tracks_of_take(take, stage)
    actor_tracks = tuple(
        replace(track, **_motion_fields(stage, stage.resolved.by_name[track.name], *tracks.span))
        for track in tracks.actors
    )
    return _with_meetings(stage, replace(tracks, actors=actor_tracks, shot_seconds=float(take.times[-1])))


def _sample_budget(actors: int) -> tuple[int, int]:
    """How many samples and how many dots each of so many actors may have."""
    return (
        int(np.clip(TOTAL_SAMPLES // actors, MIN_SAMPLES, MAX_SAMPLES)),
        int(np.clip(TOTAL_DOTS // actors, MIN_DOTS, MAX_DOTS)),
    )


def _motion_span(stage: Stage) -> tuple[float, float]:
    """From when to when its motions run [s]; those that repeat, once."""
    spans = np.array([actor.motion.span for actor in stage.actors if actor.motion is not None])
    return float(spans[:, 0].min()), float(spans[:, 1].max())


def _sample_times(stage: Stage, begin: float, end: float, fps: float) -> tuple[Floats, Ints, int]:
    """The moments to ask a stage for, which of them are dots, and one in how many frames those are."""
    max_samples, dots = _sample_budget(len(stage.actors))
    _, stride = sample_strides(int((end - begin) * fps) + 1, max_samples, dots)
    dot_times = begin + np.arange(int((end - begin) * fps / stride) + 1) * stride / fps
    wanted_count = max(
        SAMPLES_PER_FRAME * stride, SAMPLES_PER_KEY * max(len(actor.keys) for actor in stage.actors) // len(dot_times)
    )
    samples_per_dot = int(np.clip(max_samples // len(dot_times), 1, wanted_count))
    step = min(stride / fps, end - begin) / samples_per_dot
    times_even = np.append((dot_times[:, None] + step * np.arange(samples_per_dot)).reshape(-1), end)
    times_even = times_even[times_even <= end]
    keys = np.unique(np.concatenate([_key_times(stage, actor, begin, end) for actor in stage.actors]))
    if len(keys) <= max_samples:  # so that a corner is a corner
        key_distances = np.abs(
            keys[:, None]
            - times_even[np.clip(np.searchsorted(times_even, keys)[:, None] - [1, 0], 0, len(times_even) - 1)]
        )
        times_even = np.sort(np.concatenate([times_even, keys[key_distances.min(axis=1) > SAMPLE_TOLERANCE * step]]))
    times = times_even[np.append(True, np.diff(times_even) > SAMPLE_TOLERANCE * step)]
    times[-1] = end
    dot_indices = np.clip(
        np.searchsorted(times, np.append(dot_times, end) - SAMPLE_TOLERANCE * step), 0, len(times) - 1
    )
    return times, np.unique(dot_indices), stride


def _motion_fields(stage: Stage, actor: Actor, begin: float, end: float) -> dict[str, Any]:
    """What is known of an actor's motion."""
    return {
        "has_jumps": any(other.motion is not None and other.motion.outside == "cycle" for other in stage.actors),
        "span": None if actor.motion is None else _visible_span(actor.motion, begin, end),
        "key_times": _key_times(stage, actor, begin, end),
        "key_positions": _key_positions(actor) if len(stage.actors) <= MAX_ACTORS_WITH_KEYS else NO_POSITIONS,
    }


def _appearance_fields(actor: Actor) -> dict[str, Any]:
    """What an actor looks like, whatever it does."""
    fov = actor.look.fov if isinstance(actor.look, Camera) else None
    return {"look": actor.look, "parent": actor.parent, "shape": body_shape(actor), "fov": fov}


def _take_fields(stage: Stage, name: str, poses: dict[str, Pose]) -> dict[str, Any]:
    """What somebody in a take looks like, with all that hangs on it."""
    actor = stage.resolved.by_name[name]
    return {**_appearance_fields(actor), "parts": figure_parts(stage, actor, poses)}


def _visible_span(motion: Motion, begin: float, end: float) -> tuple[float, float]:
    """When a motion runs, of what is shown; one that repeats, all the time."""
    if motion.outside != "hold":
        return begin, end
    return max(motion.span[0], begin), min(motion.span[1], end)


def _key_times(stage: Stage, actor: Actor, begin: float, end: float) -> Floats:
    """When an actor passes its keys, as far as that is known without shooting, within a span; lap after lap."""
    motion = actor.motion
    if motion is None or isinstance(motion, RecordedMotion) or len(actor.keys) > MAX_KEYS:
        return NO_TIMES
    if actor.name in stage.resolved.relative_keys:
        if actor.name in stage.resolved.relative_keys.live:
            return NO_TIMES
        meeting = stage.resolved.relative_keys.relative_motion(actor.name)
        is_timed = np.isfinite(meeting.empty_log.passed_at).all()
        times = meeting.motion.key_times if is_timed else stage.resolved.relative_keys.pass_log(actor.name).passed_at
    else:
        times = motion.key_times
    if motion.outside != "hold" and motion.duration > 0:
        first, last = motion.span
        lap = motion.duration if motion.outside == "cycle" else 2 * motion.duration
        lap_times = times if motion.outside == "cycle" else np.concatenate([times, 2 * last - times])
        laps = np.arange(np.floor((begin - first) / lap), min(np.ceil((end - first) / lap), MAX_KEYS) + 1)
        times = np.unique((lap_times + lap * laps[:, None]).reshape(-1))
    return np.asarray(times[(times >= begin) & (times <= end)])


def _key_positions(actor: Actor) -> Floats:
    """Where those keys are that stand in the world, (keys, 3)."""
    if actor.motion is None or actor.parent is not None or not 0 < len(actor.keys) <= MAX_KEYS:
        return NO_POSITIONS
    world_keys = np.array([index for index, key in enumerate(actor.keys) if key.relative_to is None], dtype=np.float64)
    if not len(world_keys):
        return NO_POSITIONS
    path = actor.motion.path
    return pose_center(pose_to_3d(Pose(path.at(world_keys), path.orientation_at(world_keys))))


def _with_meetings(stage: Stage, tracks: StageTracks) -> StageTracks:
    """The cast with who meets whom, and between whom the distance matters."""
    (begin, end), meetings, pairs = tracks.span, list[KeyMeeting](), dict[frozenset[str], tuple[str, str]]()
    for actor in stage.actors:
        other_names = list(actor.carriers)
        if actor.mover is not None:
            other_names += watched_names(actor.mover, f"Actor {actor.name!r}")
        if isinstance(actor.facing, LookAt):
            other_names.append(actor.facing.name)
        for other_name in other_names:
            pairs.setdefault(frozenset((actor.name, other_name)), (actor.name, other_name))
        if actor.name in stage.resolved.relative_keys and actor.name not in stage.resolved.relative_keys.live:
            motion, pass_log = (
                stage.resolved.relative_keys.relative_motion(actor.name),
                stage.resolved.relative_keys.pass_log(actor.name),
            )
            for key, carrier in zip(motion.relative_path.relative_keys.tolist(), motion.carriers, strict=True):
                time = motion.pass_time(key, pass_log)
                if begin <= time <= end:
                    position = pose_center(stage.resolved.evaluator(np.array([time])).pose(actor.name))[0]
                    meetings.append(KeyMeeting(actor.name, carrier, time, position))
    for link, reach in reaches_by_link(stage).items():
        for other_name in reach.carriers:
            pairs.setdefault(frozenset((link, other_name)), (link, other_name))
    visible_pairs = [pair for pair in pairs.values() if tracks.by_name.keys() >= set(pair)]
    return replace(
        tracks, meetings=tuple(sorted(meetings, key=lambda meeting: meeting.time)), distance_pairs=tuple(visible_pairs)
    )
