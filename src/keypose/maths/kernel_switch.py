"""The switch between numpy references and numba kernels, and the threads that large work is split between.

Loading numba takes several times as long as loading numpy: small work runs on the references until one call is large
enough to pay for it; from then on everything uses the kernels. With `KEYPOSE_KERNELS=off` or without numba everything
runs on the references. A kernel that has no reference then runs as the Python function that it is.
"""

import os
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, wraps
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeVar, cast

import numpy as np

from keypose.errors import KeyposeError

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

F = TypeVar("F", bound=Callable[..., Any])

WORTH_LOADING = 500_000  # samples × numbers per sample: numba with its cached kernels starts in about half a second
WORTH_A_THREAD = 60_000  # below this, handing work to a second thread costs more than it saves

NUMBA_MISSING = "numba cannot be imported: Keypose works, but more slowly. Install it with: pip install numba."

_ENABLED = os.environ.get("KEYPOSE_KERNELS", "on") != "off"
allowed = _ENABLED
loaded = False
_numba_found: bool | None = None
_import_lock = threading.Lock()
_compile_listeners: list[Callable[[str], object]] = []


def kernels_available() -> bool:
    """Whether kernels may be used: `KEYPOSE_KERNELS` allows them and numba can be imported.

    The first call imports numba. If that fails, it warns; later calls do not repeat the warning.
    """
    return allowed and _import_numba()


def kernel(function: F) -> F:
    """Compile `function` with numba on its first call; cached on disk, free of the interpreter lock.

    Modules that use this import numba when they are imported: import them inside functions, after `use_kernels`.
    No `parallel=`: threads come from `run_parallel`, which is safe to call from several threads at once.
    With `KEYPOSE_KERNELS=off` or without numba the function stays Python; dividing by zero gives inf or nan in both.
    """
    if not (_ENABLED and _import_numba()):
        return _interpreted(function)
    import numba

    global loaded
    loaded = True
    return cast(F, numba.njit(cache=True, nogil=True, error_model="numpy")(function))


def _interpreted(function: F) -> F:
    """The same function with numpy's floating-point errors ignored."""

    @wraps(function)
    def call(*args: object) -> Any:
        with np.errstate(all="ignore"):
            return function(*args)

    return cast(F, call)


def _import_numba() -> bool:
    """Import numba. If it is missing or does not fit the installed numpy, warn the first time and return False."""
    global _numba_found
    with _import_lock:
        if _numba_found is not None:
            return _numba_found
        try:
            import numba  # noqa: F401
        except ImportError:
            _numba_found = False
        else:
            _numba_found = True
            _listen_to_compiler()
    if not _numba_found and sys.platform != "emscripten":  # there is no numba for browsers
        warnings.warn(NUMBA_MISSING, stacklevel=2)
    return _numba_found


def _listen_to_compiler() -> None:
    """Tell `_compile_listeners` of every kernel that numba compiles; those it finds in its cache do not count."""
    from numba.core import event

    class CompileListener(event.Listener):
        def on_start(self, event: Any) -> None:
            name = event.data["dispatcher"].py_func.__name__
            for listener in _compile_listeners:
                listener(name)

        def on_end(self, event: Any) -> None:
            pass

    event.register("numba:compile", CompileListener())  # type: ignore[no-untyped-call]


@contextmanager
def on_compile(listener: Callable[[str], object]) -> Iterator[None]:
    """Inside the block, call `listener` with the name of each kernel that is about to be compiled."""
    _compile_listeners.append(listener)
    try:
        yield
    finally:
        _compile_listeners.remove(listener)


@contextmanager
def count_compilations() -> Iterator[list[str]]:
    """Yield a list that gets the name of each kernel that is compiled inside the block."""
    names: list[str] = []
    with on_compile(names.append):
        yield names


def compiled_entry(kernel: F, *example_args: object) -> F:
    """A kernel's machine code for arguments like these, past numba's choice among signatures.

    A single small call is a fifth faster that way. Nothing checks the types any more: always pass the same ones.
    """
    kernel(*example_args)
    return _machine_code(kernel)


def fast_call(kernel: F, store: Callable[[F], object]) -> F:
    """The same for a kernel that may not be called in vain: its first call gives the machine code to `store`.

    With many arrays numba's choice takes longer than what small work there is. Again, always pass arguments of the same
    types.
    """

    def call(*args: object) -> Any:
        result = kernel(*args)
        store(_machine_code(kernel))
        return result

    return cast(F, call)


def _machine_code(kernel: F) -> F:
    """The machine code of a kernel that has been called; if there are several of it, numba has to choose.

    A kernel that is not compiled is returned as it is.
    """
    code = [overload.entry_point for overload in getattr(kernel, "overloads", {}).values()]
    return cast(F, code[0]) if len(code) == 1 else kernel


def use_kernels(work: int) -> bool:
    """Whether `work` numbers should go through the kernels: they are loaded already, or this much pays for it."""
    return allowed and (loaded or (work >= WORTH_LOADING and _import_numba()))


def load_kernels() -> None:
    """Load the kernels now, if they are available: what will be played again must be computed the same way."""
    global loaded
    if allowed and not loaded:
        loaded = _import_numba()


def threads() -> int:
    """How many cores `run_parallel` may use; `KEYPOSE_THREADS` limits it."""
    setting = os.environ.get("KEYPOSE_THREADS", "").strip() or "0"
    if not setting.isdecimal():
        raise KeyposeError(f"KEYPOSE_THREADS is {setting!r}. Give a number of threads, or 0 for one on each core.")
    return int(setting) or _cores()


def _cores() -> int:
    """How many cores this process may use; where the system cannot say that, how many there are."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@cache
def thread_pool(workers: int) -> "ThreadPoolExecutor":
    """The threads that large work is split between."""
    from concurrent.futures import ThreadPoolExecutor  # slow to import, and small scenes never need it

    return ThreadPoolExecutor(workers, thread_name_prefix="keypose")


if hasattr(os, "register_at_fork"):  # threads do not survive a fork: a child needs a pool of its own
    os.register_at_fork(after_in_child=thread_pool.cache_clear)


def thread_count(count: int, work: int) -> int:
    """Into how many parts `run_parallel` splits 0 … count when it is `work` numbers: one where more are not
    worthwhile.
    """
    most = min(count, work // WORTH_A_THREAD)
    return min(threads(), most) if most >= 2 else 1


def run_parallel(task: Callable[[int, int], object], count: int, work: int) -> None:
    """Run `task(start, stop)` over 0 … count, split between the cores when `work` numbers make that worthwhile."""
    parts = thread_count(count, work)
    if parts < 2:
        task(0, count)
        return
    bounds = [count * part // parts for part in range(parts + 1)]
    pool = thread_pool(parts - 1)
    others = [(pool.submit(task, start, stop), start, stop) for start, stop in pairwise(bounds[1:])]
    try:
        task(bounds[0], bounds[1])
        for other, start, stop in reversed(others):
            if other.cancel():  # where the cores are busy, nobody waits for a thread that has not even begun
                task(start, stop)
    finally:  # whatever happened here, nobody may write into the caller's arrays any more
        failed = [error for other, *_ in others if not other.cancelled() and (error := other.exception())]
    if failed:
        raise failed[0]
