"""What has changed from one scene to the next, said as briefly as a journal needs it? Actors, and of long paths only
the keys that differ, in the words of the scene file.

Results are kept and not gestures, so that what is played again is the same to the last bit, whatever computed it.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from keypose.curves.key_columns import Columns, Keys
from keypose.curves.path.motion_path import MotionPath
from keypose.document.actors import actor_object
from keypose.document.motion.key_objects import key_objects
from keypose.document.scene import head_object, scene_object
from keypose.document.text.layout import Rows
from keypose.maths.rope import Rope
from keypose.motion.take import Recorded
from keypose.stage.actor import Actor
from keypose.stage.scene_style import SceneStyle
from keypose.stage.stage import Stage
from keypose.studio.preview.dependents import said_by

Scene = dict[str, Any]
Difference = dict[str, Any]


def difference(before: Stage, after: Stage) -> Difference:
    """What must be done to the one to get the other; what a scene file cannot hold is refused."""
    made: Difference = {}
    order = [actor.name for actor in after.actors]
    if [actor.name for actor in before.actors] != order:
        made["order"] = order
    same = before.connections is after.connections and before.script is after.script and _same_fields(before, after)
    if before.style != after.style or before.gravity != after.gravity or not same:
        made["head"] = _plain(head_object(after))
    same_words = before.style == after.style
    old = said_by(before) if same_words else {}
    changed = [actor for actor in after.actors if old.get(actor.name) is not actor]
    if changed:
        made["actors"] = [_actor(old.get(actor.name), actor, after.style) for actor in changed]
    return made


def _same_fields(before: Stage, after: Stage) -> bool:
    """Whether the same pushes, and in the same order; the very same ones, for -0.0 equals 0.0."""
    same = [*before.fields] == [*after.fields]
    return same and all(field is after.fields[name] for name, field in before.fields.items())


def applied(scene: Scene, difference: Difference) -> Scene:
    """The scene, as plain values, after a difference."""
    head = difference.get("head", {word: value for word, value in scene.items() if word != "actors"})
    actors = {actor["name"]: actor for actor in scene["actors"]}
    for said in difference.get("actors", ()):
        actors[said["name"]] = _said(actors, said)
    order = difference.get("order", actors)
    return {**head, "actors": [actors[name] for name in order]}


def plain_scene(stage: Stage) -> Scene:
    """A stage as plain values that JSON can hold."""
    plain: Scene = _plain(scene_object(stage))
    return plain


def _said(actors: Mapping[str, Any], said: dict[str, Any]) -> dict[str, Any]:
    """An actor after a difference; `keys` of its path are put in place of some that it had."""
    if "keys_from" not in said:
        return said
    rest = {word: value for word, value in said.items() if word not in ("keys_from", "keys_to")}
    old, path = actors[said["name"]]["path"]["keys"], dict(rest["path"])
    keys = [*old[: said["keys_from"]], *path.pop("keys"), *old[said["keys_to"] :]]
    return {**rest, "path": {**path, "keys": keys}}


def _actor(old: Actor | None, new: Actor, style: SceneStyle) -> dict[str, Any]:
    made = actor_object(new, style)
    before, after = _path(old), _path(new)
    if before is not None and after is not None:
        start, stop, end = _differing(before.keys.rope.whole, after.keys.rope.whole)
        if start or stop < len(before):
            some = Keys(Rope(after.keys.rope.whole.sliced(start, end)))
            made["path"]["keys"] = list(key_objects(some, style.names)) if len(some) else []
            return {**_plain(made), "keys_from": start, "keys_to": stop}
    plain: dict[str, Any] = _plain(made)
    return plain


def _path(actor: Actor | None) -> MotionPath | None:
    motion = None if actor is None else actor.motion
    return None if motion is None or isinstance(motion, Recorded) else motion.said[0]


def _differing(before: Columns, after: Columns) -> tuple[int, int, int]:
    """Keys start … stop before are start … end after; outside of these both are the same."""
    if len(before) == len(after):
        other = np.flatnonzero(~_same_rows(before, after, slice(None), slice(None))).tolist()
        return (other[0], other[-1] + 1, other[-1] + 1) if other else (len(before),) * 3
    count = min(len(before), len(after))
    first = _same_rows(before, after, slice(0, count), slice(0, count))
    start = int(np.argmin(first)) if not first.all() else count
    last = _same_rows(before, after, slice(len(before) - count, None), slice(len(after) - count, None))[::-1]
    equal = int(np.argmin(last)) if not last.all() else count
    equal = min(equal, count - start)
    return start, len(before) - equal, len(after) - equal


def _same_rows(before: Columns, after: Columns, mine: slice, theirs: slice) -> NDArray[np.bool_]:
    """Of each pair of keys, whether they say the same to the last bit."""
    same = np.ones(len(range(*mine.indices(len(before)))), dtype=bool)
    for word in before.of.keys() | after.of.keys():
        one, two = before.of.get(word), after.of.get(word)
        if one is None or two is None:
            said = one[mine] if two is None and one is not None else None if two is None else two[theirs]
            assert said is not None
            same &= _unsaid(said)
            continue
        one, two = one[mine], two[theirs]
        if one.shape != two.shape:
            return np.zeros(len(same), dtype=bool)
        same &= _equal(one, two)
    return same


def _equal(one: NDArray[Any], two: NDArray[Any]) -> NDArray[np.bool_]:
    if one.dtype == np.float64:  # bits: NaN is unset, and -0.0 is written otherwise than 0.0
        same = np.ascontiguousarray(one).view(np.int64) == np.ascontiguousarray(two).view(np.int64)
        if not same.all():
            same |= np.isnan(one) & np.isnan(two)
        return np.asarray(same.reshape(len(one), -1).all(axis=1))
    return np.asarray((one == two).reshape(len(one), -1).all(axis=1))


def _unsaid(column: NDArray[Any]) -> NDArray[np.bool_]:
    """Of each key, whether it says nothing in this column."""
    if column.dtype == np.float64:
        return np.asarray(np.isnan(column).reshape(len(column), -1).all(axis=1))
    usual = True if column.dtype == bool else None
    return np.array([value is usual or value == usual for value in column.tolist()], dtype=bool)


def _plain(value: Any) -> Any:
    """Values with long lists in place of what is written row by row."""
    if isinstance(value, Rows):
        return list(value.parts)
    if isinstance(value, dict):
        return {word: _plain(one) for word, one in value.items()}
    return [_plain(one) for one in value] if isinstance(value, list) and value and isinstance(value[0], dict) else value
