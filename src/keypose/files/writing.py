"""How is a file saved so that a crash, a full disk or Ctrl+C leaves the old one or the new one, and never a piece?

The new one is written beside the old one under another name, brought to the platter, and takes the old one's name in a
single step; then the folder is brought to the platter, so that a save that returned has happened.
"""

import errno
import io
import os
import re
import stat
import sys
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from keypose.errors import KeyposeError
from keypose.files.os_errors import File, file_label, parse_file_name, translate_os_errors

BLOCK = 1 << 20  # small chunks are gathered to this many bytes, larger ones are written as they are
NOT_SAVED = "was not saved"
SUFFIX = ".keypose-tmp"
STALE_SECONDS = 24 * 3600  # [s]; a day, since some disks keep local time and laptops sleep in the middle of a save
ACL = "system.posix_acl_access"


def write_safely(file: File, content: bytes | Iterable[bytes]) -> None:
    """Make `content` all that the file holds, on the platter when this returns; else raise and leave it as it was.

    A link stays and what it leads to is replaced. An existing file keeps its permissions, and its owner, group and
    attributes where the system allows; a new one gets what the umask says. What `content` raises comes through.
    """
    name = parse_file_name(file)
    old = _existing_file(name)
    target = Path(os.path.realpath(name))
    temporary = target.with_name(_temporary_prefix(target.name) + os.urandom(8).hex() + SUFFIX)
    try:
        _write_temporary(name, temporary, [content] if isinstance(content, bytes) else content, old)
        with translate_os_errors(name, NOT_SAVED):
            temporary.replace(target)
    except BaseException:  # Ctrl+C as well
        with suppress(OSError):
            temporary.unlink()
        raise
    with translate_os_errors(name, "was saved, but the disk did not confirm it"):
        _sync_folder(target.parent)
    _remove_stale(target)


def check_writable(file: File) -> None:
    """Refuse at once, before long work, a file that could not be written after it."""
    name = parse_file_name(file)
    _existing_file(name)
    folder = Path(os.path.realpath(name)).parent
    with translate_os_errors(name, NOT_SAVED):
        if not folder.is_dir():
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), name)
        if not os.access(folder, os.W_OK | os.X_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), name)


def _existing_file(name: str) -> os.stat_result | None:
    """What stands where the file shall be, or nothing; refused if it cannot be replaced by a file."""
    if name.endswith((os.sep, os.altsep or os.sep)):
        raise KeyposeError(f"{file_label(name)} {NOT_SAVED}: that is the name of a folder. Add the name of a file.")
    with translate_os_errors(name, NOT_SAVED):
        try:
            found = Path(name).stat()
        except FileNotFoundError:
            return None
    if stat.S_ISDIR(found.st_mode):
        raise KeyposeError(f"{file_label(name)} {NOT_SAVED}: that is a folder. Add the name of a file.")
    if not stat.S_ISREG(found.st_mode):  # root could replace /dev/null by a scene, and a pipe keeps nothing whole
        raise KeyposeError(f"{file_label(name)} {NOT_SAVED}: that is a device or a pipe. Give the name of a file.")
    if not os.access(name, os.W_OK):  # its folder would allow to replace it, but its owner said no
        raise KeyposeError(
            f"{file_label(name)} {NOT_SAVED}: it is write-protected. Allow writing, or give another name."
        )
    return found


def _temporary_prefix(name: str) -> str:
    """How the names of a file's temporary ones begin; short enough to be a name when the file's own is."""
    return f".{name[:50]}."


def _write_temporary(name: str, temporary: Path, chunks: Iterable[bytes], old: os.stat_result | None) -> None:
    """Write the temporary file to the platter, with the permissions of the old one."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    with translate_os_errors(name, NOT_SAVED):
        # A new file has its final permissions from the start: only the system can ask the umask without changing it.
        raw = io.FileIO(os.open(temporary, flags, 0o600 if old else 0o666), "wb")
    try:
        stream = io.BufferedWriter(raw, BLOCK)
        for chunk in chunks:
            try:
                stream.write(chunk)
            except OSError:
                with translate_os_errors(name, NOT_SAVED):
                    raise
        with translate_os_errors(name, NOT_SAVED):
            stream.flush()
            if old:
                _copy_permissions(raw.fileno(), name, old)
            _sync(raw.fileno())
            raw.close()
    finally:
        with suppress(OSError):
            raw.close()  # not the stream: after a failure, what waits in it is not worth writing


def _copy_permissions(descriptor: int, name: str, old: os.stat_result) -> None:
    """Give the new file what the old one had, as far as the system allows: some disks know no owners or permissions."""
    if sys.platform != "win32":
        mode = old.st_mode & 0o777
        try:
            os.fchown(descriptor, -1, old.st_gid)
        except OSError:  # the group is another one now, and may do no more than anybody
            mode = mode & 0o707 | (mode & 0o007) << 3
        with suppress(OSError):
            os.fchown(descriptor, old.st_uid, -1)
        with suppress(OSError):
            _copy_attributes(descriptor, name)
        with suppress(OSError):
            os.fchmod(descriptor, mode)


def _copy_attributes(descriptor: int, name: str) -> None:
    """Copy users' attributes and the access list; remove a list that only the folder handed down."""
    if sys.platform == "linux":
        wanted = [found for found in os.listxattr(name) if found.startswith("user.") or found == ACL]
        if ACL in os.listxattr(descriptor) and ACL not in wanted:
            os.removexattr(descriptor, ACL)
        for attribute in wanted:
            os.setxattr(descriptor, attribute, os.getxattr(name, attribute))


def _sync(descriptor: int) -> None:
    """Bring what was written to the platter."""
    if sys.platform == "darwin":  # there fsync stops at the disk's own cache
        import fcntl

        with suppress(OSError):
            fcntl.fcntl(descriptor, fcntl.F_FULLFSYNC)
            return
    os.fsync(descriptor)


def _sync_folder(folder: Path) -> None:
    """Bring the names in a folder to the platter, where folders can be opened for that."""
    if sys.platform != "win32":
        try:
            descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
        except OSError as error:  # a folder one may write in but not list; disks that cannot be asked
            if error.errno not in (errno.EACCES, errno.EINVAL, errno.ENOTSUP):
                raise


def _remove_stale(target: Path) -> None:
    """Remove what killed saves of this file left behind long ago.

    Should a save have slept that long and go on, its temporary file is missed: it says so, and no file is harmed.
    """
    pattern = re.compile(re.escape(_temporary_prefix(target.name)) + "[0-9a-f]{16}" + re.escape(SUFFIX))
    with suppress(OSError), os.scandir(target.parent) as entries:
        for entry in entries:
            if pattern.fullmatch(entry.name):
                with suppress(OSError):
                    if time.time() - entry.stat(follow_symlinks=False).st_mtime > STALE_SECONDS:
                        Path(entry.path).unlink()
