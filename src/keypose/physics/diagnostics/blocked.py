"""What is in the way of who follows a path and does not get on? What pushes it back, or only rubs against it."""

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from keypose.maths.arrays import Floats, Ints
from keypose.motion.take import Event
from keypose.physics.diagnostics.collisions import blocked
from keypose.physics.following.follower_arrays import (
    AIM,
    HOLD,
    IS_TOLD,
    LASTING,
    SINCE,
    TURN,
    TURN_HOLD,
    TURN_SINCE,
    TURN_TOLD,
    TURNED,
    TWISTING,
    WEIGHTS_OF_LASTING,
    Race,
    U,
)
from keypose.physics.relative.key_carriers import Sought

if TYPE_CHECKING:
    from keypose.physics.engine.engine import Engine


STUCK, STUCK_IN_TURN = "stuck", "stuck in its turn"
NOTABLE = 0.1  # of the strongest push: who pushes less against somebody is not in its way
MOST = 0.99  # of the most that a follower can make up for: from there on it pulls no harder


class Push(NamedTuple):
    """How somebody is pushed at one place."""

    at: Floats
    """From its middle [m]."""
    normal: Floats
    friction: Floats
    """[N]"""

    @property
    def force(self) -> Floats:
        """All of it."""
        return self.normal + self.friction

    @property
    def without_friction(self) -> "Push":
        """As it would be if it were smooth there."""
        return self._replace(friction=np.zeros(3))

    def against(self, away: Floats, turns: bool) -> float:
        """How strongly it is pushed back [N], or turned back [N m], who is to go or to turn away so."""
        return -float((np.cross(self.at, self.force) if turns else self.force) @ away)


Met = Mapping[str, Sequence[Push]]


class Hindrance(NamedTuple):
    """What holds somebody back."""

    by: dict[str, float]
    """Who is in its way, and how strongly that pushes [N]."""
    rubbing: frozenset[str]
    """Those of them that only rub."""
    is_sought: bool
    """Whether it is held back by those to whom it goes: they are not in its way."""


def stuck(
    engine: "Engine", time: float, race: Race, sought: Sought, memory: Floats, short: Collection[int]
) -> list[Event]:
    """Those who neither move nor see their target move, though they have not arrived; each is told of once.

    Whose target has come to an end may rest beside that by its own weight, if it makes up for nothing that lasts: then
    it is told of only if something is in its way. Whoever it goes to is not; nor is what only rubs, while it still
    pulls harder and may come loose. Those who are `short` of strength are told of as too weak, see `straining`. Who is
    not told of is looked at again when it has waited for as long again.
    """
    told: list[Event] = []
    for since, is_told, turns in ((SINCE, IS_TOLD, False), (TURN_SINCE, TURN_TOLD, True)):
        waiting = np.flatnonzero((memory[:, since] >= race.patience) & (memory[:, is_told] == 0.0))
        for number, (by, rubbing, is_sought) in _hindrances(engine, race, sought, memory, waiting, turns).items():
            mine = memory[number]
            may_come_loose = by and by.keys() == rubbing and _pulls_harder_yet(engine, race, number, mine, turns)
            has_come = _has_come(race, number, mine, turns)
            may_rest = is_sought or number in short or (has_come and not race.lasting[number, 0] > 0)
            if may_come_loose or (not by and may_rest):
                mine[since] = 0.0
                continue
            mine[is_told] = 1.0
            about = STUCK_IN_TURN if turns else STUCK
            ahead = mine[AIM : AIM + 3] - engine.place[race.rows[number], :3]
            left = float(np.linalg.norm(ahead)) if has_come and not turns else None
            told.append(Event(time, race.names[number], blocked(by, rubbing, turns, left), "warning", about))
    return told


def in_the_way(
    engine: "Engine", race: Race, sought: Sought, memory: Floats, who: Ints, turns: bool
) -> dict[tuple[str, bool], dict[str, float]]:
    """What is in the way of these followers, and how strongly it pushes [N], right after a step."""
    found = _hindrances(engine, race, sought, memory, who, turns)
    return {(race.names[number], turns): hindrance.by for number, hindrance in found.items()}


def _hindrances(
    engine: "Engine", race: Race, sought: Sought, memory: Floats, who: Ints, turns: bool
) -> dict[int, Hindrance]:
    """What holds each of these followers back: what pushes it back from its target, or turns it back."""
    pairs, found = engine.pairs(), dict[int, Hindrance]()
    near = np.flatnonzero(np.isin(pairs, race.rows[who]).any(axis=1)).tolist()
    touching = pairs[near].tolist(), engine.places(near), engine.pushes(near)
    for number in who.tolist():
        mine, row = memory[number], int(race.rows[number])
        ahead = mine[AIM : AIM + 3] - engine.place[row, :3]
        met, away = _met(engine, row, *touching), _unit(mine[TURNED : TURNED + 3] if turns else ahead)
        least = 0.0
        if not turns and _has_come(race, number, mine, turns):
            least = NOTABLE * float(race.pull[number, 0] * engine.mass[row] * np.linalg.norm(ahead))
        blocking = _blocking(met, away, turns, least)
        to = sought.by(number, float(mine[TURN if turns else U]))
        by = {other: push for other, push in blocking.items() if other not in to}
        rubbing = frozenset(other for other in by if _only_rubs(met[other], away, turns))
        found[number] = Hindrance(by, rubbing, len(by) < len(blocking))
    return found


def _met(engine: "Engine", row: int, pairs: Sequence[Sequence[int]], places: Floats, pushes: Floats) -> Met:
    """How one of these bodies is pushed by each of those that touch it."""
    met: dict[str, list[Push]] = {}
    for (one, two), place, push in zip(pairs, places, pushes, strict=True):
        if row in (one, two):
            other, (normal, friction) = engine.names[two if one == row else one], push if two == row else -push
            met.setdefault(other, []).append(Push(place - engine.place[row, :3], normal, friction))
    return met


def _only_rubs(pushes: Sequence[Push], away: Floats, turns: bool) -> bool:
    """Whether somebody who is to go or to turn away so is held by friction alone."""
    whole = sum(push.against(away, turns) for push in pushes)
    return sum(push.without_friction.against(away, turns) for push in pushes) < NOTABLE * whole


def _pulls_harder_yet(engine: "Engine", race: Race, number: int, memory: Floats, turns: bool) -> bool:
    """Whether somebody who is held makes up for that more and more, and has not come to the most it can."""
    over, place, turn = race.lasting[number].tolist()
    begin = TWISTING if turns else LASTING
    most = turn + WEIGHTS_OF_LASTING * engine.load[race.rows[number], 0] if turns else place
    return bool(over > 0.0 and np.linalg.norm(memory[begin : begin + 3]) < MOST * most)


def _has_come(race: Race, number: int, memory: Floats, turns: bool) -> bool:
    """Whether the target of a follower, or its second one, has come to where it ends or is held."""
    at, hold = memory[[TURN, TURN_HOLD] if turns else [U, HOLD]]
    return bool(at >= hold or (not race.closed[number] and at >= race.segments[number, 1]))


def _blocking(met: Met, away: Floats, turns: bool, least: float) -> dict[str, float]:
    """Who of those that touch somebody pushes or turns it back, who is to go or to turn away so, and how strongly [N].

    Whoever does less than `least`, or little beside the others, is left out.
    """
    back = {other: sum(push.against(away, turns) for push in pushes) for other, pushes in met.items()}
    least = max(least, NOTABLE * max(back.values(), default=0.0))
    blocking = {other: amount for other, amount in back.items() if amount > 0 and amount >= least}
    if turns:  # a moment would say little
        return {other: float(sum(np.linalg.norm(push.force) for push in met[other])) for other in blocking}
    return blocking


def _unit(vector: Floats) -> Floats:
    length = float(np.linalg.norm(vector))
    return vector / length if length > 0.0 else vector
