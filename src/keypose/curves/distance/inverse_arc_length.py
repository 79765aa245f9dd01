"""How far along a path is a place, and where is a distance? Reading a ruler, and finding a place on it (GL95 §7.2).

Distance is exact to about 1e-10 of the length; its inverse starts from a monotone cubic and is mended by Newton's
method inside a bracket, so that it neither overshoots nor fails where the path stops.
"""

import numpy as np

from keypose.curves.distance.length_table import LengthTable, distance_between, speed_at
from keypose.maths import Floats, Ints, run_parallel, use_kernels

NEWTON_TOLERANCE = 1e-6  # of a piece: a Newton step this small is the last one


def distances(table: LengthTable, segment: Ints, s: Floats) -> Floats:
    """How far each place (segment, share s) is from the start of the ruler."""
    if use_kernels(len(s) * 100):
        from keypose.curves.kernels import arc_length

        out = np.empty_like(s)
        columns = (table.arrays, table.segment_starts, segment, s, out)
        run_parallel(lambda a, b: arc_length.distances(*columns, a, b), len(out), len(out) * 30)
        return out
    _, start, reached = _find_pieces(table, segment, s, table.piece_ends)
    return np.asarray(table.segment_starts[segment] + (reached + distance_between(table.quartics, segment, start, s)))


def parameters(table: LengthTable, distance: Floats) -> Floats:
    """The parameter u = segment + s at each distance from the start of the ruler; held at its ends."""
    if use_kernels(len(distance) * 100):
        from keypose.curves.kernels import arc_length

        out = np.empty_like(distance)
        columns = (table.arrays, table.segment_starts, table.segment_lookup, distance, out)
        run_parallel(lambda a, b: arc_length.parameters(*columns, a, b), len(out), len(out) * 100)
        return out
    inside = np.clip(distance, 0.0, table.length)
    segment = np.clip(np.searchsorted(table.segment_starts, inside, side="right") - 1, 0, len(table) - 1)
    inside = np.where(np.isnan(inside), 0.0, inside)
    return np.where(
        np.isnan(distance), np.nan, segment + segment_fractions(table, segment, inside - table.segment_starts[segment])
    )


def segment_fractions(table: LengthTable, segment: Ints, distance: Floats) -> Floats:
    """The share s of each segment (n,) at which so many metres of it are covered (n,)."""
    if use_kernels(len(distance) * 100):
        from keypose.curves.kernels import arc_length

        out = np.empty_like(distance)
        columns = (table.arrays, segment, distance, out)
        run_parallel(lambda a, b: arc_length.segment_fractions(*columns, a, b), len(out), len(out) * 100)
        return out
    piece, start, before = _find_pieces(table, segment, distance, table.distances)
    stop, length, target = table.piece_ends[piece], table.distances[piece] - before, distance - before
    guess = _initial_guess(table, segment, start, stop, length, target)
    s = _solve_fractions(table, segment, start, stop, target, guess)
    return np.where(target <= 0.0, start, np.where(target >= length, stop, s))  # ends of a piece are met exactly


def _solve_fractions(
    table: LengthTable, segment: Ints, start: Floats, stop: Floats, target: Floats, s: Floats
) -> Floats:
    """Newton inside a shrinking bracket, from a guess that is already good to a few digits."""
    s, low, high = s.copy(), start.copy(), stop.copy()
    tolerance = NEWTON_TOLERANCE * (stop - start)
    active = np.arange(len(s))
    for _ in range(20):
        here, own = s[active], segment[active]
        excess = distance_between(table.quartics, own, start[active], here) - target[active]
        low[active], high[active] = np.where(excess < 0, here, low[active]), np.where(excess > 0, here, high[active])
        speed = speed_at(table.quartics, own, here)
        next_s = here - np.divide(excess, speed, out=np.full_like(here, np.inf), where=speed > 0)
        newton = (next_s >= low[active]) & (next_s <= high[active])
        next_s = np.where(newton, next_s, 0.5 * (low[active] + high[active]))
        next_s = np.where(excess == 0, here, next_s)
        s[active] = next_s
        # Newton doubles the digits: a step this small leaves an error of about its square over the piece.
        converged = np.abs(next_s - here) <= np.where(newton, tolerance[active], 1e-15)
        active = active[~converged]
        if not len(active):
            break
    return s


def _initial_guess(
    table: LengthTable, segment: Ints, start: Floats, stop: Floats, length: Floats, target: Floats
) -> Floats:
    """The inverse of distance over one piece as a cubic through its ends, with slopes 1/speed kept monotone."""
    run = stop - start
    usable = length > 0
    safe = np.where(usable, length, 1.0)
    x = np.where(usable, target / safe, 0.0)
    m0, m1 = (
        np.minimum(np.divide(safe, run * v, out=np.full_like(run, 3.0), where=run * v > 0), 3.0)
        for v in (speed_at(table.quartics, segment, start), speed_at(table.quartics, segment, stop))
    )
    fraction = ((m0 + m1 - 2.0) * x + (3.0 - 2.0 * m0 - m1)) * x * x + m0 * x
    return np.asarray(start + run * np.clip(fraction, 0.0, 1.0))


def _find_pieces(table: LengthTable, segment: Ints, value: Floats, column: Floats) -> tuple[Ints, Floats, Floats]:
    """The piece of each segment in which `column` first reaches `value`, where it starts and the distance up to it."""
    low, high = table.first_piece[segment], table.first_piece[segment + 1] - 1
    while (low < high).any():
        middle = (low + high) // 2
        beyond = column[middle] < value
        low, high = np.where(beyond, np.minimum(middle + 1, high), low), np.where(beyond, high, middle)
    is_first = low == table.first_piece[segment]
    before = np.maximum(low - 1, 0)
    return low, np.where(is_first, 0.0, table.piece_ends[before]), np.where(is_first, 0.0, table.distances[before])
