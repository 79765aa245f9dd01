"""Fields: one tick of objects that steer each other, formulas as they are typed, and trackers that settle or do not."""

import ctypes
import os
import subprocess
import tempfile
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path
from shutil import which
from unittest.mock import patch

import numba
import numpy as np
from measure import Row, best_times, lower_limit_row, seconds, unlimited_row, upper_limit_row
from scipy.spatial import cKDTree

from keypose import Actor, DynamicSpline, Stage, fields, shoot
from keypose.fields.film_units import FILM_FRAME, Friction, velocity
from keypose.fields.kernels.law import Law
from keypose.fields.kernels.records import DenseLinks, GroupLinks, SparseLinks
from keypose.fields.sensing import link_arrays
from keypose.fields.sensing.observed_poses import ObservedPoses
from keypose.fields.sensing.senses import PushAccumulator
from keypose.fields.sensing.term_arrays import terms
from keypose.fields.splines import integrators
from keypose.fields.system import SplineSystem
from keypose.fields.tracking.stability import is_stable
from keypose.maths.kernel_switch import load_kernels, run_parallel
from keypose.motion.system import StepContext, SystemContext

Run = Callable[[], np.ndarray]
EMPTY_CONTEXT = StepContext(0.0, lambda _: None, lambda _: None, lambda *_: None)
PULL = fields.Attractor(0.5, core=0.25)
FRICTION = 0.02
IN_C = r"""
#include <math.h>
#include <stdint.h>
void tick(int64_t n, const int64_t *firsts, const uint32_t *to, const double *affinity, double strength, double core,
          double keep, const double *P, const double *T, double *P_e, double *T_e, double *a) {
    for (int64_t i = 0; i < n; i++) {
        double x = P[3*i], y = P[3*i+1], z = P[3*i+2], fx = 0, fy = 0, fz = 0;
        for (int64_t k = firsts[i]; k < firsts[i+1]; k++) {
            const double *q = P + 3 * (int64_t) to[k];
            double dx = q[0] - x, dy = q[1] - y, dz = q[2] - z;
            double d = sqrt(dx*dx + dy*dy + dz*dz);
            if (d < core) d = core;
            double w = affinity[k] * strength / (d * d * d);
            fx += w * dx; fy += w * dy; fz += w * dz;
        }
        double f[3] = {fx, fy, fz};
        for (int j = 0; j < 3; j++) {
            double b = T[3*i+j], e = keep * (b + f[j]);
            T_e[3*i+j] = e;
            P_e[3*i+j] = P[3*i+j] + (b + e) / 2;
            a[3*i+j] = e - b;
        }
    }
}
"""


class Objects:
    """Many objects that sense plain fields only, and one tick of them as `World.step` takes it.

    Their links are laid as arrays at once: to name a million of them takes longer than all that is measured here.
    """

    def __init__(
        self,
        positions: np.ndarray,
        links: DenseLinks | None = None,
        group: GroupLinks | None = None,
    ) -> None:
        load_kernels()
        self.state = integrators.initial_state(positions, np.zeros(3))
        none = SparseLinks(
            np.zeros(len(positions) + 1, np.int64), *(np.empty(0, np.int32),) * 2, np.empty(0), _table(PULL)
        )
        dense_links, groups = () if links is None else (links,), () if group is None else (group,)
        self.flat = link_arrays.LinkArrays((), (), none, dense_links, groups, ())
        self.friction = Friction(np.full(len(positions), FRICTION))
        self.stopped = np.zeros(len(positions), dtype=bool)

    def step(self) -> integrators.PointState:
        """All of them one tick later."""
        sums = PushAccumulator({}, self.stopped, (), 0.0)
        sums.start_with(
            self.flat.total_push(ObservedPoses({}, EMPTY_CONTEXT, self.state.P, lambda: velocity(self.state.T)))
        )
        after = integrators.advance(self.state, sums.f, friction=self.friction, tick=FILM_FRAME)
        assert after.is_bounded
        return after.with_stopped_points(sums.is_stopped, self.state)

    def step_on_one_thread(self) -> integrators.PointState:
        """The same by one core alone."""
        with patch.dict(os.environ, KEYPOSE_THREADS="1"):
            return self.step()


def _law(field: fields.Field) -> Law:
    ((term,),) = (terms(field),)
    return term.law


def _table(field: fields.Field) -> np.ndarray:
    return np.array([_law(field).row])


def _flock(positions: np.ndarray, field: fields.Field) -> Objects:
    """Everybody carries a field that ends at a radius, and senses those of all others."""
    rows = np.arange(len(positions))
    affinity = np.linspace(0.2, 1.0, len(positions))
    return Objects(positions, group=GroupLinks(rows, rows, affinity, rows, rows, _table(field), field.radius, True))


def parabola() -> list[Row]:
    """A ball in a uniform field without friction, shot at 60 frames a second."""
    ball = DynamicSpline((0, 0, 0), (1, 2, 0), senses={fields.Uniform((0, -9.81, 0)): 1.0})
    take = shoot(Stage([Actor("ball", ball)]), 10.0, fps=60)
    t = take.times
    exact = np.stack([t, 2 * t - 9.81 * t**2 / 2, 0 * t], axis=1)
    error = (np.abs(take["ball"].position - exact) / np.maximum(1, np.abs(exact))).max()
    return [
        upper_limit_row("ten seconds in a uniform field without friction: error against the parabola", error, 1e-12, "")
    ]


def explicit_links() -> list[Row]:
    """100,000 objects, each pulled by ten others, wherever they are."""
    n, links, rng = 100_000, 10, np.random.default_rng(7)
    positions = rng.uniform(0, 40, (n, 3))
    others = (np.arange(n)[:, None] + rng.integers(1, n, (n, links))) % n
    affinity = rng.uniform(0.1, 1.0, (n, links))
    firsts = np.arange(0, n * links + 1, links)
    to, strength, core = others.astype(np.uint32).ravel(), PULL.strength, PULL.core
    rows = np.repeat(np.arange(n), links)
    pulls = link_arrays.build_dense_links(
        rows, others.ravel(), strength * affinity.ravel(), n, PULL.falloff + 1, core, np.inf
    )
    objects, strength = Objects(positions, pulls), strength * FILM_FRAME**2

    def in_blocks(block: int = 4096) -> tuple[np.ndarray, ...]:
        """A loop over blocks that fit into the cache, and all in place: twice as fast as arrays as a whole."""
        P, T, f = objects.state.P, objects.state.T, np.empty((n, 3))
        for start in range(0, n, block):
            some = slice(start, start + block)
            d = P[others[some]]
            d -= P[some, None]
            square = np.einsum("ijk,ijk->ij", d, d)
            np.maximum(square, core**2, out=square)
            square *= np.sqrt(square)
            f[some] = np.einsum("ij,ijk->ik", strength * affinity[some] / square, d)
        T_e = (1 - FRICTION) * (T + f)
        return P + (T + T_e) / 2, T_e, T_e - T

    def in_numpy() -> tuple[np.ndarray, ...]:
        P, T = objects.state.P, objects.state.T
        d = P[others] - P[:, None]
        distance = np.maximum(np.sqrt(np.einsum("ijk,ijk->ij", d, d)), core)
        f = np.einsum("ij,ijk->ik", strength * affinity / (distance * distance * distance), d)
        T_e = (1 - FRICTION) * (T + f)
        return P + (T + T_e) / 2, T_e, T_e - T

    after = objects.step()
    for theirs in (in_numpy(), in_blocks()):
        assert np.allclose((after.P, after.T), theirs[:2], rtol=1e-9)
    _matches_system(rng)
    in_c = _compiled(objects.state, (firsts, to, affinity), (strength, core, 1 - FRICTION))
    tasks = [objects.step, objects.step_on_one_thread, in_numpy, in_blocks, *([] if in_c is None else [in_c])]
    ours, alone, theirs, blocks, *loop = best_times(*tasks, rounds=25)
    task = f"one tick of 100,000 objects with 10 explicit links each ({seconds(ours)}, on one thread {seconds(alone)})"
    rows = [
        lower_limit_row(f"{task}: faster than vectorised numpy ({seconds(theirs)})", theirs / ours, 10, "×"),
        unlimited_row(
            f"{task}: faster than numpy in blocks that fit into the cache ({seconds(blocks)})", blocks / ours, "×"
        ),
    ]
    if in_c is None:
        print("      No C compiler here: the loop in C is skipped.")
        return rows
    assert np.allclose(in_c(), after.P, rtol=1e-12)
    in_turn = f"{task}: time of the same loop in C, -O3, one thread ({seconds(loop[0])})"
    return [*rows, upper_limit_row(in_turn, ours / loop[0], 1.5, "×")]


def _matches_system(rng: np.random.Generator) -> None:
    """What is measured is what a stage does: 300 objects with names, to the bit."""
    n = 300
    names, positions, others = [f"{i}" for i in range(n)], rng.normal(size=(n, 3)), (np.arange(n) + 7) % n
    members = {
        name: DynamicSpline(position, friction=FRICTION, senses={PULL.carried_by(names[other]): 0.5, PULL: 0.25})
        for name, position, other in zip(names, positions, others, strict=True)
    }
    min_pairs, link_arrays.MIN_PAIRS_FOR_ARRAYS = link_arrays.MIN_PAIRS_FOR_ARRAYS, 0
    try:
        world = SplineSystem(members, SystemContext(names, {}))
    finally:
        link_arrays.MIN_PAIRS_FOR_ARRAYS = min_pairs
    after = world.step(world.begin(EMPTY_CONTEXT), EMPTY_CONTEXT, FILM_FRAME).points
    link_table = world._senses._link_arrays
    assert link_table is not None
    bare = Objects(positions)
    bare.flat = link_table
    assert np.array_equal(bare.step().P, after.P)


def _compiled(
    state: integrators.PointState, links: tuple[np.ndarray, ...], numbers: tuple[float, ...]
) -> Callable[[], np.ndarray] | None:
    """The tick as a loop in C, compiled here; None where there is no compiler."""
    compiler = which("cc") or which("gcc") or which("clang")
    if compiler is None:
        return None
    folder = Path(tempfile.mkdtemp())
    (folder / "tick.c").write_text(IN_C)
    subprocess.run(
        [compiler, "-O3", "-march=native", "-shared", "-fPIC", "tick.c", "-o", "tick.so", "-lm"], cwd=folder, check=True
    )
    tick = ctypes.CDLL(str(folder / "tick.so")).tick
    tick.restype = None
    out = [np.empty(state.P.shape) for _ in range(3)]
    pointers = [ctypes.c_void_p(array.ctypes.data) for array in (*links, state.P, state.T, *out)]
    given = (ctypes.c_int64(len(state.P)), *pointers[:3], *map(ctypes.c_double, numbers), *pointers[3:])

    def run(kept_alive: object = (links, state)) -> np.ndarray:
        tick(*given)
        return out[0]

    return run


NEAR = fields.Repeller(0.5).within(1.0)


def _cloud(n: int) -> np.ndarray:
    """Places with 16 others within a metre, on average, in no order."""
    return np.random.default_rng(n).uniform(0, (n * 4 / 3 * np.pi / 16) ** (1 / 3), (n, 3))


def radius_limited() -> list[Row]:
    """100,000 objects that repel those within a metre, about 16 each."""
    objects = _flock(_cloud(100_000), NEAR)
    law, affinity = NEAR.field, objects.flat.groups[0].affinity[:, None]

    def in_numpy() -> np.ndarray:
        P, T = objects.state.P, objects.state.T
        i, j = cKDTree(P).query_pairs(NEAR.radius, output_type="ndarray").T
        d = P[i] - P[j]
        square = np.maximum(np.einsum("ij,ij->i", d, d), law.core**2)
        d *= (law.strength * FILM_FRAME**2 / (square * np.sqrt(square)))[:, None]
        f = np.empty_like(P)
        for axis in range(3):
            f[:, axis] = np.bincount(i, d[:, axis], len(P)) - np.bincount(j, d[:, axis], len(P))
        T_e = (1 - FRICTION) * (T + affinity * f)
        return P + (T + T_e) / 2

    assert np.allclose(objects.step().P, in_numpy(), rtol=1e-9)
    ours, alone, theirs = best_times(objects.step, objects.step_on_one_thread, in_numpy, rounds=25)
    times = f"{seconds(ours)}, on one thread {seconds(alone)}"
    task = f"one tick of 100,000 objects that sense those within a radius, 16 each ({times})"
    return [lower_limit_row(f"{task}: faster than cKDTree and numpy ({seconds(theirs)})", theirs / ours, 12, "×")]


def million_objects() -> list[Row]:
    """The same for 10,000 and for 1,000,000 objects: what each of them costs."""
    few, many = (_flock(_cloud(n), NEAR) for n in (10_000, 1_000_000))
    one, other = best_times(few.step, many.step, rounds=7)
    sizes = f"10,000 ({seconds(one / 1e4)} each) to 1,000,000 ({seconds(other / 1e6)} each)"
    return [
        upper_limit_row(
            f"radius-limited objects, from {sizes}: growth of the cost of each", other / one / 100, 2.5, "×"
        )
    ]


@numba.njit(nogil=True, error_model="numpy")
def _reference(position: np.ndarray, swirl: float, t: float, out: np.ndarray, start: int, stop: int) -> None:
    for i in range(start, stop):
        x, y, z = position[i, 0], position[i, 1], position[i, 2]
        strength = swirl * np.exp(-(x * x + y * y + z * z)) * np.sin(t + x)
        out[i, 0], out[i, 1], out[i, 2] = -y * strength, x * strength, 0.0


def typed_formula() -> list[Row]:
    """A typed formula at a million points, against the loop one would write; and the first answer after typing."""
    text, positions = (
        "(-y, x, 0) * swirl * exp(-r**2) * sin(t + x)",
        np.random.default_rng(1).normal(size=(1_000_000, 3)),
    )
    formula = fields.Formula(text, swirl=2.0)
    out, reference_out, never = np.empty_like(positions), np.empty_like(positions), count()
    load_kernels()

    def ours() -> object:
        formula.fill(positions, None, np.array(0.3), out)
        return out

    def reference() -> object:
        run_parallel(
            lambda start, stop: _reference(positions, 2.0, 0.3, reference_out, start, stop),
            len(positions),
            positions.size,
        )
        return reference_out

    def first() -> float:
        typed = f"(-y, x, 0) * swirl * exp(-r**2 / {next(never) + 2}.5) * sin(t + x)"  # a text nobody has seen
        start_time = time.perf_counter()
        fields.Formula(typed, swirl=2.0).at(positions[:1000], 0.3)
        return time.perf_counter() - start_time

    assert np.allclose(ours(), reference(), rtol=1e-12)
    mine, theirs = best_times(ours, reference, rounds=15)
    durations = [first() for _ in range(20)]
    task = f"a typed formula on 1,000,000 points ({seconds(mine)}): time of a kernel written by hand"
    first_evaluation = (
        f"a formula nobody has typed before at 1,000 points: first answer (the slowest {seconds(max(durations))})"
    )
    return [
        upper_limit_row(task, mine / theirs, 1.2, "×"),
        upper_limit_row(first_evaluation, 1000 * float(np.median(durations)), 50, " ms"),
    ]


def stability_boundary() -> list[Row]:
    """500 random gains: what the errata's polynomial says, what `is_stable` says, and what 400 ticks of tracking do."""
    rng, count, wrong = np.random.default_rng(89), 0, 0
    while count < 500:
        response, memory = (float(value) for value in rng.uniform(0, (1.0, 0.3)))
        gains = rng.uniform((0.02, 0.0), (1.0, 0.35), (14, 2))
        radii = np.array([_largest_root(gain, friction, response, memory) for gain, friction in gains.tolist()])
        clear = np.flatnonzero(np.abs(radii - 1) >= 1e-3)[: 500 - count]
        settles = _settle(*gains[clear].T, response, memory)
        stable = [is_stable(gain, friction, response, memory) for gain, friction in gains[clear].tolist()]
        wrong += int(np.sum(((radii[clear] < 1) != settles) | ((radii[clear] < 1) != stable)))
        count += len(clear)
    return [
        upper_limit_row("whether 500 random trackers settle: disagreements with the errata's polynomial", wrong, 0, "")
    ]


def _largest_root(gain: float, friction: float, response: float, memory: float) -> float:
    g, z = 1 - friction, np.poly1d([1, 0])
    pull = ((1 + response) * z - response) * (z - 1) + memory * z**2
    return float(np.abs((z * (z - 1) ** 2 * (z - g) + g * gain / 2 * (z + 1) * pull).roots).max())


def _settle(gain: np.ndarray, friction: np.ndarray, response: float, memory: float, ticks: int = 400) -> np.ndarray:
    """Whether those who track a target at rest come nearer and nearer to it."""
    tracker = fields.KeepOffset("target", offset=(0, 0, 0), response=response, memory=memory)
    state, still = integrators.initial_state(np.tile((1.0, 0, 0), (len(gain), 1)), np.zeros(3)), np.zeros(3)
    known, error = tracker.begin(state.P, state.T / FILM_FRAME, still, still, 0.0), []
    with np.errstate(all="ignore"):
        for tick in range(ticks):
            pull, known = tracker.pull(known, state.P, state.T / FILM_FRAME, still, still, tick * FILM_FRAME, 1.0)
            state = integrators.advance(state, gain[:, None] * pull, friction=friction)
            error.append(np.abs(state.P[:, 0]))
    early, late = np.max(error[ticks // 2 : 3 * ticks // 4], axis=0), np.max(error[3 * ticks // 4 :], axis=0)
    return np.asarray(late < early)
