"""What else can be kept? Any metric of the tracker, the tracked and the time, a vector or a number (PF89 eq. 6)."""

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from keypose.errors import KeyposeError, shown
from keypose.fields.targets import Target, target_of, units
from keypose.fields.tracking import Tracker, in_first_column

Floats = NDArray[np.float64]


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


@dataclass(frozen=True, init=False)
class Keep(Tracker):
    """Keep a metric m(O, T, t) as it is in the beginning.

    A vector pulls as it is (eqs 7-8). A number pulls towards the target where it is too large, and away from it where
    it is too small, as a distance does (eq. 10).
    """

    metric: Metric

    def __init__(self, metric: Metric, target: Target, *, response: float = 1.0, memory: float = 0.0) -> None:
        if not isinstance(metric, Metric) or isinstance(metric, type):
            raise KeyposeError(f"Keep has the metric {shown(metric)}. Give a formula of both places and velocities.")
        self.__dict__.update(metric=metric, target=target_of(target, "Keep"), response=response, memory=memory)
        self.__post_init__()

    def measured(self, P_O: Floats, v_O: Floats, P_T: Floats, v_T: Floats, t: float) -> Floats:
        """The metric, (n, 3); a number in the first column."""
        P_T, v_T = np.broadcast_to(P_T, P_O.shape), np.broadcast_to(v_T, P_O.shape)
        found = np.asarray(self.metric(P_O, v_O, P_T, v_T, t), dtype=float)
        return (
            np.array(np.broadcast_to(found, P_O.shape))
            if self.metric.is_vector
            else in_first_column(np.broadcast_to(found, P_O.shape[:1]))
        )

    def along(self, error: Floats, P_O: Floats, P_T: Floats, wanted: Floats) -> Floats:
        """Vectors as they are, numbers towards the target."""
        return error if self.metric.is_vector else error[:, :1] * units(P_T - P_O)
