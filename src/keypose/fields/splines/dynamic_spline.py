"""What is steered by fields? A point, or every point of a drawing, on a spline that grows tick by tick (PF89 §2)."""

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np

from keypose.errors import KeyposeError, short_repr
from keypose.fields.algebra.field import Field
from keypose.fields.splines.integrators import BASES, CONTINUITIES, INTEGRATORS
from keypose.fields.tracking.avoid import Avoid
from keypose.fields.tracking.trackers import Tracker
from keypose.maths import MAX_MAGNITUDE, ArrayLike, Floats, as_numbers, parse_choice, parse_number
from keypose.motion import NO_AFFINITIES, check_fraction, parse_affinities, referenced_names

FieldOrTracker = Field | Tracker | Avoid


@dataclass(frozen=True, eq=False, repr=False)
class DynamicSpline:
    """Begins at `position` [m] with `velocity` [m/s] and senses the fields it is linked to, and no others.

    A `position` (points, dim) is a drawing each of whose points is steered. `senses` gives each field, or its name on
    the stage, an affinity 0 … 1; `friction` 0 … 1 is what is lost per film frame. Segments meet with `continuity` "c1",
    "c2" or "g2" (with `beta`); `integrator` is the "paper"'s or "steady", which keeps orbits; `basis` "hermite", or
    "linear" for hard constraints.
    """

    position: Floats
    velocity: Floats
    _: KW_ONLY
    friction: float = 0.0
    senses: Mapping[FieldOrTracker | str, float] = NO_AFFINITIES
    continuity: str = "c1"
    beta: float = 0.0
    integrator: str = "paper"
    basis: str = "hermite"

    def __init__(
        self,
        position: ArrayLike,
        velocity: ArrayLike | None = None,
        *,
        friction: float = 0.0,
        senses: Mapping[FieldOrTracker | str, float] = NO_AFFINITIES,
        continuity: str = "c1",
        beta: float = 0.0,
        integrator: str = "paper",
        basis: str = "hermite",
    ) -> None:
        points = _check_position(position)
        self.__dict__.update(
            position=points,
            velocity=_check_velocity(velocity, points),
            friction=check_fraction(friction, "The friction of a dynamic spline"),
            senses=parse_affinities(senses, "A dynamic spline", (Field, Tracker, Avoid)),
            continuity=parse_choice(continuity, CONTINUITIES, "A dynamic spline has continuity"),
            beta=parse_number(beta, "The beta of a dynamic spline"),
            integrator=parse_choice(integrator, INTEGRATORS, "A dynamic spline has integrator"),
            basis=parse_choice(basis, BASES, "A dynamic spline has basis"),
        )
        is_second_order = self.continuity != "c1"
        if is_second_order and (self.integrator != "paper" or self.basis != "hermite"):
            raise KeyposeError(
                f'A dynamic spline has continuity="{self.continuity}" and integrator="{self.integrator}", '
                f'basis="{self.basis}". Second-order continuity goes with "paper" and "hermite".'
            )
        if self.beta and self.continuity != "g2":
            raise KeyposeError(f'A dynamic spline has beta={self.beta:g}, which only continuity="g2" uses.')

    @property
    def system_kind(self) -> str:
        """The system of all dynamic splines of a stage."""
        return "splines"

    @property
    def watches(self) -> tuple[str, ...]:
        """Those it is told of by name: who carries the fields it senses, and whom it tracks."""
        return referenced_names(self.senses)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, DynamicSpline):
            return NotImplemented
        is_same_start = np.array_equal(self.position, other.position) and np.array_equal(self.velocity, other.velocity)
        return is_same_start and self._options() == other._options()

    def __hash__(self) -> int:
        return hash((self.position.tobytes(), self.velocity.tobytes(), self.friction, frozenset(self.senses)))

    def __repr__(self) -> str:
        defaults = DynamicSpline((0.0, 0.0, 0.0))._options()
        keywords = [f"{name}={value!r}" for name, value in self._options().items() if value != defaults[name]]
        velocity_code = [repr(self.velocity.tolist())] if self.velocity.any() else []
        return f"DynamicSpline({', '.join([repr(self.position.tolist()), *velocity_code, *keywords])})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild_spline, (self.position, self.velocity, self._options())

    def _options(self) -> dict[str, Any]:
        option_names = ("friction", "continuity", "beta", "integrator", "basis")
        return {"senses": dict(self.senses)} | {name: getattr(self, name) for name in option_names}


def _rebuild_spline(position: Floats, velocity: Floats, options: dict[str, Any]) -> DynamicSpline:
    return DynamicSpline(position, velocity, **options)


def _check_position(given: ArrayLike) -> Floats:
    """Where it begins, (3,) or (points, 3); two numbers stand at z = 0."""
    points = as_numbers(given)
    if points is None or points.ndim not in (1, 2) or points.shape[-1] not in (2, 3) or not points.size:
        raise KeyposeError(
            f"A dynamic spline begins at {short_repr(given)}. Give a place (x, y, z), or a drawing (points, dim)."
        )
    return _lift_to_3d(points, "A dynamic spline begins at", given)


def _check_velocity(given: ArrayLike | None, position: Floats) -> Floats:
    """How it begins to move, one for all points or one for each."""
    velocity = np.zeros(3) if given is None else as_numbers(given)
    has_valid_shape = (
        velocity is not None
        and velocity.shape[-1:] in ((2,), (3,))
        and velocity.shape[:-1] in ((), position.shape[:-1])
    )
    if velocity is None or not has_valid_shape:
        raise KeyposeError(
            f"A dynamic spline begins with the velocity {short_repr(given)}. Give (x, y, z) in m/s, for a "
            "drawing one or "
            "as many as it has points."
        )
    return _lift_to_3d(
        np.array(np.broadcast_to(velocity, (*position.shape[:-1], velocity.shape[-1]))), "The velocity is", given
    )


def _lift_to_3d(values: Floats, what: str, given: object) -> Floats:
    if not (np.abs(values) <= MAX_MAGNITUDE).all():
        raise KeyposeError(f"{what} {short_repr(given)}. Give finite numbers.")
    lifted = values if values.shape[-1] == 3 else np.concatenate([values, np.zeros_like(values[..., :1])], axis=-1)
    lifted.flags.writeable = False
    return lifted
