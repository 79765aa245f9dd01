"""Is this a strength, a place or a direction? Read once into plain floats, or answered in a sentence.

Values are floats and tuples of floats, so that what is made of them can be compared and be a key of a dict.
"""

from math import hypot
from operator import index as whole

import numpy as np

from keypose.curves.orientation import AXES, UNIT
from keypose.errors import KeyposeError, shown
from keypose.maths.arrays import Vec3
from keypose.maths.given import LARGEST, as_numbers, number

ORIGIN: Vec3 = (0.0, 0.0, 0.0)


def amount(given: object, what: str) -> float:
    """`given` as one finite number that can be multiplied with others like it and stay finite."""
    found = number(given, what)
    if abs(found) > LARGEST:
        raise KeyposeError(f"{what} is {found:g}. Give a number between -{LARGEST:g} and {LARGEST:g}.")
    return found


def above_zero(given: object, what: str, least: float = 0.0) -> float:
    """`given` as one number above zero, and not below `least`."""
    found = amount(given, what)
    if found <= 0 or found < least:
        wanted = f"at least {least:g}" if least else "a number above zero"
        raise KeyposeError(f"{what} is {found:g}. Give {wanted}.")
    return found


def not_below_zero(given: object, what: str, most: float = LARGEST) -> float:
    """`given` as one number from zero to `most`."""
    found = amount(given, what)
    if not 0 <= found <= most:
        wanted = f"a number from 0 to {most:g}" if most < LARGEST else "zero or more"
        raise KeyposeError(f"{what} is {found:g}. Give {wanted}.")
    return found


def vector(given: object, what: str) -> Vec3:
    """`given` as x, y, z; z is 0 where two numbers were given, as everywhere on a stage."""
    found = as_numbers(given, copy=False)
    if found is None or found.shape not in ((3,), (2,)) or not (np.abs(found) <= LARGEST).all():
        raise KeyposeError(f"{what} was given as {shown(given)}. Give three finite numbers x, y, z.")
    x, y, z = (*found.tolist(), 0.0)[:3]
    return x, y, z


def direction(given: object, what: str) -> Vec3:
    """`given`, a vector of any length but zero or one of "x", "y", "z", as a unit vector."""
    if isinstance(given, str):
        if given not in AXES:
            raise KeyposeError(f'{what} was given as {shown(given)}. Give "x", "y", "z" or a vector.')
        given = AXES[given]
    x, y, z = vector(given, what)
    largest = max(abs(x), abs(y), abs(z))
    if largest == 0:
        raise KeyposeError(f"{what} was given as {shown(given)}, which points nowhere. Give a vector that is not zero.")
    if abs(x * x + y * y + z * z - 1) <= UNIT:
        return x, y, z
    x, y, z = x / largest, y / largest, z / largest  # so that no square over- or underflows
    length = hypot(x, y, z)
    return x / length, y / length, z / length


def whole_number(given: object, what: str) -> int:
    """`given` as an integer."""
    try:
        if not isinstance(given, bool | np.bool_):
            return whole(given)  # type: ignore[arg-type]
    except Exception:  # whatever stops a stranger's value from being a whole number
        pass
    raise KeyposeError(f"{what} was given as {shown(given)}. Give a whole number.")
