"""How does one object keep its place to another? It makes a field of its own error (PF89 §3, eqs 6-10).

A tracker says what should stay as it was: an offset, a distance, a line, a plane, or any metric m(O, T, t). What it
wanted, missed last and missed in all is its memory, which a pull replaces and never alters. A pull is in metres per
film frame², as in the paper, for affinity α = 1; positions are metres, velocities metres a second, rows are objects.
"""

from abc import ABC, abstractmethod
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np

from keypose.errors import KeyposeError, short_repr
from keypose.fields.tracking.targets import (
    Target,
    check_direction,
    check_target,
    check_vector,
    fixed_position,
    target_names,
    unit_vectors,
)
from keypose.maths import MAX_MAGNITUDE, Floats, Vec3, parse_number


@dataclass(frozen=True, eq=False)
class TrackerMemory:
    """What n trackers of one kind remember from tick to tick: arrays (n, 3)."""

    reference: Floats
    """m(O, T, 0) of eq. 6, or what was asked for instead. A metric of one number has it in the first column."""
    last_error: Floats
    """The error ε at the last tick."""
    error_sum: Floats
    """Σ ε of eq. 8, times the frames that each lasted."""


@dataclass(frozen=True)
class Tracker(ABC):
    """What all trackers have: a target, and how they answer to changes (`response`, β) and to the past (`memory`, γ).

    Affinity α is the link's: it multiplies the pull. β and γ are per film frame, whatever the tick.
    """

    target: Target
    _: KW_ONLY
    response: float = 1.0
    memory: float = 0.0

    def __post_init__(self) -> None:
        owner = type(self).__name__
        values: dict[str, Any] = {"target": check_target(self.target, owner)}
        values |= {name: check_gain(getattr(self, name), name, owner) for name in ("response", "memory")}
        self.__dict__.update(values)

    @property
    def names(self) -> tuple[str, ...]:
        """The actors it must see, as they were said: a group is one name with a star, or several."""
        return target_names(self.target)

    @abstractmethod
    def measure(self, P_O: Floats, v_O: Floats, P_T: Floats, v_T: Floats, t: float) -> Floats:
        """What should stay as it is, (n, 3): m(O, T, t) of eq. 6."""

    def given_reference(self) -> Floats | None:
        """What the metric should be, if it was said, (3,); else it is what it is in the beginning."""
        return None

    def error_vector(self, error: Floats, P_O: Floats, P_T: Floats, reference: Floats) -> Floats:
        """The way an error pulls, (n, 3): vectors pull as they are (eqs 7-8)."""
        return error

    def begin(self, P_O: Floats, v_O: Floats, P_T: Floats, v_T: Floats, t: float = 0.0) -> TrackerMemory:
        """What n objects at P_O (n, 3) remember as they begin to track targets at P_T, (n, 3) or one for all (3,)."""
        initial = self.measure(P_O, v_O, *self._target_state(P_T, v_T), t)
        given = self.given_reference()
        reference = initial if given is None else np.broadcast_to(given, initial.shape).copy()
        return TrackerMemory(reference, self.error(initial, reference), np.zeros_like(initial))

    def pull(
        self, memory: TrackerMemory, P_O: Floats, v_O: Floats, P_T: Floats, v_T: Floats, t: float = 0.0, r: float = 1.0
    ) -> tuple[Floats, TrackerMemory]:
        """Eq. 8, and so eqs 7 and 10: ε + β Δε/Δt + γ Σε [m/frame²], (n, 3), and what is remembered then.

        Δt is the tick in film frames, r. For a target that stays P_T and v_T are not read.
        """
        P_T, v_T = self._target_state(P_T, v_T)
        error = self.error(self.measure(P_O, v_O, P_T, v_T, t), memory.reference)
        total = memory.error_sum + r * error
        correction = error + self.response * (error - memory.last_error) / r + self.memory * total
        return self.error_vector(correction, P_O, P_T, memory.reference), TrackerMemory(memory.reference, error, total)

    def error(self, measured: Floats, reference: Floats) -> Floats:
        """Eq. 6: ε = m(O, T, t) − m(O, T, 0)."""
        return measured - reference

    def _target_state(self, P_T: Floats, v_T: Floats) -> tuple[Floats, Floats]:
        fixed = fixed_position(self.target)
        return (P_T, v_T) if fixed is None else (fixed, np.zeros(3))


@dataclass(frozen=True)
class KeepOffset(Tracker):
    """Stay where it is as seen from the target, m = P_T − P_O, or at an `offset` from it [m] (eqs 6-8)."""

    offset: Vec3 | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.offset is not None:
            self.__dict__["offset"] = check_vector(self.offset, "The offset of KeepOffset")

    def measure(self, P_O: Floats, v_O: Floats, P_T: Floats, v_T: Floats, t: float) -> Floats:
        """The way to the target."""
        return P_T - P_O

    def given_reference(self) -> Floats | None:
        """The way to the target from where it should be."""
        return None if self.offset is None else -np.array(self.offset)


@dataclass(frozen=True)
class KeepDistance(Tracker):
    """Stay as far from the target as it is, or at a `distance` from it [m], on whichever side (eqs 9-10).

    Distance 0 asks for the target itself, which is a vector condition and is kept as one: its error changes sign where
    the object passes the target. Read literally eq. 10 takes that for no change, brakes too late and diverges.
    """

    distance: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.distance is not None:
            distance = parse_number(self.distance, "The distance of KeepDistance")
            if not 0 <= distance <= MAX_MAGNITUDE:
                raise KeyposeError(
                    f"KeepDistance has distance={distance:g}. Give 0 to {MAX_MAGNITUDE:g} metres, or None."
                )
            self.__dict__["distance"] = distance

    def measure(self, P_O: Floats, v_O: Floats, P_T: Floats, v_T: Floats, t: float) -> Floats:
        """The way to the target; how long it is, is seen in `error`."""
        return P_T - P_O

    def begin(self, P_O: Floats, v_O: Floats, P_T: Floats, v_T: Floats, t: float = 0.0) -> TrackerMemory:
        """d_ref, as given or as it is, in the first column; and its error."""
        offset = self.measure(P_O, v_O, *self._target_state(P_T, v_T), t)
        reference = np.zeros_like(offset)
        reference[:, 0] = np.linalg.norm(offset, axis=1) if self.distance is None else self.distance
        return TrackerMemory(reference, self.error(offset, reference), np.zeros_like(offset))

    def error(self, measured: Floats, reference: Floats) -> Floats:
        """Eq. 9: ε = d(P_O, P_T) − d_ref in the first column; for distance 0 the way itself."""
        distance = np.linalg.norm(measured, axis=1) - reference[:, 0]
        return np.where(reference[:, :1] > 0.0, in_first_column(distance), measured)

    def error_vector(self, error: Floats, P_O: Floats, P_T: Floats, reference: Floats) -> Floats:
        """Eq. 10: towards the target. Where both are in one place every way is as good: it is +x."""
        return np.where(reference[:, :1] > 0.0, error[:, :1] * unit_vectors(P_T - P_O), error)


@dataclass(frozen=True)
class _KeepOnShape(Tracker):
    """A line or a plane through the target; what is wanted of the way to it is nothing."""

    def given_reference(self) -> Floats:
        """Nothing between the object and where it should be."""
        return np.zeros(3)


@dataclass(frozen=True)
class KeepOnLine(_KeepOnShape):
    """Come to and stay on the straight line through the target in a `direction` (PF89 §3, straight-line constraint)."""

    direction: Vec3

    def __post_init__(self) -> None:
        super().__post_init__()
        self.__dict__["direction"] = check_direction(self.direction, "The direction of KeepOnLine")

    def measure(self, P_O: Floats, v_O: Floats, P_T: Floats, v_T: Floats, t: float) -> Floats:
        """The shortest way to the line."""
        offset, line = P_T - P_O, unit_vectors(np.array(self.direction))
        return np.asarray(offset - (offset @ line)[:, None] * line)


@dataclass(frozen=True)
class KeepOnPlane(_KeepOnShape):
    """Come to and stay on the plane through the target with a `normal`."""

    normal: Vec3

    def __post_init__(self) -> None:
        super().__post_init__()
        self.__dict__["normal"] = check_direction(self.normal, "The normal of KeepOnPlane")

    def measure(self, P_O: Floats, v_O: Floats, P_T: Floats, v_T: Floats, t: float) -> Floats:
        """The shortest way to the plane."""
        normal = unit_vectors(np.array(self.normal))
        return np.asarray(((P_T - P_O) @ normal)[:, None] * normal)


def in_first_column(values: Floats) -> Floats:
    """One number for each object (n,), as the memory keeps it (n, 3)."""
    return np.stack([values, np.zeros_like(values), np.zeros_like(values)], axis=1)


def check_gain(given: Any, name: str, owner: str) -> float:
    """A gain of the paper, 0 … 1."""
    value = parse_number(given, f"The {name} of {owner}")
    if not 0.0 <= value <= 1.0:
        raise KeyposeError(f"{owner} has {name}={short_repr(given)}. Give 0 to 1.")
    return value
