"""How far are followers from their goals, and what slows them down? What a script of meetings asks of bodies.

A strand is the target of a follower's place or that of its turn: see `script.plan`. Paths are those that are bent now;
only how far they turn from facing to facing, and whether that leads back, is that of the path at rest, which is near
enough to judge a speed by.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from keypose.maths.arrays import Bools, Floats, Ints
from keypose.maths.kernel_switch import quick
from keypose.motion.sync_protocol import Keeps, Plans
from keypose.physics.diagnostics.blocked import STUCK, STUCK_IN_TURN
from keypose.physics.diagnostics.collisions import Told, hindered
from keypose.physics.diagnostics.strength import REMEDY
from keypose.physics.following.follower_arrays import (
    EASE,
    HOLD,
    IS_NEW,
    REMEMBERED,
    TURN,
    TURN_EASE,
    TURN_HOLD,
    Race,
    U,
)

Blocking = Mapping[tuple[str, bool], Mapping[str, float]]


@dataclass(frozen=True, eq=False)
class Pacing:
    """The strands of a script that are followers' targets, of one race."""

    rows: Ints
    """(strands,) whose each is, among all followers"""
    turns: Bools
    """(strands,) whether it is the target of a turn"""
    facings: Floats
    """The facings of paths at rest."""
    turned: Floats
    """How far each path has turned by each tabled facing [rad], one path after the other."""
    places: Ints
    eases: Ints
    holds: Ints
    """(strands,) where a target is, its ease and its hold stand in all that is remembered, number by number."""

    @classmethod
    def of(cls, plan: Plans, race: Race) -> "Pacing":
        """The strands of a plan that race a target."""
        number = {name: row for row, name in enumerate(race.names)}
        strands = plan.strands[: plan.races]
        turns = np.array([is_turn for _, is_turn in strands], dtype=np.bool_)
        rows = np.array([number[name] for name, _ in strands], dtype=np.int64)
        columns = ((U, TURN), (EASE, TURN_EASE), (HOLD, TURN_HOLD))
        chosen = (rows * REMEMBERED + np.where(turns, of_turn, of_place) for of_place, of_turn in columns)
        return cls(rows, turns, race.facings.copy(), _turned(race), *chosen)

    def at(self, memory: Floats) -> Floats:
        """(strands,) where their targets are, as parameters of paths or of facings."""
        return memory.take(self.places)

    def begin(self, keeper: Keeps, bent: Race, memory: Floats, place: Floats, time: float) -> None:
        """Let the first meetings be active, and who begins go as fast as meets from the first moment on."""
        at = self.at(memory)
        keeper.begin(at, time)
        _, left = self._ways(keeper, bent, memory, place)
        keeper.set_out(at, left, memory[self.rows, IS_NEW] != 0.0, time)
        self._let(keeper, memory)

    def keep(
        self,
        keeper: Keeps,
        bent: Race,
        memory: Floats,
        place: Floats,
        time: float,
        dt: float,
        blocking: Blocking,
        told: Told,
    ) -> None:
        """Keep appointments `dt` seconds after the last tick, where paths are bent so and bodies are at `place`.

        `blocking` says what is in the way of whom, if that is asked for; `told` what was told before.
        """
        if not keeper.let_pass(dt):
            return
        at = self.at(memory)
        has_changed = keeper.look(at, time, dt)
        if keeper.is_due:
            gone, left = self._ways(keeper, bent, memory, place)
            keeper.regulate(at, gone, left, time, lambda strand, stands: _why(strand, stands, blocking, told))
            has_changed = True
        while has_changed and keeper.asks_for_bodies:  # one that is done may let the next be, which was passed as well
            keeper.come(self._ways(keeper, bent, memory, place)[1], at, time)
        if has_changed:
            self._let(keeper, memory)

    def _let(self, keeper: Keeps, memory: Floats) -> None:
        """Let targets go on with the ease they have, and no farther than they are held."""
        memory.put(self.eases, keeper.ease[: len(self.rows)])
        memory.put(self.holds, keeper.hold[: len(self.rows)])

    def _ways(self, keeper: Keeps, bent: Race, memory: Floats, place: Floats) -> tuple[Floats, Floats]:
        """How far targets went since speeds were last regulated, and how far is left to goals of active meetings."""
        goals = keeper.goals
        gone, left = np.empty(len(self.rows)), np.zeros(len(goals[0]))
        paths = bent.rows, bent.segments, bent.closed, bent.cubics, bent.facings
        said = self.facings, self.turned, bent.reach, bent.pull
        self._quick_ways(self.rows, self.turns, *paths, *said, memory, place, keeper.last, *goals, gone, left)
        return gone, left

    @cached_property
    def _quick_ways(self) -> Callable[..., None]:
        from keypose.physics.sync.kernels import ways

        return quick(ways)


def _turned(race: Race) -> Floats:
    """How far paths have turned by each of their tabled facings, from the first on [rad]."""
    found = np.zeros(len(race.facings))
    for begin, count in race.segments[:, 2:].tolist():
        if count:
            table = race.facings[begin : begin + count]
            cosines = np.abs((table[1:] * table[:-1]).sum(axis=1)).clip(0.0, 1.0)
            found[begin + 1 : begin + count] = np.cumsum(2 * np.arccos(cosines))
    return found


def _why(strand: tuple[str, bool], stands: bool, blocking: Blocking, told: Told) -> str:
    """What is known of somebody who stands still on its way or its turn, or hardly moves."""
    (name, turns), by = strand, blocking.get(strand)
    if by:
        return f"i{hindered(by, turns, stands)[1:].rstrip('.')}"
    about = STUCK_IN_TURN if turns else STUCK
    known = [event.text for event in told.all if event.actor == name and event.about == about] if stands else []
    if not known:
        return "stands still" if stands else "hardly moves"
    fact = known[-1].removesuffix(REMEDY).rstrip(".")
    return fact[0].lower() + fact[1:]
