"""Stages by chance, for Hypothesis: whatever Python can say about who goes where, when and with whom."""

import numpy as np
from hypothesis import strategies as st

from keypose import (
    Actor,
    Camera,
    FaceForward,
    Follow,
    Free,
    Key,
    KeyTimes,
    LookAt,
    Motion,
    MotionPath,
    Orientation,
    SceneStyle,
    SpeedProfile,
    Stage,
    Still,
    Turn,
    effects,
)
from keypose.motion.take import RecordedMotion
from tests.document.body_samples import RIGID, body_movers
from tests.document.field_samples import field_strategy, spline_strategy, tracker_strategy
from tests.document.script_samples import scripts, with_script_if_valid
from tests.document.stage_samples import Hopper

NUMBER = st.one_of(st.floats(-1e3, 1e3), st.integers(-5, 5).map(float), st.sampled_from([-0.0, 5e-324, 1e-9, 1 / 3]))
STRENGTH = st.none() | NUMBER
TEXT = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=5)
SHAPES = [(1,), (2,), (3,), (3,), (2, 2), (4, 3)]
QUATERNION = st.tuples(*[NUMBER] * 4).filter(any)


def vector(shape):
    return st.lists(NUMBER, min_size=int(np.prod(shape)), max_size=int(np.prod(shape))).map(
        lambda numbers: np.array(numbers).reshape(shape)
    )


def tangent(shape):
    return st.none() | st.just("chord") | vector(shape)


@st.composite
def turns(draw):
    if draw(st.booleans()):
        return Orientation.of(draw(QUATERNION))
    shaped = {word: draw(STRENGTH) for word in ("tension", "continuity", "bias")}
    return Turn(draw(QUATERNION), **shaped, arrive=draw(tangent((3,))), leave=draw(tangent((3,))))


@st.composite
def key(draw, shape, time, name, carriers, own):
    options = {word: draw(STRENGTH) for word in ("tension", "continuity", "bias") if draw(st.booleans())}
    options |= draw(st.sampled_from([{}, {}, effects.corner, effects.linear, *own]))
    place = draw(vector(shape)) if draw(st.integers(0, 5)) else None
    if "arrive" not in options and draw(st.booleans()):
        some = tangent(shape) if place is not None else st.none() | st.just("chord")
        options |= {"arrive": draw(some), "leave": draw(some)}
    if draw(st.booleans()):
        options["orientation"] = draw(turns())
    if carriers and draw(st.booleans()):
        options |= {"relative_to": draw(st.sampled_from(carriers)), "pin": draw(st.booleans())}
    return Key(place, time=time, name=name, **options)


@st.composite
def paths(draw, carriers=(), own=(), timed=False, least=2, shapes=SHAPES):
    count = draw(st.integers(least, 5))
    shape = draw(st.sampled_from(shapes))
    names = draw(st.lists(st.none() | TEXT, min_size=count, max_size=count))
    names = [name if names.index(name) == index else None for index, name in enumerate(names)]
    steps = draw(st.lists(st.sampled_from([0.1, 0.5, 1 / 3, 2.0]), min_size=count, max_size=count))
    times = np.cumsum(steps).tolist() if timed else [None] * count
    keys = [draw(key(shape, time, name, carriers, own)) for time, name in zip(times, names, strict=True)]
    options = {
        "tension": draw(NUMBER),
        "adjust": draw(st.sampled_from([None, "none", "length", "unit", *(["time", "velocity"] if timed else [])])),
        "ends": draw(st.sampled_from(["reflect", "still", "zero-chord"])),
        "closed": not carriers and draw(st.booleans()),
        "turning": draw(st.sampled_from(["casteljau", "log"])),
        "mass": draw(st.sampled_from([1, 2.5])),
        "inertia": draw(st.sampled_from([0, 0.5])),
        "closing": draw(st.sampled_from([None, 0.75])),
    }
    return MotionPath(keys, **{word: value for word, value in options.items() if draw(st.booleans())})


@st.composite
def motions(draw, carriers=(), own=()):
    timed = draw(st.booleans())
    path = draw(paths(carriers, own, timed))
    outside = ["hold"] if carriers else ["hold", "cycle", "mirror"]
    options = {"start": draw(NUMBER), "outside": draw(st.sampled_from(outside))}
    if timed:
        return Motion(path, **options)
    if draw(st.booleans()):
        spans = draw(st.lists(st.floats(0.1, 9), min_size=len(path), max_size=len(path)))
        return Motion(path, KeyTimes(np.cumsum(spans)), **options)
    speeds = st.floats(0.1, 9)
    points = st.dictionaries(st.sampled_from([0.0, 0.2, 0.7, 1.0]), speeds, min_size=1)
    profiles = st.lists(speeds, min_size=1, max_size=6).map(SpeedProfile) | points.map(SpeedProfile.through)
    if len(path) > 2 and draw(st.booleans()):
        options["capture"] = {path.keys[1].name or 1: 0.5}
    return Motion(path, draw(st.none() | profiles), duration=draw(st.sampled_from([1.0, 2.5])), **options)


@st.composite
def recordings(draw):
    count, shape = draw(st.integers(2, 4)), draw(st.sampled_from([(1,), (3,), (2, 2)]))
    facings = [draw(QUATERNION) for _ in range(count)] if draw(st.booleans()) else None
    return RecordedMotion(np.arange(count) / 24, draw(vector((count, *shape))), facings)


@st.composite
def stages(draw):
    """A few actors; each stands on, looks at or is carried by those before it."""
    effect = st.builds(effects.Effect, NUMBER, NUMBER, NUMBER, along_chords=st.booleans())
    own = draw(st.dictionaries(TEXT, effect, max_size=2))
    names = draw(st.lists(TEXT, min_size=1, max_size=4, unique=True))
    pushing = draw(st.dictionaries(TEXT, field_strategy(names) | tracker_strategy(names), max_size=2))
    cast = []
    for index, name in enumerate(names):
        before = names[:index]
        some = [motions(own=tuple(own.values())), recordings()]
        if before:
            some += [motions(tuple(before), tuple(own.values())), st.builds(Hopper, st.sampled_from(before), NUMBER)]
        others = [other for other in names if other != name]
        felt = [called for called, field in pushing.items() if name not in field.names]
        some += [
            spline_strategy(others, felt),
            body_movers(paths(tuple(before), tuple(own.values()), shapes=[(2,), (3,)])),
        ]
        facing = st.none() | st.builds(FaceForward)
        look = st.none() | TEXT | st.builds(Camera, st.floats(1, 179))
        bonds = {"parent": draw(st.none() | st.sampled_from(before))} if before else {}
        facing = facing | st.builds(LookAt, st.sampled_from(before)) if before else facing
        thing = draw(st.one_of(some))
        if isinstance(thing, Motion):
            bonds["body"] = draw(st.none() | RIGID)
        elif isinstance(thing, Follow | Still | Free):
            bonds.pop("parent", None)  # bodies are in the world
        cast.append(Actor(name, thing, facing=draw(facing), look=draw(look), **bonds))
    stage = Stage(cast, fields=pushing, gravity=draw(vector((3,))), style=SceneStyle(draw(NUMBER), own))
    return with_script_if_valid(stage, draw(scripts(cast, TEXT)))
