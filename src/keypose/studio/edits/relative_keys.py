"""Where is an actor some of whose keys are carried when it is at u of its path? Its path bends as its carriers go.

What is seen on screen is the way it takes: where it is at the moment it comes to u.
"""

import numpy as np

from keypose.errors import KeyposeError
from keypose.maths import quaternion
from keypose.maths.arrays import Floats
from keypose.motion.hierarchy import middle, seen_from, stood_on
from keypose.motion.pose import Pose
from keypose.physics.relative.relative_keys import loosened
from keypose.stage.evaluate.poses import looking
from keypose.stage.stage import Stage
from keypose.studio.edits.key_frames import key_frames_at, moment_at
from keypose.studio.edits.motions import motion_of, path_of

LOOKS = 500  # along the way, then as many again around the place
ROUNDS = 3


def met_at(stage: Stage, name: str, u: float, carrier: str | None) -> tuple[Floats, float]:
    """Its place in the frame it stands in, or in its carrier's, when it comes to u; and the moment [s]."""
    if name in stage.meetings.live:
        raise KeyposeError(
            f"Actor {name!r} depends on what takes ticks, so its way is not known ahead. Paste a key instead."
        )
    meeting, story, look = stage.meetings.of(name), stage.meetings.story(name), looking(stage.instants)
    first, last = motion_of(stage, name).span
    moment = first
    for _ in range(ROUNDS):
        times = np.linspace(first, last, LOOKS)
        reached = meeting._parameter(times, meeting._shapes(times, look, story), story)
        moment = float(np.interp(u, np.maximum.accumulate(reached), times))
        width = (last - first) / LOOKS
        first, last = max(first, moment - width), min(last, moment + width)
    now = np.array([moment])
    own = meeting.at(now, look, story)
    if carrier is None:
        return own.position[0], moment
    parent = stage[name].parent
    world = own if parent is None else stood_on(look(parent, now), own)
    under = look(carrier, now)
    return seen_from(Pose(middle(under), under.orientation), world).position[0], moment


def bent_at(stage: Stage, name: str, u: float, time: float) -> tuple[Floats, str | None]:
    """A place on the rough path of a follower as it is bent at a moment [s]; between keys of one carrier, as that sees
    it, and then also who that is.
    """
    path = path_of(stage, name)
    loose, names = loosened(path), path.keys.column("relative_to")
    assert loose is not None
    assert names is not None
    frames = key_frames_at(moment_at(stage, time))[name]
    place, before = np.asarray(loose.settled(frames, 0).at(u)), int(u)
    carrier: str | None = names[before]
    if carrier is None or names[(before + 1) % len(path)] != carrier:
        return place, None
    slot = int(loose.slot[before])
    return quaternion.rotate(quaternion.conjugate(frames.turn[0, slot]), place - frames.place[0, slot]), carrier
