"""Scene files: a million keys read up to a stage that is ready to shoot, and written."""

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from measure import Row, seconds, unlimited_row, upper_limit_row

from keypose import Actor, Motion, MotionPath, Stage
from keypose.curves.key_columns import KeyColumns, Keys
from keypose.document.scene import write
from keypose.maths.rope import Rope

KEYS = 1_000_000
READ = """
import json, resource, sys, time
from pathlib import Path
from keypose.document.scene import read
content = Path(sys.argv[1]).read_bytes()
start_time = time.perf_counter()
stage = read(content)
took = time.perf_counter() - start_time
print(json.dumps([took, len(stage["ball"].motion.path), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss]))
"""
PARSE = """
import json, sys, time
from pathlib import Path
content = Path(sys.argv[1]).read_bytes()
start_time = time.perf_counter()
json.loads(content)
print(json.dumps([time.perf_counter() - start_time]))
"""


def million_keys() -> list[Row]:
    """1e6 timed keys: reading, in processes of their own, against `json.loads` of the same bytes; and writing."""
    rng = np.random.default_rng(1)
    columns = KeyColumns(KEYS, {"position": rng.normal(size=(KEYS, 3)), "time": np.arange(KEYS) / 24})
    stage = Stage([Actor("ball", Motion(MotionPath(Keys(Rope(columns)))))])
    start_time = time.perf_counter()
    content = b"".join(write(stage))
    writing = time.perf_counter() - start_time
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "scene.json"
        file.write_bytes(content)
        turns = [(_alone(READ, file), _alone(PARSE, file)) for _ in range(3)]
    reading, parsing = min(reading_result[0] for reading_result, _ in turns), min(two[0] for _, two in turns)
    peak = max(reading_result[2] for reading_result, _ in turns) * 1024  # Linux counts in KiB
    assert all(reading_result[1] == KEYS for reading_result, _ in turns)
    task = f"a scene of 1e6 keys, {len(content) / 1e6:.0f} MB"
    return [
        upper_limit_row(f"{task}, read ({seconds(reading)}): time of `json.loads`", reading / parsing, 6, "×"),
        upper_limit_row(f"{task}, read: memory at its peak", peak / 1e9, 2, " GB"),
        unlimited_row(f"{task}, written ({seconds(writing)}): time of `json.loads`", writing / parsing, "×"),
    ]


def _alone(code: str, file: Path) -> list[float]:
    """What a process of its own tells."""
    process = subprocess.run([sys.executable, "-c", code, str(file)], check=True, capture_output=True, text=True)
    result: list[float] = json.loads(process.stdout)
    return result
