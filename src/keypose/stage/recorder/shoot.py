"""How does a performance become a film? A run to the end with a recorder beside it: frame by frame into a take.

Ticks belong to the movers and frames to the camera; a frame between two ticks is sampled on the way between them.
"""

from collections.abc import Callable

import numpy as np

from keypose.errors import KeyposeError, short_repr
from keypose.maths import Floats
from keypose.motion import Event, Pose, Take, check_tick
from keypose.stage.recorder.duration import MAX_DURATION, expected_duration, needs_more_time, open_meeting_warning
from keypose.stage.recorder.recorder import Recorder
from keypose.stage.resolved_stage import ResolvedStage, load_kernels_for
from keypose.stage.run.start import initial_moment
from keypose.stage.run.tick_time import TickTime
from keypose.stage.stage import Stage
from keypose.timing import check_fps, covering_frame_count, frame_count

Progress = Callable[[int, int], object]

POSES_PER_CHUNK = 100_000  # poses: about a tenth of a second
EXTENSION = 1.0  # by which a take grows of which nobody said how long it is
MAX_TICKS = 1e8  # which take a quarter of an hour at least


def shoot(
    stage: Stage,
    seconds: float | None = None,
    fps: float = 24,
    *,
    tick: float | None = None,
    progress: Progress | None = None,
) -> Take:
    """Record the poses of all actors at 0, 1/fps … seconds: round(seconds · fps) + 1 frames, at least 2.

    With `seconds=None` the take lasts until everything that ends has ended: motions, followed paths, meetings. It has
    ceil(duration · fps) + 1 frames, so that the last key is included; after its end a motion holds its last pose.
    `tick` [s] defaults to that of the stage's finest mover. `progress(done, frames)` is called as frames are recorded.
    """
    if not isinstance(stage, Stage):
        raise KeyposeError(f"shoot was given {short_repr(stage)}. Give a Stage.")
    if seconds is not None:
        return _record_take(stage, seconds, fps, tick, progress, until_done=False)
    duration = expected_duration(stage)
    if not duration:
        raise KeyposeError("Nothing on the stage ends by itself. Give a duration, as seconds=5.")
    return shoot_until_done(stage, duration, fps, tick=tick, progress=progress)


def shoot_until_done(
    stage: Stage, seconds: float, fps: float = 24, *, tick: float | None = None, progress: Progress | None = None
) -> Take:
    """Record a take of at least so many seconds, and of more until all meetings are over (see `duration`)."""
    return _record_take(stage, seconds, fps, tick, progress, until_done=True)


def _record_take(
    stage: Stage, seconds: float, fps: float, tick: float | None, progress: Progress | None, until_done: bool
) -> Take:
    if progress is not None and not callable(progress):
        raise KeyposeError(f"shoot was given progress={short_repr(progress)}. Give a function of (done, frames).")
    resolved = stage.resolved
    load_kernels_for(resolved)
    times = _frame_times(seconds, fps, is_end_included=until_done)
    step = resolved.tick if tick is None else check_tick(tick, "The tick to shoot with")
    if resolved.movers:
        if times[-1] / step > MAX_TICKS:
            raise KeyposeError(
                f"A take of {times[-1]:g} s in ticks of {step:g} s would have more than {MAX_TICKS:g} of them. "
                "Take longer ticks, or shoot fewer seconds."
            )
        return _simulate(
            resolved, times, fps, step, progress, min(MAX_DURATION, MAX_TICKS * step) if until_done else 0.0
        )
    poses = stage.at(times) if progress is None else _evaluate_chunks(stage, times, progress)
    return Take(times, fps, poses, resolved.relative_keys.events(resolved.relative_keys.pass_log, float(times[-1])))


def _frame_times(seconds: float, fps: float, *, is_end_included: bool = False) -> Floats:
    """The times of the frames of so many seconds [s]; with `is_end_included` the last one is never before the end."""
    count = covering_frame_count(seconds, fps) if is_end_included else frame_count(seconds, fps)
    return np.arange(count) / check_fps(fps)


def _evaluate_chunks(stage: Stage, times: Floats, progress: Progress) -> dict[str, Pose]:
    """Everybody's poses at these times, part by part where that takes long, so that it can be told how far it is."""
    frames = max(POSES_PER_CHUNK // max(len(stage.actors), 1), 1)
    parts: list[dict[str, Pose]] = []
    for start in range(0, len(times), frames):
        parts.append(stage.at(times[start : start + frames]))
        progress(min(start + frames, len(times)), len(times))
    if len(parts) == 1:
        return parts[0]
    return {
        name: Pose(
            np.concatenate([part[name].position for part in parts]),
            np.concatenate([part[name].orientation for part in parts]),
        )
        for name in stage.names
    }


def _simulate(
    stage: ResolvedStage, times: Floats, fps: float, tick: float, progress: Progress | None, max_duration: float
) -> Take:
    """A take of a stage with movers at these times; and at more of them, up to `max_duration` [s], until it is over."""
    recorder, warnings = Recorder(stage), tuple[Event, ...]()
    before = after = initial_moment(stage, TickTime(tick))
    done = 0
    while done < len(times):
        while done < len(times) and after.tick_time.is_at_or_after(times[done]):
            recorder.record(before, after, float(times[done]))
            done += 1
            if progress is not None:
                progress(done, len(times))
        if done == len(times) and max_duration and needs_more_time(after, times, recorder.progress_frames):
            longer = _frame_times(times[-1] + max(EXTENSION, 1 / fps), fps)
            if longer[-1] <= max_duration:
                times = longer
            else:
                warnings = open_meeting_warning(after, float(times[-1]))
        if done < len(times):
            before, after = after.moments_around(times[done])
    return recorder.take(times, fps, after, warnings)
