"""Where do those aim who race a target? Their companies know it at every tick; a frame is on the way between two."""

from collections.abc import Sequence

import numpy as np

from keypose.maths.arrays import Floats
from keypose.stage.run.moment import Moment, share_of_way


def aims_at(before: Moment, after: Moment, time: float) -> list[tuple[tuple[str, ...], Floats]]:
    """Where targets are at a time [s] from one tick to the next, in the world: who races in each company, and where."""
    share, found = share_of_way(before, after, time), list[tuple[tuple[str, ...], Floats]]()
    for kind, company in after.stage.aiming.items():
        places, last = company.aims(after.casts[kind].state), before.casts.get(kind)
        if share < 1 and last is not None and last.company is company:
            earlier = company.aims(last.state)
            places = earlier + share * (places - earlier)
        found.append((company.racers, places))
    return found


def filmed_aims(frames: Sequence[list[tuple[tuple[str, ...], Floats]]]) -> dict[str, Floats]:
    """Where the targets are in each of some frames, (frames, 3) for each who races one."""
    found: dict[str, Floats] = {}
    for number, (racers, _) in enumerate(frames[0] if frames else ()):
        places = np.stack([frame[number][1] for frame in frames])
        found |= {name: places[:, row] for row, name in enumerate(racers)}
    return found
