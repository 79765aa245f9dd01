"""Do the muscles of a figure give what they have, and no more, however many pull at it?"""

import pytest

from keypose import (
    Actor,
    Body,
    Box,
    Capsule,
    Figure,
    Hinge,
    Link,
    MotionPath,
    Orientation,
    Pin,
    Reach,
    Sphere,
    Stage,
    shoot,
)

WEIGHT_TORQUE = 9.81 * (1.0 * 0.5 + 0.25 * 1.0)  # [N m]: of the rod and its knob about the hinge


def beam(strength):
    """A rod of 1 m on a wall, with a knob at its end."""
    rod = Link("rod", Body(Capsule(0.03, 0.9), 1.0), (0.5, 0, 0), Orientation.turned(90, "z"))
    knob = Link("knob", Body(Sphere(0.05), 0.25), (1, 0, 0))
    return Figure(Body(Box(0.1)), [Hinge(rod, at=(0, 0, 0), strength=strength), Pin(knob, "rod")], held=True)


def sag(strength, *names):
    """How far the rod sinks when these parts of it are held, and nobody helps [m]."""
    paths = {"rod": MotionPath([(0.5, 0, 0), (0.5, 1e-3, 0)]), "knob": MotionPath([(1, 0, 0), (1, 1e-3, 0)])}
    reaches = [Reach(f"arm/{name}", paths[name], within=0.2, help=0) for name in names]
    take = shoot(Stage([Actor("arm", beam(strength))], connections=reaches, gravity=(0, -9.81, 0)), 1.5)
    return -float(take["arm/rod"].position[:, 1].min())


@pytest.mark.parametrize("names", [["rod"], ["knob"], ["rod", "knob"]])
def test_joint_of_insufficient_strength_falls_for_any_number_of_reaches(names):
    assert sag(0.6 * WEIGHT_TORQUE, *names) > 0.3


@pytest.mark.parametrize("names", [["rod"], ["knob"], ["rod", "knob"]])
def test_joint_of_sufficient_strength_holds(names):
    assert sag(3 * WEIGHT_TORQUE, *names) < 0.05
