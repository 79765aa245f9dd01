"""Who sinks into whom? Contacts hold what weighs a hundred times as much as what it lies on; beyond, it may go through.

How deep somebody is pressed in grows with what presses on it: by 0.8 mm at a hundred times its own weight on a ball, by
0.2 mm on a crate, whatever their size. In a hit two are deep in each other for a few steps, and that is none of it.
"""

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

import numpy as np

from keypose.maths.arrays import Ints
from keypose.motion.take import Event
from keypose.physics.doubts import INSIDE
from keypose.physics.movers import TICK

if TYPE_CHECKING:
    from keypose.physics.engine import Engine


NOBODY: Ints = np.empty((0, 3), np.int64)
"""Rows of two solids, the smaller number first, and in how many looks they were deep in each other."""
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
        engine.sinking = NOBODY
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
