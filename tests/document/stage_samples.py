"""Stages that between them say everything a scene file can hold, for the tests of this room.

Bits are compared, so everything runs on the kernels from the start, whoever imports this first: they may differ from
numpy in the last.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np

import keypose.maths.hermite_kernels  # noqa: F401
from keypose import (
    Actor,
    Camera,
    FaceForward,
    Key,
    KeyTimes,
    LookAt,
    Motion,
    MotionPath,
    Orientation,
    Pose,
    SceneStyle,
    SpeedProfile,
    Stage,
    Turn,
    effects,
    savable,
    shoot,
)
from keypose.document.scene import write
from tests.document.body_samples import every_body
from tests.document.field_samples import every_push
from tests.document.script_samples import every_meeting

UPRIGHT = np.array([1.0, 0.0, 0.0, 0.0])
WALK = Motion(MotionPath([(0, 0, 0), (4, 0, 1), (5, 0, 4)]), duration=4.0)
TIMED = Motion(MotionPath([Key((0, 0, 0), time=0), Key((4, 0, 1), time=4)]))


@savable("hopper")
@dataclass(frozen=True)
class Hopper:
    """A mover with a field of every sort."""

    leader: str
    height: float = 0.5
    hops: int = 3
    awake: bool = True
    away: tuple[float, float, float] = (0.0, 1.0, 0.0)
    foot: Literal["left", "right"] = "left"
    rest: float | None = None
    names: dict[str, float] | None = None
    notes: list[str] | tuple[str, ...] = ()

    @property
    def watches(self):
        return (self.leader,)

    def begin(self, view):
        return 0.0

    def step(self, state, view, dt):
        return state + dt * self.hops

    def pose(self, state):
        return Pose(np.array(self.away) * (1 + abs(np.sin(state)) * self.height), UPRIGHT)


def scene_bytes(stage):
    return b"".join(write(stage))


def every_word_of_keys():
    facing = Orientation.turned(30, (1, 2, 3))
    own = Turn(facing, tension=0.1, continuity=-0.2, bias=0.3, arrive=(0.1, 0, -0.2), leave="chord")
    keys = [
        Key((0, 0.1, -0.3), time=0, name="start", orientation=(0.5, 0.5, 0.5, 0.5)),
        Key((1, 2, 3), time=0.5, tension=-0.3, continuity=1e-3, bias=1, orientation=own),
        Key(time=0.75, orientation=Turn(facing, arrive="chord")),
        Key((2, 2, 2), time=1, arrive=(1, 0, 0.25), leave="chord", name='a "quoted", dotted.name'),
        Key((3, 2, 2), time=1.5, leave=(1, 0, 0), **effects.corner),
        Key((3, 2, 9), time=4, name="end", **effects.linear),
    ]
    return Stage([Actor("ball", Motion(MotionPath(keys, ends="still", turning="log", inertia=0.5)))])


def shapes_and_timings():
    line = MotionPath([(0,), (1,), (-3,)], tension=0.5, adjust="none")
    drawing = MotionPath(np.arange(36.0).reshape(3, 4, 3) ** 0.5, continuity=-0.5, bias=0.1, adjust="unit")
    loop = MotionPath([Key((1, 0), time=0), Key((0, 1), time=1), Key((-1, 0), time=3)], closed=True, closing=0.5)
    named = MotionPath([Key((0, 0)), Key((1, 1), name="up"), Key((2, 0)), Key((3, 0))], mass=2, ends="zero-chord")
    return Stage(
        [
            Actor("line", Motion(line, SpeedProfile([1, 0, 8.5]), duration=2, start=-0.5, outside="mirror")),
            Actor("drawing", Motion(drawing, KeyTimes([0.5, 1, 2.25]), outside="cycle")),
            Actor("loop", Motion(loop)),
            Actor(
                "named",
                Motion(named, SpeedProfile.through({0: 1, 0.3: 0, 1: 2}), duration=3, capture={"up": 0.7, 2: 2.5}),
            ),
        ],
        gravity=(0, -9.81, 0),
    )


def bonds():
    reach = [
        Key((0, 1.2, 0), time=0),
        Key((0, 0.05, 0), time=1, relative_to="glass", name="grasp"),
        Key((0, 0.1, 0), time=3, relative_to="tray", pin=False),
    ]
    return Stage(
        [
            Actor("hand", Motion(MotionPath(reach)), look="gold"),
            Actor("ring", TIMED, parent="hand", facing=FaceForward()),
            Actor("glass", WALK, facing=FaceForward(bank=0.5), look="#336699"),
            Actor("tray", TIMED, parent="glass", facing=LookAt("second eye")),
            Actor("eye", TIMED, facing=LookAt("hand"), look=Camera(35.5)),
            Actor("second eye", TIMED, facing=LookAt("eye"), look=Camera()),
        ]
    )


def rendezvous():
    reach = MotionPath([Key((0, 1.2, 0)), Key((0, 0.05, 0), relative_to="glass"), Key((2, 0, 0))])
    return Stage([Actor("hand", Motion(reach, duration=3)), Actor("glass", WALK)])


def style_and_recordings():
    style = SceneStyle(0.25, {"snap": effects.Effect(0.4, bias=-0.5), "straight": effects.Effect(along_chords=True)})
    snapped = MotionPath([Key((0, 0, 0)), Key((1, 0, 0), **style.effects["snap"]), Key((2, 1, 0))], tension=0.25)
    plain = MotionPath([Key((0, 0, 0)), Key((1, 0, 0), tension=0.4), Key((2, 1, 0))])
    take = shoot(Stage([Actor("a", WALK, facing=FaceForward()), Actor("b", TIMED)]), 0.125)
    return Stage(
        [
            Actor("snapped", Motion(snapped, duration=1)),
            Actor("plain", Motion(plain, duration=1)),
            Actor("taken", take["a"]),
            Actor("taken upright", take["b"]),
        ],
        style=style,
    )


def movers():
    hopper = Hopper("man", 0.25, rest=2.0, names={"a b": 1.0}, notes=("x", "ß"))
    return Stage([Actor("flea", Hopper("man")), Actor("frog", hopper, parent="man"), Actor("man", TIMED)])


def everything():
    """All that version 1 could say in its first file, on one stage; `tests/document/samples` has it."""
    parts = [every_word_of_keys(), shapes_and_timings(), bonds(), style_and_recordings(), movers()]
    return Stage([actor for part in parts for actor in part.actors], gravity=(0, -9.81, 0), style=parts[3].style)


SEPARATE_MAKERS = (
    every_word_of_keys,
    shapes_and_timings,
    bonds,
    rendezvous,
    style_and_recordings,
    movers,
    every_push,
    every_body,
    every_meeting,
)
MAKERS = (*SEPARATE_MAKERS, everything)
STAGES = {cast.__name__: cast() for cast in MAKERS}
