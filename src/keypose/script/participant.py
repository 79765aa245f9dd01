"""Who can keep an appointment? Whoever has a path and can be slowed down on it, or held: where are its goals?"""

from dataclasses import dataclass

import numpy as np

from keypose.curves import MotionPath
from keypose.errors import KeyposeError, UnknownNameError, did_you_mean, short_repr
from keypose.maths import as_number
from keypose.motion import LAP_SPANS, FaceForward, Motion
from keypose.script.meeting import Goal, TurnGoal

MIN_SPEED_FACTOR = 0.1  # of its own speed: slower is nobody made to go

LAP_END_GAP, LAP_TOLERANCE = (
    1e-8,
    1e-10,
)  # of a round: how far its end is from where the next begins, and what is taken as none


@dataclass(frozen=True)
class Participant:
    """Somebody with a target on a path, or a motion whose clock can go slower."""

    name: str
    path: MotionPath
    nominal_speed: float
    """How fast its target goes on its own [m/s]; 1 of a clock."""
    nominal_turn_speed: float
    """How fast its target turns [rad/s]; 1 of a clock."""
    reaction: float
    """How soon it takes another speed [s]."""
    min_speed_factor: float = MIN_SPEED_FACTOR
    """How slow it may be made, of its own speed."""
    motion: Motion | None = None
    """What is played by its clock; None for who races a target."""
    facing: FaceForward | None = None
    """How what is played looks forward, if it does."""

    @property
    def has_relative_keys(self) -> bool:
        """Whether others carry keys of its path."""
        names = self.path.keys.column("relative_to")
        return names is not None and any(name is not None for name in names)

    def locate_goal(self, goal: Goal, meeting: str) -> tuple[bool, float]:
        """Whether a goal is one of its turn, and where: a parameter of its path, or a time [s] of its clock."""
        goal_text = f"Meeting {short_repr(meeting)} has the goal {short_repr(goal)} for {short_repr(self.name)}"
        if isinstance(goal, TurnGoal):
            if self.path.geometry.turns is None:
                raise KeyposeError(
                    f"{goal_text}, whose path has no facings. Give its keys orientations, or name a key as the goal."
                )
            return self.motion is None, self._locate_key(goal.key, goal_text)
        if isinstance(goal, str):
            return False, self._locate_key(goal, goal_text)
        distance = as_number(goal)
        assert distance is not None
        return False, self._locate_distance(distance, goal_text)

    @property
    def lap_length(self) -> float:
        """How far it is once round, where its path is closed or its motion starts over or comes back; else 0."""
        if self.motion is None:
            return float(self.path.segments) if self.path.closed else 0.0
        first, last = self.motion.span
        return float(last - first) * LAP_SPANS[self.motion.outside]

    def lap_progress(self, target_parameters: tuple[float, float, int] | None, is_rotation: bool) -> float:
        """How far who follows a closed path has gone round, or turned: rounds of another path do not count."""
        if target_parameters is None:
            return 0.0
        u, turn_u, segments = target_parameters
        return (
            (turn_u if is_rotation else u)
            if segments == self.path.segments
            else (turn_u if is_rotation else u) % self.lap_length
        )

    def next_pass(self, previous: float | None, progress: float, start: float = 0.0) -> float:
        """Where it comes to a place next that is at `progress` in the first round: behind the last goal before, if any.

        It is not before its script `start`. Who is there just then has come; on a closed path it goes round.
        """
        if previous is None and self.path.closed:
            previous = start
        return min(
            self._next_pass_at(previous, pass_progress, start) for pass_progress in self._passes_in_lap(progress)
        )

    def _passes_in_lap(self, progress: float) -> tuple[float, ...]:
        """Where it comes to a place within a round: once, or on its way back as well."""
        if self.motion is None or self.motion.outside != "mirror":
            return (progress,)
        return progress, 2 * float(self.motion.span[1]) - progress

    def _next_pass_at(self, previous: float | None, progress: float, start: float) -> float:
        """Where a motion starts over it is at its last key and then at its first: a hair is between."""
        laps = np.ceil((start - progress) / self.lap_length - LAP_TOLERANCE)
        if previous is not None:
            laps = max(laps, np.floor((previous - progress) / self.lap_length + LAP_TOLERANCE) + 1)
        gap = LAP_END_GAP * self.lap_length if self._is_cyclic and progress <= self._lap_start and laps else 0.0
        return float(progress + laps * self.lap_length + gap)

    def pass_in_lap_of(self, start: float, progress: float) -> float:
        """Progress in the lap that runs at the `start` of its script, as far on as `progress` is in the first lap."""
        return float(progress + np.floor((start - self._lap_start) / self.lap_length + LAP_TOLERANCE) * self.lap_length)

    @property
    def _lap_start(self) -> float:
        return 0.0 if self.motion is None else float(self.motion.span[0])

    @property
    def _is_cyclic(self) -> bool:
        return self.motion is not None and self.motion.outside == "cycle"

    def _locate_key(self, name: str, goal_text: str) -> float:
        names = self.path.keys.column("name")
        known = [] if names is None else [key_name for key_name in names if key_name is not None]
        if name not in known:
            hint = did_you_mean(name, known) if known else " No key of that has a name: Key(…, name='goal')."
            raise UnknownNameError(f"{goal_text}, and no key of its path is named so.{hint}")
        number = self.path.keys.index(name)
        return float(number) if self.motion is None else self._before_restart(float(self.motion.key_times[number]))

    def _before_restart(self, time: float) -> float:
        """A time at which a motion is where it comes to then; at the end of a cycle, a hair before it begins again."""
        assert self.motion is not None
        return min(time, float(self.motion.span[1]) - LAP_END_GAP * self.lap_length) if self._is_cyclic else time

    def _locate_distance(self, distance: float, goal_text: str) -> float:
        if self.has_relative_keys:
            raise KeyposeError(
                f"{goal_text}, but others carry its path, which grows and shrinks. Name a key as the goal."
            )
        path, laps = self.path, 0.0
        if self._is_cyclic and path.length:
            laps = max(0.0, np.ceil(distance / path.length - 1e-9) - 1)
            distance -= laps * path.length
        if distance > path.length * (1 + 1e-9) and not (path.closed and self.motion is None):
            raise KeyposeError(
                f"{goal_text}, whose path is {path.length:.6g} m long. Give a distance up to that, or the "
                "name of a key."
            )
        if self.motion is None:
            return float(path.parameter(min(distance, path.length) if not path.closed else distance))
        return laps * self.lap_length + self._before_restart(_time_at_distance(self.motion, distance, goal_text))


def _time_at_distance(motion: Motion, distance: float, goal_text: str) -> float:
    """The first time [s] at which a motion has gone so far."""
    first, last = motion.span
    times = np.linspace(first, last, 1025)
    travelled = np.asarray(motion.distance(times))
    reached = np.flatnonzero(travelled >= distance * (1 - 1e-9))
    if not len(reached):
        raise KeyposeError(f"{goal_text}, which its motion never comes to: it goes {travelled.max():.6g} m. Give less.")
    if reached[0] == 0:
        return float(first)
    low, high = times[reached[0] - 1], times[reached[0]]
    for _ in range(60):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if float(motion.distance(middle)) >= distance * (1 - 1e-9) else (middle, high)
    return float(high)
