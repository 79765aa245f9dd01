"""Who follows which path, and how eagerly? Said once as arrays, over which a compiled loop runs at every step."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from keypose.curves.path.motion_path import MotionPath
from keypose.maths.arrays import Floats, Ints
from keypose.motion.sync_protocol import FAR
from keypose.physics.following.controller import Pull
from keypose.physics.values.connections import Reach
from keypose.physics.values.movers import Follow

AHEAD = 3.0  # times the speed it settles at: how far a target may go at once
TABLED = 64  # facings of each segment that a turning target is looked for among
WEIGHTS_OF_LASTING = 2.0  # how many times gravity can be made up for, beside what the pull itself could

# The columns of what is remembered of each follower; first what all need, so that it is read together.
U, TURN, IS_NEW, SINCE, IS_TOLD, ANCHOR_U = 0, 1, 2, 3, 4, 5
ANCHOR, GOING, PULLED, LASTING, AIM, DRIFT = 6, 9, 12, 15, 18, 21  # three numbers each
EASE, HOLD = 24, 25  # the share of its own speed it goes at, and where its target stops: for those who meet others
SPIN, TURNED, TWISTING, TURN_DRIFT = 26, 29, 32, 35  # of those who turn
TURN_SINCE, TURN_TOLD, TURN_ANCHOR, FACED = 38, 39, 40, 41  # the last are four numbers
TURN_EASE, TURN_HOLD = 45, 46
MOVING, TURNING = 47, 50  # of paths that others carry: how they were seen to move
SHORT_SINCE, SHORT_TOLD, SHORT_U, NEAREST, LATELY = 53, 54, 55, 56, 57  # of limbs whose muscles are too weak
REMEMBERED = 58
SETTLED = 0.25  # of how far its target keeps ahead: a body that comes to rest so near to where that ends is there
MOVED = 0.02  # of how far its target keeps ahead, and of a segment: what counts as a move
PATIENCE = 0.75  # [s] without a move before somebody is stuck; longer for those who are slow themselves


@dataclass(frozen=True, eq=False)
class Race:
    """All followers of a company, a row each."""

    names: tuple[str, ...]
    rows: Ints
    """Which of the moving bodies they are."""
    pull: Floats
    """(n, 2): k and c."""
    reach: Floats
    """(n, 4): within [m] and how far a target goes at most [m/s]; the same of its turn [rad], [rad/s]."""
    patience: Floats
    """(n,) [s] without a move before one is stuck."""
    lasting: Floats
    """(n, 3): filter [s], or 0 for none; the most that is made up for [m/s²], and of a turn [rad/s²] without a load."""
    segments: Ints
    """(n, 4): where its segments begin and how many they are; the same of its facings, none of which is 0."""
    closed: NDArray[np.bool_]
    cubics: Floats
    """(segments, 4, 3): what 1, s, s², s³ is taken times."""
    facings: Floats
    """(segments · TABLED + 1 each, 4)"""

    @classmethod
    def of(cls, followers: "Mapping[str, Follow | Reach]", rows: Sequence[int], gravity: float) -> "Race":
        """These, who are these of the moving bodies."""
        pull, reach, patience, lasting, segments, closed = [], [], [], [], [], []
        cubics, facings = [np.empty((0, 4, 3))], [np.empty((0, 4))]
        begin = turn = 0
        for follow in followers.values():
            eagerness, damping = follow.pull
            k, c = Pull.of(eagerness, damping, follow.reaction)
            within, turn_within = follow.within, np.radians(follow.turn_within)
            made, table = curve_of(follow.path), _facings(follow.path)
            pull.append((k, c))
            fastest = AHEAD * eagerness / (damping * follow.reaction)
            reach.append((within, fastest * within, turn_within, fastest * turn_within))
            settling = follow.reaction / (2 * damping)
            patience.append(max(PATIENCE, 4 * MOVED * within / follow.pace, 3 * settling))
            most = WEIGHTS_OF_LASTING * gravity
            lasting.append((follow.correction or 0.0, k * within + most, k * turn_within))
            segments.append((begin, len(made), turn, len(table)))
            closed.append(follow.path.closed)
            cubics.append(made)
            facings.append(table)
            begin, turn = begin + len(made), turn + len(table)
        return cls(
            tuple(followers),
            np.array(rows, dtype=np.int64),
            np.array(pull).reshape(-1, 2),
            np.array(reach).reshape(-1, 4),
            np.array(patience),
            np.array(lasting).reshape(-1, 3),
            np.array(segments, dtype=np.int64).reshape(-1, 4),
            np.array(closed, dtype=np.bool_),
            np.concatenate(cubics),
            np.concatenate(facings),
        )

    @property
    def arrays(self) -> tuple[NDArray[Any], ...]:
        """All that is said, as a compiled loop takes it."""
        said = (self.rows, self.pull, self.reach, self.patience, self.lasting)
        return (*said, self.segments, self.closed, self.cubics, self.facings)

    def begun(self) -> Floats:
        """What is remembered at first, (n, REMEMBERED)."""
        memory = np.zeros((len(self.names), REMEMBERED))
        memory[:, IS_NEW] = memory[:, EASE] = memory[:, TURN_EASE] = 1.0
        memory[:, HOLD] = memory[:, TURN_HOLD] = memory[:, NEAREST] = memory[:, LATELY] = FAR
        memory[:, AIM : AIM + 3] = self.cubics[self.segments[:, 0], 0]
        return memory

    def know_weight(self, memory: Floats, gravity: Sequence[float], hung: Collection[int]) -> None:
        """Let those who are new and make up for what lasts know their weight, or all would drop before they learn it.

        Not those who lie on something: who knows what carries them? Nor those who hang on others, see `Pulls`.
        """
        is_new = (memory[:, IS_NEW] != 0.0) & (self.lasting[:, 0] > 0.0)
        rows = np.flatnonzero(is_new & ~np.isin(self.rows, list(hung)))
        memory[rows, LASTING : LASTING + 3] = gravity

    def gone_on(self, row: int, before: "Race", there: int, memory: Floats, is_same: bool = False) -> Floats:
        """What was remembered of a follower, for one who goes on along this path: no farther than that goes.

        Rounds of a closed path are counted on where it has as many segments as before. That it is too weak is told anew
        of a limb that is not the same.
        """
        found, segments = memory.copy(), self.segments[row, 1]
        goes_round = self.closed[row] and before.closed[there] and before.segments[there, 1] == segments
        for target in () if goes_round else (U, TURN):
            found[target] = found[target] % segments if self.closed[row] else min(found[target], segments)
        found[ANCHOR_U], found[TURN_ANCHOR] = found[U], found[TURN]
        found[SHORT_SINCE], found[SHORT_U], found[[NEAREST, LATELY]] = 0.0, found[U], FAR
        if not is_same:
            found[SHORT_TOLD] = 0.0
        found[[EASE, TURN_EASE]], found[[HOLD, TURN_HOLD]] = 1.0, FAR  # unless a script says otherwise
        return found


def curve_of(path: MotionPath) -> Floats:
    """The segments of a path as polynomials (segments, 4, 3)."""
    count = path.segments
    first, last = (np.asarray(path.at(np.arange(float(count)) + end)) for end in (0.0, 1.0))
    keys = np.arange(count)
    leave, arrive = np.asarray(path.leave)[keys], np.asarray(path.arrive)[(keys + 1) % len(path)]
    first, last, leave, arrive = (_in_space(values) for values in (first, last, leave, arrive))
    return np.stack(
        [first, leave, 3 * (last - first) - 2 * leave - arrive, 2 * (first - last) + leave + arrive], axis=1
    )


def _facings(path: MotionPath) -> Floats:
    if path.turns is None:
        return np.empty((0, 4))
    return np.asarray(path.orientation_at(np.linspace(0.0, path.segments, path.segments * TABLED + 1)))


def _in_space(values: Floats) -> Floats:
    return values if values.shape[-1] == 3 else np.concatenate([values, np.zeros((len(values), 1))], axis=1)
