"""How does a performance become a film? A run to the end with a recorder beside it: frame by frame into a take.

Ticks belong to the movers and frames to the camera; a frame between two ticks is sampled on the way between them.
"""

from collections.abc import Callable

import numpy as np

from keypose.errors import KeyposeError, shown
from keypose.maths.arrays import Floats
from keypose.maths.kernel_switch import settle
from keypose.motion.mover import checked_tick
from keypose.motion.pose import Pose
from keypose.motion.take import Event, Take
from keypose.stage.recorder.duration import LONGEST, ends, goes_on, told_open
from keypose.stage.recorder.recorder import Recorder
from keypose.stage.run.start import begun
from keypose.stage.run.tick_time import Beat
from keypose.stage.stage import Stage
from keypose.timing.frames import checked_fps, frame_count

Progress = Callable[[int, int], object]

LONG = 100_000  # poses: about a tenth of a second
A_SECOND = 1.0  # by which a take grows of which nobody said how long it is
MOST_TICKS = 1e8  # which take a quarter of an hour at least


def shoot(
    stage: Stage,
    seconds: float | None,
    fps: float = 24,
    *,
    tick: float | None = None,
    progress: Progress | None = None,
) -> Take:
    """Everybody's poses at 0, 1/fps … seconds: round(seconds · fps) + 1 frames, and never less than 2.

    With `seconds=None` until its motions have ended, its followers had time to come and all its meetings are over.
    `tick` [s] is that of the stage's finest mover unless said. `progress(done, frames)` is called as frames are done.
    """
    if not isinstance(stage, Stage):
        raise KeyposeError(f"shoot was given {shown(stage)}. Give a Stage.")
    if seconds is not None:
        return _shot(stage, seconds, fps, tick, progress, until_over=False)
    lasts = ends(stage)
    if not lasts:
        raise KeyposeError("Nothing on the stage ends by itself. Say how long to shoot, as seconds=5.")
    return shot_out(stage, lasts, fps, tick=tick, progress=progress)


def shot_out(
    stage: Stage, seconds: float, fps: float = 24, *, tick: float | None = None, progress: Progress | None = None
) -> Take:
    """A take of so many seconds, and of as many more as it takes until all meetings are over (see `ending`)."""
    return _shot(stage, seconds, fps, tick, progress, until_over=True)


def _shot(
    stage: Stage, seconds: float, fps: float, tick: float | None, progress: Progress | None, until_over: bool
) -> Take:
    if progress is not None and not callable(progress):
        raise KeyposeError(f"shoot was given progress={shown(progress)}. Give a function of (done, frames).")
    settle()
    times = _frames(seconds, fps)
    step = stage.tick if tick is None else checked_tick(tick, "The tick to shoot with")
    if stage.movers:
        if times[-1] / step > MOST_TICKS:
            raise KeyposeError(
                f"A take of {times[-1]:g} s in ticks of {step:g} s would have more than {MOST_TICKS:g} of them. "
                "Take longer ticks, or shoot fewer seconds."
            )
        return _played(stage, times, fps, step, progress, min(LONGEST, MOST_TICKS * step) if until_over else 0.0)
    poses = stage.at(times) if progress is None else _asked(stage, times, progress)
    return Take(times, fps, poses, stage.meetings.events(stage.meetings.story, float(times[-1])))


def _frames(seconds: float, fps: float) -> Floats:
    """When the frames of so many seconds are [s]."""
    return np.arange(frame_count(seconds, fps)) / checked_fps(fps)


def _asked(stage: Stage, times: Floats, progress: Progress) -> dict[str, Pose]:
    """Everybody's poses at these times, part by part where that takes long, so that it can be told how far it is."""
    frames = max(LONG // max(len(stage.actors), 1), 1)
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


def _played(stage: Stage, times: Floats, fps: float, tick: float, progress: Progress | None, longest: float) -> Take:
    """A take of a stage with movers at these times; and at more of them, up to `longest` [s], until it is over."""
    film, untold = Recorder(stage), tuple[Event, ...]()
    before = after = begun(stage, Beat(tick))
    done = 0
    while done < len(times):
        while done < len(times) and after.beat.has_come(times[done]):
            film.record(before, after, float(times[done]))
            done += 1
            if progress is not None:
                progress(done, len(times))
        if done == len(times) and longest and goes_on(after, times, film.goings):
            more = _frames(times[-1] + max(A_SECOND, 1 / fps), fps)
            if more[-1] <= longest:
                times = more
            else:
                untold = told_open(after, float(times[-1]))
        if done < len(times):
            before, after = after.around(times[done])
    return film.take(times, fps, after, untold)
