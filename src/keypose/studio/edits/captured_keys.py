"""What becomes of captured keys when keys come, go, or change places? A capture goes with its key, by name or number.

A key that comes to an end of the path is passed when the motion begins or ends, and one that was brought past another
captured key would be passed in the wrong order: such a capture is given up, and the step's name says so.
"""

from collections.abc import Mapping, Sequence

from keypose.curves.key_columns import Keys
from keypose.motion.timing_selection import SAME
from keypose.studio.edits.labels import listed

Captures = dict[str | int, float]


def renamed(old: Keys, new: Keys, captured: Mapping[str | int, float]) -> Captures:
    """Captured keys by the names they have now."""
    kept: Captures = {}
    for key, second in captured.items():
        index = old.index(key)
        kept[new[index].name or index if isinstance(key, str) else key] = second
    return kept


def followed(
    captured: Mapping[str | int, float],
    old: Keys,
    came_from: Sequence[int | None],
    last: int,
    duration: float,
    moved: int | None = None,
) -> tuple[Captures, str]:
    """The captures that hold among other keys, and what to add to the name of the step.

    `came_from` says for each key which one it was; `last` is the key passed at the end, beyond all of a closed path;
    `moved` is the old number of the key that was brought elsewhere.
    """
    now = {was: index for index, was in enumerate(came_from) if was is not None}
    there = {old.index(key): (key, second) for key, second in captured.items() if old.index(key) in now}
    ends = {0: 0.0, last: duration}
    lost = []
    for was, (_, second) in there.items():
        end = ends.get(now[was])
        if not (0 < second < duration if end is None else abs(end - second) <= SAME):
            lost.append(was)
    if moved in there and moved not in lost:
        place, second = now[moved], there[moved][1]
        others = [(now[was], one[1]) for was, one in there.items() if was != moved and was not in lost]
        if any((other < place) != (moment < second) or moment == second for other, moment in others):
            lost.append(moved)
    kept: Captures = {
        key if isinstance(key, str) else now[was]: second for was, (key, second) in there.items() if was not in lost
    }
    names = [old[was].name or f"key {was}" for was in lost]
    return kept, "" if not lost else f", without the capture of {listed(names)}"
