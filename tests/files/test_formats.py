"""Things are saved and loaded by the ending of their file, whole or not at all, and what cannot be is told."""

import os
import shutil
import tempfile
from pathlib import Path

import numpy as np
import pytest

from keypose import Actor, Key, KeyposeError, Motion, MotionPath, SceneError, Stage, Take, load, save, shoot
from keypose.files.formats import check_format
from tests.files.change_recorder import record_changes
from tests.files.child_process import drop_privileges, run_in_child_or_skip
from tests.files.crash_states import crash_problems, crash_states
from tests.files.syscall_tracer import kill_points, unsupported_reason

traced = pytest.mark.skipif(unsupported_reason() is not None, reason=str(unsupported_reason()))

PATH = MotionPath([Key((0, 0, 0)), Key((2, 1, 0), tension=-0.3, name="top"), Key((3, 0, 0))])
OLD = Stage([Actor("hand", Motion(PATH, duration=2.0))])
NEW = Stage([*OLD.actors, Actor("ring", Motion(MotionPath([(0, 0.1, 0), (0, 0.2, 0)]), duration=1.5), parent="hand")])
POSE_ARRAYS = ("position", "orientation")
TAKE = shoot(NEW, seconds=0.5)


def takes_equal(one, other):
    """Whether two takes hold the same, to the last bit."""
    if one.names != other.names or one.fps != other.fps or not np.array_equal(one.times, other.times):
        return False
    pairs = [(one[name], other[name]) for name in one.names]
    return all(np.array_equal(getattr(a, what), getattr(b, what)) for a, b in pairs for what in POSE_ARRAYS)


def refusal_text(*given, how=save):
    with pytest.raises(KeyposeError) as caught:
        how(*given)
    sentence = str(caught.value)
    assert sentence[-1] in ".?"
    return sentence


@pytest.mark.parametrize("name", ["walk.json", "WALK.JSON", "a.b c.Json", "ünter.json"])
@pytest.mark.parametrize("kind", [Path, str, os.fsencode])
def test_stage_round_trips(name, kind, tmp_path):
    file = kind(tmp_path / name) if kind is not str else str(tmp_path / name)
    assert save(NEW, file) == tmp_path / name
    assert load(file) == NEW
    assert [entry.name for entry in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize("name", ["walk.csv", "WALK.CSV", "walk.npz", "WALK.Npz"])
@pytest.mark.parametrize("kind", [Path, str])
def test_take_round_trips_bitwise(name, kind, tmp_path):
    assert save(TAKE, kind(tmp_path / name)) == tmp_path / name
    loaded = load(kind(tmp_path / name))
    assert isinstance(loaded, Take)
    assert takes_equal(loaded, TAKE)


def test_loaded_objects_are_saved_to_the_same_bytes(tmp_path):
    for thing, name in [(NEW, "a.json"), (TAKE, "a.csv"), (TAKE, "a.npz")]:
        first, second = save(thing, tmp_path / name), tmp_path / f"again-{name}"
        save(load(first), second)
        assert first.read_bytes() == second.read_bytes()


def test_file_name_without_folder_is_in_the_working_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert save(NEW, "walk.json") == Path("walk.json")
    assert load("walk.json") == NEW


@pytest.mark.parametrize(
    ("thing", "name", "sentence"),
    [
        (NEW, "walk.jsn", "'walk.jsn' has the ending '.jsn'. Did you mean '.json'?"),
        (TAKE, "walk.cvs", "'walk.cvs' has the ending '.cvs'. Did you mean '.csv'?"),
        (TAKE, "walk.npy", "'walk.npy' has the ending '.npy'. Did you mean '.npz'?"),
        (NEW, "walk.npy", "'walk.npy' has the ending '.npy'. There is '.json'."),
        (NEW, "walk", "'walk' has no ending. There is '.json'."),
        (TAKE, ".csv", "'.csv' has no ending. There is '.csv', '.npz'."),
        (NEW, "walk.npz", "A Stage cannot be saved as .npz. Use .json."),
        (NEW, "walk.CSV", "A Stage cannot be saved as .csv. Use .json."),
        (TAKE, "walk.json", "A Take cannot be saved as .json. Use .csv or .npz."),
        (PATH, "walk.json", "A MotionPath cannot be saved as .json. Save a Stage or a Take."),
        (PATH, "walk.npy", "'walk.npy' has the ending '.npy'. Did you mean '.npz'?"),
        (None, "walk.json", "A NoneType cannot be saved as .json. Save a Stage or a Take."),
        (Stage, "walk.json", "A type cannot be saved as .json. Save a Stage or a Take."),
    ],
)
def test_object_that_does_not_fit_the_extension_is_refused(thing, name, sentence, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert refusal_text(thing, name) == sentence
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("file", [None, 3, "", "a\0.json", b"a\0.json", "\ud800.json", ["a.json"], object])
def test_invalid_file_name_is_refused(file):
    assert refusal_text(NEW, file).startswith("A file ")
    assert refusal_text(file, how=load).startswith("A file ")


def test_message_about_a_very_long_name_is_short(tmp_path):
    for name in ("x" * 5000, "x." + "y" * 5000, "x" * 5000 + ".json"):
        assert len(refusal_text(NEW, tmp_path / name)) < 400
        assert len(refusal_text(tmp_path / name, how=load)) < 400


def test_missing_folder_is_reported(tmp_path):
    sentence = refusal_text(NEW, tmp_path / "none" / "walk.json")
    assert sentence == f"'{tmp_path}/none/walk.json' was not saved: the folder '{tmp_path}/none' does not exist. " + (
        "Create it first."
    )
    assert "There is no folder" in refusal_text(tmp_path / "none" / "walk.json", how=load)


def test_a_folder_is_neither_saved_over_nor_loaded(tmp_path):
    (tmp_path / "walk.json").mkdir()
    assert "that is a folder" in refusal_text(NEW, tmp_path / "walk.json")
    assert "that is the name of a folder" in refusal_text(NEW, f"{tmp_path}/new.json/")
    assert "that is a folder" in refusal_text(tmp_path / "walk.json", how=load)


def test_missing_file_suggests_a_similar_name(tmp_path):
    save(NEW, tmp_path / "walk.json")
    assert refusal_text(tmp_path / "wakl.json", how=load).endswith("there is no such file. Did you mean 'walk.json'?")


def test_unreadable_file_is_reported():
    def attempt():
        drop_privileges()
        return refusal_text(folder / "walk.json", how=load)

    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    try:
        save(NEW, folder / "walk.json").chmod(0o000)
        assert f"'{folder}/walk.json' was not read: the permission is missing" in run_in_child_or_skip(attempt)
    finally:
        shutil.rmtree(folder)


@pytest.mark.parametrize("name", ["bad.json", "bad.csv", "bad.npz"])
@pytest.mark.parametrize("content", [b"", b"\xff\xfe\0", b"[]", b"time,fps\n", b"PK\3\4"])
def test_invalid_content_is_reported_with_the_file_name(name, content, tmp_path):
    (tmp_path / name).write_bytes(content)
    assert refusal_text(tmp_path / name, how=load).startswith(f"'{tmp_path / name}' ")


def test_invalid_scene_error_keeps_its_problems(tmp_path):
    save(NEW, tmp_path / "walk.json")
    text = (tmp_path / "walk.json").read_text().replace('"hand"', '"hnd"', 1).replace("1.5", '"long"')
    (tmp_path / "walk.json").write_text(text)
    with pytest.raises(SceneError) as caught:
        load(tmp_path / "walk.json")
    assert caught.value.name == f"'{tmp_path / 'walk.json'}'"
    assert {problem.path for problem in caught.value.problems} == {"actors[1].duration", "actors[1].parent"}


def test_unsavable_object_leaves_the_old_file(tmp_path):
    class Mover:
        """Of no kind that a file knows."""

        def begin(self, *_): ...

        def step(self, *_): ...

        def pose(self, *_): ...

    save(NEW, tmp_path / "walk.json")
    stage = Stage([Actor("a", Mover())])
    assert "which a scene file does not know" in refusal_text(stage, tmp_path / "walk.json")
    assert load(tmp_path / "walk.json") == NEW
    assert [entry.name for entry in tmp_path.iterdir()] == ["walk.json"]


def test_extension_can_be_checked_before_saving():
    assert check_format("TAKE.CSV", Take) == ".csv"
    assert "A Take cannot be saved as .json" in refusal_text("take.json", Take, how=check_format)


def prepare_folder(folder, thing, name):
    for file in folder.iterdir():
        file.unlink()
    if thing is not None:
        save(thing, folder / name)


@traced
@pytest.mark.parametrize("old", [OLD, None], ids=["replaced", "new"])
def test_stage_file_is_loadable_after_a_kill_at_any_system_call(old, tmp_path):
    file = tmp_path / "walk.json"
    save(NEW, file)  # everything is imported and warm
    contents = []
    for died in kill_points(lambda: save(NEW, file), lambda: prepare_folder(tmp_path, old, "walk.json")):
        contents.append(load(file) if file.exists() else None)
        assert contents[-1] in (old, NEW), f"killed {died}"
    assert contents[0] == old
    assert contents[-1] == NEW
    assert load(file) == NEW


@traced
@pytest.mark.parametrize("name", ["walk.csv", "walk.npz"])
def test_take_file_is_loadable_after_a_kill_at_any_system_call(name, tmp_path):
    file, old = tmp_path / name, shoot(OLD, seconds=0.25)
    save(TAKE, file)
    for died in kill_points(lambda: save(TAKE, file), lambda: prepare_folder(tmp_path, old, name)):
        loaded = load(file)
        assert takes_equal(loaded, old) or takes_equal(loaded, TAKE), f"killed {died}"
    assert takes_equal(load(file), TAKE)


@traced
@pytest.mark.parametrize(("old", "new", "name"), [(OLD, NEW, "walk.json"), (None, NEW, "walk.json"),
                                                 (TAKE, TAKE, "walk.csv"), (TAKE, TAKE, "walk.npz")])  # fmt: skip
def test_saved_file_is_loadable_after_a_power_failure_at_any_time(old, new, name, tmp_path):
    folder = tmp_path / "before"
    folder.mkdir()
    prepare_folder(folder, old, name)
    recording = record_changes(lambda: save(new, folder / name), folder)
    assert crash_problems(recording, name) == []
    left = {
        state[name].content if name in state else None
        for done in range(len(recording.changes) + 1)
        for state in crash_states(recording, done)
    }
    (tmp_path / "after").mkdir()
    for content in left - {None}:
        (tmp_path / "after" / name).write_bytes(content)
        loaded = load(tmp_path / "after" / name)
        assert takes_equal(loaded, TAKE) if isinstance(new, Take) else loaded in (old, new)
    assert len(left) == (1 if old is new else 2)
