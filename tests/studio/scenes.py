"""A small stage on which every edit has something to do."""

from dataclasses import dataclass

import numpy as np

import keypose.maths.hermite_kernels  # noqa: F401 - bits are compared: everything runs on the kernels from the start
from keypose import (
    Actor,
    Body,
    Box,
    Camera,
    Capsule,
    DynamicSpline,
    FaceForward,
    Follow,
    Free,
    Key,
    KeyTimes,
    LookAt,
    Motion,
    MotionPath,
    Orientation,
    Plane,
    Pose,
    Reach,
    Script,
    SpeedProfile,
    Sphere,
    Spring,
    Stage,
    Still,
    Turn,
    fields,
    savable,
)
from keypose.document.scene import write
from tests.physics.arms import DOWN, HAND_PATH, arm


@savable("shadow of the studio's tests")
@dataclass(frozen=True)
class ShadowMover:
    """Goes where another goes."""

    leader: str
    note: str = "red"

    @property
    def watches(self):
        return (self.leader,)

    def begin(self, view):
        return np.array(view[self.leader].position)

    def step(self, state, view, dt):
        return np.array(view[self.leader].position)

    def pose(self, state):
        return Pose(state, np.array([1.0, 0.0, 0.0, 0.0]))


@dataclass(frozen=True)
class HiddenWatchMover:
    """Watches somebody whose name it keeps to itself."""

    @property
    def watches(self):
        return ("red",)

    def begin(self, view):
        return 0.0

    def step(self, state, view, dt):
        return state

    def pose(self, state):
        return Pose(np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0]))


def text(stage):
    """A stage as its scene file has it."""
    return b"".join(write(stage))


def mixed_stage():
    """Red alone in the world, a turned table with a cup on it, a hand that meets the cup, and more."""
    red = [Key((0, 0, 0)), Key((1, 2, 0)), Key((3, 1, 0), tension=0.5, name="bounce"), Key((4, 4, 1))]
    turn = Orientation.turned(90, "y")
    table = [Key((0, 0, 0), orientation=turn), Key((2, 0, 0), orientation=turn)]
    hand = [
        Key((0, 1, 0), time=0),
        Key((0, 0.1, 0), time=1, relative_to="table", name="grasp"),
        Key((1, 1, 1), time=2, relative_to="table", pin=False),
        Key((5, 1, 0), time=3),
    ]
    timed = [
        Key((0, 0), time=0),
        Key((1, 1), time=0.5, orientation=Turn(turn, arrive=(0, 0.1, 0))),
        Key((2, 0), time=2),
    ]
    drawing = np.array([[[0, 0], [1, 0]], [[0, 1], [1, 1]], [[0, 3], [2, 2]]], dtype=float)
    return Stage(
        [
            Actor("red", Motion(MotionPath(red), SpeedProfile([1, 2, 1]), duration=2, capture={"bounce": 1.5})),
            Actor("table", Motion(MotionPath(table), duration=4)),
            Actor("cup", Motion(MotionPath([(0, 1, 0), (0, 2, 0), (0, 3, 1)]), duration=2), parent="table"),
            Actor("hand", Motion(MotionPath(hand)), facing=LookAt("red")),
            Actor("flat", Motion(MotionPath(timed)), facing=FaceForward()),
            Actor("sketch", Motion(MotionPath(drawing), KeyTimes([0, 1, 3]), outside="cycle"), look="gold"),
            Actor("eye", Motion(MotionPath([(0, 5, 9), (1, 5, 9)]), duration=1), look=Camera(40)),
            Actor("shade", ShadowMover("red")),
        ]
    )


def field_stage():
    """The same with a leaf, a letter and a passenger that are steered, and every kind of thing that steers them."""
    light = fields.Attractor(2, center=(0, 1, 0)).within(3, center=(0, 1, 0)).carried_by("table")
    leaf = DynamicSpline((0, 3, 0), (1, 0, 0), friction=0.02, senses={"wind": 0.5, fields.KeepOffset("red"): 0.3})
    return mixed_stage().changed(
        actors=[
            *mixed_stage().actors,
            Actor("leaf", leaf),
            Actor("letter", DynamicSpline([(0, 0), (1, 0), (1, 1)], senses={"wind": 1, "near": 0.1})),
            Actor("passenger", DynamicSpline((0, 1, 0), senses={"light": 0.2}), parent="table"),
        ],
        fields={
            "wind": fields.Uniform((1, 0, 0)).pulsing(2),
            "whirl": fields.Vortex(2, center=(1, 0, 0)),
            "light": light,
            "mix": fields.Uniform((0, -1, 0)) + fields.Spring(3, center=(4, 0, 0)),
            "typed": fields.Formula("(-y, x, 0) * k", k=fields.Slider(2, 0, 5)),
            "near": fields.KeepDistance("red", 1.0),
        },
    )


def body_stage():
    """A stage of bodies: a floor, a wall on the way of one of two followers, what falls, and a train that pushes."""
    ball = Body(Sphere(0.3), mass=2.0, bounce=0.6)
    turns = [Key((0, 0, 1.5), orientation=Orientation.from_euler((90, 0, 0), "YXZ")), (3, 0.2, 0.2), (6, 0, 1.5)]
    return Stage(
        [
            Actor("floor", Still(Body(Plane(offset=-0.3)))),
            Actor("wall", Still(Body(Box((0.4, 0.8, 1.2))), (4.4, 0.1, 0.8))),
            Actor("red", Follow(MotionPath([(0, 0, 0), (3, 1, 0), (6, 0, 0)]), ball, within=0.4, speed=1.5)),
            Actor("blue", Follow(MotionPath(turns), Body(Capsule(0.15, 0.4)), within=0.4)),
            Actor("ball", Free(Body(Sphere(0.25), bounce=0.7), (1.5, 3, 1), (0.5, 0, 0))),
            Actor("train", Motion(MotionPath([(-1, 0, 3), (7, 0, 3)]), duration=4), body=Body(Box(0.5))),
        ],
        gravity=(0, -9.81, 0),
    )


def figure_stage():
    """An arm whose hand is led, a lamp on a spring at it, and a soft ball."""
    return Stage(
        [
            Actor("floor", Still(Body(Plane(offset=-1)))),
            Actor("arm", arm(damping=0.2)),
            Actor("lamp", Free(Body(Sphere(0.1), 0.3), (0.85, 0.5, 0))),
            Actor("ball", Free(Body(Sphere(0.3), stiffness=2000), (2, 0.5, 0))),
        ],
        connections=[
            Reach("arm/hand", HAND_PATH, within=0.2),
            Spring("lamp", "arm/lower", stiffness=50, damping=1, to_at=(0.8, 1, 0)),
            Spring("lamp", stiffness=5, to_at=(0.85, 0, 0)),
        ],
        gravity=DOWN,
    )


def meeting_stage():
    """Two motions who meet twice, and somebody who comes late to one more meeting."""
    script = Script()
    script.meet({"red": "arch", "blue": "arch"}, name="first")
    script.meet({"red": "home", "blue": 4.0}, name="last", after="first")
    script.meet({"train": 1.0}, name="late")
    return Stage(
        [
            Actor("red", Motion(_line_path(0, "start", "arch", None, "home"), duration=4.0)),
            Actor("blue", Motion(_line_path(1, "start", "arch", "home"), duration=2.0)),
            Actor("train", Motion(_line_path(2, None, None), duration=1.0)),
        ],
        script=script,
    )


def _line_path(z, *names):
    return MotionPath([Key((2.0 * i, 0, z), name=name) for i, name in enumerate(names)])
