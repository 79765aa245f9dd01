"""Any moment of any meetings, whether it could come to that or not."""

import numpy as np

from keypose.motion.sync_protocol import ACTIVE, DONE, FAILED, NO_STOP, WAITING


class RandomSyncState:
    """Some meetings of some strands, the last of which are clocks, in any state; nobody is in one of them twice."""

    def __init__(self, seed, most=5):
        self.rng = rng = np.random.default_rng(seed)
        self.races, clocks = rng.integers(0, 4), rng.integers(0, 4)
        strands = int(self.races + clocks) or 1
        meetings = int(rng.integers(1, most + 1))
        whose = [rng.choice(strands, rng.integers(1, min(strands, 3) + 1), replace=False) for _ in range(meetings)]
        self.strand = np.concatenate(whose)
        self.first = np.cumsum([0, *map(len, whose)])
        self.meeting = np.repeat(np.arange(meetings), [len(one) for one in whose])
        count = len(self.strand)
        self.where = np.round(rng.uniform(0, 9, count), 1)
        self.at = np.round(rng.uniform(0, 9, strands), 1)
        self.state = rng.choice([WAITING, ACTIVE, ACTIVE, ACTIVE, DONE, FAILED], meetings)
        self.of_bodies, self.gates = rng.random((2, meetings)) < 0.4
        self.of_bodies[np.unique(self.meeting[self.strand >= self.races])] = False  # clocks have no bodies
        self.patience = rng.uniform(0.5, 3, meetings)
        self.reached = np.where(rng.random(count) < 0.4, 1.0, np.nan)
        self.early, self.stays = rng.random((2, count)) < 0.4
        self.left = np.round(rng.uniform(-1, 9, count), 1)
        self.pace, self.reaction = rng.uniform(0.2, 3, (2, strands))
        self.least, self.ease = rng.choice([0.1, 0.3], strands), rng.uniform(0.1, 1, strands)
        self.efficiency = np.where(np.arange(strands) < self.races, rng.uniform(0.3, 1.5, strands), 1.0)
        self.hold = np.where(rng.random(strands) < 0.5, self.at, NO_STOP)
        self.late_for, self.stuck_for, self.held_for = rng.uniform(0, 1.5, (3, meetings))

    @property
    def on_strands(self):
        """The place of each goal when they stand strand by strand, which they are then, and where strands begin."""
        order = np.lexsort((self.where, self.strand))
        begins = np.searchsorted(self.strand[order], np.arange(len(self.at) + 1))
        return np.argsort(order), order, begins
