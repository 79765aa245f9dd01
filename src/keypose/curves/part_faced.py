"""Which way does a path with loose keys face where only some keys have a facing? From one of those to the next.

The turns go through the faced keys alone; how far along a turn an unfaced key lies depends on the distances between all
keys, which change from instant to instant (`turning_keys` says how for a path at rest).
"""

from dataclasses import replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from keypose.curves.keys import Columns, Keys
from keypose.curves.loose import Frames, Loose
from keypose.curves.motion_path import MotionPath
from keypose.maths.rope import Rope

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]


class PartFaced:
    """An open loose path, and the path through its faced keys alone."""

    def __init__(self, loose: Loose) -> None:
        self._whole = loose
        self.faced: Ints = np.flatnonzero(~np.isnan(loose.path.keys.rope.whole.of["facing"][:, 0]))
        self._carried = np.isin(loose.loose, self.faced)

    @cached_property
    def loose(self) -> Loose:
        """The path through the faced keys, of which there are two or more."""
        path = self._whole.path
        rows = {word: column[self.faced] for word, column in path.keys.rope.whole.of.items()}
        style = replace(path.style, adjust=path.adjust, inertia=0.0, mass=1.0)
        alone = MotionPath._made(Keys(Rope(Columns(len(self.faced), rows))), style)
        return Loose(alone, np.searchsorted(self.faced, self._whole.loose[self._carried]))

    def frames(self, frames: Frames) -> Frames:
        """Where the carriers of its loose keys are, of all carriers."""
        return Frames(frames.place[:, self._carried], frames.turn[:, self._carried])

    def spans(self, clock: Floats) -> Floats:
        """What lies between its keys on a clock (n, keys), (n, faced - 1)."""
        return np.diff(clock[:, self.faced], axis=1)

    def own(self, u: Floats, clock: Floats) -> Floats:
        """Its own parameter (n,) at u (n,) of the whole path, whose keys lie at `clock` (n, keys)."""
        key = np.clip(u.astype(np.int64), 0, clock.shape[1] - 2)
        start, stop = self._own(key, clock), self._own(key + 1, clock)
        return np.asarray(start + (stop - start) * np.clip(u - key, 0.0, 1.0))

    def _own(self, key: Ints, clock: Floats) -> Floats:
        """Its own parameter at keys (n,) of the whole path; held outside its first and last."""
        here = np.arange(len(key))
        before = np.clip(np.searchsorted(self.faced, key, side="right") - 1, 0, len(self.faced) - 2)
        low, high = clock[here, self.faced[before]], clock[here, self.faced[before + 1]]
        way = np.clip(clock[here, key] - low, 0.0, high - low)
        share = np.divide(way, high - low, out=np.zeros(len(key)), where=high > low)
        return np.asarray(before + np.where(key >= self.faced[before + 1], 1.0, share))
