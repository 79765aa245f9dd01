"""The judge of saves finds every way to save wrongly that is planted here, and nothing wrong with the right one."""

import os
import shutil

import pytest

from tests.files.change_recorder import record_changes
from tests.files.crash_states import (
    Chmod,
    DirectoryUpdate,
    File,
    Recording,
    Resize,
    Sync,
    Write,
    crash_problems,
    crash_states,
    file_tree,
)
from tests.files.syscall_tracer import unsupported_reason

OLD, NEW = b"old " * 500, b"new words " * 300  # 4 and 6 sectors, the last ones not full

traced = pytest.mark.skipif(unsupported_reason() is not None, reason=str(unsupported_reason()))


def write(file, content, sync=True, mode=0o644):
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
    os.write(descriptor, content[:1000])
    os.write(descriptor, content[1000:])
    if sync:
        os.fsync(descriptor)
    os.close(descriptor)


def sync(place):
    descriptor = os.open(place, os.O_RDONLY)
    os.fsync(descriptor)
    os.close(descriptor)


def save_correctly(file):
    write(file.with_name("new"), NEW)
    file.with_name("new").rename(file)
    sync(file.parent)


def in_place(file):
    write(file, NEW)


def in_place_without_sync(file):
    write(file, NEW, sync=False)


def appended(file):
    with file.open("ab", buffering=0) as stream:
        stream.write(NEW)
        os.fsync(stream.fileno())


def without_file_sync(file):
    write(file.with_name("new"), NEW, sync=False)
    file.with_name("new").rename(file)
    sync(file.parent)


def without_folder_sync(file):
    write(file.with_name("new"), NEW)
    file.with_name("new").rename(file)


def synced_too_late(file):
    write(file.with_name("new"), NEW, sync=False)
    file.with_name("new").rename(file)
    sync(file)
    sync(file.parent)


def synced_before_the_last_write(file):
    write(file.with_name("new"), NEW[:2000])
    with file.with_name("new").open("ab", buffering=0) as stream:
        stream.write(NEW[2000:])
    file.with_name("new").rename(file)
    sync(file.parent)


def removed_first(file):
    write(file.with_name("new"), NEW)
    file.unlink()
    file.with_name("new").rename(file)
    sync(file.parent)


def linked_after_removing(file):
    write(file.with_name("new"), NEW)
    file.unlink()
    os.link(file.with_name("new"), file)
    sync(file.parent)


def from_another_folder(file):
    write(file.parent / "other" / "new", NEW)
    (file.parent / "other" / "new").rename(file)
    sync(file.parent / "other")


def copied_from_another_folder(file):
    write(file.parent / "other" / "new", NEW)
    write(file, (file.parent / "other" / "new").read_bytes())
    sync(file.parent)


def permitted_too_late(file):
    write(file.with_name("new"), NEW, mode=0o600)
    file.with_name("new").rename(file)
    file.chmod(0o644)
    sync(file.parent)


NEITHER, STILL_OLD = "neither old nor new", "after the save returned can leave the old file"

FAULTY_SAVES = {
    in_place: {NEITHER},
    in_place_without_sync: {NEITHER, STILL_OLD},
    appended: {NEITHER},
    without_file_sync: {NEITHER},
    without_folder_sync: {STILL_OLD},
    synced_too_late: {NEITHER},
    synced_before_the_last_write: {NEITHER},
    removed_first: {NEITHER},
    linked_after_removing: {NEITHER},
    from_another_folder: {STILL_OLD},
    copied_from_another_folder: {NEITHER},
    permitted_too_late: {NEITHER},
}


def problems_of_save(save, folder):
    file = folder / "scene.json"
    (folder / "other").mkdir()
    file.write_bytes(OLD)
    file.chmod(0o644)
    return crash_problems(record_changes(lambda: save(file), folder), file.name)


def problem_kinds(found):
    return {kind for kind in (NEITHER, STILL_OLD) for problem in found if kind in problem}


@traced
def test_correct_save_has_no_crash_problems(tmp_path):
    assert problems_of_save(save_correctly, tmp_path) == []


@traced
@pytest.mark.parametrize(("save", "expected"), FAULTY_SAVES.items(), ids=[save.__name__ for save in FAULTY_SAVES])
def test_faulty_save_is_detected(save, expected, tmp_path):
    assert problem_kinds(problems_of_save(save, tmp_path)) == expected


@traced
def test_unknown_system_call_is_refused(tmp_path):
    (tmp_path / "new").write_bytes(NEW)
    with pytest.raises(AssertionError, match="is not known to the recorder"):
        record_changes(lambda: shutil.copyfile(tmp_path / "new", tmp_path / "scene.json"), tmp_path)


@traced
def test_failing_save_is_reported(tmp_path, capfd):
    with pytest.raises(AssertionError, match="ended with status 256"):
        record_changes(lambda: 1 / 0, tmp_path)
    assert "ZeroDivisionError" in capfd.readouterr().err


@traced
def test_recording_contains_names_data_and_syncs(tmp_path):
    def save():
        (tmp_path / "new").mkdir()
        with (tmp_path / "new" / "scene").open("wb", buffering=0) as stream:
            stream.write(b"half")
            os.pwrite(stream.fileno(), b"H", 0)
            os.writev(stream.fileno(), [b" and", b" half"])
            os.ftruncate(stream.fileno(), 8)
            os.fchmod(stream.fileno(), 0o600)
            os.fdatasync(stream.fileno())

    found = record_changes(save, tmp_path)
    changes = [change for _, change in found.changes]
    assert [type(change) for change in changes] == [
        DirectoryUpdate,
        DirectoryUpdate,
        Write,
        Write,
        Write,
        Resize,
        Chmod,
        Sync,
    ]
    assert changes[2:7] == [Write(0, b"half"), Write(0, b"H"), Write(4, b" and half"), Resize(8), Chmod(0o600)]
    assert found.after == {"new/scene": File(b"Half and", 0o600)}


def recording_of(*changes, entries=None):
    """A folder 0 with changes to it and to the files 1 (old, called a) and 2 (empty, nameless)."""
    things = {0: entries or {"a": 1}, 1: File(b"o" * 1024), 2: File()}
    return Recording(0, things, list(changes), before=file_tree(things, 0))


def possible_contents(recording, name="a"):
    return {
        file and file.content for file in (state.get(name) for state in crash_states(recording, len(recording.changes)))
    }


def test_unsynced_sectors_are_kept_in_any_combination_and_torn():
    left = possible_contents(recording_of((1, Write(0, b"n" * 1024))))
    assert {b"o" * 1024, b"n" * 512 + b"o" * 512, b"o" * 512 + b"n" * 512, b"n" * 1024} <= left
    assert b"n" + b"o" * 1023 in left
    assert len(left) >= 8


def test_file_may_grow_before_its_data_is_written():
    left = possible_contents(recording_of((2, Write(0, b"new")), (0, Sync()), entries={"a": 2}))
    assert {b"", b"\0\0\0", b"n", b"new"} <= left


def test_synced_data_is_durable_but_its_name_is_not():
    left = possible_contents(recording_of((0, DirectoryUpdate({"b": 2})), (2, Write(0, b"new")), (2, Sync())), "b")
    assert left == {None, b"new"}


def test_name_may_be_durable_before_its_data():
    left = possible_contents(recording_of((2, Write(0, b"new")), (0, DirectoryUpdate({"a": 2}))))
    assert {b"o" * 1024, b"", b"new"} <= left


def test_directory_changes_are_kept_in_order():
    left = [
        set(state)
        for state in crash_states(recording_of((0, DirectoryUpdate({"b": 2})), (0, DirectoryUpdate({"a": None}))), 2)
    ]
    assert left == [{"a"}, {"a", "b"}, {"b"}]


def test_sampled_states_are_deterministic():
    recording = recording_of(
        (1, Write(0, bytes(range(256)) * 40)), (2, Write(0, b"n" * 9000)), (0, DirectoryUpdate({"b": 2}))
    )
    assert list(crash_states(recording, 3)) == list(crash_states(recording, 3))


def test_sectors_join_to_the_written_data():
    data = bytes(range(256)) * 6
    for offset in (0, 1, 511, 512, 700):
        parts = Write(offset, data).sectors()
        assert b"".join(part.data for part in parts) == data
        assert all(part.offset // 512 == (part.offset + len(part.data) - 1) // 512 for part in parts)
