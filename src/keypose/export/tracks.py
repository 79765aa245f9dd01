"""What of a take can stand in a table? Finite places, facings that face somewhere, names that are text.

What cannot be read again is refused before it is written; whoever reads asks the same questions.
"""

from collections.abc import Mapping
from io import BytesIO
from typing import BinaryIO

import numpy as np

from keypose.errors import KeyposeError, short_repr
from keypose.maths import MAX_MAGNITUDE, Floats, parse_numbers
from keypose.motion import Pose, Take

MAX_BYTES = 1_000_000_000
MAX_NUMBERS = 100_000_000


def actor_tracks(take: Take) -> dict[str, Pose]:
    """Every actor's frames as float64, (frames, dim) or (frames, points, dim), if all of them can be read again."""
    tracks = {}
    for name, pose in take.poses.items():
        check_text(name, "An actor of this take is named")
        label = f"The places of {short_repr(name)}"
        position, orientation = (
            parse_numbers(pose.position, label, copy=False),
            parse_numbers(pose.orientation, label, copy=False),
        )
        if position.ndim not in (2, 3) or not position.size:
            raise KeyposeError(
                f"{label} have the shape {position.shape}. A table holds (frames, dim) or (frames, points, dim)."
            )
        tracks[name] = Pose(position, orientation)
    check_size(take, tracks)
    for name, pose in tracks.items():
        check_values(name, pose)
    return tracks


def check_size(take: Take, tracks: Mapping[str, Pose]) -> None:
    """Refuse what nobody would read again."""
    count = take.times.size + sum(pose.position.size + pose.orientation.size for pose in tracks.values())
    if count > MAX_NUMBERS:
        raise KeyposeError(f"The take holds {count:,} numbers, and a table {MAX_NUMBERS:,} at most. Save it in parts.")


def check_values(name: str, pose: Pose) -> None:
    """Refuse places that are nowhere and facings that face nowhere."""
    for array, what in ((pose.position, "places"), (pose.orientation, "facings")):
        frame = first_non_finite(array)
        if frame is not None:
            raise KeyposeError(
                f"The {what} of {short_repr(name)} are not finite at frame {frame}. Give finite numbers."
            )
    frame = first_invalid_quaternion(pose.orientation)
    if frame is not None:
        raise KeyposeError(
            f"The facing of {short_repr(name)} at frame {frame} is "
            f"{short_repr(pose.orientation[frame].tolist())}, which faces "
            "nowhere. Give w x y z of length 1."
        )


def check_text(text: object, what: str) -> None:
    """Refuse text that no file could hold."""
    if not isinstance(text, str):
        raise KeyposeError(f"{what} {short_repr(text)}. Give text.")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise KeyposeError(f"{what} {short_repr(text)}, which holds half a character. Give whole ones.") from None


def first_non_finite(frames: Floats) -> int | None:
    """The first frame that holds NaN or infinity."""
    if np.isfinite(frames).all():
        return None
    return int(np.argmin(np.isfinite(frames).reshape(len(frames), -1).all(axis=1)))


def first_invalid_quaternion(orientation: Floats) -> int | None:
    """The first of finite facings (frames, 4) that cannot be made one of length 1."""
    with np.errstate(over="ignore", under="ignore"):
        squared = np.einsum("ij,ij->i", orientation, orientation)
    good = (squared > 0) & (squared < np.inf)
    return None if good.all() else int(np.argmin(good))


def first_unordered_time(times: Floats) -> int | None:
    """The first frame that does not come after the one before it, or beyond all time."""
    good = np.abs(times) <= MAX_MAGNITUDE
    good[1:] &= times[1:] > times[:-1]
    return None if good.all() else int(np.argmin(good))


def open_stream(source: bytes | BinaryIO, what: str) -> BinaryIO:
    """Something to read from; what is known to be too large is refused unread."""
    stream = BytesIO(source) if isinstance(source, bytes) else source
    if stream.seekable():
        here = stream.tell()
        size = stream.seek(0, 2) - here
        stream.seek(here)
        if size > MAX_BYTES:
            raise too_large_error(what, size)
    return stream


def too_large_error(what: str, size: int) -> KeyposeError:
    """The sentence for a file that is not even tried."""
    return KeyposeError(f"{what} is {size:,} bytes, more than {MAX_BYTES:,}. Save the take in parts.")
