"""What can be on the disk when the power fails in the middle of a session? Every crash state must know every edit that
was acknowledged.

A session is recorded system call by system call, with a note for each edit that was acknowledged; then all folders a
crash can leave are laid out, and the studio is started on each.
"""

import shutil

from keypose.document.scene import read
from keypose.studio.protocol import commands
from keypose.studio.session.recovery import find_recoverable, stage_from_scene
from keypose.studio.session.session import Session
from tests.files.change_recorder import record_changes
from tests.files.crash_states import Write, crash_states
from tests.studio.scenes import mixed_stage, text

NOTES = "acknowledged"
EDITS, SAVED_AFTER = 9, (3, 6)


def record_session(folder):
    """A session of edits, saves and a long journal begun anew: what it did to the disk, and all its documents."""
    stage, documents = mixed_stage(), []
    for number in range(EDITS + 1):
        documents.append(text(stage if not number else _stage_after(documents[-1], number - 1)))
    (folder / NOTES).write_bytes(b"")

    def live():
        session = Session(stage, state=folder / "state")
        with (folder / NOTES).open("ab", buffering=0) as notes:
            for number in range(EDITS):
                session.apply(_edit(number))
                notes.write(b"x")
                if number in SAVED_AFTER:
                    session.save(folder / "scene.json")

    return record_changes(live, folder), documents


def _edit(number):
    return commands.MoveKeys(id=0, actor="red", keys=(number % 4,), by=(1, number, 0.5))


def _stage_after(document, number):
    session = Session(read(document))
    session.apply(_edit(number))
    return session.stage


def find_losses(recording, documents, folder, every=1, progress=lambda done, total: None):
    """Sentences about crashes after which an acknowledged edit is lost, or nothing can be loaded; how many were seen.

    `folder` is where the session was: a journal knows its scene by the whole path. `every`: look at every so manieth
    state only.
    """
    found, state_count, known, count = [], 0, {}, 0
    for done in range(len(recording.changes) + 1):
        progress(done, len(recording.changes))
        acknowledged = _acknowledged(recording, done)
        for state in crash_states(recording, done):
            state.pop(NOTES, None)
            files = frozenset(state.items())
            count += 1
            if files not in known and count % every == 0:
                known[files] = _document(state, documents, folder)
                state_count += 1
            recovered = known.get(files, acknowledged)
            if recovered not in (acknowledged, acknowledged + 1):
                remainder = "nothing that can be loaded" if recovered is None else f"edit {recovered}"
                found.append(f"A crash after change {done} leaves {remainder}, but {acknowledged} were acknowledged.")
                break
    return found, state_count


def _acknowledged(recording, done):
    notes = next(number for number, _ in recording.changes if _is_notes(recording, number))
    return sum(number == notes and isinstance(change, Write) for number, change in recording.changes[:done])


def _is_notes(recording, number):
    return recording.things[recording.root].get(NOTES) == number


def _document(state, documents, folder):
    """Which document the studio comes up with on this disk; None if none."""
    shutil.rmtree(folder, ignore_errors=True)
    for name, file in state.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(file.content)
    try:
        offered = find_recoverable(folder / "state")
        if offered:
            return documents.index(text(stage_from_scene(offered[0].scene)))
        saved = folder / "scene.json"
        return documents.index(saved.read_bytes()) if saved.exists() else 0
    except ValueError:
        return None
