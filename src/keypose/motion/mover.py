"""What answers to others cannot be a function of time: it takes ticks. What must a mover be able to say?

A mover is a small frozen value with three methods; what changes from tick to tick is its state, any value at all, which
a step replaces and never alters. So a run can be rewound to any tick, and replaying gives the same bits. Movers may
also stand on, look at or carry each other in a circle: there they read where the others were at the last tick.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, Protocol, TypeVar, runtime_checkable

import numpy as np

from keypose.errors import KeyposeError, UnknownNameError, did_you_mean, shown
from keypose.maths.inputs import number
from keypose.motion.hierarchy import between as straight
from keypose.motion.pose import Pose

S = TypeVar("S")

FILM_TICK = 1 / 24  # [s]
SHORTEST, LONGEST = 1e-9, 1e9  # [s]


@dataclass(frozen=True)
class Sight:
    """What a mover sees before it steps: everything at one moment, the last tick, in the frame it stands in.

    `sight["leader"]` is the pose of a watched actor: movers as they were at the last tick, motions at `time` [s].
    """

    time: float
    _watches: tuple[str, ...]
    _look: Callable[[str], Pose]

    def __getitem__(self, name: str) -> Pose:
        if name not in self._watches:
            raise UnknownNameError(
                f"A mover looks at {shown(name)}, which it does not watch.{did_you_mean(str(name), self._watches)}"
            )
        return self._look(name)


@runtime_checkable
class Mover(Protocol[S]):
    """What takes ticks. Three more words may be said.

    `watches`: the names of the actors it looks at, else none. `tick`: its step [s], else 1/24. `between(before, after,
    share)`: its pose between two states, else on a straight line and by the shorter turn.

    A state may be made of numbers, arrays, tuples, lists, dicts, sets and dataclasses. A copy of it is kept: a step may
    do to the lists and dicts it is given what it likes, and arrays in them are read-only.
    """

    def begin(self, sight: Sight) -> S:
        """The state at its first moment."""
        ...

    def step(self, state: S, sight: Sight, dt: float) -> S:
        """The state `dt` seconds after `sight.time`: a new one, the old one stays as it was."""
        ...

    def pose(self, state: S) -> Pose:
        """Where a state is, in the frame the actor stands in."""
        ...


def watched_by(mover: object, who: str) -> tuple[str, ...]:
    """The names of the actors that a mover looks at."""
    said = getattr(mover, "watches", ())
    if isinstance(said, str) or not isinstance(said, Iterable):
        raise KeyposeError(f'{who} watches {shown(said)}. Give a tuple of names, as ("leader",).')
    names = tuple(said)
    if not all(isinstance(name, str) for name in names):
        raise KeyposeError(f'{who} watches {shown(names)}. Give a tuple of names, as ("leader",).')
    return names


def tick_of(mover: object, who: str) -> float:
    """A mover's own step [s]."""
    return checked_tick(getattr(mover, "tick", FILM_TICK), f"The tick of {who}")


def checked_tick(tick: object, what: str) -> float:
    """A tick [s] as a float, if it is one at all."""
    seconds = number(tick, what)
    if not SHORTEST <= seconds <= LONGEST:
        raise KeyposeError(f"{what} is {seconds:g} s. Give {SHORTEST:g} to {LONGEST:g} seconds, as 1/24.")
    return seconds


def alike(one: Any, two: Any) -> bool:
    """Whether two things are the same by value, whatever arrays they are made of."""
    if one is two:
        return True
    if isinstance(one, np.ndarray) or isinstance(two, np.ndarray):
        return isinstance(one, type(two)) and one.dtype == two.dtype and np.array_equal(one, two)
    try:
        return bool(one == two)
    except Exception:  # arrays inside are not simply equal or not; what is broken equals nothing
        pass
    if type(one) is not type(two):
        return False
    if is_dataclass(one):
        return all(alike(getattr(one, field.name), getattr(two, field.name)) for field in fields(one))
    if isinstance(one, Mapping):
        return one.keys() == two.keys() and all(alike(one[key], two[key]) for key in one)
    return isinstance(one, tuple | list) and len(one) == len(two) and all(map(alike, one, two))


def pose_between(mover: Mover[Any], before: Any, after: Any, share: float) -> Pose:
    """The pose at a share of the way between two states, by the mover's own rule if it has one."""
    own = getattr(mover, "between", None)
    if own is not None:
        pose: Pose = own(before, after, share)
        return pose
    return straight(mover.pose(before), mover.pose(after), share)
