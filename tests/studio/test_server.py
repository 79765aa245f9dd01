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
    with studio.connect() as client:
        receive_all_curves(client)
        assert client.notes[0]["is"] == "welcome"
        assert client.notes[0]["folder"] == studio.folder.name
        assert len(client.notes[0]["examples"]) >= 6
        (scene,) = client.scenes
        assert scene["is_complete"]
        assert scene["order"] == list(STAGE.names)
        assert [actor["name"] for actor in scene["actors"]] == list(STAGE.names)
        assert client.poses[0]["poses"].shape == (4, 7)


def test_dragged_key_updates_the_curves_of_the_actor_and_its_dependents(studio):
    with studio.connect() as client:
        receive_all_curves(client)
        client.scenes.clear()
        client.curves.clear()
        for distance in (0.25, 0.5):
            reply = client.request("move_keys", gesture="drag", actor="red", keys=[1], by=[0, 0, distance])
            assert reply["is"] == "done"
        first = client.receive_until(lambda update: update["is"] == "curve" and update["revision"] == 2)
        assert first["actor"] == "red"
        receive_all_curves(client, ["red", "ring", "blue"])
        client.request("ping")
        assert "alone" not in client.curves
        assert not client.scenes[-1]["is_complete"]
        assert np.allclose(client.curves["red"]["keys"][1], (1, 1, 0.5))
        assert studio.session.steps.undo == "move key 1 of red"
        client.request("undo")
        assert studio.session.stage == STAGE


def test_two_clients_stay_in_step(studio):
    with studio.connect() as left, studio.connect() as right:
        receive_all_curves(left)
        receive_all_curves(right)
        left.request("move_keys", actor="red", keys=[0], by=[0, 5, 0])
        moved = right.receive_until(
            lambda update: update["is"] == "curve" and update["actor"] == "red" and update["revision"]
        )
        assert np.allclose(moved["keys"][0], (0, 5, 0))
        right.request("undo")
        curve = left.receive_until(lambda update: update["is"] == "curve" and update["revision"] == 2)
        assert curve["actor"] in STAGE.names
        assert studio.session.stage == STAGE


def test_concurrent_commands_are_applied_in_order(studio):
    def drag(client, actor):
        for count in range(1, 41):
            client.request("move_keys", gesture=f"drag {actor}", actor=actor, keys=[0], by=[0, 0, count / 10])

    with studio.connect() as left, studio.connect() as right:
        others = threading.Thread(target=drag, args=(right, "alone"))
        others.start()
        drag(left, "red")
        others.join()
    for actor in ("red", "alone"):
        assert studio.session.stage[actor].motion.path.keys[0].position[2] == pytest.approx(4.0)


class ClimbingMover:
    """Goes up at one metre per second."""

    def begin(self, view):
        return 0.0

    def step(self, state, view, dt):
        return state + dt

    def pose(self, state):
        return Pose(np.array([0.0, state, 0.0]), np.array([1.0, 0.0, 0.0, 0.0]))


def test_simulated_actors_are_shot_in_background_and_shown_when_done(tmp_path):
    stage = Stage([Actor("climber", ClimbingMover()), Actor("red", Motion(PATH, duration=2.0))])
    with serve_stage(stage, tmp_path) as studio, studio.connect() as client:
        curve = client.receive_until(
            lambda update: update["is"] == "curve" and update["actor"] == "climber" and len(update["line"])
        )
        assert np.allclose(curve["line"][-1], (0, 2, 0), atol=1e-5)
        assert np.allclose(curve["line_speed"], 1, atol=1e-3)
        client.request("seek", time=1.0)
        shown = client.receive_until(lambda update: update["is"] == "poses" and update["time"] == 1.0)
        assert np.allclose(shown["poses"][0, :3], (0, 1, 0), atol=1e-5)


def test_playback_shows_increasing_times_and_stops_at_the_end(studio):
    with studio.connect() as client:
        client.request("play", time=0.0, speed=8.0)
        ended = client.receive_until(lambda update: update["is"] == "transport" and not update["is_playing"])
        assert ended["time"] == 2.0
        client.receive_until(lambda update: update["is"] == "poses" and update["time"] == 2.0)
        times = [shown["time"] for shown in client.poses]
        assert times == sorted(times)
        assert times[-1] == 2.0


def test_backward_playback_shows_decreasing_times(studio):
    with studio.connect() as client:
        client.receive_until(lambda update: update["is"] == "poses")
        client.poses.clear()
        client.request("play", time=2.0, speed=-8.0)
        ended = client.receive_until(lambda update: update["is"] == "transport" and not update["is_playing"])
        assert ended["time"] == 0.0
        client.receive_until(lambda update: update["is"] == "poses" and update["time"] == 0.0)
        times = [shown["time"] for shown in client.poses]
        assert times == sorted(times, reverse=True)


def test_scene_with_relative_keys_and_drawings_is_shown(tmp_path):
    drawing = MotionPath([Key([(0, 0), (1, 0), (1, 1)]), Key([(2, 0), (3, 0), (3, 1)])])
    meets = MotionPath([Key((0, 3, 0)), Key((0, 0.5, 0), relative_to="red", name="catch"), Key((5, 3, 0))])
    stage = Stage(
        [STAGE["red"], Actor("drawn", Motion(drawing, duration=1.0)), Actor("hand", Motion(meets, duration=2.0))]
    )
    save(stage, tmp_path / "meet.json")
    with serve_stage(Stage([]), tmp_path) as studio, studio.connect() as client:
        client.request("open", file="meet.json")
        receive_all_curves(client, stage.names)
        hand, drawn = client.curves["hand"], client.curves["drawn"]
        caught = client.scenes[-1]["actors"][2]["keys"][1]["time"]
        met = np.interp(1.0, hand["line_u"], np.arange(len(hand["line_u"])))
        assert 0 < caught < 2
        assert np.allclose(hand["keys"][1], hand["line"][round(met)], atol=0.05)
        assert drawn["drawings"].shape == (2, 3, 3)
        assert client.poses[-1]["points"].shape == (3, 3)
