"""The records that kernels of curves take: length tables and segments with relative keys as arrays with names."""

from typing import NamedTuple

from keypose.maths import Bools, Floats, Ints


class LengthArrays(NamedTuple):
    """The arrays of a `LengthTable`, see there."""

    quartics: Floats
    first_piece: Ints
    piece_ends: Floats
    distances: Floats


class ResizedSegments(NamedTuple):
    """Segments whose length depends on carriers, of a path of single points adjusted to lengths."""

    keys: Ints
    """The four keys around each segment, (4, segments)."""
    is_first: Bools
    """Whether the chord before the segment repeats its own."""
    is_last: Bools
    """Whether the chord after the segment repeats its own."""
    positions: Floats
    """Of all keys, (keys, 3)."""
    relative_index: Ints
    """Which of the relative keys each key is; -1 if it is none."""
    tcb: Floats
    """Tension, continuity and bias of all keys, (keys, 3)."""
