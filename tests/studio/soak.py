"""Long trials of the studio: `make soak`, or `python -m tests.studio.soak undo` for one of them.

A trial is a function that is given an empty folder and a `progress` to say how far it is, and returns a line about
what it saw; what it must not see fails an assertion. Add yours to TRIALS.
"""

import multiprocessing
import os
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

from keypose.studio.session import session
from tests.studio.crash_losses import find_losses, record_session
from tests.studio.server_kills import kill_servers
from tests.studio.session_kills import kill_sessions
from tests.studio.undo_model import play

MEMORY_FOLDER = Path("/dev/shm")  # quick, and nothing here depends on a disk: a crash of one is replayed, not made
GAME_LENGTHS = [2_000] * 2 + [
    500
] * 192  # operations: long ones tie the cast in knots, short ones begin again and again
KILLS, SERVER_KILLS = 500, 100
PROGRESS_PERIOD = 10  # [s] from one line about how far it is to the next


def undo(folder, progress):
    """Random operations of two clients; the document's bytes equal the model's after each."""
    total: Counter[str] = Counter()
    spawned = multiprocessing.get_context("spawn")  # a fork of threads that hold locks may wait for ever
    with ProcessPoolExecutor(os.cpu_count(), spawned) as players:
        games = [players.submit(_game, length, seed, folder / str(seed)) for seed, length in enumerate(GAME_LENGTHS)]
        try:
            for game in as_completed(games):
                total.update(game.result())
                progress(total.total(), sum(GAME_LENGTHS))
        except BaseException:
            players.shutdown(cancel_futures=True)
            raise
    assert total.total() == sum(GAME_LENGTHS)
    counts = ", ".join(f"{count:,} {word}" for word, count in total.items())
    return f"{sum(GAME_LENGTHS):,} operations ({counts}): the document's bytes were the model's after each"


def _game(length, seed, folder):
    folder.mkdir()
    return play(length, seed, folder)


def kills(folder, progress):
    """Sessions killed at moments by chance; no acknowledged edit is lost, everything can be loaded."""
    edits, recovered = kill_sessions(KILLS, seed=0, folder=folder, progress=progress)
    return f"{KILLS} kills, {edits:,} edits acknowledged, {recovered} recoveries: 0 edits lost, 0 unloadable"


def servers(folder, progress):
    """The same with whole studios, whose page is at work when they are killed."""
    messages, recovered = kill_servers(SERVER_KILLS, seed=0, folder=folder, progress=progress)
    counts = f"{messages:,} messages acknowledged, {recovered} recoveries"
    return f"{SERVER_KILLS} kills of whole studios, {counts}: 0 edits lost, 0 unloadable"


def crashes(folder, progress):
    """Every state the disk can be in after a crash at any change."""
    session.MIN_JOURNAL_LIMIT, session.JOURNAL_GROWTH = 2300, 1  # so that the journal is begun anew by the way
    recording, documents = record_session(folder)
    found, state_count = find_losses(recording, documents, folder, progress=progress)
    assert found == [], found
    return f"{state_count:,} different crash states of {len(recording.changes)} changes to the disk: 0 edits lost"


TRIALS = {"undo": undo, "kills": kills, "servers": servers, "crashes": crashes}


class Progress:
    """Says now and then how far a trial is."""

    def __init__(self, name):
        self.name, self.start_time = name, time.monotonic()
        self.next = self.start_time + PROGRESS_PERIOD

    def __call__(self, done, total):
        now = time.monotonic()
        if now >= self.next:
            self.next = now + PROGRESS_PERIOD
            self.report(f"{done:,} of {total:,}")

    def report(self, text):
        print(f"{self.name}: {text} ({time.monotonic() - self.start_time:.0f} s)", flush=True)  # noqa: T201 - a command


def main(names):
    for name in names or TRIALS:
        progress = Progress(name)
        with tempfile.TemporaryDirectory(dir=MEMORY_FOLDER if MEMORY_FOLDER.is_dir() else None) as folder:
            progress.report(TRIALS[name](Path(folder), progress))


if __name__ == "__main__":
    main(sys.argv[1:])
