"""Compare times fairly on a noisy machine: tasks run in turn, and the best time of each counts."""

import gc
import time
from collections.abc import Callable
from dataclasses import dataclass

Task = Callable[[], object]


def best_times(*tasks: Task, rounds: int = 9, repeat: int = 1) -> list[float]:
    """Return the best time [s] of each task for one call; all run once before the clock starts."""
    for task in tasks:
        task()
    best = [float("inf")] * len(tasks)
    gc.collect()
    gc.disable()
    try:
        for _ in range(rounds):
            for index, task in enumerate(tasks):
                start_time = time.perf_counter()
                for _ in range(repeat):
                    task()
                best[index] = min(best[index], (time.perf_counter() - start_time) / repeat)
    finally:
        gc.enable()
    return best


@dataclass(frozen=True)
class Row:
    """One line of the results: the task, the measured value, and its limit."""

    task: str
    value: str
    limit: str
    is_met: bool


def upper_limit_row(task: str, value: float, limit: float, unit: str) -> Row:
    """A row that is met by values up to the limit."""
    return Row(task, f"{value:.3g}{unit}", f"≤ {limit:g}{unit}", value <= limit)


def lower_limit_row(task: str, value: float, limit: float, unit: str) -> Row:
    """A row that is met by values from the limit on."""
    return Row(task, f"{value:.3g}{unit}", f"≥ {limit:g}{unit}", value >= limit)


def unlimited_row(task: str, value: float, unit: str) -> Row:
    """A row without a limit, worth knowing."""
    return Row(task, f"{value:.3g}{unit}", "none", True)


def seconds(value: float) -> str:
    """A time a person can read."""
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if value >= scale:
            return f"{value / scale:.3g} {unit}"
    return f"{value / 1e-9:.3g} ns"
