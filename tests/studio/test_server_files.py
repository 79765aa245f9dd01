"""Files by name on a real socket: saved, opened, exported, kept and taken up again, and no way told to them."""

import threading
from contextlib import suppress

import pytest

from keypose import Actor, Motion, MotionPath, Stage, load
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
    may, is_reply = threading.Event(), []
    with journaled_studio.connect() as client:
        receive_all_curves(client)
        client.request("move_keys", gesture="drag", actor="red", keys=[1], by=[0, 0, 0.1])  # begins the journal
        monkeypatch.setattr("keypose.studio.session.journal.sync_file", lambda descriptor: may.wait(TIMEOUT))
        number = client.send("move_keys", gesture="drag", actor="red", keys=[1], by=[0, 0, 0.5])
        client.receive_until(
            lambda update: update["is"] == "curve" and update["actor"] == "red" and update["revision"] == 2
        )
        with suppress(TimeoutError):
            while True:
                is_reply.append(client.receive(timeout=0.3)["is"] in ("done", "refused"))
        assert not any(is_reply)
        may.set()
        assert client.wait_for_reply(number)["is"] == "done"


def test_edit_that_cannot_be_journaled_is_refused(journaled_studio, monkeypatch):
    def full(descriptor):
        raise OSError(28, "No space left on device")

    with journaled_studio.connect() as client:
        client.request("move_keys", actor="red", keys=[1], by=[0, 0, 0.1])
        with monkeypatch.context() as patch:
            patch.setattr("keypose.studio.session.journal.sync_file", full)
            reply = client.request("move_keys", actor="red", keys=[1], by=[0, 0, 0.1])
        assert reply["is"] == "refused"
        assert "would not survive a crash" in reply["reason"]
        assert (
            client.request("move_keys", actor="red", keys=[1], by=[0, 0, 0.1])["is"] == "done"
        )  # the journal begins anew


def test_a_scene_is_saved_opened_and_exported_by_name(studio):
    with studio.connect() as client:
        assert client.request("save")["is"] == "refused"
        assert client.request("save", file="walk.json")["is"] == "done"
        assert load(studio.folder / "walk.json") == STAGE
        assert client.receive_until(lambda update: update["is"] == "welcome")["files"] == ["walk.json"]
        assert client.request("new")["is"] == "done"
        assert studio.session.stage == Stage([])
        assert client.request("open", file="walk.json")["is"] == "done"
        reply = client.request("export", file="take.csv", fps=12)
        assert reply["is"] == "done", reply
        assert "25 frames" in reply["text"]
        assert len(load(studio.folder / "take.csv").times) == 25
        assert client.request("export", file="take.csv", fps=6)["is"] == "done"
        assert len(load(studio.folder / "take.csv").times) == 13


def test_export_without_seconds_includes_the_last_key(tmp_path):
    stage = Stage([Actor("a", Motion(MotionPath([(0, 0, 0), (1, 0, 0)]), duration=1.01))])
    with serve_stage(stage, tmp_path) as studio, studio.connect() as client:
        assert "26 frames" in client.request("export", file="whole.csv", fps=24)["text"]
        assert load(tmp_path / "whole.csv")["a"].position[-1].tolist() == [1, 0, 0]
        assert "25 frames" in client.request("export", file="typed.csv", fps=24, seconds=1.01)["text"]


def test_stopped_export_leaves_no_file(studio):
    with studio.connect() as client:
        number = client.send("export", file="long.csv", seconds=20_000, fps=60)
        client.receive_until(lambda update: update["is"] == "progress" and not update["is_over"])
        assert client.request("export", file="other.csv")["reason"].startswith("The studio is busy exporting long.csv")
        assert client.request("move_keys", actor="red", keys=[0], by=[0, 0, 1])["is"] == "done"
        client.send("cancel_export")
        reply = client.wait_for_reply(number)
        assert "stopped" in reply["reason"]
    assert list(studio.folder.iterdir()) == []


def test_closing_the_studio_stops_an_export_and_leaves_no_file(tmp_path):
    with serve_stage(STAGE, tmp_path) as studio, studio.connect() as client:
        client.send("export", file="long.csv", seconds=20_000, fps=60)
        client.receive_until(lambda update: update["is"] == "progress" and not update["is_over"])
        studio.close()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["scenes", "it's mine", "x" * 160])
def test_refusal_names_a_file_without_its_folder(tmp_path, name):
    folder = tmp_path / name
    folder.mkdir()
    (folder / "broken.json").write_text('{"keypose": 1, "actors": 5}')
    (folder / "dir.json").mkdir()
    (folder / "take.csv").mkdir()
    with serve_stage(STAGE, folder) as studio, studio.connect() as client:
        reasons = [
            client.request("open", file="gone.json")["reason"],
            client.request("open", file="broken.json")["reason"],
            client.request("open", file="dir.json")["reason"],
            client.request("save", file="dir.json")["reason"],
            client.request("export", file="take.csv", fps=24)["reason"],
        ]
        assert client.notes[0]["folder_path"] == str(folder)
    for reason, file in zip(reasons, ("gone.json", "broken.json", "dir.json", "dir.json", "take.csv"), strict=True):
        assert file in reason
        assert str(tmp_path) not in reason
        assert name[:10] not in reason


def test_unsaved_edits_are_offered_once_and_recovered(tmp_path):
    folder, state = tmp_path / "desk", tmp_path / "state"
    folder.mkdir()
    with serve_stage(STAGE, folder, state=state) as studio, studio.connect() as client:
        client.request("move_keys", actor="red", keys=[0], by=[0, 5, 0])
        edited = studio.session.stage
    with serve_stage(Stage([]), folder, state=state) as studio, studio.connect() as client:
        client.request("ping")
        assert "1 edit" in client.notes[0]["recovery"]
        assert client.request("recover", take=True)["is"] == "done"
        assert studio.hub.session.stage == edited
        assert client.request("recover", take=True)["is"] == "refused"
