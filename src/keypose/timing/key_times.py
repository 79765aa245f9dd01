"""When is each key passed? The coarse timing: inbetweens counted on a sheet (KB84), keys nudged by frames (BH89 §6).

A speed profile is drawn over the whole motion and passes the keys whenever it happens to; these times are kept.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from keypose.errors import KeyposeError, short_repr
from keypose.maths import MAX_MAGNITUDE, Floats, parse_index, parse_number, parse_numbers, parse_sequence
from keypose.timing.frames import check_fps

FRAME_TOLERANCE = (
    1e-6  # frames: a time this near to one is meant to be on it, and keys this near to each other have met
)


@dataclass(frozen=True, slots=True, init=False, eq=False, repr=False)
class KeyTimes:
    """The moment [s] each key is passed, increasing from key to key. A frozen value; edits give a new one."""

    times: Floats
    """(keys,) [s], read-only."""

    def __init__(self, times: Sequence[float] | Floats) -> None:
        found = parse_sequence(times, "Key times", "seconds such as [0, 0.5, 2]") + 0.0  # −0 and 0 are the same moment
        if not np.abs(found).max() <= MAX_MAGNITUDE:
            wrong = int(np.flatnonzero(~(np.abs(found) <= MAX_MAGNITUDE))[0])
            raise KeyposeError(
                f"Key {wrong} is at {found[wrong]:g} s. Times are finite, up to {MAX_MAGNITUDE:g} s.",
                at=("times", wrong),
            )
        late = np.flatnonzero(found[1:] <= found[:-1])
        if len(late):
            key = int(late[0])
            raise KeyposeError(
                f"Key {key + 1} at {float(found[key + 1])!r} s does not come after key {key} at "
                f"{float(found[key])!r} s. Times must increase from key to key.",
                at=("times", key + 1),
            )
        found.setflags(write=False)
        object.__setattr__(self, "times", found)

    @classmethod
    def inbetweens(cls, counts: Sequence[int] | NDArray[np.integer[Any]], fps: float = 24) -> "KeyTimes":
        """Times for keys with counts[i] inbetweens between key i and i + 1, the first key at 0.

        That interval takes (counts[i] + 1)/fps seconds (KB84: a step is 1/(N + 1) of it).
        """
        rate = check_fps(fps)
        found = parse_numbers(counts, "Inbetweens")
        if found.ndim != 1:
            raise KeyposeError(f"Inbetweens must be a plain list, but {short_repr(counts)} was given. Write [10, 5].")
        for interval in np.flatnonzero(~((found >= 0) & (found == np.floor(found)) & (found < MAX_MAGNITUDE))):
            raise KeyposeError(
                f"There are {found[interval]:g} inbetweens after key {interval}. Give a whole number of 0 or more."
            )
        frames = np.concatenate([[0.0], np.cumsum(found + 1)])  # whole numbers: exact, divided only once
        return cls(frames / rate)

    @property
    def duration(self) -> float:
        """From the first key to the last [s]."""
        return float(self.times[-1] - self.times[0])

    @property
    def intervals(self) -> Floats:
        """From each key to the next [s], (keys − 1,)."""
        return np.diff(self.times)

    def nudged(self, index: SupportsIndex, frames: int, fps: float = 24) -> "KeyTimes":
        """These times with key `index` moved by whole `frames`, later or (negative) earlier (BH89 §6).

        A key never passes or meets its neighbour. One that sits on a frame stays on frames.
        """
        rate, shift = check_fps(fps), parse_number(frames, "Frames to nudge by")
        if shift != round(shift):
            raise KeyposeError(f"A key is nudged by whole frames, but {shift:g} was given. Round it.")
        key = parse_index(index, len(self), "key")
        frame = float(self.times[key]) * rate
        if abs(frame - round(frame)) < FRAME_TOLERANCE:
            frame = round(frame)
        new_time = (frame + shift) / rate if shift else float(self.times[key])
        for neighbour, side in ((key - 1, 1), (key + 1, -1)):
            if 0 <= neighbour < len(self) and side * (new_time - self.times[neighbour]) * rate < FRAME_TOLERANCE:
                raise KeyposeError(
                    f"Nudged by {shift:+g} frames, key {key} would be at {new_time:.6g} s and pass or meet key "
                    f"{neighbour} at {self.times[neighbour]:.6g} s. Nudge it less, or that key first."
                )
        times = self.times.copy()
        times[key] = new_time
        return KeyTimes(times)

    def __len__(self) -> int:
        return len(self.times)

    def __eq__(self, other: object) -> bool:
        return np.array_equal(self.times, other.times) if isinstance(other, KeyTimes) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.times.tobytes())

    def __repr__(self) -> str:
        return f"KeyTimes({self.times.tolist()})"

    def __reduce__(self) -> tuple[type["KeyTimes"], tuple[list[float]]]:
        return KeyTimes, (self.times.tolist(),)  # a copied array would forget that it is read-only
