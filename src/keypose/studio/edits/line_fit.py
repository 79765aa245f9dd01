"""How does a line drawn with the mouse become a motion? By as few of its places as lead through all the others.

Keys are passed when the mouse was there. More are taken where the motion through them would leave the line, until it
nowhere does by more than a hand trembles; then those are left out again without which it does not either. So a person
can go on with them, and where the mouse rested there are two.
"""

from typing import Any

import numpy as np

from keypose.curves import MotionPath
from keypose.errors import KeyposeError
from keypose.maths import Floats, Ints
from keypose.motion import Motion
from keypose.stage import Stage
from keypose.studio.preview.preview import Preview
from keypose.studio.protocol import commands
from keypose.timing import KeyTimes

MAX_KEYS = 1000
FIT_TOLERANCE = 1e-2  # of the size of the line: so far a motion may be from where the mouse was, at any moment
REST_TIME = 0.2  # [s] in one place: longer than between two tellings of a slow mouse
MAX_REMOVAL_TRIES = 1000  # to leave a key out: about a second
CHECK_NEIGHBOURS, FIT_NEIGHBOURS = (
    2,
    5,
)  # so many keys to each side a key has a say in the motion, and so many lead it there as all do
EXTRA_DIGITS = 1  # that places keep behind the first of what a hand trembles


class PointerLine(commands.Edit, frozen=True, kw_only=True):
    """What the studio makes of `KeepPointer`: an actor led along a line. Pages do not say it."""

    actor: str
    times: Any
    """(n,) [s]"""
    positions: Any
    """(n, 3) [m], in the world"""


def keep_pointer(stage: Stage, message: PointerLine) -> tuple[Stage, str]:
    """The actor with a motion along the line."""
    actor = stage[message.actor]
    if len(Preview(stage).shape(actor.name)) > 1:
        raise KeyposeError(
            f"Actor {actor.name!r} is a drawing, and a drawn line leads one place. Draw with an actor of one place."
        )
    new_motion = fit_motion(message.times, message.positions)
    return stage.with_actor(actor.changed(motion_or_mover=new_motion)), "keep the drawn line"


def fit_motion(times: Floats, positions: Floats) -> Motion:
    """A motion that is at (n, 3) places at (n,) times [s], but for what a hand trembles, with at most 1000 keys."""
    tolerance = FIT_TOLERANCE * float(np.linalg.norm(np.ptp(positions, axis=0)))
    if not tolerance > 0:
        raise KeyposeError("The drawn line stays in one place. Lead the pointer along a line first.")
    positions = np.round(positions, EXTRA_DIGITS - int(np.floor(np.log10(tolerance)))) + 0.0
    informative = _informative_samples(times, positions)
    times, samples = times[informative], positions[informative] if positions[:, 2].any() else positions[informative, :2]
    while True:
        motion = _fit_within(times, samples, tolerance)
        if motion is not None:
            return motion
        tolerance *= 2.0  # of a very long line only the large strokes are kept


def _informative_samples(times: Floats, positions: Floats) -> Ints:
    """Which samples tell something: where the mouse came to a place, and all while it rested in one.

    A mouse tells less often where it is than a run ticks: until it does, it has not stopped.
    """
    arrivals = np.concatenate([[0], np.flatnonzero(np.any(np.diff(positions, axis=0) != 0, axis=1)) + 1])
    counts = np.diff(np.concatenate([arrivals, [len(times)]]))
    departures = arrivals + counts - 1
    is_rest = times[departures] - times[arrivals] >= REST_TIME
    is_informative = np.repeat(is_rest, counts)
    is_informative[arrivals] = is_informative[-1] = True
    return np.flatnonzero(is_informative)


def _fit_within(times: Floats, positions: Floats, tolerance: float) -> Motion | None:
    """The motion through as few places as keep it so near to all of them; None if these are too many."""
    keys = np.array([0, len(times) - 1])
    while len(keys) <= MAX_KEYS:
        errors = _fit_errors(times, positions, keys)
        begins, ends = keys[:-1], keys[1:]
        is_off = np.maximum.reduceat(errors, begins) > tolerance
        halfway = (begins + ends)[is_off & (ends - begins > 1)] // 2  # evenly spaced keys make the smoothest motion
        if not len(halfway):
            return _motion_through(times, positions, _remove_redundant_keys(times, positions, keys, tolerance))
        keys = np.sort(np.concatenate([keys, halfway]))
    return None


def _remove_redundant_keys(times: Floats, positions: Floats, keys: Ints, tolerance: float) -> Ints:
    """Those of the keys without which the motion would leave the line; from the one that matters least on."""
    remaining, tries = keys.tolist(), 0
    unchecked = set(remaining)  # whether they are needed: all, and then those around whom something has changed
    while unchecked and tries < MAX_REMOVAL_TRIES:
        for key in [one for one in _keys_by_importance(times, positions, remaining) if one in unchecked]:
            slot, tries = remaining.index(key), tries + 1
            neighbours = remaining[max(slot - FIT_NEIGHBOURS, 0) : slot + FIT_NEIGHBOURS + 1]
            near = slice(
                remaining[max(slot - CHECK_NEIGHBOURS, 0)],
                remaining[min(slot + CHECK_NEIGHBOURS, len(remaining) - 1)] + 1,
            )
            without = _motion_through(times, positions, np.array([one for one in neighbours if one != key]))
            if np.linalg.norm(without.at(times[near]).position - positions[near], axis=1).max() <= tolerance:
                remaining.remove(key)
                unchecked.update(neighbours)
            unchecked.discard(key)
        unchecked.intersection_update(remaining[1:-1])
    found = np.array(remaining)
    return found if _fit_errors(times, positions, found).max() <= tolerance else keys


def _keys_by_importance(times: Floats, positions: Floats, remaining: list[int]) -> list[int]:
    """All keys but the first and the last, by how far each is from the way straight past it."""
    before, here, after = remaining[:-2], remaining[1:-1], remaining[2:]
    fraction = ((times[here] - times[before]) / (times[after] - times[before]))[:, None]
    straight = positions[before] + fraction * (positions[after] - positions[before])
    order = np.argsort(np.linalg.norm(positions[here] - straight, axis=1), kind="stable")
    return [here[number] for number in order.tolist()]


def _fit_errors(times: Floats, positions: Floats, keys: Ints) -> Floats:
    """How far the motion through some places is from all of them when it should be there, (n,)."""
    return np.asarray(np.linalg.norm(_motion_through(times, positions, keys).at(times).position - positions, axis=1))


def _motion_through(times: Floats, positions: Floats, keys: Ints) -> Motion:
    return Motion(MotionPath(positions[keys].tolist()), KeyTimes(times[keys]))
