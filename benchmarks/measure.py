"""How is time compared fairly on a noisy machine? Contestants take turns, and each one's best turn counts."""

import gc
import time
from collections.abc import Callable
from dataclasses import dataclass

Work = Callable[[], object]


def taking_turns(*works: Work, rounds: int = 9, repeat: int = 1) -> list[float]:
    """The best time [s] of each work for one call; all run once before the clock starts."""
    for work in works:
        work()
    best = [float("inf")] * len(works)
    gc.collect()
    gc.disable()
    try:
        for _ in range(rounds):
            for index, work in enumerate(works):
                began = time.perf_counter()
                for _ in range(repeat):
                    work()
                best[index] = min(best[index], (time.perf_counter() - began) / repeat)
    finally:
        gc.enable()
    return best


@dataclass(frozen=True)
class Row:
    """One line of the results: what was measured, what it came to, and the bar."""

    work: str
    measured: str
    bar: str
    met: bool


def at_most(work: str, value: float, bar: float, unit: str) -> Row:
    """A row that is met by values up to the bar."""
    return Row(work, f"{value:.3g}{unit}", f"≤ {bar:g}{unit}", value <= bar)


def at_least(work: str, value: float, bar: float, unit: str) -> Row:
    """A row that is met by values from the bar on."""
    return Row(work, f"{value:.3g}{unit}", f"≥ {bar:g}{unit}", value >= bar)


def beside(work: str, value: float, unit: str) -> Row:
    """A row without a bar, worth knowing."""
    return Row(work, f"{value:.3g}{unit}", "none", True)


def seconds(value: float) -> str:
    """A time a person can read."""
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if value >= scale:
            return f"{value / scale:.3g} {unit}"
    return f"{value / 1e-9:.3g} ns"
