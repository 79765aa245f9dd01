"""How far along a path is a place, and where is a distance? Reading a ruler, and finding a place on it (GL95 §7.2).

Distance is exact to about 1e-10 of the length; its inverse starts from a monotone cubic and is mended by Newton's
method inside a bracket, so that it neither overshoots nor fails where the path stops.
"""

import numpy as np

from keypose.curves.distance.length_table import Ruler, between, speed_at
from keypose.maths.arrays import Floats, Ints
from keypose.maths.kernel_switch import compiled, spread

NEAR = 1e-6  # of a piece: a Newton step this small is the last one


def distances(ruler: Ruler, segment: Ints, s: Floats) -> Floats:
    """How far each place (segment, share s) is from the start of the ruler."""
    if compiled(len(s) * 100):
        from keypose.curves.kernels import arc_length

        out = np.empty_like(s)
        columns = (ruler.quartics, ruler.first, ruler.knots, ruler.reached, ruler.starts)
        spread(lambda a, b: arc_length.distances(*columns, segment, s, out, a, b), len(out), len(out) * 30)
        return out
    _, start, reached = _piece(ruler, segment, s, ruler.knots)
    return np.asarray(ruler.starts[segment] + (reached + between(ruler.quartics, segment, start, s)))


def parameters(ruler: Ruler, distance: Floats) -> Floats:
    """The parameter u = segment + s at each distance from the start of the ruler; held at its ends."""
    if compiled(len(distance) * 100):
        from keypose.curves.kernels import arc_length

        out = np.empty_like(distance)
        columns = (ruler.quartics, ruler.first, ruler.knots, ruler.reached, ruler.starts, ruler.table)
        spread(lambda a, b: arc_length.parameters(*columns, distance, out, a, b), len(out), len(out) * 100)
        return out
    inside = np.clip(distance, 0.0, ruler.length)
    segment = np.clip(np.searchsorted(ruler.starts, inside, side="right") - 1, 0, len(ruler) - 1)
    inside = np.where(np.isnan(inside), 0.0, inside)
    return np.where(np.isnan(distance), np.nan, segment + shares(ruler, segment, inside - ruler.starts[segment]))


def shares(ruler: Ruler, segment: Ints, covered: Floats) -> Floats:
    """The share s of each segment (n,) at which so many metres of it are covered (n,)."""
    if compiled(len(covered) * 100):
        from keypose.curves.kernels import arc_length

        out = np.empty_like(covered)
        columns = (ruler.quartics, ruler.first, ruler.knots, ruler.reached)
        spread(lambda a, b: arc_length.shares(*columns, segment, covered, out, a, b), len(out), len(out) * 100)
        return out
    piece, start, before = _piece(ruler, segment, covered, ruler.reached)
    stop, length, target = ruler.knots[piece], ruler.reached[piece] - before, covered - before
    guess = _first_guess(ruler, segment, start, stop, length, target)
    s = _solved(ruler, segment, start, stop, target, guess)
    return np.where(target <= 0.0, start, np.where(target >= length, stop, s))  # ends of a piece are met exactly


def _solved(ruler: Ruler, segment: Ints, start: Floats, stop: Floats, target: Floats, s: Floats) -> Floats:
    """Newton inside a shrinking bracket, from a guess that is already good to a few digits."""
    s, low, high = s.copy(), start.copy(), stop.copy()
    enough = NEAR * (stop - start)
    which = np.arange(len(s))
    for _ in range(20):
        here, own = s[which], segment[which]
        excess = between(ruler.quartics, own, start[which], here) - target[which]
        low[which], high[which] = np.where(excess < 0, here, low[which]), np.where(excess > 0, here, high[which])
        speed = speed_at(ruler.quartics, own, here)
        moved = here - np.divide(excess, speed, out=np.full_like(here, np.inf), where=speed > 0)
        newton = (moved >= low[which]) & (moved <= high[which])
        moved = np.where(newton, moved, 0.5 * (low[which] + high[which]))
        moved = np.where(excess == 0, here, moved)
        s[which] = moved
        # Newton doubles the digits: a step this small leaves an error of about its square over the piece.
        settled = np.abs(moved - here) <= np.where(newton, enough[which], 1e-15)
        which = which[~settled]
        if not len(which):
            break
    return s


def _first_guess(ruler: Ruler, segment: Ints, start: Floats, stop: Floats, length: Floats, target: Floats) -> Floats:
    """The inverse of distance over one piece as a cubic through its ends, with slopes 1/speed kept monotone."""
    run = stop - start
    usable = length > 0
    safe = np.where(usable, length, 1.0)
    x = np.where(usable, target / safe, 0.0)
    m0, m1 = (
        np.minimum(np.divide(safe, run * v, out=np.full_like(run, 3.0), where=run * v > 0), 3.0)
        for v in (speed_at(ruler.quartics, segment, start), speed_at(ruler.quartics, segment, stop))
    )
    share = ((m0 + m1 - 2.0) * x + (3.0 - 2.0 * m0 - m1)) * x * x + m0 * x
    return np.asarray(start + run * np.clip(share, 0.0, 1.0))


def _piece(ruler: Ruler, segment: Ints, value: Floats, column: Floats) -> tuple[Ints, Floats, Floats]:
    """The piece of each segment in which `column` first reaches `value`, where it starts and the distance up to it."""
    low, high = ruler.first[segment], ruler.first[segment + 1] - 1
    while (low < high).any():
        middle = (low + high) // 2
        beyond = column[middle] < value
        low, high = np.where(beyond, np.minimum(middle + 1, high), low), np.where(beyond, high, middle)
    opening = low == ruler.first[segment]
    before = np.maximum(low - 1, 0)
    return low, np.where(opening, 0.0, ruler.knots[before]), np.where(opening, 0.0, ruler.reached[before])
