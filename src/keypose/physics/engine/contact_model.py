"""How hard is a contact? A spring and a damper, so that as much of the speed comes back as a body's bounce says.

A contact only pushes: it ends when its force has gone to zero, before the spring is as long as it was. With ζ the
damping against the critical one, the share of the speed that is left then is

    e = exp(−ζ θ/√(1−ζ²)),  θ = atan2(2ζ√(1−ζ²), 2ζ²−1)      (and its hyperbolic twin from ζ = 1 on).

Plain steps take a contact in a few strides, and less of a small bounce comes back: for those ζ is found by striding.

MuJoCo gives every contact its speed back whatever the others do. Where several bounce at once that is more than they
had: a row of balls would gain a quarter of its energy, a pile of boxes ten times as much. So those push as springs.

Who pushes as a spring where several bounce at once, and how hard? The definition; `kernels` has its twins.

A hit goes on through whatever touches: who is pressed and bounces off several makes springs of all its contacts, and so
does everybody it passes the hit on to. MuJoCo takes it that bodies do not turn where they are hit; they do, and give
way more easily, so their springs are softer by as much, or more speed would come back than there was.

Who has come to be deep in whom at longer steps? At shorter ones contacts are harder, and would throw apart with more
energy than it took to press together who are deep in each other already: those stay as they are while they touch.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from math import acosh, atan2, exp, sqrt
from typing import TypeVar

import numpy as np

from keypose.maths import Bools, Floats, Ints, quaternion

CONTACT_FREQUENCY = 0.3  # of a step: ω·h. Harder contacts are shallower, but do not give back what they should
DEADBEAT_DAMPING = 0.9  # of a step: b·h, at which hardly any speed is left after one step
MIN_DAMPING_RATIO = 1e-3  # ζ of what bounces for ever
MAX_DAMPING_RATIO = DEADBEAT_DAMPING / (
    2 * CONTACT_FREQUENCY
)  # ζ of plain steps: with more, a body would be thrown back by its damper alone
MIN_BOUNCE = 0.05  # of the speed, which comes back at that ζ: who bounces less does not bounce
SPRING_DAMPING_RATIO = 0.2  # ζ: who keeps 0.57 of its speed or more bounces as a spring where others bounce too
LOSSLESS_DAMPING_RATIO = (
    0.01  # ζ: who keeps all of its speed is one even alone, or what turns while it touches would gain some
)
SPRING_IMPEDANCE = 0.01  # of what it is to do: a contact that does no more is a spring, and asks nobody else
CONTACT_PHASES = 64  # of contacts, anywhere within the step in which they begin
MIN_CONTACT_FREQUENCY = (
    0.1  # ω·h at least, where steps take half of it off ζ: so nobody keeps more than about 5/6 of its speed there
)


@lru_cache(maxsize=256)
def contact_stiffness_damping(bounce: float, step: float, is_discrete: bool = False) -> tuple[float, float]:
    """Stiffness [1/s²] and damping [1/s] of a contact, for each unit of mass, at this step [s] of the simulation.

    Steps that look ahead, as soft bodies need them, damp by ω·h/2 themselves: so there is less of a damper, and where
    that is not enough, also less of a spring.
    """
    if bounce < MIN_BOUNCE:
        damping = DEADBEAT_DAMPING / step
        return (damping / 4) ** 2, damping
    if is_discrete:
        ratio = damping_ratio(bounce)
        relative_frequency = min(CONTACT_FREQUENCY, max(MIN_CONTACT_FREQUENCY, 2 * ratio))
        ratio = max(MIN_DAMPING_RATIO, ratio - relative_frequency / 2)
    else:
        ratio, relative_frequency = euler_damping_ratio(bounce), CONTACT_FREQUENCY
    frequency = relative_frequency / step
    return frequency**2, 2 * ratio * frequency


def damping_ratio(bounce: float) -> float:
    """The ζ at which this share of the speed comes back."""
    return _solve_damping_ratio(restitution, bounce, 50.0)


@lru_cache(maxsize=256)
def euler_damping_ratio(bounce: float) -> float:
    """The ζ at which this share of the speed comes back in plain steps."""
    return _solve_damping_ratio(euler_restitution, bounce, MAX_DAMPING_RATIO)


def restitution(damping: float) -> float:
    """The share of the speed that is left after a contact with this ζ."""
    if abs(damping - 1) < 1e-6:
        return exp(-2.0)
    if damping < 1:
        root = sqrt(1 - damping**2)
        return exp(-damping / root * atan2(2 * damping * root, 2 * damping**2 - 1))
    return exp(-damping / sqrt(damping**2 - 1) * 2 * acosh(damping))


def euler_restitution(damping: float) -> float:
    """The share of the speed that plain steps leave after a contact with this ζ, in the mean of all its beginnings."""
    position, speed = (
        -(np.arange(CONTACT_PHASES) + 0.5) / CONTACT_PHASES,
        -np.ones(CONTACT_PHASES),
    )  # in steps, at the speed 1
    while (position < 0).any():
        acceleration = -(CONTACT_FREQUENCY**2) * position - 2 * damping * CONTACT_FREQUENCY * speed
        speed += np.where(position < 0, np.maximum(acceleration, 0.0), 0.0)
        position += speed
    return float(speed.mean())


def _solve_damping_ratio(restitution_curve: Callable[[float], float], bounce: float, max_ratio: float) -> float:
    """The ζ up to `max_ratio` with which so much is `restitution_curve`."""
    low, high = MIN_DAMPING_RATIO, max_ratio
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if restitution_curve(middle) > bounce else (low, middle)
    return (low + high) / 2


def find_spring_contacts(
    contact_pairs: Ints, moving_count: int, distances: Floats, shallow_depth: float, damping_ratios: Floats
) -> Bools:
    """Which contacts (n,) push as springs, between these solids (n, 2) of which the first are
    `moving_count`.

    They are so far `distances` (n,) [m], less than 0 if they are pressed together, and have such ζ (n,).
    """
    pairs = [(one, two) for one, two in contact_pairs.tolist()]
    bouncy_pairs = {
        pair: zeta for pair, zeta in zip(pairs, damping_ratios.tolist(), strict=True) if zeta <= SPRING_DAMPING_RATIO
    }
    bounce_counts = Counter(row for pair in bouncy_pairs for row in pair if row < moving_count)
    pressed = {
        pair
        for pair, distance in zip(pairs, distances.tolist(), strict=True)
        if pair in bouncy_pairs and distance < -shallow_depth
    }
    springs = {
        pair
        for pair in pressed
        if bouncy_pairs[pair] <= LOSSLESS_DAMPING_RATIO or max(bounce_counts[row] for row in pair) > 1
    }
    while True:  # until nobody passes it on any more
        struck = {row for pair in springs for row in pair if row < moving_count}
        propagated = {pair for pair in bouncy_pairs if struck & {*pair}} - springs
        if not propagated:
            return np.array([pair in springs for pair in pairs], np.bool_)
        springs |= propagated


def inverse_effective_mass(
    pose: Floats, mass: float, inertia: Floats, axes: Floats, point: Floats, direction: Floats
) -> float:
    """How easily a free body, at a place (7,), moves at a point if it is pushed along a unit vector there [1/kg].

    1/m + (r×n)·I⁻¹(r×n), where the inertia (3,) is about axes that stand so in the body (4,).
    """
    lever = quaternion.rotate(quaternion.conjugate(pose[3:]), np.cross(point - pose[:3], direction))
    lever = quaternion.rotate(quaternion.conjugate(axes), lever)
    return float(1 / mass + (lever**2 / inertia).sum())


def soften_spring(solref: Floats, inverse_mass: float, assumed_inverse_mass: float) -> Floats:
    """How long a contact lasts and its ζ (2,), if those who touch give way so easily, and it was taken that
    `assumed_inverse_mass`.

    Both its spring and its damper are weaker by the same. Who cannot move there at all is no matter.
    """
    ratio = max(inverse_mass / assumed_inverse_mass, SPRING_IMPEDANCE)
    return np.asarray(solref * (ratio, ratio**-0.5))


Rows = TypeVar("Rows", Floats, Ints)

NO_FROZEN_CONTACTS: Floats = np.empty((0, 3))
"""Rows of two solids, the smaller number first, and the seconds of a step."""


def add_frozen_contacts(frozen_contacts: Floats, deep_pairs: Ints, step: float) -> Floats:
    """Those who linger from now on: who did, and pairs (n, 2) that are deep in each other after steps of `step` [s]."""
    known_pairs = {(one, two) for one, two, _ in frozen_contacts.tolist()}
    new_pairs = dict.fromkeys((min(pair), max(pair)) for pair in deep_pairs.tolist())
    return np.vstack([frozen_contacts, *([one, two, step] for one, two in new_pairs if (one, two) not in known_pairs)])


def active_frozen_contacts(frozen_contacts: Floats, contact_pairs: Ints) -> Floats:
    """Those of them who are among pairs (n, 2) that touch."""
    pairs = {(min(pair), max(pair)) for pair in contact_pairs.tolist()}
    return frozen_contacts[[(one, two) in pairs for one, two, _ in frozen_contacts.tolist()]]


def frozen_solref(solref: Floats, contact_pairs: Ints, frozen_contacts: Floats, step: float) -> Floats:
    """How long contacts last and their ζ (n, 2): those of pairs (n, 2) who linger last as long as at their own steps.

    Never less long than at steps of `step` [s]: harder ones would not be stable.
    """
    factor_by_pair = {(one, two): max(1.0, seconds / step) for one, two, seconds in frozen_contacts.tolist()}
    factors = [factor_by_pair.get((min(pair), max(pair)), 1.0) for pair in contact_pairs.tolist()]
    return np.stack([solref[:, 0] * factors, solref[:, 1]], axis=1)


def renumber_pairs(pair_rows: Rows, old_names: Sequence[str], new_names: Sequence[str]) -> Rows:
    """Rows that begin with a pair of solids, as those are numbered now, by their names; who is gone is left out."""
    new_rows = {name: row for row, name in enumerate(new_names)}
    result = pair_rows.copy()
    for row, pair in enumerate(pair_rows[:, :2].astype(int).tolist()):
        result[row, :2] = sorted(new_rows.get(old_names[one], -1) for one in pair)
    return result[result[:, 0] >= 0]
