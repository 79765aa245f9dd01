"""Appointments: how closely they are kept, what that takes, and how soon everybody is as fast as before."""

import time
from unittest.mock import patch

import numpy as np
from measure import Row, lower_limit_row, seconds, unlimited_row, upper_limit_row

from keypose import (
    Actor,
    Body,
    Box,
    Capsule,
    Follow,
    Key,
    Meeting,
    MotionPath,
    Plane,
    Script,
    Sphere,
    Stage,
    Still,
    Take,
    shoot,
)
from keypose.physics.sync.body_progress import BodyProgress

DOWN = (0, -9.81, 0)
BALL = Body(Sphere(0.2))
REACTION = 0.1
PAIRS = {"first": ("red", "green"), "middle": ("green", "blue"), "last": ("red", "blue")}


def pair(of: str = "targets", obstacle: bool = False, **options: float) -> Stage:
    """Two who have 2 m and 5 m to their goals, and some way on."""
    cast = []
    for name, far, z in (("near", 2.0, 0.0), ("far", 5.0, 2.0)):
        path = MotionPath([(0, 0, z), Key((far, 0, z), name="goal"), (far + 4, 0, z)])
        cast.append(Actor(name, Follow(path, BALL, within=0.4, **options)))
    if obstacle:
        cast.append(Actor("post", Still(Body(Capsule(0.15, 2)), (2.5, 0, 1.8))))
    script = Script([Meeting(name="goal", goals={"near": "goal", "far": "goal"}, of=of)])
    return Stage(cast, script=script)


def reached(take: Take, meeting: str) -> dict[str, float]:
    """When each came to its goal of a meeting [s]."""
    events = [event for event in take.events if getattr(event, "meeting", None) == meeting]
    return {event.actor: event.time for event in events if event.state == "reached"}


def spread(take: Take, meeting: str) -> float:
    """How long it was from the first to the last [s]; for ever if somebody did not come."""
    times = reached(take, meeting)
    return float(np.ptp(list(times.values()))) if len(times) > 1 else np.inf


def passes(take: Take, name: str, x: float) -> float:
    """When an actor passed a position along x [s]."""
    x_positions = take[name].position[:, 0]
    number = int(np.argmax(x_positions >= x))
    share = (x - x_positions[number - 1]) / (x_positions[number] - x_positions[number - 1])
    return float(take.times[number - 1] + share * (take.times[number] - take.times[number - 1]))


def _slower(stage: Stage, take: Take) -> float:
    """By which share of its own speed the one who waited is off that, three reaction times after the meeting."""
    x = take["near"].position[:, 0]
    back = round((max(reached(take, "goal").values()) + 3 * REACTION) * 100)
    return abs(float(x[back + 1] - x[back - 1]) * 50 / stage["near"].motion_or_mover.pace - 1)


def two_followers() -> list[Row]:
    """Two followers, one of whom has farther to go."""
    plain, stage = pair(), pair()
    take, free = shoot(stage, 8.0, fps=100), shoot(plain.changed(script=None), 8.0, fps=100)
    done = max(reached(take, "goal").values())
    own = passes(free, "far", 5.0 - 0.4)  # when its target was there
    bumped = shoot(pair(obstacle=True), 10.0, fps=100)
    bodies = shoot(pair("bodies"), 8.0, fps=100)
    time_apart = abs(passes(bodies, "near", 2.0) - passes(bodies, "far", 5.0))
    slow = pair(speed=1.0)
    slowed = shoot(slow, 10.0, fps=100)
    return [
        upper_limit_row("two followers, 2 m against 5 m: from the first to the last", spread(take, "goal"), 0.02, " s"),
        upper_limit_row(
            f"the same: done after {done:.3g} s, of the slower one's own time {own:.3g} s", done / own, 1.15, "×"
        ),
        upper_limit_row("the same with an obstacle on one path", spread(bumped, "goal"), 0.05, " s"),
        upper_limit_row("the same of bodies: how long one passes its goal after the other", time_apart, 0.1, " s"),
        upper_limit_row("speed 3 reaction times after the meeting: off its own", 100 * _slower(stage, take), 1, " %"),
        unlimited_row(
            "the same of who is slow to take up a speed (eagerness 0.125)", 100 * _slower(slow, slowed), " %"
        ),
    ]


def arches() -> Stage:
    """LG95 figure 11: three spheres and three arches, under each of which a pair of them passes together."""
    cast = [Actor("floor", Still(Body(Plane())))]
    routes = {
        "red": ((0, 0.5, None), (3, 0.5, "first"), (6, 2.4, None), (9, 0.5, "last"), (12, 0.5, None)),
        "green": ((0, -0.5, None), (3, -0.5, "first"), (6, 0.5, "middle"), (7.5, 0.5, None)),
        "blue": ((0, -2.4, None), (6, -0.5, "middle"), (9, -0.5, "last"), (12, -0.5, None)),
    }
    for number, (actor, route) in enumerate(routes.items()):
        path = MotionPath([Key((x, 0.2, z), name=name) for x, z, name in route])
        cast.append(Actor(actor, Follow(path, BALL, within=0.4, eagerness=0.3 + 0.15 * number)))
    for arch in range(3):
        for side, z in (("left", -1.2), ("right", 1.2)):
            post = Body(Box((0.2, 2, 0.2)))
            cast.append(Actor(f"post {arch} {side}", Still(post, (3.0 * (arch + 1), 1, z))))
    script, last = Script(), ()
    for arch, couple in PAIRS.items():
        last = script.meet(dict.fromkeys(couple, arch), after=last, name=arch)
    return Stage(cast, script=script, gravity=DOWN)


def three_arches() -> list[Row]:
    """Pairs under arches, and how fast that is worked out."""
    stage = arches()
    shoot(stage, 0.1)
    start_time = time.perf_counter()
    take = shoot(stage, 14.0)
    elapsed = time.perf_counter() - start_time
    worst = max(spread(take, arch) for arch in PAIRS)
    return [
        upper_limit_row("three arches in pairs (LG95 figure 11): the worst pair", worst, 0.02, " s"),
        lower_limit_row(f"the same: 14 s in {seconds(elapsed)}", 14.0 / elapsed, 1, "× real time"),
    ]


def crowd(count: int = 100, meetings: int = 200) -> Stage:
    """Balls on a floor with appointments in a random graph, each after some of those before it."""
    rng, side = np.random.default_rng(9), int(np.ceil(np.sqrt(count)))
    cast, marks = [Actor("floor", Still(Body(Plane())))], 12
    for number in range(count):
        x, z = 0.75 * (number % side), 0.75 * (number // side)
        around = rng.uniform(-0.15, 0.15, (marks + 1, 2))
        keys = [Key((x + dx, 0.2, z + dz), name=f"{mark}") for mark, (dx, dz) in enumerate(around)]
        cast.append(Actor(f"{number}", Follow(MotionPath(keys), BALL, within=0.2, speed=rng.uniform(0.4, 0.8))))
    script, next_mark = Script(), [1] * count
    for number in range(meetings):
        able = [actor for actor in range(count) if next_mark[actor] < marks]
        participants = rng.choice(able, size=min(int(rng.integers(2, 5)), len(able)), replace=False).tolist()
        goals = {f"{participant}": f"{next_mark[participant]}" for participant in participants}
        for participant in participants:
            next_mark[participant] += 1
        earlier = (
            [f"{participant}" for participant in rng.integers(0, number, size=int(rng.integers(0, 3)))]
            if number
            else []
        )
        script.meet(goals, after=earlier, name=f"{number}")
    return Stage(cast, script=script, gravity=DOWN)


def many_meetings() -> list[Row]:
    """A hundred actors with two hundred meetings."""
    stage, spent, keep = crowd(), [0.0], BodyProgress.synchronize
    shoot(stage, 30.0, fps=4)

    def time_synchronize(*given: object) -> None:
        start_time = time.perf_counter()
        keep(*given)
        spent[0] += time.perf_counter() - start_time

    with patch.object(BodyProgress, "synchronize", time_synchronize):
        start_time = time.perf_counter()
        take = shoot(stage, 30.0, fps=4)
        elapsed = time.perf_counter() - start_time
    done = sum(getattr(event, "state", None) == "done" for event in take.events)
    steps = 30.0 / 0.002
    task = f"{seconds(spent[0] / steps)} of {seconds(elapsed / steps)}"
    return [
        lower_limit_row("100 actors, 200 meetings in a random graph: done", done, 200, " of 200"),
        upper_limit_row(
            f"the same: what regulation adds to a step ({task})", spent[0] / (elapsed - spent[0]), 0.05, "×"
        ),
    ]
