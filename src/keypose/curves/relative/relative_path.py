"""What is the path while some of its keys are carried about? Those keys are loose (GL95 §6.3, LG95 §4).

At any instant each loose key stands in the frame of its carrier, and the path is the curve through all keys where they
are then. Building it anew at every instant is the definition (`settled`). How far a loose key reaches is told in
`reach`: only so much differs from instant to instant, and `shapes` derives that alone.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from keypose.curves.distance.length_table import Ruler
from keypose.curves.key_columns import Columns, Keys
from keypose.curves.path.metric import TURN, turning_ruler
from keypose.curves.path.motion_path import MotionPath
from keypose.curves.path.path_orientation import by_hand, shaping_of
from keypose.curves.relative.influence import Reach
from keypose.maths import quaternion
from keypose.maths.arrays import Floats, Ints
from keypose.maths.rope import Rope

SPACE = 3


@dataclass(frozen=True, eq=False)
class Frames:
    """Where the carriers of the loose keys are at n instants."""

    place: Floats
    """(n, loose, 3)"""
    turn: Floats
    """w x y z, (n, loose, 4)"""

    def __len__(self) -> int:
        return len(self.place)

    def carried(self, places: Floats) -> Floats:
        """Where places in these frames, (loose, …, 3), are: (n, loose, …, 3)."""
        over = (slice(None), slice(None), *(None,) * (places.ndim - 2))
        return self.place[over] + quaternion.rotate(self.turn[over], places)

    def turned(self, vectors: Floats) -> Floats:
        """Vectors in these frames, (loose, …, 3), as seen from outside; NaN and infinity say what they said before."""
        over = (slice(None), slice(None), *(None,) * (vectors.ndim - 2))
        said = np.isfinite(vectors)
        return np.where(said, quaternion.rotate(self.turn[over], np.where(said, vectors, 0.0)), vectors)

    def facing(self, facings: Floats) -> Floats:
        """Facings in these frames, (loose, 4), as seen from outside: (n, loose, 4)."""
        return quaternion.multiply(self.turn, np.broadcast_to(facings, self.turn.shape))


class Loose:
    """A path in space, as its keys say it, and which of its keys are loose.

    `marks` are further keys at which distances will be asked for. `alike` numbers the loose keys (loose,): those with
    the same number will always stand in the same frame, so that distances between them never change.
    """

    def __init__(self, path: MotionPath, loose: Ints, marks: Ints | None = None, alike: Ints | None = None) -> None:
        self.path = in_space(path)
        self.loose = loose
        self._marks = np.empty(0, dtype=np.int64) if marks is None else marks
        self._alike = np.arange(len(loose)) if alike is None else alike

    @cached_property
    def reach(self) -> Reach:
        """How far the loose keys reach."""
        return Reach(self.path, self.loose)

    @cached_property
    def touched(self) -> Ints:
        """The segments that differ from instant to instant in their curve, or in their turn where turns may count."""
        return np.flatnonzero(self.reach.bent | (self.reach.turned if self.reach.turns_may_count else False))

    @cached_property
    def stretching(self) -> Ints:
        """The touched segments whose length differs too: not all keys that shape them move alike."""
        number = np.full(len(self.path), -1)
        number[self.loose] = self._alike
        bent = np.flatnonzero(self.reach.bent)
        around = number[np.stack(self.reach.placed.around(self.reach.on_places[bent]))]
        differing = bent[(around != around[0]).any(axis=0)]
        if self.path.style.inertia > 0:
            return np.union1d(differing, np.flatnonzero(self.reach.turned))
        return np.asarray(differing)

    @cached_property
    def ends(self) -> Ints:
        """Keys at which distances are known at every instant: those of touched segments, loose and last ones, marks."""
        inner = np.concatenate([self.touched, self.touched + 1, self.loose, self._marks])
        return np.unique(np.concatenate([[0, self.path.segments], inner])).astype(np.int64)

    @cached_property
    def ruler(self) -> Ruler:
        """What measures the segments that keep their length."""
        return self.path.ruler if self.path.style.inertia > 0 else self.path._rope.whole.ruler

    @cached_property
    def ruler_of_turns(self) -> Ruler:
        """What measures those that keep their turn, when nothing travels."""
        return turning_ruler(self.path._rope.whole, self.path._facings, TURN)

    # ---- what the keys say, wherever their carriers are --------------------------------------------------------------

    @cached_property
    def slot(self) -> Ints:
        """Which loose key each key is; -1 if it is none, (keys,)."""
        slot = np.full(len(self.path), -1)
        slot[self.loose] = np.arange(len(self.loose))
        return slot

    @cached_property
    def said(self) -> dict[str, Floats | None]:
        """What the keys say in their frames: places, facings, and tangents by hand of both."""
        rows = self.path.keys.rope.whole
        said: dict[str, Floats | None] = {word: rows.of.get(word) for word in ("position", "arrive", "leave", "facing")}
        return said | {"turn_arrive": by_hand(rows, "arrive"), "turn_leave": by_hand(rows, "leave")}

    @cached_property
    def shaping(self) -> dict[str, Floats]:
        """Tension, continuity and bias of each key, (keys, 3), for its place and for its turn."""
        style, rows = self.path.style, self.path.keys.rope.whole
        tcb = rows.of.get("tcb")
        plain = np.broadcast_to(np.array(style.shaping), (len(rows), 3))
        of_places = plain if tcb is None else np.where(np.isnan(tcb), plain, tcb)
        return {"place": of_places, "turn": shaping_of(rows, style)}

    # ---- the definition ----------------------------------------------------------------------------------------------

    def settled(self, frames: Frames, instant: int) -> MotionPath:
        """The path at one of n instants, built anew."""
        now = Frames(frames.place[instant : instant + 1], frames.turn[instant : instant + 1])
        rows = self.path.keys.rope.whole.of
        of: dict[str, NDArray[Any]] = {word: column for word, column in rows.items() if word != "relative_to"}
        for word, moved in (
            ("position", now.carried),
            ("arrive", now.turned),
            ("leave", now.turned),
            ("facing", now.facing),
            ("turn_arrive", now.turned),
            ("turn_leave", now.turned),
        ):
            if word in of:
                of[word] = of[word].copy()
                of[word][self.loose] = moved(of[word][self.loose])[0]
        return MotionPath._made(Keys(Rope(Columns(len(self.path), of))), self.path.style)


def in_space(path: MotionPath) -> MotionPath:
    """The path with places of three numbers: a carrier may take its keys out of the plane they were drawn in."""
    missing = SPACE - path.shape[-1]
    if not missing:
        return path
    rows = path.keys.rope.whole.of
    of = {
        word: _padded(rows[word], missing) if word in ("position", "arrive", "leave") else rows[word] for word in rows
    }
    return MotionPath._made(Keys(Rope(Columns(len(path), of))), path.style)


def _padded(rows: Floats, missing: int) -> Floats:
    """Zeros behind each place; NaN and infinity, which say something of the whole vector, go on."""
    last = rows[..., -1:]
    more = np.where(np.isfinite(last), 0.0, last)
    return np.concatenate([rows, *[more] * missing], axis=-1)
