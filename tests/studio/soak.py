"""Long trials of the studio: `make soak`, or `python -m tests.studio.soak undo` for one of them.

A trial is a function that is given an empty folder and returns a line about what it saw; what it must not see fails an
assertion. Add yours to TRIALS.
"""

import sys
import tempfile
import time
from pathlib import Path

from keypose.studio import session
from tests.studio.crashes import losses, recorded
from tests.studio.kills import kill_many
from tests.studio.undo_model import play

MEMORY = Path("/dev/shm")  # quick, and nothing here depends on a disk: a crash of one is replayed, not made
OPERATIONS, AT_ONCE, KILLS = 100_000, 2_000, 500


def undo(folder):
    """Random operations of two clients; the document's bytes equal the model's after each."""
    total: dict[str, int] = {}
    for seed in range(OPERATIONS // AT_ONCE):
        (folder / str(seed)).mkdir()
        for word, count in play(AT_ONCE, seed, folder / str(seed)).items():
            total[word] = total.get(word, 0) + count
    told = ", ".join(f"{count:,} {word}" for word, count in total.items())
    return f"{OPERATIONS:,} operations ({told}): the document's bytes were the model's after each"


def kills(folder):
    """Studios killed at moments by chance; no acknowledged edit is lost, everything can be loaded."""
    edits, recovered = kill_many(KILLS, seed=0, folder=folder)
    return f"{KILLS} kills, {edits:,} edits acknowledged, {recovered} recoveries: 0 edits lost, 0 unloadable"


def crashes(folder):
    """Every state the disk can be in after a crash at any change."""
    session.LONG, session.TIMES_ITS_BEGINNING = 2300, 1  # so that the journal is begun anew by the way
    recording, documents = recorded(folder)
    found, seen = losses(recording, documents, folder)
    assert found == [], found
    return f"{seen:,} different crash states of {len(recording.changes)} changes to the disk: 0 edits lost"


TRIALS = {"undo": undo, "kills": kills, "crashes": crashes}


def main(names):
    for name in names or TRIALS:
        begun = time.monotonic()
        with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder:
            told = TRIALS[name](Path(folder))
        print(f"{name}: {told} ({time.monotonic() - begun:.0f} s)", flush=True)  # noqa: T201 - this is a command


if __name__ == "__main__":
    main(sys.argv[1:])
