"""Where is a field looked at? On a plane: front, top or side as the views know them, somewhere along what is left."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from keypose.errors import KeyposeError, shown
from keypose.maths.arrays import Floats
from keypose.maths.inputs import as_number, as_numbers, number, word

LARGEST, SMALLEST = 1e9, 1e-9  # [m] what can be looked at
FINEST = 1e-6  # of how far away it is: a piece smaller than this could not be measured
MARGIN = 1.25  # times what is known to be there


@dataclass(frozen=True, eq=False)
class Plane:
    """A plane through space: what runs across the paper and up, and what comes out of it towards the eye, each (3,).

    `flipped` tells whose numbers run the other way: across, up.
    """

    letters: str
    across: Floats
    up: Floats
    near: Floats
    flipped: tuple[bool, bool]
    offset: float = 0.0

    @property
    def rest(self) -> str:
        """The axis that the plane is not along."""
        return next(letter for letter in "xyz" if letter not in self.letters)

    @property
    def names(self) -> tuple[str, str]:
        """What the axes of the paper are called: across, up."""
        return ("z", "y") if self.letters == "yz" else (self.letters[0], self.letters[1])

    def places(self, paper: Floats) -> Floats:
        """Places (…, 3) in space of points (…, 2) on the paper."""
        return np.asarray(paper[..., :1] * self.across + paper[..., 1:] * self.up + self.offset * self.near)

    def onto_paper(self, vectors: Floats) -> Floats:
        """Points or vectors (…, 3) as the paper sees them, (…, 2)."""
        return np.stack([vectors @ self.across, vectors @ self.up], axis=-1)


X, Y, Z = np.eye(3)
PLANES = {  # as a front, a top and a side view show them
    "xy": (X, Y, Z, (False, False)),
    "xz": (X, -Z, Y, (False, True)),
    "yz": (-Z, Y, X, (True, False)),
}


def plane_of(letters: object, offset: object) -> Plane:
    """The plane "xy", "xz" or "yz", `offset` [m] along the third axis."""
    said = word(letters, PLANES, "A field is shown on the plane")
    away = number(offset, "The offset of a plane")
    if abs(away) > LARGEST:
        raise KeyposeError(f"A plane is {away:g} m away. Give at most {LARGEST:g} m.")
    across, up, near, flipped = PLANES[said]
    return Plane(said, across, up, near, flipped, away)


def piece(plane: Plane, extent: object, known: Iterable[tuple[Floats, float]]) -> tuple[Floats, Floats]:
    """The corners (2,) and (2,) on the paper of what is shown.

    `extent` is so far [m] on each side of the origin, or ((low, high), (low, high)) along the plane's two letters; None
    shows what is `known` to be there: places (3,) and how far [m] they reach.
    """
    if extent is None:
        seen = [(plane.onto_paper(place), reach) for place, reach in known]
        low = np.min([place - MARGIN * reach for place, reach in seen], axis=0)
        high = np.max([place + MARGIN * reach for place, reach in seen], axis=0)
        return _measured(low, high, extent)
    one = as_number(extent)
    ranges = np.array([[-one, one]] * 2) if one is not None else _ranges(extent)
    if plane.letters == "yz":
        ranges = ranges[::-1]  # z runs across
    low, high = np.array(
        [-side[::-1] if flipped else side for side, flipped in zip(ranges, plane.flipped, strict=True)]
    ).T
    return _measured(low, high, extent)


def _ranges(extent: object) -> Floats:
    """Two ranges (2, 2)."""
    found = None if isinstance(extent, str) else as_numbers(extent)
    if found is None or found.shape != (2, 2):
        raise KeyposeError(
            f"A plane is shown over {shown(extent)}. Give metres on each side, as 3, or ((-1, 4), (0, 2))."
        )
    return found


def _measured(low: Floats, high: Floats, extent: Any) -> tuple[Floats, Floats]:
    """The corners, if there is a piece between them that can be drawn."""
    away = float(np.abs([low, high]).max())
    size = high - low if away <= LARGEST else np.full(2, np.nan)
    if not (size >= max(SMALLEST, FINEST * away)).all() or not away <= LARGEST:
        said = f"{away:g} m from the origin" if extent is None else shown(extent)
        raise KeyposeError(
            f"A plane is shown over {said}. Give low before high, {SMALLEST:g} to {LARGEST:g} m and not too thin "
            "for how far away it is, as extent=3."
        )
    return low, high
