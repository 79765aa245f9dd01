"""Everything can be undone by name, gestures are one step, what is refused changes nothing, files are safe."""

import pytest

from keypose import Actor, KeyposeError, Stage, load, save
from keypose.studio.edits.apply import apply_edit
from keypose.studio.protocol import commands
from keypose.studio.session.app_state import recent_files, state_folder
from keypose.studio.session.recovery import find_recoverable
from keypose.studio.session.session import MAX_STEPS, Session
from tests.studio.edit_calls import cancel, crash_session, move, redo, undo
from tests.studio.scenes import mixed_stage, text


@pytest.fixture
def state(tmp_path):
    return tmp_path / "state"


@pytest.fixture
def session(state):
    session = Session(mixed_stage(), state=state)
    yield session
    session.close()


def test_an_edit_is_undone_and_redone_by_its_name(session):
    before = session.stage
    change = session.apply(move())
    assert (change.revision, change.label, session.steps.undo) == (1, "move key 1 of red", "move key 1 of red")
    after = session.stage
    assert session.apply(undo()).label == "undo move key 1 of red"
    assert session.stage is before
    assert (session.steps.undo, session.steps.redo) == (None, "move key 1 of red")
    session.apply(redo())
    assert session.stage is after
    assert session.revision == 3


def test_undo_and_redo_without_a_step_are_refused(session):
    with pytest.raises(KeyposeError, match="nothing to undo"):
        session.apply(undo())
    with pytest.raises(KeyposeError, match="nothing to redo"):
        session.apply(redo())


def test_a_gesture_is_one_step_and_its_last_message_counts(session):
    before = text(session.stage)
    for x in range(1, 6):
        session.apply(move((x, 0, 0), gesture="a"))
    assert session.stage["red"].motion.spec[0].keys[1].position.tolist() == [6, 2, 0]
    session.apply(undo())
    assert text(session.stage) == before


def test_interleaved_gestures_are_independent_steps(session):
    session.apply(move((1, 0, 0), gesture="a"))
    session.apply(move((0, 1, 0), gesture="b"))
    session.apply(move((2, 0, 0), gesture="a"))
    session.apply(move((0, 2, 0), gesture="b"))
    assert session.stage["red"].motion.spec[0].keys[1].position.tolist() == [3, 4, 0]
    session.apply(undo())
    assert session.stage["red"].motion.spec[0].keys[1].position.tolist() == [3, 2, 0]
    session.apply(undo())
    with pytest.raises(KeyposeError):
        session.apply(undo())


def test_gesture_that_conflicts_with_another_edit_is_refused(session):
    session.apply(commands.SetKeys(id=1, actor="red", keys=(1,), changes={"name": "a"}, gesture="a"))
    session.apply(commands.SetKeys(id=1, actor="red", keys=(0,), changes={"name": "b"}))
    before = text(session.stage)
    with pytest.raises(KeyposeError, match="Meanwhile somebody did: name of key 0 of red"):
        session.apply(commands.SetKeys(id=1, actor="red", keys=(1,), changes={"name": "b"}, gesture="a"))
    assert text(session.stage) == before


def test_cancelled_gesture_leaves_no_step(session):
    session.apply(move())
    before = session.stage
    for distance in (1, 2, 3):
        session.apply(move((0, distance, 0), gesture="drag"))
    change = session.apply(cancel("drag"))
    assert (change.label, change.changed_actors >= {"red"}, change.is_full) == ("cancel move key 1 of red", True, False)
    assert session.stage is before
    assert (session.steps.undo, session.steps.redo) == ("move key 1 of red", None)


def test_cancelling_a_gesture_without_effect_changes_nothing(session):
    session.apply(move())
    session.apply(undo())
    change = session.apply(cancel("drag"))
    assert (change.revision, change.label, session.revision) == (2, None, 2)
    assert session.steps.redo == "move key 1 of red"


def test_cancelled_gesture_keeps_the_redo_steps(session):
    session.apply(move())
    session.apply(move((0, 1, 0), key=2))
    expected = text(session.stage)
    session.apply(undo())
    session.apply(undo())
    for distance in (1, 2, 3):
        session.apply(move((0, distance, 0), gesture="drag"))
    assert session.steps.redo is None
    session.apply(cancel("drag"))
    assert session.steps.redo == "move key 1 of red"
    session.apply(redo())
    session.apply(redo())
    assert text(session.stage) == expected


def test_cancelled_gesture_leaves_edits_of_other_clients(session):
    session.apply(move((5, 0, 0), gesture="drag"))
    session.apply(commands.SetSpeed(id=1, actor="red", values=(1, 4, 1)))
    session.apply(move((0, 1, 0), key=3))
    session.apply(undo())
    session.apply(cancel("drag"))
    assert text(session.stage) == text(
        apply_edit(mixed_stage(), commands.SetSpeed(id=1, actor="red", values=(1, 4, 1)))[0]
    )
    assert (session.steps.undo, session.steps.redo) == ("draw the speed of red", None)


def test_scene_is_saved_again_when_its_only_gesture_is_cancelled(session, state, tmp_path):
    session.save(tmp_path / "walk.json")
    session.apply(move(gesture="drag"))
    session.apply(cancel("drag"))
    assert session.is_saved
    crash_session(session)
    assert find_recoverable(state) == ()


def test_edits_before_a_cancelled_gesture_survive_a_crash(session, state):
    session.apply(move())
    session.apply(move((0, 1 / 3, 0), gesture="drag"))
    session.apply(cancel("drag"))
    expected = crash_session(session)
    (found,) = find_recoverable(state)
    assert text(Session.from_recovery(found).stage) == expected


def test_undone_gesture_starts_again(session):
    session.apply(move((1, 0, 0), gesture="a"))
    session.apply(undo())
    session.apply(move((2, 0, 0), gesture="a"))
    assert session.stage["red"].motion.spec[0].keys[1].position.tolist() == [3, 2, 0]


def test_a_refused_edit_changes_nothing(session):
    session.apply(move())
    session.apply(undo())
    before = session.stage, session.revision, session.steps
    with pytest.raises(KeyposeError):
        session.apply(move(actor="nobody"))
    assert (session.stage, session.revision, session.steps) == before


def test_edit_clears_the_redo_steps(session):
    session.apply(move())
    session.apply(undo())
    session.apply(move((0, 1, 0)))
    assert session.steps.redo is None


def test_change_lists_the_affected_actors(session):
    assert session.apply(move()).changed_actors == {"red", "hand", "shade"}
    assert session.apply(move(actor="table")).changed_actors == {"table", "cup", "hand"}
    change = session.apply(move(actor="sketch"))
    assert (change.changed_actors, change.is_full) == ({"sketch"}, False)
    assert session.apply(commands.RenameActor(id=1, actor="cup", name="mug")).is_full
    assert session.apply(undo()).is_full


def test_history_is_bounded(session):
    session = Session(mixed_stage())
    for _ in range(MAX_STEPS + 5):
        session.apply(move())
    for _ in range(MAX_STEPS):
        session.apply(undo())
    assert session.steps.undo is None


def test_old_scenes_in_history_drop_their_evaluation_cache():
    session = Session(mixed_stage())
    session.apply(commands.RemoveActor(id=1, actor="shade"))
    before = session.stage
    before.at(0.5)
    session.apply(move())
    assert "batches" not in before.__dict__
    session.apply(undo())
    assert session.stage.at(0.5)["red"].position.shape == (3,)


# ---- files -----------------------------------------------------------------------------------------------------------


def test_saved_state_follows_save_open_undo_and_redo(session, tmp_path, state):
    assert session.is_saved
    session.apply(move())
    assert not session.is_saved
    with pytest.raises(KeyposeError, match="no file yet"):
        session.save()
    file = tmp_path / "walk.json"
    session.save(file)
    assert (session.is_saved, session.file) == (True, file)
    assert text(load(file)) == text(session.stage)
    session.apply(undo())
    assert not session.is_saved
    session.apply(redo())
    assert session.is_saved
    other = Session.from_file(file, state=state)
    assert text(other.stage) == text(session.stage)
    assert recent_files(state) == (file,)


def test_opening_another_document_can_be_undone(session, tmp_path):
    session.apply(move())
    unsaved = session.stage
    save(Stage([Actor("solo", mixed_stage()["red"].motion)]), tmp_path / "solo.json")
    change = session.open(tmp_path / "solo.json")
    assert (change.label, change.is_full, session.file.name, session.is_saved) == (
        "open solo.json",
        True,
        "solo.json",
        True,
    )
    assert session.opened_at == change.revision
    session.apply(undo())
    assert (session.stage, session.file, session.is_saved) == (unsaved, None, False)
    assert session.opened_at == session.revision
    session.apply(redo())
    assert session.file.name == "solo.json"
    assert session.opened_at == session.revision
    session.apply(commands.SetMotion(id=1, actor="solo", changes={"start": 1}))
    assert session.opened_at == session.revision - 1
    session.apply(undo())
    session.new()
    assert (session.stage.names, session.file) == ((), None)
    session.open_example("ring", mixed_stage())
    assert session.steps.undo == "open the example ring"


def test_failed_save_or_open_changes_nothing(session, tmp_path):
    session.apply(move())
    before = session.stage, session.file, session.is_saved, session.steps
    (tmp_path / "bad.json").write_text("{")
    for attempt in (
        lambda: session.save(tmp_path / "no" / "where.json"),
        lambda: session.save(tmp_path / "take.csv"),
        lambda: session.open(tmp_path / "bad.json"),
        lambda: session.open(tmp_path / "none.json"),
    ):
        with pytest.raises(KeyposeError):
            attempt()
        assert (session.stage, session.file, session.is_saved, session.steps) == before


def test_recent_files_are_limited_and_exist(session, tmp_path, state):
    for number in range(14):
        session.save(tmp_path / f"{number}.json")
    (tmp_path / "13.json").unlink()
    assert [file.name for file in recent_files(state)] == [f"{number}.json" for number in range(12, 3, -1)]


def test_state_folder_is_the_given_one_or_the_system_default(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "xdg"))
    assert state_folder() == tmp_path / "xdg" / "keypose"
    monkeypatch.setenv("KEYPOSE_STATE", str(tmp_path / "own"))
    assert state_folder() == tmp_path / "own"
    assert state_folder(tmp_path) == tmp_path
