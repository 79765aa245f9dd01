"""What is doubtful about bodies before they move? Those that begin in each other, and weights too far apart.

How deep does a soft body begin in another? Its contacts do not say: those of two soft ones are between their small
parts, and what is wholly inside touches nothing.

Who sinks into whom? Contacts hold what weighs a hundred times as much as what it lies on; beyond, it may go through.

How deep somebody is pressed in grows with what presses on it: by 0.8 mm at a hundred times its own weight on a ball, by
0.2 mm on a crate, whatever their size. In a hit two are deep in each other for a few steps, and that is none of it.
"""

from collections.abc import Collection, Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from keypose.maths import quaternion
from keypose.maths.arrays import Floats, Ints
from keypose.motion.take import Event
from keypose.physics.engine.model_spec import NO_PENETRATION
from keypose.physics.values.body import Body
from keypose.physics.values.movers import TICK
from keypose.physics.values.shapes import Box, Capsule, Plane, Shape, Sphere

if TYPE_CHECKING:
    from keypose.physics.engine.engine import Engine

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


def overlaps(engine: "Engine") -> dict[tuple[int, int], float]:
    """How deep each soft body and any other are in each other [m], by their numbers, if they are at all."""
    soft = {number for number, solid in enumerate(engine.solids) if solid.body.stiffness is not None}
    points = {number: np.vstack([_pose(engine, number)[0], engine.skins([number])]) for number in soft}
    found = {}
    for pair in combinations(range(len(engine.solids)), 2) if soft else ():
        if soft.intersection(pair):
            depth = max(_depth(engine, one, two, points) for one, two in (pair, pair[::-1]))
            if depth > 0.0:
                found[pair] = depth
    return found


def depth_in(shape: Shape, points: Floats) -> Floats:
    """How deep points (n, 3) are in a shape around the origin [m], (n,); below 0 outside. Of meshes it is unknown."""
    match shape:
        case Sphere(radius):
            return np.asarray(radius - np.linalg.norm(points, axis=1))
        case Capsule(radius, length):
            along = np.clip(points[:, 1], -length / 2, length / 2)
            return np.asarray(radius - np.linalg.norm(points - along[:, None] * (0.0, 1.0, 0.0), axis=1))
        case Box(size):
            return np.asarray((np.array(size) / 2 - np.abs(points)).min(axis=1))
        case Plane(normal, offset):
            return np.asarray(offset - points @ np.array(normal))
    return np.full(len(points), -np.inf)


def _depth(engine: "Engine", one: int, two: int, points: dict[int, Floats]) -> float:
    """How deep one of two is in the other: the deepest of its points; of one that is rigid its middle alone."""
    place, facing = _pose(engine, two)
    mine = points[one] if one in points else _pose(engine, one)[0][None]
    there = quaternion.rotate(quaternion.conjugate(facing), mine - place)
    return float(depth_in(engine.solids[two].body.shape, there).max())


def _pose(engine: "Engine", number: int) -> tuple[Floats, Floats]:
    solid = engine.solids[number]
    if solid.moves:
        return engine.place[number, :3], engine.place[number, 3:]
    return np.array(solid.position), np.array(solid.orientation)


SUNK = 0.15  # of half of the narrower body: who stays deeper in another sinks into it
EVERY, OFTEN = 10, 4  # usual ticks between two looks, and looks in a row after which it is told
CLOSE = 100  # times as heavy: whoever lies on somebody is no deeper than 1 mm in it


def begun(engine: "Engine", new: Collection[str]) -> Ints:
    """What is known at first: those who are `new` and begin in another are told of as that, and not as sinking."""
    inside = _deepest(engine, INSIDE)
    return _rows({pair: OFTEN for pair in sorted(inside) if any(engine.names[one] in new for one in pair)})


def sank(engine: "Engine", time: float, dt: float) -> list[Event]:
    """What is told, once, of those who have been deep in each other for long; they are looked at every few ticks."""
    if round(time / dt) % max(1, round(EVERY * TICK / dt)):
        return []
    if engine.depth <= SUNK * engine.narrowest:
        engine.sinking = NO_PENETRATION
        return []
    known = {(one, two): times for one, two, times in engine.sinking.tolist()}
    deepest = _deepest(engine, SUNK)
    found = {pair: known.get(pair, 0) + 1 for pair in sorted(deepest)}
    engine.sinking = _rows(found)
    return [_sinks(engine, *pair, deepest[pair], time) for pair, times in found.items() if times == OFTEN]


def _deepest(engine: "Engine", share: float) -> dict[tuple[int, int], float]:
    """How deep pairs are in each other who are deeper than a share of half the narrower one [m]; but for soft ones."""
    deepest: dict[tuple[int, int], float] = {}
    for pair, depth in zip(engine.pairs().tolist(), engine.depths().tolist(), strict=True):
        one, two = min(pair), max(pair)
        if depth > share * min(engine.narrow[one], engine.narrow[two]) and not engine.yields(one, two):
            deepest[one, two] = max(depth, deepest.get((one, two), 0.0))
    return deepest


def _rows(times: Mapping[tuple[int, int], int]) -> Ints:
    return np.array([[*pair, often] for pair, often in times.items()], np.int64).reshape(-1, 3)


def _sinks(engine: "Engine", one: int, two: int, depth: float, time: float) -> Event:
    """What is told: of the heavier one, if both move."""
    upper, lower = one, two
    if engine.solids[two].moves and engine.solids[two].body.mass > engine.solids[one].body.mass:
        upper, lower = two, one
    name, other = engine.names[upper], engine.names[lower]
    text = (
        f"Sinks {depth:.3g} m into {other!r}: what presses it there is too heavy, or is moved too far. Give those who "
        f"lie on each other weights within 1 : {CLOSE}, let motions leave them room, or take a shorter tick."
    )
    return Event(time, name, text, "warning", f"sinks into {other}")
