"""Where is everybody as objects sense them? In the world, now and, for fields that travel, before."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from keypose.fields.avoiding import Avoid
from keypose.fields.field import Look
from keypose.fields.links import Track
from keypose.fields.segments import State
from keypose.fields.units import velocity
from keypose.maths import quaternion
from keypose.motion.company import Outlook
from keypose.motion.pose import Pose

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

UPRIGHT = np.array([1.0, 0.0, 0.0, 0.0])
MOST_KEPT = 2_400  # ticks: a hundred seconds of film; who senses what was sent before senses the earliest known


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
        times = np.append(self.times, time)[-MOST_KEPT:]
        place, turn = (np.append(known, new[None], axis=0) for known, new in ((self.place, place), (self.turn, turn)))
        return Past(times, place[-MOST_KEPT:], turn[-MOST_KEPT:])

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
    """Where all points and everybody else are at one tick, in the world."""

    def __init__(self, rows: Mapping[str, Ints], standing: Collection[str], spline: State, outlook: Outlook) -> None:
        self.rows = rows
        self.outlook = outlook
        self.frames = Frames.under(rows, standing, outlook, len(spline.P))
        self.P = spline.P if self.frames is None else self.frames.out(spline.P)
        self._T = spline.T

    @cached_property
    def v(self) -> Floats:
        """How all points move [m/s]."""
        v = velocity(self._T)
        return v if self.frames is None else self.frames.along(v)

    def pose(self, name: str) -> Pose:
        """Where an actor is now; an object by the middle of its points."""
        if name not in self.rows:
            return self.outlook.pose(name)
        turn = UPRIGHT if self.frames is None else self.frames.turn[self.rows[name][0]]
        return Pose(self.P[self.rows[name]].mean(axis=0), turn)

    def velocity(self, name: str) -> Floats:
        """How an object moves now."""
        return np.asarray(self.v[self.rows[name]].mean(axis=0))


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
    place = np.array([survey.pose(name).position for name in track.targets])
    still = np.zeros(3)
    speed = np.array(
        [survey.velocity(name) if name in survey.rows else going.get(name, still) for name in track.targets]
    )
    if len(track.targets) == 1 or not isinstance(track.tracker, Avoid):
        return place.mean(axis=0), speed.mean(axis=0)
    own = track.who[:, None] == np.array(track.targets, dtype=object)
    return np.where(own[..., None], np.nan, place), np.broadcast_to(speed, (len(own), *speed.shape))
