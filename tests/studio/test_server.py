"""Pages on a real socket: everybody sees what anybody does, and nobody waits for a page that does not read."""

import json
import shutil
import socket
import threading
import time
from contextlib import suppress

import numpy as np
import pytest
from websockets.exceptions import ConnectionClosed

from keypose import Actor, Key, LookAt, Motion, MotionPath, Pose, SpeedProfile, Stage, load, save
from keypose.document.kinds import MOVERS
from keypose.studio import examples as examples_of_the_studio
from keypose.studio.examples import examples
from keypose.studio.visitor import Visitor
from tests.studio.scenes import text
from tests.studio.visiting import PATIENCE, opened

PATH = MotionPath([(0, 0, 0), (1, 1, 0), (2, 0, 0)])
STAGE = Stage(
    [
        Actor("red", Motion(PATH, SpeedProfile([1, 2, 1, 1]), duration=2.0)),
        Actor("ring", Motion(MotionPath([(0, 1, 0), (0, 2, 0)]), duration=2.0), parent="red"),
        Actor("blue", Motion(PATH, duration=1.0), facing=LookAt("red")),
        Actor("alone", Motion(PATH, duration=1.0)),
    ]
)
SINGLES = len({"welcome", "scene", "poses", "transport", "hits", "appointments", "an answer"})
"""What may wait for a page at once, beside a curve for each actor: one of each, however long it does not read."""


@pytest.fixture
def studio(tmp_path):
    with opened(STAGE, tmp_path) as running:
        yield running


def seen_all(page, names=STAGE.names):
    while not page.scenes or set(names) - set(page.curves):
        page.hear()


def test_a_page_is_welcomed_and_shown_everything(studio):
    with studio.visit() as page:
        seen_all(page)
        assert page.notes[0]["is"] == "welcome"
        assert page.notes[0]["folder"] == studio.folder.name
        assert len(page.notes[0]["examples"]) >= 6
        (scene,) = page.scenes
        assert scene["whole"]
        assert scene["order"] == list(STAGE.names)
        assert [actor["name"] for actor in scene["actors"]] == list(STAGE.names)
        assert page.poses[0]["poses"].shape == (4, 7)


def test_a_dragged_key_comes_back_as_a_new_curve_of_it_and_of_those_who_depend_on_it(studio):
    with studio.visit() as page:
        seen_all(page)
        page.scenes.clear()
        page.curves.clear()
        for way in (0.25, 0.5):
            answer = page.ask("move_keys", gesture="drag", actor="red", keys=[1], by=[0, 0, way])
            assert answer["is"] == "done"
        first = page.hear_until(lambda heard: heard["is"] == "curve" and heard["revision"] == 2)
        assert first["actor"] == "red"
        seen_all(page, ["red", "ring", "blue"])
        page.ask("ping")
        assert "alone" not in page.curves
        assert not page.scenes[-1]["whole"]
        assert np.allclose(page.curves["red"]["keys"][1], (1, 1, 0.5))
        assert studio.session.steps.undo == "move key 1 of red"
        page.ask("undo")
        assert studio.session.stage == STAGE


@pytest.fixture
def kept(tmp_path):
    """A studio with a journal."""
    with opened(STAGE, tmp_path, state=tmp_path / "state") as running:
        yield running


def test_a_curve_does_not_wait_for_the_platter_and_an_answer_does(kept, monkeypatch):
    may, is_answer = threading.Event(), []
    with kept.visit() as page:
        seen_all(page)
        page.ask("move_keys", gesture="drag", actor="red", keys=[1], by=[0, 0, 0.1])  # begins the journal
        monkeypatch.setattr("keypose.studio.journal._sync", lambda descriptor: may.wait(PATIENCE))
        number = page.say("move_keys", gesture="drag", actor="red", keys=[1], by=[0, 0, 0.5])
        page.hear_until(lambda heard: heard["is"] == "curve" and heard["actor"] == "red" and heard["revision"] == 2)
        with suppress(TimeoutError):
            while True:
                is_answer.append(page.hear(timeout=0.3)["is"] in ("done", "refused"))
        assert not any(is_answer)
        may.set()
        assert page.answer_to(number)["is"] == "done"


def test_an_edit_that_cannot_be_kept_is_told_so(kept, monkeypatch):
    def full(descriptor):
        raise OSError(28, "No space left on device")

    with kept.visit() as page:
        page.ask("move_keys", actor="red", keys=[1], by=[0, 0, 0.1])
        with monkeypatch.context() as patch:
            patch.setattr("keypose.studio.journal._sync", full)
            answer = page.ask("move_keys", actor="red", keys=[1], by=[0, 0, 0.1])
        assert answer["is"] == "refused"
        assert "would not survive a crash" in answer["why"]
        assert page.ask("move_keys", actor="red", keys=[1], by=[0, 0, 0.1])["is"] == "done"  # the journal begins anew


def test_two_pages_stay_in_step(studio):
    with studio.visit() as left, studio.visit() as right:
        seen_all(left)
        seen_all(right)
        left.ask("move_keys", actor="red", keys=[0], by=[0, 5, 0])
        moved = right.hear_until(lambda heard: heard["is"] == "curve" and heard["actor"] == "red" and heard["revision"])
        assert np.allclose(moved["keys"][0], (0, 5, 0))
        right.ask("undo")
        back = left.hear_until(lambda heard: heard["is"] == "curve" and heard["revision"] == 2)
        assert back["actor"] in STAGE.names
        assert studio.session.stage == STAGE


def test_what_is_said_while_others_speak_is_carried_out_in_order(studio):
    def drag(page, actor):
        for count in range(1, 41):
            page.ask("move_keys", gesture=f"drag {actor}", actor=actor, keys=[0], by=[0, 0, count / 10])

    with studio.visit() as left, studio.visit() as right:
        others = threading.Thread(target=drag, args=(right, "alone"))
        others.start()
        drag(left, "red")
        others.join()
    for actor in ("red", "alone"):
        assert studio.session.stage[actor].motion.path.keys[0].position[2] == pytest.approx(4.0)


def test_a_scene_is_saved_opened_and_exported_by_name(studio):
    with studio.visit() as page:
        assert page.ask("save")["is"] == "refused"
        assert page.ask("save", file="walk.json")["is"] == "done"
        assert load(studio.folder / "walk.json") == STAGE
        assert page.hear_until(lambda heard: heard["is"] == "welcome")["files"] == ["walk.json"]
        assert page.ask("new")["is"] == "done"
        assert studio.session.stage == Stage([])
        assert page.ask("open", file="walk.json")["is"] == "done"
        answer = page.ask("export", file="take.csv", fps=12)
        assert answer["is"] == "done", answer
        assert "25 frames" in answer["says"]
        assert len(load(studio.folder / "take.csv")) == 25
        assert page.ask("export", file="take.csv", fps=6)["is"] == "done"
        assert len(load(studio.folder / "take.csv")) == 13


def test_an_export_that_is_stopped_leaves_nothing(studio):
    with studio.visit() as page:
        number = page.say("export", file="long.csv", seconds=20_000, fps=60)
        page.hear_until(lambda heard: heard["is"] == "progress" and not heard["is_over"])
        assert page.ask("export", file="other.csv")["why"].startswith("The studio is busy exporting long.csv")
        assert page.ask("move_keys", actor="red", keys=[0], by=[0, 0, 1])["is"] == "done"
        page.say("cancel_export")
        answer = page.answer_to(number)
        assert "stopped" in answer["why"]
    assert list(studio.folder.iterdir()) == []


def test_closing_the_studio_stops_an_export_and_leaves_nothing(tmp_path):
    with opened(STAGE, tmp_path) as studio, studio.visit() as page:
        page.say("export", file="long.csv", seconds=20_000, fps=60)
        page.hear_until(lambda heard: heard["is"] == "progress" and not heard["is_over"])
        studio.close()
    assert list(tmp_path.iterdir()) == []


def test_an_example_is_opened_unsaved(studio):
    with studio.visit() as page:
        assert page.ask("open_example", name="02_camera_ride")["is"] == "done"
        scene = page.hear_until(lambda heard: heard["is"] == "scene" and "car" in heard["order"])
        assert scene["file"] is None


@pytest.mark.parametrize("name", [one.name for one in examples()])
def test_every_example_is_opened_and_drawn(name, tmp_path, monkeypatch):
    monkeypatch.delitem(MOVERS._known, "follower", raising=False)  # another test may have made it known
    with opened(Stage([]), tmp_path) as studio, studio.visit() as page:
        assert page.ask("open_example", name=name)["is"] == "done"
        page.hear_until(lambda heard: heard["is"] == "scene" and heard["order"])
        order = page.scenes[-1]["order"]
        while not all(name in page.curves and len(page.curves[name]["line"]) for name in order):
            page.hear()
        assert [note for note in page.notes if note["is"] == "notice"] == []
        assert page.poses[-1]["poses"].shape == (len(order), 7)


def test_what_was_made_from_an_example_with_a_mover_of_its_own_is_recovered(tmp_path, monkeypatch):
    state = tmp_path / "state"
    with opened(Stage([]), tmp_path, state=state) as studio, studio.visit() as page:
        page.ask("open_example", name="03_damped_follower")
        assert page.ask("move_keys", actor="master", keys=[0], by=[0, 1, 0])["is"] == "done"
        edited = text(studio.session.stage)
    monkeypatch.delitem(MOVERS._known, "follower")  # as in another process
    with opened(Stage([]), tmp_path, state=state) as studio, studio.visit() as page:
        assert page.ask("recover", take=True)["is"] == "done"
        assert text(studio.workshop.session.stage) == edited


def test_an_example_that_cannot_be_opened_is_named_without_the_way_to_it(studio, tmp_path, monkeypatch):
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


@pytest.mark.parametrize("name", ["scenes", "it's mine", "x" * 160])
def test_a_refusal_names_a_file_without_the_way_to_it(tmp_path, name):
    folder = tmp_path / name
    folder.mkdir()
    (folder / "broken.json").write_text('{"keypose": 1, "actors": 5}')
    (folder / "dir.json").mkdir()
    (folder / "take.csv").mkdir()
    with opened(STAGE, folder) as studio, studio.visit() as page:
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


class Climber:
    """Goes up at one metre per second."""

    def begin(self, sight):
        return 0.0

    def step(self, state, sight, dt):
        return state + dt

    def pose(self, state):
        return Pose(np.array([0.0, state, 0.0]), np.array([1.0, 0.0, 0.0, 0.0]))


def test_those_who_take_ticks_are_shot_beside_everything_and_shown_when_that_is_done(tmp_path):
    stage = Stage([Actor("climber", Climber()), Actor("red", Motion(PATH, duration=2.0))])
    with opened(stage, tmp_path) as studio, studio.visit() as page:
        drawn = page.hear_until(
            lambda heard: heard["is"] == "curve" and heard["actor"] == "climber" and len(heard["line"])
        )
        assert np.allclose(drawn["line"][-1], (0, 2, 0), atol=1e-5)
        assert np.allclose(drawn["line_speed"], 1, atol=1e-3)
        page.ask("seek", time=1.0)
        shown = page.hear_until(lambda heard: heard["is"] == "poses" and heard["time"] == 1.0)
        assert np.allclose(shown["poses"][0, :3], (0, 1, 0), atol=1e-5)


def test_what_was_not_saved_is_offered_once_and_taken_up(tmp_path):
    folder, state = tmp_path / "desk", tmp_path / "state"
    folder.mkdir()
    with opened(STAGE, folder, state=state) as studio, studio.visit() as page:
        page.ask("move_keys", actor="red", keys=[0], by=[0, 5, 0])
        edited = studio.session.stage
    with opened(Stage([]), folder, state=state) as studio, studio.visit() as page:
        page.ask("ping")
        assert "1 edit" in page.notes[0]["recovery"]
        assert page.ask("recover", take=True)["is"] == "done"
        assert studio.workshop.session.stage == edited
        assert page.ask("recover", take=True)["is"] == "refused"


# ---- time ------------------------------------------------------------------------------------------------------------


def test_playing_shows_later_and_later_moments_and_stops_at_the_end(studio):
    with studio.visit() as page:
        page.ask("play", time=0.0, speed=8.0)
        ended = page.hear_until(lambda heard: heard["is"] == "transport" and not heard["is_playing"])
        assert ended["time"] == 2.0
        page.hear_until(lambda heard: heard["is"] == "poses" and heard["time"] == 2.0)
        times = [shown["time"] for shown in page.poses]
        assert times == sorted(times)
        assert times[-1] == 2.0


def test_playing_backwards_shows_earlier_and_earlier_moments(studio):
    with studio.visit() as page:
        page.hear_until(lambda heard: heard["is"] == "poses")
        page.poses.clear()
        page.ask("play", time=2.0, speed=-8.0)
        ended = page.hear_until(lambda heard: heard["is"] == "transport" and not heard["is_playing"])
        assert ended["time"] == 0.0
        page.hear_until(lambda heard: heard["is"] == "poses" and heard["time"] == 0.0)
        times = [shown["time"] for shown in page.poses]
        assert times == sorted(times, reverse=True)


def crowd():
    """A thousand who move."""
    rng = np.random.default_rng(1)
    paths = [MotionPath(rng.normal(size=(4, 3))) for _ in range(1000)]
    return Stage([Actor(f"a{i}", Motion(path, duration=5.0)) for i, path in enumerate(paths)])


def test_a_thousand_moving_actors_are_shown_while_they_play_and_nothing_piles_up(tmp_path):
    stage = crowd()
    with opened(stage, tmp_path) as studio, studio.visit() as page:
        seen_all(page, stage.names)
        (visitor,) = studio.workshop.pages
        # So slowly that it does not come round to its beginning before enough was seen, however long that takes.
        page.ask("play", time=0.0, speed=0.01, repeat="cycle")
        page.poses.clear()
        while len(page.poses) < 60:
            page.hear()
            assert len(visitor.outbox) <= SINGLES
        times = [shown["time"] for shown in page.poses]
        assert times == sorted(times)
        assert page.poses[-1]["poses"].shape == (1000, 7)
        now = visitor.transport.time
        page.ask("pause")
        last = page.hear_until(lambda heard: heard["is"] == "poses")
        assert last["time"] >= times[-1]
        assert now >= times[-1]


# ---- pages that do not read ------------------------------------------------------------------------------------------


def small_window():
    """A socket that takes little before it is full."""
    made = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    return made


def test_a_slow_page_gets_the_newest_and_one_that_does_not_read_is_let_go_with_a_reason(tmp_path):
    stage = crowd()
    with opened(stage, tmp_path, patience=6.0) as studio:
        line = small_window()
        line.connect(("127.0.0.1", studio.port))
        # The client's library reads ahead: with a queue of one frame it stops when nobody takes what it has.
        with studio.visit(sock=line, max_queue=1, ping_interval=None) as page:
            page.ask("play", time=0.0, repeat="cycle")
            (visitor,) = studio.workshop.pages
            deadline = time.monotonic() + PATIENCE
            while studio.workshop.pages and time.monotonic() < deadline:
                assert len(visitor.outbox) <= len(stage.names) + SINGLES  # a curve each beside them
                time.sleep(0.05)
            assert not studio.workshop.pages
            assert visitor.outbox.replaced > 0
            with pytest.raises(ConnectionClosed) as ended:
                page.hear_until(lambda heard: False)
            assert ended.value.rcvd.code == 1008
            assert "has not read" in ended.value.rcvd.reason
        with studio.visit() as other:
            assert other.ask("ping")["is"] == "done"


def test_a_page_that_asks_and_never_listens_is_let_go(studio):
    visitor = Visitor(studio.workshop)
    for number in range(2000):
        visitor.hear(json.dumps({"do": "ping", "id": number}))
    assert "Reload" in visitor.lost
    assert len(visitor.outbox) <= 1001


def test_too_many_pages_are_told_so(studio, monkeypatch):
    monkeypatch.setattr("keypose.studio.server.MOST_PAGES", 1)
    with studio.visit() as first:
        first.ask("ping")
        with studio.visit() as second:
            with pytest.raises(ConnectionClosed) as ended:
                second.hear_until(lambda heard: False)
            assert ended.value.rcvd.code == 1013


def test_a_scene_with_carried_keys_and_drawings_is_shown(tmp_path):
    drawing = MotionPath([Key([(0, 0), (1, 0), (1, 1)]), Key([(2, 0), (3, 0), (3, 1)])])
    meets = MotionPath([Key((0, 3, 0)), Key((0, 0.5, 0), relative_to="red", name="catch"), Key((5, 3, 0))])
    stage = Stage(
        [STAGE["red"], Actor("drawn", Motion(drawing, duration=1.0)), Actor("hand", Motion(meets, duration=2.0))]
    )
    save(stage, tmp_path / "meet.json")
    with opened(Stage([]), tmp_path) as studio, studio.visit() as page:
        page.ask("open", file="meet.json")
        seen_all(page, stage.names)
        hand, drawn = page.curves["hand"], page.curves["drawn"]
        caught = page.scenes[-1]["actors"][2]["keys"][1]["time"]
        met = np.interp(1.0, hand["line_u"], np.arange(len(hand["line_u"])))
        assert 0 < caught < 2
        assert np.allclose(hand["keys"][1], hand["line"][round(met)], atol=0.05)
        assert drawn["drawings"].shape == (2, 3, 3)
        assert page.poses[-1]["points"].shape == (3, 3)


def test_the_text_of_an_example_is_its_first_sentence_abbreviations_included():
    told = {one.name: one.text for one in examples()}
    assert told["06_tennis_racket"].endswith("(GL95 §6.3, fig. 9).")
    assert told["07_the_catch"].endswith("wide arc.")


def test_an_example_with_a_mover_of_its_own_opens(studio):
    with studio.visit() as page:
        assert page.ask("open_example", name="03_damped_follower")["is"] == "done"
