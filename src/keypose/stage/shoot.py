"""How does a performance become a film? A run to the end with a recorder beside it: frame by frame into a take.

Ticks belong to the movers and frames to the camera; a frame between two ticks is sampled on the way between them.
"""

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from keypose.errors import KeyposeError, shown
from keypose.maths.kernel import settle
from keypose.motion.company import Strider
from keypose.motion.mover import checked_tick
from keypose.motion.pose import Pose
from keypose.motion.take import Take
from keypose.stage.aims import aims_at, filmed_aims
from keypose.stage.beat import Beat
from keypose.stage.beginning import begun
from keypose.stage.instants import Instants
from keypose.stage.moment import Moment, late_on_the_way, share_of_way, taken_at, together
from keypose.stage.order import Step
from keypose.stage.performing import goings_at, performed
from keypose.stage.stage import Stage
from keypose.timing.frames import checked_fps, frame_count

Floats = NDArray[np.float64]
Progress = Callable[[int, int], object]

LONG = 100_000  # poses: about a tenth of a second
MOST_TICKS = 1e8  # which take a quarter of an hour at least


def shoot(
    stage: Stage, seconds: float, fps: float = 24, *, tick: float | None = None, progress: Progress | None = None
) -> Take:
    """Everybody's poses at 0, 1/fps … seconds: round(seconds · fps) + 1 frames, and never less than 2.

    `tick` [s] is that of the stage's finest mover unless said. `progress(done, frames)` is called as frames are done.
    """
    if not isinstance(stage, Stage):
        raise KeyposeError(f"shoot was given {shown(stage)}. Give a Stage.")
    if progress is not None and not callable(progress):
        raise KeyposeError(f"shoot was given progress={shown(progress)}. Give a function of (done, frames).")
    settle()
    times = np.arange(frame_count(seconds, fps)) / checked_fps(fps)
    step = stage.tick if tick is None else checked_tick(tick, "The tick to shoot with")
    if stage.movers:
        if times[-1] / step > MOST_TICKS:
            raise KeyposeError(
                f"A take of {times[-1]:g} s in ticks of {step:g} s would have more than {MOST_TICKS:g} of them. "
                "Take longer ticks, or shoot fewer seconds."
            )
        taken, late, targets, goings, last = _played(stage, times, step, progress)
        poses = Instants(stage, times, taken.__getitem__, last.story, late.__getitem__).everybody()
        events = last.events
        return Take(times, fps, poses, events, targets, performed(stage, times, goings, targets, events))
    poses = stage.at(times) if progress is None else _asked(stage, times, progress)
    return Take(times, fps, poses, stage.meetings.events(stage.meetings.story, float(times[-1])))


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


def _played(
    stage: Stage, times: Floats, tick: float, progress: Progress | None
) -> tuple[dict[str, Pose], dict[Step, Pose], dict[str, Floats], list[Floats], Moment]:
    """Of all movers at these times: poses, where each stands; what is read late, targets, goings; the last moment."""
    filmed = stage.striding
    frames: dict[str, list[Pose]] = {name: [] for name in (() if filmed else stage.movers)}
    films: list[Mapping[str, Pose]] = []
    late: dict[Step, list[Pose]] = {step: [] for step in stage.late.values()}
    aims: list[list[tuple[tuple[str, ...], Floats]]] = []
    goings: list[Floats] = []
    before = after = begun(stage, Beat(tick))
    done = 0
    while done < len(times):
        while done < len(times) and after.beat.has_come(times[done]):
            _record(frames, late, before, after, float(times[done]))
            if filmed is not None:
                films.append(after.company_at(filmed, before, float(times[done])))
            aims.append(aims_at(before, after, float(times[done])))
            goings.append(goings_at(before, after, float(times[done])))
            done += 1
            if progress is not None:
                progress(done, len(times))
        if done < len(times):
            before, after = after.around(times[done])
    poses = {name: together(taken) for name, taken in frames.items()}
    company = None if filmed is None else stage.companies[filmed]
    if isinstance(company, Strider):
        poses |= company.filmed(films)
    return poses, {step: together(read) for step, read in late.items()}, filmed_aims(aims), goings, after


def _record(
    frames: dict[str, list[Pose]], late: dict[Step, list[Pose]], before: Moment, after: Moment, time: float
) -> None:
    """One frame of every mover, at `time` on the way from one tick to the next."""
    share = share_of_way(before, after, time)
    for name, taken in frames.items():
        taken.append(taken_at(before, after, name, share, time))
    for step, read in late.items():
        read.append(late_on_the_way(before, after, step, share))
