"""A file is read whole or not at all, and a name that is not there is answered with a near one."""

import os

import pytest

from keypose import KeyposeError, UnknownNameError
from keypose.files.reading import read_whole
from tests.files.child_process import drop_privileges, run_in_child_or_skip


@pytest.fixture
def scene(tmp_path):
    file = tmp_path / "walk.json"
    file.write_bytes(b"a walk")
    return file


def assert_refused(file, match, **options):
    with pytest.raises(KeyposeError, match=match) as refusal:
        read_whole(file, **options)
    return refusal.value


def test_whole_file_is_read(scene):
    assert read_whole(scene) == b"a walk"
    assert read_whole(str(scene), limit=6) == b"a walk"
    (scene.parent / "link").symlink_to(scene)
    assert read_whole(scene.parent / "link") == b"a walk"


def test_missing_file_suggests_a_similar_name(scene):
    message = r"wallk\.json' was not read: there is no such file\. Did you mean 'walk\.json'\?"
    assert isinstance(assert_refused(scene.with_name("wallk.json"), message), UnknownNameError)


def test_files_of_the_same_extension_are_listed_if_no_name_is_similar(scene):
    scene.with_name("notes.txt").touch()
    assert_refused(scene.with_name("zzz.json"), r"there is no such file\. There is 'walk\.json'\.$")
    assert_refused(scene.with_name("zzz.glb"), r"there is no such file\.$")


def test_missing_folder_is_reported(scene):
    assert_refused(scene.parent / "no" / "walk.json", r"there is no such file\. There is no folder '.*/no' either\.")
    assert_refused(scene / "walk.json", r"'.*/walk\.json' is a file and no folder")


def test_dangling_link_is_a_missing_file(tmp_path):
    (tmp_path / "link.json").symlink_to("gone.json")
    assert_refused(tmp_path / "link.json", r"link\.json' was not read: there is no such file")


def test_folders_devices_and_pipes_are_not_read(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    assert_refused(tmp_path, r"was not read: that is a folder\. Add the name of a file")
    for special in (tmp_path / "pipe", os.devnull, "/dev/zero"):
        assert_refused(special, r"was not read: that is a device or a pipe")


def test_too_large_file_is_refused_unread(scene):
    os.truncate(scene, (3 << 30) // 2)  # no disk is used, and no memory
    assert_refused(scene, r"it is 1\.5 GB, and at most 1 GB are read\. Is it the right file\?")
    assert_refused(scene, r"at most 10 bytes are read", limit=10)
    assert_refused(scene, r"at most 2 kB are read", limit=2048)


def test_invalid_file_name_is_refused():
    assert_refused("", r"cannot be named ''")
    assert_refused("a\0b", r"Leave out the zero character")
    assert_refused(None, r"goes by its name, but None was given")


def test_unreadable_file_is_reported(scene):
    def read():
        os.chdir(scene.parent)
        drop_privileges()
        try:
            read_whole("walk.json")
        except KeyposeError as refusal:
            return str(refusal)

    scene.parent.chmod(0o755)
    scene.chmod(0o000)
    assert run_in_child_or_skip(read).startswith(
        "'walk.json' was not read: the permission is missing, for it or for its folder"
    )
