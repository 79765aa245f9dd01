"""The take of a live run: its ticks are simulated again from change to change, and recorded frame by frame."""

from collections.abc import Sequence
from itertools import pairwise
from math import ceil, floor

import numpy as np

from keypose.errors import KeyposeError
from keypose.maths import Floats
from keypose.motion import Pose, Take
from keypose.stage.recorder.recorder import Recorder
from keypose.stage.recorder.script_report import build_script_report
from keypose.stage.run.moment import Moment
from keypose.stage.run.tick_time import TICK_TOLERANCE
from keypose.timing import check_fps


def record_run(changes: Sequence[Moment], last: Moment, fps: float) -> Take:
    """The take up to the last moment of a run; each change is a moment from which another stage holds, the first too.

    The take has the actors of the last stage. An actor that came later holds its first pose before.
    """
    rate = check_fps(fps)
    times = _frame_times(changes[0], last, rate)
    starts = [int(np.searchsorted(times, one.time - TICK_TOLERANCE * one.tick_time.tick)) for one in changes]
    recorders, poses = list[Recorder](), list[dict[str, Pose]]()
    for change, (first, stop) in zip(changes, pairwise([*starts, len(times)]), strict=True):
        if first < stop:
            recorder = Recorder(change.stage)
            end = _record_section(recorder, change, times[first:stop])
            recorders.append(recorder)
            poses.append(recorder.poses(times[first:stop], end))
    counts = [len(recorder.progress_frames) for recorder in recorders]
    targets = [recorder.targets() for recorder in recorders]
    common = [name for name in targets[-1] if all(name in section for section in targets)]
    joined_targets = {name: np.concatenate([section[name] for section in targets]) for name in common}
    stages = [change.stage for change in changes]
    report = None
    if all(one.sync_plan is stages[0].sync_plan for one in stages):
        frames = [frame for recorder in recorders for frame in recorder.progress_frames]
        report = build_script_report(last.stage, times, frames, joined_targets, last.events)
    all_poses = {name: _join_poses([section.get(name) for section in poses], counts) for name in poses[-1]}
    return Take(times, rate, all_poses, last.events, joined_targets, report)


def _frame_times(first: Moment, last: Moment, fps: float) -> Floats:
    """The frames i / fps from the first moment to the last, both included."""
    start = ceil((first.time - TICK_TOLERANCE * first.tick_time.tick) * fps)
    stop = floor((last.time + TICK_TOLERANCE * last.tick_time.tick) * fps) + 1
    if stop - start < 2:
        raise KeyposeError(
            f"The run is known from {first.time:g} to {last.time:g} s, which is less than two frames at {fps:g} frames "
            "per second. Let more ticks pass, or give more frames per second."
        )
    return np.arange(start, stop) / fps


def _record_section(recorder: Recorder, start: Moment, times: Floats) -> Moment:
    """Record the frames at these times, simulated from this moment on; the last moment."""
    before = after = start
    for time in times.tolist():
        while not after.tick_time.is_at_or_after(time):
            before, after = after.moments_around(time)
        recorder.record(before, after, time)
    return after


def _join_poses(sections: Sequence[Pose | None], counts: Sequence[int]) -> Pose:
    """The poses of an actor in all sections; where it is not yet, or has another shape, its first pose later on."""
    final = sections[-1]
    assert final is not None
    shape = final.position.shape[1:]
    joined, following = list[Pose](), final
    for section, count in zip(reversed(sections), reversed(counts), strict=True):
        if section is None or section.position.shape[1:] != shape:
            section = Pose.of(
                np.repeat(following.position[:1], count, axis=0), np.repeat(following.orientation[:1], count, axis=0)
            )
        joined.append(section)
        following = section
    return Pose.of(
        np.concatenate([pose.position for pose in reversed(joined)]),
        np.concatenate([pose.orientation for pose in reversed(joined)]),
    )
