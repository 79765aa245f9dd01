"""Where is a field looked at? On a plane: front, top or side as the views know them, somewhere along what is left."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from keypose.errors import KeyposeError, short_repr
from keypose.maths import Floats, as_number, as_numbers, parse_choice, parse_number

MAX_DISTANCE, MIN_SIZE = 1e9, 1e-9  # [m] what can be looked at
MIN_RELATIVE_SIZE = 1e-6  # of how far away it is: a piece smaller than this could not be measured
MARGIN = 1.25  # times what is known to be there


@dataclass(frozen=True, eq=False)
class FieldPlane:
    """A plane through space: what runs across the paper and up, and what comes out of it towards the eye, each (3,).

    `flipped` tells whose numbers run the other way: across, up.
    """

    letters: str
    right: Floats
    up: Floats
    normal: Floats
    axis_flips: tuple[bool, bool]
    offset: float = 0.0

    @property
    def normal_axis(self) -> str:
        """The axis that the plane is not along."""
        return next(letter for letter in "xyz" if letter not in self.letters)

    @property
    def axis_names(self) -> tuple[str, str]:
        """What the axes of the paper are called: across, up."""
        return ("z", "y") if self.letters == "yz" else (self.letters[0], self.letters[1])

    def to_space(self, paper: Floats) -> Floats:
        """Places (…, 3) in space of points (…, 2) on the paper."""
        return np.asarray(paper[..., :1] * self.right + paper[..., 1:] * self.up + self.offset * self.normal)

    def project(self, vectors: Floats) -> Floats:
        """Points or vectors (…, 3) as the paper sees them, (…, 2)."""
        return np.stack([vectors @ self.right, vectors @ self.up], axis=-1)


X, Y, Z = np.eye(3)
PLANES = {  # as a front, a top and a side view show them
    "xy": (X, Y, Z, (False, False)),
    "xz": (X, -Z, Y, (False, True)),
    "yz": (-Z, Y, X, (True, False)),
}


def parse_plane(letters: object, offset: object) -> FieldPlane:
    """The plane "xy", "xz" or "yz", `offset` [m] along the third axis."""
    axes = parse_choice(letters, PLANES, "A field is shown on the plane")
    distance = parse_number(offset, "The offset of a plane")
    if abs(distance) > MAX_DISTANCE:
        raise KeyposeError(f"A plane is {distance:g} m away. Give at most {MAX_DISTANCE:g} m.")
    right, up, normal, flipped = PLANES[axes]
    return FieldPlane(axes, right, up, normal, flipped, distance)


def visible_area(plane: FieldPlane, extent: object, regions: Iterable[tuple[Floats, float]]) -> tuple[Floats, Floats]:
    """The corners (2,) and (2,) on the paper of what is shown.

    `extent` is so far [m] on each side of the origin, or ((low, high), (low, high)) along the plane's two letters; None
    shows what is `regions` to be there: places (3,) and how far [m] they reach.
    """
    if extent is None:
        projected = [(plane.project(position), reach) for position, reach in regions]
        low = np.min([position - MARGIN * reach for position, reach in projected], axis=0)
        high = np.max([position + MARGIN * reach for position, reach in projected], axis=0)
        return _check_area(low, high, extent)
    half_size = as_number(extent)
    ranges = np.array([[-half_size, half_size]] * 2) if half_size is not None else _parse_ranges(extent)
    if plane.letters == "yz":
        ranges = ranges[::-1]  # z runs across
    low, high = np.array(
        [-side[::-1] if flipped else side for side, flipped in zip(ranges, plane.axis_flips, strict=True)]
    ).T
    return _check_area(low, high, extent)


def _parse_ranges(extent: object) -> Floats:
    """Two ranges (2, 2)."""
    ranges = None if isinstance(extent, str) else as_numbers(extent)
    if ranges is None or ranges.shape != (2, 2):
        raise KeyposeError(
            f"A plane is shown over {short_repr(extent)}. Give metres on each side, as 3, or ((-1, 4), (0, 2))."
        )
    return ranges


def _check_area(low: Floats, high: Floats, extent: Any) -> tuple[Floats, Floats]:
    """The corners, if there is a piece between them that can be drawn."""
    distance = float(np.abs([low, high]).max())
    size = high - low if distance <= MAX_DISTANCE else np.full(2, np.nan)
    if not (size >= max(MIN_SIZE, MIN_RELATIVE_SIZE * distance)).all() or not distance <= MAX_DISTANCE:
        extent_text = f"{distance:g} m from the origin" if extent is None else short_repr(extent)
        raise KeyposeError(
            f"A plane is shown over {extent_text}. Give low before high, {MIN_SIZE:g} to {MAX_DISTANCE:g} m "
            "and not too thin "
            "for how far away it is, as extent=3."
        )
    return low, high
