"""What happens when I move a key? A new path, sharing with the old one all that the key does not touch (GL95 §3, §7).

A key shapes its own tangents and its two neighbours', so a change reaches at most two segments to either side; those
are derived again, spliced into the old path's rope of segments, and measured again if the old path was measured.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from keypose.curves.checks import check_distance, check_name_is_free, check_neighbour_times
from keypose.curves.key import MAX_COORDINATE, Key, Turn, key_label, parse_position
from keypose.curves.key_columns import KeyColumns, Keys
from keypose.curves.path.path_geometry import PathGeometry
from keypose.curves.path.path_orientation import update_path_orientation
from keypose.curves.path.segments import SegmentRun, build_segments, chord_lengths, closing_span
from keypose.errors import KeyposeError, short_repr
from keypose.maths import Floats, Rope, parse_sequence

MAX_TANGENT_WEIGHT = (
    4 / 27
)  # the largest value of h₃ and h₄: how far a tangent pulls its segment, per unit of its length


def with_key(path: PathGeometry, key: int | str, changes: dict[str, Any]) -> PathGeometry:
    """The path with one key said differently."""
    index = path.keys.index(key)
    old = path.keys[index]
    new = old.changed(**changes)
    if new.position is not None and new.position.shape != path.shape and path.keys.column("position") is not None:
        raise KeyposeError(
            f"Key {index} was given a position of shape {new.position.shape} on a path of shape {path.shape}. "
            "All keys of a path need the same number of points and dimensions."
        )
    if new.name != old.name:
        check_name_is_free(path.keys, new.name)
    return replace_keys(path, index, index + 1, [new], same_kind=has_same_fields(old, new))


def without_key(path: PathGeometry, key: int | str) -> PathGeometry:
    """The path with one key less."""
    index = path.keys.index(key)
    if len(path) == 2:
        raise KeyposeError("A path with two keys cannot lose one. Move the key instead, or make a new path.")
    old = path.keys[index]
    # The last key without a time takes the rule with it: then all that are left have one.
    timing_stays = old.time is not None or "time" not in path.keys.rope.chunks[0].arrays
    return replace_keys(path, index, index + 1, [], same_kind=old.position is not None and timing_stays)


@dataclass(frozen=True, eq=False)
class TangentLoss:
    """What going back from manual tangents to TCB would throw away."""

    key: int
    sides: tuple[str, ...]
    tangents: tuple[Floats, ...]
    tcb: tuple[Floats, ...]
    max_displacement: float
    orientation_sides: tuple[str, ...] = ()

    def __str__(self) -> str:
        orientation_text = (
            f"Key {self.key} has its turn's {' and '.join(self.orientation_sides)} set by hand. "
            if self.orientation_sides
            else ""
        )
        if not self.sides:
            return f"{orientation_text}Going back to TCB, with a facing in place of the Turn, loses that."
        sides = " and ".join(self.sides)
        tangents, pronoun = ("tangents", "them") if len(self.sides) > 1 else ("tangent", "it")
        return orientation_text + (
            f"Key {self.key} has its {sides} {tangents} set by hand. "
            f"Going back to TCB loses {pronoun} and moves the curve by up to {self.max_displacement:.3g} m."
        )


def lost_by_tcb(path: PathGeometry, key: int | str) -> TangentLoss | None:
    """What `with_key(key, arrive=None, leave=None)` would lose; None if nothing."""
    index = path.keys.index(key)
    sides = tuple(side for side in ("arrive", "leave") if getattr(path.keys[index], side) is not None)
    orientation = path.keys[index].orientation
    orientation_sides = tuple(
        side for side in ("arrive", "leave") if isinstance(orientation, Turn) and getattr(orientation, side) is not None
    )
    if not sides:
        return TangentLoss(index, (), (), (), 0.0, orientation_sides) if orientation_sides else None
    tcb_path = with_key(path, index, dict.fromkeys(sides))
    tangents = tuple(getattr(path, side)[index] for side in sides)
    tcb = tuple(getattr(tcb_path, side)[index] for side in sides)
    pulls = [np.linalg.norm(manual - derived, axis=-1).max() for manual, derived in zip(tangents, tcb, strict=True)]
    return TangentLoss(index, sides, tangents, tcb, MAX_TANGENT_WEIGHT * float(max(pulls)), orientation_sides)


def with_times(path: PathGeometry, times: Floats, closing: float | None) -> PathGeometry:
    """The path as if its keys had these times; tangents by length or chord stay what they are."""
    whole = path.keys.rope.whole
    new_times = parse_sequence(times, "The times of a path's keys", "seconds such as [0, 0.5, 2]")
    if len(new_times) != len(whole):
        raise KeyposeError(f"There are {len(new_times)} times for a path of {len(whole)} keys. Give one per key.")
    if not (np.abs(new_times) <= MAX_COORDINATE).all():
        raise KeyposeError(
            f"The times of a path's keys are {short_repr(new_times)}. Give finite seconds, up to {MAX_COORDINATE:g}."
        )
    keys = Keys(Rope(KeyColumns(len(whole), whole.arrays | {"time": new_times})))
    return PathGeometry(keys, replace(path.options, closing=closing))


def replace_keys(path: PathGeometry, start: int, stop: int, keys: Sequence[Key], same_kind: bool) -> PathGeometry:
    """The path with keys start … stop replaced. `same_kind`: the new keys say the same sort of things as the old."""
    return _rebuild(path, path.keys.spliced(start, stop, keys), start, stop, len(keys), same_kind)


def move_keys(path: PathGeometry, positions: Mapping[int, Floats]) -> PathGeometry:
    """The path with some of the keys that have places at others; nothing else that they say is looked at."""
    for start, stop in index_runs(sorted(positions)):
        rows = path.keys.rope.rows(start, stop)
        names = rows.arrays["name"] if "name" in rows.arrays else [None] * len(rows)
        coordinates = [
            parse_position(positions[index], key_label(name))
            for index, name in zip(range(start, stop), names, strict=True)
        ]
        columns = KeyColumns(len(rows), rows.arrays | {"position": np.array(coordinates)})
        path = _rebuild(
            path, Keys(path.keys.rope.spliced(start, stop, columns)), start, stop, len(rows), same_kind=True
        )
    return path


def index_runs(indices: Sequence[int]) -> list[tuple[int, int]]:
    """Increasing indices as stretches (start, stop) without gaps."""
    cuts = [index for index in range(1, len(indices)) if indices[index] > indices[index - 1] + 1]
    return [(indices[one], indices[two - 1] + 1) for one, two in pairwise([0, *cuts, len(indices)])]


def _rebuild(path: PathGeometry, new_keys: Keys, start: int, stop: int, count: int, same_kind: bool) -> PathGeometry:
    """The path through `replace_keys`, in which `count` keys are in place of the path's own start … stop."""
    arrays = path.keys.rope.chunks[0].arrays
    is_local = same_kind and "position" in arrays and path.has_all_positions
    if (
        is_local and path.closed and path.adjust in ("time", "velocity")
    ):  # the way back may take as long as the last one
        is_local = closing_span(new_keys, path.options) == closing_span(path.keys, path.options)
    rebuilt = _segments_to_rebuild(path, start, stop, count) if is_local else []
    if not rebuilt:
        return PathGeometry(drop_empty_positions(new_keys), path.options)
    check_distance(new_keys, path.options)
    if "time" in new_keys.rope.chunks[0].arrays:
        check_neighbour_times(new_keys, path.options, start, start + count)
    rope = path.rope
    for begin, end, old_end in rebuilt:
        rope = rope.spliced(begin, old_end, build_segments(new_keys, path.options, path.adjust, begin, end))
    orientation = None
    if stop - start == count == 1 and (known := path.known_orientation) is not None:
        spans = _key_spans(path, new_keys, rope, start)
        orientation = update_path_orientation(known, new_keys, path.options, path.adjust, start, spans)
    # The end tangents depend on the two keys at each end.
    return path.spliced(new_keys, rope, orientation, keeps_end_tangents=start > 1 and stop < len(path) - 1)


def _key_spans(path: PathGeometry, keys: Keys, rope: Rope[SegmentRun], index: int) -> dict[int, float]:
    """The spans of the two segments at a key, by segment: seconds or lengths, as the path adjusts."""
    segments = [index - 1, index]
    segments = [i % path.segments for i in segments] if path.closed else [i for i in segments if 0 <= i < path.segments]
    if path.adjust in ("time", "velocity"):
        times = keys.rope.whole.arrays["time"]
        closing = closing_span(keys, path.options) if path.closed else 0.0
        return {i: float(times[i + 1] - times[i]) if i + 1 < len(times) else closing for i in segments}
    ends = {i: rope.rows(i, i + 1).curve[0, :2].reshape(2, *path.shape) for i in segments}
    return {i: float(chord_lengths(positions)[0]) for i, positions in ends.items()}


def drop_empty_positions(keys: Keys) -> Keys:
    """Keys of which none has a place any more forget that they ever had."""
    rows = keys.rope.whole
    if "position" not in rows.arrays or not np.isnan(rows.arrays["position"]).all():
        return keys
    return Keys.of(list(keys))


def _segments_to_rebuild(path: PathGeometry, start: int, stop: int, count: int) -> list[tuple[int, int, int]]:
    """Runs of segments to derive again: (begin, end) in the new path, (begin, old_end) in the old; none: all."""
    before, after = path.segments, path.segments + count - (stop - start)
    begin, end, old_end = start - 2, start + count + 1, stop + 1
    if not path.closed:
        return [(max(begin, 0), min(end, after), min(old_end, before))]
    if begin >= 0 and old_end <= before and end <= after:
        return [(begin, end, old_end)]
    if count != stop - start or before < 8:
        return []
    rows = sorted({row % before for row in range(begin, end)})
    split = next((i for i in range(1, len(rows)) if rows[i] != rows[i - 1] + 1), len(rows))
    parts = [run for run in (rows[:split], rows[split:]) if run]
    return [(run[0], run[-1] + 1, run[-1] + 1) for run in parts]


def has_same_fields(old: Key, new: Key) -> bool:
    """Whether a changed key leaves the path's rules as they are: what has a place, what has a time."""
    return (old.position is None) == (new.position is None) and (old.time is None) == (new.time is None)
