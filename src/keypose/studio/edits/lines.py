"""How does a line drawn with the mouse become a motion? By as few of its places as lead through all the others.

Keys are passed when the mouse was there. More are taken where the motion through them would leave the line, until it
nowhere does by more than a hand trembles.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from keypose.curves.motion_path import MotionPath
from keypose.errors import KeyposeError
from keypose.motion.motion import Motion
from keypose.stage.stage import Stage
from keypose.studio import messages as say
from keypose.studio.film import Film
from keypose.timing.key_times import KeyTimes

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

MOST_KEYS = 1000
TREMBLING = 1e-3  # of the size of the line: so far a motion may be from where the mouse was
DIGITS = 1  # that places keep behind the first of what a hand trembles


class DrawnLine(say.Edit, frozen=True, kw_only=True):
    """What the studio makes of `KeepPointer`: an actor led along a line. Pages do not say it."""

    actor: str
    times: Any
    """(n,) [s]"""
    places: Any
    """(n, 3) [m], in the world"""


def kept(stage: Stage, message: DrawnLine) -> tuple[Stage, str]:
    """The actor with a motion along the line."""
    actor = stage[message.actor]
    if len(Film(stage).shape(actor.name)) > 1:
        raise KeyposeError(
            f"Actor {actor.name!r} is a drawing, and a drawn line leads one place. Draw with an actor of one place."
        )
    made = along(message.times, message.places)
    return stage.with_actor(actor.changed(motion_or_mover=made)), "keep the drawn line"


def along(times: Floats, places: Floats) -> Motion:
    """A motion that is at (n, 3) places at (n,) times [s], but for what a hand trembles, with at most 1000 keys."""
    allowed = TREMBLING * float(np.linalg.norm(np.ptp(places, axis=0)))
    if not allowed > 0:
        raise KeyposeError("The drawn line stays in one place. Lead the pointer along a line first.")
    places = np.round(places, DIGITS - int(np.floor(np.log10(allowed)))) + 0.0
    flat = places if places[:, 2].any() else places[:, :2]
    while True:
        motion = _within(times, flat, allowed)
        if motion is not None:
            return motion
        allowed *= 2.0  # of a very long line only the large strokes are kept


def _within(times: Floats, places: Floats, allowed: float) -> Motion | None:
    """The motion through as many places as keep it so near to all of them; None if these are too many."""
    keys = np.array([0, len(times) - 1])
    while len(keys) <= MOST_KEYS:
        motion = Motion(MotionPath(places[keys].tolist()), KeyTimes(times[keys]))
        off = np.linalg.norm(motion.at(times).position - places, axis=1)
        begins, ends = keys[:-1], keys[1:]
        is_off = np.maximum.reduceat(off, begins) > allowed
        halfway = (begins + ends)[is_off & (ends - begins > 1)] // 2  # evenly spaced keys make the smoothest motion
        if not len(halfway):
            return motion
        keys = np.sort(np.concatenate([keys, halfway]))
    return None
