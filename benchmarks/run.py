"""Measure Keypose against its peers, side by side in one run, and write RESULTS.md. `make bench` calls this."""

import os
import platform
import sys
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from bodies import overhead, relative_paths, replays, speed_steadiness
from distance import along, profiled_frames
from document import million_keys
from fields import (
    explicit_links,
    million_objects,
    parabola,
    radius_limited,
    stability_boundary,
    typed_formula,
)
from measure import Row
from orientations import orientation
from paths import drawings, one_moved_key, one_sample, random_access
from script import many_meetings, three_arches, two_followers
from stage import (
    parent_chain,
    relative_key,
    thousand_actor_tick,
    thousand_actors,
    thousand_facing_forward,
    thousand_profiled_actors,
)
from startup import command_line, import_time
from studio import drag_latency, open_time, thousand_actors_on_screen

BENCHMARKS = [
    *(import_time, command_line, drawings, random_access, one_sample, one_moved_key),
    *(along, profiled_frames, orientation),
    *(
        thousand_actors,
        thousand_profiled_actors,
        thousand_facing_forward,
        thousand_actor_tick,
        parent_chain,
        relative_key,
    ),
    *(parabola, explicit_links, radius_limited, million_objects, typed_formula, stability_boundary),
    *(speed_steadiness, relative_paths, overhead, replays),
    *(two_followers, three_arches, many_meetings),
    *(million_keys, drag_latency, thousand_actors_on_screen, open_time),
]


def _processor() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines() if Path("/proc/cpuinfo").exists() else ():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()


def _report(rows: list[Row]) -> str:
    libraries = ", ".join(f"{name} {version(name)}" for name in ("numpy", "numba", "scipy", "mujoco-core"))
    met = sum(row.is_met for row in rows)
    lines = [
        "# How fast",
        "",
        f"{datetime.now(UTC):%Y-%m-%d} · {_processor()}, {os.cpu_count()} cores · "
        f"Python {platform.python_version()}, {libraries}",
        "",
        "Contestants take turns in one run with everything warm, and each one's best turn counts: trust the ratios,",
        f"not the times. {met} of {len(rows)} limits are met.",
        "",
        "| task | value | limit | met |",
        "|---|---|---|---|",
        *(f"| {row.task} | {row.value} | {row.limit} | {'yes' if row.is_met else '**no**'} |" for row in rows),
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
            print(f"{'met ' if row.is_met else 'MISS'}  {row.value:>9}  {row.limit:>9}  {row.task}", flush=True)
    if not wanted:
        Path(__file__).with_name("RESULTS.md").write_text(_report(rows), encoding="utf-8")
    print(f"{sum(row.is_met for row in rows)} of {len(rows)} limits are met.")
    sys.exit(not all(row.is_met for row in rows))


if __name__ == "__main__":
    main()
