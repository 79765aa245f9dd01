"""Where does a push take an object within one tick? The next segment of its dynamic spline (PF89 eqs 1-5).

A segment runs from one state to the next, so that P_{i,b} = P_{i-1,e} and T_{i,b} = T_{i-1,e} hold by themselves: the
curve is C¹ whatever happens. All of it in the paper's units: metres and film frames. Arrays are (n, dim), a row for
each object, or for each point of a drawing.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from keypose.fields.film_units import FILM_FRAME, Friction, Rates, frames_per_tick, rates, tangent
from keypose.maths import ArrayLike, Bools, Floats, Ints, hermite, run_parallel, use_kernels

CONTINUITIES = ("c1", "c2", "g2")
INTEGRATORS = ("paper", "steady")
BASES = ("hermite", "linear")
MIN_KERNEL_ROWS = 2_000  # rows: fewer are as quick without a kernel, which comes to the same bits
MAX_COORDINATE = 1e100  # [m]: beyond it the next segment could overflow


@dataclass(frozen=True, eq=False)
class PointState:
    """Where objects are and whither they go, at one tick. All that a rewound run needs to go on."""

    P: Floats
    """Places [m], (n, dim)."""
    T: Floats
    """Tangents [m/frame], (n, dim)."""
    a: Floats
    """What the last tick leaves to the next [m/frame²], (n, dim): the acceleration at the end of its segment; with
    `steady_step` the field it sensed. Before the first tick it is what the first tick itself has."""
    is_first: Bools
    """Who has not gone a tick yet, (n,)."""

    @cached_property
    def is_bounded(self) -> bool:
        """Whether everybody is somewhere, within all bounds: the next segment will be of numbers too."""
        return all_within(self.P, MAX_COORDINATE) and all_within(self.T, MAX_COORDINATE)

    def select(self, rows: Ints) -> "PointState":
        """Some of them."""
        return PointState(self.P[rows], self.T[rows], self.a[rows], self.is_first[rows])

    def with_rows(self, rows: Ints, other: "PointState", other_rows: Ints) -> "PointState":
        """The same with some rows as others of another state are."""
        P, T, a, is_first = self.P.copy(), self.T.copy(), self.a.copy(), self.is_first.copy()
        P[rows], T[rows], a[rows] = other.P[other_rows], other.T[other_rows], other.a[other_rows]
        is_first[rows] = other.is_first[other_rows]
        return PointState(P, T, a, is_first)

    def with_stopped_points(self, is_stopped: Bools, before: "PointState") -> "PointState":
        """The same but for some (n,), who rest where they were before."""
        if not is_stopped.any():
            return self
        P = np.where(is_stopped[:, None], before.P, self.P)
        T, a = (np.where(is_stopped[:, None], 0.0, values) for values in (self.T, self.a))
        return PointState(P, T, a, self.is_first)


def initial_state(position: ArrayLike, velocity: ArrayLike) -> PointState:
    """Objects at their first places [m] with their first velocities [m/s]."""
    P = np.array(position, dtype=float, ndmin=2)
    return PointState(
        P, np.broadcast_to(tangent(velocity), P.shape).copy(), np.zeros(P.shape), np.ones(len(P), dtype=bool)
    )


def advance(
    state: PointState,
    f: Floats,
    *,
    friction: ArrayLike | Friction = 0.0,
    tick: float = FILM_FRAME,
    continuity: str = "c1",
    beta: float = 0.0,
    integrator: str = "paper",
    basis: str = "hermite",
) -> PointState:
    """The state one tick [s] later under f = Σ Aₖ fₖ(P) [m/frame²], all fields that each object senses, (n, dim).

    Friction F is one number or one for each object (n,). `linear_step` and `steady_step` have no second-order
    continuity.
    """
    rate = (
        friction.rates(frames_per_tick(tick))
        if isinstance(friction, Friction)
        else rates(friction, frames_per_tick(tick))
    )
    if basis == "linear":
        return linear_step(state, f, rate)
    if integrator == "steady":
        return steady_step(state, f, rate)
    return (
        paper_step(state, f, rate)
        if continuity == "c1"
        else second_order_step(state, f, rate, beta if continuity == "g2" else 0.0)
    )


def paper_step(state: PointState, f: Floats, rate: Rates) -> PointState:
    """Eq. 3: T_e = (1 − F)(T_b + Σ Aₖ fₖ(P_b)), P_e = P_b + ½(T_b + T_e). Every segment is a parabola."""
    decay, gain, r = rate
    P_b, T_b = state.P, state.T
    if len(P_b) >= MIN_KERNEL_ROWS and P_b.shape[1] == 3 and decay.ndim and use_kernels(P_b.size):
        return _compiled_paper_step(state, f, rate)
    T_e = decay * T_b + gain * f
    P_e = P_b + r * (T_b + T_e) / 2
    return PointState(P_e, T_e, (T_e - T_b) / r, _none_first(state))


def _compiled_paper_step(state: PointState, f: Floats, rate: Rates) -> PointState:
    from keypose.fields.kernels import integrators

    out, bounded_parts = np.empty((3, *state.P.shape)), list[bool]()

    def step_part(start: int, stop: int) -> None:
        bounded_parts.append(integrators.paper_step(state.P, state.T, f, rate, out, MAX_COORDINATE, start, stop))

    run_parallel(step_part, len(f), f.size)
    P_e, T_e, a = out
    after = PointState(P_e, T_e, a, _none_first(state))
    vars(after)["is_bounded"] = all(bounded_parts)  # seen in passing: nobody need look again
    return after


def second_order_step(state: PointState, f: Floats, rate: Rates, beta: float = 0.0) -> PointState:
    """Eq. 4 as it should read: C². With β eq. 5 as it should read: G². Tangents as in eq. 3, the first segment too.

    C²: P_e = P_{i-1,b} + (T_{i-1,b} + 4T_b + T_e)/3, which is the same as P_e = P_b + (2T_b + T_e)/3 + a/6 with a the
    acceleration at the joint. G² makes that a + βT_b. The acceleration at the end is then 2(T_e − T_b) − a: it changes
    sign from tick to tick (the root −1), which is why this curve oscillates.
    """
    decay, gain, r = rate
    P_b, T_b = state.P, state.T
    T_e = decay * T_b + gain * f
    acceleration = (T_e - T_b) / r
    a = np.where(state.is_first[:, None], acceleration, state.a + beta * T_b)
    P_e = P_b + r * (2 * T_b + T_e) / 3 + r * r * a / 6
    return PointState(P_e, T_e, 2 * acceleration - a, _none_first(state))


def steady_step(state: PointState, f: Floats, rate: Rates) -> PointState:
    """Eq. 3 and what the field has changed since the last tick: the places of velocity Verlet, orbits keep their size.

    With w the way from tick to tick, w = g(w + f) and P_e = P_b + w. Written with the tangents at the ticks that is eq.
    3 with ½g(f − f_{i-1}) more of a way. In a field that does not change it is eq. 3, and one evaluation is enough.
    """
    decay, gain, r = rate
    P_b, T_b = state.P, state.T
    T_e = decay * T_b + gain * f
    correction = gain * np.where(state.is_first[:, None], 0.0, f - state.a)
    P_e = P_b + r * (T_b + T_e + correction) / 2
    return PointState(P_e, T_e + decay / (1 + decay) * correction, f, _none_first(state))


def linear_step(state: PointState, f: Floats, rate: Rates) -> PointState:
    """PF89 §3, a lower-order basis: T as in eq. 3, held through the whole segment, P_e = P_b + T_e.

    A constraint becomes hard: tracking with affinity and response 1, without friction, is on its target a tick later.
    """
    decay, gain, r = rate
    T_e = decay * state.T + gain * f
    return PointState(state.P + r * T_e, T_e, (T_e - state.T) / r, _none_first(state))


def all_within(values: Floats, bound: float) -> bool:
    """Whether all of these numbers (rows, dim) are numbers, and none is larger than a bound in size."""
    if len(values) < MIN_KERNEL_ROWS or not use_kernels(values.size):
        return bool(values.max(initial=0.0) <= bound and values.min(initial=0.0) >= -bound)
    from keypose.fields.kernels import integrators

    return integrators.all_within(values.ravel(), bound)  # too little work for a second thread


def _none_first(state: PointState) -> Bools:
    """Nobody begins any more."""
    return np.zeros_like(state.is_first)


def between(
    before: PointState, after: PointState, fraction: float | Floats, *, tick: float = FILM_FRAME, basis: str = "hermite"
) -> tuple[Floats, Floats]:
    """Places [m] and tangents [m/frame] at a share 0 … 1 of the tick between two states (eqs 1-2).

    The share is one for all, or one for each object (n,).
    """
    s = np.asarray(fraction, dtype=float)
    s = s[:, None] if s.ndim else s
    if basis == "linear":
        P = before.P + s * (after.P - before.P)
        return P, np.where(s > 0.0, after.T, before.T)  # a corner belongs to the segment that arrives
    r = frames_per_tick(tick)
    h0, h1, h2, h3 = hermite.weights(s)
    d0, d1, d2, d3 = hermite.weights(s, 1)
    P = h0 * before.P + h1 * after.P + r * (h2 * before.T + h3 * after.T)
    T = (d0 * before.P + d1 * after.P) / r + d2 * before.T + d3 * after.T
    return P, T
