"""What pulls the bodies of one engine in one step? Targets, effectors with their muscles, and springs."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from keypose.maths.arrays import Floats
from keypose.maths.kernel_switch import quick
from keypose.motion.pose import Pose
from keypose.physics.diagnostics.strength import lacks, strain
from keypose.physics.engine.engine import Engine
from keypose.physics.engine.joint_specs import Springs
from keypose.physics.engine.joint_torques import Haul, Muscles
from keypose.physics.engine.kernels import sprung, tumble
from keypose.physics.following.follower_arrays import (
    AIM,
    DRIFT,
    EASE,
    GOING,
    IS_NEW,
    LASTING,
    PULLED,
    SPIN,
    TURN_DRIFT,
    TURN_EASE,
    TURNED,
    TWISTING,
    Race,
)
from keypose.physics.following.kernels import race
from keypose.physics.values.connections import Ball, Hinge, Reach, Spring
from keypose.physics.values.figure import Limb

NOTHING: Floats = np.zeros(6)


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
        self._raced, self._said = (*raced.arrays, *bodies), raced
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
        led = [haul for haul in self._hauls if raced.lasting[haul[0], 0] > 0]  # or not even weight is made up for
        self._figures = [[led[one] for one in figure] for figure in engine.figures([row for _, row, *_ in led])]
        self._sprung_figures = [figure for figure in self._figures if engine.is_sprung(figure[0][1])]
        turning = raced.rows[raced.segments[:, 3] > 0]  # whose pull makes up for that
        self._tumble: Callable[..., None] = quick(tumble)
        self._tumbling = np.setdiff1d(engine.tumbling, turning), engine.place, engine.going, engine.inertia, engine.axes
        found = Springs.of(springs, rows, first)
        self.short: set[int] = set()
        """Those in the race whose muscles do not give what is wanted in this step."""
        self.tired: dict[int, Haul] = {}
        """Those of them that are to be told of."""
        self._spring: Callable[..., None] = quick(sprung)
        self._sprung = (*found.arrays, engine.place, engine.going, engine.mass) if springs else None

    def __call__(self, memory: Floats, step: float) -> int:
        """Let all targets race on, and say all forces of the step anew; what `kernels.race` answers."""
        engine = self._engine
        self.short, self.tired = set(), {}
        if self._sprung is not None:
            engine.force[:] = 0.0
        answer = self._race(*self._raced, step, memory, engine.force)
        if answer >= 0:  # somebody is lost: nothing can be worked out from where they are
            return answer
        wanted: dict[int, Haul] = {}
        beside = self._against_springs()
        for number, row, turns, muscles in self._hauls:
            mine = memory[number]
            pulled = np.concatenate([mine[PULLED : PULLED + 3], mine[TURNED : TURNED + 3]])
            also = beside.get(number, NOTHING)
            if (haul := engine.haul(row, pulled, self._slowed(number, mine, step), also, turns, muscles)) is not None:
                wanted[number] = haul
        if wanted:
            for (number, haul), lack in zip(wanted.items(), engine.flex([*wanted.values()]), strict=True):
                if lack.any():  # or it would seem as if something held it that lasts
                    gone = engine.gone(haul, lack)
                    memory[number, PULLED : PULLED + 3] -= gone[:3]
                    memory[number, TURNED : TURNED + 3] -= gone[3:]
                self._strain(memory[number], number, haul, lacks(haul, lack), step)
        if len(self._tumbling[0]):
            self._tumble(*self._tumbling, step, engine.force)
        if self._sprung is not None:
            self._spring(*self._sprung, step, engine.force)
        return answer

    def know_weight(self, memory: Floats) -> None:
        """Let those who are led and new know the weight of their figures, unless these lie on something or touch it."""
        pairs = self._engine.pairs()
        touching = set(self._engine.roots(pairs[pairs < len(self._engine.place)].tolist()))
        for figure in self._figures:
            numbers, rows, turning, _ = zip(*figure, strict=True)
            if (memory[list(numbers), IS_NEW] != 0.0).all() and touching.isdisjoint(self._engine.roots(rows)):
                falls = self._engine.falls(rows, turning)
                memory[list(numbers), LASTING : LASTING + 3] = falls[:, :3]
                memory[list(numbers), TWISTING : TWISTING + 3] = falls[:, 3:]

    def _against_springs(self) -> dict[int, Floats]:
        """With what those are pulled beside, who are led against the springs of their joints [N], [N m]."""
        found: dict[int, Floats] = {}
        for figure in self._sprung_figures:
            numbers, rows, turning, _ = zip(*figure, strict=True)
            found |= zip(numbers, self._engine.against_springs(rows, turning), strict=True)
        return found

    def _strain(self, memory: Floats, number: int, haul: Haul, is_short: bool, step: float) -> None:
        """See whether a limb is too weak."""
        if is_short:
            self.short.add(number)
        away = float(np.linalg.norm(memory[AIM : AIM + 3] - self._engine.place[self._said.rows[number], :3]))
        within, patience = self._said.reach[number, 0], self._said.patience[number]
        if strain(memory, away, within, is_short, step, patience):
            self.tired[number] = haul

    def _slowed(self, number: int, memory: Floats, step: float) -> Floats:
        """What of the pull of a follower only slows it down [m/s²], and of its turn [rad/s²]."""
        k, c = self._said.pull[number]
        found = np.empty(6)
        for part, (ease, going, drift) in enumerate(((EASE, GOING, DRIFT), (TURN_EASE, SPIN, TURN_DRIFT))):
            slow, eased = c * memory[ease], k * memory[ease] ** 2
            away = memory[going : going + 3] - memory[drift : drift + 3]
            found[3 * part : 3 * part + 3] = -slow * away / (1 + step * slow + step * step * eased)
        return found
