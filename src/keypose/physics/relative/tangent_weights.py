"""What do the chords beside a segment count for in its tangents? Said once, while the chords themselves change.

Places and facings alike: a tangent is so much of the chord before and so much of the one after, or is set by hand.
"""

from collections.abc import Sequence

import numpy as np

from keypose.curves.path_options import Style
from keypose.curves.relative.key_chain import Chain
from keypose.curves.tangents import Adjust, tcb_tangents
from keypose.maths.arrays import Floats, Ints

REPEATED, NOTHING = 1, 2  # what lies beyond the end of a path: the chord beside it again, or none
FIXED, BY_LENGTH, BY_UNIT = 0, 1, 2  # how what chords count for depends on how long they are


def beyond(chain: Chain, style: Style, own: Ints) -> Ints:
    """Whether a chain of keys ends before or after each of some of its segments, and how: (n, 2)."""
    found = np.zeros((len(own), 2), np.int64)
    if not chain.closed:
        how = NOTHING if style.ends == "zero-chord" else REPEATED
        found[own == 0, 0], found[own == chain.segments - 1, 1] = how, how
    return found


def mixed(
    chain: Chain,
    style: Style,
    adjust: Adjust,
    shaping: Floats,
    said: Sequence[Floats | None],
    own: Ints,
    keys: Sequence[Ints],
) -> tuple[Floats, Ints, Floats]:
    """Weights (n, 2, 2), how those depend on lengths (n, 2), and tangents by hand (n, 2, 3), of segments of a chain.

    As they are left and as they arrive. `keys` are the four around each, `shaping` tension, continuity and bias of all
    keys, and `said` their tangents by hand as they are left and reached, NaN for TCB, infinite for the plain chord.
    """
    count = len(own)
    weights, modes, hands = np.zeros((count, 2, 2)), np.zeros((count, 2), np.int64), np.zeros((count, 2, 3))
    if len(chain.links) == 1 or not count:
        return weights, modes, hands  # it stands there, or nothing is asked
    seconds = chain.seconds(own)
    modes[:] = {"length": BY_LENGTH, "unit": BY_UNIT}.get(adjust, FIXED)
    rule: Adjust = "none" if seconds is None else adjust
    spans = seconds or (np.ones(count),) * 3
    one, none = np.ones((count, 1)), np.zeros((count, 1))
    for chord, (incoming, outgoing) in enumerate(((one, none), (none, one))):
        _, leave = tcb_tangents(incoming, outgoing, shaping[keys[1]], rule, spans[0], spans[1])
        arrive, _ = tcb_tangents(incoming, outgoing, shaping[keys[2]], rule, spans[1], spans[2])
        weights[:, 0, chord], weights[:, 1, chord] = leave[:, 0], arrive[:, 0]
    if style.ends == "still" and not chain.closed:
        weights[own == 0, 0] = 0.0
        weights[own == chain.segments - 1, 1] = 0.0
    for side, (tangents, key) in enumerate(zip(said, keys[1:3], strict=True)):
        if tangents is None:
            continue
        vector = tangents[key]
        along, by_hand = np.isinf(vector[:, 0]), np.isfinite(vector[:, 0])
        weights[along | by_hand, side], modes[along | by_hand, side] = 0.0, FIXED
        weights[along, side, 1 - side] = 1.0  # its own chord
        hands[by_hand, side] = vector[by_hand]
    return weights, modes, hands
