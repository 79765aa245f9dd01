"""Do these keys make a path? Enough of them, times that increase, names of their own; else a sentence says why not."""

import numpy as np

from keypose.curves.key_columns import Keys
from keypose.curves.path_options import PathOptions
from keypose.errors import KeyposeError, short_repr
from keypose.maths import Floats, Ints


def check_keys(keys: Keys, options: PathOptions) -> None:
    """Refuse keys that make no path, with a sentence."""
    if len(keys) < 2:
        raise KeyposeError(f"A path has {len(keys)} key{'' if len(keys) == 1 else 's'}. Give at least two.")
    times = keys.column("time")
    known = np.flatnonzero(~np.isnan(times)) if times is not None else np.array([], dtype=np.int64)
    if times is not None:
        _check_order(known, times[known])
    if options.adjust in ("time", "velocity") and len(known) < len(keys):
        missing = np.setdiff1d(np.arange(len(keys)), known)[0]
        raise KeyposeError(
            f'adjust="{options.adjust}" needs a time for every key, and key {missing} has none. '
            'Give it one, or use adjust="length".',
            at=("adjust",),
        )
    check_distance(keys, options)
    names = keys.column("name")
    if names is not None:
        seen: dict[str, int] = {}
        for index, name in enumerate(names):
            if name is not None and seen.setdefault(name, index) != index:
                raise KeyposeError(
                    f"Keys {seen[name]} and {index} are both named {short_repr(name)}. Give each its own name."
                )


def check_distance(keys: Keys, options: PathOptions) -> None:
    """Where travel weighs nothing, something must turn; else the whole path would be one spot to every timing."""
    if options.mass == 0 and ((orientations := keys.column("facing")) is None or np.isnan(orientations[:, 0]).all()):
        raise KeyposeError(
            "A path has mass 0 and no key that faces any way, so no distance at all. "
            "Give it a mass, or a key an orientation."
        )


def _check_order(keys: Ints, times: Floats) -> None:
    """Times of these keys must increase."""
    late = np.flatnonzero(np.diff(times) <= 0)
    if len(late):
        one, two = late[0], late[0] + 1
        raise KeyposeError(
            f"Key {keys[one]} is at {times[one]:g} s and key {keys[two]} at {times[two]:g} s. "
            "Times must increase from key to key."
        )


def check_neighbour_times(keys: Keys, options: PathOptions, start: int, stop: int) -> None:
    """Changed times must fit in with their neighbours'."""
    first, last = max(start - 1, 0), min(stop + 1, len(keys))
    times = keys.rope.rows(first, last).arrays["time"]
    if np.isnan(times).any():
        check_keys(keys, options)  # the nearest key with a time may be anywhere
    else:
        _check_order(np.arange(first, last), times)


def check_name_is_free(keys: Keys, name: str | None) -> None:
    """A new key needs a name of its own."""
    if not isinstance(name, str):  # none, or no name at all: the key itself refuses that
        return
    wanted = np.array(name, dtype=object)  # else numpy compares without the zero characters at the end
    for start, chunk in zip(keys.rope.starts, keys.rope.chunks, strict=False):
        for index in np.flatnonzero(chunk.arrays["name"] == wanted) if "name" in chunk.arrays else ():
            raise KeyposeError(f"Key {start + index} is named {short_repr(name)} already. Give each its own name.")
