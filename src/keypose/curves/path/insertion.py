"""How does a path get one key more without changing? The new key lies on the curve, and tangents by hand hold it there.

A cubic cut in two is two cubics, exactly. A curve of turns is not so obliging: see `_turn_held`.
"""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from keypose.curves.checks import check_name_is_free
from keypose.curves.key import Key, Turn
from keypose.curves.key_columns import Keys
from keypose.curves.path.edits import edited, with_key
from keypose.curves.path.segments import closing_span
from keypose.curves.path_options import Style
from keypose.errors import KeyposeError
from keypose.maths import hermite
from keypose.maths.arrays import Floats
from keypose.maths.inputs import flag, number

if TYPE_CHECKING:
    from keypose.curves.path.motion_path import MotionPath


def insert(path: "MotionPath", u: float, keep_shape: bool, name: str | None) -> "MotionPath":
    """The path with a key more at u, exactly on the curve."""
    u, top = number(u, "The parameter of a new key"), path.segments
    if not 0 < u < top or u == int(u):
        raise KeyposeError(
            f"A key was to be inserted at u = {u!r}. Give a parameter between 0 and {top}, between two keys."
        )
    keep_shape = flag(keep_shape, "A key was to be inserted with keep_shape")
    check_name_is_free(path.keys, name)
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
        made = edited(path, gap, gap + 2, [one, new, two], same_kind=True)
    else:
        keys = [held.get(index, key) for index, key in enumerate(path.keys)]
        made = type(path)._made(Keys.of([*keys[: gap + 1], new, *keys[gap + 1 :]]), style)
    return _turn_held(path, made, u) if keep_shape and path.turns is not None else made


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
