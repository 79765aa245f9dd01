"""What else can be kept? Any metric of the tracker, the tracked and the time, a vector or a number (PF89 eq. 6)."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol, runtime_checkable

import numpy as np

from keypose.errors import ErrorPath, KeyposeError, short_repr
from keypose.fields.formula.errors import FormulaError
from keypose.fields.formula.evaluate import evaluate_program
from keypose.fields.formula.parser import parse_formula
from keypose.fields.formula.program import Program
from keypose.fields.formula.vocabulary import POSITION, VELOCITY
from keypose.fields.tracking.targets import Target, check_vector, unit_vectors
from keypose.fields.tracking.trackers import Tracker, in_first_column
from keypose.maths import MAX_MAGNITUDE, ArrayLike, Floats, Vec3, parse_number

OBJECT_VARIABLES, TARGET_VARIABLES = (*POSITION, *VELOCITY), (*map(str.upper, POSITION), *map(str.upper, VELOCITY))
EXAMPLE = "(X - x, 0, Z - z)"


@runtime_checkable
class Metric(Protocol):
    """A hashable value that measures: places [m] and velocities [m/s] (n, 3), time [s] → (n, 3), or (n,) numbers."""

    @property
    def is_vector(self) -> bool:
        """Whether it gives vectors."""
        ...

    def __call__(self, P_O: Floats, v_O: Floats, P_T: Floats, v_T: Floats, t: float) -> Floats:
        """m(O, T, t)."""
        ...


@dataclass(frozen=True)
class FormulaMetric:
    """A metric as it was typed, of the object's x y z vx vy vz, the target's X Y Z VX VY VZ, and t."""

    text: str

    @property
    def is_vector(self) -> bool:
        """Whether it gives vectors."""
        return len(_program(self.text).outputs) == 3

    def __call__(self, P_O: Floats, v_O: Floats, P_T: Floats, v_T: Floats, t: float) -> Floats:
        """m(O, T, t), (n, 3) or (n,). NaN where it has no value."""
        columns = np.concatenate([P_O, v_O, P_T, v_T], axis=1).T.copy()
        variables = dict(zip((*OBJECT_VARIABLES, *TARGET_VARIABLES), columns, strict=True)) | {"t": np.float64(t)}
        parts = [np.broadcast_to(part, len(P_O)) for part in evaluate_program(_program(self.text), variables)]
        return np.stack(parts, axis=1) if self.is_vector else np.array(parts[0])


@lru_cache(maxsize=512)
def _program(text: str) -> Program:
    """What was typed, for one number or for a vector."""
    variables = (*OBJECT_VARIABLES, *TARGET_VARIABLES, "t")
    try:
        return parse_formula(text, "number", variables=variables)
    except FormulaError:  # a vector, or wrong at its column either way
        return parse_formula(text, "vector", variables=variables)


@dataclass(frozen=True, init=False)
class Keep(Tracker):
    """Keep a metric m(O, T, t) as it is in the beginning: `Keep("(X - x, 0, Z - z)", "leader")` follows on the ground.

    Or at a `value`, a number or a vector as the metric is: `Keep("(0, Y - y, 0)", "leader", (0, -1, 0))` comes to one
    metre above it. A vector pulls as it is (eqs 7-8). A number pulls towards the target where it is too large, and away
    from it where it is too small, as a distance does (eq. 10).
    """

    metric: str | Metric
    value: float | Vec3 | None = None

    def __init__(
        self,
        metric: str | Metric,
        target: Target,
        value: float | ArrayLike | None = None,
        *,
        response: float = 1.0,
        memory: float = 0.0,
    ) -> None:
        if isinstance(metric, str):
            metric = str(metric)
            _program(metric)  # refused here, at its column, if it is wrong
        elif isinstance(metric, type) or not isinstance(metric, Metric):
            raise KeyposeError(f'Keep has the metric {short_repr(metric)}. Give it text, such as "{EXAMPLE}".')
        self.__dict__.update(metric=metric, target=target, response=response, memory=memory)
        self.__post_init__()
        self.__dict__["value"] = None if value is None else self._check_value(value)

    def given_reference(self) -> Floats | None:
        """What the metric should be, if it was said; a number in the first column."""
        return (
            None
            if self.value is None
            else np.array(self.value if self._metric_function.is_vector else (self.value, 0, 0))
        )

    def measure(self, P_O: Floats, v_O: Floats, P_T: Floats, v_T: Floats, t: float) -> Floats:
        """The metric, (n, 3); a number in the first column."""
        P_T, v_T = np.broadcast_to(P_T, P_O.shape), np.broadcast_to(v_T, P_O.shape)
        values = np.asarray(self._metric_function(P_O, v_O, P_T, v_T, t), dtype=float)
        if self._metric_function.is_vector:
            return np.array(np.broadcast_to(values, P_O.shape))
        return in_first_column(np.broadcast_to(values, P_O.shape[:1]))

    def error_vector(self, error: Floats, P_O: Floats, P_T: Floats, reference: Floats) -> Floats:
        """Vectors as they are, numbers towards the target."""
        return error if self._metric_function.is_vector else error[:, :1] * unit_vectors(P_T - P_O)

    def _check_value(self, value: object) -> float | Vec3:
        """The value to be kept, of the metric's own kind."""
        with ErrorPath("value"):
            if self._metric_function.is_vector:
                return check_vector(value, "The value of Keep, whose metric is a vector,")
            found = parse_number(value, "The value of Keep, whose metric is a number,")
            if not abs(found) <= MAX_MAGNITUDE:
                raise KeyposeError(f"Keep has value={found:g}. Give at most {MAX_MAGNITUDE:g}, or None.")
            return found

    @property
    def _metric_function(self) -> Metric:
        return FormulaMetric(self.metric) if isinstance(self.metric, str) else self.metric
