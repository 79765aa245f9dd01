"""What was shot? Every actor's poses, frame by frame; and since a take is a motion again, at any instant between.

Between its frames a recorded motion runs on the smooth path through them, which is derived when it is first needed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from keypose.curves.key import FARTHEST
from keypose.curves.key_columns import Columns, Keys
from keypose.curves.path.motion_path import MotionPath
from keypose.errors import KeyposeError, UnknownNameError, did_you_mean, shown
from keypose.maths import quaternion
from keypose.maths.arrays import Floats
from keypose.maths.inputs import listed, number, numbers, word
from keypose.maths.rope import Rope
from keypose.motion.motion import Motion, Said
from keypose.motion.pose import Pose
from keypose.motion.sync_protocol import Performed
from keypose.timing.clocks import Passing
from keypose.timing.frames import checked_fps
from keypose.timing.key_times import KeyTimes

IDENTITY = np.array([1.0, 0.0, 0.0, 0.0])
KINDS = ("note", "warning")


class Recorded(Motion):
    """A motion known by its frames: `times` (frames,) [s], `position` (frames, …, dim), `orientation` (frames, 4)."""

    times: Floats
    position: Floats
    orientation: Floats

    def __init__(self, times: ArrayLike, position: ArrayLike, orientation: ArrayLike | None = None) -> None:
        moments = KeyTimes(listed(times, "The times of a recording", "seconds such as [0, 0.5, 1]")).times
        places = numbers(position, "The places of a recording")
        facings = np.broadcast_to(IDENTITY, (len(moments), 4)) if orientation is None else orientation
        facings = numbers(facings, "The facings of a recording")
        if not _fits(places, facings, len(moments)):
            raise KeyposeError(
                f"A recording has {len(moments)} times, places of shape {places.shape} and facings of shape "
                f"{facings.shape}. Give two frames or more, and for each a time, a place and w x y z."
            )
        pose = Pose(places, facings)
        _check_numbers(pose, "A recording")
        self._fill(moments, pose)

    @classmethod
    def of(cls, times: Floats, pose: Pose) -> "Recorded":
        """A recording of frames that are known to be good; nothing is copied."""
        made = cls.__new__(cls)
        made._fill(times, pose)
        return made

    def _fill(self, times: Floats, pose: Pose) -> None:
        said = pose.read_only()
        self.__dict__.update(times=times, position=said.position, orientation=said.orientation)
        self.__dict__.update(start=0.0, outside="hold")

    def __getattr__(self, word: str) -> Any:
        """The path through the frames and its clock, derived when a motion's word first needs them."""
        if word not in ("path", "timing", "_clock", "_said"):
            raise AttributeError(f"A recorded motion has no {word!r}.")
        timing = KeyTimes(self.times)
        path = MotionPath(Keys(Rope(Columns(len(self.times), self._columns()))))
        said: Said = (path, timing, None, 0.0, (), "hold")
        self.__dict__.update(path=path, timing=timing, _clock=Passing(np.array(timing.times)), _said=said)
        return self.__dict__[word]

    def _columns(self) -> dict[str, NDArray[Any]]:
        """What the keys of its path say: places and times, and facings if it ever turns."""
        of: dict[str, NDArray[Any]] = {"position": self.position + 0.0, "time": np.array(self.times)}
        if (self.orientation != IDENTITY).any():
            largest = np.abs(self.orientation).max(axis=1, keepdims=True)
            extreme = (largest < 1e-100) | (largest > 1e100)  # whose squares would be nothing, or infinite
            of["facing"] = quaternion.normalized(np.where(extreme, self.orientation / largest, self.orientation))
        return of

    @property
    def span(self) -> tuple[float, float]:
        """Its first and its last frame [s]; no path is derived for that."""
        return float(self.times[0]), float(self.times[-1])

    @property
    def key_times(self) -> Floats:
        """Its frames [s], which are its keys."""
        return self.times

    def __len__(self) -> int:
        return len(self.times)

    def __repr__(self) -> str:
        return f"<Recorded: {len(self)} frames, {self.times[0]:g} to {self.times[-1]:g} s>"

    def __reduce__(self) -> tuple[Any, ...]:
        return Recorded, (self.times, self.position, self.orientation)


@dataclass(frozen=True)
class Event:
    """Something worth telling that happened while shooting: when [s], to whom, what, and whether to beware of it."""

    time: float
    actor: str
    text: str
    kind: Literal["note", "warning"] = "note"
    about: str = field(default="", repr=False, compare=False)
    """What it is about while it is played: what is told later about the same actor and this replaces it."""

    def __post_init__(self) -> None:
        self.__dict__["time"] = number(self.time, "The time of an event")
        for name in ("actor", "text", "about"):
            if not isinstance(getattr(self, name), str):
                raise KeyposeError(f"An event has {name}={shown(getattr(self, name))}. Give text.")
        word(self.kind, KINDS, "An event has kind")


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Take:
    """What all actors of a stage did, frame by frame; `take["name"]` is a motion."""

    times: Floats
    """(frames,) [s], read-only."""
    fps: float
    events: tuple[Event, ...]
    poses: Mapping[str, Pose]
    """The frames of each actor, in the world, read-only."""
    targets: Mapping[str, Floats]
    """Where the target of each follower was in every frame, (frames, 3) [m], read-only; empty where nobody follows.

    Tables do not hold them, and takes are alike without them.
    """
    script: Performed | None
    """What became of the script, and who went how fast for it; None where the stage had no meetings.

    Archives hold it and tables do not; takes are alike without it.
    """

    def __init__(
        self,
        times: ArrayLike,
        fps: float,
        poses: Mapping[str, Pose],
        events: Sequence[Event] = (),
        targets: Mapping[str, ArrayLike] = MappingProxyType({}),
        script: Performed | None = None,
    ) -> None:
        moments = KeyTimes(listed(times, "The times of a take", "seconds such as [0, 0.5, 1]")).times
        if not isinstance(poses, Mapping):
            raise KeyposeError(
                f'A take was given {shown(poses)} as its poses. Give {{name: Pose}}, as {{"ball": pose}}.'
            )
        for name, pose in poses.items():
            if not isinstance(name, str) or not isinstance(pose, Pose):
                raise KeyposeError(f"A take was given {shown(pose)} for actor {shown(name)}. Give a name and a Pose.")
            if not _fits(pose.position, pose.orientation, len(moments)):
                raise KeyposeError(
                    f"Actor {shown(name)} has poses of shape {pose.position.shape} and {pose.orientation.shape} for "
                    f"{len(moments)} frames. Give two frames or more, and a pose for each."
                )
        if not isinstance(events, list | tuple) or not all(isinstance(event, Event) for event in events):
            raise KeyposeError(f"A take was given {shown(events)} as its events. Give a list of events, or none.")
        self.__dict__.update(times=moments, fps=checked_fps(fps), events=tuple(events))
        self.__dict__["poses"] = {name: pose.read_only() for name, pose in poses.items()}
        self.__dict__["targets"] = _checked_targets(targets, len(moments))
        if script is not None and not (isinstance(script, Performed) and np.array_equal(script.times, moments)):
            raise KeyposeError(
                f"A take was given script={shown(script)}. Give the performance of a script in its own frames, or none."
            )
        self.__dict__["script"] = script

    @property
    def names(self) -> tuple[str, ...]:
        """Who is in it."""
        return tuple(self.poses)

    @cached_property
    def _motions(self) -> dict[str, Recorded]:
        return {}

    def __getitem__(self, name: str) -> Recorded:
        if not isinstance(name, str) or name not in self.poses:
            said = name if isinstance(name, str) else shown(name)
            raise UnknownNameError(f"Nobody in this take is named {shown(name)}.{did_you_mean(said, self.poses)}")
        if name not in self._motions:
            _check_numbers(self.poses[name], f"Actor {shown(name)}")
            self._motions[name] = Recorded.of(self.times, self.poses[name])
        return self._motions[name]

    def at(self, t: ArrayLike) -> dict[str, Pose]:
        """Everybody's pose at time t [s], on a frame or between; an array of times gives as many poses each."""
        return {name: self[name].at(t) for name in self.poses}

    def __contains__(self, name: object) -> bool:
        return name in self.poses

    def __len__(self) -> int:
        return len(self.times)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Take):
            return NotImplemented
        same = self.fps == other.fps and np.array_equal(self.times, other.times) and self.events == other.events
        return same and self.poses == other.poses

    def __hash__(self) -> int:
        return hash((self.fps, self.times.tobytes(), frozenset(self.poses)))

    def __repr__(self) -> str:
        return f"<Take: {len(self)} frames of {', '.join(self.names) or 'nobody'}, {self.fps:g} frames per second>"


def _fits(places: Floats, facings: Floats, frames: int) -> bool:
    """Whether there are frames, and for each a place or a drawing, and a facing."""
    return frames > 1 and places.ndim in (2, 3) and len(places) == frames and facings.shape == (frames, 4)


def _checked_targets(given: object, frames: int) -> dict[str, Floats]:
    """The targets of followers, each a place for every frame."""
    if not isinstance(given, Mapping):
        raise KeyposeError(f"A take was given {shown(given)} as its targets. Give {{name: places}}, or none.")
    made: dict[str, Floats] = {}
    for name, places in given.items():
        if not isinstance(name, str):
            raise KeyposeError(f"A take was given targets of {shown(name)}. Give the name of an actor.")
        found = numbers(places, f"The targets of {name!r}").view()
        if found.shape != (frames, 3):
            raise KeyposeError(
                f"The targets of {name!r} have the shape {found.shape} for {frames} frames. Give x, y, z for each."
            )
        found.flags.writeable = False
        made[name] = found
    return made


def _check_numbers(pose: Pose, who: str) -> None:
    """Frames that are nowhere, or face nowhere, could not be told from frames of which nothing was said."""
    places, facings = np.abs(pose.position).reshape(len(pose), -1).max(axis=1), np.abs(pose.orientation).max(axis=1)
    for frame in np.flatnonzero(~((places <= FARTHEST) & (facings <= FARTHEST) & (facings > 0)))[:1]:
        raise KeyposeError(
            f"{who} is at {shown(pose.position[frame])} in frame {frame} and faces {shown(pose.orientation[frame])}. "
            f"Give finite numbers, at most {FARTHEST:g}, and facings that are not all zero."
        )
