"""Numba twins of `Carried.settled`: the segments that carried keys reach, where their carriers are now.

Numba twins of what carried keys say: where they are in the frames of their carriers, and tangents between them.
"""

import numpy as np

from keypose.curves.kernels.orientation_segments import turn_between
from keypose.maths.arrays import Bools, Floats, Ints, Vec3
from keypose.maths.kernel_switch import kernel
from keypose.physics.following.follower_arrays import DRIFT, MOVING, TABLED, TURN, TURN_DRIFT, TURN_EASE, TURNING, U
from keypose.physics.following.kernels import facing_on, leash, place_on
from keypose.physics.relative.frame_kernels import stand, turned, weighed
from keypose.physics.relative.orientation_arrays import IS_PINNED, PLACE, Swings
from keypose.physics.relative.orientation_kernels import gap_at, is_told, swing, tell_ahead
from keypose.physics.relative.relative_keys import Bends, CarriedKeys
from keypose.physics.relative.tangent_weights import NOTHING


@kernel
def bend(bends: Bends, frames: Floats, cubics: Floats) -> None:
    """Fill the rows that bend of `cubics` (segments, 4, 3) with how they run in these frames of carried keys."""
    rows, keys, beyond, places, slot = bends.rows, bends.keys, bends.beyond, bends.places, bends.slot
    weights, modes, hands, cuts = bends.weights, bends.modes, bends.hands, bends.cuts
    p, chord, span = np.empty((4, 3)), np.empty((3, 3)), np.empty(3)
    tangent, c = np.empty((2, 3)), np.empty(4)
    for bent in range(len(rows)):
        for k in range(4):
            key = keys[bent, k]
            x, y, z = places[key, 0], places[key, 1], places[key, 2]
            p[k, 0], p[k, 1], p[k, 2] = stand(slot[key], frames, x, y, z)
        for k in range(3):
            for axis in range(3):
                chord[k, axis] = p[k + 1, axis] - p[k, axis]
            span[k] = np.sqrt(chord[k, 0] ** 2 + chord[k, 1] ** 2 + chord[k, 2] ** 2)
        for side in range(2):
            if beyond[bent, side] > 0:
                span[2 * side] = span[1]
                for axis in range(3):
                    chord[2 * side, axis] = 0.0 if beyond[bent, side] == NOTHING else chord[1, axis]
        for side in range(2):
            first, second, mode = weights[bent, side, 0], weights[bent, side, 1], modes[bent, side]
            first, second = weighed(first, second, mode, side, span[1], span[2 * side])
            x, y, z = hands[bent, side, 0], hands[bent, side, 1], hands[bent, side, 2]
            hand = turned(slot[keys[bent, 1 + side]], frames, x, y, z)
            for axis in range(3):
                tangent[side, axis] = first * chord[side, axis] + second * chord[side + 1, axis] + hand[axis]
        start, run = cuts[bent, 0], cuts[bent, 1]
        for axis in range(3):
            leave, arrive, own = tangent[0, axis], tangent[1, axis], chord[1, axis]
            c[0], c[1], c[2], c[3] = p[1, axis], leave, 3 * own - 2 * leave - arrive, leave + arrive - 2 * own
            if start != 0.0 or run != 1.0:
                c[0] = ((c[3] * start + c[2]) * start + c[1]) * start + c[0]
                c[1] = run * ((3 * c[3] * start + 2 * c[2]) * start + c[1])
                c[2] = run * run * (3 * c[3] * start + c[2])
                c[3] = run * run * run * c[3]
            for power in range(4):
                cubics[rows[bent], power, axis] = c[power]


@kernel
def be_in(bends: Bends, swings: Swings, frames: Floats, cubics: Floats) -> None:
    """Let all paths run and face as they do in these frames."""
    bend(bends, frames, cubics)
    swing(swings, frames, cubics)


@kernel
def carry(
    keys: CarriedKeys,
    bends: Bends,
    swings: Swings,
    followers: Ints,
    segments: Ints,
    closed: Bools,
    reach: Floats,
    poses: Floats,
    dt: float,
    frames: Floats,
    memory: Floats,
    cubics: Floats,
    facings: Floats,
) -> None:
    """Let carriers be at `poses` (carriers, 7), `dt` seconds after the paths were bent by these frames.

    Keys are pinned that their targets have come to, paths are bent anew, and how they drift is remembered. Facings are
    right as far as targets may come in this time.
    """
    before, row = np.empty((len(followers), 7)), swings.row
    paths, pieces, turns, marks = swings.paths, swings.pieces, swings.turns, swings.keys
    known, legs = swings.frames, swings.legs
    for number in range(len(followers)):
        one = followers[number]
        before[number, 0], before[number, 1], before[number, 2] = aim(one, segments, closed, cubics, memory)
        if row[one] >= 0:
            begin, count, v = segments[one, 2], segments[one, 3], memory[one, TURN] * TABLED
            at, path = gap_at(v, count, closed[one])[0], paths[row[one]]
            if not is_told(path.told, path.told_from, at, count, closed[one]):  # it goes on from a state
                tell_ahead(paths, pieces, turns, marks, known, legs, row[one], begin, count, v, -1.0, facings)
            facing = facing_on(facings, begin, count, closed[one], v)
            before[number, 3], before[number, 4], before[number, 5], before[number, 6] = facing
    for key in range(len(keys.who)):
        if keys.pins[key] and memory[keys.who[key], keys.target[key]] >= keys.number[key]:
            frames[key, IS_PINNED] = 1.0
        if frames[key, IS_PINNED] == 0.0:
            for column in range(7):
                frames[key, PLACE + column] = poses[keys.carrier[key], column]
    be_in(bends, swings, frames, cubics)
    for number in range(len(followers)):
        one, x, y, z = followers[number], before[number, 0], before[number, 1], before[number, 2]
        a, b, c = aim(one, segments, closed, cubics, memory)
        drift(memory, one, DRIFT, MOVING, (a - x) / dt, (b - y) / dt, (c - z) / dt)
        if row[one] >= 0:
            begin, count, v = segments[one, 2], segments[one, 3], memory[one, TURN] * TABLED
            most = dt * reach[one, 3] * leash(memory[one, TURN_EASE])
            tell_ahead(paths, pieces, turns, marks, known, legs, row[one], begin, count, v, most, facings)
            was = before[number, 3], before[number, 4], before[number, 5], before[number, 6]
            x, y, z = turn_between(was, facing_on(facings, begin, count, closed[one], v))
            drift(memory, one, TURN_DRIFT, TURNING, x / dt, y / dt, z / dt)


@kernel
def aim(one: int, segments: Ints, closed: Bools, cubics: Floats, memory: Floats) -> Vec3:
    """Where the target of a follower is."""
    return place_on(cubics, segments[one, 0], segments[one, 1], closed[one], memory[one, U])


@kernel
def aims(followers: Ints, segments: Ints, closed: Bools, cubics: Floats, memory: Floats, out: Floats) -> None:
    """Fill `out` (followers, 3) with where their targets are."""
    for row in range(len(followers)):
        out[row, 0], out[row, 1], out[row, 2] = aim(followers[row], segments, closed, cubics, memory)


@kernel
def drift(memory: Floats, one: int, drifting: int, moving: int, x: float, y: float, z: float) -> None:
    """Twin of `target.drift`: remember in these columns how a path moves, or turns, where a target is."""
    a, b, c = memory[one, moving], memory[one, moving + 1], memory[one, moving + 2]
    memory[one, moving], memory[one, moving + 1], memory[one, moving + 2] = x, y, z
    if x * x + y * y + z * z <= a * a + b * b + c * c:
        a, b, c = x, y, z
    memory[one, drifting], memory[one, drifting + 1], memory[one, drifting + 2] = a, b, c
