"""Where is it and which way does it face? A pose, or as many poses as instants were asked for."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from keypose.curves.orientation import Orientation

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Pose:
    """`position` (…, dim) or (…, points, dim) [m] and `orientation` (…, 4) as w x y z, for one instant or many."""

    position: Floats
    orientation: Floats

    @property
    def facing(self) -> Orientation:
        """The orientation of a single pose as a value."""
        return Orientation.of(self.orientation)

    def read_only(self) -> "Pose":
        """The same pose, sharing its numbers, that cannot be written to: for poses that others rely on."""
        position, orientation = self.position.view(), self.orientation.view()
        position.flags.writeable = orientation.flags.writeable = False
        return Pose(position, orientation)

    def __len__(self) -> int:
        if self.orientation.ndim < 2:
            raise TypeError("A single pose has no length.")
        return len(self.orientation)

    def __getitem__(self, instant: int | slice) -> "Pose":
        """The pose of one of several instants, or of some."""
        if self.orientation.ndim < 2:
            raise TypeError("A single pose has no parts to pick.")
        return Pose(self.position[instant], self.orientation[instant])

    def __iter__(self) -> Iterator["Pose"]:
        return (self[instant] for instant in range(len(self)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Pose):
            return NotImplemented
        return np.array_equal(self.position, other.position) and np.array_equal(self.orientation, other.orientation)

    def __hash__(self) -> int:
        return hash((self.position.tobytes(), self.orientation.tobytes()))
