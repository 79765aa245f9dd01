"""Which joint does how much of what is wanted of a limb? As much as its muscle can; help from outside does the rest.

A muscle that is too weak gives what slows the limb down before all else, or it would swing for ever.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Muscles:
    """What the joints of a figure can do, and how much help there is from outside."""

    strength: Floats
    """[N m], for each number of MuJoCo's own motion."""
    help: float | None
    """[N], None for as much as it takes."""


@dataclass(frozen=True, eq=False)
class Haul:
    """What one pull wants of the muscles of a figure."""

    wanted: Floats
    """[N m], for each number of MuJoCo's own motion."""
    slows: Floats
    """What of that only slows down [N m]: given before all else."""
    along: Floats
    """(3, motion): how what is pulled goes along with each of these numbers."""
    moves: Floats
    """(3, motion): how strongly what is pulled there resists each of these numbers."""
    muscles: Muscles


def shared_out(hauls: Sequence[Haul], given_way: Callable[[Floats], Floats]) -> tuple[Floats, list[Floats]]:
    """What joints and help give to all hauls together [N m], and what each of these lacks.

    A joint that is pulled by several gives no more than its strength to all of them, each by its share. `given_way`
    says how everything gives way to forces on MuJoCo's own motion.
    """
    total = np.sum([haul.wanted for haul in hauls], axis=0)
    slows = np.sum([haul.slows for haul in hauls], axis=0)
    given, lacks = np.zeros_like(total), []
    for haul in hauls:
        own = haul.wanted * np.divide(_of(haul.muscles, total, slows), total, out=np.ones_like(total), where=total != 0)
        rest, helped = haul.wanted - own, 1.0
        if haul.muscles.help is not None:
            outside = float(np.linalg.norm(haul.moves @ given_way(rest)))
            helped = min(1.0, haul.muscles.help / outside) if outside > 0 else 1.0
        given += own + rest * helped
        lacks.append((1.0 - helped) * rest)
    return given, lacks


def _of(muscles: Muscles, total: Floats, slows: Floats) -> Floats:
    """What muscles give of a total, some of which only slows down [N m]."""
    most = muscles.strength
    given = np.clip(total, -most, most)
    if muscles.help is not None:
        weak = np.abs(total - slows) > most
        given[weak] = np.clip(np.clip(total - slows, -most, most) + slows, -most, most)[weak]
    return given
