"""Pages on a real socket: everybody sees what anybody does, in order."""

import threading

import numpy as np
import pytest

from keypose import Actor, Key, Motion, MotionPath, Pose, Stage, save
from tests.studio.four_actors import PATH, STAGE, receive_all_curves
from tests.studio.studio_client import serve_stage


@pytest.fixture
def studio(tmp_path):
    with serve_stage(STAGE, tmp_path) as running:
        yield running


def test_new_client_receives_welcome_scene_curves_and_poses(studio):
    with studio.visit() as page:
        receive_all_curves(page)
        assert page.notes[0]["is"] == "welcome"
        assert page.notes[0]["folder"] == studio.folder.name
        assert len(page.notes[0]["examples"]) >= 6
        (scene,) = page.scenes
        assert scene["whole"]
        assert scene["order"] == list(STAGE.names)
        assert [actor["name"] for actor in scene["actors"]] == list(STAGE.names)
        assert page.poses[0]["poses"].shape == (4, 7)


def test_dragged_key_updates_the_curves_of_the_actor_and_its_dependents(studio):
    with studio.visit() as page:
        receive_all_curves(page)
        page.scenes.clear()
        page.curves.clear()
        for way in (0.25, 0.5):
            answer = page.ask("move_keys", gesture="drag", actor="red", keys=[1], by=[0, 0, way])
            assert answer["is"] == "done"
        first = page.receive_until(lambda heard: heard["is"] == "curve" and heard["revision"] == 2)
        assert first["actor"] == "red"
        receive_all_curves(page, ["red", "ring", "blue"])
        page.ask("ping")
        assert "alone" not in page.curves
        assert not page.scenes[-1]["whole"]
        assert np.allclose(page.curves["red"]["keys"][1], (1, 1, 0.5))
        assert studio.session.steps.undo == "move key 1 of red"
        page.ask("undo")
        assert studio.session.stage == STAGE


def test_two_clients_stay_in_step(studio):
    with studio.visit() as left, studio.visit() as right:
        receive_all_curves(left)
        receive_all_curves(right)
        left.ask("move_keys", actor="red", keys=[0], by=[0, 5, 0])
        moved = right.receive_until(
            lambda heard: heard["is"] == "curve" and heard["actor"] == "red" and heard["revision"]
        )
        assert np.allclose(moved["keys"][0], (0, 5, 0))
        right.ask("undo")
        back = left.receive_until(lambda heard: heard["is"] == "curve" and heard["revision"] == 2)
        assert back["actor"] in STAGE.names
        assert studio.session.stage == STAGE


def test_concurrent_commands_are_applied_in_order(studio):
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


class ClimbingMover:
    """Goes up at one metre per second."""

    def begin(self, sight):
        return 0.0

    def step(self, state, sight, dt):
        return state + dt

    def pose(self, state):
        return Pose(np.array([0.0, state, 0.0]), np.array([1.0, 0.0, 0.0, 0.0]))


def test_simulated_actors_are_shot_in_background_and_shown_when_done(tmp_path):
    stage = Stage([Actor("climber", ClimbingMover()), Actor("red", Motion(PATH, duration=2.0))])
    with serve_stage(stage, tmp_path) as studio, studio.visit() as page:
        drawn = page.receive_until(
            lambda heard: heard["is"] == "curve" and heard["actor"] == "climber" and len(heard["line"])
        )
        assert np.allclose(drawn["line"][-1], (0, 2, 0), atol=1e-5)
        assert np.allclose(drawn["line_speed"], 1, atol=1e-3)
        page.ask("seek", time=1.0)
        shown = page.receive_until(lambda heard: heard["is"] == "poses" and heard["time"] == 1.0)
        assert np.allclose(shown["poses"][0, :3], (0, 1, 0), atol=1e-5)


def test_playback_shows_increasing_times_and_stops_at_the_end(studio):
    with studio.visit() as page:
        page.ask("play", time=0.0, speed=8.0)
        ended = page.receive_until(lambda heard: heard["is"] == "transport" and not heard["is_playing"])
        assert ended["time"] == 2.0
        page.receive_until(lambda heard: heard["is"] == "poses" and heard["time"] == 2.0)
        times = [shown["time"] for shown in page.poses]
        assert times == sorted(times)
        assert times[-1] == 2.0


def test_backward_playback_shows_decreasing_times(studio):
    with studio.visit() as page:
        page.receive_until(lambda heard: heard["is"] == "poses")
        page.poses.clear()
        page.ask("play", time=2.0, speed=-8.0)
        ended = page.receive_until(lambda heard: heard["is"] == "transport" and not heard["is_playing"])
        assert ended["time"] == 0.0
        page.receive_until(lambda heard: heard["is"] == "poses" and heard["time"] == 0.0)
        times = [shown["time"] for shown in page.poses]
        assert times == sorted(times, reverse=True)


def test_scene_with_relative_keys_and_drawings_is_shown(tmp_path):
    drawing = MotionPath([Key([(0, 0), (1, 0), (1, 1)]), Key([(2, 0), (3, 0), (3, 1)])])
    meets = MotionPath([Key((0, 3, 0)), Key((0, 0.5, 0), relative_to="red", name="catch"), Key((5, 3, 0))])
    stage = Stage(
        [STAGE["red"], Actor("drawn", Motion(drawing, duration=1.0)), Actor("hand", Motion(meets, duration=2.0))]
    )
    save(stage, tmp_path / "meet.json")
    with serve_stage(Stage([]), tmp_path) as studio, studio.visit() as page:
        page.ask("open", file="meet.json")
        receive_all_curves(page, stage.names)
        hand, drawn = page.curves["hand"], page.curves["drawn"]
        caught = page.scenes[-1]["actors"][2]["keys"][1]["time"]
        met = np.interp(1.0, hand["line_u"], np.arange(len(hand["line_u"])))
        assert 0 < caught < 2
        assert np.allclose(hand["keys"][1], hand["line"][round(met)], atol=0.05)
        assert drawn["drawings"].shape == (2, 3, 3)
        assert page.poses[-1]["points"].shape == (3, 3)
