"""Without power at any moment no acknowledged edit is lost; and faults that would lose one are seen."""

import os

import pytest

from keypose.files import formats
from keypose.studio.session import journal, session
from tests.files.syscall_tracer import unsupported_reason
from tests.studio.crash_losses import find_losses, record_session

pytestmark = pytest.mark.skipif(unsupported_reason() is not None, reason=str(unsupported_reason()))
STATE_STRIDE = 5


@pytest.fixture
def session_folder(tmp_path, monkeypatch):
    monkeypatch.setattr(session, "MIN_JOURNAL_LIMIT", 2300)  # so that the journal is begun anew by the way
    monkeypatch.setattr(session, "JOURNAL_GROWTH", 1)
    (tmp_path / "desk").mkdir()
    return tmp_path / "desk"


def test_power_loss_at_any_write_loses_no_acknowledged_edit(session_folder):
    found, state_count = find_losses(*record_session(session_folder), session_folder, every=STATE_STRIDE)
    assert found == []
    assert state_count > 50


def skip_journal_sync(monkeypatch):
    monkeypatch.setattr(journal, "sync_file", lambda _: None)


def skip_new_file_sync(monkeypatch):
    monkeypatch.setattr(os, "fsync", lambda _: None)


def skip_folder_sync(monkeypatch):
    monkeypatch.setattr(journal, "sync_folder", lambda _: None)


def rewrite_in_place(monkeypatch):
    def begin_anew(self, records):
        descriptor = os.open(self.file, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600)
        frames = [journal.frame_record(number, record) for number, record in enumerate(records)]
        os.write(descriptor, b"".join(frames))
        os.fsync(descriptor)
        journal.sync_folder(self.file.parent)
        self._descriptor, self._size, self._number = descriptor, sum(map(len, frames)), len(frames)

    monkeypatch.setattr(journal.Journal, "rewrite", begin_anew)


def close_journal_before_save(monkeypatch):
    def save(self, file=None):
        self._close_journal()
        formats.save(self._stage, file)
        self._file = file
        self._saved_stages[file] = self._stage

    monkeypatch.setattr(session.Session, "save", save)


FAULTS = [skip_journal_sync, skip_new_file_sync, skip_folder_sync, rewrite_in_place, close_journal_before_save]


@pytest.mark.parametrize("fault", FAULTS)
def test_sync_faults_that_lose_edits_are_detected(fault, session_folder, monkeypatch):
    fault(monkeypatch)
    recording = record_session(session_folder)
    monkeypatch.undo()
    found, _ = find_losses(*recording, session_folder)
    assert found
