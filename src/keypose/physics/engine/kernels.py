"""Compiled loops over bodies: where they are and how they go, what springs pull with, and who has just met."""

import numpy as np

from keypose.maths.arrays import Floats, Ints, Vec3
from keypose.maths.kernel_switch import kernel
from keypose.maths.kernels import rotated
from keypose.physics.engine.contact_model import AS_A_SPRING, FOR_EVER, SPRINGY
from keypose.physics.engine.model_spec import ROUNDS


@kernel
def on_the_way(before: Floats, after: Floats, share: float) -> Floats:
    """Places and turns (n, 7) at a share of the way between two ticks; twin of `quaternion.slerp`, the shorter way."""
    found = before + share * (after - before)
    for row in range(len(found)):
        one, two = before[row, 3:], after[row, 3:]
        cosine = one[0] * two[0] + one[1] * two[1] + one[2] * two[2] + one[3] * two[3]
        sign = 1.0 if cosine >= 0 else -1.0
        angle = np.arccos(min(1.0, abs(cosine)))
        near, far = 1 - share, share
        if angle > 1e-4:  # below it, the straight way is as good
            near, far = np.sin((1 - share) * angle) / np.sin(angle), np.sin(share * angle) / np.sin(angle)
        size = 0.0
        for number in range(4):
            found[row, 3 + number] = near * one[number] + sign * far * two[number]
            size += found[row, 3 + number] ** 2
        for number in range(4):
            found[row, 3 + number] /= np.sqrt(size)
    return found


@kernel
def seen(
    bodies: Ints,
    roots: Ints,
    places: Floats,
    turns: Floats,
    moving: Floats,
    middles: Floats,
    place: Floats,
    going: Floats,
) -> None:
    """Fill the place and the motion of bodies from what MuJoCo knows: spin and velocity at the middle of each tree."""
    for row in range(len(bodies)):
        body = bodies[row]
        middle = middles[roots[body]]
        x, y, z = places[body, 0] - middle[0], places[body, 1] - middle[1], places[body, 2] - middle[2]
        a, b, c = moving[body, 0], moving[body, 1], moving[body, 2]
        for axis in range(3):
            place[row, axis] = places[body, axis]
        for number in range(4):
            place[row, 3 + number] = turns[body, number]
        going[row, 0] = moving[body, 3] + b * z - c * y
        going[row, 1] = moving[body, 4] + c * x - a * z
        going[row, 2] = moving[body, 5] + a * y - b * x
        going[row, 3], going[row, 4], going[row, 5] = rotated(turns[body], -1.0, a, b, c)


@kernel
def speed_of(place: Floats, going: Floats, row: int, x: float, y: float, z: float) -> Vec3:
    """How a point of a moving body moves [m/s]."""
    a, b, c = rotated(place[row, 3:], 1.0, going[row, 3], going[row, 4], going[row, 5])
    x, y, z = x - place[row, 0], y - place[row, 1], z - place[row, 2]
    return going[row, 0] + b * z - c * y, going[row, 1] + c * x - a * z, going[row, 2] + a * y - b * x


@kernel
def sprung(
    ends: Ints, points: Floats, numbers: Floats, place: Floats, going: Floats, mass: Floats, step: float, force: Floats
) -> None:
    """Add what springs pull with to `force`; weakened as the pull of a target is, so that no step is too long."""
    for spring in range(len(ends)):
        at, lever, moving, gives = np.empty((2, 3)), np.zeros((2, 3)), np.zeros((2, 3)), 0.0
        for side in range(2):
            row = ends[spring, side]
            x, y, z = points[spring, side, 0], points[spring, side, 1], points[spring, side, 2]
            if row >= 0:
                x, y, z = rotated(place[row, 3:], 1.0, x, y, z)
                lever[side, 0], lever[side, 1], lever[side, 2] = x, y, z
                x, y, z = x + place[row, 0], y + place[row, 1], z + place[row, 2]
                a, b, c = speed_of(place, going, row, x, y, z)
                moving[side, 0], moving[side, 1], moving[side, 2] = a, b, c
                gives += 1 / mass[row]
            at[side, 0], at[side, 1], at[side, 2] = x, y, z
        away, drift = at[1] - at[0], moving[1] - moving[0]
        length = np.sqrt(away @ away)
        k, c = numbers[spring, 0], numbers[spring, 1]
        weakened = 1 + step * c * gives + step * step * k * gives
        if numbers[spring, 2] == 0.0 or length == 0.0:  # to one place: slowed in every direction
            pull = (k * away + c * drift) / weakened
        else:
            along = away / length
            pull = along * (k * (length - numbers[spring, 2]) + c * (drift @ along)) / weakened
        for side in range(2):
            row, sign = ends[spring, side], 1.0 - 2.0 * side
            if row >= 0:
                r = lever[side]
                force[row, 0] += sign * pull[0]
                force[row, 1] += sign * pull[1]
                force[row, 2] += sign * pull[2]
                force[row, 3] += sign * (r[1] * pull[2] - r[2] * pull[1])
                force[row, 4] += sign * (r[2] * pull[0] - r[0] * pull[2])
                force[row, 5] += sign * (r[0] * pull[1] - r[1] * pull[0])


@kernel
def tumble(rows: Ints, place: Floats, going: Floats, inertia: Floats, axes: Floats, step: float, force: Floats) -> None:
    """Twin of `actuator.tumbling`: fill the last three of `force` of some bodies, in the world."""
    for row in rows:
        x, y, z = rotated(axes[row], -1.0, going[row, 3], going[row, 4], going[row, 5])
        a, b, c = inertia[row, 0], inertia[row, 1], inertia[row, 2]
        mx, my, mz = x, y, z
        for _ in range(ROUNDS):
            tx, ty, tz = my * mz * (c - b) / a, mz * mx * (a - c) / b, mx * my * (b - a) / c
            mx, my, mz = x - step / 2 * tx, y - step / 2 * ty, z - step / 2 * tz
        tx, ty, tz = (y * z - my * mz) * (c - b), (z * x - mz * mx) * (a - c), (x * y - mx * my) * (b - a)
        tx, ty, tz = rotated(axes[row], 1.0, tx, ty, tz)
        force[row, 3], force[row, 4], force[row, 5] = rotated(place[row, 3:], 1.0, tx, ty, tz)


@kernel
def let_slip(dist: Floats, slips: Floats, shallow: float, seconds: float) -> None:
    """Say of all contacts, by how far apart they are [m], how soon slipping ends [s].

    Who just bumps into another, and so is deeper in it than `shallow`, slips no longer than that takes: 0 says so.
    """
    for number in range(len(dist)):
        lies = dist[number] >= -shallow
        slips[number, 0], slips[number, 1] = seconds if lies else 0.0, 1.0 if lies else 0.0


@kernel
def let_linger(geoms: Ints, solid_of: Ints, lingering: Floats, step: float, hard: Floats) -> None:
    """Twin of `lingering.as_hard_as_then`: changes how `hard` (n, 2) contacts of pairs of geoms (n, 2) are."""
    for number in range(len(geoms)):
        one, two = solid_of[geoms[number, 0]], solid_of[geoms[number, 1]]
        for row in range(len(lingering)):
            if lingering[row, 0] == min(one, two) and lingering[row, 1] == max(one, two):
                hard[number, 0] *= max(1.0, lingering[row, 2] / step)


@kernel
def let_spring(
    geoms: Ints, solid_of: Ints, moving: int, dist: Floats, shallow: float, hard: Floats, does: Floats
) -> bool:
    """Twin of `springing.springing`: make springs of those who bounce off several at once, and of all who pass that on.

    Pairs of geoms (n, 2), each that of a solid, of which the first are `moving`, are so far apart (n,) [m] and so
    `hard` (n, 2). Fills how much of what it is to do a contact `does` (n, …), and returns whether there is any spring.
    Two that are alone stay as they are, unless they bounce for ever, and so do those that only lie there.
    """
    count, struck = np.zeros(moving, np.int64), np.zeros(moving, np.bool_)
    first = np.arange(len(dist))  # of those between the same two, which follow each other
    springs = np.zeros(len(dist), np.bool_)
    for number in range(len(dist)):
        if hard[number, 1] > SPRINGY:
            continue
        if number and geoms[number, 0] == geoms[number - 1, 0] and geoms[number, 1] == geoms[number - 1, 1]:
            first[number] = first[number - 1]
            continue
        for side in range(2):
            if solid_of[geoms[number, side]] < moving:
                count[solid_of[geoms[number, side]]] += 1
    found, goes_on = False, True
    while goes_on:
        goes_on = False
        for number in range(len(dist)):
            if hard[number, 1] > SPRINGY or springs[first[number]]:
                continue
            one, two = solid_of[geoms[number, 0]], solid_of[geoms[number, 1]]
            is_alone = (one >= moving or count[one] < 2) and (two >= moving or count[two] < 2)
            is_alone = is_alone and hard[number, 1] > FOR_EVER
            is_struck = (one < moving and struck[one]) or (two < moving and struck[two])
            if is_struck or (dist[number] < -shallow and not is_alone):
                springs[first[number]] = goes_on = found = True
                if one < moving:
                    struck[one] = True
                if two < moving:
                    struck[two] = True
    for number in range(len(dist)):
        if hard[number, 1] <= SPRINGY and springs[first[number]]:
            does[number, 0] = does[number, 1] = AS_A_SPRING
    return found


@kernel
def weigh_springs(
    geoms: Ints,
    solid_of: Ints,
    place: Floats,
    mass: Floats,
    inertia: Floats,
    axes: Floats,
    points: Floats,
    frames: Floats,
    does: Floats,
    hard: Floats,
) -> None:
    """Twin of `springing.softened`, for all springs between those who are free."""
    for number in range(len(does)):
        if does[number, 0] != AS_A_SPRING:
            continue
        goes = turns = 0.0
        for side in range(2):
            row = solid_of[geoms[number, side]]
            if row < len(place):
                x, y, z = frames[number, 0], frames[number, 1], frames[number, 2]
                a, b = points[number, 0] - place[row, 0], points[number, 1] - place[row, 1]
                c = points[number, 2] - place[row, 2]
                x, y, z = rotated(place[row, 3:], -1.0, b * z - c * y, c * x - a * z, a * y - b * x)
                x, y, z = rotated(axes[row], -1.0, x, y, z)
                goes += 1 / mass[row]
                turns += x * x / inertia[row, 0] + y * y / inertia[row, 1] + z * z / inertia[row, 2]
        more = (goes + turns) / goes
        hard[number, 0] *= more
        hard[number, 1] /= np.sqrt(more)


@kernel
def fastest(going: Floats, widest: float) -> float:
    """How fast the fastest point of bodies may be [m/s], none of which is farther from the middle than `widest`."""
    velocity = spin = 0.0
    for row in range(len(going)):
        velocity = max(velocity, going[row, 0] ** 2 + going[row, 1] ** 2 + going[row, 2] ** 2)
        spin = max(spin, going[row, 3] ** 2 + going[row, 4] ** 2 + going[row, 5] ** 2)
    return float(np.sqrt(velocity) + widest * np.sqrt(spin))


@kernel
def met(
    geoms: Ints,
    solid_of: Ints,
    points: Floats,
    frames: Floats,
    known: Ints,
    solids: int,
    place: Floats,
    before: Floats,
    going: Floats,
    widest: float,
    least: float,
    found: Ints,
    new: Ints,
    speeds: Floats,
) -> tuple[int, int, float]:
    """Who touches whom, and who did not before; returns how many pairs are found, and how many of them are new.

    And, as all bodies are looked at, how fast the `fastest` goes now.

    Pairs of geoms (n, 2), each that of a solid, touch at points (n, 3), along the first axis of their frames from one
    to the other. Fills `found` with a sorted code for each pair of all `solids`, once; and of those that are not
    `known`, sorted too, and come together with at least so many m/s, when bodies were at `place` and went as `before`,
    the number of a contact, and that speed.
    """
    count, still, is_sorted = len(geoms), solids - len(place), True
    codes = np.empty(count, np.int64)
    for number in range(count):
        one, two = solid_of[geoms[number, 0]] + still, solid_of[geoms[number, 1]] + still  # as MuJoCo sorts them
        one, two = one - solids if one >= solids else one, two - solids if two >= solids else two
        codes[number] = min(one, two) * solids + max(one, two)
        is_sorted &= number == 0 or codes[number - 1] <= codes[number]
    order = np.arange(count) if is_sorted else np.argsort(codes)
    kinds, news, at = 0, 0, 0
    for number in order:
        if kinds and found[kinds - 1] == codes[number]:
            continue
        found[kinds] = codes[number]
        kinds += 1
        while at < len(known) and known[at] < codes[number]:
            at += 1
        if at < len(known) and known[at] == codes[number]:
            continue
        x, y, z = points[number, 0], points[number, 1], points[number, 2]
        speed = 0.0
        for side in range(2):
            row = solid_of[geoms[number, side]]
            if row < len(place):
                a, b, c = speed_of(place, before, row, x, y, z)
                along = a * frames[number, 0] + b * frames[number, 1] + c * frames[number, 2]
                speed += along if side == 0 else -along
        if speed >= least:
            new[news], speeds[news] = number, speed
            news += 1
    return kinds, news, fastest(going, widest)
