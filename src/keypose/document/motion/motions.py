"""How do paths, timings and recordings stand in a scene file?"""

from typing import Any, get_args

import numpy as np

from keypose.curves import MAX_COORDINATE, MAX_TCB, Adjust, Ends, MotionPath, Turning
from keypose.document.motion.key_columns import MAX_DIMENSION
from keypose.document.motion.key_objects import key_objects
from keypose.document.motion.keys import KeyList, tcb_fields
from keypose.document.problems import INVALID, Invalid, ReadContext
from keypose.document.schema.kinds import Kind, Kinds
from keypose.document.schema.lists import ListOf, NumberArray
from keypose.document.schema.records import Field, Record
from keypose.document.schema.value_types import Boolean, Either, Integer, Number, OneOf, Schema, Text, text_problem
from keypose.document.text.layout import Rows, plain_numbers
from keypose.errors import ErrorPath, KeyposeError, join_path, short_repr
from keypose.motion import IDENTITY, OUTSIDE_MODES, Motion, RecordedMotion
from keypose.stage import SceneStyle
from keypose.timing import KeyTimes, SpeedProfile

DURATION = Number(maximum=MAX_COORDINATE, above=0.0)
WEIGHT = Number(0.0, MAX_TCB)

PATH = Record(
    "a path",
    {
        **tcb_fields("a key that says nothing else", default=0),
        "adjust": Field(OneOf(get_args(Adjust)), 'how tangents answer to uneven keys; "time" if all have times'),
        "ends": Field(OneOf(get_args(Ends)), "how it begins and ends", default="reflect"),
        "closed": Field(Boolean(), "whether it returns to its first key", default=False),
        "turning": Field(OneOf(get_args(Turning)), "how it turns between facings", default="casteljau"),
        "mass": Field(WEIGHT, "what travel counts for as distance", default=1),
        "inertia": Field(WEIGHT, "what turning counts for as distance", default=0),
        "closing": Field(DURATION, "seconds from the last key back to the first"),
        "keys": Field(KeyList(), "its keys, two or more", is_required=True),
    },
    MotionPath,
)


class PathType:
    """A path; where it says no tension, the scene's default holds."""

    def read(self, given: Any, path: str, context: ReadContext) -> MotionPath | Invalid:
        """The path."""
        values = PATH.read_fields(given, path, context)
        if isinstance(values, Invalid):
            return INVALID
        tension = 0.0 if context.style is None else context.style.tension
        result: MotionPath | Invalid = context.construct(PATH.build, path, **{"tension": tension, **values})
        return result

    def json_schema(self, definitions: Schema) -> Schema:
        """An object with keys."""
        return PATH.json_schema(definitions)


def _build_profile(values: Any = None, through: Any = None) -> SpeedProfile:
    if (values is None) == (through is None):
        raise KeyposeError("A drawn speed has both or neither of values and through. Give one of them.", at=("values",))
    if values is not None:
        with ErrorPath("values"):
            return SpeedProfile(values)
    points = {float(x): float(speed) for x, speed in through}
    with ErrorPath("through"):
        if len(points) < len(through):
            raise KeyposeError("A drawn speed passes two points at the same x. Remove one of them.")
        return SpeedProfile.through(points)


def _profile_object(timing: SpeedProfile) -> dict[str, Any]:
    if timing.kind == "b-spline":
        return {"values": plain_numbers(timing.values)}
    return {"through": plain_numbers(np.stack([timing.places, timing.values], axis=1))}


TIMINGS = Kinds(
    "timing",
    Kind(
        "speed",
        SpeedProfile,
        Record(
            "a drawn speed",
            {
                "values": Field(
                    NumberArray(minimum=0.0), "control values of the relative speed", example=[0, 0, 1, 1, 0, 0]
                ),
                "through": Field(
                    NumberArray((2,), (2, 2), minimum=0.0),
                    "points [x, speed] to pass instead, x = 0 … 1",
                    example=[[0, 1], [0.5, 8], [1, 1]],
                ),
            },
            _build_profile,
        ),
        _profile_object,
    ),
    Kind(
        "key_times",
        KeyTimes,
        Record(
            "key times",
            {"times": Field(NumberArray(), "the second each key is passed", is_required=True, example=[0, 0.5, 2])},
            KeyTimes,
        ),
        lambda timing: {"times": plain_numbers(timing.times)},
    ),
)

CAPTURE = Record(
    "a captured key",
    {
        "key": Field(
            Either("the name of a key, or its number from 0", {str: Text(), int: Integer()}),
            "the name of the key, or its number from 0",
            is_required=True,
        ),
        "time": Field(Number(0.0, MAX_COORDINATE), "the second it is passed at", is_required=True),
    },
)

MOTION_FIELDS = {
    "path": Field(PathType(), "where it goes"),
    "timing": Field(TIMINGS, "how it travels; without one by the keys' times, else steadily"),
    "duration": Field(DURATION, "how long it takes [s]"),
    "start": Field(Number(), "when it starts [s]", default=0),
    "capture": Field(ListOf(CAPTURE, what="captured keys"), "keys put at a second under a drawn speed"),
    "outside": Field(OneOf(OUTSIDE_MODES), "what it does before and after", default="hold"),
}


def _build_frames(times: Any, position: Any, orientation: Any = None) -> RecordedMotion:
    for name, rows in (("position", position), ("orientation", orientation)):
        if rows is not None and len(rows) != len(times):
            raise KeyposeError(f"It has {len(rows):,} frames, but there are {len(times):,} times.", at=(name,))
    for frame in np.flatnonzero(~orientation.any(axis=1)) if orientation is not None else ():
        raise KeyposeError("A facing of zeros faces nowhere. Give w, x, y, z.", at=("orientation", int(frame)))
    return RecordedMotion(times, position, orientation)


RECORDING = Record(
    "a recording",
    {
        "times": Field(NumberArray(), "the moment of each frame [s]", is_required=True),
        "position": Field(NumberArray((2, 3), (1, MAX_DIMENSION)), "the place at each frame [m]", is_required=True),
        "orientation": Field(NumberArray((2,), (4, 4)), "the facing at each frame, w x y z"),
    },
    _build_frames,
)


def read_motion(values: dict[str, Any], path: str, context: ReadContext) -> Motion | Invalid:
    """The motion that the fields of an actor describe."""
    options = {name: values[name] for name in MOTION_FIELDS if name in values}
    before = context.count
    captures = _read_captures(options.pop("capture", ()), options, join_path(path, "capture"), context)
    if context.count > before:
        return INVALID
    result: Motion | Invalid = context.construct(Motion, path, **options, **({"capture": captures} if captures else {}))
    return result


def _read_captures(capture: Any, options: dict[str, Any], path: str, context: ReadContext) -> dict[str | int, float]:
    """Seconds by key; a key that is not there, or there twice, is told."""
    seconds: dict[str | int, float] = {}
    first_entries: dict[int, int] = {}
    for index, entry in enumerate(capture):
        found = context.construct(options["path"].keys.index, join_path(path, index, "key"), entry["key"])
        if not isinstance(found, Invalid) and first_entries.setdefault(found, index) != index:
            context.add_problem(
                join_path(path, index, "key"), f"This key is in capture {first_entries[found]} too. Remove one of them."
            )
        if entry["time"] > options.get("duration", entry["time"]):
            message = (
                f"It is {entry['time']:g} s, but the motion ends at {options['duration']:g} s. Give a second before."
            )
            context.add_problem(join_path(path, index, "time"), message)
        seconds[entry["key"]] = entry["time"]
    return seconds


def motion_object(motion: Motion, style: SceneStyle, owner: str) -> dict[str, Any]:
    """A motion as the fields of an actor."""
    if isinstance(motion, RecordedMotion):
        return {"frames": _recording_object(motion, owner)}
    path, timing, duration, start, capture, outside = motion.spec
    values: dict[str, Any] = {"path": path_object(path, style, owner)}
    if timing is not None:
        values["timing"] = TIMINGS.to_object(timing, owner)
    if duration is not None:
        values["duration"] = duration
    if start:
        values["start"] = start
    if capture:
        values["capture"] = [{"key": key, "time": seconds} for key, seconds in capture]
    if outside != "hold":
        values["outside"] = outside
    return values


def path_object(path: MotionPath, style: SceneStyle, owner: str) -> dict[str, Any]:
    """A path as plain values: its options that differ from the usual, then its keys."""
    names = path.keys.column("name")
    for name in () if names is None else names:
        if name is not None and (problem := text_problem(name)):
            raise KeyposeError(f"{owner} has a key named {short_repr(name)}, which {problem}")
    options = path.options.non_defaults()
    options.pop("tension", None)
    if path.options.tension != style.tension:
        options = {"tension": path.options.tension, **options}
    return {**options, "keys": Rows(key_objects(path.keys, style.names))}


def _recording_object(recording: RecordedMotion, owner: str) -> dict[str, Any]:
    for what, numbers in (("places", recording.position), ("facings", recording.orientation)):
        if not (np.abs(numbers) <= MAX_COORDINATE).all():
            raise KeyposeError(f"{owner} has {what} that are not finite, or beyond {MAX_COORDINATE:g}. Shoot it anew.")
    result = {"times": plain_numbers(recording.times), "position": Rows(plain_numbers(recording.position))}
    identities = np.broadcast_to(IDENTITY, recording.orientation.shape)
    is_identity = recording.orientation.tobytes() == identities.tobytes()
    return result if is_identity else {**result, "orientation": Rows(plain_numbers(recording.orientation))}
