"""What does a save ask of the system, and what is left if it dies in the middle?

A traced child runs the save and is held before and after every system call, where it can be looked at, killed, or have
the call refused (x86_64 only). The child is a fork of the warm test process, so that a run costs milliseconds. A save
that starts threads or processes of its own is not followed into them.
"""

import ctypes
import gc
import os
import platform
import signal
import sys
import traceback
import warnings
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import cache
from itertools import count, islice

TRACE_ME, GET_REGISTERS, SET_REGISTERS, NEXT_CALL, SET_OPTIONS, CALL_INFO = 0, 12, 13, 24, 0x4200, 0x420E
MARK_CALLS, DIE_WITH_ME = 1, 0x100000
RESULT, CALL_NUMBER = 10, 15  # among the registers of x86_64

# name: number on (x86_64, aarch64)
NUMBERS = {
    "write": (1, 64), "open": (2, None), "close": (3, 57), "fstat": (5, 80), "lseek": (8, 62), "mmap": (9, 222),
    "pwrite64": (18, 68), "writev": (20, 66), "access": (21, None), "sendfile": (40, 71), "fsync": (74, 82),
    "fdatasync": (75, 83), "truncate": (76, 45), "ftruncate": (77, 46), "rename": (82, None), "mkdir": (83, None),
    "rmdir": (84, None), "creat": (85, None), "link": (86, None), "unlink": (87, None), "symlink": (88, None),
    "readlink": (89, None), "chmod": (90, None), "fchmod": (91, 52), "fchown": (93, 55), "sync": (162, 81),
    "fsetxattr": (190, 7), "getxattr": (191, 8), "listxattr": (194, 11), "flistxattr": (196, 13),
    "fremovexattr": (199, 16), "getdents64": (217, 61), "exit_group": (231, 94), "openat": (257, 56),
    "mkdirat": (258, 34), "newfstatat": (262, 79), "unlinkat": (263, 35), "renameat": (264, 38), "linkat": (265, 37),
    "symlinkat": (266, 36), "readlinkat": (267, 78), "fchmodat": (268, 53), "faccessat": (269, 48), "splice": (275, 76),
    "fallocate": (285, 47), "pwritev": (296, 70), "syncfs": (306, 267), "renameat2": (316, 276),
    "copy_file_range": (326, 285), "pwritev2": (328, 287), "io_uring_enter": (426, 426), "openat2": (437, 437),
    "fchmodat2": (452, 452),
}  # fmt: skip
MACHINES = {"x86_64": 0, "aarch64": 1}


class SaveFailedError(AssertionError):
    """A traced save that ended otherwise than by returning; its own words are on stderr."""


class Info(ctypes.Structure):
    """struct ptrace_syscall_info: the same on every machine. At an exit `number` holds the result."""

    _fields_ = [
        ("op", ctypes.c_uint8),
        ("machine", ctypes.c_uint32),
        ("pointers", ctypes.c_uint64 * 2),
        ("number", ctypes.c_int64),
        ("arguments", ctypes.c_uint64 * 6),
    ]


@dataclass(frozen=True)
class Stop:
    """A child held at a system call: before it (`result` is None) or after it."""

    pid: int
    call: str
    arguments: tuple[int, ...]
    result: int | None = None

    def __str__(self):
        return f"{'before' if self.result is None else 'after'} {self.call}"

    def memory(self, address, size):
        """Bytes of the child."""
        with open(f"/proc/{self.pid}/mem", "rb", buffering=0) as memory:  # noqa: PTH123 - unbuffered: exact places
            return os.pread(memory.fileno(), size, address)

    def text(self, address):
        """A name in the child's memory, which may end just before a page that is not there."""
        found = b""
        while b"\0" not in found:
            found += self.memory(address + len(found), 256 - (address + len(found)) % 256)
        return os.fsdecode(found.split(b"\0")[0])


def syscall_stops(save):
    """Run `save()` in a child, held at each stop in turn. Closing the generator kills it where it stands."""
    pid = _fork_traced(save)
    stop, passed_on, status = None, 0, None
    try:
        _ptrace_request(SET_OPTIONS, pid, data=MARK_CALLS | DIE_WITH_ME)
        while True:
            _ptrace_request(NEXT_CALL, pid, data=passed_on)
            _, status = os.waitpid(pid, 0)
            if not os.WIFSTOPPED(status):
                break
            passed_on = os.WSTOPSIG(status)
            if passed_on == signal.SIGTRAP | 0x80:
                passed_on = 0
                stop = _read_stop(pid, stop)
                if stop.call != "exit_group":
                    yield stop
    finally:
        if status is None or os.WIFSTOPPED(status):
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
    if status:
        raise SaveFailedError(f"The traced save ended with status {status}; its own words are on stderr.")


def kill_points(save, prepare):
    """Prepare and save again and again, killed one stop later each time, and say where; the last time it survives."""
    for index in count():
        prepare()
        with closing(syscall_stops(save)) as running:
            died = next(islice(running, index, None), None)
        if died is None:
            return
        yield died


def failed_calls(save, prepare, error):
    """Prepare and save again and again; each time the system refuses one call on files later, and it is said which."""
    for index in count():
        prepare()
        with closing(syscall_stops(save)) as running:
            calls = (stop for stop in running if stop.result is None and stop.call in NUMBERS and stop.call != "mmap")
            refused = next(islice(calls, index, None), None)
            if refused is None:
                return
            _set_register(refused.pid, CALL_NUMBER, -1)
            next(running)
            _set_register(refused.pid, RESULT, -error)
            for _ in running:
                pass
        yield refused


@cache
def unsupported_reason():
    """Why saves cannot be traced here, or nothing."""
    if sys.platform != "linux" or platform.machine() not in MACHINES:
        return "Saves are traced on Linux on x86_64 and aarch64 only."
    try:
        list(syscall_stops(os.getppid))
    except OSError as error:
        return f"This system does not let a process trace its child: {error}."
    return None


def _fork_traced(save):
    """The pid of a child that is held just before it saves."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of forks with threads; the child runs the save alone
        pid = os.fork()
    if pid == 0:
        status = 1
        try:
            gc.disable()
            _ptrace_request(TRACE_ME, 0)
            os.kill(os.getpid(), signal.SIGSTOP)
            save()
            status = 0
        except BaseException:
            with suppress(BaseException):
                traceback.print_exc()
                sys.stderr.flush()
        finally:
            os._exit(status)
    _, status = os.waitpid(pid, 0)
    if not os.WIFSTOPPED(status):
        raise OSError("the child could not ask to be traced")
    return pid


def _read_stop(pid, before):
    info = Info()
    _ptrace_request(CALL_INFO, pid, ctypes.sizeof(info), ctypes.addressof(info))
    if info.op == 1:
        return Stop(pid, _names().get(info.number, f"call {info.number}"), tuple(info.arguments))
    return Stop(pid, before.call, before.arguments, info.number)


def _set_register(pid, index, value):
    registers = (ctypes.c_int64 * 27)()
    _ptrace_request(GET_REGISTERS, pid, data=ctypes.addressof(registers))
    registers[index] = value
    _ptrace_request(SET_REGISTERS, pid, data=ctypes.addressof(registers))


@cache
def _names():
    machine = MACHINES[platform.machine()]
    return {numbers[machine]: name for name, numbers in NUMBERS.items() if numbers[machine] is not None}


@cache
def _ptrace():
    function = ctypes.CDLL(None, use_errno=True).ptrace
    function.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
    function.restype = ctypes.c_long
    return function


def _ptrace_request(request, pid, address=0, data=0):
    if _ptrace()(request, pid, address, data) < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
