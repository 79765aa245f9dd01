"""A file is saved whole or not at all, through links as well, and a disk that refuses is told in a sentence."""

import os
import resource
import shutil
import signal
import stat
import sys
import time
import tracemalloc
from pathlib import Path
from threading import Thread

import pytest

from keypose import KeyposeError
from keypose.files.writing import write_safely
from tests.files.child_process import READ_ONLY, mount_small_disk, run_in_child, run_in_child_or_skip

OLD, NEW = b"old words", b"new words, and more of them"
LONG_AGO = time.time() - 25 * 3600


@pytest.fixture
def scene(tmp_path):
    file = tmp_path / "scene.json"
    file.write_bytes(OLD)
    return file


def names(folder):
    return sorted(entry.name for entry in folder.iterdir())


def assert_refused(file, match, content=NEW):
    with pytest.raises(KeyposeError, match=match):
        write_safely(file, content)


def save_message(file, content=NEW):
    """What is said when the file is saved."""
    try:
        write_safely(file, content)
    except KeyposeError as refusal:
        return str(refusal)
    return "saved"


# what is written


def test_new_file_has_the_given_content(tmp_path):
    write_safely(tmp_path / "scene.json", NEW)
    assert (tmp_path / "scene.json").read_bytes() == NEW
    assert names(tmp_path) == ["scene.json"]


def test_existing_file_is_replaced_completely(scene):
    write_safely(scene, b"short")
    assert scene.read_bytes() == b"short"
    assert names(scene.parent) == ["scene.json"]


def test_a_file_can_be_made_empty(scene):
    write_safely(scene, b"")
    assert scene.read_bytes() == b""
    write_safely(scene, [])
    assert scene.read_bytes() == b""


@pytest.mark.parametrize("sizes", [[1] * 100, [0, 5, 0], [1 << 20], [1, 1 << 20, 1], [(1 << 21) + 1, 3]])
def test_chunks_of_any_size_are_joined_in_order(sizes, scene):
    chunks = [bytes([index % 251]) * size for index, size in enumerate(sizes)]
    write_safely(scene, iter(chunks))
    assert scene.read_bytes() == b"".join(chunks)


def test_file_name_may_be_text_or_path_and_relative(scene, monkeypatch):
    monkeypatch.chdir(scene.parent)
    for name in ("scene.json", Path("scene.json"), "./scene.json", str(scene)):
        scene.write_bytes(OLD)
        write_safely(name, NEW)
        assert scene.read_bytes() == NEW


@pytest.mark.parametrize("name", ["ä→😀.json", "with space", "-rf", "*", ".hidden", "a" * 255, "😀" * 63])
def test_any_valid_file_name_can_be_saved(name, tmp_path):
    write_safely(tmp_path / name, NEW)
    write_safely(tmp_path / name, OLD)
    assert names(tmp_path) == [name]
    assert (tmp_path / name).read_bytes() == OLD


@pytest.mark.parametrize("content", [b"s" * (32 << 20), None], ids=["at once", "in chunks"])
def test_a_large_file_is_not_doubled_in_memory(content, tmp_path):
    tracemalloc.start()
    try:
        write_safely(tmp_path / "scene.json", content or (b"s" * (1 << 16) for _ in range(512)))
        assert tracemalloc.get_traced_memory()[1] < 3 << 20
    finally:
        tracemalloc.stop()
    assert (tmp_path / "scene.json").stat().st_size == 32 << 20


# links


@pytest.mark.parametrize("relative", [True, False])
def test_link_is_kept_and_its_target_replaced(relative, scene, tmp_path):
    (tmp_path / "links").mkdir()
    link = tmp_path / "links" / "link.json"
    link.symlink_to("../scene.json" if relative else scene)
    other = tmp_path / "links" / "other.json"
    other.symlink_to("link.json")
    write_safely(other, NEW)
    assert other.is_symlink()
    assert link.is_symlink()
    assert not scene.is_symlink()
    assert scene.read_bytes() == NEW
    assert names(tmp_path / "links") == ["link.json", "other.json"]
    assert names(tmp_path) == ["links", "scene.json"]


def test_file_in_a_linked_folder_is_written(scene, tmp_path):
    (tmp_path / "here").symlink_to(".")
    write_safely(tmp_path / "here" / "scene.json", NEW)
    assert scene.read_bytes() == NEW


def test_link_to_a_missing_file_creates_it(tmp_path):
    (tmp_path / "link.json").symlink_to("scene.json")
    write_safely(tmp_path / "link.json", NEW)
    assert (tmp_path / "link.json").is_symlink()
    assert (tmp_path / "scene.json").read_bytes() == NEW


def test_link_into_a_missing_folder_is_reported_with_the_folder(tmp_path):
    (tmp_path / "link.json").symlink_to("gone/scene.json")
    assert_refused(
        tmp_path / "link.json", r"link\.json' was not saved: the folder '.*/gone' does not exist\. Create it first"
    )
    assert names(tmp_path) == ["link.json"]


def test_circular_links_are_reported(tmp_path):
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    assert_refused(tmp_path / "a", r"/a' was not saved: it is a link that leads back to itself\. Remove the link")
    assert names(tmp_path) == ["a", "b"]


# refusals


def test_missing_folder_is_reported(tmp_path):
    assert_refused(
        tmp_path / "no" / "scene.json", r"scene\.json' was not saved: the folder '.*/no' does not exist\. Create it"
    )


def test_file_in_place_of_a_folder_is_reported(scene):
    assert_refused(
        scene / "more" / "x.json", r"x\.json' was not saved: '.*/scene\.json' is a file and no folder\. Choose"
    )
    assert scene.read_bytes() == OLD


def test_a_folder_is_not_replaced(tmp_path):
    assert_refused(tmp_path, r"that is a folder\. Add the name of a file")
    assert_refused(f"{tmp_path}/new/", r"new/' was not saved: that is the name of a folder\. Add the name of a file")
    assert_refused(".", r"'\.' was not saved: that is a folder")
    assert names(tmp_path) == []


def test_devices_and_pipes_are_neither_replaced_nor_written(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "nothing").symlink_to(os.devnull)
    for special in (tmp_path / "pipe", tmp_path / "nothing", os.devnull):
        assert_refused(special, r"was not saved: that is a device or a pipe\. Give the name of a file")
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)
    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)  # noqa: PTH116
    assert names(tmp_path) == ["nothing", "pipe"]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("", r"A file cannot be named ''\. Write"),
        ("a\0b", r"cannot be named 'a\\x00b'\. Leave out the zero"),
        ("\ud800", r"cannot be named '\\ud800'\. Use other letters"),
        (7, r"goes by its name, but 7 was given"),
        (None, r"goes by its name, but None was given"),
    ],
)
def test_invalid_file_name_is_refused(name, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert_refused(name, message)
    assert names(tmp_path) == []


def test_too_long_name_is_reported_briefly(tmp_path):
    for name in ("a" * 256, "😀" * 64, "x/" * 5000 + "y"):
        with pytest.raises(KeyposeError, match=r"its name is too long\. Give a shorter one") as refused:
            write_safely(tmp_path / name, NEW)
        assert len(str(refused.value)) < 300
    assert names(tmp_path) == []


@pytest.mark.skipif(sys.platform != "linux", reason="Small disks are made by Linux.")
@pytest.mark.parametrize("content", [b"n" * 100_000, [b"n" * 100] * 1000], ids=["at once", "in chunks"])
@pytest.mark.parametrize("options", ["size=64k", "size=1m,nr_inodes=2"], ids=["no room", "no more files"])
def test_full_disk_is_reported_and_the_old_file_is_intact(options, content, tmp_path):
    def save():
        mount_small_disk(tmp_path, options)
        (tmp_path / "scene.json").write_bytes(OLD)
        return save_message(tmp_path / "scene.json", content), (tmp_path / "scene.json").read_bytes(), names(tmp_path)

    message, content_on_disk, files_on_disk = run_in_child_or_skip(save)
    assert (
        message
        == f"'{tmp_path}/scene.json' was not saved: the disk is full. Free some space, or choose another folder."
    )
    assert (content_on_disk, files_on_disk) == (OLD, ["scene.json"])


@pytest.mark.skipif(sys.platform != "linux", reason="Small disks are made by Linux.")
def test_read_only_disk_is_reported(tmp_path):
    def save():
        mount_small_disk(tmp_path, "size=64k", READ_ONLY)
        return save_message(tmp_path / "scene.json")

    assert run_in_child_or_skip(save).endswith(
        "scene.json' was not saved: that disk can only be read. Choose another folder."
    )


@pytest.mark.parametrize("content", [b"n" * 100_000, [b"n" * 100] * 1000], ids=["at once", "in chunks"])
def test_file_size_limit_is_reported_and_the_old_file_is_intact(content, scene):
    def save():
        resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))
        return save_message(scene, content)

    assert "was not saved: it is larger than files may be here. Raise the limit" in run_in_child(save)
    assert scene.read_bytes() == OLD
    assert names(scene.parent) == ["scene.json"]


# interruptions


@pytest.mark.parametrize("size", [1, 1 << 21])
@pytest.mark.parametrize("error", [KeyError("actor"), FileNotFoundError(2, "No such texture"), SystemExit(3)])
def test_content_error_propagates_and_the_old_file_is_intact(error, size, scene):
    def content():
        yield b"n" * size
        raise error

    with pytest.raises(type(error)) as raised:
        write_safely(scene, content())
    assert raised.value is error
    assert scene.read_bytes() == OLD
    assert names(scene.parent) == ["scene.json"]


def test_content_error_is_not_hidden_by_a_disk_error(scene):
    def content():
        yield NEW
        raise KeyError("actor")

    def save():
        resource.setrlimit(resource.RLIMIT_FSIZE, (5, 5))
        write_safely(scene, content())

    with pytest.raises(KeyError):
        run_in_child(save)
    assert scene.read_bytes() == OLD
    assert names(scene.parent) == ["scene.json"]


def test_ctrl_c_during_content_leaves_the_old_file_intact(scene):
    def content():
        yield NEW
        signal.raise_signal(signal.SIGINT)
        yield NEW

    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever runs in the background ignores it
    try:
        with pytest.raises(KeyboardInterrupt):
            write_safely(scene, content())
    finally:
        signal.signal(signal.SIGINT, before)
    assert scene.read_bytes() == OLD
    assert names(scene.parent) == ["scene.json"]


@pytest.mark.parametrize("content", ["text", ["text"], [7], [None]])
def test_non_bytes_content_leaves_the_old_file_intact(content, scene):
    with pytest.raises(TypeError, match="bytes-like"):
        write_safely(scene, content)
    assert scene.read_bytes() == OLD
    assert names(scene.parent) == ["scene.json"]


def test_folder_deleted_during_a_save_is_reported(tmp_path):
    def content():
        yield NEW
        shutil.rmtree(tmp_path / "folder")

    (tmp_path / "folder").mkdir()
    assert_refused(tmp_path / "folder" / "scene.json", r"the folder '.*/folder' does not exist", content())


def test_one_of_several_concurrent_saves_wins_completely(scene):
    contents = [bytes([letter]) * 100_000 for letter in b"abc"]
    writers = [Thread(target=lambda each=each: [write_safely(scene, each) for _ in range(10)]) for each in contents]
    for writer in writers:
        writer.start()
    observed = set()
    while any(writer.is_alive() for writer in writers):
        observed.add(scene.read_bytes())
    for writer in writers:
        writer.join()
    assert observed <= {OLD, *contents}
    assert scene.read_bytes() in contents
    assert names(scene.parent) == ["scene.json"]


def test_nested_save_is_overwritten_by_the_outer_one(scene):
    def content():
        yield NEW
        write_safely(scene, b"inner")
        assert scene.read_bytes() == b"inner"

    write_safely(scene, content())
    assert scene.read_bytes() == NEW


# what killed saves left behind


def create_leftover(folder, name, when):
    (folder / name).write_bytes(b"half")
    os.utime(folder / name, (when, when))


def test_old_temporary_file_is_removed_by_the_next_save(scene):
    create_leftover(scene.parent, ".scene.json.0123456789abcdef.keypose-tmp", LONG_AGO)
    write_safely(scene, NEW)
    assert names(scene.parent) == ["scene.json"]


@pytest.mark.parametrize(
    ("name", "when"),
    [
        (".scene.json.0123456789abcdef.keypose-tmp", time.time()),  # may still be written
        (".other.json.0123456789abcdef.keypose-tmp", LONG_AGO),
        (".scene.json.notes.keypose-tmp", LONG_AGO),
        ("scene.json.0123456789abcdef.keypose-tmp", LONG_AGO),
        (".scene_json.0123456789abcdef.keypose-tmp", LONG_AGO),
    ],
    ids=["of now", "of another", "not by chance", "not hidden", "alike"],
)
def test_other_files_are_not_removed(name, when, scene):
    create_leftover(scene.parent, name, when)
    write_safely(scene, NEW)
    assert names(scene.parent) == sorted([name, "scene.json"])


def test_unremovable_leftover_is_ignored_silently(scene):
    folder = scene.parent / ".scene.json.0123456789abcdef.keypose-tmp"
    folder.mkdir()
    os.utime(folder, (LONG_AGO, LONG_AGO))
    write_safely(scene, NEW)
    assert folder.is_dir()
    assert scene.read_bytes() == NEW
