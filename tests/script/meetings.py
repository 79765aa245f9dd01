"""Meetings that are watched and regulated without anybody who goes there."""

import numpy as np

from keypose.motion.sync_protocol import ACTIVE, NO_STOP
from keypose.script.sync.kernels.step import regulate, update_stops
from keypose.script.sync.rules.delays import HAS_EVENT

SECONDS = 0.01


class Meetings:
    """Some meetings, each of as many strands as its goals are, none of which is in two of them."""

    def __init__(self, *goals, state=ACTIVE, of_bodies=False, gates=False):
        self.where = np.concatenate([np.asarray(one, dtype=float) for one in goals])
        count, meetings = len(self.where), len(goals)
        self.strand = np.arange(count)
        self.first = np.cumsum([0, *map(len, goals)])
        self.state = np.full(meetings, state)
        self.of_bodies, self.gates = np.full(meetings, of_bodies), np.full(meetings, gates)
        self.patience = np.full(meetings, 2.0)
        self.late_for, self.stuck_for, self.held_for = np.zeros((3, meetings))
        self.news = np.zeros(meetings, np.int64)
        self.pace, self.least, self.reaction = np.ones(count), np.full(count, 0.1), np.full(count, 0.1)
        self.at, self.reached = np.zeros(count), np.full(count, np.nan)
        self.early, self.stays, self.blame = *np.zeros((2, count), np.bool_), np.zeros(count, np.int64)
        self.was_left = np.full(count, np.inf)
        self.efficiency, self.ease, self.hold = np.ones(count), np.ones(count), np.full(count, NO_STOP)

    @property
    def order(self):
        """All goals, strand by strand."""
        order = np.lexsort((self.where, self.strand))
        begins = np.searchsorted(self.strand[order], np.arange(len(self.at) + 1))
        return np.argsort(order), order, begins, np.repeat(np.arange(len(self.state)), np.diff(self.first))

    def hold_all(self):
        goals = self.strand, self.where, self.first, self.of_bodies
        known = self.state, self.reached, self.early, self.stays
        update_stops(self.at, *goals, self.gates, *known, *self.order, self.hold)
        return self.hold

    def regulate(self, left, gone=None, nearer=None, time=1.0, seconds=SECONDS):
        """All have gone at their speed, unless said, and come as much nearer, unless said."""
        gone = self.pace * self.ease * seconds if gone is None else np.asarray(gone, dtype=float)
        self.was_left[:] = left + np.asarray(gone if nearer is None else nearer)[self.strand]
        goals = self.strand, self.where, self.first, self.of_bodies
        numbers = self.patience, self.pace, self.least, self.reaction, len(self.at)
        delays = self.late_for, self.stuck_for, self.held_for, self.was_left, self.blame
        own, due = np.empty(len(self.where)), np.empty(len(self.state))
        remembered = self.reached, self.early, *delays, self.efficiency, self.ease, self.hold, own, due, self.news
        left = np.asarray(left, dtype=float)
        answer = regulate(self.at, gone, left, *goals, *numbers, self.state, time, seconds, *remembered)
        self.hold_all()
        return bool(answer & HAS_EVENT)
