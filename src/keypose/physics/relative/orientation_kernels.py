"""Numba twins of `Carried.settled`: the facings of paths with carried keys, made where a target looks for them.

Tabled facings that were made in other frames are wrong: `tell_ahead` makes those right that a target may read in a
tick. Each is made of nothing but the frames, so that it does not matter which were made before.

Numba twins of `facings_of`: the turn in which a segment of a path lies, from where its keys are now.
"""

from math import sqrt

from keypose.curves.kernels import orientation_curve
from keypose.curves.kernels.orientation_segments import exp, log, log_rate, product, set_legs, turn_between
from keypose.maths.arrays import Floats, Vec3, Vec4
from keypose.maths.kernel_switch import kernel
from keypose.maths.kernels import weights
from keypose.physics.following.follower_arrays import TABLED
from keypose.physics.relative.frame_kernels import stand, turned, weighed
from keypose.physics.relative.orientation_arrays import FACING, FRAME, PLACE, Records, Swings
from keypose.physics.relative.tangent_weights import BY_LENGTH, NOTHING

WITHIN = 0.7  # of its share of a gap: what a part of it turns at least, as straight lines are seen from the middle
NOISE = 1e-6  # [rad] what turns of nearly nothing may be mistaken for


@kernel
def swing(swings: Swings, frames: Floats, cubics: Floats) -> None:
    """Let carried keys be in these frames, in which segments run so; what was made in others is forgotten."""
    owner, paths, keys, pieces, known = swings.owner, swings.paths, swings.keys, swings.pieces, swings.frames
    for key in range(len(owner)):
        for column in range(PLACE, FRAME if owner[key] >= 0 else PLACE):
            if frames[key, column] != known[key, column]:
                known[key, column] = frames[key, column]
                paths[owner[key]].is_new = 1
    for number in range(len(paths)):
        path = paths[number]
        if path.is_new == 0:
            continue
        path.is_new, path.made, path.made_for, path.told, path.travels = 0, -1, -1, 0, 0
        for key in range(path.key, path.key + path.keys):
            if keys[key].slot >= 0:
                put(keys, key, frames)
        for piece in range(path.pieces):
            one = pieces[path.piece + piece]
            if one.gapped:
                x, y, z = 0.0, 0.0, 0.0
                if path.all_placed:
                    here = keys[path.key + piece].stands
                    there = keys[path.key + (piece + 1 if piece + 1 < path.keys else 0)].stands
                    x, y, z = there[0] - here[0], there[1] - here[1], there[2] - here[2]
                else:
                    row = path.cubic + piece
                    x = cubics[row, 1, 0] + cubics[row, 2, 0] + cubics[row, 3, 0]
                    y = cubics[row, 1, 1] + cubics[row, 2, 1] + cubics[row, 3, 1]
                    z = cubics[row, 1, 2] + cubics[row, 2, 2] + cubics[row, 3, 2]
                one.gap = sqrt(x * x + y * y + z * z)
            if one.gap > 0.0:
                path.travels = 1


@kernel
def put(keys: Records, key: int, frames: Floats) -> None:
    """Put a key where its frame takes it."""
    one = keys[key]
    slot, place, facing = one.slot, one.place, one.facing
    one.stands[0], one.stands[1], one.stands[2] = stand(slot, frames, place[0], place[1], place[2])
    frame = frames[slot, FACING], frames[slot, FACING + 1], frames[slot, FACING + 2], frames[slot, FACING + 3]
    w, x, y, z = product(frame, (facing[0], facing[1], facing[2], facing[3]))
    one.faces[0], one.faces[1], one.faces[2], one.faces[3] = w, x, y, z


@kernel
def gap_at(v: float, count: int, is_closed: bool) -> tuple[int, float]:
    """Between which of so many tabled facings and the next v is, and how far between them."""
    v = v % (count - 1) if is_closed else v
    number = min(int(v), count - 2)
    return number, v - number


@kernel
def is_told(told: int, since: int, number: int, count: int, is_closed: bool) -> bool:
    """Whether the facings at both ends of a gap are right, where those of so many gaps since one are."""
    passed = number - since
    return 0 <= (passed + count - 1 if passed < 0 and is_closed else passed) < told


@kernel
def tell_ahead(
    paths: Records,
    pieces: Records,
    turns: Records,
    keys: Records,
    frames: Floats,
    legs: Floats,
    path: int,
    begin: int,
    count: int,
    v: float,
    most: float,
    out: Floats,
) -> None:
    """Make all tabled facings right that a target at v may read while it turns by `most` [rad], in whatever steps.

    They stand in `out` (…, 4) from `begin` on. `turned_ahead` goes from gap to gap, and reads both ends of each.
    """
    this = paths[path]
    is_closed = this.keys == this.pieces
    number, passed = gap_at(v, count, is_closed)
    this.told, this.told_from, entry = 0, number, number
    while this.told < count - 1:
        while entry <= number + 1:
            piece = min(entry // TABLED, this.pieces - 1)
            if pieces[this.piece + piece].turn >= 0:  # else it is as at rest
                if this.made_for != piece:
                    make(paths, pieces, turns, keys, frames, legs, path, piece)
                s = this.start + (this.stop - this.start) * (entry - TABLED * piece) / TABLED
                tabulate(legs, path, s, this.by_log != 0, out, begin + entry)
            entry += 1
        this.told += 1
        most -= max(WITHIN * (1.0 - passed) * bow(out, begin + number) - NOISE, 0.0)
        number, passed = number + 1, 0.0
        if most < 0.0 or (number == count - 1 and not is_closed):
            return
        if number == count - 1:  # the last facing is the first one again
            number = entry = 0


@kernel
def tabulate(legs: Floats, path: int, s: float, by_log: bool, out: Floats, row: int) -> None:
    """Twin of `facings_on`: the facing at a share of the turn that is made of a path, into a row of `out`."""
    if by_log:
        a, b, c, d = weights(s, 0)
        x = a * legs[path, 0, 0] + b * legs[path, 0, 3] + c * legs[path, 1, 0] + d * legs[path, 1, 3]
        y = a * legs[path, 0, 1] + b * legs[path, 0, 4] + c * legs[path, 1, 1] + d * legs[path, 1, 4]
        z = a * legs[path, 0, 2] + b * legs[path, 0, 5] + c * legs[path, 1, 2] + d * legs[path, 1, 5]
        out[row, 0], out[row, 1], out[row, 2], out[row, 3] = exp(x, y, z)
    else:
        out[row, 0], out[row, 1], out[row, 2], out[row, 3] = orientation_curve.turned(legs, path, s)


@kernel
def bow(facings: Floats, row: int) -> float:
    """How far it is from a tabled facing to the next at least [rad]: twice the straight line between the two."""
    forth = back = 0.0
    for k in range(4):
        forth += (facings[row + 1, k] - facings[row, k]) ** 2
        back += (facings[row + 1, k] + facings[row, k]) ** 2
    return 2.0 * sqrt(min(forth, back))


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
