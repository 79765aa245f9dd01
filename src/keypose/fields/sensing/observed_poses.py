"""Where is everybody as objects sense them? In the world, now and, for fields that travel, before."""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from keypose.fields.algebra.field import Look
from keypose.fields.film_units import FILM, velocity
from keypose.fields.sensing.links import Track
from keypose.fields.splines.integrators import State
from keypose.fields.tracking.avoid import Avoid
from keypose.maths import quaternion
from keypose.maths.arrays import Floats, Ints
from keypose.motion.pose import Pose
from keypose.motion.system import Outlook

ROUNDING = 1e-9
UPRIGHT = np.array([1.0, 0.0, 0.0, 0.0])
MOST_KEPT = 2_400  # ticks: a hundred seconds of film; who senses what was sent before senses the earliest known
APART = (
    FILM / 4
)  # [s]: of shorter ticks only some are kept, and always the last; between two the way is all but straight


@dataclass(frozen=True, eq=False)
class Past:
    """Where some were at the last ticks: those of whom it must be known and who take ticks themselves."""

    times: Floats
    """(ticks,) [s]"""
    place: Floats
    """(ticks, names, 3)"""
    turn: Floats
    """(ticks, names, 4)"""

    def and_now(self, time: float, place: Floats, turn: Floats) -> "Past":
        """One tick more, and the earliest forgotten where it gets too long."""
        many = len(self.times)
        kept = many - 1 if many > 1 and self.times[-1] - self.times[-2] < APART * (1 - ROUNDING) else many
        rows = slice(max(kept + 1 - MOST_KEPT, 0), kept)
        times = np.append(self.times[rows], time)
        known = (self.place, place), (self.turn, turn)
        return Past(times, *(np.append(before[rows], now[None], axis=0) for before, now in known))

    def at(self, column: int, t: Floats) -> Pose:
        """Where one of them was at times (n,), on the straight way from tick to tick; held outside."""
        last = np.clip(np.searchsorted(self.times, t) - 1, 0, max(len(self.times) - 2, 0))
        following = np.minimum(last + 1, len(self.times) - 1)
        step = self.times[following] - self.times[last]
        share = np.clip((t - self.times[last]) / np.where(step > 0, step, 1.0), 0.0, 1.0)
        one, two = self.place[last, column], self.place[following, column]
        turn = quaternion.shortest(self.turn[last, column], self.turn[following, column])
        facing = quaternion.slerp(self.turn[last, column], turn, share)
        return Pose((1 - share)[:, None] * one + share[:, None] * two, facing)


@dataclass(frozen=True, eq=False)
class Frames:
    """What the points of some objects stand on: (rows, 3) and (rows, 4), or None where all stand in the world."""

    place: Floats
    turn: Floats

    @classmethod
    def under(
        cls, rows: Mapping[str, Ints], standing: Collection[str], outlook: Outlook, total: int
    ) -> "Frames | None":
        """The frames of all points of these objects, of whom only some stand on anything."""
        found = {name: outlook.under(name) for name in standing if name in rows}
        if all(pose is None for pose in found.values()):
            return None
        place, turn = np.zeros((total, 3)), np.tile(UPRIGHT, (total, 1))
        for name, pose in found.items():
            if pose is not None:
                place[rows[name]], turn[rows[name]] = pose.position, pose.orientation
        return cls(place, turn)

    def out(self, place: Floats) -> Floats:
        """Places in the world."""
        return self.place + self.along(place)

    def along(self, vectors: Floats) -> Floats:
        """Directions in the world."""
        return quaternion.rotate(self.turn, vectors)

    def back(self, vectors: Floats) -> Floats:
        """Directions in the world as they are in each frame."""
        return quaternion.rotate(quaternion.conjugate(self.turn), vectors)


class Posed(Mapping[str, Pose]):
    """Where objects are, made of their places (rows, 3) when asked for: of thousands few are, at most ticks."""

    def __init__(self, P: Floats, places: Mapping[str, int | slice]) -> None:
        self._P = P
        self._places = places

    def __getitem__(self, name: str) -> Pose:
        return Pose.of(self._P[self._places[name]], UPRIGHT)

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


class Survey:
    """Where all points and everybody else are at one tick, in the world.

    Points are at P (rows, 3) [m], and move as `going` says when asked, (rows, 3) [m/s]; `turn` (rows, 4) is how they
    are turned, None if they are not.
    """

    def __init__(
        self,
        rows: Mapping[str, Ints],
        outlook: Outlook,
        P: Floats,
        going: Callable[[], Floats],
        turn: Floats | None = None,
    ) -> None:
        self.rows, self.outlook, self.P, self.turn = rows, outlook, P, turn
        self._going = going

    @cached_property
    def v(self) -> Floats:
        """How all points move [m/s]."""
        return self._going()

    def pose(self, name: str) -> Pose:
        """Where an actor is now; an object by the middle of its points."""
        if name not in self.rows:
            return self.outlook.pose(name)
        turn = UPRIGHT if self.turn is None else self.turn[self.rows[name][0]]
        return Pose(self.P[self.rows[name]].mean(axis=0), turn)

    def where(self, names: tuple[str, ...]) -> tuple[Floats, Floats]:
        """Places (names, 3) and turns (names, 4) now."""
        poses = [self.pose(name) for name in names]
        place, turn = [pose.position for pose in poses], [pose.orientation for pose in poses]
        return np.array(place).reshape(-1, 3), np.array(turn).reshape(-1, 4)

    def velocity(self, name: str) -> Floats:
        """How an object moves now."""
        return np.asarray(self.v[self.rows[name]].mean(axis=0))


def surveyed(rows: Mapping[str, Ints], spline: State, frames: Frames | None, outlook: Outlook) -> Survey:
    """The survey of dynamic splines, which stand in the world or in frames."""
    if frames is None:
        return Survey(rows, outlook, spline.P, lambda: velocity(spline.T))
    return Survey(rows, outlook, frames.out(spline.P), lambda: frames.along(velocity(spline.T)), frames.turn)


def looking(survey: Survey, past: Past, remembered: tuple[str, ...]) -> Look:
    """How fields see who carries them, at this tick () or at earlier moments (n,)."""

    def look(name: str, t: Floats) -> Pose:
        if not t.ndim:
            return survey.pose(name)
        found = survey.outlook.past(name, t) if name not in survey.rows else None
        return past.at(remembered.index(name), t) if found is None else found

    return look


def aimed(track: Track, survey: Survey, going: Mapping[str, Floats]) -> tuple[Floats, Floats]:
    """Where the targets of those who track are and how they go: (3,) for all, or to be avoided (n, targets, 3).

    `going` are the velocities of those who take no part. Nobody avoids himself: he is NaN to himself.
    """
    if not track.targets:
        return np.zeros(3), np.zeros(3)
    if track.points is None:
        place, _ = survey.where(track.targets)
        still = np.zeros(3)
        speed = np.array(
            [survey.velocity(name) if name in survey.rows else going.get(name, still) for name in track.targets]
        )
    else:
        place, speed = survey.P[track.points], survey.v[track.points]
    if len(track.targets) == 1 or not isinstance(track.tracker, Avoid):
        return place.mean(axis=0), speed.mean(axis=0)
    if track.points is None:
        own = track.who[:, None] == np.array(track.targets, dtype=object)
    else:
        own = track.rows[:, None] == track.points
    return np.where(own[..., None], np.nan, place), np.broadcast_to(speed, (len(own), *speed.shape))
