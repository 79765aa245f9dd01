"""The records that kernels of batches take: what actor i has is an entry i, or entries firsts[i] … firsts[i + 1]."""

from typing import NamedTuple

from keypose.curves import LengthArrays
from keypose.maths import Bools, Floats, Ints


class ProfileArrays(NamedTuple):
    """Speed profiles of many clocks, each with its pieces."""

    firsts: Ints
    breaks: Floats
    sums: Floats
    cubics: Floats
    quartics: Floats
    extremes: Floats
    """The lowest and the highest speed of each profile, (clocks, 2)."""


class CaptureArrays(NamedTuple):
    """The moments of many clocks at which a distance is fixed: captured keys, the first and the last moment."""

    firsts: Ints
    times: Floats
    distances: Floats
    areas: Floats
    scales: Floats
    """K of the span that each moment begins; none begins at the last."""


class PathLengths(NamedTuple):
    """Length tables of many paths, end to end."""

    rows: Ints
    """The row of each path among the parameters of all actors."""
    firsts: Ints
    """Of segments."""
    starts: Floats
    """The distance at which each segment starts on its own path, and after its last one the length of its table [m]."""
    lengths: Floats
    closed: Bools
    table: LengthArrays


class OrientationArrays(NamedTuple):
    """Orientation paths of many actors, end to end."""

    rows: Ints
    """The row of each among the parameters of all actors."""
    closed: Bools
    first_keys: Ints
    key_parameters: Floats
    """The parameter of the orientation path at each key."""
    firsts: Ints
    """Of segments."""
    legs: Floats
    """See `slerp_legs`, (segments, 3, 9)."""
