"""Files by name on a real socket: saved, opened, exported, kept and taken up again, and no way told to them."""

import threading
from contextlib import suppress

import pytest

from keypose import Stage, load
from tests.studio.four_actors import STAGE, receive_all_curves
from tests.studio.studio_client import TIMEOUT, serve_stage


@pytest.fixture
def studio(tmp_path):
    with serve_stage(STAGE, tmp_path) as running:
        yield running


@pytest.fixture
def journaled_studio(tmp_path):
    """A studio with a journal."""
    with serve_stage(STAGE, tmp_path, state=tmp_path / "state") as running:
        yield running


def test_curve_update_precedes_journal_sync_and_the_reply_follows_it(journaled_studio, monkeypatch):
    may, is_answer = threading.Event(), []
    with journaled_studio.visit() as page:
        receive_all_curves(page)
        page.ask("move_keys", gesture="drag", actor="red", keys=[1], by=[0, 0, 0.1])  # begins the journal
        monkeypatch.setattr("keypose.studio.session.journal._sync", lambda descriptor: may.wait(TIMEOUT))
        number = page.say("move_keys", gesture="drag", actor="red", keys=[1], by=[0, 0, 0.5])
        page.receive_until(lambda heard: heard["is"] == "curve" and heard["actor"] == "red" and heard["revision"] == 2)
        with suppress(TimeoutError):
            while True:
                is_answer.append(page.hear(timeout=0.3)["is"] in ("done", "refused"))
        assert not any(is_answer)
        may.set()
        assert page.reply_to(number)["is"] == "done"


def test_edit_that_cannot_be_journaled_is_refused(journaled_studio, monkeypatch):
    def full(descriptor):
        raise OSError(28, "No space left on device")

    with journaled_studio.visit() as page:
        page.ask("move_keys", actor="red", keys=[1], by=[0, 0, 0.1])
        with monkeypatch.context() as patch:
            patch.setattr("keypose.studio.session.journal._sync", full)
            answer = page.ask("move_keys", actor="red", keys=[1], by=[0, 0, 0.1])
        assert answer["is"] == "refused"
        assert "would not survive a crash" in answer["why"]
        assert page.ask("move_keys", actor="red", keys=[1], by=[0, 0, 0.1])["is"] == "done"  # the journal begins anew


def test_a_scene_is_saved_opened_and_exported_by_name(studio):
    with studio.visit() as page:
        assert page.ask("save")["is"] == "refused"
        assert page.ask("save", file="walk.json")["is"] == "done"
        assert load(studio.folder / "walk.json") == STAGE
        assert page.receive_until(lambda heard: heard["is"] == "welcome")["files"] == ["walk.json"]
        assert page.ask("new")["is"] == "done"
        assert studio.session.stage == Stage([])
        assert page.ask("open", file="walk.json")["is"] == "done"
        answer = page.ask("export", file="take.csv", fps=12)
        assert answer["is"] == "done", answer
        assert "25 frames" in answer["text"]
        assert len(load(studio.folder / "take.csv")) == 25
        assert page.ask("export", file="take.csv", fps=6)["is"] == "done"
        assert len(load(studio.folder / "take.csv")) == 13


def test_stopped_export_leaves_no_file(studio):
    with studio.visit() as page:
        number = page.say("export", file="long.csv", seconds=20_000, fps=60)
        page.receive_until(lambda heard: heard["is"] == "progress" and not heard["is_over"])
        assert page.ask("export", file="other.csv")["why"].startswith("The studio is busy exporting long.csv")
        assert page.ask("move_keys", actor="red", keys=[0], by=[0, 0, 1])["is"] == "done"
        page.say("cancel_export")
        answer = page.reply_to(number)
        assert "stopped" in answer["why"]
    assert list(studio.folder.iterdir()) == []


def test_closing_the_studio_stops_an_export_and_leaves_no_file(tmp_path):
    with serve_stage(STAGE, tmp_path) as studio, studio.visit() as page:
        page.say("export", file="long.csv", seconds=20_000, fps=60)
        page.receive_until(lambda heard: heard["is"] == "progress" and not heard["is_over"])
        studio.close()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["scenes", "it's mine", "x" * 160])
def test_refusal_names_a_file_without_its_folder(tmp_path, name):
    folder = tmp_path / name
    folder.mkdir()
    (folder / "broken.json").write_text('{"keypose": 1, "actors": 5}')
    (folder / "dir.json").mkdir()
    (folder / "take.csv").mkdir()
    with serve_stage(STAGE, folder) as studio, studio.visit() as page:
        said = [
            page.ask("open", file="gone.json")["why"],
            page.ask("open", file="broken.json")["why"],
            page.ask("open", file="dir.json")["why"],
            page.ask("save", file="dir.json")["why"],
            page.ask("export", file="take.csv", fps=24)["why"],
        ]
        assert page.notes[0]["place"] == str(folder)
    for why, file in zip(said, ("gone.json", "broken.json", "dir.json", "dir.json", "take.csv"), strict=True):
        assert file in why
        assert str(tmp_path) not in why
        assert name[:10] not in why


def test_unsaved_edits_are_offered_once_and_recovered(tmp_path):
    folder, state = tmp_path / "desk", tmp_path / "state"
    folder.mkdir()
    with serve_stage(STAGE, folder, state=state) as studio, studio.visit() as page:
        page.ask("move_keys", actor="red", keys=[0], by=[0, 5, 0])
        edited = studio.session.stage
    with serve_stage(Stage([]), folder, state=state) as studio, studio.visit() as page:
        page.ask("ping")
        assert "1 edit" in page.notes[0]["recovery"]
        assert page.ask("recover", take=True)["is"] == "done"
        assert studio.workshop.session.stage == edited
        assert page.ask("recover", take=True)["is"] == "refused"
