"""What do the chords beside a segment count for in its tangents? Said once, while the chords themselves change.

Places and facings alike: a tangent is so much of the chord before and so much of the one after, or is set by hand.
"""

from collections.abc import Sequence

import numpy as np

from keypose.curves import Adjust, KeyChain, PathOptions, tcb_tangents
from keypose.maths import Floats, Ints

REPEAT_CHORD, ZERO_CHORD = 1, 2  # what lies beyond the end of a path: the chord beside it again, or none
FIXED_WEIGHTS, BY_LENGTH, BY_UNIT = 0, 1, 2  # how what chords count for depends on how long they are


def path_end_modes(chain: KeyChain, options: PathOptions, own: Ints) -> Ints:
    """Whether a chain of keys ends before or after each of some of its segments, and how: (n, 2)."""
    modes = np.zeros((len(own), 2), np.int64)
    if not chain.closed:
        mode = ZERO_CHORD if options.ends == "zero-chord" else REPEAT_CHORD
        modes[own == 0, 0], modes[own == chain.segments - 1, 1] = mode, mode
    return modes


def build_tangent_weights(
    chain: KeyChain,
    options: PathOptions,
    adjust: Adjust,
    tcb: Floats,
    manual_tangents: Sequence[Floats | None],
    own: Ints,
    keys: Sequence[Ints],
) -> tuple[Floats, Ints, Floats]:
    """Weights (n, 2, 2), how those depend on lengths (n, 2), and tangents by hand (n, 2, 3), of segments of a chain.

    As they are left and as they arrive. `keys` are the four around each, `tcb` tension, continuity and bias of all
    keys, and `manual_tangents` their tangents by hand as they are left and reached, NaN for TCB, infinite for the plain
    chord.
    """
    count = len(own)
    weights, modes, manual_vectors = np.zeros((count, 2, 2)), np.zeros((count, 2), np.int64), np.zeros((count, 2, 3))
    if len(chain.key_indices) == 1 or not count:
        return weights, modes, manual_vectors  # it stands there, or nothing is asked
    seconds = chain.time_spans(own)
    modes[:] = {"length": BY_LENGTH, "unit": BY_UNIT}.get(adjust, FIXED_WEIGHTS)
    rule: Adjust = "none" if seconds is None else adjust
    durations = seconds or (np.ones(count),) * 3
    one, none = np.ones((count, 1)), np.zeros((count, 1))
    for chord, (incoming, outgoing) in enumerate(((one, none), (none, one))):
        _, leave = tcb_tangents(incoming, outgoing, tcb[keys[1]], rule, durations[0], durations[1])
        arrive, _ = tcb_tangents(incoming, outgoing, tcb[keys[2]], rule, durations[1], durations[2])
        weights[:, 0, chord], weights[:, 1, chord] = leave[:, 0], arrive[:, 0]
    if options.ends == "still" and not chain.closed:
        weights[own == 0, 0] = 0.0
        weights[own == chain.segments - 1, 1] = 0.0
    for side, (tangents, key) in enumerate(zip(manual_tangents, keys[1:3], strict=True)):
        if tangents is None:
            continue
        vector = tangents[key]
        is_chord, is_manual = np.isinf(vector[:, 0]), np.isfinite(vector[:, 0])
        weights[is_chord | is_manual, side], modes[is_chord | is_manual, side] = 0.0, FIXED_WEIGHTS
        weights[is_chord, side, 1 - side] = 1.0  # its own chord
        manual_vectors[is_manual, side] = vector[is_manual]
    return weights, modes, manual_vectors
