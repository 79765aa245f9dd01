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
from keypose.curves.orientation import Orientation
from keypose.curves.segments import segments_of
from keypose.curves.style import Style
from keypose.errors import KeyposeError
from keypose.maths import hermite
from keypose.maths.rope import Rope

if TYPE_CHECKING:
    from keypose.curves.motion_path import MotionPath

Floats = NDArray[np.float64]
FARTHEST_PULL = 4 / 27  # the largest value of h₃ and h₄: how far a tangent pulls its segment, per unit of its length


def check(keys: Keys, style: Style) -> None:
    """Refuse keys that make no path, with a sentence."""
    if len(keys) < 2:
        raise KeyposeError(f"A path has {len(keys)} key{'' if len(keys) == 1 else 's'}. Give at least two.")
    times = keys.column("time")
    known = np.flatnonzero(~np.isnan(times)) if times is not None else np.array([], dtype=np.int64)
    if times is not None:
        late = np.flatnonzero(np.diff(times[known]) <= 0)
        if len(late):
            one, two = known[late[0]], known[late[0] + 1]
            raise KeyposeError(
                f"Key {one} is at {times[one]:g} s and key {two} at {times[two]:g} s. "
                "Times must increase from key to key."
            )
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
    if new.position is not None and new.position.shape != path.shape:
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
    return _edited(path, index, index + 1, [], same_kind=old.position is not None and old.time is None)


def insert(path: "MotionPath", u: float, keep_shape: bool, name: str | None) -> "MotionPath":
    """The path with a key more at u, exactly on the curve."""
    top = path.segments
    if not 0 < u < top or u == int(u):
        raise KeyposeError(
            f"A key was to be inserted at u = {u!r}. Give a parameter between 0 and {top}, between two keys."
        )
    gap, s = int(u), u - int(u)
    first, last = _placed_around(path, gap)
    keys = [path.keys[i % len(path)] for i in range(first, last + 1)]
    time = _time_between(keys[gap - first], keys[gap - first + 1], s)
    segment = path._rope.rows(gap, gap + 1).curve[0]
    place = hermite.part(segment, s)[0].reshape(path.shape)
    faced = not (path.times is not None and keep_shape)
    new = Key(
        None if path.keys.column("position") is None else place,
        time=time,
        name=name,
        orientation=_facing_between(path, u) if faced and not keep_shape else None,
    )
    if keep_shape and new.position is not None:
        keys = _held_in_shape(path, keys, first, gap, s, new)
    else:
        keys.insert(gap - first + 1, new)
    if last == len(path):  # into the closing segment: the new key comes last, the first key is last in `keys`
        edited = [keys[-1], *path.keys[1:first], *keys[:-1]] if first else keys[:-1]
        made = type(path)._made(Keys.of(edited), path.style)
    else:
        made = _edited(path, first, last + 1, keys, same_kind=True)
    return _turn_held(path, made, u) if keep_shape and faced and path.turns is not None else made


@dataclass(frozen=True)
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
    local = same_kind and "position" in path.keys.rope.strands[0].of and path._all_placed
    changed = _touched(path, start, stop, len(keys)) if local else []
    if not changed:
        return type(path)._made(edited, path.style)
    for index in (*range(start, start + len(keys)), start + len(keys)):
        _check_order(edited, index)
    rope = path._rope
    for begin, end, old_end in changed:
        rope = rope.spliced(begin, old_end, segments_of(edited, path.style, path.adjust, begin, end))
    return type(path)._made(edited, path.style, _rope=rope, _shape=path.shape, _adjust=path.adjust, _all_placed=True)


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


def _check_order(keys: Keys, index: int) -> None:
    """A changed time must still come after the one before it."""
    if "time" not in keys.rope.strands[0].of or not 0 < index < len(keys):
        return
    one, two = keys.rope.rows(index - 1, index + 1).of["time"]
    if two <= one:
        raise KeyposeError(
            f"Key {index - 1} is at {one:g} s and key {index} at {two:g} s. Times must increase from key to key."
        )


def _placed_around(path: "MotionPath", gap: int) -> tuple[int, int]:
    """The nearest keys with a place at or before the gap's start and at or after its end; else the gap's own ends."""
    if path._all_placed:
        return gap, gap + 1
    places = path.keys.column("position")
    if places is None:
        return gap, gap + 1
    placed = np.flatnonzero(~np.isnan(places.reshape(len(path), -1)[:, 0]))
    before, after = placed[placed <= gap], placed[placed > gap]
    return int(before[-1]) if len(before) else gap, int(after[0]) if len(after) else gap + 1


def _time_between(one: Key, two: Key, s: float) -> float | None:
    return (
        None if one.time is None or two.time is None or two.time <= one.time else one.time + s * (two.time - one.time)
    )


def _held_in_shape(path: "MotionPath", keys: list[Key], first: int, gap: int, s: float, new: Key) -> list[Key]:
    """The keys around a gap with all their tangents set by hand to what they are, and the new key on the curve."""
    held = []
    for offset, key in enumerate(keys):
        index = first + offset
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
        held.append(key.changed(**changes) if key.position is not None or "position" in changes else key)
        if index == gap:
            before, after = hermite.split(path._rope.rows(gap, gap + 1).curve[0], s)
            held.append(new.changed(arrive=before[3].reshape(path.shape), leave=after[2].reshape(path.shape)))
    return held


def _segment(path: "MotionPath", index: int) -> Floats | None:
    if path.closed:
        index %= path.segments
    return path._rope.rows(index, index + 1).curve[0] if 0 <= index < path.segments else None


def _facing_between(path: "MotionPath", u: float) -> Orientation | None:
    return None if path.turns is None else Orientation.of(path.orientation_at(u))


def _turn_held(path: "MotionPath", made: "MotionPath", u: float) -> "MotionPath":
    """The new key and the facings around it with turning tangents by hand, so that the turn stays what it was.

    Exact about one axis; otherwise near, for a de Casteljau curve of turns cannot be cut exactly. Paths whose keys all
    have times need none of this: there the new key has no facing and the turn runs through it unchanged.
    """
    facings, turns = path._facings, path.turns
    assert facings is not None
    assert turns is not None
    v = facings.own(u)
    before, x = int(v), v - int(v)
    if x == 0 or not turns.segments:
        return made
    faced = facings.faced
    spin = turns.spin(v)
    inserted = int(u) + 1

    def moved(key: int) -> int:
        return key + 1 if key >= inserted else key

    one, two = faced[before % len(faced)], faced[(before + 1) % len(faced)]
    facing = Turn(_facing_between(path, u), arrive=spin * x, leave=spin * (1 - x))  # type: ignore[arg-type]
    made = with_key(made, inserted, {"orientation": facing})
    sides = {
        one: {"arrive": turns.arrive[before % len(faced)], "leave": turns.leave[before % len(faced)] * x},
        two: {
            "arrive": turns.arrive[(before + 1) % len(faced)] * (1 - x),
            "leave": turns.leave[(before + 1) % len(faced)],
        },
    }
    for key, tangents in sides.items():
        said = path.keys[key].orientation
        assert said is not None
        shaping = {w: getattr(said, w) for w in ("tension", "continuity", "bias")} if isinstance(said, Turn) else {}
        where = said.orientation if isinstance(said, Turn) else said
        made = with_key(made, moved(key), {"orientation": Turn(where, **shaping, **tangents)})
    return made
