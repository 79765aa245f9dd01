"""What keeps the springs of joints from moving a limb that is led? Forces on it, as strong as these springs draw.

How strong that is, is known from how far joints are bent. To learn it as other loads are learned would take the longer
the stiffer joints are, slow down who bends them, and come to an end where no more is made up for.
"""

from collections.abc import Callable

import numpy as np

from keypose.maths.arrays import Floats

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
