"""What is steered by fields? A point, or every point of a drawing, on a spline that grows tick by tick (PF89 §2)."""

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from keypose.errors import KeyposeError, shown
from keypose.fields.algebra.field import Field
from keypose.fields.splines.integrators import BASES, CONTINUITIES, INTEGRATORS
from keypose.fields.tracking.avoid import Avoid
from keypose.fields.tracking.trackers import Tracker
from keypose.maths.arrays import Floats
from keypose.maths.inputs import LARGEST, as_numbers, number, word
from keypose.motion.sensing_protocol import NOTHING, affinities, share, spoken_of

Sensed = Field | Tracker | Avoid


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
    senses: Mapping[Sensed | str, float] = NOTHING
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
        senses: Mapping[Sensed | str, float] = NOTHING,
        continuity: str = "c1",
        beta: float = 0.0,
        integrator: str = "paper",
        basis: str = "hermite",
    ) -> None:
        place = _places(position)
        self.__dict__.update(
            position=place,
            velocity=_velocities(velocity, place),
            friction=share(friction, "The friction of a dynamic spline"),
            senses=affinities(senses, "A dynamic spline", (Field, Tracker, Avoid)),
            continuity=word(continuity, CONTINUITIES, "A dynamic spline has continuity"),
            beta=number(beta, "The beta of a dynamic spline"),
            integrator=word(integrator, INTEGRATORS, "A dynamic spline has integrator"),
            basis=word(basis, BASES, "A dynamic spline has basis"),
        )
        curved = self.continuity != "c1"
        if curved and (self.integrator != "paper" or self.basis != "hermite"):
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
        return spoken_of(self.senses)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, DynamicSpline):
            return NotImplemented
        same = np.array_equal(self.position, other.position) and np.array_equal(self.velocity, other.velocity)
        return same and self._said() == other._said()

    def __hash__(self) -> int:
        return hash((self.position.tobytes(), self.velocity.tobytes(), self.friction, frozenset(self.senses)))

    def __repr__(self) -> str:
        usual = DynamicSpline((0.0, 0.0, 0.0))._said()
        words = [f"{name}={value!r}" for name, value in self._said().items() if value != usual[name]]
        pushed = [repr(self.velocity.tolist())] if self.velocity.any() else []
        return f"DynamicSpline({', '.join([repr(self.position.tolist()), *pushed, *words])})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _said_again, (self.position, self.velocity, self._said())

    def _said(self) -> dict[str, Any]:
        said = ("friction", "continuity", "beta", "integrator", "basis")
        return {"senses": dict(self.senses)} | {name: getattr(self, name) for name in said}


def _said_again(position: Floats, velocity: Floats, said: dict[str, Any]) -> DynamicSpline:
    return DynamicSpline(position, velocity, **said)


def _places(given: ArrayLike) -> Floats:
    """Where it begins, (3,) or (points, 3); two numbers stand at z = 0."""
    place = as_numbers(given)
    if place is None or place.ndim not in (1, 2) or place.shape[-1] not in (2, 3) or not place.size:
        raise KeyposeError(
            f"A dynamic spline begins at {shown(given)}. Give a place (x, y, z), or a drawing (points, dim)."
        )
    return _in_space(place, "A dynamic spline begins at", given)


def _velocities(given: ArrayLike | None, place: Floats) -> Floats:
    """How it begins to move, one for all points or one for each."""
    speed = np.zeros(3) if given is None else as_numbers(given)
    fits = speed is not None and speed.shape[-1:] in ((2,), (3,)) and speed.shape[:-1] in ((), place.shape[:-1])
    if speed is None or not fits:
        raise KeyposeError(
            f"A dynamic spline begins with the velocity {shown(given)}. Give (x, y, z) in m/s, for a drawing one or "
            "as many as it has points."
        )
    return _in_space(np.array(np.broadcast_to(speed, (*place.shape[:-1], speed.shape[-1]))), "The velocity is", given)


def _in_space(values: Floats, what: str, given: object) -> Floats:
    if not (np.abs(values) <= LARGEST).all():
        raise KeyposeError(f"{what} {shown(given)}. Give finite numbers.")
    lifted = values if values.shape[-1] == 3 else np.concatenate([values, np.zeros_like(values[..., :1])], axis=-1)
    lifted.flags.writeable = False
    return lifted
