"""What cubic runs from each key to the next? From what keys say to segments (KB84 eqs 2, 8-10).

Tangents at a key depend on its two neighbours, so a moved key touches three keys' tangents and four segments:
everything here works on a window of keys as well as on all of them, and gives the same bits.
"""

from collections.abc import Sequence
from typing import Literal, Self

import numpy as np

from keypose.curves.distance.length_table import Ruler, measured
from keypose.curves.key_columns import Columns, Keys
from keypose.curves.path_options import Style
from keypose.curves.tangents import Adjust, around_keys, set_by_hand, tcb_tangents
from keypose.maths import hermite
from keypose.maths.arrays import Floats


class Stretch:
    """Consecutive segments of a path, (segments, 4, width) as in KB84 eq. 2, and the ruler along them once measured."""

    __slots__ = ("_ruler", "curve", "points")

    def __init__(self, curve: Floats, points: int, ruler: Ruler | None = None) -> None:
        self.curve = curve
        self.points = points
        self._ruler = ruler

    def __len__(self) -> int:
        return len(self.curve)

    @property
    def ruler(self) -> Ruler:
        """The ruler along these segments; measured once."""
        if self._ruler is None:
            self._ruler = measured(hermite.speed_squared(self.curve, self.points)[:, None])
        return self._ruler

    def sliced(self, start: int, stop: int) -> Self:
        """Segments start … stop, with their part of the ruler."""
        ruler = self._ruler.sliced(start, stop) if self._ruler is not None and stop > start else None
        return type(self)(self.curve[start:stop], self.points, ruler)

    @classmethod
    def joined(cls, strands: Sequence[Self]) -> Self:
        """One after the other; where a neighbour has been measured, new segments are too, and only those."""
        ruler = None
        if any(strand._ruler is not None for strand in strands):
            ruler = Ruler.joined([strand.ruler for strand in strands])
        return cls(np.concatenate([strand.curve for strand in strands]), strands[0].points, ruler)


def adjustment(keys: Keys, style: Style) -> Adjust:
    """The rule for uneven keys: as asked, else by time if every key has one, else by length."""
    if style.adjust is not None:
        return style.adjust
    times = keys.column("time")
    return "length" if times is None or bool(np.isnan(times).any()) else "time"


def segment_count(keys: Keys, style: Style) -> int:
    """One segment from each key to the next; a closed path has one more, back to the first."""
    return len(keys) if style.closed else len(keys) - 1


def window(keys: Keys, start: int, stop: int, closed: bool) -> tuple[Columns, int, int]:
    """Keys start … stop with one neighbour on either side where there is one, and how many were added at each end."""
    count = len(keys)
    if closed:
        begin, end = start - 1, stop + 1
        parts = [keys.rope.rows(count + begin, count)] if begin < 0 else []
        parts.append(keys.rope.rows(max(begin, 0), min(end, count)))
        if end > count:
            parts.append(keys.rope.rows(0, end - count))
        return Columns.joined(parts), 1, 1
    first, last = max(start - 1, 0), min(stop + 1, count)
    return keys.rope.rows(first, last), start - first, last - stop


def spans_in_time(times: Floats, closed_by: float | None = None) -> Floats:
    """Seconds between neighbouring keys; where a closed path wraps, those of its closing segment."""
    spans = np.diff(times)
    if closed_by is not None:
        spans = np.where(spans > 0, spans, closed_by)
    return spans


def chord_lengths(places: Floats) -> Floats:
    """Distance between neighbouring places (k, …), (k-1,); for drawings the root mean square over the points."""
    return lengths_of(np.diff(places, axis=0))


def lengths_of(chords: Floats) -> Floats:
    """The length of each chord (k, …), (k,); for drawings the root mean square over the points."""
    points = chords.shape[1] if chords.ndim == 3 else 1
    flat = chords.reshape(len(chords), -1)
    return np.asarray(np.sqrt(np.einsum("ij,ij->i", flat, flat) / points))


def tangents_between(
    rows: Columns, style: Style, adjust: Adjust, closing: float | None, at_start: bool, at_end: bool
) -> tuple[Floats, Floats]:
    """Arriving and leaving tangents of consecutive keys, (k, …). Those at the rim are right only at true ends."""
    places: Floats = rows.of["position"]
    chords = places[1:] - places[:-1]
    spans = spans_in_time(rows.of["time"], closing) if adjust in ("time", "velocity") else lengths_of(chords)
    return along_chords(chords, spans, rows, style, adjust, at_start, at_end)


def along_chords(
    chords: Floats, spans: Floats, rows: Columns, style: Style, adjust: Adjust, at_start: bool, at_end: bool
) -> tuple[Floats, Floats]:
    """Tangents from chords (k-1, …), the spans they go over (k-1,) and what the keys say about themselves."""
    beyond: Literal["repeat", "zero"] = "zero" if style.ends == "zero-chord" else "repeat"
    incoming, outgoing = around_keys(chords, False, beyond)
    before, after = around_keys(spans, False)
    said = rows.of.get("tcb")
    tcb = np.array([style.shaping]) if said is None else np.where(np.isnan(said), style.shaping, said)
    arrive, leave = tcb_tangents(incoming, outgoing, tcb, adjust, before, after)
    if style.ends == "still":
        for end in (0,) * at_start + (-1,) * at_end:
            arrive[end] = leave[end] = 0.0
    return (
        set_by_hand(arrive, rows.of.get("arrive"), incoming),
        set_by_hand(leave, rows.of.get("leave"), outgoing),
    )


def tangents_of(keys: Keys, style: Style, adjust: Adjust, start: int, stop: int) -> tuple[Floats, Floats]:
    """Arriving and leaving tangents of keys start … stop, (stop - start, …)."""
    rows, before, after = window(keys, start, stop, style.closed)
    closing = closing_span(keys, style) if style.closed and adjust in ("time", "velocity") else None
    arrive, leave = tangents_between(rows, style, adjust, closing, not before, not after)
    kept = slice(before, len(rows) - after)
    return arrive[kept], leave[kept]


def closing_span(keys: Keys, style: Style) -> float:
    """How many seconds the closing segment of a closed, timed path takes: as said, or as many as the one before it."""
    if style.closing is not None:
        return style.closing
    times = keys.rope.rows(len(keys) - 2, len(keys)).of["time"]
    return float(times[1] - times[0])


def segments_of(keys: Keys, style: Style, adjust: Adjust, start: int, stop: int) -> Stretch:
    """Segments start … stop of a path whose keys all have places; segment i runs from key i to the next."""
    arrive, leave = tangents_of(keys, style, adjust, start, stop + 1)
    if stop < len(keys):
        places = keys.rope.rows(start, stop + 1).of["position"]
    else:
        places = np.concatenate([keys.rope.rows(start, stop).of["position"], keys.rope.rows(0, 1).of["position"]])
    return stretch(places, arrive, leave)


def stretch(places: Floats, arrive: Floats, leave: Floats) -> Stretch:
    """The segments between consecutive places with tangents at each."""
    flat = [values.reshape(len(values), -1) for values in (places, arrive, leave)]
    curve = np.empty((len(places) - 1, 4, flat[0].shape[1]))
    curve[:, 0], curve[:, 1], curve[:, 2], curve[:, 3] = flat[0][:-1], flat[0][1:], flat[2][:-1], flat[1][1:]
    return Stretch(curve, places.shape[1] if places.ndim == 3 else 1)
