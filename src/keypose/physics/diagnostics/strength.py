"""Who is too weak for its goal? Whose muscles lack something all the time, though it gets no nearer.

A limb that has too little strength hangs where it can, or swings: it need not stand still to be told of. One that is
only slow gets on, or comes nearer, and is not.
"""

from typing import TYPE_CHECKING

import numpy as np

from keypose.maths.arrays import Floats
from keypose.motion.sync_protocol import FAR
from keypose.motion.take import Event
from keypose.physics.diagnostics.blocked import STUCK, in_the_way
from keypose.physics.engine.joint_torques import Haul
from keypose.physics.following.follower_arrays import (
    AIM,
    LATELY,
    MOVED,
    NEAREST,
    SETTLED,
    SHORT_SINCE,
    SHORT_TOLD,
    SHORT_U,
    Race,
    U,
)
from keypose.physics.relative.key_carriers import Sought

if TYPE_CHECKING:
    from keypose.physics.engine.engine import Engine


PATIENCE = 2.0  # times as long as somebody waits who is stuck: a swing may bring it nearer
SLIGHT = 0.01  # of what is wanted: who lacks less is as strong as it need be
LOOKS = 16  # places of a path at which it is asked how strong somebody must be there
REMEDY = " Give the joint more strength, or let more help pull."
UNSAID, DOUBTED, SAID = 0.0, 0.5, 1.0  # what is told of one who is short


def strain(memory: Floats, away: float, within: float, is_short: bool, step: float, patience: float) -> bool:
    """Whether a limb has lacked strength for long enough without getting on, or nearer to its target; and count on.

    Who sags at first may come nearer again, however slowly: it is doubted first, and from where it is lately.
    """
    got_on = memory[U] > memory[SHORT_U] + MOVED
    if got_on or away < memory[NEAREST] - MOVED * within or away <= SETTLED * within:
        memory[SHORT_U], memory[NEAREST], memory[LATELY], memory[SHORT_SINCE] = memory[U], away, FAR, 0.0
        if got_on and memory[SHORT_TOLD] == DOUBTED:
            memory[SHORT_TOLD] = UNSAID
        return False
    since = memory[SHORT_SINCE] = max(0.0, memory[SHORT_SINCE] + (step if is_short else -step))
    if since >= PATIENCE * patience / 2:
        memory[LATELY] = min(memory[LATELY], away)
    if since < PATIENCE * patience or memory[SHORT_TOLD] == SAID:
        return False
    if memory[SHORT_TOLD] == UNSAID:
        memory[SHORT_TOLD], memory[NEAREST], memory[LATELY], memory[SHORT_SINCE] = DOUBTED, memory[LATELY], FAR, 0.0
        return False
    return is_short


def lacks(haul: Haul, lack: Floats) -> bool:
    """Whether a limb lacks so much of what is wanted that it matters."""
    return bool(np.linalg.norm(lack) > SLIGHT * np.linalg.norm(haul.wanted))


def too_weak(
    engine: "Engine", time: float, race: Race, sought: Sought, memory: Floats, tired: dict[int, Haul]
) -> list[Event]:
    """What is told, once, of those who have been short of strength for long, unless something is in their way."""
    told = []
    for number, haul in tired.items():
        mine = memory[number]
        ((_, by),) = in_the_way(engine, race, sought, memory, np.array([number]), False).items()
        mine[SHORT_SINCE] = 0.0
        if not by:
            mine[SHORT_TOLD] = SAID
            told.append(Event(time, race.names[number], _short(engine, race, number, mine, haul), "warning", STUCK))
    return told


def _short(engine: "Engine", race: Race, number: int, memory: Floats, haul: Haul) -> str:
    """Which joint is too weak, and by how much: to be held where its target is, or anywhere on its way from there on;
    or else to be pulled as it is now.
    """
    row, aim = int(race.rows[number]), memory[AIM : AIM + 3]
    strength, away = haul.muscles.strength, float(np.linalg.norm(aim - engine.place[row, :3]))
    pulled = haul.wanted * min(1.0, race.reach[number, 0] / away) if away > 0 else haul.wanted
    for asked in (engine.to_hold(row, _ahead(race, number, memory[U])), np.abs(pulled), np.abs(haul.wanted)):
        if (asked > strength).any():
            break
    joint = int(np.argmax(asked - strength))
    needed = f"{asked[joint]:.3g} N m are" if asked[joint] > strength[joint] else "more is"  # with what others ask for
    helped = f" and {haul.muscles.help:.3g} N help" if haul.muscles.help else ""
    return (
        f"Does not get to its goal: the muscles of {engine.moved_by(joint)!r} give {strength[joint]:.3g} N m{helped} "
        f"where {needed} asked for.{REMEDY}"
    )


def _ahead(race: Race, number: int, u: float) -> Floats:
    """Where a target at u and on its way from there on is, to the end or once round, (LOOKS, 3)."""
    (begin, count), is_closed = race.segments[number, :2].tolist(), bool(race.closed[number])
    at = np.linspace(u, u + count if is_closed else float(count), LOOKS)
    piece = np.floor(at).astype(np.int64) if is_closed else np.minimum(np.floor(at).astype(np.int64), count - 1)
    powers = (at - piece)[:, None] ** np.arange(4)
    return np.asarray(np.einsum("np,npx->nx", powers, race.cubics[begin + piece % count]))
