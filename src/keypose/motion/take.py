"""What was shot? Every actor's poses, frame by frame; and since a take is a motion again, at any instant between.

Between its frames a recorded motion runs on the smooth path through them, which is derived when it is first needed.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from keypose.curves import MAX_COORDINATE, KeyColumns, Keys, MotionPath
from keypose.errors import KeyposeError, UnknownNameError, did_you_mean, list_names, short_repr
from keypose.maths import ArrayLike, Floats, Rope, parse_numbers, parse_sequence, quaternion
from keypose.motion.events import CollisionEvent, Event, MeetingEvent
from keypose.motion.motion import Motion, MotionSpec
from keypose.motion.pose import Pose
from keypose.motion.sync_protocol import ScriptReportProtocol
from keypose.motion.take_tables import build_data_frame, build_dataset
from keypose.timing import KeyTimeClock, KeyTimes, check_fps

if TYPE_CHECKING:
    import pandas
    import xarray

IDENTITY = np.array([1.0, 0.0, 0.0, 0.0])


class RecordedMotion(Motion):
    """A motion known by its frames: `times` (frames,) [s], `position` (frames, …, dim), `orientation` (frames, 4).

    `name` is that of its actor where it comes from a take. Recordings are compared without it.
    """

    name: str
    times: Floats
    position: Floats
    orientation: Floats

    def __init__(self, times: ArrayLike, position: ArrayLike, orientation: ArrayLike | None = None) -> None:
        frame_times = KeyTimes(parse_sequence(times, "The times of a recording", "seconds such as [0, 0.5, 1]")).times
        positions = parse_numbers(position, "The places of a recording")
        orientations = np.broadcast_to(IDENTITY, (len(frame_times), 4)) if orientation is None else orientation
        orientations = parse_numbers(orientations, "The facings of a recording")
        if not _has_matching_shapes(positions, orientations, len(frame_times)):
            raise KeyposeError(
                f"A recording has {len(frame_times)} times, places of shape {positions.shape} and facings of shape "
                f"{orientations.shape}. Give two frames or more, and for each a time, a place and w x y z."
            )
        pose = Pose(positions, orientations)
        _check_frames(pose, "A recording")
        self._set_frames(frame_times, pose)

    @classmethod
    def of(cls, times: Floats, pose: Pose, name: str = "") -> "RecordedMotion":
        """A recording of frames that are known to be good; nothing is copied."""
        recorded = cls.__new__(cls)
        recorded._set_frames(times, pose, name)
        return recorded

    def _set_frames(self, times: Floats, pose: Pose, name: str = "") -> None:
        frozen = pose.read_only()
        self.__dict__.update(name=name, times=times, position=frozen.position, orientation=frozen.orientation)
        self.__dict__.update(start=0.0, outside="hold")

    def __getattr__(self, name: str) -> Any:
        """The path through the frames and its clock, derived when a motion's word first needs them."""
        if name not in ("path", "timing", "clock", "spec"):
            raise AttributeError(f"A recorded motion has no {name!r}.")
        timing = KeyTimes(self.times)
        path = MotionPath(Keys(Rope(KeyColumns(len(self.times), self._key_columns()))))
        spec: MotionSpec = (path, timing, None, 0.0, (), "hold")
        self.__dict__.update(path=path, timing=timing, clock=KeyTimeClock(np.array(timing.times)), spec=spec)
        return self.__dict__[name]

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), "path", "timing"} - {"of"})

    def _key_columns(self) -> dict[str, NDArray[Any]]:
        """What the keys of its path say: places and times, and facings if it ever turns."""
        columns: dict[str, NDArray[Any]] = {"position": self.position + 0.0, "time": np.array(self.times)}
        if (self.orientation != IDENTITY).any():
            largest = np.abs(self.orientation).max(axis=1, keepdims=True)
            extreme = (largest < 1e-100) | (largest > 1e100)  # whose squares would be nothing, or infinite
            columns["facing"] = quaternion.normalize(np.where(extreme, self.orientation / largest, self.orientation))
        return columns

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
        name = f"{short_repr(self.name)}, " if self.name else ""
        return f"<RecordedMotion: {name}{len(self)} frames, {self.times[0]:g} to {self.times[-1]:g} s>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild_recording, (self.times, self.position, self.orientation, self.name)


@dataclass(frozen=True, eq=False)
class Frame:
    """One frame of a take: its number, its time [s], and the pose of each actor by name."""

    index: int
    time: float
    poses: Mapping[str, Pose]

    def __getitem__(self, name: str) -> Pose:
        return self.poses[_check_name(name, self.poses)]

    def __repr__(self) -> str:
        return f"<Frame {self.index} at {self.time:g} s: {list_names(self.poses)}>"


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Take:
    """The recorded poses of all actors of a stage, frame by frame.

    `take["ball"]` is the recorded motion of an actor, `for actor in take` goes through all of them and `len(take)` is
    their number. `take.frames()` goes through the frames; their number is `len(take.times)`.
    """

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
    script: ScriptReportProtocol | None
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
        script: ScriptReportProtocol | None = None,
    ) -> None:
        frame_times = KeyTimes(parse_sequence(times, "The times of a take", "seconds such as [0, 0.5, 1]")).times
        if not isinstance(poses, Mapping):
            raise KeyposeError(
                f'A take was given {short_repr(poses)} as its poses. Give {{name: Pose}}, as {{"ball": pose}}.'
            )
        for name, pose in poses.items():
            if not isinstance(name, str) or not isinstance(pose, Pose):
                raise KeyposeError(
                    f"A take was given {short_repr(pose)} for actor {short_repr(name)}. Give a name and a Pose."
                )
            if not _has_matching_shapes(pose.position, pose.orientation, len(frame_times)):
                raise KeyposeError(
                    f"Actor {short_repr(name)} has poses of shape {pose.position.shape} and "
                    f"{pose.orientation.shape} for "
                    f"{len(frame_times)} frames. Give two frames or more, and a pose for each."
                )
        if not isinstance(events, list | tuple) or not all(isinstance(event, Event) for event in events):
            raise KeyposeError(f"A take was given {short_repr(events)} as its events. Give a list of events, or none.")
        self.__dict__.update(times=frame_times, fps=check_fps(fps), events=tuple(events))
        self.__dict__["poses"] = {name: pose.read_only() for name, pose in poses.items()}
        self.__dict__["targets"] = _check_targets(targets, len(frame_times))
        if script is not None and not (
            isinstance(script, ScriptReportProtocol) and np.array_equal(script.times, frame_times)
        ):
            raise KeyposeError(
                f"A take was given script={short_repr(script)}. Give the performance of a script in its own "
                "frames, or none."
            )
        self.__dict__["script"] = script

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its actors."""
        return tuple(self.poses)

    @property
    def collisions(self) -> tuple[CollisionEvent, ...]:
        """The events of bodies that came into contact, in order."""
        return tuple(event for event in self.events if isinstance(event, CollisionEvent))

    @property
    def meetings(self) -> tuple[MeetingEvent, ...]:
        """The events of meetings, in order."""
        return tuple(event for event in self.events if isinstance(event, MeetingEvent))

    @cached_property
    def _motions(self) -> dict[str, RecordedMotion]:
        return {}

    def __getitem__(self, name: str) -> RecordedMotion:
        _check_name(name, self.poses)
        if name not in self._motions:
            _check_frames(self.poses[name], f"Actor {short_repr(name)}")
            self._motions[name] = RecordedMotion.of(self.times, self.poses[name], name)
        return self._motions[name]

    def __iter__(self) -> Iterator[RecordedMotion]:
        return (self[name] for name in self.poses)

    def frames(self) -> Iterator[Frame]:
        """The frames in order: each has `index`, `time` [s] and the `poses` of all actors, as `frame["ball"]`."""
        for index, time in enumerate(self.times.tolist()):
            yield Frame(index, time, {name: pose[index] for name, pose in self.poses.items()})

    def to_pandas(self) -> "pandas.DataFrame":
        """The poses as a DataFrame: a row per frame, by time [s], and columns as `frame["ball"]["x"]`.

        Components are x, y, z [m], of a drawing 0.x, 0.y …, and qw, qx, qy, qz. Needs pandas.
        """
        return build_data_frame(self.times, self.poses)

    def to_xarray(self) -> "xarray.Dataset":
        """The poses as a Dataset of `position` (time, actor, axis) [m] and `orientation` (time, actor, quaternion).

        Positions in the plane have z = 0; the points of a drawing are in a variable of their own. Needs xarray.
        """
        return build_dataset(self.times, self.fps, self.poses)

    def at(self, t: ArrayLike) -> dict[str, Pose]:
        """Everybody's pose at time t [s], on a frame or between; an array of times gives as many poses each."""
        return {name: self[name].at(t) for name in self.poses}

    def __contains__(self, actor: object) -> bool:
        """Whether a name, or an actor of this take, is in it."""
        if isinstance(actor, RecordedMotion):
            return actor.name in self.poses and (actor is self[actor.name] or actor == self[actor.name])
        return actor in self.poses

    def __len__(self) -> int:
        return len(self.poses)

    def __bool__(self) -> bool:  # also where it has no actors
        return True

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Take):
            return NotImplemented
        same = self.fps == other.fps and np.array_equal(self.times, other.times) and self.events == other.events
        return same and self.poses == other.poses

    def __hash__(self) -> int:
        return hash((self.fps, self.times.tobytes(), frozenset(self.poses)))

    def __repr__(self) -> str:
        return f"<Take: {len(self.times)} frames of {list_names(self.poses)}, {self.fps:g} frames per second>"


def _rebuild_recording(times: Floats, position: Floats, orientation: Floats, name: str) -> RecordedMotion:
    recorded = RecordedMotion(times, position, orientation)
    recorded.__dict__["name"] = name
    return recorded


def _check_name(name: object, poses: Mapping[str, Pose]) -> str:
    """`name` if an actor has it."""
    if not isinstance(name, str) or name not in poses:
        label = name if isinstance(name, str) else short_repr(name)
        raise UnknownNameError(f"No actor of this take is named {short_repr(name)}.{did_you_mean(label, poses)}")
    return name


def _has_matching_shapes(positions: Floats, orientations: Floats, frames: int) -> bool:
    """Whether there are frames, and for each a place or a drawing, and a facing."""
    return frames > 1 and positions.ndim in (2, 3) and len(positions) == frames and orientations.shape == (frames, 4)


def _check_targets(given: object, frames: int) -> dict[str, Floats]:
    """The targets of followers, each a place for every frame."""
    if not isinstance(given, Mapping):
        raise KeyposeError(f"A take was given {short_repr(given)} as its targets. Give {{name: places}}, or none.")
    targets: dict[str, Floats] = {}
    for name, positions in given.items():
        if not isinstance(name, str):
            raise KeyposeError(f"A take was given targets of {short_repr(name)}. Give the name of an actor.")
        found = parse_numbers(positions, f"The targets of {name!r}").view()
        if found.shape != (frames, 3):
            raise KeyposeError(
                f"The targets of {name!r} have the shape {found.shape} for {frames} frames. Give x, y, z for each."
            )
        found.flags.writeable = False
        targets[name] = found
    return targets


def _check_frames(pose: Pose, owner: str) -> None:
    """Frames that are nowhere, or face nowhere, could not be told from frames of which nothing was said."""
    distances, magnitudes = (
        np.abs(pose.position).reshape(len(pose), -1).max(axis=1),
        np.abs(pose.orientation).max(axis=1),
    )
    for frame in np.flatnonzero(~((distances <= MAX_COORDINATE) & (magnitudes <= MAX_COORDINATE) & (magnitudes > 0)))[
        :1
    ]:
        raise KeyposeError(
            f"{owner} is at {short_repr(pose.position[frame])} in frame {frame} and faces "
            f"{short_repr(pose.orientation[frame])}. "
            f"Give finite numbers, at most {MAX_COORDINATE:g}, and facings that are not all zero."
        )
