"""What is left when a studio is killed in the middle? A real process, a real SIGKILL, at moments by chance.

The victim says which document it is about to have, then which it has: what was acknowledged must be there at the next
start, or what it was just about to have. It is a fork of this warm process, so that a life costs milliseconds.
"""

import os
import signal
import sys
import time
import traceback
import warnings
import zlib
from random import Random

from keypose import KeyposeError
from keypose.document.scene import read
from keypose.studio.edits.apply import apply_edit
from keypose.studio.protocol import commands
from keypose.studio.session.recovery import find_recoverable, stage_from_scene
from keypose.studio.session.session import Session
from tests.studio import random_edits
from tests.studio.scenes import mixed_stage, text

MAX_EDITS, MAX_KILL_DELAY = 12, 0.02  # edits, and then seconds


def kill_sessions(times, seed, folder, progress=lambda done, total: None):
    """Kill so many studios; how many edits were acknowledged, and how many lives ended with something to recover."""
    random, edits, recovered = Random(seed), 0, 0
    stage = mixed_stage()
    for life in range(times):
        life_folder = folder / f"life {life}"
        life_folder.mkdir()
        until = random.randrange(MAX_EDITS), random.random() ** 2 * MAX_KILL_DELAY
        output = _run_and_kill(stage, random.randrange(10**9), life_folder, *until)
        acknowledged, pending = _last_documents(output, stage)
        edits += output.count(b"has")
        state = life_folder / "state"
        found = find_recoverable(state)
        current = _document(found, life_folder / "scene.json", stage)
        assert current in (acknowledged, pending), f"life {life} of seed {seed}: an acknowledged edit is lost"
        if found:
            session = Session.from_recovery(found[0], state=state)
            session.apply(commands.AddActor(id=0, actor={"name": "after the crash", **random_edits.NEW}))
            session.close()
            recovered += 1
        progress(life + 1, times)
    return edits, recovered


def _run_and_kill(stage, seed, folder, edits, seconds):
    """What a victim said before it was killed, so many seconds after so many edits."""
    reading, writing = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of forks with threads
        pid = os.fork()
    if pid == 0:
        try:
            os.close(reading)
            _edit_forever(stage, seed, folder, writing)
        except BaseException:
            traceback.print_exc()
            sys.stderr.flush()
        finally:
            os._exit(1)
    os.close(writing)
    output = b""
    while output.count(b"has") < edits and (more := os.read(reading, 4096)):
        output += more
    time.sleep(seconds)
    os.kill(pid, signal.SIGKILL)
    _, status = os.waitpid(pid, 0)
    with os.fdopen(reading, "rb") as pipe:
        output += pipe.read()
    assert os.WIFSIGNALED(status), "the victim ended by itself; its own words are on stderr"
    return output


def _edit_forever(stage, seed, folder, writing):
    """Edits, undoes and saves for ever, and says so."""
    random, session = Random(seed), Session(stage, state=folder / "state")
    while True:
        if random.random() < 0.05:
            session.save(folder / "scene.json")
            continue
        message = random_edits.edit(random, session.stage)
        try:
            following, _ = apply_edit(session.stage, message)
        except KeyposeError:
            continue
        os.write(writing, b"will %d\n" % zlib.crc32(text(following)))
        session.apply(message)
        os.write(writing, b"has %d\n" % zlib.crc32(text(session.stage)))


def _last_documents(output, stage):
    """The document acknowledged last, and the one that was to follow it."""
    acknowledged = pending = zlib.crc32(text(stage))
    for line in output.splitlines():
        word, _, number = line.partition(b" ")
        if word == b"has":
            acknowledged = pending = int(number)
        elif word == b"will":
            pending = int(number)
    return acknowledged, pending


def _document(found, file, stage):
    """The document at the next start: what is recovered, else what was saved, else what it began with."""
    if found:
        return zlib.crc32(text(stage_from_scene(found[0].scene)))
    return zlib.crc32(text(read(file.read_bytes()) if file.exists() else stage))
