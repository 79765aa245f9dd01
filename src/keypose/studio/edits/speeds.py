"""How is a speed drawn? By control values that are dragged (BH89 §4)."""

import numpy as np

from keypose.errors import KeyposeError
from keypose.motion import Motion
from keypose.stage import Stage
from keypose.studio.edits.motions import motion_of, with_motion
from keypose.studio.protocol import commands
from keypose.timing import KeyTimeClock, SpeedProfile


def set_speed(stage: Stage, message: commands.SetSpeed) -> tuple[Stage, str]:
    """The speed drawn anew; without values the keys' own times hold, else a steady speed."""
    motion = motion_of(stage, message.actor)
    if message.values is not None:
        new = motion.retimed(SpeedProfile(message.values))
        return with_motion(stage, message.actor, new), f"draw the speed of {message.actor}"
    path, _, _, start, capture, outside = motion.spec
    times = path.keys.column("time")
    if times is not None and not np.isnan(times).all():
        timed_motion = Motion(path, start=start, outside=outside)
        return with_motion(stage, message.actor, timed_motion), f"key times of {message.actor}"
    start = motion.span[0] if isinstance(motion.clock, KeyTimeClock) else start
    steady = Motion(path, duration=motion.duration, start=start, capture=dict(capture), outside=outside)
    return with_motion(stage, message.actor, steady), f"steady speed of {message.actor}"


def raise_speed(stage: Stage, message: commands.RaiseSpeed) -> tuple[Stage, str]:
    """One control value dragged."""
    motion = motion_of(stage, message.actor)
    new = motion.retimed(_profile(motion, message.actor).raised(message.index, message.value))
    return with_motion(stage, message.actor, new), f"speed value {message.index} of {message.actor}"


def insert_speed(stage: Stage, message: commands.InsertSpeed) -> tuple[Stage, str]:
    """One control value more."""
    motion = motion_of(stage, message.actor)
    new = motion.retimed(_profile(motion, message.actor).inserted(message.x, message.value))
    return with_motion(stage, message.actor, new), f"insert a speed value of {message.actor}"


def delete_speed(stage: Stage, message: commands.DeleteSpeed) -> tuple[Stage, str]:
    """One control value less."""
    motion = motion_of(stage, message.actor)
    new = motion.retimed(_profile(motion, message.actor).without(message.index))
    return with_motion(stage, message.actor, new), f"delete speed value {message.index} of {message.actor}"


def _profile(motion: Motion, actor: str) -> SpeedProfile:
    """The speed as it is drawn; a steady one is a single value."""
    if isinstance(motion.timing, SpeedProfile):
        return motion.timing
    if isinstance(motion.clock, KeyTimeClock):
        raise KeyposeError(f"Actor {actor!r} goes by the times of its keys. Draw its speed first.")
    return SpeedProfile.steady()
