"""Whom does an object track? An actor, a group's middle, a pointer in somebody's hand, or a place that stays."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from keypose.errors import KeyposeError, short_repr
from keypose.maths import MAX_MAGNITUDE, Floats, Vec3, as_numbers

MIN_LENGTH = 1e-100  # a vector shorter than this points nowhere


@dataclass(frozen=True)
class Pointer:
    """What a hand moves: the mouse, a pen, a valuator. It is where it was last put (PF89 §3)."""

    name: str = "pointer"

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name:
            raise KeyposeError(f'A pointer is called {short_repr(self.name)}. Give it a name, as "pointer".')


Target = str | tuple[str, ...] | Pointer | Vec3


def check_target(given: Any, owner: str) -> Target:
    """A target as it was said, made hashable: a name, a tuple of names, a `Pointer`, or a place as three floats."""
    if isinstance(given, Pointer):
        return given
    if isinstance(given, str) and given:
        return str(given)
    if isinstance(given, list | tuple) and given and all(isinstance(name, str) and name for name in given):
        return tuple(map(str, given))
    try:
        return check_vector(given, owner)
    except KeyposeError:
        raise KeyposeError(
            f'{owner} tracks {short_repr(given)}. Give the name of an actor, a group as "flock/*" or ("one", "two"), '
            "a Pointer, or a place as (0, 1, 0)."
        ) from None


def target_names(target: Target) -> tuple[str, ...]:
    """The names a target goes by; a place that stays has none."""
    if isinstance(target, Pointer):
        return (target.name,)
    if isinstance(target, str):
        return (target,)
    return tuple(name for name in target if isinstance(name, str))


def fixed_position(target: Target) -> Floats | None:
    """The place [m] of a target that stays, (3,), else None."""
    return None if target_names(target) else np.array(target, dtype=float)


def check_vector(given: Any, what: str) -> Vec3:
    """Three finite floats; two are lifted to z = 0."""
    found = None if isinstance(given, str) else as_numbers(given)
    if found is None or found.shape not in ((2,), (3,)) or not np.all(np.abs(found) <= MAX_MAGNITUDE):
        raise KeyposeError(f"{what} is {short_repr(given)}. Give three finite numbers, as (0, 1, 0).")
    x, y, z = (*found.tolist(), 0.0)[:3]
    return x, y, z


def check_direction(given: Any, what: str) -> Vec3:
    """Three finite floats that point somewhere."""
    found = check_vector(given, what)
    if float(np.linalg.norm(found)) <= MIN_LENGTH:
        raise KeyposeError(
            f"{what} is {short_repr(given)}, which points nowhere. Give a vector with a length, as (0, 1, 0)."
        )
    return found


def unit_vectors(vectors: Floats, fallback: Iterable[float] = (1.0, 0.0, 0.0)) -> Floats:
    """Each of the vectors (…, 3) with length 1; where one points nowhere, some other direction."""
    length = np.linalg.norm(vectors, axis=-1, keepdims=True)
    has_length = length > MIN_LENGTH
    return np.where(has_length, vectors / np.where(has_length, length, 1.0), np.asarray(fallback, dtype=float))
