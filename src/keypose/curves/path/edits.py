"""What happens when I move a key? A new path, sharing with the old one all that the key does not touch (GL95 §3, §7).

A key shapes its own tangents and its two neighbours', so a change reaches at most two segments to either side; those
are derived again, spliced into the old path's rope of segments, and measured again if the old path was measured.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from keypose.curves.checks import check_distance, check_name_is_free, check_order_around
from keypose.curves.key import FARTHEST, Key, Turn, called, placed
from keypose.curves.key_columns import Columns, Keys
from keypose.curves.path.path_orientation import facings_after
from keypose.curves.path.segments import Stretch, chord_lengths, closing_span, segments_of
from keypose.errors import KeyposeError, shown
from keypose.maths.arrays import Floats
from keypose.maths.inputs import listed
from keypose.maths.rope import Rope

if TYPE_CHECKING:
    from keypose.curves.path.motion_path import MotionPath

FARTHEST_PULL = 4 / 27  # the largest value of h₃ and h₄: how far a tangent pulls its segment, per unit of its length


def with_key(path: "MotionPath", key: int | str, changes: dict[str, Any]) -> "MotionPath":
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
    return edited(path, index, index + 1, [new], same_kind=_same_kind(old, new))


def without_key(path: "MotionPath", key: int | str) -> "MotionPath":
    """The path with one key less."""
    index = path.keys.index(key)
    if len(path) == 2:
        raise KeyposeError("A path with two keys cannot lose one. Move the key instead, or make a new path.")
    old = path.keys[index]
    # The last key without a time takes the rule with it: then all that are left have one.
    timing_stays = old.time is not None or "time" not in path.keys.rope.strands[0].of
    return edited(path, index, index + 1, [], same_kind=old.position is not None and timing_stays)


@dataclass(frozen=True, eq=False)
class Lost:
    """What going back from manual tangents to TCB would throw away."""

    key: int
    sides: tuple[str, ...]
    tangents: tuple[Floats, ...]
    tcb: tuple[Floats, ...]
    moves: float
    turning: tuple[str, ...] = ()

    def __str__(self) -> str:
        turn = f"Key {self.key} has its turn's {' and '.join(self.turning)} set by hand. " if self.turning else ""
        if not self.sides:
            return f"{turn}Going back to TCB, with a facing in place of the Turn, loses that."
        sides = " and ".join(self.sides)
        tangents, them = ("tangents", "them") if len(self.sides) > 1 else ("tangent", "it")
        return turn + (
            f"Key {self.key} has its {sides} {tangents} set by hand. "
            f"Going back to TCB loses {them} and moves the curve by up to {self.moves:.3g} m."
        )


def lost_by_tcb(path: "MotionPath", key: int | str) -> Lost | None:
    """What `with_key(key, arrive=None, leave=None)` would lose; None if nothing."""
    index = path.keys.index(key)
    sides = tuple(side for side in ("arrive", "leave") if getattr(path.keys[index], side) is not None)
    turn = path.keys[index].orientation
    turning = tuple(side for side in ("arrive", "leave") if isinstance(turn, Turn) and getattr(turn, side) is not None)
    if not sides:
        return Lost(index, (), (), (), 0.0, turning) if turning else None
    back = with_key(path, index, dict.fromkeys(sides))
    tangents = tuple(getattr(path, side)[index] for side in sides)
    tcb = tuple(getattr(back, side)[index] for side in sides)
    pulls = [np.linalg.norm(mine - theirs, axis=-1).max() for mine, theirs in zip(tangents, tcb, strict=True)]
    return Lost(index, sides, tangents, tcb, FARTHEST_PULL * float(max(pulls)), turning)


def timed(path: "MotionPath", times: Floats, closing: float | None) -> "MotionPath":
    """The path as if its keys had these times; tangents by length or chord stay what they are."""
    whole = path.keys.rope.whole
    moments = listed(times, "The times of a path's keys", "seconds such as [0, 0.5, 2]")
    if len(moments) != len(whole):
        raise KeyposeError(f"There are {len(moments)} times for a path of {len(whole)} keys. Give one per key.")
    if not (np.abs(moments) <= FARTHEST).all():
        raise KeyposeError(f"The times of a path's keys are {shown(moments)}. Give finite seconds, up to {FARTHEST:g}.")
    keys = Keys(Rope(Columns(len(whole), whole.of | {"time": moments})))
    return type(path)._made(keys, replace(path.style, closing=closing))


def edited(path: "MotionPath", start: int, stop: int, keys: Sequence[Key], same_kind: bool) -> "MotionPath":
    """The path with keys start … stop replaced. `same_kind`: the new keys say the same sort of things as the old."""
    return _derived(path, path.keys.spliced(start, stop, keys), start, stop, len(keys), same_kind)


def moved(path: "MotionPath", places: Mapping[int, Floats]) -> "MotionPath":
    """The path with some of the keys that have places at others; nothing else that they say is looked at."""
    for start, stop in runs(sorted(places)):
        rows = path.keys.rope.rows(start, stop)
        names = rows.of["name"] if "name" in rows.of else [None] * len(rows)
        there = [placed(places[index], called(name)) for index, name in zip(range(start, stop), names, strict=True)]
        moved = Columns(len(rows), rows.of | {"position": np.array(there)})
        path = _derived(path, Keys(path.keys.rope.spliced(start, stop, moved)), start, stop, len(rows), same_kind=True)
    return path


def runs(indices: Sequence[int]) -> list[tuple[int, int]]:
    """Increasing indices as stretches (start, stop) without gaps."""
    cuts = [at for at in range(1, len(indices)) if indices[at] > indices[at - 1] + 1]
    return [(indices[one], indices[two - 1] + 1) for one, two in pairwise([0, *cuts, len(indices)])]


def _derived(path: "MotionPath", edited: Keys, start: int, stop: int, count: int, same_kind: bool) -> "MotionPath":
    """The path through `edited`, in which `count` keys are in place of the path's own start … stop."""
    words = path.keys.rope.strands[0].of
    local = same_kind and "position" in words and path._all_placed
    if local and path.closed and path.adjust in ("time", "velocity"):  # the way back may take as long as the last one
        local = closing_span(edited, path.style) == closing_span(path.keys, path.style)
    changed = _touched(path, start, stop, count) if local else []
    if not changed:
        return type(path)._made(_without_empty(edited), path.style)
    check_distance(edited, path.style)
    if "time" in edited.rope.strands[0].of:
        check_order_around(edited, path.style, start, start + count)
    rope = path._rope
    for begin, end, old_end in changed:
        rope = rope.spliced(begin, old_end, segments_of(edited, path.style, path.adjust, begin, end))
    parts = {"_rope": rope, "_shape": path.shape, "_adjust": path.adjust, "_all_placed": True}
    if stop - start == count == 1 and path.__dict__.get("_facings") is not None:
        spans = _spans_at(path, edited, rope, start)
        turned = facings_after(path.__dict__["_facings"], edited, path.style, path.adjust, start, spans)
        parts |= {} if turned is None else {"_facings": turned}
    if start > 1 and stop < len(path) - 1 and "_end_tangents" in path.__dict__:  # they hang on the two keys at each end
        parts["_end_tangents"] = path._end_tangents
    return type(path)._made(edited, path.style, **parts)


def _spans_at(path: "MotionPath", keys: Keys, rope: Rope[Stretch], index: int) -> dict[int, float]:
    """The spans of the two segments at a key, by segment: seconds or lengths, as the path adjusts."""
    segments = [index - 1, index]
    segments = [i % path.segments for i in segments] if path.closed else [i for i in segments if 0 <= i < path.segments]
    if path.adjust in ("time", "velocity"):
        times = keys.rope.whole.of["time"]
        closing = closing_span(keys, path.style) if path.closed else 0.0
        return {i: float(times[i + 1] - times[i]) if i + 1 < len(times) else closing for i in segments}
    ends = {i: rope.rows(i, i + 1).curve[0, :2].reshape(2, *path.shape) for i in segments}
    return {i: float(chord_lengths(places)[0]) for i, places in ends.items()}


def _without_empty(keys: Keys) -> Keys:
    """Keys of which none has a place any more forget that they ever had."""
    rows = keys.rope.whole
    if "position" not in rows.of or not np.isnan(rows.of["position"]).all():
        return keys
    return Keys.of(list(keys))


def _touched(path: "MotionPath", start: int, stop: int, count: int) -> list[tuple[int, int, int]]:
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
    runs = [run for run in (rows[:split], rows[split:]) if run]
    return [(run[0], run[-1] + 1, run[-1] + 1) for run in runs]


def _same_kind(old: Key, new: Key) -> bool:
    """Whether a changed key leaves the path's rules as they are: what has a place, what has a time."""
    return (old.position is None) == (new.position is None) and (old.time is None) == (new.time is None)
