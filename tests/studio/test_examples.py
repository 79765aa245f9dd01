"""Examples on a real socket: each is opened and drawn, unsaved, and named without the way to it."""

import shutil

import pytest

from keypose import Stage
from keypose.document.schema.kinds import MOVERS
from keypose.studio.session import examples as examples_of_the_studio
from keypose.studio.session.examples import examples
from tests.studio.four_actors import STAGE
from tests.studio.scenes import text
from tests.studio.studio_client import serve_stage


@pytest.fixture
def studio(tmp_path):
    with serve_stage(STAGE, tmp_path) as running:
        yield running


def test_example_opens_without_a_file(studio):
    with studio.connect() as client:
        assert client.request("open_example", name="02_camera_ride")["is"] == "done"
        scene = client.receive_until(lambda update: update["is"] == "scene" and "car" in update["order"])
        assert scene["file"] is None


@pytest.mark.parametrize("name", [one.name for one in examples()])
def test_every_example_opens_and_is_drawn(name, tmp_path, monkeypatch):
    monkeypatch.delitem(MOVERS.known, "follower", raising=False)  # another test may have made it known
    with serve_stage(Stage([]), tmp_path) as studio, studio.connect() as client:
        assert client.request("open_example", name=name)["is"] == "done"
        client.receive_until(lambda update: update["is"] == "scene" and update["order"])
        order = client.scenes[-1]["order"]
        while not all(name in client.curves and len(client.curves[name]["line"]) for name in order):
            client.receive()
        assert [note for note in client.notes if note["is"] == "notice"] == []
        assert client.poses[-1]["poses"].shape == (len(order), 7)


def test_edited_example_with_custom_mover_is_recovered(tmp_path, monkeypatch):
    state = tmp_path / "state"
    with serve_stage(Stage([]), tmp_path, state=state) as studio, studio.connect() as client:
        client.request("open_example", name="03_damped_follower")
        assert client.request("move_keys", actor="master", keys=[0], by=[0, 1, 0])["is"] == "done"
        edited = text(studio.session.stage)
    monkeypatch.delitem(MOVERS.known, "follower")  # as in another process
    with serve_stage(Stage([]), tmp_path, state=state) as studio, studio.connect() as client:
        assert client.request("recover", take=True)["is"] == "done"
        assert text(studio.hub.session.stage) == edited


def test_example_error_names_it_without_its_folder(studio, tmp_path, monkeypatch):
    shutil.copytree(examples_of_the_studio.folder(), tmp_path / "examples")
    monkeypatch.setattr(examples_of_the_studio, "folder", lambda: tmp_path / "examples")
    (tmp_path / "examples" / "02_camera_ride.json").unlink()
    (tmp_path / "examples" / "01_a_ring_on_a_hand.json").write_text('{"keypose": 1, "actors": 5}')
    with studio.connect() as client:
        for name in ("02_camera_ride", "01_a_ring_on_a_hand"):
            reason = client.request("open_example", name=name)["reason"]
            assert reason.startswith("The example")
            assert name in reason
            assert str(tmp_path) not in reason


def test_example_text_is_its_first_sentence_including_abbreviations():
    texts = {one.name: one.text for one in examples()}
    assert texts["06_tennis_racket"].endswith("(GL95 §6.3, fig. 9).")
    assert texts["07_the_catch"].endswith("wide arc.")


def test_example_with_custom_mover_opens(studio):
    with studio.connect() as client:
        assert client.request("open_example", name="03_damped_follower")["is"] == "done"
