"""Compile every kernel once, so that nobody waits for it later. `make` runs this after installing."""

import sys
import time
from pathlib import Path

import numpy as np

from keypose import (
    Actor,
    Body,
    Box,
    DynamicSpline,
    Figure,
    Follow,
    Free,
    Hinge,
    Key,
    KeyTimes,
    Link,
    Meeting,
    Motion,
    MotionPath,
    Orientation,
    Plane,
    Run,
    Script,
    SpeedProfile,
    Sphere,
    Spring,
    Stage,
    Still,
    fields,
    shoot,
    turn,
)
from keypose.maths import kernel_switch

SOURCES = Path(kernel_switch.__file__).parents[1]


def _remove_stale_cache() -> None:
    """Throw away what was compiled before a kernel changed.

    numba looks only at the file a kernel stands in, and kernels are made of others from other files.
    """
    newest = max(source.stat().st_mtime for source in SOURCES.rglob("*.py"))
    for cache_file in SOURCES.rglob("*.nb[ic]"):
        if cache_file.stat().st_mtime < newest:
            cache_file.unlink()


def _run_splines() -> None:
    """Objects linked one by one, to all of a group, and to who is near."""
    pull, near = fields.Attractor(1.0), fields.Repeller(1.0).within(0.5)
    vortex = fields.Vortex(1.0).within(0.5)
    carried = [field.carried_by("bird/*") for field in (pull, near, vortex)]
    senses = dict.fromkeys([pull, fields.Uniform((1, 0, 0)), *carried], 1.0)
    birds = [Actor(f"bird/{number}", DynamicSpline((number, 0, 0), senses=senses)) for number in range(2000)]
    Run(Stage(birds)).tick()


def _run_followers() -> None:
    """A body that follows a path over a floor, and turns; another one that follows it, and turns with it."""
    turned = Orientation.turned(40, "y")
    path = MotionPath([Key((0, 0.3, 0), orientation=(1, 0, 0, 0)), Key((1, 0.3, 0), orientation=turned)])
    ball = Actor("ball", Follow(path, Body(Sphere(0.3)), within=0.4))
    after = MotionPath([(0, 2, 0), Key((0, 1, 0), orientation=turned, relative_to="ball")])
    other = Actor("other", Follow(after, Body(Sphere(0.3)), within=0.4))
    brick = Actor("brick", Free(Body(Box((0.1, 0.2, 0.3))), (0, 5, 0), spin=(90, 0, 0)))
    shoot(Stage([ball, other, brick, Actor("floor", Still(Body(Plane())))], gravity=(0, -9.81, 0)), 0.1)
    arm = Figure(Body(Box(0.1)), [Hinge(Link("hand", Body(Sphere(0.1)), (0.5, 0, 0)), at=(0, 0, 0))])
    shoot(Stage([Actor("arm", arm)], connections=[Spring("arm/hand", stiffness=1.0)]), 0.1)


def _run_meetings() -> None:
    """Followers and a motion who meet each other, and motions who do."""
    path = MotionPath([Key((0, 1, 0)), Key((1, 1, 0), name="here", orientation=(1, 0, 0, 0)), Key((2, 1, 0))])
    cast = [Actor("ball", Follow(path, Body(Sphere(0.3)), within=0.4)), Actor("hand", Motion(path, duration=1.0))]
    script = Script()
    script.meet({"ball": "here", "hand": "here"})
    script.meet({"ball": turn("here")}, of="bodies")
    shoot(Stage(cast, script=script), 0.1)
    waiting = Script()
    waiting.meet({"ball": "here"}, after=waiting.meet({"slow": "here"}), gate=True)
    waiting.meet({"ball": 2.0})
    shoot(Stage([cast[0], Actor("slow", Motion(path, duration=9.0))], script=waiting), 2.0)
    shoot(Stage(cast[1:], script=Script([Meeting(name="alone", goals={"hand": "here"})])), 0.1)


def main() -> None:
    """Ask for one of everything, with the kernels on."""
    _remove_stale_cache()
    kernel_switch.WORTH_LOADING = 0
    start_time = time.perf_counter()
    facing = Orientation.turned(40, "y")
    path = MotionPath([Key((0, 0, 0), orientation=(1, 0, 0, 0)), Key((1, 1, 0)), Key((2, 0, 1), orientation=facing)])
    u = np.linspace(0, 2, 9)
    path.at(u), path.at(0.5), path.velocity(u), path.acceleration(u), path.orientation_at(u), path.angular_velocity(u)
    MotionPath([(0, 0), (1, 0), (1, 1)], closed=True).at(0.5)
    path.distance(u), path.along(u), path.with_key(1, position=(1, 2, 0)).along(0.5)
    for motion in (Motion(path, SpeedProfile([1, 3, 1]), duration=1.0), Motion(path, KeyTimes([0, 1, 3]))):
        motion.frames(24), motion.velocity(0.5), motion.speed(0.5)
    shoot(
        Stage(
            [
                Actor("hand", motion),
                Actor("ring", Motion(MotionPath([(0, 0, 0), (1, 0, 0)]), KeyTimes([0, 1])), parent="hand"),
                Actor("leaf", Motion(path, SpeedProfile([1, 3, 1]), duration=1.0, outside="cycle")),
            ]
        ),
        1.0,
    )
    _run_followers()
    _run_meetings()
    _run_splines()
    seconds = time.perf_counter() - start_time
    if seconds > 3 and sys.stdout.isatty():
        print(f"Compiled the kernels in {seconds:.0f} s.")


if __name__ == "__main__":
    main()
