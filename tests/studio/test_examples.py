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
    with studio.visit() as page:
        assert page.ask("open_example", name="02_camera_ride")["is"] == "done"
        scene = page.receive_until(lambda heard: heard["is"] == "scene" and "car" in heard["order"])
        assert scene["file"] is None


@pytest.mark.parametrize("name", [one.name for one in examples()])
def test_every_example_opens_and_is_drawn(name, tmp_path, monkeypatch):
    monkeypatch.delitem(MOVERS._known, "follower", raising=False)  # another test may have made it known
    with serve_stage(Stage([]), tmp_path) as studio, studio.visit() as page:
        assert page.ask("open_example", name=name)["is"] == "done"
        page.receive_until(lambda heard: heard["is"] == "scene" and heard["order"])
        order = page.scenes[-1]["order"]
        while not all(name in page.curves and len(page.curves[name]["line"]) for name in order):
            page.hear()
        assert [note for note in page.notes if note["is"] == "notice"] == []
        assert page.poses[-1]["poses"].shape == (len(order), 7)


def test_edited_example_with_custom_mover_is_recovered(tmp_path, monkeypatch):
    state = tmp_path / "state"
    with serve_stage(Stage([]), tmp_path, state=state) as studio, studio.visit() as page:
        page.ask("open_example", name="03_damped_follower")
        assert page.ask("move_keys", actor="master", keys=[0], by=[0, 1, 0])["is"] == "done"
        edited = text(studio.session.stage)
    monkeypatch.delitem(MOVERS._known, "follower")  # as in another process
    with serve_stage(Stage([]), tmp_path, state=state) as studio, studio.visit() as page:
        assert page.ask("recover", take=True)["is"] == "done"
        assert text(studio.workshop.session.stage) == edited


def test_example_error_names_it_without_its_folder(studio, tmp_path, monkeypatch):
    shutil.copytree(examples_of_the_studio.folder(), tmp_path / "examples")
    monkeypatch.setattr(examples_of_the_studio, "folder", lambda: tmp_path / "examples")
    (tmp_path / "examples" / "02_camera_ride.json").unlink()
    (tmp_path / "examples" / "01_a_ring_on_a_hand.json").write_text('{"keypose": 1, "actors": 5}')
    with studio.visit() as page:
        for name in ("02_camera_ride", "01_a_ring_on_a_hand"):
            why = page.ask("open_example", name=name)["why"]
            assert why.startswith("The example")
            assert name in why
            assert str(tmp_path) not in why


def test_example_text_is_its_first_sentence_including_abbreviations():
    told = {one.name: one.text for one in examples()}
    assert told["06_tennis_racket"].endswith("(GL95 §6.3, fig. 9).")
    assert told["07_the_catch"].endswith("wide arc.")


def test_example_with_custom_mover_opens(studio):
    with studio.visit() as page:
        assert page.ask("open_example", name="03_damped_follower")["is"] == "done"
