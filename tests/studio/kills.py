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
from keypose.studio.edits import apply_edit
from keypose.studio.protocol import commands
from keypose.studio.session.recovery import find_recoverable, stage_from_scene
from keypose.studio.session.session import Session
from tests.studio import chance
from tests.studio.scenes import cast, text

LONGEST_LIFE, LAST_MOMENTS = 12, 0.02  # edits, and then seconds


def kill_many(times, seed, folder, told=lambda done, total: None):
    """Kill so many studios; how many edits were acknowledged, and how many lives ended with something to recover."""
    random, edits, recovered = Random(seed), 0, 0
    stage = cast()
    for life in range(times):
        place = folder / f"life {life}"
        place.mkdir()
        until = random.randrange(LONGEST_LIFE), random.random() ** 2 * LAST_MOMENTS
        said = _live_and_die(stage, random.randrange(10**9), place, *until)
        acknowledged, about = _last_words(said, stage)
        edits += said.count(b"has")
        state = place / "state"
        found = find_recoverable(state)
        now = _document(found, place / "scene.json", stage)
        assert now in (acknowledged, about), f"life {life} of seed {seed}: an acknowledged edit is lost"
        if found:
            again = Session.from_recovery(found[0], state=state)
            again.apply(commands.AddActor(id=0, actor={"name": "after the crash", **chance.NEW}))
            again.close()
            recovered += 1
        told(life + 1, times)
    return edits, recovered


def _live_and_die(stage, seed, folder, edits, seconds):
    """What a victim said before it was killed, so many seconds after so many edits."""
    reading, writing = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of forks with threads
        pid = os.fork()
    if pid == 0:
        try:
            os.close(reading)
            _victim(stage, seed, folder, writing)
        except BaseException:
            traceback.print_exc()
            sys.stderr.flush()
        finally:
            os._exit(1)
    os.close(writing)
    said = b""
    while said.count(b"has") < edits and (more := os.read(reading, 4096)):
        said += more
    time.sleep(seconds)
    os.kill(pid, signal.SIGKILL)
    _, status = os.waitpid(pid, 0)
    with os.fdopen(reading, "rb") as pipe:
        said += pipe.read()
    assert os.WIFSIGNALED(status), "the victim ended by itself; its own words are on stderr"
    return said


def _victim(stage, seed, folder, writing):
    """Edits, undoes and saves for ever, and says so."""
    random, session = Random(seed), Session(stage, state=folder / "state")
    while True:
        if random.random() < 0.05:
            session.save(folder / "scene.json")
            continue
        message = chance.edit(random, session.stage)
        try:
            following, _ = apply_edit(session.stage, message)
        except KeyposeError:
            continue
        os.write(writing, b"will %d\n" % zlib.crc32(text(following)))
        session.apply(message)
        os.write(writing, b"has %d\n" % zlib.crc32(text(session.stage)))


def _last_words(said, stage):
    """The document acknowledged last, and the one that was to follow it."""
    acknowledged = about = zlib.crc32(text(stage))
    for line in said.splitlines():
        word, _, number = line.partition(b" ")
        if word == b"has":
            acknowledged = about = int(number)
        elif word == b"will":
            about = int(number)
    return acknowledged, about


def _document(found, file, stage):
    """The document at the next start: what is recovered, else what was saved, else what it began with."""
    if found:
        return zlib.crc32(text(stage_from_scene(found[0].scene)))
    return zlib.crc32(text(read(file.read_bytes()) if file.exists() else stage))
