"""Which way do paths face while others carry some of their keys? What that is made of, said once, as records.

A target reads few facings of its path in a tick, so no others are made: `orientation_kernels` makes the turn the target
is in, and of the table of facings what it may read. `RelativeKeys.resolve_path` is the definition. These are records,
because kernels that call each other pass every array at a price.
"""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from keypose.curves import RelativePath
from keypose.maths import Floats, Ints, RecordArray, copy_records, record_dtype
from keypose.physics.relative.tangent_weights import build_tangent_weights, path_end_modes

IS_PINNED, POSITION, ORIENTATION, FRAME_COLUMNS = 0, 1, 4, 8  # the columns of what is remembered of each carried key
INT, FLOAT = np.int64, np.float64

PATH_DTYPE = record_dtype(
    [
        *(("key", INT), ("keys", INT)),  # the first of its own among all, and how many they are
        *(("piece", INT), ("pieces", INT)),  # the same of its segments
        ("cubic", INT),  # where those begin among all cubics
        *(("has_all_positions", INT), ("is_log", INT)),
        ("is_new", INT),  # whether its carried keys are not any more where they were
        ("travels", INT),  # whether some keys are apart in these frames
        *(("prepared_span", INT), ("prepared_piece", INT)),  # the turn made in these frames, and its piece; or -1
        *(("start", FLOAT), ("stop", FLOAT)),  # where that piece lies in it
        *(("filled", INT), ("filled_from", INT)),  # how many gaps of tabled facings are right, and from which on
    ]
)
SEGMENT_DTYPE = record_dtype(
    [
        ("turn", INT),  # in which it lies; -1 where it faces as at rest
        *(("start", FLOAT), ("stop", FLOAT)),  # where in that
        ("shifted", INT),  # whether that is so at rest only
        ("gap", FLOAT),  # how far apart its ends are in these frames [m]
        ("gap_changes", INT),  # whether that differs from frame to frame
    ]
)
SPAN_DTYPE = record_dtype(
    [
        ("keys", INT, (4,)),  # its own two and those beside them that face somewhere
        ("beside", INT, (3,)),  # the turn before, itself, and the one after
        *(("first", INT), ("run", INT)),  # the first segment of its path in it, and how many they are
        *(("beyond", INT, (2,)), ("modes", INT, (2,))),  # these four are as `RelativeSegments` has them of segments
        *(("weights", FLOAT, (2, 2)), ("manual_tangents", FLOAT, (2, 3))),
    ]
)
KEY_DTYPE = record_dtype(
    [
        ("slot", INT),  # which of the carried keys it is; -1 for none
        *(("local_position", FLOAT, (3,)), ("local_orientation", FLOAT, (4,))),  # in its frame
        *(("position", FLOAT, (3,)), ("orientation", FLOAT, (4,))),  # in the world
    ]
)


class OrientationTables(NamedTuple):
    """Paths whose facings change as others carry their keys, and what is known of them in the frames of now."""

    path_row: Ints
    """Which of these paths each follower of a race has; -1 for none."""
    owner: Ints
    """To which of these paths each carried key of the company belongs; -1 for none."""
    paths: RecordArray
    segments: RecordArray
    """The segments of all paths."""
    spans: RecordArray
    """Those from one facing to the next, of all paths."""
    keys: RecordArray
    frames: Floats
    """The frames in which is made what is made."""
    span_legs: Floats
    """(paths, 3, 9) the turn that is made, as `slerp_legs` has it; or four rotation vectors in as many rows"""

    def empty_copy(self) -> "OrientationTables":
        """The same, of which nothing is known yet."""
        copies = {name: copy_records(getattr(self, name)) for name in ("paths", "segments", "keys")}
        return self._replace(
            frames=np.full_like(self.frames, np.nan), span_legs=np.zeros_like(self.span_legs), **copies
        )


def build_orientation_tables(
    relative_paths: Mapping[int, RelativePath], owner: Ints, cubics: Ints, followers: int
) -> OrientationTables:
    """What is said of these paths, by their followers.

    `owner` tells which follower each carried key is of, and `cubics` where the segments of each follower begin.
    """
    path_row = np.full(followers, -1, np.int64)
    path_row[list(relative_paths)] = np.arange(len(relative_paths))
    paths = np.zeros(len(relative_paths), PATH_DTYPE)
    segments, spans, keys = ([np.zeros(0, dtype)] for dtype in (SEGMENT_DTYPE, SPAN_DTYPE, KEY_DTYPE))
    first_key = first_segment = first_span = 0
    for number, (follower, relative_path) in enumerate(relative_paths.items()):
        path, record = relative_path.path, paths[number]
        record["key"], record["keys"], record["piece"], record["pieces"] = (
            first_key,
            len(path),
            first_segment,
            path.segments,
        )
        record["cubic"], record["has_all_positions"] = cubics[follower], path.geometry.has_all_positions
        record["is_log"] = path.options.turning == "log"
        segments.append(_segment_records(relative_path, first_span))
        spans.append(_span_records(relative_path, first_key, first_span))
        keys.append(_key_records(relative_path, np.flatnonzero(owner == follower)))
        first_key, first_segment, first_span = (
            first_key + len(path),
            first_segment + path.segments,
            first_span + relative_path.influence.orientation_chain.segments,
        )
    return OrientationTables(
        path_row=path_row,
        owner=path_row[owner],
        paths=paths,
        segments=np.concatenate(segments).view(np.recarray),
        spans=np.concatenate(spans).view(np.recarray),
        keys=np.concatenate(keys).view(np.recarray),
        frames=np.empty((len(owner), FRAME_COLUMNS)),
        span_legs=np.empty((len(relative_paths), 3, 9)),
    ).empty_copy()


def _key_records(relative_path: RelativePath, relative_keys: Ints) -> RecordArray:
    """What the keys of a path say, whose carried ones are these of all."""
    records = np.zeros(len(relative_path.path), KEY_DTYPE)
    records["slot"] = np.where(relative_path.relative_index >= 0, relative_keys[relative_path.relative_index], -1)
    for name, values in (
        ("local_position", relative_path.key_values["position"]),
        ("local_orientation", relative_path.key_values["facing"]),
    ):
        if values is not None:
            records[name] = np.nan_to_num(values)
    records["position"], records["orientation"] = records["local_position"], records["local_orientation"]
    return records


def _segment_records(relative_path: RelativePath, first_span: int) -> RecordArray:
    """Where the segments of a path lie in its turns, which begin with the `first_span` of all."""
    influence, chain = relative_path.influence, relative_path.influence.orientation_chain
    records = np.zeros(relative_path.path.segments, SEGMENT_DTYPE)
    records["gap"], records["gap_changes"], records["turn"] = (
        influence.fixed_gaps,
        influence.has_changing_gap,
        first_span,
    )
    if len(chain.key_indices) == 1:
        return records  # all of it faces as that key does
    own = relative_path.path.geometry.turns_at_keys
    assert own is not None
    begin = np.floor(0.5 * (own[:-1] + own[1:]))  # where it stands between two turns, either will do
    if not chain.closed:
        begin = np.minimum(begin, chain.segments - 1)
    records["start"], records["stop"] = np.clip(own[:-1] - begin, 0.0, 1.0), np.clip(own[1:] - begin, 0.0, 1.0)
    records["shifted"] = influence.has_changing_parameter
    records["turn"] += np.where(
        influence.has_changing_parameter, influence.orientation_segments, begin.astype(np.int64) % chain.segments
    )
    records["turn"][~influence.has_changing_orientation] = -1
    return records


def _span_records(relative_path: RelativePath, first_key: int, first_span: int) -> RecordArray:
    """The turns of a path, whose keys and turns begin with these of all."""
    chain, options, links = (
        relative_path.influence.orientation_chain,
        relative_path.path.options,
        relative_path.influence.orientation_chain.key_indices,
    )
    own, records = np.arange(chain.segments), np.zeros(chain.segments, SPAN_DTYPE)
    keys, manual_tangents = (
        chain.neighbour_keys(own),
        (relative_path.key_values["turn_leave"], relative_path.key_values["turn_arrive"]),
    )
    tangents = build_tangent_weights(
        chain, options, relative_path.path.adjust, relative_path.tcb["turn"], manual_tangents, own, keys
    )
    records["weights"], records["modes"], records["manual_tangents"] = tangents
    records["beyond"] = path_end_modes(chain, options, own)
    records["keys"], records["beside"] = (
        np.stack(keys, axis=1) + first_key,
        np.stack(chain.neighbour_segments(own), axis=1) + first_span,
    )
    run = links[(own + 1) % len(links)] - links[own]
    records["first"], records["run"] = links[own], np.where(run > 0, run, run + relative_path.path.segments)
    return records
