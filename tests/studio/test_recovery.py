"""What was not saved is offered after a crash, told in a sentence, and taken up to the same bytes."""

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from keypose import Actor, KeyposeError, Stage, load, save
from keypose.studio.protocol import commands
from keypose.studio.session import recovery
from keypose.studio.session.journal import MARK, lock_journal
from keypose.studio.session.recovery import discard, find_recoverable
from keypose.studio.session.scene_diff import diff_scenes
from keypose.studio.session.session import Session
from tests.studio import random_edits
from tests.studio.edit_calls import cancel, crash_session, move, redo, undo
from tests.studio.scenes import HiddenWatchMover, mixed_stage, text


@pytest.fixture
def state(tmp_path):
    return tmp_path / "state"


@pytest.fixture
def session(state):
    session = Session(mixed_stage(), state=state)
    yield session
    session.close()


def test_unsaved_edits_are_offered_and_recovered(session, state):
    base = text(session.stage)
    session.apply(move())
    session.apply(commands.SetSpeed(id=1, actor="red", values=(1, 4, 1)))
    expected = crash_session(session)
    (found,) = find_recoverable(state)
    assert str(found) == "2 edits of a scene that was never saved; the last was: draw the speed of red."
    recovered = Session.from_recovery(found, state=state)
    assert (text(recovered.stage), recovered.is_saved, recovered.steps.undo) == (expected, False, "recover 2 edits")
    assert find_recoverable(state) == ()
    recovered.apply(undo())
    assert text(recovered.stage) == base
    assert recovered.is_saved
    recovered.close()


def test_recovery_into_an_open_studio_replaces_its_document(session, state, tmp_path):
    session.save(tmp_path / "walk.json")
    session.apply(move())
    expected = crash_session(session)
    other = Session(state=state)
    change = other.recover(find_recoverable(state)[0])
    assert (change.label, change.is_full, text(other.stage)) == ("recover 1 edit", True, expected)
    assert (other.file, other.is_saved) == (tmp_path / "walk.json", False)
    crash_session(other)
    (found,) = find_recoverable(state)
    assert str(found) == "Work on 'walk.json' was not saved."
    recovered = Session.from_recovery(found, state=state)
    assert (text(recovered.stage), recovered.is_saved) == (expected, False)
    recovered.close()


def test_recovered_journal_is_removed_only_after_sync(session, state, monkeypatch):
    session.apply(move())
    crash_session(session)
    (found,) = find_recoverable(state)
    other = Session(mixed_stage(), state=state)
    other.defers_sync = True
    other.apply(move((0, 1, 0)))
    synced = []
    monkeypatch.setattr("keypose.studio.session.journal.sync_file", lambda _: synced.append(found.journal.exists()))
    other.recover(found)
    assert synced == [True]
    assert not found.journal.exists()
    other.close()


def test_recovery_interrupted_by_a_crash_is_offered_once(session, state, tmp_path):
    session.save(tmp_path / "walk.json")
    session.apply(move((0.1, 1 / 3, 0)))
    expected = crash_session(session)
    (found,) = find_recoverable(state)
    before = found.journal.read_bytes()
    other = Session(state=state)
    other.recover(found)
    found.journal.write_bytes(before)  # as if it had ended before it could be removed
    os.utime(found.journal, (0, 0))
    crash_session(other)
    (offered,) = find_recoverable(state)
    assert text(Session.from_recovery(offered).stage) == expected
    assert [file.name for file in offered.journal.parent.iterdir()] == [offered.journal.name]


def test_recovery_offer_is_a_complete_sentence(session, state, tmp_path):
    session.apply(commands.RenameActor(id=1, actor="red", name="Mr."))
    session.save(tmp_path / "walk.json")
    session.apply(move(actor="Mr."))
    crash_session(session)
    (found,) = find_recoverable(state)
    assert str(found) == "1 edit of 'walk.json' was not saved: move key 1 of Mr."
    several = replace(found, edits=602, last="move key 50 of a", damage="The journal is damaged.")
    assert str(several) == (
        "602 edits of 'walk.json' were not saved; the last was: move key 50 of a. The journal is damaged."
    )
    assert str(replace(several, file=None, edits=1, damage=None)) == (
        "1 edit of a scene that was never saved: move key 50 of a."
    )


def test_document_restored_by_undoing_an_open_survives_a_crash(session, state, tmp_path):
    save(mixed_stage(), tmp_path / "other.json")
    session.apply(move())
    session.open(tmp_path / "other.json")
    session.apply(undo())
    expected = crash_session(session)
    (found,) = find_recoverable(state)
    assert text(Session.from_recovery(found).stage) == expected


def test_unsaved_document_replaced_by_an_opened_one_survives_a_crash(session, state, tmp_path):
    save(mixed_stage(), tmp_path / "other.json")
    session.apply(move())
    expected = text(session.stage)
    session.open(tmp_path / "other.json")
    assert session.is_saved
    crash_session(session)
    (found,) = find_recoverable(state)
    assert str(found) == "1 edit of a scene that was never saved: move key 1 of red."
    assert text(Session.from_recovery(found).stage) == expected


def test_edited_example_replaced_by_another_survives_a_crash(session, state):
    session.open_example("ring", mixed_stage())
    session.apply(move())
    expected = text(session.stage)
    session.open_example("ball", Stage([]))
    crash_session(session)
    (found,) = find_recoverable(state)
    assert text(Session.from_recovery(found).stage) == expected


def test_current_one_of_two_unsaved_documents_is_offered(session, state, tmp_path):
    save(mixed_stage(), tmp_path / "other.json")
    session.apply(move())
    session.open(tmp_path / "other.json")
    session.apply(move((0, 0, 1)))
    expected = crash_session(session)
    (found,) = find_recoverable(state)
    assert (text(Session.from_recovery(found).stage), found.file) == (expected, tmp_path / "other.json")


def test_replaced_document_is_not_offered_after_a_clean_exit(session, state, tmp_path):
    save(mixed_stage(), tmp_path / "other.json")
    session.apply(move())
    session.open(tmp_path / "other.json")
    session.close()
    assert find_recoverable(state) == ()


def test_unedited_replaced_document_is_not_offered(session, state):
    session.open_example("ring", mixed_stage())
    session.new()
    session.apply(commands.AddActor(id=1, actor={"name": "a", **random_edits.NEW}))
    session.apply(undo())
    crash_session(session)
    assert find_recoverable(state) == ()


def test_edits_undone_after_opening_another_document_are_not_offered(session, state, tmp_path):
    save(mixed_stage(), tmp_path / "other.json")
    session.save(tmp_path / "walk.json")
    session.apply(move())
    session.open(tmp_path / "other.json")
    session.apply(undo())
    session.apply(undo())
    assert session.is_saved
    crash_session(session)
    assert find_recoverable(state) == ()


def test_edit_equal_to_the_saved_file_is_not_offered(session, state, tmp_path):
    session.save(tmp_path / "walk.json")
    session.apply(commands.SetKeys(id=1, actor="red", keys=(2,), changes={"tension": 0.5}))
    assert crash_session(session) == (tmp_path / "walk.json").read_bytes()
    assert find_recoverable(state) == ()


@pytest.mark.parametrize(
    ("done", "edits"),
    [
        ([move((x, 0, 0), gesture="drag") for x in range(9)], "1 edit"),
        ([move(), *[move((x, 0, 0), gesture="drag") for x in range(9)], move(key=2)], "3 edits"),
        ([move(), move(), move(), undo(), undo()], "1 edit"),
        ([move(), undo(), redo(), move(gesture="a"), move(), move((2, 0, 0), gesture="a")], "3 edits"),
        ([move(), move(gesture="drag"), cancel("drag")], "1 edit"),
    ],
)  # fmt: skip
def test_unsaved_edits_are_counted_per_gesture(done, edits, session, state, tmp_path):
    session.apply(move((9, 9, 9)))
    session.save(tmp_path / "walk.json")
    for message in done:
        session.apply(message)
    crash_session(session)
    assert find_recoverable(state)[0].summary == edits


def test_undo_after_save_counts_as_unsaved(session, state, tmp_path):
    for x in range(3):
        session.apply(move((x, 0, 0)))
    session.save(tmp_path / "walk.json")
    session.apply(undo())
    session.apply(undo())
    crash_session(session)
    assert (
        str(find_recoverable(state)[0])
        == "2 edits of 'walk.json' were not saved; the last was: undo move key 1 of red."
    )


def test_truncated_history_still_counts_unsaved_edits(session, state, tmp_path, monkeypatch):
    monkeypatch.setattr("keypose.studio.session.session.MAX_STEPS", 5)
    for x in range(5):
        session.apply(move((x, 0, 0)))
    session.save(tmp_path / "walk.json")
    for x in range(3):
        session.apply(move((x, 1, 0)))
    crash_session(session)
    assert find_recoverable(state)[0].summary == "3 edits"


def test_journal_of_an_earlier_version_counts_its_edits(session, state, monkeypatch):
    def old_change_record(before, after, label, edits, is_saved):
        return recovery.encode_record({"change": diff_scenes(before, after), "says": label, "saved": is_saved})

    monkeypatch.setattr("keypose.studio.session.session.change_record", old_change_record)
    session.apply(move())
    session.apply(move())
    expected = crash_session(session)
    (found,) = find_recoverable(state)
    assert (found.summary, text(Session.from_recovery(found).stage)) == ("2 edits", expected)


def test_recovered_edits_survive_the_next_crash(session, state):
    session.apply(move())
    crash_session(session)
    recovered = Session.from_recovery(find_recoverable(state)[0], state=state)
    recovered.apply(move((0, 1, 0)))
    expected = crash_session(recovered)
    (found,) = find_recoverable(state)
    assert text(Session.from_recovery(found).stage) == expected


def test_saved_edits_are_not_offered(session, state, tmp_path):
    session.apply(move())
    session.save(tmp_path / "walk.json")
    session.apply(move())
    session.apply(undo())
    crash_session(session)
    assert find_recoverable(state) == ()
    assert list((state / "journals").iterdir()) == []


def test_crash_between_save_and_journal_removal_offers_nothing(state, tmp_path):
    session = Session(mixed_stage(), file=tmp_path / "walk.json", state=state)
    session.apply(move())
    save(session.stage, tmp_path / "walk.json")
    crash_session(session)
    assert find_recoverable(state) == ()


def test_open_document_is_not_offered_to_other_studios(session, state):
    session.apply(move())
    assert find_recoverable(state) == ()


def test_journal_recovered_by_one_studio_is_refused_to_another(session, state):
    session.apply(move())
    crash_session(session)
    (found,) = find_recoverable(state)
    with lock_journal(found.journal), pytest.raises(KeyposeError, match="Another studio has it open"):
        Session.from_recovery(found, state=state)
    Session.from_recovery(found, state=state).close()
    with pytest.raises(KeyposeError, match="Another studio has taken it up"):
        Session.from_recovery(found, state=state)


def test_damaged_journal_recovers_edits_before_the_damage(session, state):
    session.apply(move())
    expected = text(session.stage)
    session.apply(move((0, 1, 0)))
    session.apply(move((0, 0, 1)))
    journal = session.journal.file
    crash_session(session)
    content = journal.read_bytes()
    second = content.index(MARK, content.index(MARK, 1) + 1)
    journal.write_bytes(content[: second + 40] + b"?" + content[second + 41 :])
    (found,) = find_recoverable(state)
    assert text(Session.from_recovery(found).stage) == expected
    assert "1 edit of" in str(found)
    assert "damaged after 2 records" in str(found)


def test_journal_without_first_record_is_set_aside(session, state):
    session.apply(move())
    journal = session.journal.file
    crash_session(session)
    journal.write_bytes(b"?" + journal.read_bytes()[1:])
    assert find_recoverable(state) == ()
    assert [file.suffix for file in journal.parent.iterdir()] == [".damaged"]


def test_declined_recovery_is_not_offered_again(session, state):
    session.apply(move())
    crash_session(session)
    discard(find_recoverable(state)[0])
    assert find_recoverable(state) == ()


def test_clean_exit_leaves_only_unsaved_edits(session, state):
    session.apply(move())
    session.apply(undo())
    session.close()
    assert find_recoverable(state) == ()
    next_session = Session(mixed_stage(), state=state)
    next_session.apply(move())
    next_session.close()
    assert len(find_recoverable(state)) == 1


def test_long_journal_is_rewritten_without_loss(session, state, monkeypatch):
    monkeypatch.setattr("keypose.studio.session.session.MIN_JOURNAL_LIMIT", 10_000)
    sizes = []
    for turn in range(300):
        session.apply(move((0.01 * turn, 0, 0), key=turn % 4))
        sizes.append(session.journal.size)
    assert max(sizes) < 60_000
    assert sizes != sorted(sizes)
    expected = crash_session(session)
    (found,) = find_recoverable(state)
    assert found.summary == "300 edits"
    recovered = Session.from_recovery(found)
    assert text(recovered.stage) == expected
    recovered.apply(undo())
    assert text(recovered.stage) == text(mixed_stage())


def test_unsavable_scene_is_edited_without_a_journal_and_reported(state):
    session = Session(Stage([*mixed_stage().actors, Actor("ghost", HiddenWatchMover())]), state=state)
    assert "ghost" in session.journal_problem()
    session.apply(move())
    assert not (state / "journals").exists()


def test_unwritable_journal_refuses_the_edit(session, state, monkeypatch):
    session.apply(move())
    before = session.stage, session.revision

    def full(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fdatasync", full)
    with pytest.raises(KeyposeError, match="cannot keep your edits: the disk is full"):
        session.apply(move())
    assert (session.stage, session.revision) == before
    monkeypatch.undo()
    session.apply(move((0, 0, 1)))
    expected = crash_session(session)
    assert text(Session.from_recovery(find_recoverable(state)[0]).stage) == expected


def test_structural_edits_are_recovered_to_the_same_bytes(session, state):
    stage = session.stage.with_actor(replace(session.stage["eye"], parent="cup"))
    session.apply(commands.SetScene(id=1, scene=json.loads(text(stage))))
    session.apply(commands.DefineEffect(id=1, name="snap", values={"tension": 0.5}))
    session.apply(commands.ApplyEffect(id=1, actor="red", keys=(0, 1), effect="snap"))
    session.apply(commands.DeleteKeys(id=1, actor="cup", keys=(1,)))
    session.apply(commands.RenameActor(id=1, actor="table", name="desk"))
    expected = crash_session(session)
    found = find_recoverable(state)[0]
    assert text(Session.from_recovery(found).stage) == expected


def test_recovery_from_another_folder_saves_to_the_original_file(tmp_path, state, monkeypatch):
    first_folder, second_folder = tmp_path / "here", tmp_path / "there"
    first_folder.mkdir()
    second_folder.mkdir()
    save(mixed_stage(), first_folder / "walk.json")
    monkeypatch.chdir(first_folder)
    session = Session.from_file(Path("walk.json"), state=state)
    session.apply(move())
    session.close()
    monkeypatch.chdir(second_folder)
    (found,) = find_recoverable(state)
    recovered = Session.from_recovery(found, state=state)
    recovered.save()
    assert load(first_folder / "walk.json") == recovered.stage
    assert not list(second_folder.iterdir())


def test_journal_of_version_1_is_recovered(state):
    journals = state / "journals"
    journals.mkdir(parents=True)
    (journals / "1-0123456789ab.journal").write_bytes((Path(__file__).parent / "samples" / "v1.journal").read_bytes())
    (found,) = find_recoverable(state)
    recovered = Session.from_recovery(found, state=state)
    keys = recovered.stage["red"].motion.path.keys
    assert [tuple(key.position) for key in keys] == [(0, 0, 0), (2.25, 1.5, 0), (3, 0, 0)]
    assert (keys[1].name, keys[2].tension) == ("low", 0.25)
    recovered.close()
