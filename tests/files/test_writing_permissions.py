"""A saved file may be used by those who might use it before, and what they may not do is not done."""

import os
import shutil
import stat
import struct
import tempfile
from pathlib import Path

import pytest

from keypose import KeyposeError
from keypose.files.writing import ACL, write_safely
from tests.files.child_process import drop_privileges, run_in_child, run_in_child_or_skip

OLD, NEW = b"old words", b"new words, and more of them"


@pytest.fixture
def scene(tmp_path):
    file = tmp_path / "scene.json"
    file.write_bytes(OLD)
    return file


@pytest.fixture
def shared():
    """A folder that anybody may enter and write in, unlike pytest's own."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o777)
    yield folder
    shutil.rmtree(folder)


def mode(file):
    return stat.S_IMODE(file.stat().st_mode)


def save_message(file, content=NEW):
    """What is said when the file is saved."""
    try:
        write_safely(file, content)
    except KeyposeError as refusal:
        return str(refusal)
    return "saved"


@pytest.mark.parametrize("permissions", [0o600, 0o640, 0o644, 0o666, 0o755])
def test_permissions_are_kept(permissions, scene):
    scene.chmod(permissions)
    write_safely(scene, NEW)
    assert mode(scene) == permissions


@pytest.mark.parametrize(("umask", "expected"), [(0o022, 0o644), (0o077, 0o600), (0o002, 0o664)])
def test_a_new_file_obeys_the_umask(umask, expected, tmp_path):
    def save():
        os.umask(umask)
        write_safely(tmp_path / "scene.json", NEW)

    run_in_child(save)
    assert mode(tmp_path / "scene.json") == expected


def test_temporary_file_is_private_while_it_is_written(scene):
    modes = []

    def content():
        yield NEW
        modes.extend(mode(file) for file in scene.parent.iterdir() if file != scene)

    scene.chmod(0o644)
    write_safely(scene, content())
    assert modes == [0o600]


@pytest.mark.skipif(os.geteuid() != 0, reason="Only root can give files away.")
def test_owner_and_group_are_kept_where_the_system_allows(scene):
    os.chown(scene, 1234, 2345)
    scene.chmod(0o640)
    write_safely(scene, NEW)
    assert (scene.stat().st_uid, scene.stat().st_gid, mode(scene)) == (1234, 2345, 0o640)


@pytest.mark.skipif(os.geteuid() != 0, reason="Only root can give files away.")
def test_lost_group_gives_no_permissions_to_another_group(shared):
    def save():
        drop_privileges()
        write_safely(shared / "scene.json", NEW)

    (shared / "scene.json").write_bytes(OLD)
    (shared / "scene.json").chmod(0o666)
    os.chown(shared / "scene.json", 65534, 2345)
    (shared / "scene.json").chmod(0o660)
    run_in_child_or_skip(save)
    assert (shared / "scene.json").read_bytes() == NEW
    assert (shared / "scene.json").stat().st_gid != 2345
    assert mode(shared / "scene.json") == 0o600


def set_attribute(file, attribute, value):
    try:
        os.setxattr(file, attribute, value)
    except (AttributeError, OSError) as error:
        pytest.skip(f"Files have no such attributes here: {error}.")


def access_list(*entries):
    """An access list as Linux stores it: (tag, permissions, id) each."""
    return struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *entry) for entry in entries)


NO_ID = 0xFFFFFFFF
ACCESS_LIST = access_list((1, 6, NO_ID), (2, 4, 1234), (4, 4, NO_ID), (16, 4, NO_ID), (32, 0, NO_ID))


def test_attributes_are_kept(scene):
    set_attribute(scene, "user.author", b"Kochanek")
    write_safely(scene, NEW)
    assert os.getxattr(scene, "user.author") == b"Kochanek"


def test_an_access_list_is_kept(scene):
    set_attribute(scene, ACL, ACCESS_LIST)
    write_safely(scene, NEW)
    assert os.getxattr(scene, ACL) == ACCESS_LIST
    assert mode(scene) == 0o640


def test_default_access_list_of_the_folder_is_not_added_to_an_existing_file(scene):
    set_attribute(scene.parent, "system.posix_acl_default", ACCESS_LIST)
    write_safely(scene, NEW)
    assert ACL not in os.listxattr(scene)
    write_safely(scene.with_name("new.json"), NEW)
    assert ACL in os.listxattr(scene.with_name("new.json"))


def test_unwritable_folder_is_reported(shared):
    def save():
        drop_privileges()
        return save_message(shared / "scene.json"), save_message(shared / "new.json")

    (shared / "scene.json").write_bytes(OLD)
    (shared / "scene.json").chmod(0o666)
    shared.chmod(0o555)
    messages = run_in_child_or_skip(save)
    shared.chmod(0o777)
    for one in messages:
        assert f"was not saved: the permission is missing, for it or for its folder '{shared}'. Ask for it" in one
    assert (shared / "scene.json").read_bytes() == OLD
    assert [entry.name for entry in shared.iterdir()] == ["scene.json"]


def test_write_protected_file_is_not_replaced_in_a_writable_folder(shared):
    def save():
        drop_privileges()
        return save_message(shared / "scene.json")

    (shared / "scene.json").write_bytes(OLD)
    (shared / "scene.json").chmod(0o444)
    assert "was not saved: it is write-protected. Allow writing, or give another name." in run_in_child_or_skip(save)
    assert (shared / "scene.json").read_bytes() == OLD


def test_writable_but_unlistable_folder_is_sufficient(shared):
    def save():
        drop_privileges()
        return save_message(shared / "scene.json")

    shared.chmod(0o333)
    assert run_in_child_or_skip(save) == "saved"
    shared.chmod(0o777)
    assert (shared / "scene.json").read_bytes() == NEW
