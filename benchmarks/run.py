"""Measure Keypose against its peers, side by side in one run, and write RESULTS.md. `make bench` calls this."""

import os
import platform
import sys
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from bodies import overhead, relative_paths, replays, steadiness
from distance import along, profiled_frames
from document import a_million_keys
from fields import (
    a_million_objects,
    explicit_links,
    parabola,
    radius_limited,
    stability_boundary,
    typed_formula,
)
from measure import Row
from paths import drawings, one_moved_key, one_sample, random_access
from script import many_meetings, three_arches, two_followers
from staging import (
    a_carried_key,
    a_chain_of_parents,
    a_thousand_actors,
    a_thousand_facing_forward,
    a_thousand_profiled_actors,
    one_tick_of_a_thousand,
)
from starting import command_line, importing
from studio import a_thousand_on_screen, dragging, opening
from turning import orientation

BENCHMARKS = [
    *(importing, command_line, drawings, random_access, one_sample, one_moved_key),
    *(along, profiled_frames, orientation),
    *(
        a_thousand_actors,
        a_thousand_profiled_actors,
        a_thousand_facing_forward,
        one_tick_of_a_thousand,
        a_chain_of_parents,
        a_carried_key,
    ),
    *(parabola, explicit_links, radius_limited, a_million_objects, typed_formula, stability_boundary),
    *(steadiness, relative_paths, overhead, replays),
    *(two_followers, three_arches, many_meetings),
    *(a_million_keys, dragging, a_thousand_on_screen, opening),
]


def _processor() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines() if Path("/proc/cpuinfo").exists() else ():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()


def _report(rows: list[Row]) -> str:
    libraries = ", ".join(f"{name} {version(name)}" for name in ("numpy", "numba", "scipy", "mujoco-core"))
    met = sum(row.met for row in rows)
    lines = [
        "# How fast",
        "",
        f"{datetime.now(UTC):%Y-%m-%d} · {_processor()}, {os.cpu_count()} cores · "
        f"Python {platform.python_version()}, {libraries}",
        "",
        "Contestants take turns in one run with everything warm, and each one's best turn counts: trust the ratios,",
        f"not the times. {met} of {len(rows)} bars are met.",
        "",
        "| work | measured | bar | met |",
        "|---|---|---|---|",
        *(f"| {row.work} | {row.measured} | {row.bar} | {'yes' if row.met else '**no**'} |" for row in rows),
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Run all benchmarks, or those named on the command line."""
    wanted = set(sys.argv[1:])
    rows: list[Row] = []
    for benchmark in BENCHMARKS:
        if wanted and benchmark.__name__ not in wanted:
            continue
        for row in benchmark():
            rows.append(row)
            print(f"{'met ' if row.met else 'MISS'}  {row.measured:>9}  {row.bar:>9}  {row.work}", flush=True)
    if not wanted:
        Path(__file__).with_name("RESULTS.md").write_text(_report(rows), encoding="utf-8")
    print(f"{sum(row.met for row in rows)} of {len(rows)} bars are met.")
    sys.exit(not all(row.met for row in rows))


if __name__ == "__main__":
    main()
