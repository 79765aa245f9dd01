"""Where is it and which way does it face? A pose, or as many poses as instants were asked for."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from keypose.curves import Orientation
from keypose.errors import KeyposeError
from keypose.maths import ArrayLike, Floats, parse_numbers

FLOAT64 = np.dtype(np.float64)


INTERNAL_ATTRIBUTES = frozenset({"of", "read_only"})
"""For other modules and packages; not shown by tab completion."""


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Pose:
    """`position` (…, dim) or (…, points, dim) [m] and `orientation` (…, 4) as w x y z, for one instant or many."""

    position: Floats
    orientation: Floats

    def __init__(self, position: ArrayLike, orientation: ArrayLike) -> None:
        if type(position) is not np.ndarray or position.dtype is not FLOAT64:
            position = parse_numbers(position, "The position of a pose", copy=False)
        if type(orientation) is not np.ndarray or orientation.dtype is not FLOAT64:
            orientation = parse_numbers(orientation, "The orientation of a pose", copy=False)
        if not (position.ndim and position.shape[-1] and orientation.shape[-1:] == (4,)):
            raise KeyposeError(
                f"A pose was given places of shape {position.shape} and facings of shape {orientation.shape}. "
                "Give places (…, dim) and facings w x y z, (…, 4)."
            )
        attributes = self.__dict__
        attributes["position"], attributes["orientation"] = position, orientation

    @classmethod
    def of(cls, position: Floats, orientation: Floats) -> "Pose":
        """A pose of arrays that are known to be good, for every actor and tick: nothing is looked at."""
        pose = cls.__new__(cls)
        attributes = pose.__dict__
        attributes["position"], attributes["orientation"] = position, orientation
        return pose

    def __dir__(self) -> list[str]:
        return [name for name in super().__dir__() if name not in INTERNAL_ATTRIBUTES]

    @property
    def facing(self) -> Orientation:
        """The orientation of a single pose as a value."""
        return Orientation.of(self.orientation)

    def read_only(self) -> "Pose":
        """The same pose, sharing its numbers, that cannot be written to: for poses that others rely on."""
        position, orientation = self.position.view(), self.orientation.view()
        position.flags.writeable = orientation.flags.writeable = False
        return Pose.of(position, orientation)

    def __len__(self) -> int:
        if self.orientation.ndim < 2:
            raise TypeError("A single pose has no length.")
        return len(self.orientation)

    def __getitem__(self, instant: int | slice) -> "Pose":
        """The pose of one of several instants, or of some."""
        if self.orientation.ndim < 2:
            raise TypeError("A single pose has no parts to pick.")
        return Pose.of(self.position[instant], self.orientation[instant])

    def __iter__(self) -> Iterator["Pose"]:
        return (self[instant] for instant in range(len(self)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Pose):
            return NotImplemented
        return np.array_equal(self.position, other.position) and np.array_equal(self.orientation, other.orientation)

    def __repr__(self) -> str:
        if self.orientation.ndim < 2 and self.position.ndim < 2:
            return f"Pose({self.position.tolist()}, {self.orientation.tolist()})"
        return f"<Pose: position {self.position.shape}, orientation {self.orientation.shape}>"

    def __hash__(self) -> int:
        return hash((self.position.tobytes(), self.orientation.tobytes()))
