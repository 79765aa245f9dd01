"""How does a line drawn with the mouse become a motion? By as few of its places as lead through all the others.

Keys are passed when the mouse was there. More are taken where the motion through them would leave the line, until it
nowhere does by more than a hand trembles; then those are left out again without which it does not either. So a person
can go on with them, and where the mouse rested there are two.
"""

from typing import Any

import numpy as np

from keypose.curves.path.motion_path import MotionPath
from keypose.errors import KeyposeError
from keypose.maths.arrays import Floats, Ints
from keypose.motion.motion import Motion
from keypose.stage.stage import Stage
from keypose.studio.preview.preview import Film
from keypose.studio.protocol import commands as say
from keypose.timing.key_times import KeyTimes

MOST_KEYS = 1000
TREMBLING = 1e-2  # of the size of the line: so far a motion may be from where the mouse was, at any moment
RESTING = 0.2  # [s] in one place: longer than between two tellings of a slow mouse
MOST_TRIES = 1000  # to leave a key out: about a second
NEAR, REACH = 2, 5  # so many keys to each side a key has a say in the motion, and so many lead it there as all do
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
    told = _told(times, places)
    times, flat = times[told], places[told] if places[:, 2].any() else places[told, :2]
    while True:
        motion = _within(times, flat, allowed)
        if motion is not None:
            return motion
        allowed *= 2.0  # of a very long line only the large strokes are kept


def _told(times: Floats, places: Floats) -> Ints:
    """Which samples tell something: where the mouse came to a place, and all while it rested in one.

    A mouse tells less often where it is than a run ticks: until it does, it has not stopped.
    """
    came = np.concatenate([[0], np.flatnonzero(np.any(np.diff(places, axis=0) != 0, axis=1)) + 1])
    lasted = np.diff(np.concatenate([came, [len(times)]]))
    left = came + lasted - 1
    rests = times[left] - times[came] >= RESTING
    told = np.repeat(rests, lasted)
    told[came] = told[-1] = True
    return np.flatnonzero(told)


def _within(times: Floats, places: Floats, allowed: float) -> Motion | None:
    """The motion through as few places as keep it so near to all of them; None if these are too many."""
    keys = np.array([0, len(times) - 1])
    while len(keys) <= MOST_KEYS:
        off = _off(times, places, keys)
        begins, ends = keys[:-1], keys[1:]
        is_off = np.maximum.reduceat(off, begins) > allowed
        halfway = (begins + ends)[is_off & (ends - begins > 1)] // 2  # evenly spaced keys make the smoothest motion
        if not len(halfway):
            return _through(times, places, _needed(times, places, keys, allowed))
        keys = np.sort(np.concatenate([keys, halfway]))
    return None


def _needed(times: Floats, places: Floats, keys: Ints, allowed: float) -> Ints:
    """Those of the keys without which the motion would leave the line; from the one that matters least on."""
    kept, tries = keys.tolist(), 0
    asked = set(kept)  # whether they are needed: all, and then those around whom something has changed
    while asked and tries < MOST_TRIES:
        for key in [one for one in _least_first(times, places, kept) if one in asked]:
            place, tries = kept.index(key), tries + 1
            around = kept[max(place - REACH, 0) : place + REACH + 1]
            near = slice(kept[max(place - NEAR, 0)], kept[min(place + NEAR, len(kept) - 1)] + 1)
            without = _through(times, places, np.array([one for one in around if one != key]))
            if np.linalg.norm(without.at(times[near]).position - places[near], axis=1).max() <= allowed:
                kept.remove(key)
                asked.update(around)
            asked.discard(key)
        asked.intersection_update(kept[1:-1])
    found = np.array(kept)
    return found if _off(times, places, found).max() <= allowed else keys


def _least_first(times: Floats, places: Floats, kept: list[int]) -> list[int]:
    """All keys but the first and the last, by how far each is from the way straight past it."""
    before, here, after = kept[:-2], kept[1:-1], kept[2:]
    share = ((times[here] - times[before]) / (times[after] - times[before]))[:, None]
    past = places[before] + share * (places[after] - places[before])
    order = np.argsort(np.linalg.norm(places[here] - past, axis=1), kind="stable")
    return [here[number] for number in order.tolist()]


def _off(times: Floats, places: Floats, keys: Ints) -> Floats:
    """How far the motion through some places is from all of them when it should be there, (n,)."""
    return np.asarray(np.linalg.norm(_through(times, places, keys).at(times).position - places, axis=1))


def _through(times: Floats, places: Floats, keys: Ints) -> Motion:
    return Motion(MotionPath(places[keys].tolist()), KeyTimes(times[keys]))
