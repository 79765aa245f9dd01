"""Which keys of followers do others carry, and what of their paths do those bend? Said once, as arrays (LG95 §4).

A carried key stands in the frame of its carrier; once its target has come to it, it is pinned: it stays in the frame it
had then. So all that is remembered of a carried key is one frame and whether that is pinned. The path at any tick is
defined by `settled`, which builds it anew; `bending` derives only the segments that carried keys reach, and `swinging`
only the facings that are asked for.

Where do the paths of followers run at this tick, while others carry some of their keys?

Each thread keeps its own copy of all paths. What it holds depends on nothing but the frames of the carried keys, so
that whoever goes on from a state comes to the same bits.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from keypose.curves.path.motion_path import MotionPath
from keypose.curves.path.partial_keys import lengthening
from keypose.curves.relative.relative_path import Frames, Loose
from keypose.maths.arrays import Bools, Floats, Ints
from keypose.physics.following.follower_arrays import DRIFT, MOVING, TURN, TURN_DRIFT, TURNING, Race, U
from keypose.physics.relative.orientation_arrays import FACING, FRAME, PLACE, Swings, swings
from keypose.physics.relative.tangent_weights import beyond, mixed
from keypose.physics.values.connections import Reach
from keypose.physics.values.movers import Follow


class CarriedKeys(NamedTuple):
    """The carried keys of all followers, n of them."""

    carrier: Ints
    """(n,) which of those who carry"""
    who: Ints
    """(n,) whose key it is, among all followers"""
    number: Ints
    """(n,) which key of its path"""
    pins: Bools
    """(n,) whether it is pinned when its target comes to it"""
    target: Ints
    """(n,) which target must come to it, a column of what is remembered: that of places, if it has one"""


class Bends(NamedTuple):
    """The segments that carried keys reach, n of them, made of keys in their frames."""

    places: Floats
    """All keys of paths with carried ones, each in its frame."""
    slot: Ints
    """Which of the carried keys each of them is; -1 for none."""
    rows: Ints
    """(n,) which of all segments"""
    keys: Ints
    """(n, 4) its own two keys and those beside them, among all keys of followers with carried ones"""
    beyond: Ints
    """(n, 2) whether a path ends before or after it, and how"""
    weights: Floats
    """(n, 2, 2) what the chord before and its own count for as it is left, its own and that after as it arrives"""
    modes: Ints
    """(n, 2)"""
    hands: Floats
    """(n, 2, 3) tangents by hand, in the frames of its own two keys"""
    cuts: Floats
    """(n, 2) where it begins on the curve from place to place, and how much of that it is"""


@dataclass(frozen=True, eq=False)
class Carried:
    """All carried keys of a company, a row each, and whose they are."""

    names: tuple[str, ...]
    """Everybody who carries, once."""
    keys: CarriedKeys
    followers: Ints
    """Those with carried keys, each once."""
    loose: tuple[Loose, ...]
    """Their paths."""
    bends: Bends
    swings: Swings

    @classmethod
    def of(cls, followers: "Mapping[str, Follow | Reach]", race: Race) -> "Carried":
        """The carried keys of these, who race so."""
        names: dict[str, int] = {}
        rows: list[tuple[int, int, int, bool, int]] = []
        bends, made, whose, begin = [_no_bends()], [], [], 0
        for who, follow in enumerate(followers.values()):
            loose = loosened(follow.path)
            if loose is None:
                continue
            path, column = loose.path, follow.path.keys.column
            carriers, pins, said = column("relative_to"), column("pin"), path.keys.column("position")
            assert carriers is not None
            for key in loose.loose.tolist():
                stands = said is not None and not np.isnan(said[key, 0])
                is_pinned = True if pins is None else bool(pins[key])
                rows.append((names.setdefault(carriers[key], len(names)), who, key, is_pinned, U if stands else TURN))
            slot = np.where(loose.slot >= 0, loose.slot + len(rows) - len(loose.loose), -1)
            places = np.zeros((len(path), 3)) if said is None else np.nan_to_num(said)
            bends.append(Bends(places, slot, *_bends(loose, int(race.segments[who, 0]), begin)))
            made.append(loose)
            whose.append(who)
            begin += len(path)
        carrier, of, number, pinned, target = np.array(rows, dtype=np.int64).reshape(-1, 5).T.copy()
        turning = {who: loose for who, loose in zip(whose, made, strict=True) if _turns(loose)}
        return cls(
            tuple(names),
            CarriedKeys(carrier, of, number, pinned.astype(np.bool_), target),
            np.array(whose, dtype=np.int64),
            tuple(made),
            Bends(*(np.concatenate(parts) for parts in zip(*bends, strict=True))),
            swings(turning, of, race.segments[:, 0], len(followers)),
        )

    def __bool__(self) -> bool:
        return bool(len(self.followers))

    def begun(self, poses: Floats) -> Floats:
        """What is remembered at first, (keys, FRAME), where the carriers are so, (names, 7)."""
        frames = np.zeros((len(self.keys.who), FRAME))
        frames[:, PLACE:] = poses[self.keys.carrier]
        return frames

    def gone_on(
        self, frames: Floats, names: Sequence[str], before: "Carried", of: Sequence[str], known: Floats
    ) -> None:
        """Take over what was remembered of keys that the same still carry, in paths of as many keys."""
        counts = [
            {called[who]: len(loose.path) for who, loose in zip(carried.followers, carried.loose, strict=True)}
            for carried, called in ((self, names), (before, of))
        ]
        old = {key: row for row, key in enumerate(before._called(of))}
        for row, key in enumerate(self._called(names)):
            if key in old and counts[0][key[0]] == counts[1][key[0]]:
                frames[row] = known[old[key]]

    def forget(self, memory: Floats) -> None:
        """Let no path drift any more that nobody carries."""
        for columns, followers in (
            ((DRIFT, MOVING), self.followers),
            ((TURN_DRIFT, TURNING), np.flatnonzero(self.swings.row >= 0)),
        ):
            others = np.setdiff1d(np.arange(len(memory)), followers)
            for column in columns:
                memory[others, column : column + 3] = 0.0

    def _called(self, names: Sequence[str]) -> list[tuple[str, int, str]]:
        """Of each carried key whose it is, its number, and who carries it."""
        carrier, who, number, *_ = (column.tolist() for column in self.keys)
        return [(names[of], at, self.names[by]) for by, of, at in zip(carrier, who, number, strict=True)]

    def frames_of(self, follower: int, frames: Floats) -> Frames:
        """The frames of one of the followers with carried keys, by its number among those."""
        mine = frames[self.keys.who == self.followers[follower]]
        return Frames(mine[None, :, PLACE:FACING], mine[None, :, FACING:])

    def settled(self, follower: int, frames: Floats) -> MotionPath:
        """The path of one of them where its carriers are so: built anew, the definition."""
        return self.loose[follower].settled(self.frames_of(follower, frames), 0)


def loosened(path: MotionPath) -> Loose | None:
    """A path with its carried keys loose; None if nobody carries any."""
    names = path.keys.column("relative_to")
    carried = [] if names is None else [key for key, name in enumerate(names) if name is not None]
    return Loose(path, np.array(carried, dtype=np.int64)) if carried else None


def _turns(loose: Loose) -> bool:
    if loose.path.turns is None:
        return False
    return bool(loose.reach.turned.any() or np.isin(loose.reach.faced.links, loose.loose).any())


def _bends(loose: Loose, first: int, begin: int) -> tuple[Any, ...]:
    """The segments of a path that its carried keys reach, which begin with the `first` of all, and its keys so too."""
    reach, style, chain = loose.reach, loose.path.style, loose.reach.placed
    bent = np.flatnonzero(reach.bent)
    own = reach.on_places[bent]
    keys, said = chain.around(own), [_by_hand(loose, side) for side in ("leave", "arrive")]
    tangents = mixed(chain, style, loose.path.adjust, loose.shaping["place"], said, own, keys)
    cuts = np.tile([0.0, 1.0], (len(own), 1))
    if reach.cut is not None:
        piece, at = reach.cut
        cuts = np.stack([at[bent] - piece[bent], at[bent + 1] - at[bent]], axis=1)
    return bent + first, np.stack(keys, axis=1) + begin, beyond(chain, style, own), *tangents, cuts


def _by_hand(loose: Loose, side: str) -> Floats | None:
    """Tangents by hand of all keys, as long as they are from one place to the next."""
    said, cut, links = loose.said[side], loose.reach.cut, loose.reach.placed.links
    if said is None or cut is None:
        return said
    said = said.copy()
    said[links] /= lengthening(cut[1], links, side)[:, None]
    return said


def _no_bends() -> Bends:
    numbers = {"places": (0, 3), "weights": (0, 2, 2), "hands": (0, 2, 3), "cuts": (0, 2)}
    others = {"slot": (0,), "rows": (0,), "keys": (0, 4), "beyond": (0, 2), "modes": (0, 2)}
    made: dict[str, Any] = {word: np.empty(shape) for word, shape in numbers.items()}
    made |= {word: np.empty(shape, np.int64) for word, shape in others.items()}
    return Bends(**made)
