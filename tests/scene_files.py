"""Do two scene files say the same? To the last but one digit: how a sine rounds differs from machine to machine."""

import json
import math

TOLERANCE = 1e-14  # of a number, and of one


def scenes_equal(one: bytes, two: bytes) -> bool:
    """Whether two scene files say the same, in the same order."""
    return _values_equal(json.loads(one, object_pairs_hook=list), json.loads(two, object_pairs_hook=list))


def _values_equal(one: object, two: object) -> bool:
    if isinstance(one, float) or isinstance(two, float):
        numbers = isinstance(one, int | float) and isinstance(two, int | float)
        return numbers and math.isclose(one, two, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
    if isinstance(one, list | tuple) and isinstance(two, list | tuple):
        return len(one) == len(two) and all(map(_values_equal, one, two))
    return type(one) is type(two) and one == two
