"""Which way does the path face between its facings? The turns of a path, from what its keys say (GL95 §4).

A turn shares the tension, continuity and bias of its key unless a `Turn` says otherwise, and shares the spans between
keys too: where the path runs steadily through a smooth key, it turns steadily there as well.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from keypose.curves.key_columns import Columns, Keys
from keypose.curves.orientation_path import OrientationPath
from keypose.curves.path.partial_keys import clock_of, own_parameters
from keypose.curves.path.segments import closing_span
from keypose.curves.path_options import Style
from keypose.curves.tangents import Adjust
from keypose.maths.arrays import Floats, Ints


class Facings:
    """The turns through the facings of a path, asked by the path's own parameter u."""

    __slots__ = ("_own", "faced", "turns")

    def __init__(self, turns: OrientationPath, faced: Ints, own: Floats | None) -> None:
        self.turns = turns
        self.faced = faced  # the keys that have a facing
        self._own = own  # the turns' parameter at each key, or None where every key has a facing

    def own(self, u: float) -> float:
        """The turns' own parameter at u."""
        return u if self._own is None else float(np.interp(u, np.arange(len(self._own)), self._own))

    def at_keys(self, segments: int) -> Floats:
        """The turns' own parameter at u = 0, 1 … segments."""
        return np.arange(segments + 1.0) if self._own is None else self._own

    def at(self, u: Floats) -> Floats:
        """Orientation w x y z at each u, (…, 4)."""
        return self.turns.at(u if self._own is None else np.interp(u, np.arange(len(self._own)), self._own))

    def spin(self, u: Floats) -> Floats:
        """Angular velocity by u [rad per key], a vector in the carrier's frame, (…, 3)."""
        if self._own is None:
            return self.turns.spin(u)
        gap = np.clip(np.floor(u), 0, len(self._own) - 2).astype(np.int64)
        rate = np.diff(self._own)[gap]
        return self.turns.spin(np.interp(u, np.arange(len(self._own)), self._own)) * rate[..., None]


def facings_of(keys: Keys, style: Style, adjust: Adjust, gaps: Floats) -> Facings | None:
    """The turns of a path whose keys are `gaps` metres apart; None if no key has a facing."""
    rows = keys.rope.whole
    facing = rows.of.get("facing")
    if facing is None:
        return None
    chosen = np.flatnonzero(~np.isnan(facing[:, 0]))
    if not len(chosen):
        return None
    clock = clock_of(keys, style, gaps)
    subset = Columns(len(chosen), {word: column[chosen] for word, column in rows.of.items()})
    spans: Floats | None = None
    if adjust in ("time", "velocity") or gaps.sum() > 0:
        if adjust in ("time", "velocity"):
            gaps = np.diff(clock)
            if style.closed:
                gaps[-1] = closing_span(keys, style)  # as it was said, not as it rounds on the clock
        spans = _sums_between(gaps, chosen, style.closed)
    turns = OrientationPath(
        subset.of["facing"],
        shaping_of(subset, style),
        arrive=by_hand(subset, "arrive"),
        leave=by_hand(subset, "leave"),
        adjust=adjust,
        spans=spans,
        ends=style.ends,
        closed=style.closed,
        turning=style.turning,
    )
    everywhere = len(chosen) == len(keys)
    return Facings(turns, chosen, None if everywhere else own_parameters(clock, chosen, style.closed))


def _sums_between(gaps: Floats, chosen: Ints, closed: bool) -> Floats:
    """What the gaps add up to from each chosen key to the next; on closed paths from the last to the first too."""
    first, last = int(chosen[0]), int(chosen[-1])
    inner = np.add.reduceat(gaps[:last], chosen[:-1]) if len(chosen) > 1 else np.empty(0)
    return np.append(inner, gaps[last:].sum() + gaps[:first].sum()) if closed else inner


def facings_after(
    old: Facings, keys: Keys, style: Style, adjust: Adjust, index: int, spans: dict[int, float]
) -> Facings | None:
    """The turns after key `index` was said differently, sharing what it does not touch; `spans` of its two segments.

    None where that cannot be told from here: keys without facings lie in a turn by what lies around them.
    """
    rows = keys.rope.rows(index, index + 1)
    if old._own is not None or np.isnan(rows.of["facing"][0, 0]):
        return None
    lengths = old.turns.spans
    if lengths is None and any(spans.values()) and adjust != "unit":
        return None  # it stood still before, and angles were its spans
    if lengths is not None:
        lengths = lengths.copy()
        for segment, span in spans.items():
            lengths[segment] = span
        if not lengths.any():
            return None
    arrive, leave = by_hand(rows, "arrive"), by_hand(rows, "leave")
    turns = old.turns.with_rows(
        index,
        rows.of["facing"][0],
        shaping_of(rows, style)[0],
        None if arrive is None else arrive[0],
        None if leave is None else leave[0],
        lengths,
    )
    return Facings(turns, old.faced, None)


def shaping_of(rows: Columns, style: Style) -> Floats:
    """Tension, continuity and bias of the turns: their own, else their key's, else the path's, (k, 3)."""
    shaping: Floats = np.broadcast_to(np.array(style.shaping), (len(rows), 3))
    for word in ("tcb", "turn_tcb"):
        if word in rows.of:
            shaping = np.where(np.isnan(rows.of[word]), shaping, rows.of[word])
    return shaping


def by_hand(rows: Columns, side: str) -> Floats | None:
    """The turns' manual tangents. A key that follows its chords turns along them too, unless it says otherwise."""
    own: NDArray[Any] | None = rows.of.get(f"turn_{side}")
    place = rows.of.get(side)
    if place is None:
        return own
    chord = np.isinf(place).reshape(len(rows), -1)[:, :1]
    if own is None:
        own = np.full((len(rows), 3), np.nan)
    return np.where(np.isnan(own) & chord, np.inf, own)
