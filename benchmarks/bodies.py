"""Bodies: what Keypose adds to a step of MuJoCo, and whether followers keep to what LG95 (corrected) says of them."""

import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from unittest.mock import patch

import mujoco
import numpy as np
from measure import Row, lower_limit_row, seconds, unlimited_row, upper_limit_row

from keypose import (
    Actor,
    Body,
    Box,
    Follow,
    Free,
    Key,
    Motion,
    MotionPath,
    Orientation,
    Plane,
    Run,
    Sphere,
    Stage,
    Still,
    Take,
    shoot,
)
from keypose.stage.live_run import Snapshot

DOWN = (0, -9.81, 0)
TICK = 0.002
PARTS = ("mj_kinematics", "mj_comPos", "mj_makeM", "mj_factorM", "mj_collision", "mj_makeConstraint", "mj_island")
PARTS += ("mj_projectConstraint", "mj_fwdVelocity", "mj_step2")


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


def mixed_crowd(count: int, oriented: tuple[int, ...], relative_keys: tuple[int, ...]) -> Stage:
    """The same, but some turn as their keys face, and some have relative keys: by the last digits of their numbers."""
    plain = crowd(count)
    sway = MotionPath([(0, 0, 0), (0.3, 0, 0), (0, 0, 0.3)], closed=True)
    cast = [Actor("carrier", Motion(sway, duration=6.0))]
    for number, actor in enumerate(plain.actors):
        follow = actor.motion_or_mover
        if isinstance(follow, Follow):
            is_oriented, carrier = number % 10 in oriented, "carrier" if number % 10 in relative_keys else None
            orientations = [Orientation.turned(120 * corner, "y") if is_oriented else None for corner in range(3)]
            keys = [
                Key(key.position, orientation=orientation, relative_to=carrier, pin=False)
                for key, orientation in zip(follow.path.keys, orientations, strict=True)
            ]
            actor = actor.changed(motion_or_mover=replace(follow, path=MotionPath(keys, closed=True), turn_within=20))
        cast.append(actor)
    return Stage(cast, gravity=DOWN)


def overhead() -> list[Row]:
    """Everything beside MuJoCo's own steps: targets, forces, corrections, who touches whom, and recording."""
    rows, limits = [], {10: 1.5, 100: 0.25, 1000: 0.12}
    all_ten, odd, mixture = (
        tuple(range(10)),
        (1, 3, 5, 7, 9),
        "of whom half turn and a fifth, others, have carried keys",
    )
    for count, limit in limits.items():
        for stage, description in ((crowd(count), ""), (mixed_crowd(count, odd, (0, 4)), f", {mixture}")):
            added, times = _added(stage)
            task = f"a step of {count:,} followers with contact{description} ({times})"
            rows.append(upper_limit_row(f"{task}: what is added to MuJoCo's", added, limit, "×"))
    for count, oriented, relative_keys, description in (
        *((count, all_ten, (), "who all turn") for count in (10, 100)),
        *((count, all_ten, (0, 5), "who all turn and of whom a fifth have carried keys") for count in (10, 100)),
        *((count, all_ten, all_ten, "who all turn and have carried keys") for count in (10, 100)),
    ):
        added, times = _added(mixed_crowd(count, oriented, relative_keys))
        task = f"a step of {count} followers with contact, {description} ({times})"
        rows.append(unlimited_row(f"{task}: what is added to MuJoCo's", added, "×"))
    return rows


def _added(stage: Stage) -> tuple[float, str]:
    """What shooting a stage takes beside MuJoCo's steps, in as long as those take; and both for one step, in words."""
    duration = 4.0
    shoot(stage, duration)
    ours, theirs = min(_shoot_times(stage, duration) for _ in range(5))
    step = TICK / duration
    return (ours - theirs) / theirs, f"{seconds(ours * step)}, MuJoCo's {seconds(theirs * step)}"


def _shoot_times(stage: Stage, duration: float) -> tuple[float, float]:
    """How long it takes to shoot a stage [s], and how much of that MuJoCo takes for its steps, whole or in parts."""
    spent = [0.0]

    def timed(step: Callable[..., None]) -> Callable[..., None]:
        def run(*arguments: object) -> None:
            start_time = time.perf_counter()
            step(*arguments)
            spent[0] += time.perf_counter() - start_time

        return run

    parts = {name: timed(getattr(mujoco, name)) for name in PARTS}
    with patch.multiple(mujoco, **parts):
        start_time = time.perf_counter()
        shoot(stage, duration)
        return time.perf_counter() - start_time, spent[0]


def speed_steadiness() -> list[Row]:
    """The speed followers settle at, and how far gravity pulls one off its path."""
    line, ball = MotionPath([(0, 0, 0), (12, 0, 0)]), Body(Sphere(0.3), 2.0)
    option_sets = (
        {},
        {"eagerness": 0.3},
        {"damping": 1.5},
        {"reaction": 0.2},
        {"eagerness": 0.8, "reaction": 0.3},
        {"speed": 2.5},
    )
    worst = 0.0
    for options in option_sets:
        follow = Follow(line, ball, within=0.4, **options)
        x = shoot(Stage([Actor("a", follow)]), 4.0, fps=100)["a"].position[:, 0]
        worst = max(worst, abs((x[400] - x[300]) / follow.pace - 1))
    short = MotionPath([(0, 0, 0), (1, 0, 0)])
    sags = []
    for correction in (0.1, None):
        take = shoot(Stage([Actor("a", Follow(short, ball, within=0.4, correction=correction))], gravity=DOWN), 6.0)
        sags.append(abs(float(take["a"].position[-1, 1])))
    return [
        upper_limit_row("the speed six followers settle at: off α·d/(β·Δt)", 100 * worst, 0.1, " %"),
        upper_limit_row(
            f"a follower under gravity: sag at the end (without correction {1e3 * sags[1]:.3g} mm)",
            1e3 * sags[0],
            1,
            " mm",
        ),
    ]


def relative_paths() -> list[Row]:
    """LG95 §4: hands that shake wherever they meet, a ball that is kicked off a wagon, and a race on that wagon."""
    ratios, speeds = (1.0, 1.5, 2.0, 3.0, 4.0), (0.0, 0.2, 0.4)
    handshakes = sum(_have_collided(shoot(_handshake(ratio), 4.0), "left", "right") for ratio in ratios)
    kicks = sum(_have_collided(shoot(_kick(speed), 4.0), "foot", "ball") for speed in speeds)
    keys = [Key((x, 1, 0), relative_to="wagon", pin=False) for x in (0, 3, 6)]
    runner = Follow(MotionPath(keys), Body(Sphere(0.1)), within=0.2, speed=0.5)
    take = shoot(Stage([_wagon(0.4), Actor("runner", runner)]), 4.0, fps=100)
    x = (take["runner"].position - take["wagon"].position)[:, 0]
    speed_error = 100 * abs(float(x[400] - x[300]) / runner.pace - 1)
    return [
        lower_limit_row("handshake touches at mass ratios 1:1 … 1:4", handshakes, len(ratios), f" of {len(ratios)}"),
        lower_limit_row("ball hit at wagon speeds 0, .2, .4 m/s", kicks, len(speeds), f" of {len(speeds)}"),
        upper_limit_row("a race on a wagon at .4 m/s: off α·d/(β·Δt) against it", speed_error, 0.1, " %"),
    ]


def _have_collided(take: Take, one: str, two: str) -> bool:
    return any({event.actor, getattr(event, "other", None)} == {one, two} for event in take.events)


def _handshake(ratio: float) -> Stage:
    left = MotionPath([(-1, 1, 0), (-0.6, 1.3, 0), Key((-0.15, 0, 0), relative_to="right")])
    right = MotionPath([(1, 1, 0), (0.6, 1.3, 0), Key((0.15, 0, 0), relative_to="left")])
    hands = {"left": Follow(left, Body(Sphere(0.1)), within=0.2)}
    hands["right"] = Follow(right, Body(Sphere(0.1), ratio), within=0.2)
    return Stage([Actor(name, hand) for name, hand in hands.items()], gravity=DOWN)


def _kick(speed: float) -> Stage:
    ball = Free(Body(Sphere(0.1), 0.3), (0, 0.2, 0), (speed, 0, 0))
    hit = Key((0.3, 0.1, 0), relative_to="ball", arrive=(1, 0, 0))
    path = MotionPath([(-1, 0.8, 0.2), Key((-0.4, 0.1, 0), relative_to="ball"), hit])
    foot = Follow(path, Body(Sphere(0.1), 2.0), within=0.2, speed=1.5)
    return Stage([_wagon(speed), Actor("ball", ball), Actor("foot", foot)], gravity=DOWN)


def _wagon(speed: float) -> Actor:
    path = MotionPath([(0, 0, 0), (max(20 * speed, 1e-9), 0, 0)])
    return Actor("wagon", Motion(path, duration=20.0), body=Body(Box((2, 0.2, 1)), friction=1.0))


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
    hashes = {
        subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
        for _ in range(20)
    }
    run, rng = Run(crowd(100)), np.random.default_rng(3)
    while run.time < 60.0:
        run.tick()
    snapshot = run.snapshot()
    most = max(_replay_time(run, snapshot, float(moment)) for moment in rng.uniform(0, 60, 40))
    return [
        upper_limit_row("takes of 20 bodies in 20 processes: different ones", len(hashes) - 1, 0, ""),
        upper_limit_row("a minute of 100 bodies rewound: played again at most", most, 1, " s"),
    ]


def _replay_time(run: Run, snapshot: Snapshot, moment: float) -> float:
    """How many seconds MuJoCo steps through when a run that is where it was kept is rewound to a moment."""
    played, step = [0.0], mujoco.mj_step2

    def counted(model: mujoco.MjModel, data: mujoco.MjData) -> None:
        played[0] += model.opt.timestep
        step(model, data)

    run.rewind(snapshot)
    with patch.object(mujoco, "mj_step2", counted):
        reached = run.rewind(moment)
    assert abs(moment - reached) <= TICK
    return played[0]
