"""Who can keep an appointment? Whoever has a path and can be slowed down on it, or held: where are its goals?"""

from dataclasses import dataclass

import numpy as np

from keypose.curves.path.motion_path import MotionPath
from keypose.errors import KeyposeError, UnknownNameError, did_you_mean, shown
from keypose.maths.inputs import as_number
from keypose.motion.facing import FaceForward
from keypose.motion.motion import LAPS, Motion
from keypose.script.meeting import Goal, TurnGoal

LEAST = 0.1  # of its own speed: slower is nobody made to go

A_HAIR, NOTHING = 1e-8, 1e-10  # of a round: how far its end is from where the next begins, and what is taken as none


@dataclass(frozen=True)
class Runner:
    """Somebody with a target on a path, or a motion whose clock can go slower."""

    name: str
    path: MotionPath
    pace: float
    """How fast its target goes on its own [m/s]; 1 of a clock."""
    turn_pace: float
    """How fast its target turns [rad/s]; 1 of a clock."""
    reaction: float
    """How soon it takes another speed [s]."""
    least: float = LEAST
    """How slow it may be made, of its own speed."""
    motion: Motion | None = None
    """What is played by its clock; None for who races a target."""
    facing: FaceForward | None = None
    """How what is played looks forward, if it does."""

    @property
    def is_carried(self) -> bool:
        """Whether others carry keys of its path."""
        names = self.path.keys.column("relative_to")
        return names is not None and any(name is not None for name in names)

    def where(self, goal: Goal, meeting: str) -> tuple[bool, float]:
        """Whether a goal is one of its turn, and where: a parameter of its path, or a time [s] of its clock."""
        whose = f"Meeting {shown(meeting)} has the goal {shown(goal)} for {shown(self.name)}"
        if isinstance(goal, TurnGoal):
            if self.path.turns is None:
                raise KeyposeError(
                    f"{whose}, whose path has no facings. Give its keys orientations, or name a key as the goal."
                )
            return self.motion is None, self._key(goal.key, whose)
        if isinstance(goal, str):
            return False, self._key(goal, whose)
        distance = as_number(goal)
        assert distance is not None
        return False, self._along(distance, whose)

    @property
    def round(self) -> float:
        """How far it is once round, where its path is closed or its motion starts over or comes back; else 0."""
        if self.motion is None:
            return float(self.path.segments) if self.path.closed else 0.0
        first, last = self.motion.span
        return float(last - first) * LAPS[self.motion.outside]

    def gone_round(self, gone: tuple[float, float, int] | None, turns: bool) -> float:
        """How far who follows a closed path has gone round, or turned: rounds of another path do not count."""
        if gone is None:
            return 0.0
        place, turn, segments = gone
        return (turn if turns else place) if segments == self.path.segments else (turn if turns else place) % self.round

    def behind(self, last: float | None, at: float, begins: float = 0.0) -> float:
        """Where it comes to a place next that is at `at` in the first round: behind the last goal before, if any.

        It is not before its script `begins`. Who is there just then has come; on a closed path it goes round.
        """
        if last is None and self.path.closed:
            last = begins
        return min(self._next(last, one, begins) for one in self._passes(at))

    def _passes(self, at: float) -> tuple[float, ...]:
        """Where it comes to a place within a round: once, or on its way back as well."""
        if self.motion is None or self.motion.outside != "mirror":
            return (at,)
        return at, 2 * float(self.motion.span[1]) - at

    def _next(self, last: float | None, at: float, begins: float) -> float:
        """Where a motion starts over it is at its last key and then at its first: a hair is between."""
        rounds = np.ceil((begins - at) / self.round - NOTHING)
        if last is not None:
            rounds = max(rounds, np.floor((last - at) / self.round + NOTHING) + 1)
        hair = A_HAIR * self.round if self._starts_over and at <= self._first and rounds else 0.0
        return float(at + rounds * self.round + hair)

    def in_the_round_of(self, begins: float, at: float) -> float:
        """Where it has gone as far as at `at` of the first round, in the one that runs when its script `begins`."""
        return float(at + np.floor((begins - self._first) / self.round + NOTHING) * self.round)

    @property
    def _first(self) -> float:
        return 0.0 if self.motion is None else float(self.motion.span[0])

    @property
    def _starts_over(self) -> bool:
        return self.motion is not None and self.motion.outside == "cycle"

    def _key(self, name: str, whose: str) -> float:
        said = self.path.keys.column("name")
        known = [] if said is None else [one for one in said if one is not None]
        if name not in known:
            there = did_you_mean(name, known) if known else " No key of that has a name: Key(…, name='goal')."
            raise UnknownNameError(f"{whose}, and no key of its path is named so.{there}")
        number = self.path.keys.index(name)
        return float(number) if self.motion is None else self._before_the_next(float(self.motion.key_times[number]))

    def _before_the_next(self, time: float) -> float:
        """A time at which a motion is where it comes to then; at the end of a cycle, a hair before it begins again."""
        assert self.motion is not None
        return min(time, float(self.motion.span[1]) - A_HAIR * self.round) if self._starts_over else time

    def _along(self, distance: float, whose: str) -> float:
        if self.is_carried:
            raise KeyposeError(f"{whose}, but others carry its path, which grows and shrinks. Name a key as the goal.")
        path, rounds = self.path, 0.0
        if self._starts_over and path.length:
            rounds = max(0.0, np.ceil(distance / path.length - 1e-9) - 1)
            distance -= rounds * path.length
        if distance > path.length * (1 + 1e-9) and not (path.closed and self.motion is None):
            raise KeyposeError(
                f"{whose}, whose path is {path.length:.6g} m long. Give a distance up to that, or the name of a key."
            )
        if self.motion is None:
            return float(path.parameter(min(distance, path.length) if not path.closed else distance))
        return rounds * self.round + self._before_the_next(_moment(self.motion, distance, whose))


def _moment(motion: Motion, distance: float, whose: str) -> float:
    """The first time [s] at which a motion has gone so far."""
    first, last = motion.span
    times = np.linspace(first, last, 1025)
    gone = np.asarray(motion.distance(times))
    there = np.flatnonzero(gone >= distance * (1 - 1e-9))
    if not len(there):
        raise KeyposeError(f"{whose}, which its motion never comes to: it goes {gone.max():.6g} m. Give less.")
    if there[0] == 0:
        return float(first)
    low, high = times[there[0] - 1], times[there[0]]
    for _ in range(60):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if float(motion.distance(middle)) >= distance * (1 - 1e-9) else (middle, high)
    return float(high)
