"""How does a save fare under other circumstances? In a forked child that may change its user, its limits, its disks."""

import ctypes
import os
import pickle
import warnings
from pathlib import Path

import pytest

UNPRIVILEGED_UID = 65534
NEW_MOUNTS, NEW_USERS = 0x20000, 0x10000000
READ_ONLY = 1
PRIVATE = 0x44000  # MS_REC | MS_PRIVATE: mounts of the child are its own


class UnsupportedError(Exception):
    """The circumstances cannot be had here."""


def run_in_child_or_skip(work):
    """What `work()` gives or raises, when run in a child; skips the test if the circumstances cannot be had."""
    try:
        return run_in_child(work)
    except UnsupportedError as reason:
        pytest.skip(str(reason))


def run_in_child(work):
    """What `work()` gives or raises, when run in a child."""
    reading, writing = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of forks with threads; the child does the work alone
        pid = os.fork()
    if pid == 0:
        try:
            try:
                outcome = work(), None
            except Exception as error:
                outcome = None, error
            os.write(writing, pickle.dumps(outcome))
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as stream:
        data = stream.read()
    os.waitpid(pid, 0)
    given, raised = pickle.loads(data)
    if raised is not None:
        raise raised
    return given


def drop_privileges():
    """From here on the child may do no more than anybody: to root nothing is forbidden."""
    if os.geteuid() == 0:
        try:
            os.setgroups([])
            os.setgid(UNPRIVILEGED_UID)
            os.setuid(UNPRIVILEGED_UID)
        except OSError as error:
            raise UnsupportedError(f"This system does not let root become nobody: {error}.") from None


def mount_small_disk(folder, options, flags=0):
    """From here on the child, and nobody else, sees an empty disk of its own in the folder."""
    libc = ctypes.CDLL(None, use_errno=True)
    user, group = os.geteuid(), os.getegid()
    if libc.unshare(NEW_MOUNTS | (NEW_USERS if user else 0)):
        raise UnsupportedError("This system does not let a process have mounts of its own.")
    if user:
        Path("/proc/self/setgroups").write_text("deny")
        Path("/proc/self/uid_map").write_text(f"0 {user} 1")
        Path("/proc/self/gid_map").write_text(f"0 {group} 1")
    libc.mount(None, b"/", None, PRIVATE, None)
    if libc.mount(b"small", os.fsencode(folder), b"tmpfs", flags, options.encode()):
        raise UnsupportedError(
            f"This system does not let a process mount a small disk: {os.strerror(ctypes.get_errno())}."
        )
