"""What did a save change on the disk? Its system calls, seen by the tracer, as the changes that `crash_states` knows.

A recording proves itself: all its changes together must make the folder before into the folder after. A call that could
change files in a way not known here is refused rather than overlooked.
"""

import os
import struct
from itertools import count
from pathlib import Path

from tests.files.crash_states import Chmod, DirectoryUpdate, File, Recording, Resize, Sync, Write, file_tree
from tests.files.syscall_tracer import syscall_stops

AT_FDCWD = 0xFFFFFF9C  # AT_FDCWD: names are relative to the working folder
SHARED, WRITABLE, EXCHANGE = 1, 2, 2
UNKNOWN = {"copy_file_range", "fallocate", "fchmodat2", "io_uring_enter", "openat2", "pwritev", "pwritev2", "rmdir"}
UNKNOWN |= {"sendfile", "splice", "symlink", "symlinkat"}
NAME_CALLS = {"openat", "renameat2", "unlinkat", "linkat"}  # what stands under the name before the call must be known

# Old calls are short for newer ones: name: (newer, how its arguments are made)
OLD_CALLS = {
    "open": ("openat", lambda name, flags, *_: (AT_FDCWD, name, flags)),
    "creat": ("openat", lambda name, *_: (AT_FDCWD, name, os.O_CREAT | os.O_TRUNC)),
    "rename": ("renameat2", lambda old, new, *_: (AT_FDCWD, old, AT_FDCWD, new, 0)),
    "renameat": ("renameat2", lambda *given: (*given[:4], 0)),
    "unlink": ("unlinkat", lambda name, *_: (AT_FDCWD, name)),
    "link": ("linkat", lambda old, new, *_: (AT_FDCWD, old, AT_FDCWD, new)),
    "mkdir": ("mkdirat", lambda name, *_: (AT_FDCWD, name)),
    "chmod": ("fchmodat", lambda name, mode, *_: (AT_FDCWD, name, mode)),
    "fdatasync": ("fsync", lambda *given: given),
}


def record_changes(save, folder):
    """What `save()` changes in `folder` and below."""
    things = _inventory(folder)
    recording = Recording(_inode(folder.stat()), things, before=file_tree(things, _inode(folder.stat())))
    recorder = _Recorder(recording)
    for stop in syscall_stops(save):
        recorder.see(stop)
    recording.after = file_tree(_inventory(folder), recording.root)
    replayed = dict(recording.things)
    for thing, change in recording.changes:
        replayed[thing] = replayed[thing] if isinstance(change, Sync) else change.on(replayed[thing])
    assert file_tree(replayed, recording.root) == recording.after, (
        "The recording does not explain what is in the folder now."
    )
    return recording


def _inode(status):
    return status.st_dev, status.st_ino


def _inventory(folder):
    """{number: File or entries} of a folder and all below."""
    inside = [entry for entry in folder.iterdir() if not entry.is_symlink()]
    entries = {entry.name: _inode(entry.stat()) for entry in inside}
    things = {_inode(folder.stat()): entries}
    for entry in inside:
        if entry.is_dir():
            things |= _inventory(entry)
        else:
            things[entries[entry.name]] = File(entry.read_bytes(), entry.stat().st_mode & 0o7777)
    return things


class _Recorder:
    """Looks at a held child before and after each call; a method per call says what the call has changed."""

    def __init__(self, recording):
        self.recording = recording
        self.numbers = {number: number for number in recording.things}  # a disk may use a number twice, this may not
        self.fresh = count(1)

    def see(self, stop):
        call, shorten = OLD_CALLS.get(stop.call, (stop.call, lambda *given: given))
        given = shorten(*stop.arguments)
        assert call not in UNKNOWN, f"{call} is not known to the recorder."
        if stop.result is None:
            if call in NAME_CALLS:
                path = self.path(stop, *given[:2])
                self.existed, self.before = path.exists(), self.find(path)
        elif stop.result >= 0:
            getattr(self, f"_{call}", lambda *_: None)(stop, *given)

    def note(self, thing, change):
        if thing is not None:  # else it is outside the folder that is watched
            self.recording.changes.append((thing, change))

    def path(self, stop, at, address):
        base = f"/proc/{stop.pid}/" + ("cwd" if at & 0xFFFFFFFF == AT_FDCWD else f"fd/{at}")
        path = Path(os.path.realpath(base), stop.text(address))
        return Path(os.path.realpath(path.parent), path.name)

    def find(self, path):
        try:
            return self.numbers.get(_inode(path.stat()))
        except OSError:
            return None

    def opened(self, stop, descriptor):
        return self.find(Path(f"/proc/{stop.pid}/fd/{descriptor}"))

    def make(self, path, thing):
        folder = self.find(path.parent)
        if folder is not None:
            number = self.numbers[_inode(path.stat())] = next(self.fresh)
            self.recording.things[number] = thing
            self.note(folder, DirectoryUpdate({path.name: number}))

    def _openat(self, stop, at, name, flags, *_):
        path = self.path(stop, at, name).resolve()
        if flags & os.O_CREAT and not self.existed:
            self.make(path, File(b"", path.stat().st_mode & 0o7777))
        elif flags & os.O_TRUNC:
            self.note(self.opened(stop, stop.result), Resize(0))

    def _write(self, stop, descriptor, address, *_):
        end = int(Path(f"/proc/{stop.pid}/fdinfo/{descriptor}").read_text().split()[1])
        self._pwrite64(stop, descriptor, address, None, end - stop.result)

    def _pwrite64(self, stop, descriptor, address, _, offset, *__):
        self.note(self.opened(stop, descriptor), Write(offset, stop.memory(address, stop.result)))

    def _writev(self, stop, descriptor, vector, parts, *_):
        end = int(Path(f"/proc/{stop.pid}/fdinfo/{descriptor}").read_text().split()[1])
        pieces = struct.iter_unpack("QQ", stop.memory(vector, 16 * parts))
        data = b"".join(stop.memory(address, size) for address, size in pieces)[: stop.result]
        self.note(self.opened(stop, descriptor), Write(end - stop.result, data))

    def _ftruncate(self, stop, descriptor, size, *_):
        self.note(self.opened(stop, descriptor), Resize(size))

    def _truncate(self, stop, name, size, *_):
        self.note(self.find(self.path(stop, AT_FDCWD, name)), Resize(size))

    def _fchmod(self, stop, descriptor, mode, *_):
        self.permit(self.opened(stop, descriptor), mode)

    def _fchmodat(self, stop, at, name, mode, *_):
        self.permit(self.find(self.path(stop, at, name)), mode)

    def permit(self, thing, mode):
        if isinstance(self.recording.things.get(thing), File):
            self.note(thing, Chmod(mode & 0o7777))

    def _fsync(self, stop, descriptor, *_):
        self.note(self.opened(stop, descriptor), Sync())

    def _sync(self, *_):
        for thing in self.recording.things:
            self.note(thing, Sync())

    _syncfs = _sync

    def _renameat2(self, stop, old_at, old_name, new_at, new_name, flags, *_):
        assert not flags & EXCHANGE, "Exchanging two names is not known to the recorder."
        old, new = self.path(stop, old_at, old_name), self.path(stop, new_at, new_name)
        folders = self.find(old.parent), self.find(new.parent)
        assert (folders[0] is None) == (folders[1] is None), "A file came from outside the folder that is watched."
        if folders[0] == folders[1]:
            self.note(folders[0], DirectoryUpdate({old.name: None, new.name: self.before}))
        else:
            self.note(folders[1], DirectoryUpdate({new.name: self.before}))
            self.note(folders[0], DirectoryUpdate({old.name: None}))

    def _linkat(self, stop, _, __, at, name, *___):
        path = self.path(stop, at, name)
        self.note(self.find(path.parent), DirectoryUpdate({path.name: self.before}))

    def _unlinkat(self, stop, at, name, *_):
        path = self.path(stop, at, name)
        self.note(self.find(path.parent), DirectoryUpdate({path.name: None}))

    def _mkdirat(self, stop, at, name, *_):
        self.make(self.path(stop, at, name), {})

    def _mmap(self, stop, _, __, use, flags, descriptor, *___):
        mapped = self.opened(stop, descriptor) if flags & 0xF == SHARED and use & WRITABLE else None
        assert mapped is None, "Files written through memory are not known to the recorder."
