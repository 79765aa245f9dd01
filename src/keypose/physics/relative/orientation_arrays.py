"""Which way do paths face while others carry some of their keys? What that is made of, said once, as records.

A target reads few facings of its path in a tick, so no others are made: `swinging` makes the turn the target is in, and
of the table of facings what it may read. `Carried.settled` is the definition. These are records, because kernels that
call each other pass every array at a price.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from keypose.curves.relative.relative_path import Loose
from keypose.maths.arrays import Floats, Ints
from keypose.physics.relative.tangent_weights import beyond, mixed

Records = NDArray[Any]

IS_PINNED, PLACE, FACING, FRAME = 0, 1, 4, 8  # the columns of what is remembered of each carried key
WHOLE, NUMBER = np.int64, np.float64

PATH = np.dtype(
    [
        *(("key", WHOLE), ("keys", WHOLE)),  # the first of its own among all, and how many they are
        *(("piece", WHOLE), ("pieces", WHOLE)),  # the same of its segments
        ("cubic", WHOLE),  # where those begin among all cubics
        *(("all_placed", WHOLE), ("by_log", WHOLE)),
        ("is_new", WHOLE),  # whether its carried keys are not any more where they were
        ("travels", WHOLE),  # whether some keys are apart in these frames
        *(("made", WHOLE), ("made_for", WHOLE)),  # the turn that is made in these frames, and for which piece; or -1
        *(("start", NUMBER), ("stop", NUMBER)),  # where that piece lies in it
        *(("told", WHOLE), ("told_from", WHOLE)),  # how many gaps of tabled facings are right, and from which on
    ]
)
PIECE = np.dtype(
    [
        ("turn", WHOLE),  # in which it lies; -1 where it faces as at rest
        *(("start", NUMBER), ("stop", NUMBER)),  # where in that
        ("shifted", WHOLE),  # whether that is so at rest only
        ("gap", NUMBER),  # how far apart its ends are in these frames [m]
        ("gapped", WHOLE),  # whether that differs from frame to frame
    ]
)
TURN = np.dtype(
    [
        ("keys", WHOLE, (4,)),  # its own two and those beside them that face somewhere
        ("beside", WHOLE, (3,)),  # the turn before, itself, and the one after
        *(("first", WHOLE), ("run", WHOLE)),  # the first segment of its path in it, and how many they are
        *(("beyond", WHOLE, (2,)), ("modes", WHOLE, (2,))),  # these four are as `Bends` has them of segments
        *(("weights", NUMBER, (2, 2)), ("hands", NUMBER, (2, 3))),
    ]
)
KEY = np.dtype(
    [
        ("slot", WHOLE),  # which of the carried keys it is; -1 for none
        *(("place", NUMBER, (3,)), ("facing", NUMBER, (4,))),  # in its frame
        *(("stands", NUMBER, (3,)), ("faces", NUMBER, (4,))),  # in the world
    ]
)


class Swings(NamedTuple):
    """Paths whose facings change as others carry their keys, and what is known of them in the frames of now."""

    row: Ints
    """Which of these paths each follower of a race has; -1 for none."""
    owner: Ints
    """To which of these paths each carried key of the company belongs; -1 for none."""
    paths: Records
    pieces: Records
    """The segments of all paths."""
    turns: Records
    """Those from one facing to the next, of all paths."""
    keys: Records
    frames: Floats
    """The frames in which is made what is made."""
    legs: Floats
    """(paths, 3, 9) the turn that is made, as `prepared_legs` has it; or four rotation vectors in as many rows"""

    def begun(self) -> "Swings":
        """The same, of which nothing is known yet."""
        known = {word: getattr(self, word).copy() for word in ("paths", "pieces", "keys")}
        return self._replace(frames=np.full_like(self.frames, np.nan), legs=np.zeros_like(self.legs), **known)


def swings(loose: Mapping[int, Loose], owner: Ints, cubics: Ints, followers: int) -> Swings:
    """What is said of these paths, by their followers.

    `owner` tells which follower each carried key is of, and `cubics` where the segments of each follower begin.
    """
    row = np.full(followers, -1, np.int64)
    row[list(loose)] = np.arange(len(loose))
    paths = np.zeros(len(loose), PATH)
    pieces, turns, keys = [np.empty(0, PIECE)], [np.empty(0, TURN)], [np.empty(0, KEY)]
    key = piece = turn = 0
    for number, (follower, one) in enumerate(loose.items()):
        path, mine = one.path, paths[number]
        mine["key"], mine["keys"], mine["piece"], mine["pieces"] = key, len(path), piece, path.segments
        mine["cubic"], mine["all_placed"] = cubics[follower], path._all_placed
        mine["by_log"] = path.style.turning == "log"
        pieces.append(_pieces(one, turn))
        turns.append(_turns(one, key, turn))
        keys.append(_keys(one, np.flatnonzero(owner == follower)))
        key, piece, turn = key + len(path), piece + path.segments, turn + one.reach.faced.segments
    return Swings(
        row=row,
        owner=row[owner],
        paths=paths,
        pieces=np.concatenate(pieces),
        turns=np.concatenate(turns),
        keys=np.concatenate(keys),
        frames=np.empty((len(owner), FRAME)),
        legs=np.empty((len(loose), 3, 9)),
    ).begun()


def _keys(loose: Loose, carried: Ints) -> Records:
    """What the keys of a path say, whose carried ones are these of all."""
    found = np.zeros(len(loose.path), KEY)
    found["slot"] = np.where(loose.slot >= 0, carried[loose.slot], -1)
    for word, said in (("place", loose.said["position"]), ("facing", loose.said["facing"])):
        if said is not None:
            found[word] = np.nan_to_num(said)
    found["stands"], found["faces"] = found["place"], found["facing"]
    return found


def _pieces(loose: Loose, first: int) -> Records:
    """Where the segments of a path lie in its turns, which begin with the `first` of all."""
    reach, chain = loose.reach, loose.reach.faced
    found = np.zeros(loose.path.segments, PIECE)
    found["gap"], found["gapped"], found["turn"] = reach.gaps, reach.gapped, first
    if len(chain.links) == 1:
        return found  # all of it faces as that key does
    own = loose.path.turns_at_keys
    assert own is not None
    begin = np.floor(0.5 * (own[:-1] + own[1:]))  # where it stands between two turns, either will do
    if not chain.closed:
        begin = np.minimum(begin, chain.segments - 1)
    found["start"], found["stop"] = np.clip(own[:-1] - begin, 0.0, 1.0), np.clip(own[1:] - begin, 0.0, 1.0)
    found["shifted"] = reach.shifted
    found["turn"] += np.where(reach.shifted, reach.on_facings, begin.astype(np.int64) % chain.segments)
    found["turn"][~reach.turned] = -1
    return found


def _turns(loose: Loose, key: int, first: int) -> Records:
    """The turns of a path, whose keys and turns begin with these of all."""
    chain, style, links = loose.reach.faced, loose.path.style, loose.reach.faced.links
    own, found = np.arange(chain.segments), np.zeros(chain.segments, TURN)
    keys, said = chain.around(own), (loose.said["turn_leave"], loose.said["turn_arrive"])
    tangents = mixed(chain, style, loose.path.adjust, loose.shaping["turn"], said, own, keys)
    found["weights"], found["modes"], found["hands"] = tangents
    found["beyond"] = beyond(chain, style, own)
    found["keys"], found["beside"] = np.stack(keys, axis=1) + key, np.stack(chain.beside(own), axis=1) + first
    run = links[(own + 1) % len(links)] - links[own]
    found["first"], found["run"] = links[own], np.where(run > 0, run, run + loose.path.segments)
    return found
