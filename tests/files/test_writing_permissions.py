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
from tests.files.apart import apart, as_nobody, somewhere

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


def sentence(file, content=NEW):
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

    apart(save)
    assert mode(tmp_path / "scene.json") == expected


def test_what_replaces_a_private_file_is_private_while_it_is_written(scene):
    seen = []

    def content():
        yield NEW
        seen.extend(mode(file) for file in scene.parent.iterdir() if file != scene)

    scene.chmod(0o644)
    write_safely(scene, content())
    assert seen == [0o600]


@pytest.mark.skipif(os.geteuid() != 0, reason="Only root can give files away.")
def test_owner_and_group_are_kept_where_the_system_allows(scene):
    os.chown(scene, 1234, 2345)
    scene.chmod(0o640)
    write_safely(scene, NEW)
    assert (scene.stat().st_uid, scene.stat().st_gid, mode(scene)) == (1234, 2345, 0o640)


@pytest.mark.skipif(os.geteuid() != 0, reason="Only root can give files away.")
def test_a_group_that_cannot_be_kept_hands_no_rights_to_another_group(shared):
    def save():
        as_nobody()
        write_safely(shared / "scene.json", NEW)

    (shared / "scene.json").write_bytes(OLD)
    (shared / "scene.json").chmod(0o666)
    os.chown(shared / "scene.json", 65534, 2345)
    (shared / "scene.json").chmod(0o660)
    somewhere(save)
    assert (shared / "scene.json").read_bytes() == NEW
    assert (shared / "scene.json").stat().st_gid != 2345
    assert mode(shared / "scene.json") == 0o600


def attributed(file, attribute, value):
    try:
        os.setxattr(file, attribute, value)
    except (AttributeError, OSError) as error:
        pytest.skip(f"Files have no such attributes here: {error}.")


def access_list(*entries):
    """An access list as Linux stores it: (tag, permissions, id) each."""
    return struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *entry) for entry in entries)


NOT_SAID = 0xFFFFFFFF
LISTED = access_list((1, 6, NOT_SAID), (2, 4, 1234), (4, 4, NOT_SAID), (16, 4, NOT_SAID), (32, 0, NOT_SAID))


def test_attributes_are_kept(scene):
    attributed(scene, "user.author", b"Kochanek")
    write_safely(scene, NEW)
    assert os.getxattr(scene, "user.author") == b"Kochanek"


def test_an_access_list_is_kept(scene):
    attributed(scene, ACL, LISTED)
    write_safely(scene, NEW)
    assert os.getxattr(scene, ACL) == LISTED
    assert mode(scene) == 0o640


def test_an_access_list_of_the_folder_does_not_open_a_file_that_had_none(scene):
    attributed(scene.parent, "system.posix_acl_default", LISTED)
    write_safely(scene, NEW)
    assert ACL not in os.listxattr(scene)
    write_safely(scene.with_name("new.json"), NEW)
    assert ACL in os.listxattr(scene.with_name("new.json"))


def test_a_folder_that_may_not_be_written_in_is_told(shared):
    def save():
        as_nobody()
        return sentence(shared / "scene.json"), sentence(shared / "new.json")

    (shared / "scene.json").write_bytes(OLD)
    (shared / "scene.json").chmod(0o666)
    shared.chmod(0o555)
    said = somewhere(save)
    shared.chmod(0o777)
    for one in said:
        assert f"was not saved: the permission is missing, for it or for its folder '{shared}'. Ask for it" in one
    assert (shared / "scene.json").read_bytes() == OLD
    assert [entry.name for entry in shared.iterdir()] == ["scene.json"]


def test_a_write_protected_file_is_not_replaced_though_its_folder_would_allow_it(shared):
    def save():
        as_nobody()
        return sentence(shared / "scene.json")

    (shared / "scene.json").write_bytes(OLD)
    (shared / "scene.json").chmod(0o444)
    assert "was not saved: it is write-protected. Allow writing, or give another name." in somewhere(save)
    assert (shared / "scene.json").read_bytes() == OLD


def test_a_folder_that_may_be_written_in_but_not_listed_is_good_enough(shared):
    def save():
        as_nobody()
        return sentence(shared / "scene.json")

    shared.chmod(0o333)
    assert somewhere(save) == "saved"
    shared.chmod(0o777)
    assert (shared / "scene.json").read_bytes() == NEW
