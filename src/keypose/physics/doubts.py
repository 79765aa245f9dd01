"""What is doubtful about bodies before they move? Those that begin in each other, and weights too far apart."""

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from keypose.motion.take import Event
from keypose.physics.body import Body
from keypose.physics.overlap import overlaps

if TYPE_CHECKING:
    from keypose.physics.engine import Engine

INSIDE = 0.25  # of half of the narrower body: who begins deeper in another is told of
APART = 1e6  # times as heavy: contacts between them have no digits left


def doubts(engine: "Engine", moving: Sequence[str], new: Collection[str], time: float) -> list[Event]:
    """What is told where some are `new`; `moving` are those that have a weight of their own."""
    bodies = {solid.name: solid.body for solid in engine.solids}
    told = _inside(engine, new, time)
    return [*told, *_too_heavy({name: bodies[name] for name in moving}, time)] if new else told


def _inside(engine: "Engine", new: Collection[str], time: float) -> list[Event]:
    pairs = engine.pairs()
    deepest: dict[tuple[int, int], float] = {}
    for (one, two), depth in zip(np.sort(pairs, axis=1).tolist(), engine.depths().tolist(), strict=True):
        deepest[one, two] = max(depth, deepest.get((one, two), 0.0))
    soft = overlaps(engine)
    told = []
    for (one, two), depth in (deepest | soft).items():
        name, other = engine.names[one], engine.names[two]
        if (name in new or other in new) and depth > INSIDE * min(engine.narrow[one], engine.narrow[two]):
            then = "may stay so or be thrown apart" if (one, two) in soft else "are thrown apart"
            text = f"Begins {depth:.3g} m inside {other!r}, and they {then}. Move one of them."
            told.append(Event(time, name, text, "warning", f"inside {other}"))
    return told


def _too_heavy(bodies: Mapping[str, Body], time: float) -> list[Event]:
    if not bodies:
        return []
    light, heavy = (pick(bodies, key=lambda name: bodies[name].mass) for pick in (min, max))
    times = bodies[heavy].mass / bodies[light].mass
    if times <= APART:
        return []
    weights = f"{bodies[heavy].mass:g} kg and {bodies[light].mass:g} kg"
    text = (
        f"Weighs {times:.3g} times as much as {light!r} ({weights}): where they touch, the lighter one may be thrown "
        "away. Give them weights nearer to each other."
    )
    return [Event(time, heavy, text, "warning", f"heavier than {light}")]
