"""Who follows which path, and how eagerly? Said once as arrays, over which a compiled loop runs at every step."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from keypose.curves.motion_path import MotionPath
from keypose.physics.actuator import Pull
from keypose.physics.movers import Follow

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

AHEAD = 3.0  # times the speed it settles at: how far a target may go at once
TABLED = 64  # facings of each segment that a turning target is looked for among
WEIGHTS_OF_LASTING = 2.0  # how many times gravity can be made up for, beside what the pull itself could

# The columns of what is remembered of each follower.
U, TURN, IS_NEW, SINCE, IS_TOLD, ANCHOR_U = 0, 1, 2, 3, 4, 5
ANCHOR, GOING, SPIN, PULLED, TURNED, LASTING, TWISTING = 6, 9, 12, 15, 18, 21, 24  # three numbers each
REMEMBERED = 27
MOVED = 0.02  # of how far its target keeps ahead, and of a segment: what counts as a move
PATIENCE = 0.75  # [s] without a move before somebody is stuck; longer for those who are slow themselves
RUNAWAY = 1e6  # [m], [m/s]: whoever is farther or faster is lost


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
    """(n, 3): filter [s], or 0 for none; the most that is made up for [m/s²], and of a turn [rad/s²]."""
    segments: Ints
    """(n, 4): where its segments begin and how many they are; the same of its facings, none of which is 0."""
    closed: NDArray[np.bool_]
    cubics: Floats
    """(segments, 4, 3): what 1, s, s², s³ is taken times."""
    facings: Floats
    """(segments · TABLED + 1 each, 4)"""

    @classmethod
    def of(cls, followers: Mapping[str, Follow], rows: Sequence[int], gravity: float) -> "Race":
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
        memory[:, IS_NEW] = 1.0
        return memory

    def gone_on(self, row: int, memory: Floats) -> Floats:
        """What was remembered of a follower, for one who goes on along this path: no farther than that goes."""
        found, segments = memory.copy(), self.segments[row, 1]
        for target in (U, TURN):
            found[target] = found[target] % segments if self.closed[row] else min(found[target], segments)
        found[ANCHOR_U] = found[U]
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
