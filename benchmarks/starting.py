"""How soon is the first line of a script done?"""

import subprocess
import sys

from measure import Row, at_most, seconds, taking_turns


def importing() -> list[Row]:
    """Whole processes that import and end, less those that do nothing."""

    def process(line: str) -> None:
        subprocess.run([sys.executable, "-c", line], check=True)

    nothing, numpy, keypose, names = taking_turns(
        lambda: process("pass"),
        lambda: process("import numpy"),
        lambda: process("import keypose"),
        lambda: process("from keypose import Key, Motion, MotionPath, SpeedProfile, Orientation"),
        rounds=12,
    )
    base = numpy - nothing
    return [
        at_most(
            f"`import keypose` ({seconds(keypose - nothing)}): time of `import numpy`",
            (keypose - nothing) / base,
            1.3,
            "×",
        ),
        Row(
            f"`from keypose import Key, Motion, …` ({seconds(names - nothing)}): of `import numpy`",
            f"{(names - nothing) / base:.3g}×",
            "none",
            True,
        ),
    ]
