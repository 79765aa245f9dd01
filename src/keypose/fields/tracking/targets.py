"""Whom does an object track? An actor, a group's middle, a pointer in somebody's hand, or a place that stays."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from keypose.errors import KeyposeError, shown
from keypose.maths.arrays import Floats, Vec3
from keypose.maths.inputs import LARGEST, as_numbers

NEAREST = 1e-100  # a vector shorter than this points nowhere


@dataclass(frozen=True)
class Pointer:
    """What a hand moves: the mouse, a pen, a valuator. It is where it was last put (PF89 §3)."""

    name: str = "pointer"

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name:
            raise KeyposeError(f'A pointer is called {shown(self.name)}. Give it a name, as "pointer".')


Target = str | tuple[str, ...] | Pointer | Vec3


def target_of(given: Any, who: str) -> Target:
    """A target as it was said, made hashable: a name, a tuple of names, a `Pointer`, or a place as three floats."""
    if isinstance(given, Pointer):
        return given
    if isinstance(given, str) and given:
        return str(given)
    if isinstance(given, list | tuple) and given and all(isinstance(name, str) and name for name in given):
        return tuple(map(str, given))
    try:
        return vector(given, who)
    except KeyposeError:
        raise KeyposeError(
            f'{who} tracks {shown(given)}. Give the name of an actor, a group as "flock/*" or ("one", "two"), '
            "a Pointer, or a place as (0, 1, 0)."
        ) from None


def names_in(target: Target) -> tuple[str, ...]:
    """The names a target goes by; a place that stays has none."""
    if isinstance(target, Pointer):
        return (target.name,)
    if isinstance(target, str):
        return (target,)
    return tuple(name for name in target if isinstance(name, str))


def place_in(target: Target) -> Floats | None:
    """The place [m] of a target that stays, (3,), else None."""
    return None if names_in(target) else np.array(target, dtype=float)


def vector(given: Any, what: str) -> Vec3:
    """Three finite floats; two are lifted to z = 0."""
    found = None if isinstance(given, str) else as_numbers(given)
    if found is None or found.shape not in ((2,), (3,)) or not np.all(np.abs(found) <= LARGEST):
        raise KeyposeError(f"{what} is {shown(given)}. Give three finite numbers, as (0, 1, 0).")
    x, y, z = (*found.tolist(), 0.0)[:3]
    return x, y, z


def pointing(given: Any, what: str) -> Vec3:
    """Three finite floats that point somewhere."""
    found = vector(given, what)
    if float(np.linalg.norm(found)) <= NEAREST:
        raise KeyposeError(
            f"{what} is {shown(given)}, which points nowhere. Give a vector with a length, as (0, 1, 0)."
        )
    return found


def units(vectors: Floats, otherwise: Iterable[float] = (1.0, 0.0, 0.0)) -> Floats:
    """Each of the vectors (…, 3) with length 1; where one points nowhere, some other direction."""
    length = np.linalg.norm(vectors, axis=-1, keepdims=True)
    far = length > NEAREST
    return np.where(far, vectors / np.where(far, length, 1.0), np.asarray(otherwise, dtype=float))
