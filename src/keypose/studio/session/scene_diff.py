"""What has changed from one scene to the next, said as briefly as a journal needs it? Actors, and of long paths only
the keys that differ, in the words of the scene file.

Results are kept and not gestures, so that what is played again is the same to the last bit, whatever computed it.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from keypose.curves import KeyColumns, Keys, MotionPath
from keypose.document import Rows, actor_object, header_object, key_objects, scene_object
from keypose.maths import Bools, Rope
from keypose.motion import RecordedMotion
from keypose.stage import Actor, SceneStyle, Stage
from keypose.studio.preview.dependents import source_actors

SceneDict = dict[str, Any]
SceneDiff = dict[str, Any]


def diff_scenes(before: Stage, after: Stage) -> SceneDiff:
    """What must be done to the one to get the other; what a scene file cannot hold is refused."""
    diff: SceneDiff = {}
    order = [actor.name for actor in after.actors]
    if [actor.name for actor in before.actors] != order:
        diff["order"] = order
    same = before.connections is after.connections and before.script is after.script and _same_fields(before, after)
    if before.style != after.style or before.gravity != after.gravity or not same:
        diff["head"] = _to_plain(header_object(after))
    same_words = before.style == after.style
    old = source_actors(before) if same_words else {}
    changed_actors = [actor for actor in after.actors if old.get(actor.name) is not actor]
    if changed_actors:
        diff["actors"] = [_actor_diff(old.get(actor.name), actor, after.style) for actor in changed_actors]
    return diff


def _same_fields(before: Stage, after: Stage) -> bool:
    """Whether the same pushes, and in the same order; the very same ones, for -0.0 equals 0.0."""
    same = [*before.fields] == [*after.fields]
    return same and all(field is after.fields[name] for name, field in before.fields.items())


def apply_diff(scene: SceneDict, diff: SceneDiff) -> SceneDict:
    """The scene, as plain values, after a difference."""
    head = diff.get("head", {option: value for option, value in scene.items() if option != "actors"})
    actors = {actor["name"]: actor for actor in scene["actors"]}
    for actor_diff in diff.get("actors", ()):
        actors[actor_diff["name"]] = _merge_actor(actors, actor_diff)
    order = diff.get("order", actors)
    return {**head, "actors": [actors[name] for name in order]}


def plain_scene(stage: Stage) -> SceneDict:
    """A stage as plain values that JSON can hold."""
    plain: SceneDict = _to_plain(scene_object(stage))
    return plain


def _merge_actor(actors: Mapping[str, Any], actor_diff: dict[str, Any]) -> dict[str, Any]:
    """An actor after a difference; `keys` of its path are put in place of some that it had."""
    if "keys_from" not in actor_diff:
        return actor_diff
    rest = {name: value for name, value in actor_diff.items() if name not in ("keys_from", "keys_to")}
    old, path = actors[actor_diff["name"]]["path"]["keys"], dict(rest["path"])
    keys = [*old[: actor_diff["keys_from"]], *path.pop("keys"), *old[actor_diff["keys_to"] :]]
    return {**rest, "path": {**path, "keys": keys}}


def _actor_diff(old: Actor | None, new: Actor, style: SceneStyle) -> dict[str, Any]:
    diff = actor_object(new, style)
    before, after = _actor_path(old), _actor_path(new)
    if before is not None and after is not None:
        start, stop, end = _changed_range(before.keys.rope.whole, after.keys.rope.whole)
        if start or stop < len(before):
            some = Keys(Rope(after.keys.rope.whole.sliced(start, end)))
            diff["path"]["keys"] = list(key_objects(some, style.names)) if len(some) else []
            return {**_to_plain(diff), "keys_from": start, "keys_to": stop}
    plain: dict[str, Any] = _to_plain(diff)
    return plain


def _actor_path(actor: Actor | None) -> MotionPath | None:
    motion = None if actor is None else actor.motion
    return None if motion is None or isinstance(motion, RecordedMotion) else motion.spec[0]


def _changed_range(before: KeyColumns, after: KeyColumns) -> tuple[int, int, int]:
    """Keys start … stop before are start … end after; outside of these both are the same."""
    if len(before) == len(after):
        other = np.flatnonzero(~_equal_rows(before, after, slice(None), slice(None))).tolist()
        return (other[0], other[-1] + 1, other[-1] + 1) if other else (len(before),) * 3
    count = min(len(before), len(after))
    first = _equal_rows(before, after, slice(0, count), slice(0, count))
    start = int(np.argmin(first)) if not first.all() else count
    last = _equal_rows(before, after, slice(len(before) - count, None), slice(len(after) - count, None))[::-1]
    equal = int(np.argmin(last)) if not last.all() else count
    equal = min(equal, count - start)
    return start, len(before) - equal, len(after) - equal


def _equal_rows(before: KeyColumns, after: KeyColumns, rows_before: slice, rows_after: slice) -> Bools:
    """Of each pair of keys, whether they say the same to the last bit."""
    same = np.ones(len(range(*rows_before.indices(len(before)))), dtype=bool)
    for column in before.arrays.keys() | after.arrays.keys():
        first, second = before.arrays.get(column), after.arrays.get(column)
        if first is None or second is None:
            only = (
                first[rows_before]
                if second is None and first is not None
                else None
                if second is None
                else second[rows_after]
            )
            assert only is not None
            same &= _unset_rows(only)
            continue
        first, second = first[rows_before], second[rows_after]
        if first.shape != second.shape:
            return np.zeros(len(same), dtype=bool)
        same &= _equal_values(first, second)
    return same


def _equal_values(one: NDArray[Any], two: NDArray[Any]) -> Bools:
    if one.dtype == np.float64:  # bits: NaN is unset, and -0.0 is written otherwise than 0.0
        same = np.ascontiguousarray(one).view(np.int64) == np.ascontiguousarray(two).view(np.int64)
        if not same.all():
            same |= np.isnan(one) & np.isnan(two)
        return np.asarray(same.reshape(len(one), -1).all(axis=1))
    return np.asarray((one == two).reshape(len(one), -1).all(axis=1))


def _unset_rows(column: NDArray[Any]) -> Bools:
    """Of each key, whether it says nothing in this column."""
    if column.dtype == np.float64:
        return np.asarray(np.isnan(column).reshape(len(column), -1).all(axis=1))
    default = True if column.dtype == bool else None
    return np.array([value is default or value == default for value in column.tolist()], dtype=bool)


def _to_plain(value: Any) -> Any:
    """Values with long lists in place of what is written row by row."""
    if isinstance(value, Rows):
        return list(value.items)
    if isinstance(value, dict):
        return {option: _to_plain(one) for option, one in value.items()}
    return (
        [_to_plain(one) for one in value] if isinstance(value, list) and value and isinstance(value[0], dict) else value
    )
