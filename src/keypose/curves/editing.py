"""What happens when I move a key? A new path, sharing with the old one all that the key does not touch (GL95 §3, §7).

A key shapes its own tangents and its two neighbours', so a change reaches at most two segments to either side; those
are derived again, spliced into the old path's rope of segments, and measured again if the old path was measured.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from keypose.curves.key import Key, Turn
from keypose.curves.keys import Columns, Keys
from keypose.curves.segments import closing_span, segments_of
from keypose.curves.style import Style
from keypose.errors import KeyposeError
from keypose.maths import hermite
from keypose.maths.given import number
from keypose.maths.rope import Rope

if TYPE_CHECKING:
    from keypose.curves.motion_path import MotionPath

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
FARTHEST_PULL = 4 / 27  # the largest value of h₃ and h₄: how far a tangent pulls its segment, per unit of its length


def check(keys: Keys, style: Style) -> None:
    """Refuse keys that make no path, with a sentence."""
    if len(keys) < 2:
        raise KeyposeError(f"A path has {len(keys)} key{'' if len(keys) == 1 else 's'}. Give at least two.")
    times = keys.column("time")
    known = np.flatnonzero(~np.isnan(times)) if times is not None else np.array([], dtype=np.int64)
    if times is not None:
        _check_order(known, times[known])
    if style.adjust in ("time", "velocity") and len(known) < len(keys):
        missing = np.setdiff1d(np.arange(len(keys)), known)[0]
        raise KeyposeError(
            f'adjust="{style.adjust}" needs a time for every key, and key {missing} has none. '
            'Give it one, or use adjust="length".'
        )
    names = keys.column("name")
    if names is not None:
        seen: dict[str, int] = {}
        for index, name in enumerate(names):
            if name is not None and seen.setdefault(name, index) != index:
                raise KeyposeError(f"Keys {seen[name]} and {index} are both named {name!r}. Give each its own name.")


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
    return _edited(path, index, index + 1, [new], same_kind=_same_kind(old, new) and old.name == new.name)


def without_key(path: "MotionPath", key: int | str) -> "MotionPath":
    """The path with one key less."""
    index = path.keys.index(key)
    if len(path) == 2:
        raise KeyposeError("A path with two keys cannot lose one. Move the key instead, or make a new path.")
    old = path.keys[index]
    # The last key without a time takes the rule with it: then all that are left have one.
    timing_stays = old.time is not None or "time" not in path.keys.rope.strands[0].of
    return _edited(path, index, index + 1, [], same_kind=old.position is not None and timing_stays)


def insert(path: "MotionPath", u: float, keep_shape: bool, name: str | None) -> "MotionPath":
    """The path with a key more at u, exactly on the curve."""
    u, top = number(u, "The parameter of a new key"), path.segments
    if not 0 < u < top or u == int(u):
        raise KeyposeError(
            f"A key was to be inserted at u = {u!r}. Give a parameter between 0 and {top}, between two keys."
        )
    _check_fresh(path.keys, name)
    gap, s = int(u), u - int(u)
    time, style = _time_between(path, gap, s)
    segment = path._rope.rows(gap, gap + 1).curve[0]
    new = Key(
        None if path.keys.column("position") is None else hermite.part(segment, s)[0].reshape(path.shape),
        time=time,
        name=name,
        orientation=None if keep_shape or path.turns is None else path.orientation_at(u),
    )
    held: dict[int, Key] = {}
    if keep_shape and new.position is not None:
        before, after = hermite.split(segment, s)
        new = new.changed(arrive=before[3].reshape(path.shape), leave=after[2].reshape(path.shape))
        held = _held_in_shape(path, gap, s)
    if path._all_placed and gap + 1 < len(path) and style == path.style:
        one, two = (held.get(key, path.keys[key]) for key in (gap, gap + 1))
        made = _edited(path, gap, gap + 2, [one, new, two], same_kind=True)
    else:
        keys = [held.get(index, key) for index, key in enumerate(path.keys)]
        made = type(path)._made(Keys.of([*keys[: gap + 1], new, *keys[gap + 1 :]]), style)
    return _turn_held(path, made, u) if keep_shape and path.turns is not None else made


@dataclass(frozen=True, eq=False)
class Lost:
    """What going back from manual tangents to TCB would throw away."""

    key: int
    sides: tuple[str, ...]
    tangents: tuple[Floats, ...]
    tcb: tuple[Floats, ...]
    moves: float

    def __str__(self) -> str:
        sides = " and ".join(self.sides)
        tangents, them = ("tangents", "them") if len(self.sides) > 1 else ("tangent", "it")
        return (
            f"Key {self.key} has its {sides} {tangents} set by hand. "
            f"Going back to TCB loses {them} and moves the curve by up to {self.moves:.3g} m."
        )


def lost_by_tcb(path: "MotionPath", key: int | str) -> Lost | None:
    """What `with_key(key, arrive=None, leave=None)` would lose; None if nothing."""
    index = path.keys.index(key)
    sides = tuple(side for side in ("arrive", "leave") if getattr(path.keys[index], side) is not None)
    if not sides:
        return None
    back = with_key(path, index, dict.fromkeys(sides))
    tangents = tuple(getattr(path, side)[index] for side in sides)
    tcb = tuple(getattr(back, side)[index] for side in sides)
    pulls = [np.linalg.norm(mine - theirs, axis=-1).max() for mine, theirs in zip(tangents, tcb, strict=True)]
    return Lost(index, sides, tangents, tcb, FARTHEST_PULL * float(max(pulls)))


def timed(path: "MotionPath", times: Floats, closing: float | None) -> "MotionPath":
    """The path as if its keys had these times; tangents by length or chord stay what they are."""
    whole = path.keys.rope.whole
    keys = Keys(Rope(Columns(len(whole), whole.of | {"time": np.array(times, dtype=np.float64)})))
    return type(path)._made(keys, replace(path.style, closing=closing))


def _edited(path: "MotionPath", start: int, stop: int, keys: Sequence[Key], same_kind: bool) -> "MotionPath":
    """The path with keys start … stop replaced. `same_kind`: the new keys say the same sort of things as the old."""
    edited = path.keys.spliced(start, stop, keys)
    words = path.keys.rope.strands[0].of
    local = same_kind and "position" in words and path._all_placed
    if local and path.closed and path.adjust in ("time", "velocity"):  # the way back may take as long as the last one
        local = closing_span(edited, path.style) == closing_span(path.keys, path.style)
    changed = _touched(path, start, stop, len(keys)) if local else []
    if not changed:
        return type(path)._made(_without_empty(edited), path.style)
    if "time" in words:
        _check_order_around(edited, path.style, start, start + len(keys))
    rope = path._rope
    for begin, end, old_end in changed:
        rope = rope.spliced(begin, old_end, segments_of(edited, path.style, path.adjust, begin, end))
    return type(path)._made(edited, path.style, _rope=rope, _shape=path.shape, _adjust=path.adjust, _all_placed=True)


def _without_empty(keys: Keys) -> Keys:
    """Keys of which none has a place any more forget that they ever had."""
    rows = keys.rope.whole
    if "position" not in rows.of or not np.isnan(rows.of["position"]).all():
        return keys
    kept = {word: column for word, column in rows.of.items() if word not in ("position", "arrive", "leave")}
    return Keys(Rope(Columns(len(rows), kept)))


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


def _check_order(keys: Ints, times: Floats) -> None:
    """Times of these keys must increase."""
    late = np.flatnonzero(np.diff(times) <= 0)
    if len(late):
        one, two = late[0], late[0] + 1
        raise KeyposeError(
            f"Key {keys[one]} is at {times[one]:g} s and key {keys[two]} at {times[two]:g} s. "
            "Times must increase from key to key."
        )


def _check_order_around(keys: Keys, style: Style, start: int, stop: int) -> None:
    """Changed times must fit in with their neighbours'."""
    first, last = max(start - 1, 0), min(stop + 1, len(keys))
    times = keys.rope.rows(first, last).of["time"]
    if np.isnan(times).any():
        check(keys, style)  # the nearest key with a time may be anywhere
    else:
        _check_order(np.arange(first, last), times)


def _check_fresh(keys: Keys, name: str | None) -> None:
    """A new key needs a name of its own."""
    if name is None:
        return
    for start, strand in zip(keys.rope.starts, keys.rope.strands, strict=False):
        for taken in np.flatnonzero(strand.of["name"] == name) if "name" in strand.of else ():
            raise KeyposeError(f"Key {start + taken} is named {name!r} already. Give the new key its own name.")


def _placed_around(path: "MotionPath", gap: int) -> tuple[int, int]:
    """The nearest keys with a place at or before the gap's start and at or after its end; else the gap's own ends.

    On a closed path they may be counted below 0 or beyond the last: these are keys of the lap before or after.
    """
    places = path.keys.column("position")
    if path._all_placed or places is None:
        return gap, gap + 1
    placed = np.flatnonzero(~np.isnan(places.reshape(len(path), -1)[:, 0]))
    if path.closed:
        placed = np.concatenate([placed - len(path), placed, placed + len(path)])
    before, after = placed[placed <= gap], placed[placed > gap]
    return int(before[-1]) if len(before) else gap, int(after[0]) if len(after) else gap + 1


def _time_between(path: "MotionPath", gap: int, s: float) -> tuple[float | None, Style]:
    """When a key inserted at the share s of a gap comes, and the style in which a lap takes as long as before."""
    one, two = path.keys[gap].time, path.keys[(gap + 1) % len(path)].time
    style = path.style
    if path.closed and path.times is not None and gap >= len(path) - 2:
        closing = closing_span(path.keys, style)
        if gap == len(path) - 1:
            assert one is not None
            return one + s * closing, replace(style, closing=(1 - s) * closing)
        style = replace(style, closing=closing)
    if one is None or two is None or two <= one:
        return None, style
    return one + s * (two - one), style


def _held_in_shape(path: "MotionPath", gap: int, s: float) -> dict[int, Key]:
    """The keys around a gap by index, with all their tangents set by hand to what they are once it is cut at s."""
    first, last = _placed_around(path, gap)
    held: dict[int, Key] = {}
    for index in range(first, last + 1):
        key = path.keys[index % len(path)]
        arriving, leaving = _segment(path, index - 1), _segment(path, index)
        changes: dict[str, Any] = {}
        if key.position is None and arriving is not None and leaving is not None:
            changes["position"] = leaving[0].reshape(path.shape)
        if arriving is not None:
            tangent = arriving[3] * (1 - s) if index == gap + 1 else arriving[3]
            changes["arrive"] = tangent.reshape(path.shape)
        if leaving is not None:
            tangent = leaving[2] * s if index == gap else leaving[2]
            changes["leave"] = tangent.reshape(path.shape)
        if key.position is not None or "position" in changes:
            held[index % len(path)] = key.changed(**changes)
    return held


def _segment(path: "MotionPath", index: int) -> Floats | None:
    if path.closed:
        index %= path.segments
    return path._rope.rows(index, index + 1).curve[0] if 0 <= index < path.segments else None


def _turn_held(path: "MotionPath", made: "MotionPath", u: float) -> "MotionPath":
    """The new key and the facings around it with turning tangents by hand, so that the turn stays what it was.

    Exact about one axis; otherwise near, for a de Casteljau curve of turns cannot be cut exactly; and not at all where
    a piece swings by more than half a turn, for keys turn the shorter way. Keys in between that had no facing get the
    one they passed. Where all keys have times it is exact: the new key has no facing, the turn runs on by the clock.
    """
    facings, turns = path._facings, path.turns
    assert facings is not None
    assert turns is not None
    v = facings.own(u)
    before = int(v)
    if v == before or not turns.segments or (path.times is not None and path.adjust != "length"):
        return made
    one, two = (int(facings.faced[turn % len(turns)]) for turn in (before, before + 1))
    keys: list[int | None] = [(one + step) % len(path) for step in range((two - one) % len(path) + 1)]
    shares = [0.0, *((facings.own(float(key)) - before) % len(turns) for key in keys[1:-1] if key is not None), 1.0]
    inserted = int(u) + 1
    if path.times is None:
        keys.insert((int(u) - one) % len(path) + 1, None)
        shares.insert((int(u) - one) % len(path) + 1, v - before)
    else:
        keys, shares = [one, two], [0.0, 1.0]
    ends = turns.leave[before % len(turns)], turns.arrive[(before + 1) % len(turns)]
    for place, (key, share) in enumerate(zip(keys, shares, strict=True)):
        spin = ends[0] if share <= 0 else ends[1] if share >= 1 else turns.spin(before + share)
        said = None if key is None else path.keys[key].orientation
        where = turns.at(before + share) if said is None else said.orientation if isinstance(said, Turn) else said
        shaping = {word: getattr(said, word, None) for word in ("tension", "continuity", "bias")}
        arrive = spin * (share - shares[place - 1]) if place else turns.arrive[before % len(turns)]
        last = place == len(keys) - 1
        leave = turns.leave[(before + 1) % len(turns)] if last else spin * (shares[place + 1] - share)
        index = inserted if key is None else key + (key >= inserted)
        made = with_key(made, index, {"orientation": Turn(where, **shaping, arrive=arrive, leave=leave)})
    return made
