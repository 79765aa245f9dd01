"""When is a key passed? Keys are shown, and moved, where what carries them is at that moment."""

import numpy as np

from keypose.maths.arrays import Floats
from keypose.motion.motion import Motion
from keypose.stage.instants import looking
from keypose.stage.stage import Stage
from keypose.timing.schedule import Pacing

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
