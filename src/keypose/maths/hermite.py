"""Where is a cubic between two points with given tangents? Hermite interpolation (KB84 eqs 1-2, PF89 eqs 1-2).

A segment is the matrix C of KB84 eq. 2: its two end points, then its two end tangents, (4, width). A curve is many
segments in a row, (segments, 4, width); its parameter u counts them: u = i + s is the share s of segment i.
"""

import numpy as np

from keypose.maths.array_functions import ordered_sum
from keypose.maths.arrays import Bools, Floats, Ints
from keypose.maths.kernel_switch import run_parallel, use_kernels

WIDE_SAMPLE = 256  # numbers per sample: from here on it pays to work through a drawing block by block


def weights(s: Floats, derivative: int = 0) -> tuple[Floats, Floats, Floats, Floats]:
    """h₁ … h₄ of KB84 at the shares s: what each row of C counts for, or their first or second derivative."""
    if derivative == 0:
        s2 = s * s
        s3 = s2 * s
        end = 3.0 * s2 - 2.0 * s3
        return 1.0 - end, end, s3 - 2.0 * s2 + s, s3 - s2
    if derivative == 1:
        end = 6.0 * s - 6.0 * (s * s)
        return -end, end, 3.0 * (s * s) - 4.0 * s + 1.0, 3.0 * (s * s) - 2.0 * s
    end = 6.0 - 12.0 * s
    return -end, end, 6.0 * s - 4.0, 6.0 * s - 2.0


def locate(u: Floats, segments: int | Ints, closed: bool | Bools) -> tuple[Ints, Floats]:
    """Which segment each u falls into and its share of it. Open curves hold at their ends, closed ones wrap.

    A joint belongs to the segment that leaves it; only the end of an open curve belongs to the one that arrives.
    Where several curves are asked at once, `segments` and `closed` are arrays that match u.
    """
    inside = np.minimum(np.maximum(wrap(u, segments, closed), 0.0), segments)
    segment = np.minimum(np.where(inside >= 0.0, inside, 0.0).astype(np.int64), segments - 1)
    return segment, inside - segment


def wrap(u: Floats, segments: int | Ints, closed: bool | Bools) -> Floats:
    """Each u brought into one lap of its curve, if that is closed."""
    if closed is False:
        return u
    with np.errstate(invalid="ignore", over="ignore"):  # infinity is nowhere on a loop: NaN
        lap: Floats = u - segments * np.floor(u / segments)
    return lap if closed is True else np.where(closed, lap, u)


def evaluate(curve: Floats, u: Floats, closed: bool, derivative: int = 0, out: Floats | None = None) -> Floats:
    """The curve, or a derivative by u, at each u: (n,) → (n, width)."""
    if out is None:
        out = np.empty((len(u), curve.shape[2]))
    if use_kernels(out.size):
        from keypose.maths import hermite_kernels

        kernel = hermite_kernels.evaluate_wide if out.shape[1] >= WIDE_SAMPLE else hermite_kernels.evaluate
        run_parallel(lambda start, stop: kernel(curve, u, closed, derivative, out, start, stop), len(u), out.size)
        return out
    segment, s = locate(u, len(curve), closed)
    out[:] = evaluate_segments(curve[segment], s, derivative)
    return out


def evaluate_segments(segments: Floats, s: Floats, derivative: int = 0) -> Floats:
    """Each of the segments (…, 4, width), or a derivative, at its share s (…): (…, width)."""
    one, two, three, four = (weight[..., None] for weight in weights(s, derivative))
    rows = segments
    return np.asarray(one * rows[..., 0, :] + two * rows[..., 1, :] + three * rows[..., 2, :] + four * rows[..., 3, :])


def split(segment: Floats, s: float) -> tuple[Floats, Floats]:
    """The two segments (4, width) that together draw exactly `segment`, cut at the share s."""
    point, tangent = point_and_tangent(segment, s)
    first = np.stack([segment[0], point, segment[2] * s, tangent * s])
    second = np.stack([point, segment[1], tangent * (1 - s), segment[3] * (1 - s)])
    return first, second


def point_and_tangent(segment: Floats, s: float) -> tuple[Floats, Floats]:
    """Point and tangent of one segment (4, width) at the share s."""
    fraction = np.asarray(s, dtype=float)
    point = sum(weight * row for weight, row in zip(weights(fraction), segment, strict=True))
    tangent = sum(weight * row for weight, row in zip(weights(fraction, 1), segment, strict=True))
    return np.asarray(point), np.asarray(tangent)


def speed_quartics(curve: Floats, points: int) -> Floats:
    """|dP/ds|² of every segment as a quartic in s, lowest power first, (segments, 5).

    For drawings it is the mean over the points. Five numbers hold it whatever the width, which is what makes measuring
    a drawing of a thousand points as quick as measuring a single one.
    """
    if use_kernels(curve.size):
        from keypose.maths import hermite_kernels

        out = np.empty((len(curve), 5))
        run_parallel(
            lambda start, stop: hermite_kernels.speed_quartics(curve, points, out, start, stop), len(curve), curve.size
        )
        return out
    start, stop, leave, arrive = (curve[:, row] for row in range(4))
    chord = stop - start
    c1, c2 = 2 * (3 * chord - 2 * leave - arrive), 3 * (leave + arrive - 2 * chord)
    powers = [leave * leave, 2 * leave * c1, c1 * c1 + 2 * leave * c2, 2 * c1 * c2, c2 * c2]
    return np.stack([ordered_sum(power) / points for power in powers], axis=1)
