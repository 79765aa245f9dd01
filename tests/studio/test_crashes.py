"""Without power at any moment no acknowledged edit is lost; and faults that would lose one are seen."""

import os

import pytest

from keypose.files import formats
from keypose.studio.session import journal, session
from tests.files.tracing import why_not
from tests.studio.crashes import losses, recorded

pytestmark = pytest.mark.skipif(why_not() is not None, reason=str(why_not()))
SOME = 5


@pytest.fixture
def desk(tmp_path, monkeypatch):
    monkeypatch.setattr(session, "MIN_JOURNAL_LIMIT", 2300)  # so that the journal is begun anew by the way
    monkeypatch.setattr(session, "JOURNAL_GROWTH", 1)
    (tmp_path / "desk").mkdir()
    return tmp_path / "desk"


def test_without_power_at_any_moment_no_acknowledged_edit_is_lost(desk):
    found, seen = losses(*recorded(desk), desk, every=SOME)
    assert found == []
    assert seen > 50


def unsynced(monkeypatch):
    monkeypatch.setattr(journal, "_sync", lambda _: None)


def new_ones_unsynced(monkeypatch):
    monkeypatch.setattr(os, "fsync", lambda _: None)


def names_unsynced(monkeypatch):
    monkeypatch.setattr(journal, "sync_folder", lambda _: None)


def begun_anew_in_place(monkeypatch):
    def begin_anew(self, records):
        descriptor = os.open(self.file, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600)
        frames = [journal.frame_record(number, record) for number, record in enumerate(records)]
        os.write(descriptor, b"".join(frames))
        os.fsync(descriptor)
        journal.sync_folder(self.file.parent)
        self._descriptor, self._size, self._number = descriptor, sum(map(len, frames)), len(frames)

    monkeypatch.setattr(journal.Journal, "rewrite", begin_anew)


def journal_ended_before_the_save(monkeypatch):
    def save(self, file=None):
        self._close_journal()
        formats.save(self._stage, file)
        self._file = file
        self._saved_stages[file] = self._stage

    monkeypatch.setattr(session.Session, "save", save)


FAULTS = [unsynced, new_ones_unsynced, names_unsynced, begun_anew_in_place, journal_ended_before_the_save]


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_that_loses_edits_is_seen(fault, desk, monkeypatch):
    fault(monkeypatch)
    recording = recorded(desk)
    monkeypatch.undo()
    found, _ = losses(*recording, desk)
    assert found
