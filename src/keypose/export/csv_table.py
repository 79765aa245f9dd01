"""How does a take become a table for spreadsheets, and a take again? A row per frame, a column per number.

Numbers are the shortest that read back as the same float. Events have no place in a table: `.npz` keeps them.
"""

from collections.abc import Iterator
from typing import BinaryIO

import numpy as np

from keypose.errors import KeyposeError, short_repr
from keypose.export.columns import FPS, TIME, Block, column_names, parse_layout
from keypose.export.csv_rows import MAX_HEADER_BYTES, read_header, read_rows
from keypose.export.tracks import actor_tracks, first_invalid_quaternion, first_unordered_time, open_stream
from keypose.maths import Floats
from keypose.motion import Pose, Take
from keypose.timing import MAX_FPS, MIN_FPS

CHUNK_NUMBERS = 50_000  # numbers written at a time


def csv_lines(take: Take) -> Iterator[bytes]:
    """The table of a take, some whole lines at a time. What cannot be read again is refused here and now."""
    tracks = actor_tracks(take)
    columns = [TIME, *column_names({name: pose.position.shape[1:] for name, pose in tracks.items()})]
    arrays = [take.times[:, None]]
    for pose in tracks.values():
        arrays += [pose.position.reshape(len(take.times), -1), pose.orientation]
    if frame_rate(take.times) != take.fps:
        columns.append(FPS)
        arrays.append(np.full((len(take.times), 1), take.fps))
    header = ",".join(map(_quote, columns)).encode() + b"\n"
    if len(header) > MAX_HEADER_BYTES:
        raise KeyposeError(f"The take has {len(columns):,} columns, too many for a table. Save it as .npz.")
    return _lines(header, arrays)


def csv_take(source: bytes | BinaryIO) -> Take:
    """The take of a table. Its columns may stand in any order; whatever else is unusual is refused."""
    stream = open_stream(source, "The table")
    columns = read_header(stream)
    layout = parse_layout(columns)
    pieces = list(read_rows(stream, columns))
    if not pieces:
        raise KeyposeError("The table has no rows below its header. Give a row for every frame.")
    times = np.concatenate([piece[:, layout.time] for piece in pieces])
    late = first_unordered_time(times)
    if late is not None:
        before = f" does not come after {float(times[late - 1])!r} s" if late else " is out of reach"
        raise KeyposeError(f"Row {late + 2}, column {TIME!r}: {float(times[late])!r} s{before}. Times must increase.")
    fps = (
        _infer_rate(times)
        if layout.fps is None
        else _column_rate(np.concatenate([piece[:, layout.fps] for piece in pieces]))
    )
    return Take(times, fps, {block.name: _block_pose(block, pieces, columns) for block in layout.blocks})


def frame_rate(times: Floats) -> float | None:
    """Frames per second of these times: the plainest rate that gives exactly them, else their mean rate."""
    span = float(times[-1] - times[0])
    mean = (len(times) - 1) / span if span else 0.0
    if not MIN_FPS <= mean <= MAX_FPS:
        return None
    frames = np.arange(len(times))
    for rate in (round(mean), round(mean * 1001) / 1001, float(f"{mean:.12g}")):  # 24, 24000/1001, 12.5
        if rate > 0 and np.array_equal(frames / rate, times):
            return float(rate)
    return mean


def _lines(header: bytes, arrays: list[Floats]) -> Iterator[bytes]:
    yield header
    step = max(1, CHUNK_NUMBERS // sum(array.shape[1] for array in arrays))
    for start in range(0, len(arrays[0]), step):
        rows = np.concatenate([array[start : start + step] for array in arrays], axis=1).tolist()
        yield "".join([",".join(map(repr, row)) + "\n" for row in rows]).encode()


def _quote(column: str) -> str:
    if any(letter in column for letter in '",\r\n'):
        return '"' + column.replace('"', '""') + '"'
    return column


def _block_pose(block: Block, pieces: list[Floats], columns: list[str]) -> Pose:
    """One actor's frames, gathered from its columns."""
    positions = np.concatenate([piece[:, block.positions] for piece in pieces])
    orientations = np.concatenate([piece[:, block.orientation] for piece in pieces])
    invalid = first_invalid_quaternion(orientations)
    if invalid is not None:
        raise KeyposeError(
            f"Row {invalid + 2}, columns {short_repr(columns[block.orientation[0]])} to 'qz' say "
            f"{short_repr(orientations[invalid].tolist())}, "
            "which faces nowhere. Give w x y z of length 1."
        )
    return Pose(positions.reshape(len(positions), *block.shape), orientations)


def _infer_rate(times: Floats) -> float:
    rate = frame_rate(times)
    if rate is None:
        raise KeyposeError(
            f"{len(times)} times from {times[0]:g} to {times[-1]:g} s do not tell the frames per second. "
            f"Add a column {FPS!r}."
        )
    return rate


def _column_rate(rates: Floats) -> float:
    other = np.flatnonzero(rates != rates[0])
    if len(other):
        row = int(other[0])
        raise KeyposeError(
            f"Row {row + 2}, column {FPS!r} says {rates[row]:g}, but row 2 says {rates[0]:g}. A take has one "
            "frame rate."
        )
    return float(rates[0])
