"""How do paths, timings and recordings stand in a scene file?"""

from typing import Any, get_args

import numpy as np

from keypose.curves.key import FARTHEST, STRONGEST
from keypose.curves.orientation_path import Turning
from keypose.curves.path.motion_path import MotionPath
from keypose.curves.tangents import Adjust, Ends
from keypose.document.motion.key_columns import SPACE
from keypose.document.motion.key_objects import key_objects
from keypose.document.motion.keys import KeyList, shaping
from keypose.document.problems import BAD, Bad, Reading, inside
from keypose.document.schema.kinds import Kind, Kinds
from keypose.document.schema.lists import ListOf, Numbers
from keypose.document.schema.records import Field, Record
from keypose.document.schema.value_types import Either, Flag, Number, OneOf, Schema, Text, Whole, unwritable
from keypose.document.text.layout import Rows, plain
from keypose.errors import At, KeyposeError, shown
from keypose.motion.motion import OUTSIDE, Motion
from keypose.motion.take import IDENTITY, Recorded
from keypose.stage.scene_style import SceneStyle
from keypose.timing.key_times import KeyTimes
from keypose.timing.speed_profile import SpeedProfile

SECONDS = Number(most=FARTHEST, above=0.0)
WEIGHT = Number(0.0, STRONGEST)

PATH = Record(
    "a path",
    {
        **shaping("a key that says nothing else", usual=0),
        "adjust": Field(OneOf(get_args(Adjust)), 'how tangents answer to uneven keys; "time" if all have times'),
        "ends": Field(OneOf(get_args(Ends)), "how it begins and ends", usual="reflect"),
        "closed": Field(Flag(), "whether it returns to its first key", usual=False),
        "turning": Field(OneOf(get_args(Turning)), "how it turns between facings", usual="casteljau"),
        "mass": Field(WEIGHT, "what travel counts for as distance", usual=1),
        "inertia": Field(WEIGHT, "what turning counts for as distance", usual=0),
        "closing": Field(SECONDS, "seconds from the last key back to the first"),
        "keys": Field(KeyList(), "its keys, two or more", needed=True),
    },
    MotionPath,
)


class Path:
    """A path; where it says no tension, the scene's default holds."""

    def read(self, given: Any, path: str, reading: Reading) -> MotionPath | Bad:
        """The path."""
        said = PATH.said(given, path, reading)
        if isinstance(said, Bad):
            return BAD
        tension = 0.0 if reading.style is None else reading.style.tension
        made: MotionPath | Bad = reading.made(PATH.build, path, **{"tension": tension, **said})
        return made

    def schema(self, named: Schema) -> Schema:
        """An object with keys."""
        return PATH.schema(named)


def _speed(values: Any = None, through: Any = None) -> SpeedProfile:
    if (values is None) == (through is None):
        raise KeyposeError("A drawn speed has both or neither of values and through. Give one of them.", at=("values",))
    if values is not None:
        with At("values"):
            return SpeedProfile(values)
    points = {float(x): float(speed) for x, speed in through}
    with At("through"):
        if len(points) < len(through):
            raise KeyposeError("A drawn speed passes two points at the same x. Remove one of them.")
        return SpeedProfile.through(points)


def _speed_object(timing: SpeedProfile) -> dict[str, Any]:
    if timing.kind == "b-spline":
        return {"values": plain(timing.values)}
    return {"through": plain(np.stack([timing.places, timing.values], axis=1))}


TIMINGS = Kinds(
    "timing",
    Kind(
        "speed",
        SpeedProfile,
        Record(
            "a drawn speed",
            {
                "values": Field(Numbers(least=0.0), "control values of the relative speed", example=[0, 0, 1, 1, 0, 0]),
                "through": Field(
                    Numbers((2,), (2, 2), least=0.0),
                    "points [x, speed] to pass instead, x = 0 … 1",
                    example=[[0, 1], [0.5, 8], [1, 1]],
                ),
            },
            _speed,
        ),
        _speed_object,
    ),
    Kind(
        "key_times",
        KeyTimes,
        Record(
            "key times",
            {"times": Field(Numbers(), "the second each key is passed", needed=True, example=[0, 0.5, 2])},
            KeyTimes,
        ),
        lambda timing: {"times": plain(timing.times)},
    ),
)

CAPTURED = Record(
    "a captured key",
    {
        "key": Field(
            Either("the name of a key, or its number from 0", {str: Text(), int: Whole()}),
            "the name of the key, or its number from 0",
            needed=True,
        ),
        "time": Field(Number(0.0, FARTHEST), "the second it is passed at", needed=True),
    },
)

MOTION = {
    "path": Field(Path(), "where it goes"),
    "timing": Field(TIMINGS, "how it travels; without one by the keys' times, else steadily"),
    "duration": Field(SECONDS, "how long it takes [s]"),
    "start": Field(Number(), "when it starts [s]", usual=0),
    "capture": Field(ListOf(CAPTURED, what="captured keys"), "keys put at a second under a drawn speed"),
    "outside": Field(OneOf(OUTSIDE), "what it does before and after", usual="hold"),
}


def _recorded(times: Any, position: Any, orientation: Any = None) -> Recorded:
    for word, rows in (("position", position), ("orientation", orientation)):
        if rows is not None and len(rows) != len(times):
            raise KeyposeError(f"It has {len(rows):,} frames, but there are {len(times):,} times.", at=(word,))
    for frame in np.flatnonzero(~orientation.any(axis=1)) if orientation is not None else ():
        raise KeyposeError("A facing of zeros faces nowhere. Give w, x, y, z.", at=("orientation", int(frame)))
    return Recorded(times, position, orientation)


FRAMES = Record(
    "a recording",
    {
        "times": Field(Numbers(), "the moment of each frame [s]", needed=True),
        "position": Field(Numbers((2, 3), (1, SPACE)), "the place at each frame [m]", needed=True),
        "orientation": Field(Numbers((2,), (4, 4)), "the facing at each frame, w x y z"),
    },
    _recorded,
)


def motion(said: dict[str, Any], path: str, reading: Reading) -> Motion | Bad:
    """The motion that the fields of an actor describe."""
    options = {word: said[word] for word in MOTION if word in said}
    before = reading.count
    captured = _captured(options.pop("capture", ()), options, inside(path, "capture"), reading)
    if reading.count > before:
        return BAD
    made: Motion | Bad = reading.made(Motion, path, **options, **({"capture": captured} if captured else {}))
    return made


def _captured(capture: Any, options: dict[str, Any], path: str, reading: Reading) -> dict[str | int, float]:
    """Seconds by key; a key that is not there, or there twice, is told."""
    seconds: dict[str | int, float] = {}
    seen: dict[int, int] = {}
    for index, one in enumerate(capture):
        found = reading.made(options["path"].keys.index, inside(path, index, "key"), one["key"])
        if not isinstance(found, Bad) and seen.setdefault(found, index) != index:
            reading.wrong(inside(path, index, "key"), f"This key is in capture {seen[found]} too. Remove one of them.")
        if one["time"] > options.get("duration", one["time"]):
            late = f"It is {one['time']:g} s, but the motion ends at {options['duration']:g} s. Give a second before."
            reading.wrong(inside(path, index, "time"), late)
        seconds[one["key"]] = one["time"]
    return seconds


def motion_object(thing: Motion, style: SceneStyle, whose: str) -> dict[str, Any]:
    """A motion as the fields of an actor."""
    if isinstance(thing, Recorded):
        return {"frames": _frames_object(thing, whose)}
    path, timing, duration, start, capture, outside = thing.said
    made: dict[str, Any] = {"path": path_object(path, style, whose)}
    if timing is not None:
        made["timing"] = TIMINGS.said(timing, whose)
    if duration is not None:
        made["duration"] = duration
    if start:
        made["start"] = start
    if capture:
        made["capture"] = [{"key": key, "time": second} for key, second in capture]
    if outside != "hold":
        made["outside"] = outside
    return made


def path_object(path: MotionPath, style: SceneStyle, whose: str) -> dict[str, Any]:
    """A path as plain values: its options that differ from the usual, then its keys."""
    names = path.keys.column("name")
    for name in () if names is None else names:
        if name is not None and (problem := unwritable(name)):
            raise KeyposeError(f"{whose} has a key named {shown(name)}, which {problem}")
    options = path.style.said()
    options.pop("tension", None)
    if path.style.tension != style.tension:
        options = {"tension": path.style.tension, **options}
    return {**options, "keys": Rows(key_objects(path.keys, style.names))}


def _frames_object(frames: Recorded, whose: str) -> dict[str, Any]:
    for word, numbers in (("places", frames.position), ("facings", frames.orientation)):
        if not (np.abs(numbers) <= FARTHEST).all():
            raise KeyposeError(f"{whose} has {word} that are not finite, or beyond {FARTHEST:g}. Shoot it anew.")
    made = {"times": plain(frames.times), "position": Rows(plain(frames.position))}
    always = np.broadcast_to(IDENTITY, frames.orientation.shape)
    same = frames.orientation.tobytes() == always.tobytes()
    return made if same else {**made, "orientation": Rows(plain(frames.orientation))}
