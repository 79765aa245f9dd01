"""Startup: the time of imports and of commands, against an import of numpy."""

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from measure import Row, best_times, seconds, unlimited_row, upper_limit_row

from keypose import Actor, Motion, MotionPath, Stage, save


def import_time() -> list[Row]:
    """Whole processes that import and end, less those that do nothing."""

    def process(line: str) -> None:
        subprocess.run([sys.executable, "-c", line], check=True)

    empty, numpy, keypose, names = best_times(
        lambda: process("pass"),
        lambda: process("import numpy"),
        lambda: process("import keypose"),
        lambda: process("from keypose import Key, Motion, MotionPath, SpeedProfile, Orientation"),
        rounds=12,
    )
    base = numpy - empty
    return [
        upper_limit_row(
            f"`import keypose` ({seconds(keypose - empty)}): time of `import numpy`",
            (keypose - empty) / base,
            1.3,
            "×",
        ),
        unlimited_row(
            f"`from keypose import Key, Motion, …` ({seconds(names - empty)}): of `import numpy`",
            (names - empty) / base,
            "×",
        ),
    ]


def command_line() -> list[Row]:
    """Whole processes, from the first letter typed to the answer."""

    def process(*words: str) -> None:
        subprocess.run([sys.executable, *words], check=True, stdout=subprocess.DEVNULL)

    keypose = ("-m", "keypose.cli")
    motion = Motion(MotionPath([(0, 0, 0), (2, 1, 0), (3, 0, 0)]), duration=2.0)
    with TemporaryDirectory() as folder:
        scene = save(Stage([Actor(f"actor {index}", motion) for index in range(10)]), Path(folder, "ten.json"))
        numpy, help_time, checked = best_times(
            lambda: process("-c", "import numpy"),
            lambda: process(*keypose, "--help"),
            lambda: process(*keypose, "check", str(scene)),
            rounds=12,
        )
    of = "time of `python -c 'import numpy'`"
    return [
        upper_limit_row(f"`keypose --help` ({seconds(help_time)}): {of}", help_time / numpy, 2.5, "×"),
        upper_limit_row(f"`keypose check` of ten actors ({seconds(checked)}): {of}", checked / numpy, 4, "×"),
    ]
