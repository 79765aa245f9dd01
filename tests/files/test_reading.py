"""A file is read whole or not at all, and a name that is not there is answered with a near one."""

import os

import pytest

from keypose import KeyposeError, UnknownNameError
from keypose.files.reading import read_whole
from tests.files.apart import as_nobody, somewhere


@pytest.fixture
def scene(tmp_path):
    file = tmp_path / "walk.json"
    file.write_bytes(b"a walk")
    return file


def refused(file, match, **said):
    with pytest.raises(KeyposeError, match=match) as refusal:
        read_whole(file, **said)
    return refusal.value


def test_a_file_is_read_whole(scene):
    assert read_whole(scene) == b"a walk"
    assert read_whole(str(scene), limit=6) == b"a walk"
    (scene.parent / "link").symlink_to(scene)
    assert read_whole(scene.parent / "link") == b"a walk"


def test_a_missing_file_is_answered_with_a_near_name(scene):
    said = r"wallk\.json' was not read: there is no such file\. Did you mean 'walk\.json'\?"
    assert isinstance(refused(scene.with_name("wallk.json"), said), UnknownNameError)


def test_of_a_name_that_is_like_no_other_the_files_of_its_ending_are_told(scene):
    scene.with_name("notes.txt").touch()
    refused(scene.with_name("zzz.json"), r"there is no such file\. There is 'walk\.json'\.$")
    refused(scene.with_name("zzz.glb"), r"there is no such file\.$")


def test_a_missing_folder_is_told(scene):
    refused(scene.parent / "no" / "walk.json", r"there is no such file\. There is no folder '.*/no' either\.")
    refused(scene / "walk.json", r"'.*/walk\.json' is a file and no folder")


def test_a_link_to_nothing_is_a_missing_file(tmp_path):
    (tmp_path / "link.json").symlink_to("gone.json")
    refused(tmp_path / "link.json", r"link\.json' was not read: there is no such file")


def test_folders_devices_and_pipes_are_not_read(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    refused(tmp_path, r"was not read: that is a folder\. Add the name of a file")
    for special in (tmp_path / "pipe", os.devnull, "/dev/zero"):
        refused(special, r"was not read: that is a device or a pipe")


def test_what_is_too_large_is_refused_before_it_is_read(scene):
    os.truncate(scene, (3 << 30) // 2)  # no disk is used, and no memory
    refused(scene, r"it is 1\.5 GB, and at most 1 GB are read\. Is it the right file\?")
    refused(scene, r"at most 10 bytes are read", limit=10)
    refused(scene, r"at most 2 kB are read", limit=2048)


def test_what_is_no_name_is_told():
    refused("", r"cannot be named ''")
    refused("a\0b", r"Leave out the zero character")
    refused(None, r"goes by its name, but None was given")


def test_a_file_that_may_not_be_read_is_told(scene):
    def read():
        os.chdir(scene.parent)
        as_nobody()
        try:
            read_whole("walk.json")
        except KeyposeError as refusal:
            return str(refusal)

    scene.parent.chmod(0o755)
    scene.chmod(0o000)
    assert somewhere(read).startswith("'walk.json' was not read: the permission is missing, for it or for its folder")
