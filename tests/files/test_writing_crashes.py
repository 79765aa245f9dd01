"""A save survives whatever happens in its middle: killed at any system call, powerless at any change of the disk,
refused by the system at any call, or stopped by Ctrl+C at any step.
"""

import errno
import os
import platform
import sys
import warnings
from itertools import count

import pytest

from keypose import KeyposeError
from keypose.files import os_errors, writing
from keypose.files.writing import write_safely
from tests.files.change_recorder import record_changes
from tests.files.child_process import run_in_child
from tests.files.crash_states import crash_problems, crash_states
from tests.files.syscall_tracer import failed_calls, kill_points, unsupported_reason

OLD, NEW = b"old " * 500, b"new words " * 300
CHUNKS = [NEW[:700], NEW[700:710], NEW[710:]]

traced = pytest.mark.skipif(unsupported_reason() is not None, reason=str(unsupported_reason()))


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "scenes").mkdir()
    return tmp_path / "scenes"


def reset_folder(folder, content):
    """The folder with a scene of this content, or without one, and nothing else."""
    for file in folder.iterdir():
        file.unlink()
    if content is not None:
        (folder / "scene.json").write_bytes(content)
        (folder / "scene.json").chmod(0o640)


def names(folder):
    return [entry.name for entry in folder.iterdir()]


def content_of(file):
    return file.read_bytes() if file.exists() else None


def save_at_once(file):
    write_safely(file, NEW)


def save_in_chunks(file):
    writing.BLOCK = 600
    write_safely(file, iter(CHUNKS))


@traced
@pytest.mark.parametrize(("save", "old"), [(save_in_chunks, OLD), (save_at_once, None)], ids=["replaced", "new"])
def test_file_is_old_or_new_after_a_kill_at_any_system_call(save, old, folder):
    file = folder / "scene.json"
    contents = set()
    for died in kill_points(lambda: save(file), lambda: reset_folder(folder, old)):
        contents.add(content_of(file))
        assert content_of(file) in (old, NEW), f"killed {died}"
    assert contents == {old, NEW}
    assert content_of(file) == NEW
    assert names(folder) == ["scene.json"]


@traced
@pytest.mark.parametrize("old", [OLD, None], ids=["replaced", "new"])
@pytest.mark.parametrize("save", [save_at_once, save_in_chunks])
def test_file_is_old_or_new_after_a_power_failure_and_new_once_saved(save, old, folder):
    reset_folder(folder, old)
    recording = record_changes(lambda: save(folder / "scene.json"), folder)
    assert crash_problems(recording, "scene.json") == []
    assert recording.after["scene.json"].content == NEW
    assert len(list(crash_states(recording, 2))) > 10  # there was something to survive


@traced
def test_file_behind_a_link_is_old_or_new_after_a_power_failure(folder):
    reset_folder(folder, OLD)
    (folder.parent / "link.json").symlink_to("scenes/scene.json")
    recording = record_changes(lambda: write_safely(folder.parent / "link.json", NEW), folder.parent)
    assert crash_problems(recording, "scenes/scene.json") == []
    assert recording.after["scenes/scene.json"].content == NEW


@traced
@pytest.mark.skipif(platform.machine() != "x86_64", reason="Calls are refused by changing registers of x86_64.")
@pytest.mark.parametrize("error", [errno.EDQUOT, errno.EIO, errno.EACCES])
@pytest.mark.parametrize("old", [OLD, None], ids=["replaced", "new"])
def test_file_is_old_with_an_error_or_new_when_any_call_fails(old, error, folder):
    file = folder / "scene.json"
    outcome = folder.parent / "said"

    def attempt():
        try:
            write_safely(file, NEW)
        except KeyposeError as refusal:
            outcome.write_text(str(refusal))

    ends = set()
    for refused in failed_calls(attempt, lambda: (reset_folder(folder, old), outcome.write_text("")), error):
        message = outcome.read_text()
        expected = old if "was not saved" in message else NEW
        assert content_of(file) == expected, f"refused {refused.call}: {message}"
        assert set(names(folder)) <= {"scene.json"}, f"refused {refused.call}: {message}"
        ends.add("not saved" if "was not saved" in message else "not confirmed" if message else "saved")
    assert ends == ({"not saved", "saved"} | ({"not confirmed"} if error != errno.EACCES else set()))


@pytest.mark.parametrize("old", [OLD, None], ids=["replaced", "new"])
def test_ctrl_c_at_any_step_leaves_only_the_old_or_the_new_file(old, folder, monkeypatch):
    file = folder / "scene.json"
    monkeypatch.setattr(os, "fsync", lambda _: None)  # a thousand saves, and nothing here depends on the disk

    def interrupt_everywhere():
        warnings.simplefilter("ignore", ResourceWarning)  # some files are closed late, by the collector
        contents = set()
        for step in count():
            reset_folder(folder, old)
            if not interrupted_at_step(step, lambda: write_safely(file, iter(CHUNKS))):
                return contents
            contents.add(content_of(file))
            assert content_of(file) in (old, NEW), f"interrupted at step {step}"
            assert set(names(folder)) <= {"scene.json"}, f"interrupted at step {step}"
        return None

    assert run_in_child(interrupt_everywhere) == {
        old,
        NEW,
    }  # in a child: such interruptions can upset Python's own books
    assert content_of(file) == NEW


def interrupted_at_step(step, save):
    """Whether the save was interrupted, at the given one of all Python's small steps inside the room."""
    left = step

    def trace(frame, event, _):
        nonlocal left
        if frame.f_code.co_filename not in (writing.__file__, os_errors.__file__):
            return None
        frame.f_trace_opcodes = True
        if event == "opcode":
            left -= 1
            if left < 0:
                raise KeyboardInterrupt
        return trace

    outside = sys.gettrace()
    sys.settrace(trace)
    try:
        save()
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(outside)
    return False
