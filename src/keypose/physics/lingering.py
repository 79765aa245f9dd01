"""Who has come to be deep in whom at longer steps? At shorter ones contacts are harder, and would throw apart with more
energy than it took to press together who are deep in each other already: those stay as they are while they touch.
"""

from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from keypose.maths.arrays import Floats, Ints

Rows = TypeVar("Rows", Floats, Ints)

NOBODY: Floats = np.empty((0, 3))
"""Rows of two solids, the smaller number first, and the seconds of a step."""


def lingering(known: Floats, deep: Ints, step: float) -> Floats:
    """Those who linger from now on: who did, and pairs (n, 2) that are deep in each other after steps of `step` [s]."""
    before = {(one, two) for one, two, _ in known.tolist()}
    new = dict.fromkeys((min(pair), max(pair)) for pair in deep.tolist())
    return np.vstack([known, *([one, two, step] for one, two in new if (one, two) not in before)])


def still_lingering(known: Floats, touching: Ints) -> Floats:
    """Those of them who are among pairs (n, 2) that touch."""
    pairs = {(min(pair), max(pair)) for pair in touching.tolist()}
    return known[[(one, two) in pairs for one, two, _ in known.tolist()]]


def as_hard_as_then(hard: Floats, touching: Ints, known: Floats, step: float) -> Floats:
    """How long contacts last and their ζ (n, 2): those of pairs (n, 2) who linger last as long as at their own steps.

    Never less long than at steps of `step` [s]: harder ones would not be stable.
    """
    longer = {(one, two): max(1.0, seconds / step) for one, two, seconds in known.tolist()}
    times = [longer.get((min(pair), max(pair)), 1.0) for pair in touching.tolist()]
    return np.stack([hard[:, 0] * times, hard[:, 1]], axis=1)


def renumbered(known: Rows, before: Sequence[str], now: Sequence[str]) -> Rows:
    """Rows that begin with a pair of solids, as those are numbered now, by their names; who is gone is left out."""
    number = {name: row for row, name in enumerate(now)}
    found = known.copy()
    for row, pair in enumerate(known[:, :2].astype(int).tolist()):
        found[row, :2] = sorted(number.get(before[one], -1) for one in pair)
    return found[found[:, 0] >= 0]
