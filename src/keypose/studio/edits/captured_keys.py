"""What becomes of captured keys when keys come, go, or change places? A capture goes with its key, by name or number.

A key that comes to an end of the path is passed when the motion begins or ends, and one that was brought past another
captured key would be passed in the wrong order: such a capture is given up, and the step's name says so.
"""

from collections.abc import Mapping, Sequence

from keypose.curves import Keys
from keypose.motion import DURATION_TOLERANCE
from keypose.studio.edits.labels import join_words

Captures = dict[str | int, float]


def rename_captures(old: Keys, new: Keys, captured: Mapping[str | int, float]) -> Captures:
    """Captured keys by the names they have now."""
    captures: Captures = {}
    for key, second in captured.items():
        index = old.index(key)
        captures[new[index].name or index if isinstance(key, str) else key] = second
    return captures


def remap_captures(
    captured: Mapping[str | int, float],
    old: Keys,
    old_indices: Sequence[int | None],
    last: int,
    duration: float,
    moved_key: int | None = None,
) -> tuple[Captures, str]:
    """The captures that hold among other keys, and what to add to the name of the step.

    `old_indices` says for each key which one it was; `last` is the key passed at the end, beyond all of a closed path;
    `moved_key` is the old number of the key that was brought elsewhere.
    """
    new_indices = {old_index: index for index, old_index in enumerate(old_indices) if old_index is not None}
    remaining = {old.index(key): (key, second) for key, second in captured.items() if old.index(key) in new_indices}
    ends = {0: 0.0, last: duration}
    lost_keys = []
    for old_index, (_, second) in remaining.items():
        end = ends.get(new_indices[old_index])
        if not (0 < second < duration if end is None else abs(end - second) <= DURATION_TOLERANCE):
            lost_keys.append(old_index)
    if moved_key in remaining and moved_key not in lost_keys:
        new_index, second = new_indices[moved_key], remaining[moved_key][1]
        others = [
            (new_indices[old_index], one[1])
            for old_index, one in remaining.items()
            if old_index != moved_key and old_index not in lost_keys
        ]
        if any(
            (other < new_index) != (other_second < second) or other_second == second for other, other_second in others
        ):
            lost_keys.append(moved_key)
    captures: Captures = {
        key if isinstance(key, str) else new_indices[old_index]: second
        for old_index, (key, second) in remaining.items()
        if old_index not in lost_keys
    }
    names = [old[old_index].name or f"key {old_index}" for old_index in lost_keys]
    return captures, "" if not lost_keys else f", without the capture of {join_words(names)}"
