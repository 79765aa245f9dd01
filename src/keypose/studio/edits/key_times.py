"""When is a key passed? Some frames later (BH89 §6), at a moment to which it is pinned, or when its speed says, freed.

Under a drawn or steady speed a pinned key is captured; where keys have times of their own, its time is said.
"""

import numpy as np

from keypose.errors import KeyposeError
from keypose.motion import Motion
from keypose.stage import Stage
from keypose.studio.edits.labels import keys_label
from keypose.studio.edits.motions import motion_of, with_keys, with_motion, with_path
from keypose.studio.preview.key_passes import passing_times
from keypose.studio.protocol import commands
from keypose.timing import KeyTimeClock, KeyTimes


def nudge_key(stage: Stage, message: commands.NudgeKey) -> tuple[Stage, str]:
    """A key passed some frames later. Where keys have times of their own, its own time is changed."""
    motion = motion_of(stage, message.actor)
    path = motion.spec[0]
    index = path.keys.index(message.key)
    count_text = "a frame" if abs(message.frames) == 1 else f"{abs(message.frames)} frames"
    label = (
        f"pass {keys_label(path.keys, [index], message.actor)} {count_text} "
        f"{'earlier' if message.frames < 0 else 'later'}"
    )
    if motion.timing is None and isinstance(motion.clock, KeyTimeClock):
        pass_times = passing_times(stage, message.actor, motion) - motion.start
        pass_times = np.append(pass_times, motion.clock.times[len(pass_times) :])  # the return to the first key
        times = KeyTimes(pass_times).nudged(index, message.frames, message.fps).times
        key = path.keys[index].changed(time=float(times[index]))
        return with_path(stage, message.actor, with_keys(path, {index: key})), label
    return with_motion(stage, message.actor, motion.nudged(index, message.frames, message.fps)), label


def time_key(stage: Stage, message: commands.TimeKey) -> tuple[Stage, str]:
    """A key pinned to a moment, or freed again."""
    motion = motion_of(stage, message.actor)
    index = motion.spec[0].keys.index(message.key)
    label = keys_label(motion.spec[0].keys, [index], message.actor)
    if not pinned_flags(motion)[index] and message.time is None:
        raise KeyposeError(f"{label.capitalize()} is free already: its speed says when it is passed. Nothing to free.")
    second = None if message.time is None else message.time - motion.start
    if isinstance(motion.timing, KeyTimes):
        new = _set_listed_time(motion, index, second, label)
    elif isinstance(motion.clock, KeyTimeClock):
        new = _set_key_time(motion, index, second)
    else:
        new = _set_capture(motion, index, second)
    return with_motion(stage, message.actor, new), f"{'free' if second is None else 'time of'} {label}"


def pinned_flags(motion: Motion) -> list[bool]:
    """Of each key whether it is passed when it says, whatever the speed between."""
    path = motion.spec[0]
    if isinstance(motion.timing, KeyTimes):
        return [True] * len(path)
    if isinstance(motion.clock, KeyTimeClock):
        times = path.keys.column("time")
        return [False] * len(path) if times is None else list((~np.isnan(times)).tolist())
    captured = set(map(path.keys.index, motion.capture))
    return [index in captured for index in range(len(path))]


def _set_listed_time(motion: Motion, index: int, second: float | None, label: str) -> Motion:
    """A motion that lists the times of all its keys."""
    path, timing, _, start, _, outside = motion.spec
    assert isinstance(timing, KeyTimes)
    if second is None:
        raise KeyposeError(
            f"{label.capitalize()} cannot be freed: the motion lists a time for every key. Draw its speed instead."
        )
    times = np.array(timing.times)
    times[index] = second
    return Motion(path, KeyTimes(times), start=start, outside=outside)


def _set_key_time(motion: Motion, index: int, second: float | None) -> Motion:
    """A motion by what its keys say themselves; if none says a time any more, it goes steadily and takes as long."""
    path, _, duration, start, _, outside = motion.spec
    path = with_keys(path, {index: path.keys[index].changed(time=second)})
    times = path.keys.column("time")
    is_steady = times is None or bool(np.isnan(times).all())
    if second is None and (is_steady or index == len(path) - 1):
        start, duration = (motion.span[0] if is_steady else start), motion.duration
    return Motion(path, duration=duration, start=start, outside=outside)


def _set_capture(motion: Motion, index: int, second: float | None) -> Motion:
    """A motion at a drawn or steady speed."""
    path, timing, duration, start, capture, outside = motion.spec
    captures = {key: moment for key, moment in capture if path.keys.index(key) != index}
    if second is not None:
        captures[path.keys[index].name or index] = second
    return Motion(path, timing, duration=duration, start=start, capture=captures, outside=outside)
