"""Bodies: what Keypose adds to a step of MuJoCo, and whether followers keep to what LG95 (corrected) says of them."""

import subprocess
import sys
import time
from collections.abc import Callable
from unittest.mock import patch

import mujoco
import numpy as np
from measure import Row, at_most, seconds

from keypose import Actor, Body, Follow, MotionPath, Plane, Run, Sphere, Stage, Still, shoot

DOWN = (0, -9.81, 0)
TICK = 0.002


def crowd(count: int) -> Stage:
    """Balls that roll on a floor, each after its own target, side by side and sometimes into each other."""
    rng, side = np.random.default_rng(count), int(np.ceil(np.sqrt(count)))
    cast = [Actor("floor", Still(Body(Plane())))]
    for number in range(count):
        x, z = 0.75 * (number % side), 0.75 * (number // side)
        to = rng.uniform(-0.4, 0.4, 2)
        path = MotionPath([(x, 0.3, z), (x + to[0], 0.3, z + to[1]), (x, 0.3, z)], closed=True)
        cast.append(Actor(f"ball/{number}", Follow(path, Body(Sphere(0.3)), within=0.2, speed=0.4)))
    return Stage(cast, gravity=DOWN)


def overhead() -> list[Row]:
    """Everything beside MuJoCo's own steps: targets, forces, corrections, who touches whom, and recording."""
    rows = []
    for count, bar, lasts in ((10, 1.5, 4.0), (100, 0.25, 1.0), (1000, 0.12, 1.0)):
        stage = crowd(count)
        shoot(stage, lasts)
        ours, theirs = min(_shot(stage, lasts) for _ in range(5))
        step = TICK / lasts
        work = f"a step of {count:,} followers with contact ({seconds(ours * step)}, MuJoCo's {seconds(theirs * step)})"
        rows.append(at_most(f"{work}: what is added to MuJoCo's", (ours - theirs) / theirs, bar, "×"))
    return rows


def _shot(stage: Stage, lasts: float) -> tuple[float, float]:
    """How long it takes to shoot a stage [s], and how much of that MuJoCo takes for its steps."""
    spent = [0.0]

    def timed(step: Callable[..., None]) -> Callable[..., None]:
        def run(*given: object) -> None:
            began = time.perf_counter()
            step(*given)
            spent[0] += time.perf_counter() - began

        return run

    halves = {name: timed(getattr(mujoco, name)) for name in ("mj_step1", "mj_step2")}
    with patch.multiple(mujoco, **halves):
        began = time.perf_counter()
        shoot(stage, lasts)
        return time.perf_counter() - began, spent[0]


def steadiness() -> list[Row]:
    """The speed followers settle at, and how far gravity pulls one off its path."""
    line, ball = MotionPath([(0, 0, 0), (12, 0, 0)]), Body(Sphere(0.3), 2.0)
    said = (
        {},
        {"eagerness": 0.3},
        {"damping": 1.5},
        {"reaction": 0.2},
        {"eagerness": 0.8, "reaction": 0.3},
        {"speed": 2.5},
    )
    worst = 0.0
    for words in said:
        follow = Follow(line, ball, within=0.4, **words)
        x = shoot(Stage([Actor("a", follow)]), 4.0, fps=100)["a"].position[:, 0]
        worst = max(worst, abs((x[400] - x[300]) / follow.pace - 1))
    short = MotionPath([(0, 0, 0), (1, 0, 0)])
    sags = []
    for correction in (0.1, None):
        take = shoot(Stage([Actor("a", Follow(short, ball, within=0.4, correction=correction))], gravity=DOWN), 6.0)
        sags.append(abs(float(take["a"].position[-1, 1])))
    return [
        at_most("the speed six followers settle at: off α·d/(β·Δt)", 100 * worst, 0.1, " %"),
        at_most(
            f"a follower under gravity: sag at the end (without correction {1e3 * sags[1]:.3g} mm)",
            1e3 * sags[0],
            1,
            " mm",
        ),
    ]


SHOT = """
import hashlib, sys
sys.path.insert(0, {folder!r})
from bodies import crowd
from keypose import shoot
take = shoot(crowd(20), 1.0)
told = b"".join(pose.position.tobytes() + pose.orientation.tobytes() for pose in take.poses.values())
print(hashlib.sha256(told).hexdigest())
"""


def replays() -> list[Row]:
    """The same take in twenty processes; and how much is played again when a minute of bodies is rewound."""
    code = SHOT.format(folder=str(__file__).rsplit("/", 1)[0])
    found = {
        subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
        for _ in range(20)
    }
    run, rng, most = Run(crowd(100)), np.random.default_rng(3), 0.0
    while run.time < 60.0:
        run.tick()
    kept = run.snapshot()
    for moment in rng.uniform(0, 60, 40):
        run.rewind(kept)
        most = max(most, moment - kept.near(float(moment)).time)
    return [
        at_most("takes of 20 bodies in 20 processes: different ones", len(found) - 1, 0, ""),
        at_most("a minute of 100 bodies rewound: played again at most", most, 1, " s"),
    ]
