"""How does a path get one key more without changing? The new key lies on the curve, and tangents by hand hold it there.

A cubic cut in two is two cubics, exactly. A curve of turns is not so obliging: see `_preserve_orientations`.
"""

from dataclasses import replace
from typing import Any

import numpy as np

from keypose.curves.checks import check_name_is_free
from keypose.curves.key import Key, Turn
from keypose.curves.key_columns import Keys
from keypose.curves.path.edits import replace_keys, with_key
from keypose.curves.path.path_geometry import PathGeometry
from keypose.curves.path.segments import closing_span
from keypose.curves.path_options import PathOptions
from keypose.errors import KeyposeError
from keypose.maths import Floats, hermite, parse_flag, parse_number


def insert(path: PathGeometry, u: float, keep_shape: bool, name: str | None) -> PathGeometry:
    """The path with a key more at u, exactly on the curve."""
    u, segment_count = parse_number(u, "The parameter of a new key"), path.segments
    if not 0 < u < segment_count or u == int(u):
        raise KeyposeError(
            f"A key was to be inserted at u = {u!r}. Give a parameter between 0 and {segment_count}, between two keys."
        )
    keep_shape = parse_flag(keep_shape, "A key was to be inserted with keep_shape")
    check_name_is_free(path.keys, name)
    gap, s = int(u), u - int(u)
    time, options = _interpolate_time(path, gap, s)
    segment = path.rope.rows(gap, gap + 1).curve[0]
    new = Key(
        None if path.keys.column("position") is None else hermite.point_and_tangent(segment, s)[0].reshape(path.shape),
        time=time,
        name=name,
        orientation=None if keep_shape or path.turns is None else path.orientation_at(np.array(u)),
    )
    fixed_keys: dict[int, Key] = {}
    if keep_shape and new.position is not None:
        before, after = hermite.split(segment, s)
        new = new.changed(arrive=before[3].reshape(path.shape), leave=after[2].reshape(path.shape))
        fixed_keys = _keys_with_manual_tangents(path, gap, s)
    if path.has_all_positions and gap + 1 < len(path) and options == path.options:
        one, two = (fixed_keys.get(key, path.keys[key]) for key in (gap, gap + 1))
        new_path = replace_keys(path, gap, gap + 2, [one, new, two], same_kind=True)
    else:
        keys = [fixed_keys.get(index, key) for index, key in enumerate(path.keys)]
        new_path = PathGeometry(Keys.of([*keys[: gap + 1], new, *keys[gap + 1 :]]), options)
    return _preserve_orientations(path, new_path, u) if keep_shape and path.turns is not None else new_path


def _positioned_neighbours(path: PathGeometry, gap: int) -> tuple[int, int]:
    """The nearest keys with a place at or before the gap's start and at or after its end; else the gap's own ends.

    On a closed path they may be counted below 0 or beyond the last: these are keys of the lap before or after.
    """
    positions = path.keys.column("position")
    if path.has_all_positions or positions is None:
        return gap, gap + 1
    positioned = np.flatnonzero(~np.isnan(positions.reshape(len(path), -1)[:, 0]))
    if path.closed:
        positioned = np.concatenate([positioned - len(path), positioned, positioned + len(path)])
    before, after = positioned[positioned <= gap], positioned[positioned > gap]
    return int(before[-1]) if len(before) else gap, int(after[0]) if len(after) else gap + 1


def _interpolate_time(path: PathGeometry, gap: int, s: float) -> tuple[float | None, PathOptions]:
    """When a key inserted at the share s of a gap comes, and the style in which a lap takes as long as before."""
    one, two = path.keys[gap].time, path.keys[(gap + 1) % len(path)].time
    options = path.options
    if path.closed and path.times is not None and gap >= len(path) - 2:
        closing = closing_span(path.keys, options)
        if gap == len(path) - 1:
            assert one is not None
            return one + s * closing, replace(options, closing=(1 - s) * closing)
        options = replace(options, closing=closing)
    if one is None or two is None or two <= one:
        return None, options
    return one + s * (two - one), options


def _keys_with_manual_tangents(path: PathGeometry, gap: int, s: float) -> dict[int, Key]:
    """The keys around a gap by index, with all their tangents set by hand to what they are once it is cut at s."""
    first, last = _positioned_neighbours(path, gap)
    fixed_keys: dict[int, Key] = {}
    for index in range(first, last + 1):
        key = path.keys[index % len(path)]
        arriving, leaving = _segment_at(path, index - 1), _segment_at(path, index)
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
            fixed_keys[index % len(path)] = key.changed(**changes)
    return fixed_keys


def _segment_at(path: PathGeometry, index: int) -> Floats | None:
    if path.closed:
        index %= path.segments
    return path.rope.rows(index, index + 1).curve[0] if 0 <= index < path.segments else None


def _preserve_orientations(path: PathGeometry, new_path: PathGeometry, u: float) -> PathGeometry:
    """The new key and the facings around it with turning tangents by hand, so that the turn stays what it was.

    Exact about one axis; otherwise near, for a de Casteljau curve of turns cannot be cut exactly; and not at all where
    a piece swings by more than half a turn, for keys turn the shorter way. Keys in between that had no facing get the
    one they passed. Where all keys have times it is exact: the new key has no facing, the turn runs on by the clock.
    """
    orientation, orientation_path = path.orientation, path.turns
    assert orientation is not None
    assert orientation_path is not None
    v = orientation.parameter_at(u)
    before = int(v)
    if v == before or not orientation_path.segments or (path.times is not None and path.adjust != "length"):
        return new_path
    one, two = (int(orientation.oriented_keys[rotation % len(orientation_path)]) for rotation in (before, before + 1))
    keys: list[int | None] = [(one + step) % len(path) for step in range((two - one) % len(path) + 1)]
    fractions = [
        0.0,
        *(
            (orientation.parameter_at(float(key)) - before) % len(orientation_path)
            for key in keys[1:-1]
            if key is not None
        ),
        1.0,
    ]
    inserted = int(u) + 1
    if path.times is None:
        keys.insert((int(u) - one) % len(path) + 1, None)
        fractions.insert((int(u) - one) % len(path) + 1, v - before)
    else:
        keys, fractions = [one, two], [0.0, 1.0]
    ends = (
        orientation_path.leave[before % len(orientation_path)],
        orientation_path.arrive[(before + 1) % len(orientation_path)],
    )
    for number, (key, fraction) in enumerate(zip(keys, fractions, strict=True)):
        angular_velocity = (
            ends[0]
            if fraction <= 0
            else ends[1]
            if fraction >= 1
            else orientation_path.angular_velocity(before + fraction)
        )
        key_orientation = None if key is None else path.keys[key].orientation
        quaternion = (
            orientation_path.at(before + fraction)
            if key_orientation is None
            else key_orientation.orientation
            if isinstance(key_orientation, Turn)
            else key_orientation
        )
        tcb = {name: getattr(key_orientation, name, None) for name in ("tension", "continuity", "bias")}
        arrive = (
            angular_velocity * (fraction - fractions[number - 1])
            if number
            else orientation_path.arrive[before % len(orientation_path)]
        )
        last = number == len(keys) - 1
        leave = (
            orientation_path.leave[(before + 1) % len(orientation_path)]
            if last
            else angular_velocity * (fractions[number + 1] - fraction)
        )
        index = inserted if key is None else key + (key >= inserted)
        new_path = with_key(new_path, index, {"orientation": Turn(quaternion, **tcb, arrive=arrive, leave=leave)})
    return new_path
