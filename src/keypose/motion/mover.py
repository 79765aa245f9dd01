"""What answers to others cannot be a function of time: it takes ticks. What must a mover be able to say?

A mover is a small frozen value with three methods; what changes from tick to tick is its state, any value at all, which
a step replaces and never alters. So a run can be rewound to any tick, and replaying gives the same bits. Movers may
also stand on, look at or carry each other in a circle: there they read where the others were at the last tick.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, Protocol, TypeVar, runtime_checkable

import numpy as np

from keypose.errors import KeyposeError, UnknownNameError, did_you_mean, short_repr
from keypose.maths import parse_number
from keypose.motion.hierarchy import lerp_pose as straight
from keypose.motion.pose import Pose

S = TypeVar("S")

FILM_TICK = 1 / 24  # [s]
MIN_TICK, MAX_TICK = 1e-9, 1e9  # [s]


@dataclass(frozen=True)
class MoverView:
    """What a mover sees before it steps: everything at one moment, the last tick, in the frame it stands in.

    `view["leader"]` is the pose of a watched actor: movers as they were at the last tick, motions at `time` [s].
    """

    time: float
    _watches: tuple[str, ...]
    _lookup: Callable[[str], Pose]

    def __getitem__(self, name: str) -> Pose:
        if name not in self._watches:
            raise UnknownNameError(
                f"A mover looks at {short_repr(name)}, which it does not watch.{did_you_mean(str(name), self._watches)}"
            )
        return self._lookup(name)


@runtime_checkable
class Mover(Protocol[S]):
    """What takes ticks. Three more words may be said.

    `watches`: the names of the actors it looks at, else none. `tick`: its step [s], else 1/24. `between(before, after,
    share)`: its pose between two states, else on a straight line and by the shorter turn.

    A state may be made of numbers, arrays, tuples, lists, dicts, sets and dataclasses. A copy of it is kept: a step may
    do to the lists and dicts it is given what it likes, and arrays in them are read-only.
    """

    def begin(self, view: MoverView) -> S:
        """The state at its first moment."""
        ...

    def step(self, state: S, view: MoverView, dt: float) -> S:
        """The state `dt` seconds after `view.time`: a new one, the old one stays as it was."""
        ...

    def pose(self, state: S) -> Pose:
        """Where a state is, in the frame the actor stands in."""
        ...


def watched_names(mover: object, owner: str) -> tuple[str, ...]:
    """The names of the actors that a mover looks at."""
    watches = getattr(mover, "watches", ())
    if isinstance(watches, str) or not isinstance(watches, Iterable):
        raise KeyposeError(f'{owner} watches {short_repr(watches)}. Give a tuple of names, as ("leader",).')
    names = tuple(watches)
    if not all(isinstance(name, str) for name in names):
        raise KeyposeError(f'{owner} watches {short_repr(names)}. Give a tuple of names, as ("leader",).')
    return names


def mover_tick(mover: object, owner: str) -> float:
    """A mover's own step [s]."""
    return check_tick(getattr(mover, "tick", FILM_TICK), f"The tick of {owner}")


def check_tick(tick: object, what: str) -> float:
    """A tick [s] as a float, if it is one at all."""
    seconds = parse_number(tick, what)
    if not MIN_TICK <= seconds <= MAX_TICK:
        raise KeyposeError(f"{what} is {seconds:g} s. Give {MIN_TICK:g} to {MAX_TICK:g} seconds, as 1/24.")
    return seconds


def equal_values(one: Any, two: Any) -> bool:
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
        return all(equal_values(getattr(one, field.name), getattr(two, field.name)) for field in fields(one))
    if isinstance(one, Mapping):
        return one.keys() == two.keys() and all(equal_values(one[key], two[key]) for key in one)
    return isinstance(one, tuple | list) and len(one) == len(two) and all(map(equal_values, one, two))


def interpolate_pose(mover: Mover[Any], before: Any, after: Any, fraction: float) -> Pose:
    """The pose at a share of the way between two states, by the mover's own rule if it has one."""
    custom = getattr(mover, "between", None)
    if custom is not None:
        pose: Pose = custom(before, after, fraction)
        return pose
    return straight(mover.pose(before), mover.pose(after), fraction)
