"""Do two scene files say the same? To the last but one digit: how a sine rounds differs from machine to machine."""

import json
import math

DIGITS = 1e-14  # of a number, and of one


def say_the_same(one: bytes, two: bytes) -> bool:
    """Whether two scene files say the same, in the same order."""
    return _alike(json.loads(one, object_pairs_hook=list), json.loads(two, object_pairs_hook=list))


def _alike(one: object, two: object) -> bool:
    if isinstance(one, float) or isinstance(two, float):
        numbers = isinstance(one, int | float) and isinstance(two, int | float)
        return numbers and math.isclose(one, two, rel_tol=DIGITS, abs_tol=DIGITS)
    if isinstance(one, list | tuple) and isinstance(two, list | tuple):
        return len(one) == len(two) and all(map(_alike, one, two))
    return type(one) is type(two) and one == two
