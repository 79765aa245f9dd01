"""Where do those aim who race a target? Their companies know it at every tick; a frame is on the way between two."""

from collections.abc import Sequence

import numpy as np

from keypose.maths import Floats
from keypose.stage.run.moment import Moment, tick_fraction


def targets_at(before: Moment, after: Moment, time: float) -> list[tuple[tuple[str, ...], Floats]]:
    """Where targets are at a time [s] from one tick to the next, in the world: who races in each company, and where."""
    fraction, found = tick_fraction(before, after, time), list[tuple[tuple[str, ...], Floats]]()
    for kind, system in after.stage.target_systems.items():
        positions, last = system.targets(after.system_states[kind].state), before.system_states.get(kind)
        if fraction < 1 and last is not None and last.system is system:
            earlier = system.targets(last.state)
            positions = earlier + fraction * (positions - earlier)
        found.append((system.followers, positions))
    return found


def stack_targets(frames: Sequence[list[tuple[tuple[str, ...], Floats]]]) -> dict[str, Floats]:
    """Where the targets are in each of some frames, (frames, 3) for each who races one."""
    found: dict[str, Floats] = {}
    for number, (followers, _) in enumerate(frames[0] if frames else ()):
        positions = np.stack([frame[number][1] for frame in frames])
        found |= {name: positions[:, row] for row, name in enumerate(followers)}
    return found
