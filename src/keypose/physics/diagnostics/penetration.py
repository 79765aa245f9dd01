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

from keypose.maths import Floats, Ints, quaternion
from keypose.motion import Event
from keypose.physics.engine.model_spec import NO_PENETRATION
from keypose.physics.values.body import Body
from keypose.physics.values.movers import TICK
from keypose.physics.values.shapes import Box, Capsule, Plane, Shape, Sphere

if TYPE_CHECKING:
    from keypose.physics.engine.engine import Engine

INITIAL_DEPTH_FRACTION = 0.25  # of half of the narrower body: who begins deeper in another is told of
MAX_MASS_RATIO = 1e6  # times as heavy: contacts between them have no digits left


def initial_warnings(engine: "Engine", moving: Sequence[str], new: Collection[str], time: float) -> list[Event]:
    """What is told where some are `new`; `moving` are those that have a weight of their own."""
    bodies = {body_spec.name: body_spec.body for body_spec in engine.body_specs}
    events = _overlap_warnings(engine, new, time)
    return [*events, *_mass_ratio_warnings({name: bodies[name] for name in moving}, time)] if new else events


def _overlap_warnings(engine: "Engine", new: Collection[str], time: float) -> list[Event]:
    pairs = engine.contact_pairs()
    deepest: dict[tuple[int, int], float] = {}
    for (one, two), depth in zip(np.sort(pairs, axis=1).tolist(), engine.contact_depths().tolist(), strict=True):
        deepest[one, two] = max(depth, deepest.get((one, two), 0.0))
    soft = soft_overlaps(engine)
    events = []
    for (one, two), depth in (deepest | soft).items():
        name, other = engine.names[one], engine.names[two]
        if (name in new or other in new) and depth > INITIAL_DEPTH_FRACTION * min(
            engine.half_widths[one], engine.half_widths[two]
        ):
            outcome = "may stay so or be thrown apart" if (one, two) in soft else "are thrown apart"
            text = f"Begins {depth:.3g} m inside {other!r}, and they {outcome}. Move one of them."
            events.append(Event(time, name, text, "warning", f"inside {other}"))
    return events


def _mass_ratio_warnings(bodies: Mapping[str, Body], time: float) -> list[Event]:
    if not bodies:
        return []
    light, heavy = (choose(bodies, key=lambda name: bodies[name].mass) for choose in (min, max))
    ratio = bodies[heavy].mass / bodies[light].mass
    if ratio <= MAX_MASS_RATIO:
        return []
    masses = f"{bodies[heavy].mass:g} kg and {bodies[light].mass:g} kg"
    text = (
        f"Weighs {ratio:.3g} times as much as {light!r} ({masses}): where they touch, the lighter one may be thrown "
        "away. Give them weights nearer to each other."
    )
    return [Event(time, heavy, text, "warning", f"heavier than {light}")]


def soft_overlaps(engine: "Engine") -> dict[tuple[int, int], float]:
    """How deep each soft body and any other are in each other [m], by their numbers, if they are at all."""
    soft = {number for number, body_spec in enumerate(engine.body_specs) if body_spec.body.stiffness is not None}
    points = {number: np.vstack([_body_pose(engine, number)[0], engine.surface_points([number])]) for number in soft}
    depths = {}
    for pair in combinations(range(len(engine.body_specs)), 2) if soft else ():
        if soft.intersection(pair):
            depth = max(_overlap_depth(engine, one, two, points) for one, two in (pair, pair[::-1]))
            if depth > 0.0:
                depths[pair] = depth
    return depths


def depth_inside(shape: Shape, points: Floats) -> Floats:
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


def _overlap_depth(engine: "Engine", one: int, two: int, points: dict[int, Floats]) -> float:
    """How deep one of two is in the other: the deepest of its points; of one that is rigid its middle alone."""
    position, orientation = _body_pose(engine, two)
    tested_points = points[one] if one in points else _body_pose(engine, one)[0][None]
    local_points = quaternion.rotate(quaternion.conjugate(orientation), tested_points - position)
    return float(depth_inside(engine.body_specs[two].body.shape, local_points).max())


def _body_pose(engine: "Engine", number: int) -> tuple[Floats, Floats]:
    body_spec = engine.body_specs[number]
    if body_spec.is_movable:
        return engine.poses[number, :3], engine.poses[number, 3:]
    return np.array(body_spec.position), np.array(body_spec.orientation)


PENETRATION_FRACTION = 0.15  # of half of the narrower body: who stays deeper in another sinks into it
CHECK_PERIOD, REPORT_COUNT = 10, 4  # usual ticks between two looks, and looks in a row after which it is told
SAFE_MASS_RATIO = 100  # times as heavy: whoever lies on somebody is no deeper than 1 mm in it


def initial_penetrations(engine: "Engine", new: Collection[str]) -> Ints:
    """What is known at first: those who are `new` and begin in another are told of as that, and not as sinking."""
    inside = _deep_pairs(engine, INITIAL_DEPTH_FRACTION)
    return _penetration_rows(
        {pair: REPORT_COUNT for pair in sorted(inside) if any(engine.names[one] in new for one in pair)}
    )


def penetration_events(engine: "Engine", time: float, dt: float) -> list[Event]:
    """What is told, once, of those who have been deep in each other for long; they are looked at every few ticks."""
    if round(time / dt) % max(1, round(CHECK_PERIOD * TICK / dt)):
        return []
    if engine.max_depth <= PENETRATION_FRACTION * engine.min_half_width:
        engine.penetrations = NO_PENETRATION
        return []
    old_counts = {(one, two): count for one, two, count in engine.penetrations.tolist()}
    deepest = _deep_pairs(engine, PENETRATION_FRACTION)
    counts = {pair: old_counts.get(pair, 0) + 1 for pair in sorted(deepest)}
    engine.penetrations = _penetration_rows(counts)
    return [
        _penetration_event(engine, *pair, deepest[pair], time)
        for pair, count in counts.items()
        if count == REPORT_COUNT
    ]


def _deep_pairs(engine: "Engine", fraction: float) -> dict[tuple[int, int], float]:
    """How deep pairs are in each other who are deeper than a share of half the narrower one [m]; but for soft ones."""
    deepest: dict[tuple[int, int], float] = {}
    for pair, depth in zip(engine.contact_pairs().tolist(), engine.contact_depths().tolist(), strict=True):
        one, two = min(pair), max(pair)
        if depth > fraction * min(engine.half_widths[one], engine.half_widths[two]) and not engine.is_soft_pair(
            one, two
        ):
            deepest[one, two] = max(depth, deepest.get((one, two), 0.0))
    return deepest


def _penetration_rows(counts: Mapping[tuple[int, int], int]) -> Ints:
    return np.array([[*pair, count] for pair, count in counts.items()], np.int64).reshape(-1, 3)


def _penetration_event(engine: "Engine", one: int, two: int, depth: float, time: float) -> Event:
    """What is told: of the heavier one, if both move."""
    upper, lower = one, two
    if engine.body_specs[two].is_movable and engine.body_specs[two].body.mass > engine.body_specs[one].body.mass:
        upper, lower = two, one
    name, other = engine.names[upper], engine.names[lower]
    text = (
        f"Sinks {depth:.3g} m into {other!r}: what presses it there is too heavy, or is moved too far. Give those who "
        f"lie on each other weights within 1 : {SAFE_MASS_RATIO}, let motions leave them room, or take a shorter tick."
    )
    return Event(time, name, text, "warning", f"sinks into {other}")
