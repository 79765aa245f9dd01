"""Which scenes are there to open? Those of the folder, and no other program's files."""

from keypose import Actor, Motion, MotionPath, Stage, save
from keypose.studio.session.examples import CARDS_FILE, folder
from keypose.studio.session.folder import SNIFF_SIZE, Folder

STAGE = Stage([Actor("red", Motion(MotionPath([(0, 0, 0), (1, 1, 0)]), duration=1.0))])


def test_only_scene_files_are_listed(tmp_path):
    save(STAGE, tmp_path / "walk.json")
    (tmp_path / "broken.json").write_text('{"keypose": 1, "actors": [')  # to be told what is wrong with it
    (tmp_path / "last.json").write_text('{"actors": [' + " " * 3 * SNIFF_SIZE + '], "keypose": 1}')
    (tmp_path / "package.json").write_text('{"name": "something"}')
    (tmp_path / "empty.json").touch()
    (tmp_path / "folder.json").mkdir()
    (tmp_path / "nowhere.json").symlink_to(tmp_path / "gone")
    assert Folder(tmp_path).scenes() == ("broken.json", "last.json", "walk.json")


def test_examples_are_listed_without_their_cards():
    examples_folder = folder()
    assert examples_folder is not None
    listed = Folder(examples_folder).scenes()
    assert "07_the_catch.json" in listed
    assert CARDS_FILE not in listed
