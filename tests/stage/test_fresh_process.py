"""A script that begins: its first answers have the same bits as all that follow, whatever gets compiled meanwhile."""

import subprocess
import sys

SCRIPT = """
import numpy as np
from keypose import Actor, Key, Motion, MotionPath, Stage, shoot

rng = np.random.default_rng(7)
ways = [MotionPath([Key(rng.normal(size=3), orientation=rng.normal(size=4)) for _ in range(5)]) for _ in range(40)]
stage = Stage([Actor(str(number), Motion(way, duration=2.0)) for number, way in enumerate(ways)])
alone = [stage.at(0.5)[name].orientation for name in stage.names]
first, second = shoot(stage, 2.0, fps=200), shoot(stage, 2.0, fps=200)
for name, facing in zip(stage.names, alone):
    assert np.array_equal(first[name].orientation, second[name].orientation)
    assert np.array_equal(first[name].orientation[100], facing)
"""


def test_single_instant_and_repeated_takes_are_bitwise_identical():
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
