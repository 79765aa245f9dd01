"""What counts as distance when an object both travels and turns? √(m dl² + j dθ²) (GL95 §5.1, corrected)."""

from dataclasses import dataclass
from functools import cache

import numpy as np

from keypose.curves.distance.length_table import LengthTable, build_length_table
from keypose.curves.path.path_orientation import PathOrientation
from keypose.curves.path.segments import SegmentRun
from keypose.maths import Floats, hermite, ordered_sum


@dataclass(frozen=True)
class Metric:
    """What travel and turn count for: distance is ∫√(mass dl² + inertia dθ²)."""

    mass: float = 1.0
    inertia: float = 0.0

    @property
    def is_length(self) -> bool:
        """Whether distance is plain length."""
        return self.mass == 1 and self.inertia == 0

    def pace(self, velocity: Floats, angular_velocity: Floats) -> Floats:
        """Distance that goes with a velocity (…, points, dim) and an angular velocity (…, 3) [rad]."""
        points = velocity.shape[-2]
        squared = ordered_sum((velocity * velocity).reshape(*velocity.shape[:-2], points * velocity.shape[-1])) / points
        if not self.is_length:
            squared = self.mass * squared + self.inertia * np.sum(angular_velocity * angular_velocity, axis=-1)
        return np.asarray(np.sqrt(squared))


LENGTH_METRIC = Metric()
ANGLE_METRIC = Metric(0.0, 1.0)
PARTS_PER_SEGMENT = (
    16  # of a segment; the square of the turning speed is smooth, so a quartic in each part follows it to ~1e-9
)


def build_metric_table(run: SegmentRun, orientation: PathOrientation | None, metric: Metric) -> LengthTable:
    """A ruler that measures travel and turn together; mass 0 measures the turn alone [rad for inertia 1]."""
    u = np.arange(len(run))[:, None, None] + sample_fractions()
    angular_velocity = np.zeros((*u.shape, 3)) if orientation is None else orientation.angular_velocity(u)
    return build_length_table(metric_quartics(run.curve, run.points, angular_velocity, metric))


def sample_fractions() -> Floats:
    """The shares of a segment at which its angular velocity is asked for, to measure it, (parts, 5)."""
    return np.asarray((np.arange(PARTS_PER_SEGMENT)[:, None] + _quartic_fit()[0]) / PARTS_PER_SEGMENT)


def metric_quartics(curve: Floats, points: int, angular_velocity: Floats, metric: Metric) -> Floats:
    """Speed² of segments (k, 4, width) by part (k, parts, 5), from angular velocities (k, parts, 5, 3) at samples."""
    powers = sample_fractions()[..., None] ** np.arange(5)
    travel = np.einsum("ik,pnk->ipn", hermite.speed_quartics(curve, points), powers)
    squared = metric.mass * travel + metric.inertia * np.einsum("...k,...k->...", angular_velocity, angular_velocity)
    return np.ascontiguousarray(np.einsum("kn,ipn->ipk", _quartic_fit()[1], squared))


@cache
def _quartic_fit() -> tuple[Floats, Floats]:
    """Five places in 0 … 1 (Chebyshev's) and the matrix from values there to a quartic, lowest power first."""
    nodes = 0.5 - 0.5 * np.cos(np.pi * (np.arange(5) + 0.5) / 5)
    return nodes, np.asarray(np.linalg.inv(np.vander(nodes, increasing=True)), dtype=np.float64)
