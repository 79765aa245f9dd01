"""What cubic runs from each key to the next? From what keys say to segments (KB84 eqs 2, 8-10).

Tangents at a key depend on its two neighbours, so a moved key touches three keys' tangents and four segments:
everything here works on a window of keys as well as on all of them, and gives the same bits.
"""

from collections.abc import Sequence
from typing import Literal, Self

import numpy as np

from keypose.curves.distance.length_table import LengthTable, build_length_table
from keypose.curves.key_columns import KeyColumns, Keys
from keypose.curves.path_options import PathOptions
from keypose.curves.tangents import Adjust, apply_manual_tangents, around_keys, tcb_tangents
from keypose.maths import Floats, hermite


class SegmentRun:
    """Consecutive segments of a path, (segments, 4, width) as in KB84 eq. 2, and the ruler along them once measured."""

    __slots__ = ("_length_table", "curve", "points")

    def __init__(self, curve: Floats, points: int, table: LengthTable | None = None) -> None:
        self.curve = curve
        self.points = points
        self._length_table = table

    def __len__(self) -> int:
        return len(self.curve)

    @property
    def is_measured(self) -> bool:
        """Whether the length table has been built."""
        return self._length_table is not None

    @property
    def length_table(self) -> LengthTable:
        """The ruler along these segments; measured once."""
        if self._length_table is None:
            self._length_table = build_length_table(hermite.speed_quartics(self.curve, self.points)[:, None])
        return self._length_table

    def sliced(self, start: int, stop: int) -> Self:
        """Segments start … stop, with their part of the ruler."""
        table = self.length_table.sliced(start, stop) if self.is_measured and stop > start else None
        return type(self)(self.curve[start:stop], self.points, table)

    @classmethod
    def concatenate(cls, chunks: Sequence[Self]) -> Self:
        """One after the other; where a neighbour has been measured, new segments are too, and only those."""
        table = None
        if any(chunk.is_measured for chunk in chunks):
            table = LengthTable.concatenate([chunk.length_table for chunk in chunks])
        return cls(np.concatenate([chunk.curve for chunk in chunks]), chunks[0].points, table)


def resolve_adjust(keys: Keys, options: PathOptions) -> Adjust:
    """The rule for uneven keys: as asked, else by time if every key has one, else by length."""
    if options.adjust is not None:
        return options.adjust
    times = keys.column("time")
    return "length" if times is None or bool(np.isnan(times).any()) else "time"


def segment_count(keys: Keys, options: PathOptions) -> int:
    """One segment from each key to the next; a closed path has one more, back to the first."""
    return len(keys) if options.closed else len(keys) - 1


def key_window(keys: Keys, start: int, stop: int, closed: bool) -> tuple[KeyColumns, int, int]:
    """Keys start … stop with one neighbour on either side where there is one, and how many were added at each end."""
    count = len(keys)
    if closed:
        begin, end = start - 1, stop + 1
        parts = [keys.rope.rows(count + begin, count)] if begin < 0 else []
        parts.append(keys.rope.rows(max(begin, 0), min(end, count)))
        if end > count:
            parts.append(keys.rope.rows(0, end - count))
        return KeyColumns.concatenate(parts), 1, 1
    first, last = max(start - 1, 0), min(stop + 1, count)
    return keys.rope.rows(first, last), start - first, last - stop


def time_spans(times: Floats, closed_by: float | None = None) -> Floats:
    """Seconds between neighbouring keys; where a closed path wraps, those of its closing segment."""
    spans = np.diff(times)
    if closed_by is not None:
        spans = np.where(spans > 0, spans, closed_by)
    return spans


def chord_lengths(positions: Floats) -> Floats:
    """Distance between neighbouring places (k, …), (k-1,); for drawings the root mean square over the points."""
    return chord_norms(np.diff(positions, axis=0))


def chord_norms(chords: Floats) -> Floats:
    """The length of each chord (k, …), (k,); for drawings the root mean square over the points."""
    points = chords.shape[1] if chords.ndim == 3 else 1
    flat = chords.reshape(len(chords), -1)
    return np.asarray(np.sqrt(np.einsum("ij,ij->i", flat, flat) / points))


def window_tangents(
    rows: KeyColumns, options: PathOptions, adjust: Adjust, closing: float | None, at_start: bool, at_end: bool
) -> tuple[Floats, Floats]:
    """Arriving and leaving tangents of consecutive keys, (k, …). Those at the rim are right only at true ends."""
    positions: Floats = rows.arrays["position"]
    chords = positions[1:] - positions[:-1]
    spans = time_spans(rows.arrays["time"], closing) if adjust in ("time", "velocity") else chord_norms(chords)
    return tangents_from_chords(chords, spans, rows, options, adjust, at_start, at_end)


def tangents_from_chords(
    chords: Floats, spans: Floats, rows: KeyColumns, options: PathOptions, adjust: Adjust, at_start: bool, at_end: bool
) -> tuple[Floats, Floats]:
    """Tangents from chords (k-1, …), the spans they go over (k-1,) and what the keys say about themselves."""
    beyond: Literal["repeat", "zero"] = "zero" if options.ends == "zero-chord" else "repeat"
    incoming, outgoing = around_keys(chords, False, beyond)
    before, after = around_keys(spans, False)
    given_tcb = rows.arrays.get("tcb")
    tcb = np.array([options.tcb]) if given_tcb is None else np.where(np.isnan(given_tcb), options.tcb, given_tcb)
    arrive, leave = tcb_tangents(incoming, outgoing, tcb, adjust, before, after)
    if options.ends == "still":
        for end in (0,) * at_start + (-1,) * at_end:
            arrive[end] = leave[end] = 0.0
    return (
        apply_manual_tangents(arrive, rows.arrays.get("arrive"), incoming),
        apply_manual_tangents(leave, rows.arrays.get("leave"), outgoing),
    )


def key_tangents(keys: Keys, options: PathOptions, adjust: Adjust, start: int, stop: int) -> tuple[Floats, Floats]:
    """Arriving and leaving tangents of keys start … stop, (stop - start, …)."""
    rows, before, after = key_window(keys, start, stop, options.closed)
    closing = closing_span(keys, options) if options.closed and adjust in ("time", "velocity") else None
    arrive, leave = window_tangents(rows, options, adjust, closing, not before, not after)
    inner = slice(before, len(rows) - after)
    return arrive[inner], leave[inner]


def closing_span(keys: Keys, options: PathOptions) -> float:
    """How many seconds the closing segment of a closed, timed path takes: as said, or as many as the one before it."""
    if options.closing is not None:
        return options.closing
    times = keys.rope.rows(len(keys) - 2, len(keys)).arrays["time"]
    return float(times[1] - times[0])


def build_segments(keys: Keys, options: PathOptions, adjust: Adjust, start: int, stop: int) -> SegmentRun:
    """Segments start … stop of a path whose keys all have places; segment i runs from key i to the next."""
    arrive, leave = key_tangents(keys, options, adjust, start, stop + 1)
    if stop < len(keys):
        positions = keys.rope.rows(start, stop + 1).arrays["position"]
    else:
        positions = np.concatenate(
            [keys.rope.rows(start, stop).arrays["position"], keys.rope.rows(0, 1).arrays["position"]]
        )
    return build_segment_run(positions, arrive, leave)


def build_segment_run(positions: Floats, arrive: Floats, leave: Floats) -> SegmentRun:
    """The segments between consecutive places with tangents at each."""
    flat = [values.reshape(len(values), -1) for values in (positions, arrive, leave)]
    curve = np.empty((len(positions) - 1, 4, flat[0].shape[1]))
    curve[:, 0], curve[:, 1], curve[:, 2], curve[:, 3] = flat[0][:-1], flat[0][1:], flat[2][:-1], flat[1][1:]
    return SegmentRun(curve, positions.shape[1] if positions.ndim == 3 else 1)
