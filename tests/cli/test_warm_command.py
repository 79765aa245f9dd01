"""`keypose warm` compiles the kernels ahead; while others are compiled, the progress bar says so."""

import sys

from tests.cli.command_line import SLEEPER_CODE, process_environment, run_on_terminal, run_process, save_sleeper_scene

KERNEL_MODULE = """
from keypose.maths import kernel
@kernel
def double(x):
    return 2 * x
"""

COMPILE_TWICE = """
import sys, importlib
from keypose.maths import count_compilations, load_kernels
load_kernels()
sys.path.insert(0, sys.argv[1])
with count_compilations() as names:
    import one_kernel
    print(one_kernel.double(2.0), one_kernel.double(3.0), names)
"""


def test_compilations_are_counted_and_kernels_of_the_cache_are_not(tmp_path):
    (tmp_path / "one_kernel.py").write_text(KERNEL_MODULE)
    words = [run_process(tmp_path, command=[sys.executable, "-c", COMPILE_TWICE]).stdout.strip() for _ in range(2)]
    assert words == ["4.0 6.0 ['double']", "4.0 6.0 []"]


def test_progress_bar_says_that_kernels_are_compiled_once(tmp_path):
    (tmp_path / "one_kernel.py").write_text(KERNEL_MODULE)
    compiling = f"sys.path.insert(0, {str(tmp_path)!r}); import one_kernel; one_kernel.double(state)"
    code = SLEEPER_CODE.replace("time.sleep(self.nap)", f"{compiling}; time.sleep(self.nap)")
    command = [sys.executable, "-c", code + "from keypose.cli.__main__ import main\nmain()"]
    words = ["shoot", save_sleeper_scene(tmp_path, 0.02), "-o", tmp_path / "a.csv", "--seconds", "0.5"]
    for is_first in (True, False):
        exit_code, _, shown = run_on_terminal(*words, command=command)
        assert exit_code == 0, shown
        assert ("compiling kernels once" in shown) == is_first


def test_warm_without_kernels_says_what_is_missing():
    process = run_process("warm", env=process_environment(KEYPOSE_KERNELS="off"))
    assert process.returncode == 2
    assert "There are no kernels to compile: KEYPOSE_KERNELS is off, or numba is not installed" in process.stderr
