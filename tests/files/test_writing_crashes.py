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
from tests.files.apart import apart
from tests.files.crash_states import problems, states
from tests.files.recording import record
from tests.files.tracing import deaths, refusals, why_not

OLD, NEW = b"old " * 500, b"new words " * 300
CHUNKS = [NEW[:700], NEW[700:710], NEW[710:]]

traced = pytest.mark.skipif(why_not() is not None, reason=str(why_not()))


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "scenes").mkdir()
    return tmp_path / "scenes"


def emptied(folder, content):
    """The folder with a scene of this content, or without one, and nothing else."""
    for file in folder.iterdir():
        file.unlink()
    if content is not None:
        (folder / "scene.json").write_bytes(content)
        (folder / "scene.json").chmod(0o640)


def names(folder):
    return [entry.name for entry in folder.iterdir()]


def held(file):
    return file.read_bytes() if file.exists() else None


def written_at_once(file):
    write_safely(file, NEW)


def written_in_pieces(file):
    writing.BLOCK = 600
    write_safely(file, iter(CHUNKS))


@traced
@pytest.mark.parametrize(("save", "old"), [(written_in_pieces, OLD), (written_at_once, None)], ids=["replaced", "new"])
def test_killed_at_any_system_call_the_file_is_old_or_new(save, old, folder):
    file = folder / "scene.json"
    seen = set()
    for died in deaths(lambda: save(file), lambda: emptied(folder, old)):
        seen.add(held(file))
        assert held(file) in (old, NEW), f"killed {died}"
    assert seen == {old, NEW}
    assert held(file) == NEW
    assert names(folder) == ["scene.json"]


@traced
@pytest.mark.parametrize("old", [OLD, None], ids=["replaced", "new"])
@pytest.mark.parametrize("save", [written_at_once, written_in_pieces])
def test_without_power_at_any_moment_the_file_is_old_or_new_and_new_once_saved(save, old, folder):
    emptied(folder, old)
    recording = record(lambda: save(folder / "scene.json"), folder)
    assert problems(recording, "scene.json") == []
    assert recording.after["scene.json"].content == NEW
    assert len(list(states(recording, 2))) > 10  # there was something to survive


@traced
def test_without_power_a_file_behind_a_link_is_old_or_new(folder):
    emptied(folder, OLD)
    (folder.parent / "link.json").symlink_to("scenes/scene.json")
    recording = record(lambda: write_safely(folder.parent / "link.json", NEW), folder.parent)
    assert problems(recording, "scenes/scene.json") == []
    assert recording.after["scenes/scene.json"].content == NEW


@traced
@pytest.mark.skipif(platform.machine() != "x86_64", reason="Calls are refused by changing registers of x86_64.")
@pytest.mark.parametrize("error", [errno.EDQUOT, errno.EIO, errno.EACCES])
@pytest.mark.parametrize("old", [OLD, None], ids=["replaced", "new"])
def test_whichever_call_is_refused_the_file_is_old_and_that_is_told_or_it_is_new(old, error, folder):
    file = folder / "scene.json"
    outcome = folder.parent / "said"

    def attempt():
        try:
            write_safely(file, NEW)
        except KeyposeError as refusal:
            outcome.write_text(str(refusal))

    ends = set()
    for refused in refusals(attempt, lambda: (emptied(folder, old), outcome.write_text("")), error):
        said = outcome.read_text()
        expected = old if "was not saved" in said else NEW
        assert held(file) == expected, f"refused {refused.call}: {said}"
        assert set(names(folder)) <= {"scene.json"}, f"refused {refused.call}: {said}"
        ends.add("not saved" if "was not saved" in said else "not confirmed" if said else "saved")
    assert ends == ({"not saved", "saved"} | ({"not confirmed"} if error != errno.EACCES else set()))


@pytest.mark.parametrize("old", [OLD, None], ids=["replaced", "new"])
def test_ctrl_c_at_any_step_leaves_the_old_file_or_the_new_one_and_nothing_else(old, folder, monkeypatch):
    file = folder / "scene.json"
    monkeypatch.setattr(os, "fsync", lambda _: None)  # a thousand saves, and nothing here depends on the disk

    def interrupt_everywhere():
        warnings.simplefilter("ignore", ResourceWarning)  # some files are closed late, by the collector
        seen = set()
        for step in count():
            emptied(folder, old)
            if not interrupted(step, lambda: write_safely(file, iter(CHUNKS))):
                return seen
            seen.add(held(file))
            assert held(file) in (old, NEW), f"interrupted at step {step}"
            assert set(names(folder)) <= {"scene.json"}, f"interrupted at step {step}"
        return None

    assert apart(interrupt_everywhere) == {old, NEW}  # in a child: such interruptions can upset Python's own books
    assert held(file) == NEW


def interrupted(step, save):
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
