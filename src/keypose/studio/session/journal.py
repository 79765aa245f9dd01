"""How does an edit survive a crash? It is in a journal, on the platter, before anybody is told that it was made.

A journal only grows. Each record has a mark, its number, its length and a checksum, so that a piece of a record, zeros
or rubbish at its end are known for what they are and cut off. It is begun anew, under its old name in one step, when
the scene was saved or the journal has become long. Whoever has it open holds a lock on it; one that nobody holds was
left by a studio that ended unexpectedly.
"""

import os
import struct
import sys
import time
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from keypose.errors import KeyposeError
from keypose.files import translate_os_errors

MARK = b"\x89KPJ"
RECORD_HEADER = struct.Struct("<4sIII")  # mark, number, length, checksum of number, length and content
WRITE_FAILURE_TEXT = "cannot keep your edits"
JOURNAL_ENDING, TEMPORARY_ENDING = ".journal", ".journal-new"
STALE_AFTER = 24 * 3600  # [s]
MAX_RECORD_SIZE = 1 << 30  # bytes in one record


class Journal:
    """A journal that is open for writing, and locked. `append` returns when the record is on the platter.

    With `sync_later`, it is there when what `prepare_sync` gives has been called: pictures need not wait for that,
    answers do.
    """

    def __init__(self, file: Path, first: Iterable[bytes] = ()) -> None:
        self.file = file
        self._descriptor: int | None = None
        self._is_writable = True
        with translate_os_errors(file, WRITE_FAILURE_TEXT):
            make_folder(file.parent)
        self.rewrite(first)

    @property
    def size(self) -> int:
        """Bytes in it."""
        return self._size

    @property
    def is_writable(self) -> bool:
        """Whether more can be appended; not after a piece of a record could not be removed: begin it anew."""
        return self._is_writable

    def rewrite(self, records: Iterable[bytes]) -> None:
        """Let these be all its records; a crash in the middle leaves the old ones or these."""
        with translate_os_errors(self.file, WRITE_FAILURE_TEXT):
            temporary = self.file.with_suffix(TEMPORARY_ENDING)
            descriptor = os.open(temporary, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600)
            try:
                _lock(descriptor)
                frames = [frame_record(number, record) for number, record in enumerate(records)]
                content = b"".join(frames)
                _write_all(descriptor, content)
                os.fsync(descriptor)
                temporary.replace(self.file)
            except BaseException:
                os.close(descriptor)
                with suppress(OSError):
                    temporary.unlink()
                raise
            old, self._descriptor = self._descriptor, descriptor
            self._size, self._number, self._is_writable = len(content), len(frames), True
            if old is not None:
                os.close(old)
            sync_folder(self.file.parent)

    def append(self, record: bytes, *, sync_later: bool = False) -> None:
        """One record more. If it cannot be brought to the platter, the journal is as it was."""
        if self._descriptor is None or not self._is_writable:
            raise KeyposeError("The journal takes no more records. Begin it anew.")
        content = frame_record(self._number, record)
        with translate_os_errors(self.file, WRITE_FAILURE_TEXT):
            try:
                _write_all(self._descriptor, content)
                if not sync_later:
                    sync_file(self._descriptor)
            except BaseException:
                self._is_writable = False  # behind a piece of a record no other would be found
                with suppress(OSError):
                    os.ftruncate(self._descriptor, self._size)
                    os.lseek(self._descriptor, self._size, os.SEEK_SET)
                    self._is_writable = True
                raise
        self._size += len(content)
        self._number += 1

    def prepare_sync(self) -> Callable[[], None]:
        """What brings all that was appended until now to the platter, on any thread. If it cannot, begin anew."""
        if self._descriptor is None:
            return lambda: None
        descriptor = os.dup(self._descriptor)  # it may be closed here meanwhile

        def sync() -> None:
            try:
                with translate_os_errors(self.file, WRITE_FAILURE_TEXT):
                    sync_file(descriptor)
            except BaseException:
                self._is_writable = False
                raise
            finally:
                os.close(descriptor)

        return sync

    def close(self, *, remove: bool = False) -> None:
        """Let go of it; with `remove` there is nothing in it that anybody could miss."""
        if self._descriptor is not None:
            if remove:
                with suppress(OSError):
                    self.file.unlink()
            os.close(self._descriptor)
            self._descriptor = None


@dataclass(frozen=True)
class JournalContent:
    """What a journal holds: its good records, and a sentence if some were lost in its middle."""

    records: tuple[bytes, ...]
    damage: str | None = None


def frame_record(number: int, record: bytes) -> bytes:
    """A record as it stands in the journal."""
    if len(record) > MAX_RECORD_SIZE:
        raise KeyposeError(f"An edit of {len(record):,} bytes is too long for the journal. Split the scene.")
    return RECORD_HEADER.pack(MARK, number, len(record), record_checksum(number, record)) + record


def read_records(content: bytes) -> JournalContent:
    """The records up to the first that is no good. A last one cut short is what a crash leaves, and no damage."""
    records: list[bytes] = []
    position = 0
    while (record := _read_record(content, position)) is not None and record[0] == len(records):
        records.append(record[1])
        position += RECORD_HEADER.size + len(record[1])
    lost = 0
    after = content.find(MARK, position + 1)
    while after >= 0:
        record = _read_record(content, after)
        lost += record is not None
        after = content.find(MARK, after + 1 if record is None else after + RECORD_HEADER.size + len(record[1]))
    damage = None
    if lost:
        damage = (
            f"The journal is damaged after {len(records)} records, and {lost} later ones cannot be used. "
            "What came before is kept."
        )
    return JournalContent(tuple(records), damage)


def orphan_journals(folder: Path) -> list[Path]:
    """The journals in a folder that nobody holds, oldest first. What was half made long ago is swept away."""
    found = []
    for file in sorted(folder.iterdir()) if folder.is_dir() else ():
        with suppress(KeyposeError, OSError):
            if file.suffix == JOURNAL_ENDING:
                with lock_journal(file):
                    found.append((file.stat().st_mtime, file))
            elif file.suffix == TEMPORARY_ENDING and time.time() - file.stat().st_mtime > STALE_AFTER:
                file.unlink()
    return [file for _, file in sorted(found)]


@contextmanager
def lock_journal(file: Path) -> Iterator[None]:
    """Hold a journal that was left behind, so that nobody else takes it up; refused if somebody does."""
    try:
        descriptor = os.open(file, os.O_RDWR)
    except OSError:
        raise KeyposeError(f"The journal {file.name} is gone. Another studio has taken it up.") from None
    try:
        try:
            _lock(descriptor)
            is_same = os.fstat(descriptor).st_ino == file.stat().st_ino  # else it was begun anew, or removed, just now
        except OSError:
            is_same = False
        if not is_same:
            raise KeyposeError(f"The journal {file.name} is in use. Another studio has it open.")
        yield
    finally:
        os.close(descriptor)


def make_folder(folder: Path) -> None:
    """Make a folder that is still there after a crash, and those above it."""
    if not folder.is_dir():
        make_folder(folder.parent)
        folder.mkdir(mode=0o700, exist_ok=True)
        sync_folder(folder.parent)


def sync_folder(folder: Path) -> None:
    """Bring the names in a folder to the platter."""
    if sys.platform != "win32":
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _read_record(content: bytes, position: int) -> tuple[int, bytes] | None:
    """The number and the content of a good record, or nothing."""
    if len(content) - position < RECORD_HEADER.size:
        return None
    mark, number, length, checksum = RECORD_HEADER.unpack_from(content, position)
    record = content[position + RECORD_HEADER.size : position + RECORD_HEADER.size + length]
    good = mark == MARK and len(record) == length and record_checksum(number, record) == checksum
    return (number, record) if good else None


def record_checksum(number: int, record: bytes) -> int:
    """The checksum of a record and its number."""
    return zlib.crc32(record, zlib.crc32(struct.pack("<II", number, len(record))))


def _write_all(descriptor: int, content: bytes) -> None:
    rest = memoryview(content)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def sync_file(descriptor: int) -> None:
    """Wait until the content of an open file is on the disk."""
    if hasattr(os, "fdatasync"):
        os.fdatasync(descriptor)
    else:
        os.fsync(descriptor)


def _lock(descriptor: int) -> None:
    """Hold a file as long as it is open here; an OSError says that another does."""
    if sys.platform != "win32":
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
