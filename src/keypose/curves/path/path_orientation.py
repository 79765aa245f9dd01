"""Which way does the path face between its facings? The turns of a path, from what its keys say (GL95 §4).

A turn shares the tension, continuity and bias of its key unless a `Turn` says otherwise, and shares the spans between
keys too: where the path runs steadily through a smooth key, it turns steadily there as well.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from keypose.curves.key_columns import KeyColumns, Keys
from keypose.curves.orientation_path import OrientationPath
from keypose.curves.path.partial_keys import all_curve_parameters, key_clock
from keypose.curves.path.segments import closing_span
from keypose.curves.path_options import PathOptions
from keypose.curves.tangents import Adjust
from keypose.maths import Floats, Ints


class PathOrientation:
    """The turns through the facings of a path, asked by the path's own parameter u."""

    __slots__ = ("_parameters", "orientation_path", "oriented_keys")

    def __init__(self, orientation_path: OrientationPath, oriented_keys: Ints, parameters: Floats | None) -> None:
        self.orientation_path = orientation_path
        self.oriented_keys = oriented_keys  # the keys that have a facing
        self._parameters = parameters  # the turns' parameter at each key, or None where every key has a facing

    def parameter_at(self, u: float) -> float:
        """The turns' own parameter at u."""
        return (
            u if self._parameters is None else float(np.interp(u, np.arange(len(self._parameters)), self._parameters))
        )

    def parameters_at_keys(self, segments: int) -> Floats:
        """The turns' own parameter at u = 0, 1 … segments."""
        return np.arange(segments + 1.0) if self._parameters is None else self._parameters

    def at(self, u: Floats) -> Floats:
        """Orientation w x y z at each u, (…, 4)."""
        return self.orientation_path.at(
            u if self._parameters is None else np.interp(u, np.arange(len(self._parameters)), self._parameters)
        )

    def angular_velocity(self, u: Floats) -> Floats:
        """Angular velocity by u [rad per key], a vector in the carrier's frame, (…, 3)."""
        if self._parameters is None:
            return self.orientation_path.angular_velocity(u)
        gap = np.clip(np.floor(u), 0, len(self._parameters) - 2).astype(np.int64)
        rate = np.diff(self._parameters)[gap]
        return (
            self.orientation_path.angular_velocity(np.interp(u, np.arange(len(self._parameters)), self._parameters))
            * rate[..., None]
        )


def build_path_orientation(keys: Keys, options: PathOptions, adjust: Adjust, gaps: Floats) -> PathOrientation | None:
    """The turns of a path whose keys are `gaps` metres apart; None if no key has a facing."""
    rows = keys.rope.whole
    orientations = rows.arrays.get("facing")
    if orientations is None:
        return None
    oriented = np.flatnonzero(~np.isnan(orientations[:, 0]))
    if not len(oriented):
        return None
    clock = key_clock(keys, options, gaps)
    subset = KeyColumns(len(oriented), {name: column[oriented] for name, column in rows.arrays.items()})
    spans: Floats | None = None
    if adjust in ("time", "velocity") or gaps.sum() > 0:
        if adjust in ("time", "velocity"):
            gaps = np.diff(clock)
            if options.closed:
                gaps[-1] = closing_span(keys, options)  # as it was said, not as it rounds on the clock
        spans = _sum_spans(gaps, oriented, options.closed)
    orientation_path = OrientationPath(
        subset.arrays["facing"],
        orientation_tcb(subset, options),
        arrive=manual_orientation_tangents(subset, "arrive"),
        leave=manual_orientation_tangents(subset, "leave"),
        adjust=adjust,
        spans=spans,
        ends=options.ends,
        closed=options.closed,
        turning=options.turning,
    )
    is_complete = len(oriented) == len(keys)
    return PathOrientation(
        orientation_path, oriented, None if is_complete else all_curve_parameters(clock, oriented, options.closed)
    )


def _sum_spans(gaps: Floats, oriented: Ints, closed: bool) -> Floats:
    """What the gaps add up to from each chosen key to the next; on closed paths from the last to the first too."""
    first, last = int(oriented[0]), int(oriented[-1])
    inner = np.add.reduceat(gaps[:last], oriented[:-1]) if len(oriented) > 1 else np.empty(0)
    return np.append(inner, gaps[last:].sum() + gaps[:first].sum()) if closed else inner


def update_path_orientation(
    old: PathOrientation, keys: Keys, options: PathOptions, adjust: Adjust, index: int, spans: dict[int, float]
) -> PathOrientation | None:
    """The turns after key `index` was said differently, sharing what it does not touch; `spans` of its two segments.

    None where that cannot be told from here: keys without facings lie in a turn by what lies around them.
    """
    rows = keys.rope.rows(index, index + 1)
    if old._parameters is not None or np.isnan(rows.arrays["facing"][0, 0]):
        return None
    lengths = old.orientation_path.spans
    if lengths is None and any(spans.values()) and adjust != "unit":
        return None  # it stood still before, and angles were its spans
    if lengths is not None:
        lengths = lengths.copy()
        for segment, span in spans.items():
            lengths[segment] = span
        if not lengths.any():
            return None
    arrive, leave = manual_orientation_tangents(rows, "arrive"), manual_orientation_tangents(rows, "leave")
    orientation_path = old.orientation_path.with_rows(
        index,
        rows.arrays["facing"][0],
        orientation_tcb(rows, options)[0],
        None if arrive is None else arrive[0],
        None if leave is None else leave[0],
        lengths,
    )
    return PathOrientation(orientation_path, old.oriented_keys, None)


def orientation_tcb(rows: KeyColumns, options: PathOptions) -> Floats:
    """Tension, continuity and bias of the turns: their own, else their key's, else the path's, (k, 3)."""
    tcb: Floats = np.broadcast_to(np.array(options.tcb), (len(rows), 3))
    for name in ("tcb", "turn_tcb"):
        if name in rows.arrays:
            tcb = np.where(np.isnan(rows.arrays[name]), tcb, rows.arrays[name])
    return tcb


def manual_orientation_tangents(rows: KeyColumns, side: str) -> Floats | None:
    """The turns' manual tangents. A key that follows its chords turns along them too, unless it says otherwise."""
    manual: NDArray[Any] | None = rows.arrays.get(f"turn_{side}")
    position_tangents = rows.arrays.get(side)
    if position_tangents is None:
        return manual
    is_chord = np.isinf(position_tangents).reshape(len(rows), -1)[:, :1]
    if manual is None:
        manual = np.full((len(rows), 3), np.nan)
    return np.where(np.isnan(manual) & is_chord, np.inf, manual)
