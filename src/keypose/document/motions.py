"""How do paths, timings and recordings stand in a scene file?"""

from typing import Any, get_args

from keypose.curves.key import STRONGEST
from keypose.curves.motion_path import MotionPath
from keypose.curves.orientation_path import Turning
from keypose.curves.tangents import Adjust, Ends
from keypose.document.forms import Field, Flag, ListOf, Number, Numbers, OneOf, Record, Schema, kind_of
from keypose.document.key_columns import key_objects
from keypose.document.keys import KeyList, shaping
from keypose.document.kinds import TIMINGS, Kind
from keypose.document.lines import Rows
from keypose.document.problems import BAD, Bad, Reading
from keypose.errors import KeyposeError
from keypose.motion.motion import OUTSIDE, Motion
from keypose.motion.take import Recorded
from keypose.stage.style import SceneStyle
from keypose.timing.key_times import KeyTimes
from keypose.timing.speed_profile import SpeedProfile

SECONDS = Number(above=0.0)

PATH = Record(
    "a path",
    {
        "keys": Field(KeyList(), "its keys, two or more", needed=True),
        **shaping("every key that says nothing else"),
        "adjust": Field(OneOf(get_args(Adjust)), "how tangents answer to uneven keys"),
        "ends": Field(OneOf(get_args(Ends)), "how it begins and ends"),
        "closed": Field(Flag(), "whether it returns to its first key"),
        "turning": Field(OneOf(get_args(Turning)), "how it turns between facings"),
        "mass": Field(Number(0.0, STRONGEST), "what travel counts for as distance"),
        "inertia": Field(Number(0.0, STRONGEST), "what turning counts for as distance"),
        "closing": Field(SECONDS, "seconds from the last key back to the first"),
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
        made: MotionPath | Bad = PATH.made({"tension": reading.tension, **said}, path, reading)
        return made

    @property
    def schema(self) -> Schema:
        """An object with keys."""
        return PATH.schema


class KeyName:
    """A key by its name or its number."""

    def read(self, given: Any, path: str, reading: Reading) -> str | int | Bad:
        """The name or the number."""
        if isinstance(given, str) or type(given) is int:
            return given
        return reading.wrong(path, f"It is {kind_of(given)}. Give the name of a key, or its number from 0.")

    @property
    def schema(self) -> Schema:
        """A text or a whole number."""
        return {"type": ["string", "integer"]}


CAPTURE = ListOf(
    Record(
        "a captured key",
        {
            "key": Field(KeyName(), "the name of the key, or its number from 0", needed=True),
            "time": Field(Number(0.0), "the second it is passed at", needed=True),
        },
    ),
    what="captured keys",
)

MOTION = {
    "path": Field(Path(), "where it goes"),
    "timing": Field(TIMINGS, "how it travels; without one the keys' own times hold, else a steady speed"),
    "duration": Field(SECONDS, "how long it takes [s]"),
    "start": Field(Number(), "when it starts [s]"),
    "capture": Field(CAPTURE, "keys put at a second under a drawn speed"),
    "outside": Field(OneOf(OUTSIDE), "what it does before and after"),
}

FRAMES = Record(
    "a recording",
    {
        "times": Field(Numbers(), "the moment of each frame [s]", needed=True),
        "position": Field(Numbers((2, 3)), "the place at each frame [m]", needed=True),
        "orientation": Field(Numbers((2,), width=4), "the facing at each frame, w x y z"),
    },
    Recorded,
)


def motion(said: dict[str, Any], path: str, reading: Reading) -> Motion | Bad:
    """The motion that the fields of an actor describe."""
    options = {word: said[word] for word in MOTION if word in said}
    seconds = {one["key"]: one["time"] for one in options.pop("capture", ())}
    return Record("a motion", {}, Motion).made({**options, **({"capture": seconds} if seconds else {})}, path, reading)


def motion_object(thing: Motion, style: SceneStyle) -> dict[str, Any]:
    """A motion as the fields of an actor."""
    if isinstance(thing, Recorded):
        frames = {"times": thing.times.tolist(), "position": Rows(thing.position.tolist())}
        return {"frames": {**frames, "orientation": Rows(thing.orientation.tolist())}}
    path, timing, duration, start, capture, outside = thing.said
    made: dict[str, Any] = {"path": path_object(path, style)}
    if timing is not None:
        made["timing"] = TIMINGS.said(timing, "A motion")
    if duration is not None:
        made["duration"] = duration
    if start:
        made["start"] = start
    if capture:
        made["capture"] = [{"key": key, "time": second} for key, second in capture]
    if outside != "hold":
        made["outside"] = outside
    return made


def path_object(path: MotionPath, style: SceneStyle) -> dict[str, Any]:
    """A path as plain values: its options that differ from the usual, then its keys."""
    options = path.style.said()
    options.pop("tension", None)
    if path.style.tension != style.tension:
        options = {"tension": path.style.tension, **options}
    return {**options, "keys": Rows(key_objects(path.keys, style.names))}


def _speed(values: Any = None, through: Any = None) -> SpeedProfile:
    if (values is None) == (through is None):
        raise KeyposeError("A drawn speed has both or neither of `values` and `through`. Give one of them.")
    if values is not None:
        return SpeedProfile(values)
    points = {float(x): float(speed) for x, speed in through}
    if len(points) < len(through):
        raise KeyposeError("A drawn speed passes two points at the same x. Remove one of them.")
    return SpeedProfile.through(points)


def _speed_object(timing: SpeedProfile) -> dict[str, Any]:
    if timing.kind == "b-spline":
        return {"values": timing.values.tolist()}
    return {"through": [[x, speed] for x, speed in zip(timing.places.tolist(), timing.values.tolist(), strict=True)]}


TIMINGS.add(
    Kind(
        "speed",
        SpeedProfile,
        Record(
            "a drawn speed",
            {
                "values": Field(Numbers(), "control values of the relative speed"),
                "through": Field(Numbers((2,), width=2), "points [x, relative speed] that it passes, x = 0 … 1"),
            },
            _speed,
        ),
        _speed_object,
    )
)
TIMINGS.add(
    Kind(
        "key_times",
        KeyTimes,
        Record("key times", {"times": Field(Numbers(), "the second each key is passed", needed=True)}, KeyTimes),
        lambda timing: {"times": timing.times.tolist()},
    )
)
