"""How do keys come and go? One is put on the curve, some are deleted or pasted, one is brought to another place.

The others keep their times and, where they can, their captures. Keys that come into a timed path get times between
their neighbours'.
"""

from itertools import chain

import numpy as np

from keypose.curves.key import Key
from keypose.curves.key_columns import Columns, Keys
from keypose.curves.path import edits
from keypose.curves.path.motion_path import MotionPath
from keypose.curves.path.segments import closing_span
from keypose.document.motion.keys import KEY
from keypose.errors import KeyposeError
from keypose.maths.arrays import Floats
from keypose.maths.rope import Rope
from keypose.physics.values.movers import carriers_of
from keypose.stage.stage import Stage
from keypose.studio.edits.goals import check_no_goals
from keypose.studio.edits.labels import called, read_as
from keypose.studio.edits.motions import chosen, listed_times, motion_of, path_of, shown_path, with_other_keys
from keypose.studio.edits.relative_keys import bent_at, met_at
from keypose.studio.edits.rough_path import raced_along
from keypose.studio.protocol import commands as say
from keypose.timing.clocks import Passing
from keypose.timing.key_times import KeyTimes


def inserted(stage: Stage, message: say.InsertKey) -> tuple[Stage, str]:
    """A key more, on the curve as it is shown."""
    said, shown = path_of(stage, message.actor), shown_path(stage, message.actor)
    listed = listed_times(stage, message.actor)
    if stage[message.actor].carriers:
        path, times = _met(stage, message.actor, message.u)
    elif raced_along(stage, message.actor) is not None and carriers_of(said):
        path, times = _bent(stage, message.actor, message.u, message.time or 0.0), None
    else:
        grown = shown.insert(message.u)
        keys_rule = shown is not said and motion_of(stage, message.actor).timing is None
        path = grown if shown is said else _with_own_times(said, grown, int(message.u) + 1, keys_rule)
        times = None if listed is None else _all_times(grown)
    gap, count = int(message.u), len(said)
    came_from = [*range(gap + 1), None, *range(gap + 1, count)]
    made, lost = with_other_keys(stage, message.actor, path, came_from, times)
    return made, f"insert key {gap + 1} of {message.actor}{lost}"


def deleted(stage: Stage, message: say.DeleteKeys) -> tuple[Stage, str]:
    """Some keys less; two must stay."""
    path, listed = path_of(stage, message.actor), listed_times(stage, message.actor)
    gone = chosen(path, message.keys)
    which = called(path.keys, gone, message.actor)
    check_no_goals(stage, message.actor, path.keys, gone)
    if len(path) - len(gone) < 2:
        raise KeyposeError(f"Without {which} its path would have fewer than two keys. Leave two, or remove the actor.")
    stays = np.ones(len(path), dtype=bool)
    stays[gone] = False
    if len(gone) == 1:
        made = path.without_key(gone[0])
    else:
        whole = path.keys.rope.whole
        left = Columns(int(stays.sum()), {word: column[stays] for word, column in whole.of.items()})
        made = MotionPath._made(edits._without_empty(Keys(Rope(left))), path.style)
    times = None
    if listed is not None:
        beyond = len(listed.times) - len(path)  # the return to the first key
        times = KeyTimes(listed.times[np.append(stays, np.ones(beyond, dtype=bool))])
    after, lost = with_other_keys(stage, message.actor, made, np.flatnonzero(stays).tolist(), times)
    return after, f"delete {which}{lost}"


def pasted(stage: Stage, message: say.PasteKeys) -> tuple[Stage, str]:
    """Copied keys behind another; names that are taken stay with those who have them."""
    path, listed = path_of(stage, message.actor), listed_times(stage, message.actor)
    at, count = message.after + 1, len(message.keys)
    if at:
        path.keys.index(message.after)
    whose = f"Actor {message.actor!r}"
    keys = [read_as(KEY, one, f"keys[{index}]", stage, whose) for index, one in enumerate(message.keys)]
    keys = _fitting(path, keys)
    own, times = path.times, None
    if listed is not None:
        times = KeyTimes(np.insert(listed.times, at, _between(listed.times, at, count)))
    moments = [None] * count if own is None else _between(own, at, count).tolist()
    keys = [key.changed(time=moment) for key, moment in zip(keys, moments, strict=True)]
    same = all(key.position is not None for key in keys) and (own is not None or path.keys.column("time") is None)
    made = edits.edited(path, at, at, keys, same_kind=same)
    came_from = [*range(at), *[None] * count, *range(at, len(path))]
    what = "a key" if count == 1 else f"{count} keys"
    after, lost = with_other_keys(stage, message.actor, made, came_from, times)
    return after, f"paste {what} into {message.actor}{lost}"


def shifted(stage: Stage, message: say.ShiftKey) -> tuple[Stage, str]:
    """A key brought to another place in the order; the times stay where they are."""
    path, times = path_of(stage, message.actor), listed_times(stage, message.actor)
    one, to = path.keys.index(message.key), path.keys.index(message.to)
    which = called(path.keys, [one], message.actor)
    if one == to:
        raise KeyposeError(f"{which.capitalize()} is at {to} already. Bring it to another place.")
    order = [index for index in range(len(path)) if index != one]
    order.insert(to, one)
    low, high = min(one, to), max(one, to) + 1
    keys = [path.keys[order[slot]].changed(time=path.keys[slot].time) for slot in range(low, high)]
    made = edits.edited(path, low, high, keys, same_kind=True)
    after, lost = with_other_keys(stage, message.actor, made, order, times, moved=one)
    return after, f"bring {which} to {to}{lost}"


def _bent(stage: Stage, actor: str, u: float, time: float) -> MotionPath:
    """A key more on a rough path with carried keys: where that is at a moment [s], shaped by TCB."""
    path = path_of(stage, actor)
    path.insert(u)  # refuses what is no place for a key
    place, carrier = bent_at(stage, actor, u, time)
    before, after = path.keys[int(u)], path.keys[(int(u) + 1) % len(path)]
    pin = before.pin and after.pin if carrier is not None else True
    new = Key(place[: path.shape[-1]]).changed(relative_to=carrier, pin=pin)
    return edits.edited(path, int(u) + 1, int(u) + 1, [new], same_kind=path.keys.column("time") is None)


def _met(stage: Stage, actor: str, u: float) -> tuple[MotionPath, KeyTimes | None]:
    """A key more on a path with carried keys: where the actor is when it is there, shaped by TCB."""
    motion, path = motion_of(stage, actor), path_of(stage, actor)
    path.insert(u)  # refuses what is no place for a key
    before, after = path.keys[int(u)], path.keys[(int(u) + 1) % len(path)]
    shared = before.relative_to if before.relative_to == after.relative_to else None
    place, moment = met_at(stage, actor, u, shared)
    new = Key(place[: path.shape[-1]] if len(path.shape) == 1 else place[:, : path.shape[-1]])
    new = new.changed(relative_to=shared, pin=before.pin and after.pin)
    slot, own, times = int(u) + 1, path.keys.column("time"), None
    if isinstance(motion.timing, KeyTimes):
        times = KeyTimes(np.insert(motion.timing.times, slot, moment - motion.start))
    elif own is not None and isinstance(motion.clock, Passing):
        new = new.changed(time=moment - motion.start)
    return edits.edited(path, slot, slot, [new], same_kind=(new.time is None) == (own is None)), times


def _with_own_times(said: MotionPath, grown: MotionPath, slot: int, keys_rule: bool) -> MotionPath:
    """A path that grew while a timing was put on it, with its keys' own times again."""
    own = said.keys.column("time")
    own = np.full(len(said), np.nan) if own is None else own
    whole = grown.keys.rope.whole
    times = np.insert(own, slot, whole.of["time"][slot] if keys_rule else np.nan)
    of = {word: column for word, column in whole.of.items() if word != "time"}
    of = of if np.isnan(times).all() else {**of, "time": times}
    return MotionPath._made(Keys(Rope(Columns(len(whole), of))), said.style)


def _all_times(path: MotionPath) -> KeyTimes:
    """When each key of a timed path is passed, and when a closed one is back."""
    times = path.times
    assert times is not None
    back = [times[-1] + closing_span(path.keys, path.style)] if path.closed else []
    return KeyTimes(np.append(times, back))


def _between(times: Floats, at: int, count: int) -> Floats:
    """Times for new keys at a place among others: evenly between two, or as far apart as the last two beyond them."""
    if 0 < at < len(times):
        return np.linspace(times[at - 1], times[at], count + 2)[1:-1]
    steps = np.arange(1.0, count + 1)
    if at:
        return np.asarray(times[-1] + steps * (times[-1] - times[-2]))
    return np.asarray(times[0] - steps[::-1] * (times[1] - times[0]))


def _fitting(path: MotionPath, keys: list[Key]) -> list[Key]:
    """Pasted keys without names that are taken; refused if their places are of another kind."""
    names = path.keys.column("name")
    taken = set(chain(() if names is None else names, [None]))
    fitting = []
    for index, key in enumerate(keys):
        if key.position is not None and key.position.shape != path.shape and path.keys.column("position") is not None:
            raise KeyposeError(
                f"Pasted key {index} has a position of shape {key.position.shape}, but the path's have {path.shape}. "
                "All keys of a path need the same number of points and dimensions."
            )
        fitting.append(key.changed(name=None) if key.name in taken else key)
        taken.add(key.name)
    return fitting
