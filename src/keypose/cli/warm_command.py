"""Compile every kernel ahead, so that no first shoot waits for it: small scenes that together need all kernels."""

import os
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

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
from keypose.cli.console import print_result, progress
from keypose.errors import KeyposeError
from keypose.maths import count_compilations, kernels_available, load_kernels

PACKAGE = Path(__file__).parents[1]


def _remove_stale_cache() -> None:
    """Throw away what was compiled before a kernel changed.

    numba looks only at the file a kernel stands in, and kernels are made of others from other files.
    """
    newest = max(source.stat().st_mtime for source in PACKAGE.rglob("*.py"))
    for cache_file in PACKAGE.rglob("*.nb[ic]"):
        if cache_file.stat().st_mtime < newest:
            cache_file.unlink()


def _run_splines() -> None:
    """Objects with explicit links, with links to a whole group, and with links to neighbours."""
    pull, near = fields.Attractor(1.0), fields.Repeller(1.0).within(0.5)
    vortex = fields.Vortex(1.0).within(0.5)
    carried = [field.carried_by("bird/*") for field in (pull, near, vortex)]
    senses: dict[Any, float] = dict.fromkeys([pull, fields.Uniform((1, 0, 0)), *carried], 1.0)
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
    """Meetings of a follower with a motion, of a follower alone, and of a motion."""
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


def _run_motions() -> None:
    """Paths and motions by themselves, and a hierarchy of them."""
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


PARTS: dict[str, Callable[[], None]] = {
    "motions": _run_motions,
    "splines": _run_splines,
    "followers": _run_followers,
    "meetings": _run_meetings,
}


def compile_part(name: str) -> int:
    """Run one part; how many kernels were compiled for it."""
    load_kernels()
    with count_compilations() as compiled:
        PARTS[name]()
    return len(compiled)


def warm() -> None:
    """Compile all kernels that are not compiled yet, in several processes side by side."""
    if not kernels_available():
        raise KeyposeError(
            "There are no kernels to compile: KEYPOSE_KERNELS is off, or numba is not installed (pip install numba)."
        )
    _remove_stale_cache()
    start_time = time.perf_counter()
    count = 0
    workers = min(os.cpu_count() or 1, len(PARTS))
    with progress("compiling kernels") as report, ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        for done, compiled in enumerate(pool.map(compile_part, PARTS), start=1):
            count += compiled
            report(done, len(PARTS))
    seconds = time.perf_counter() - start_time
    print_result(f"Compiled {count} kernels in {seconds:.0f} s." if count else "All kernels are compiled already.")
