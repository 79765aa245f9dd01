"""Numba twins of `facings_of`: the turn in which a segment of a path lies, from where its keys are now."""

from math import sqrt

from keypose.curves.kernels.orientation_segments import log, log_rate, set_legs, turn_between
from keypose.maths.arrays import Floats, Vec3, Vec4
from keypose.maths.kernel import kernel
from keypose.physics.carried_kernels import turned, weighed
from keypose.physics.mixing import BY_LENGTH, NOTHING
from keypose.physics.swings import Records


@kernel
def make(
    paths: Records, pieces: Records, turns: Records, keys: Records, frames: Floats, legs: Floats, path: int, number: int
) -> None:
    """Make the turn in which a segment of a path lies, unless it is made, and find where in it that is."""
    this = paths[path]
    piece = pieces[this.piece + number]
    turn, is_closed = turns[piece.turn], this.keys == this.pieces
    if this.made != piece.turn:
        derive(paths, pieces, turns, keys, frames, legs, path, piece.turn)
    this.made, this.made_for, this.start, this.stop = piece.turn, number, piece.start, piece.stop
    if piece.shifted == 0:
        return
    # As `own_parameter` has it: by distance, or by number where nothing travels.
    start, stop = number - turn.first, number + 1 - turn.first
    if start < 0 and is_closed:
        start, stop = start + this.pieces, stop + this.pieces
    to_start = to_stop = whole = 0.0
    for step in range(turn.run):
        one = turn.first + step
        gap = pieces[this.piece + (one if one < this.pieces else one - this.pieces)].gap if this.travels else 1.0
        to_start += gap if step < start else 0.0
        to_stop += gap if step < stop else 0.0
        whole += gap
    this.start, this.stop = share(start, to_start, whole), share(stop, to_stop, whole)


@kernel
def share(steps: int, way: float, whole: float) -> float:
    """Where in a turn a key lies, so many keys after that begins; before an open path faces anywhere, at the begin."""
    if steps <= 0:
        return 0.0
    return way / whole if whole > 0.0 else 1.0


@kernel
def derive(
    paths: Records, pieces: Records, turns: Records, keys: Records, frames: Floats, legs: Floats, path: int, number: int
) -> None:
    """Twin of `OrientationPath` for one turn: let the legs of a path be those of this one."""
    this, turn = paths[path], turns[number]
    by_log, one, two = this.by_log != 0, keys[turn.keys[0]].faces, keys[turn.keys[1]].faces
    three, four = keys[turn.keys[2]].faces, keys[turn.keys[3]].faces
    begin, end = (two[0], two[1], two[2], two[3]), (three[0], three[1], three[2], three[3])
    before, own = chord((one[0], one[1], one[2], one[3]), begin, by_log), chord(begin, end, by_log)
    after = chord(end, (four[0], four[1], four[2], four[3]), by_log)
    first, middle, last = length(before), length(own), length(after)
    if this.travels and (turn.modes[0] == BY_LENGTH or turn.modes[1] == BY_LENGTH):
        first = middle = last = 0.0
        for beside in range(3):
            other, metres = turns[turn.beside[beside]], 0.0
            for step in range(other.first, other.first + other.run):
                metres += pieces[this.piece + (step if step < this.pieces else step - this.pieces)].gap
            first = metres if beside == 0 else first
            middle = metres if beside == 1 else middle
            last = metres if beside == 2 else last
    if turn.beyond[0] > 0:
        first, before = middle, (0.0, 0.0, 0.0) if turn.beyond[0] == NOTHING else own
    if turn.beyond[1] > 0:
        last, after = middle, (0.0, 0.0, 0.0) if turn.beyond[1] == NOTHING else own
    weights, hands, modes = turn.weights, turn.hands, turn.modes
    leave, arrive = (hands[0, 0], hands[0, 1], hands[0, 2]), (hands[1, 0], hands[1, 1], hands[1, 2])
    if leave[0] != 0.0 or leave[1] != 0.0 or leave[2] != 0.0:
        leave = turned(keys[turn.keys[1]].slot, frames, leave[0], leave[1], leave[2])
        leave = log_rate(log(begin), leave) if by_log else leave
    if arrive[0] != 0.0 or arrive[1] != 0.0 or arrive[2] != 0.0:
        arrive = turned(keys[turn.keys[2]].slot, frames, arrive[0], arrive[1], arrive[2])
        arrive = log_rate(log(end), arrive) if by_log else arrive
    a, b = weighed(weights[0, 0], weights[0, 1], modes[0], 0, middle, first)
    c, d = weighed(weights[1, 0], weights[1, 1], modes[1], 1, middle, last)
    leave, arrive = mixed(before, a, own, b, leave), mixed(own, c, after, d, arrive)
    if not by_log:
        set_legs(begin, end, leave, arrive, legs, path)
        return
    at_begin, at_end = log(begin), log(end)
    for axis in range(3):
        legs[path, 0, axis], legs[path, 0, 3 + axis] = at_begin[axis], at_end[axis]
        legs[path, 1, axis], legs[path, 1, 3 + axis] = leave[axis], arrive[axis]


@kernel
def mixed(one: Vec3, x: float, two: Vec3, y: float, more: Vec3) -> Vec3:
    """So much of one vector, so much of another, and a third."""
    first, second = one[0] * x + two[0] * y + more[0], one[1] * x + two[1] * y + more[1]
    return first, second, one[2] * x + two[2] * y + more[2]


@kernel
def chord(one: Vec4, two: Vec4, by_log: bool) -> Vec3:
    """Twin of `chords_between`."""
    if not by_log:
        return turn_between(one, two)
    (a, b, c), (x, y, z) = log(one), log(two)
    return x - a, y - b, z - c


@kernel
def length(vector: Vec3) -> float:
    """How long a vector is."""
    return sqrt(vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2])
