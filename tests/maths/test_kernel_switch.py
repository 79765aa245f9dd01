"""When kernels are used, how work is spread over the cores, and what importing Keypose costs."""

import os
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

from keypose.errors import KeyposeError
from keypose.maths import kernel_switch

CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()


def run_python(code, **environment):
    """What a fresh interpreter prints."""
    process = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, **environment},
    )
    assert process.returncode == 0, process.stderr
    return process.stdout.split()


def parallel_ranges(count, work):
    """The shares `spread` hands out, and on which threads."""
    shares = []
    kernel_switch.run_parallel(lambda start, stop: shares.append((start, stop, threading.get_ident())), count, work)
    return sorted(shares)


# ---- one process each ------------------------------------------------------------------------------------------------


def test_importing_and_using_a_small_path_loads_neither_numba_nor_scipy():
    code = """
import sys, keypose
from keypose import Key, MotionPath
heavy = {"numba", "scipy", "sympy", "matplotlib", "mujoco", "vtk", "splines"}
print(sorted(heavy & set(sys.modules)))
path = MotionPath([Key((0, 0)), Key((1, 1), orientation=(0, 1, 0, 0)), Key((2, 0))])
path.at([0.5, 1.5]), path.along(1.0), path.orientation_at(1.5), path.insert(0.5)
print(sorted(heavy & set(sys.modules)))
"""
    assert run_python(code) == ["[]", "[]"]


def test_large_work_loads_the_kernels_unless_switched_off():
    code = """
import sys, numpy as np
from keypose import MotionPath
path = MotionPath([(0, 0), (1, 1), (2, 0), (3, 5)], closed=True)
u = np.linspace(-1, 5, 300_000)
found = [path.at(u).sum(), path.velocity(u).sum(), path.along(u[:300]).sum(), path.length, *path.at(1.25)]
print("numba" in sys.modules, *(float(value).hex() for value in found))
"""
    loaded, *fast = run_python(code, KEYPOSE_KERNELS="on")
    plain_loaded, *plain = run_python(code, KEYPOSE_KERNELS="off")
    assert (loaded, plain_loaded) == ("True", "False")
    assert [float.fromhex(x) for x in fast] == pytest.approx([float.fromhex(x) for x in plain], rel=1e-13)


WITHOUT_NUMBA = """
import sys, warnings
sys.modules["numba"] = None  # every import of it fails
"""


@pytest.mark.parametrize(("setting", "message"), [("on", f"1 {kernel_switch.NUMBA_MISSING}"), ("off", "0")])
def test_missing_numba_is_reported_once_unless_kernels_are_off(setting, message):
    code = """
from keypose.maths import load_kernels, use_kernels
from keypose.maths.kernel_switch import kernels_available
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    found = [use_kernels(0), use_kernels(10**9), kernels_available(), load_kernels(), kernels_available()]
print(any(found), len(caught), *[str(one.message) for one in caught])
"""
    words = run_python(WITHOUT_NUMBA + code, KEYPOSE_KERNELS=setting)
    assert " ".join(words) == f"False {message}"


def test_small_work_does_not_look_for_numba():
    code = """
import keypose
keypose.MotionPath([(0, 0), (1, 1), (2, 0)]).at(0.5)
from keypose.maths import kernel_switch
print(kernel_switch._numba_found)
"""
    assert run_python(WITHOUT_NUMBA + code) == ["None"]


@pytest.mark.parametrize("missing", [False, True], ids=["off", "missing"])
def test_kernel_without_numba_is_python_that_divides_by_zero_as_numba_does(missing):
    code = """
import numpy as np
from keypose.maths import compiled_entry, fast_call, kernel
@kernel
def divide(a, i):
    return a[i] / a[1]
stored = []
call = fast_call(divide, stored.append)
values = np.array([1.0, 0.0])
print(call(values, 0), divide(values, 1), stored == [divide], compiled_entry(divide, values, 0) is divide)
"""
    start = WITHOUT_NUMBA + "warnings.simplefilter('ignore')" if missing else ""
    words = run_python(start + code, KEYPOSE_KERNELS="on" if missing else "off")
    assert words == ["inf", "nan", "True", "True"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
def test_forked_child_uses_its_own_threads():
    code = """
import os, time
from keypose.maths import kernel_switch
done = []
kernel_switch.run_parallel(lambda start, stop: done.append((start, stop)), 10, 10**9)
time.sleep(0.05)  # until the other thread waits for more
child = os.fork()
if child == 0:
    done.clear()
    kernel_switch.run_parallel(lambda start, stop: done.append((start, stop)), 10, 10**9)
    os._exit(len(done))
print(os.waitpid(child, 0)[1] >> 8)
"""
    assert run_python(code, KEYPOSE_THREADS="2") == ["2"]


# ---- threads ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("allowed", ["1", "2", "3", "8"])
@pytest.mark.parametrize("count", [0, 1, 2, 7, 1000])
def test_run_parallel_covers_every_row_exactly_once(monkeypatch, allowed, count):
    monkeypatch.setenv("KEYPOSE_THREADS", allowed)
    shares = parallel_ranges(count, 10**9)
    assert [row for start, stop, _ in shares for row in range(start, stop)] == list(range(count))
    assert len(shares) == max(min(int(allowed), count), 1)


def test_small_work_stays_on_the_callers_thread(monkeypatch):
    monkeypatch.setenv("KEYPOSE_THREADS", "8")
    assert parallel_ranges(1000, kernel_switch.WORTH_A_THREAD) == [(0, 1000, threading.get_ident())]


def test_thread_count_is_limited_by_the_amount_of_work(monkeypatch):
    monkeypatch.setenv("KEYPOSE_THREADS", "8")
    assert len(parallel_ranges(1000, 3 * kernel_switch.WORTH_A_THREAD)) == 3


@pytest.mark.parametrize("broken", [0, 1, 2])
def test_run_parallel_raises_a_task_error_after_all_tasks_finish(monkeypatch, broken):
    monkeypatch.setenv("KEYPOSE_THREADS", "3")
    done = []

    def task(start, stop):
        if start == broken:
            raise ZeroDivisionError("somewhere")
        time.sleep(0.02)
        done.append(start)

    with pytest.raises(ZeroDivisionError, match="somewhere"):
        kernel_switch.run_parallel(task, 3, 10**9)
    assert sorted(done) == sorted({0, 1, 2} - {broken})


def test_range_not_started_by_a_thread_is_run_by_the_caller(monkeypatch):
    monkeypatch.setenv("KEYPOSE_THREADS", "2")
    free, started = threading.Event(), threading.Event()
    busy = kernel_switch.thread_pool(1).submit(lambda: (started.set(), free.wait(300)))
    assert started.wait(300)
    shares = parallel_ranges(10, 10**9)
    assert not busy.done()
    free.set()
    assert shares == [(0, 5, threading.get_ident()), (5, 10, threading.get_ident())]


def test_run_parallel_may_be_called_from_several_threads_at_once(monkeypatch):
    monkeypatch.setenv("KEYPOSE_THREADS", "3")
    sums = np.zeros((4, 999))

    def work(row):
        def task(start, stop):
            sums[row, start:stop] += 1

        for _ in range(20):
            kernel_switch.run_parallel(task, 999, 10**9)

    callers = [threading.Thread(target=work, args=(row,)) for row in range(4)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    assert (sums == 20).all()


@pytest.mark.parametrize(("setting", "expected"), [("3", 3), (" 2 ", 2), ("0", None), ("", None)])
def test_the_number_of_threads_can_be_limited(monkeypatch, setting, expected):
    monkeypatch.setenv("KEYPOSE_THREADS", setting)
    assert kernel_switch.threads() == (expected or CORES)


def test_default_thread_count_is_the_number_of_cores(monkeypatch):
    monkeypatch.delenv("KEYPOSE_THREADS", raising=False)
    assert kernel_switch.threads() == CORES
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    assert kernel_switch.threads() == os.cpu_count()


@pytest.mark.parametrize("setting", ["two", "-1", "1.5", "all"])
def test_invalid_thread_count_is_refused_with_reason(monkeypatch, setting):
    monkeypatch.setenv("KEYPOSE_THREADS", setting)
    with pytest.raises(KeyposeError, match=rf"KEYPOSE_THREADS is '{setting}'\. Give a number of threads"):
        kernel_switch.run_parallel(lambda start, stop: None, 10, 10**9)


# ---- when it pays ----------------------------------------------------------------------------------------------------


def test_kernels_are_used_once_loaded_or_for_large_work(monkeypatch):
    monkeypatch.setattr(kernel_switch, "allowed", True)
    monkeypatch.setattr(kernel_switch, "loaded", False)
    assert not kernel_switch.use_kernels(kernel_switch.WORTH_LOADING - 1)
    assert kernel_switch.use_kernels(kernel_switch.WORTH_LOADING)
    monkeypatch.setattr(kernel_switch, "loaded", True)
    assert kernel_switch.use_kernels(0)
    monkeypatch.setattr(kernel_switch, "allowed", False)
    assert not kernel_switch.use_kernels(10**12)
