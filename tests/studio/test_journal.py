"""A journal holds every record that was acknowledged, and knows a piece, zeros and rubbish for what they are."""

import os

import pytest

from keypose import KeyposeError
from keypose.studio.session import journal as journal_module
from keypose.studio.session.journal import Journal, orphan_journals, read_records

RECORDS = [b"first " * 20, b"", b"third \x89KPJ in its middle", b'{"x": 12345}']


@pytest.fixture
def file(tmp_path):
    return tmp_path / "journals" / "one.journal"


def write_journal(file):
    journal = Journal(file, RECORDS[:1])
    for record in RECORDS[1:]:
        journal.append(record)
    journal.close()
    return file.read_bytes()


def test_records_are_read_in_order(file):
    assert read_records(write_journal(file)) == journal_module.JournalContent(tuple(RECORDS))


def test_truncated_journal_keeps_all_complete_records(file):
    content = write_journal(file)
    ends = [
        len(b"".join(journal_module.frame_record(i, one) for i, one in enumerate(RECORDS[:n])))
        for n in range(len(RECORDS) + 1)
    ]
    for size in range(len(content)):
        found = read_records(content[:size])
        assert found == journal_module.JournalContent(tuple(RECORDS[: sum(end <= size for end in ends[1:])]))


@pytest.mark.parametrize(
    "tail", [b"\0" * 700, b"rubbish", journal_module.MARK, journal_module.frame_record(4, b"more")[:-1]]
)
def test_incomplete_tail_is_cut_off(file, tail):
    assert read_records(write_journal(file) + tail) == journal_module.JournalContent(tuple(RECORDS))


def undetected_changes(content):
    """Places where another byte would go unnoticed."""
    undetected = []
    for index in range(len(content)):
        for flip in (1, 0x80):
            changed = content[:index] + bytes([content[index] ^ flip]) + content[index + 1 :]
            records = read_records(changed).records
            if records != tuple(RECORDS[: len(records)]) or len(records) == len(RECORDS):
                undetected.append(index)
    return undetected


def test_every_changed_byte_is_detected(file):
    assert undetected_changes(write_journal(file)) == []


def test_missing_checksum_would_be_detected(file, monkeypatch):
    monkeypatch.setattr(journal_module, "record_checksum", lambda number, record: 0)
    assert undetected_changes(write_journal(file))


def test_damage_is_reported_and_earlier_records_are_kept(file):
    content = bytearray(write_journal(file))
    content[journal_module.RECORD_HEADER.size * 2 + len(RECORDS[0]) + 5] ^= 1  # in the head of the third record
    found = read_records(bytes(content))
    assert found.records == tuple(RECORDS[:2])
    assert found.damage == (
        "The journal is damaged after 2 records, and 1 later ones cannot be used. What came before is kept."
    )


def test_rewritten_journal_has_the_new_records_and_accepts_more(file):
    journal = Journal(file, RECORDS)
    journal.rewrite([b"base"])
    journal.append(b"more")
    assert read_records(file.read_bytes()).records == (b"base", b"more")
    assert [entry.name for entry in file.parent.iterdir()] == ["one.journal"]
    journal.close()
    with pytest.raises(KeyposeError, match="takes no more records"):
        journal.append(b"late")


def test_journal_is_orphaned_only_when_no_process_has_it_open(file):
    journal = Journal(file, RECORDS)
    assert orphan_journals(file.parent) == []
    journal.rewrite([b"base"])
    assert orphan_journals(file.parent) == []
    journal.close()
    assert orphan_journals(file.parent) == [file]
    assert orphan_journals(file.parent / "nowhere") == []


def test_failed_append_leaves_no_trace(file, monkeypatch):
    journal = Journal(file, RECORDS)

    def torn(descriptor, data):
        if len(data) > 10:
            return write(descriptor, data[:10])
        raise OSError(28, "No space left on device")

    write = os.write
    monkeypatch.setattr(os, "write", torn)
    with pytest.raises(KeyposeError, match="the disk is full"):
        journal.append(b"x" * 100)
    monkeypatch.setattr(os, "write", write)
    assert journal.is_writable
    journal.append(b"next")
    assert read_records(file.read_bytes()).records == (*RECORDS, b"next")
    journal.close()


def test_journal_is_rewritten_if_a_partial_record_remains(file, monkeypatch):
    journal = Journal(file, RECORDS)

    def fails(*_):
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os, "fdatasync", fails)
    monkeypatch.setattr(os, "ftruncate", fails)
    with pytest.raises(KeyposeError, match="reports damage"):
        journal.append(b"x")
    monkeypatch.undo()
    assert not journal.is_writable
    with pytest.raises(KeyposeError, match="Begin it anew"):
        journal.append(b"y")
    journal.rewrite([b"base"])
    journal.append(b"y")
    assert read_records(file.read_bytes()).records == (b"base", b"y")
    journal.close()
