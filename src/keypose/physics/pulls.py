"""What pulls the bodies of one engine in one step? Targets, effectors with their muscles, and springs."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from keypose.maths.kernel import quick
from keypose.motion.pose import Pose
from keypose.physics.body_kernels import sprung, tumble
from keypose.physics.connections import Ball, Hinge, Reach, Spring
from keypose.physics.engine import Engine
from keypose.physics.figure import Limb
from keypose.physics.joined import Springs
from keypose.physics.kernels import race
from keypose.physics.racing import PULLED, TURNED, Race
from keypose.physics.solids import Muscles

Floats = NDArray[np.float64]


class Pulls:
    """All that pulls in an engine."""

    def __init__(
        self,
        engine: Engine,
        raced: Race,
        reaches: Mapping[str, Reach],
        springs: Sequence[Spring],
        rows: Mapping[str, int],
        members: Mapping[str, Any],
        first: Mapping[str, Pose],
    ) -> None:
        self._engine = engine
        bodies = engine.place, engine.going, engine.mass, engine.inertia, engine.axes, engine.load
        self._race: Callable[..., int] = quick(race)
        self._raced = (*raced.arrays, *bodies)
        strength = engine.strengths(
            {
                row: members[name].joint.strength
                for name, row in rows.items()
                if isinstance(members.get(name), Limb) and isinstance(members[name].joint, Hinge | Ball)
            }
        )
        self._hauls: list[tuple[int, int, bool, Muscles | None]] = []
        for number, name in enumerate(raced.names):
            if name in reaches:
                outside = reaches[name].help
                muscles = Muscles(strength, outside) if strength.any() or outside is not None else None
                turns = bool(raced.segments[number, 3])
                self._hauls.append((number, rows[name], turns, muscles))
        turning = raced.rows[raced.segments[:, 3] > 0]  # whose pull makes up for that
        self._tumble: Callable[..., None] = quick(tumble)
        self._tumbling = np.setdiff1d(engine.tumbling, turning), engine.place, engine.going, engine.inertia, engine.axes
        found = Springs.of(springs, rows, first)
        self._spring: Callable[..., None] = quick(sprung)
        self._sprung = (*found.arrays, engine.place, engine.going, engine.mass) if springs else None

    def __call__(self, memory: Floats, step: float) -> int:
        """Let all targets race on, and say all forces of the step anew; what `kernels.race` answers."""
        engine = self._engine
        if self._sprung is not None:
            engine.force[:] = 0.0
        answer = self._race(*self._raced, step, memory, engine.force)
        if answer >= 0:  # somebody is lost: nothing can be worked out from where they are
            return answer
        wanted = []
        for number, row, turns, muscles in self._hauls:
            pulled, turned = memory[number, PULLED : PULLED + 3], memory[number, TURNED : TURNED + 3]
            if (haul := engine.haul(row, pulled, turned if turns else None, muscles)) is not None:
                wanted.append(haul)
        if wanted:
            engine.flex(wanted)
        if len(self._tumbling[0]):
            self._tumble(*self._tumbling, step, engine.force)
        if self._sprung is not None:
            self._spring(*self._sprung, step, engine.force)
        return answer
