"""How does something turn smoothly through its key facings? With tension, continuity and bias too (GL95 §2.2, §4).

Chords are the turns from key to key, as rotation vectors in the world; tangents come from them as for positions. Each
segment is a Bézier curve of turns, drawn by de Casteljau's slerps. GL95's own eq. 2 is kept as turning="log".
"""

import math
from copy import copy
from typing import Final, Literal, Self

import numpy as np

from keypose.curves.tangents import Adjust, Ends, apply_manual_tangents, around_keys, tcb_tangents
from keypose.maths import (
    ArrayLike,
    Floats,
    Ints,
    apply_math,
    hermite,
    parse_numbers,
    quaternion,
    run_parallel,
    use_kernels,
)

Turning = Literal["casteljau", "log"]

NUMBERS_PER_SAMPLE = 24  # six slerps of four numbers each
BATCH_SIZE = 1 << 15  # samples: what the definition keeps between its steps then fits into the cache


class OrientationPath:
    """A smooth turning through k key orientations, key j at the parameter v = j; closed ones wrap at v = k.

    `tcb` (k, 3) holds tension, continuity and bias; `arrive` and `leave` (k, 3) are tangents by hand: angular
    velocities [rad per unit of v] in the world, NaN for TCB, infinite for the plain chord. `spans` (segments,)
    are seconds or lengths; without them, and for "unit", the angles of the chords [rad]. Trusts what it is given.

    turning="casteljau" depends neither on the world's axes nor on the quaternions' signs, and is the same backwards.
    turning="log" is historical, GL95 eq. 2: a Hermite curve through the logarithms of the quaternions as they are,
    which depends on both.
    """

    def __init__(
        self,
        quaternions: Floats,
        tcb: Floats,
        *,
        arrive: Floats | None = None,
        leave: Floats | None = None,
        adjust: Adjust = "length",
        spans: Floats | None = None,
        ends: Ends = "reflect",
        closed: bool = False,
        turning: Turning = "casteljau",
    ) -> None:
        count = len(quaternions)
        self.segments: Final = 0 if count == 1 else count if closed else count - 1
        self._adjust, self._ends, self._closed, self._turning = adjust, ends, closed, turning
        self._quaternions = np.array(quaternions, dtype=np.float64, order="C")
        self._tcb = np.array(tcb, dtype=np.float64, order="C")
        self._manual_arrive = None if arrive is None else np.array(arrive, dtype=np.float64)
        self._manual_leave = None if leave is None else np.array(leave, dtype=np.float64)
        self._spans = None if spans is None or adjust == "unit" else np.array(spans, dtype=np.float64)
        self._arrive, self._leave = np.zeros((count, 3)), np.zeros((count, 3))
        self._curve = np.zeros((self.segments, 4, 4 if turning == "casteljau" else 3))
        self._legs: Floats | None = None
        self._derive(0, count - 1)

    def __len__(self) -> int:
        return len(self._quaternions)

    @property
    def quaternions(self) -> Floats:
        """The keys' quaternions as they were given: read-only, (k, 4)."""
        return _read_only(self._quaternions)

    @property
    def controls(self) -> Floats:
        """Each segment's four control quaternions, read-only, (segments, 4, 4); logarithms (…, 3) for "log"."""
        return _read_only(self._curve)

    @property
    def arrive(self) -> Floats:
        """The angular velocity with which each key is reached [rad per unit of v], in the world: read-only, (k, 3)."""
        return self._world_angular_velocities(self._arrive)

    @property
    def leave(self) -> Floats:
        """The angular velocity with which each key is left [rad per unit of v], in the world: read-only, (k, 3)."""
        return self._world_angular_velocities(self._leave)

    @property
    def spans(self) -> Floats | None:
        """Seconds or lengths of the segments, as given: read-only, (segments,); None where the angles serve."""
        return None if self._spans is None else _read_only(self._spans)

    def at(self, v: ArrayLike) -> Floats:
        """The orientation at each v, (…) → (…, 4). Open paths hold at their ends; NaN gives NaN."""
        query = parse_numbers(v, "A parameter", copy=False)
        return self._evaluate(query.reshape(-1), as_angular_velocity=False).reshape(*query.shape, 4)

    def angular_velocity(self, v: ArrayLike) -> Floats:
        """The angular velocity dθ/dv at each v [rad per unit of v], in the world: (…) → (…, 3).

        A key spins as it is left, and the last key of an open path as it is reached; so it does beyond.
        """
        query = parse_numbers(v, "A parameter", copy=False)
        return self._evaluate(query.reshape(-1), as_angular_velocity=True).reshape(*query.shape, 3)

    def with_rows(
        self,
        index: int,
        quaternion: Floats,
        tcb_row: Floats,
        arrive_row: Floats | None,
        leave_row: Floats | None,
        spans: Floats | None,
    ) -> Self:
        """The path with what key `index` says replaced; only the tangents of it and its neighbours are derived again.

        `spans` are the new ones of the whole path, which may differ in the two segments at this key, or None as before.
        """
        index, new = index % len(self), copy(self)
        new._quaternions, new._tcb, new._curve = self._quaternions.copy(), self._tcb.copy(), self._curve.copy()
        new._arrive, new._leave = self._arrive.copy(), self._leave.copy()
        new._quaternions[index], new._tcb[index] = quaternion, tcb_row
        new._manual_arrive = _with_row(self._manual_arrive, index, arrive_row, len(self))
        new._manual_leave = _with_row(self._manual_leave, index, leave_row, len(self))
        if self._spans is not None:
            new._spans = np.array(spans, dtype=np.float64)
        if self._legs is not None:
            new._legs = self._legs.copy()
        new._derive(index - 1, index + 1)
        return new

    def _derive(self, first: int, last: int) -> None:
        """Tangents of the keys first … last and the segments that touch them, from what the keys say."""
        if not self.segments:
            return
        window = np.arange(first - 1, last + 1)  # segments; the keys they join are one more
        if not self._closed:
            window = window[(window >= 0) & (window < self.segments)]
        around = np.append(window, window[-1] + 1)
        inside = (around >= first) & (around <= last)
        window, around, keys = window % self.segments, around % len(self), around[inside] % len(self)

        start, stop = self._quaternions[around[:-1]], self._quaternions[around[1:]]
        chords = orientation_chords(start, stop, self._turning)
        incoming, outgoing = around_keys(chords, False, "zero" if self._ends == "zero-chord" else "repeat")
        spans = np.linalg.norm(chords, axis=1) if self._spans is None else self._spans[window]
        before, after = around_keys(spans, False)
        incoming, outgoing, before, after = incoming[inside], outgoing[inside], before[inside], after[inside]
        arrive, leave = tcb_tangents(incoming, outgoing, self._tcb[keys], self._adjust, before, after)
        if self._ends == "still" and not self._closed:
            at_end = ((keys == 0) | (keys == len(self) - 1))[:, None]
            arrive, leave = np.where(at_end, 0.0, arrive), np.where(at_end, 0.0, leave)
        self._arrive[keys] = apply_manual_tangents(arrive, self._manual_tangents(self._manual_arrive, keys), incoming)
        self._leave[keys] = apply_manual_tangents(leave, self._manual_tangents(self._manual_leave, keys), outgoing)

        leave, arrive = self._leave[around[:-1]], self._arrive[around[1:]]
        self._curve[window] = build_orientation_segments(start, stop, leave, arrive, self._turning)
        if self._legs is not None:
            self._legs[window] = slerp_legs(self._curve[window])

    def _evaluate(self, v: Floats, as_angular_velocity: bool) -> Floats:
        """Orientations (n, 4) or angular velocities (n, 3) at v (n,): by the kernels where that pays."""
        out = np.empty((len(v), 3 if as_angular_velocity else 4))
        if not self.segments:
            out[:] = np.zeros(3) if as_angular_velocity else self._quaternions[0]
            out[np.isnan(v)] = np.nan
        elif self._turning == "log":
            with np.errstate(invalid="ignore"):  # an infinite v on a closed path is nowhere: NaN
                vector = hermite.evaluate(self._curve, v, self._closed)
                rate = hermite.evaluate(self._curve, v, self._closed, 1) if as_angular_velocity else vector
            out[:] = quaternion.exp_angular_velocity(vector, rate) if as_angular_velocity else quaternion.exp(vector)
        elif use_kernels(out.size):
            from keypose.curves.kernels import orientation_curve

            if self._legs is None:
                self._legs = slerp_legs(self._curve)
            legs, evaluate = (
                self._legs,
                orientation_curve.sample_angular_velocities
                if as_angular_velocity
                else orientation_curve.sample_orientations,
            )
            v = np.require(v, requirements=["C", "W"])  # numba would compile anew for any other kind of array
            work = len(v) * NUMBERS_PER_SAMPLE
            run_parallel(lambda start, stop: evaluate(legs, v, self._closed, out, start, stop), len(v), work)
        else:
            if self._legs is None:
                self._legs = slerp_legs(self._curve)
            for start in range(0, len(v), BATCH_SIZE):
                batch = slice(start, start + BATCH_SIZE)
                with np.errstate(invalid="ignore"):
                    segment, s = hermite.locate(v[batch], self.segments, self._closed)
                    out[batch] = (
                        casteljau_angular_velocity(self._curve[segment], s)
                        if as_angular_velocity
                        else evaluate_legs(self._legs[segment], s)
                    )
        return out

    def _manual_tangents(self, angular_velocities: Floats | None, keys: Ints) -> Floats | None:
        return (
            None
            if angular_velocities is None
            else tangents_from_angular_velocities(angular_velocities[keys], self._quaternions[keys], self._turning)
        )

    def _world_angular_velocities(self, tangents: Floats) -> Floats:
        return _read_only(
            tangents
            if self._turning == "casteljau"
            else quaternion.exp_angular_velocity(quaternion.log(self._quaternions), tangents)
        )


def orientation_chords(start: Floats, stop: Floats, turning: Turning) -> Floats:
    """What the tangents are made of, (…, 4) → (…, 3): turns from key to key, or differences of their logarithms."""
    return rotation_between(start, stop) if turning == "casteljau" else quaternion.log(stop) - quaternion.log(start)


def tangents_from_angular_velocities(angular_velocities: Floats, orientations: Floats, turning: Turning) -> Floats:
    """Tangents by hand (k, 3) of keys that face so (k, 4), as the curve takes them: as they are, or by logarithms."""
    if turning == "casteljau":
        return angular_velocities
    finite = np.where(np.isfinite(angular_velocities), angular_velocities, 0.0)
    return np.where(
        np.isfinite(angular_velocities), quaternion.log_rate(quaternion.log(orientations), finite), angular_velocities
    )


def build_orientation_segments(start: Floats, stop: Floats, leave: Floats, arrive: Floats, turning: Turning) -> Floats:
    """The segments from `start` to `stop` (k, 4) with these tangents (k, 3): (k, 4, 4), of logarithms (k, 4, 3)."""
    if turning == "casteljau":
        return control_quaternions(start, stop, leave, arrive)
    return np.stack([quaternion.log(start), quaternion.log(stop), leave, arrive], axis=1)


def evaluate_orientations(segments: Floats, s: Floats, turning: Turning) -> Floats:
    """The facing on each such segment (n, 4, …) at its share s (n,): (n, 4)."""
    return casteljau(segments, s) if turning == "casteljau" else quaternion.exp(hermite.evaluate_segments(segments, s))


def evaluate_angular_velocities(segments: Floats, s: Floats, turning: Turning) -> Floats:
    """The angular velocity on each such segment (n, 4, …) at several shares s of it (n, k): (n, k, 3)."""
    if turning == "log":
        wide = segments[:, None]
        return quaternion.exp_angular_velocity(
            hermite.evaluate_segments(wide, s), hermite.evaluate_segments(wide, s, 1)
        )
    if not use_kernels(s.size * NUMBERS_PER_SAMPLE):
        return casteljau_angular_velocity(np.broadcast_to(segments[:, None], (*s.shape, 4, 4)), s)
    from keypose.curves.kernels import orientation_curve as kernels

    legs, s, out = slerp_legs(segments), np.ascontiguousarray(s), np.empty((*s.shape, 3))
    run_parallel(
        lambda start, stop: kernels.segment_angular_velocities(legs, s, out, start, stop),
        len(s),
        s.size * NUMBERS_PER_SAMPLE,
    )
    return out


def rotation_between(start: Floats, stop: Floats) -> Floats:
    """The shorter turn from one orientation to another, (…, 4) → (…, 3): a rotation vector [rad] in the world."""
    return quaternion.log(quaternion.multiply(quaternion.align_sign(start, stop), quaternion.conjugate(start)))


def control_quaternions(start: Floats, stop: Floats, leave: Floats, arrive: Floats) -> Floats:
    """The control quaternions (k, 4, 4) of segments from `start` to `stop` (k, 4), from angular velocities there."""
    stop = quaternion.align_sign(start, stop)
    after = quaternion.multiply(quaternion.exp(leave / 3), start)
    before = quaternion.multiply(quaternion.exp(-arrive / 3), stop)
    return np.stack([start, after, before, stop], axis=1)


def casteljau(points: Floats, s: Floats) -> Floats:
    """The Bézier curve of turns with control quaternions `points` (…, 4, 4) at the shares s (…): (…, 4).

    Slerps between neighbours until one is left. No sign is changed on the way, so that the curve stays smooth.
    """
    while points.shape[-2] > 1:
        points = quaternion.slerp(points[..., :-1, :], points[..., 1:, :], s[..., None])
    return points[..., 0, :]


def casteljau_angular_velocity(points: Floats, s: Floats) -> Floats:
    """The angular velocity (…, 3) of `casteljau` [rad per unit of s], in the world."""
    rates = np.zeros_like(points)
    while points.shape[-2] > 1:
        points, rates = quaternion.slerp_with_rate(
            points[..., :-1, :], rates[..., :-1, :], points[..., 1:, :], rates[..., 1:, :], s[..., None]
        )
    return quaternion.angular_velocity_from_rate(points[..., 0, :], rates[..., 0, :])


def slerp_legs(curve: Floats) -> Floats:
    """What the kernels need of each segment's three legs a → b, (segments, 3, 9): a, the way e, the angle θ/2.

    exp(s log(b a⁻¹)) a = a cos(sθ/2) + e sin(sθ/2), with e = na at right angles to a on the sphere of quaternions.
    """
    start, stop = curve[:, :-1], curve[:, 1:]
    rotation = quaternion.log(quaternion.multiply(stop, quaternion.conjugate(start)))
    angle = np.linalg.norm(rotation, axis=-1, keepdims=True)
    tangent = quaternion.rate_from_angular_velocity(start, 2 * rotation / np.where(angle > 0, angle, 1.0))
    return np.concatenate([start, tangent, angle / 2], axis=-1)


def evaluate_legs(legs: Floats, s: Floats) -> Floats:
    """`casteljau` from the legs (…, 3, 9) of `slerp_legs`, as the kernels compute it, to the last bit: (…, 4)."""
    half_angles = s[..., None] * legs[..., 8]
    cosines, sines = apply_math(math.cos, half_angles), apply_math(math.sin, half_angles)
    points = legs[..., :4] * cosines[..., None] + legs[..., 4:8] * sines[..., None]
    one, two, three = (points[..., leg, :] for leg in range(3))
    left, right = quaternion.slerp_from_middle(one, two, s), quaternion.slerp_from_middle(two, three, s)
    return quaternion.slerp_from_middle(left, right, s)


def _with_row(rows: Floats | None, index: int, row: Floats | None, count: int) -> Floats | None:
    if rows is None and row is None:
        return None
    new = np.full((count, 3), np.nan) if rows is None else rows.copy()
    new[index] = np.nan if row is None else row
    return new


def _read_only(array: Floats) -> Floats:
    view = array.view()
    view.flags.writeable = False
    return view
