"""Which joint does how much of what is wanted of a limb? As much as its muscle can; help from outside does the rest.

A muscle that is too weak gives what slows the limb down before all else, or it would swing for ever.

What keeps the springs of joints from moving a limb that is led? Forces on it, as strong as these springs draw.

How strong that is, is known from how far joints are bent. To learn it as other loads are learned would take the longer
the stiffer joints are, slow down who bends them, and come to an end where no more is made up for.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from keypose.maths.arrays import Floats


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
    goes: Floats
    """(6, motion): how what is pulled goes along with each of these numbers, and turns with them if it is turned."""
    moves: Floats
    """(3, motion): how strongly what is pulled there resists each of these numbers."""
    muscles: Muscles


def shared_out(hauls: Sequence[Haul], given_way: Callable[[Floats], Floats]) -> tuple[Floats, list[Floats]]:
    """What joints and help give to all hauls together [N m], and what each of these lacks.

    A joint that is pulled by several gives no more than its strength to all of them, each by its share. `given_way`
    says how everything gives way to forces on MuJoCo's own motion.
    """
    pushed = np.sum([haul.wanted - haul.slows for haul in hauls], axis=0)
    asked = [_asked(haul, pushed) for haul in hauls]
    total = np.sum(asked, axis=0)
    given, lacks = np.zeros_like(total), []
    for haul, own in zip(hauls, asked, strict=True):
        own = own * _share(total, haul.muscles.strength)
        rest, helped = haul.wanted - own, 1.0
        if haul.muscles.help is not None:
            outside = float(np.linalg.norm(haul.moves @ given_way(rest)))
            helped = min(1.0, haul.muscles.help / outside) if outside > 0 else 1.0
        given += own + rest * helped
        lacks.append((1.0 - helped) * rest)
    return given, lacks


def _asked(haul: Haul, pushed: Floats) -> Floats:
    """What of a wish muscles are asked for: where they are too weak for all that is `pushed`, less of that [N m].

    What slows down stays as it is; where help does all the rest, so does everything.
    """
    share = _share(pushed, haul.muscles.strength)
    if haul.muscles.help is None:
        return haul.wanted
    return np.where(share < 1.0, share * (haul.wanted - haul.slows) + haul.slows, haul.wanted)


def _share(total: Floats, most: Floats) -> Floats:
    """Which share of a total [N m], 0 … 1, does not go beyond the most there is."""
    return np.divide(np.clip(total, -most, most), total, out=np.ones_like(total), where=total != 0)


GivenWay = Callable[[Floats], Floats]
"""How everything gives way to each of some forces on MuJoCo's own motion, (n, motion) both."""


def held(given_way: GivenWay, ties: Floats, gives: Floats) -> GivenWay:
    """How everything gives way to forces that is held together, by ties (ties, motion) each of which `gives` a little.

    Those of a ring go together: what one spring draws at moves them all.
    """
    yields = given_way(ties)
    apart = ties @ yields.T + np.diag(gives)

    def found(forces: Floats) -> Floats:
        free = given_way(forces)
        return np.asarray(free - np.linalg.solve(apart, ties @ free.T).T @ yields)

    return found


def against(springs: Floats, goes: Floats, heaviest: Floats, given_way: GivenWay) -> Floats:
    """With what all that is led of one figure is pushed, along each of its ways, so that springs do not move it.

    `springs` are forces on MuJoCo's own motion, and `goes` (ways, motion) says how what is led goes along with that:
    F with goes · M⁻¹ (springs + goesᵀ F) = 0, where M⁻¹ is `given_way`. All are found together: those who share a joint
    would each make up for it. A way that gives less than what is `heaviest` (ways,) [kg], [kg m²], is that of a limb
    which is nearly stretched: less and less is made up for there, and springs keep it from going to and fro.
    """
    unit = np.sqrt(heaviest)
    scaled = goes * unit[:, None]
    gives, axes = np.linalg.eigh(given_way(scaled) @ scaled.T)
    drawn = scaled @ given_way(springs[None])[0]
    return np.asarray(-unit * (axes @ ((axes.T @ drawn) / np.maximum(gives, 1.0))))
