"""What happens when somebody types `keypose …`? In this process where that is enough, else in one of its own."""

import os
import pty
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

from typer.testing import CliRunner

from keypose import Actor, Motion, MotionPath, Stage, save
from keypose.cli.__main__ import IGNORE_SECONDS
from keypose.cli.app import app

ROOT = Path(__file__).parents[2]
KEYPOSE = [sys.executable, "-m", "keypose.cli"]
TIMEOUT = 300.0  # [s] with a process; one that answers is never waited for so long
STAGE = Stage([
    Actor("hand", Motion(MotionPath([(0, 0, 0), (2, 1, 0), (3, 0, 0)]), duration=2.0)),
    Actor("ring", Motion(MotionPath([(0, 0.1, 0), (0, 0.2, 0)]), duration=1.5), parent="hand"),
])  # fmt: skip

# A mover that takes a second for every tick, or none; its Python must be imported before the scene is read.
SLEEPER_CODE = """
import sys, time
from dataclasses import dataclass
import numpy as np
from keypose import Pose, savable

@savable("sleeper")
@dataclass(frozen=True)
class Sleeper:
    nap: float = 0.0
    def begin(self, sight):
        return 0.0
    def step(self, state, sight, dt):
        time.sleep(self.nap)
        return state + dt
    def pose(self, state):
        return Pose(np.array([state, 0.0, 0.0]), np.array([1.0, 0.0, 0.0, 0.0]))
"""
SLEEPER_COMMAND = [sys.executable, "-c", SLEEPER_CODE + "from keypose.cli.__main__ import main\nmain()"]

# What runs in the background of a shell does not hear Ctrl+C, and neither would its children.
RESTORE_SIGINT = (
    "import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_DFL); os.execv(sys.argv[1], sys.argv[1:])"
)


def run_command(*words, input=None):  # noqa: A002  # as click calls it
    """What a command answers: `.exit_code`, `.stdout`, `.stderr`; `input` is its standard input."""
    return CliRunner().invoke(app, [str(word) for word in words], prog_name="keypose", input=input)


def refusal_text(*words):
    """The sentence of a command that is refused."""
    result = run_command(*words)
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert "Traceback" not in result.stderr
    return result.stderr.removeprefix("keypose: ").removesuffix("\n")


def save_scene(folder, stage=STAGE, name="walk.json"):
    return save(stage, folder / name)


def save_sleeper_scene(folder, nap):
    file = folder / "sleepy.json"
    file.write_text(f'{{"keypose": 1, "actors": [{{"name": "bear", "mover": {{"kind": "sleeper", "nap": {nap}}}}}]}}')
    return file


def process_environment(**changed):
    paths = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
    return {**os.environ, "PYTHONPATH": paths, "COLUMNS": "100", "NO_COLOR": "1", **changed}


def run_process(*words, command=KEYPOSE, **options):
    """A real process that has ended."""
    line = [*command, *map(str, words)]
    options = {"env": process_environment(), "capture_output": True, "text": True, "timeout": TIMEOUT, **options}
    return subprocess.run(line, **options)


def run_on_terminal(*words, command=KEYPOSE):
    """The exit code, what was answered, and what a terminal showed of standard error."""
    ours, theirs = pty.openpty()
    line = [*command, *map(str, words)]
    child = subprocess.Popen(
        line, stdout=subprocess.PIPE, stderr=theirs, text=True, env=process_environment(TERM="xterm")
    )
    os.close(theirs)
    shown = b""
    while True:
        try:
            piece = os.read(ours, 4096)
        except OSError:  # how Linux says that the other side is closed
            break
        if not piece:
            break
        shown += piece
    os.close(ours)
    stdout, _ = child.communicate(timeout=TIMEOUT)
    return child.returncode, stdout, shown.decode()


def run_interrupted(*words, command, ready, presses=1):
    """Exit code, answer and words beside it of a process that gets Ctrl+C once `ready()` says so, some times over."""
    line = [sys.executable, "-c", RESTORE_SIGINT, *command, *map(str, words)]
    child = subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=process_environment())
    until = time.monotonic() + TIMEOUT
    while not ready() and child.poll() is None and time.monotonic() < until:
        select.select([], [], [], 0.01)
    deaf_until = time.monotonic() + IGNORE_SECONDS / 2
    for press in range(presses):
        if press and time.monotonic() > deaf_until:  # all of them while the first is being answered
            break
        child.send_signal(signal.SIGINT)
        select.select([], [], [], 0.01)
    stdout, stderr = child.communicate(timeout=TIMEOUT)
    return child.returncode, stdout, stderr
