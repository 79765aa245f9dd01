"""Distance and drawn speed against their peers, with the error beside the time."""

import numpy as np
from measure import Row, best_times, lower_limit_row, seconds, upper_limit_row
from scipy.integrate import quad, solve_ivp
from scipy.interpolate import BSpline, CubicHermiteSpline
from scipy.optimize import brentq

from keypose import Key, Motion, MotionPath, SpeedProfile


def _twenty_keys() -> list[Key]:
    rng = np.random.default_rng(5)
    return [
        Key(position, tension=1.0 if index == 9 else None) for index, position in enumerate(rng.normal(size=(20, 3)))
    ]


def _exact_parameters(path: MotionPath, distances: np.ndarray) -> np.ndarray:
    """By quad and brentq, segment by segment: slow and independent."""

    def speed(u: float, segment: int) -> float:
        return float(np.linalg.norm(path.velocity(min(max(u, segment), np.nextafter(segment + 1, 0)))))

    def length(segment: int, u: float) -> float:
        return quad(speed, segment, u, args=(segment,), epsabs=1e-13, epsrel=1e-13, limit=300)[0]

    starts = np.concatenate([[0.0], np.cumsum([length(i, i + 1) for i in range(path.segments)])])
    parameters = []
    for distance in distances:
        segment = min(int(np.searchsorted(starts, distance, side="right")) - 1, path.segments - 1)
        rest = distance - starts[segment]
        parameters.append(brentq(lambda u, i=segment, r=rest: length(i, u) - r, segment, segment + 1, xtol=1e-14))
    return np.array(parameters)


def along() -> list[Row]:
    """1e6 random distances on 20 keys, one of which stops the path."""
    rng = np.random.default_rng(6)
    path = MotionPath(_twenty_keys())
    d = rng.uniform(0, path.length, 1_000_000)
    table_u = np.linspace(0, 19, 1901)
    table_d = path.distance(table_u)
    ours, table = best_times(lambda: path.along(d), lambda: path.at(np.interp(d, table_d, table_u)))

    few = np.concatenate([d[:150], path.distance(np.array([8.999, 9.0, 9.001]))])
    error = np.abs(path.along(few) - path.at(_exact_parameters(path, few))).max() / path.length
    step = 1e-6 * path.length  # short enough for chord and arc to agree, long enough for rounding not to matter
    inner = d[(d > step) & (d < path.length - step)]
    speed = np.linalg.norm(path.along(inner + step) - path.along(inner - step), axis=1) / (2 * step)
    task = f"`along` at 1e6 random distances, one key of tension 1 ({seconds(ours)})"
    return [
        upper_limit_row(
            f"{task}: time of `np.interp` on 100 per segment and the same evaluation", ours / table, 3, "×"
        ),
        upper_limit_row(f"{task}: position error, of the length (against quad + brentq)", error, 1e-9, ""),
        upper_limit_row(
            f"{task}: deviation of speed, 99th percentile", float(np.quantile(np.abs(speed - 1), 0.99)), 1e-6, ""
        ),
    ]


def profiled_frames() -> list[Row]:
    """240 frames of a drawn speed, built from keys each time, against integrating BH89's eq. 5.1 and searching K."""
    rng = np.random.default_rng(7)
    keys = [Key(position) for position in rng.normal(size=(8, 3)).cumsum(axis=0)]
    values, duration = [1, 1, 8, 2, 1], 10.0

    def closed_form() -> np.ndarray:
        return Motion(MotionPath(keys), SpeedProfile(values), duration=duration).frames(24).position

    path = MotionPath(keys, adjust="none")
    top = float(path.segments)
    phi = BSpline(np.r_[[0.0] * 3, np.linspace(0, 1, 3), [1.0] * 3], np.array(values, float), 3)
    spline = CubicHermiteSpline(np.arange(8.0), path.at(np.arange(8.0)), path.leave)
    slope = spline.derivative()
    alphas = np.linspace(0, 1, 241)

    def run(K: float) -> np.ndarray:
        def rate(alpha: float, s: np.ndarray) -> np.ndarray:
            return K * phi(alpha) / np.linalg.norm(slope(min(s[0], top)))

        return solve_ivp(rate, (0, 1), [0.0], t_eval=alphas, rtol=1e-9, atol=1e-11).y[0]

    def searched() -> np.ndarray:
        K = brentq(lambda K: run(K)[-1] - top, 0.5 * path.length / 2.6, 2 * path.length / 2.6, xtol=1e-10)
        return spline(np.minimum(run(K), top))

    smooth = Motion(path, SpeedProfile(values), duration=duration)
    area = [quad(phi, 0, a, points=[0.5], epsabs=1e-14)[0] for a in alphas]
    sampled_frames = np.arange(0, 241, 12)
    exact = path.at(_exact_parameters(path, np.array(area)[sampled_frames[1:-1]] / area[-1] * path.length))
    ours_error = np.abs(smooth.frames(24).position[sampled_frames[1:-1]] - exact).max()
    their_error = np.abs(searched()[sampled_frames[1:-1]] - exact).max()
    (ours,) = best_times(closed_form, rounds=15, repeat=20)
    (theirs,) = best_times(searched, rounds=2)
    task = f"240 frames of a profiled motion, from keys ({seconds(ours)})"
    return [
        lower_limit_row(f"{task}: faster than solve_ivp + brentq ({seconds(theirs)})", theirs / ours, 500, "×"),
        Row(
            f"{task}: error, theirs beside it",
            f"{ours_error:.1e} m",
            f"< {their_error:.1e} m",
            ours_error < their_error,
        ),
    ]
