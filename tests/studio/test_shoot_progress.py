"""What is a page told while those who take ticks are shot? That it lasts until everything that came of it is shown."""

import pytest

from keypose import load
from keypose.stage.recorder.duration import expected_duration
from tests.stage.test_take_duration import delayed_pair
from tests.studio.scenes import body_stage
from tests.studio.studio_client import serve_stage


@pytest.fixture
def studio(tmp_path):
    with serve_stage(body_stage(), tmp_path) as studio:
        yield studio


def receive_until_done(client):
    """What is told until the work is over, in its order."""
    updates = [client.receive()]
    while not (updates[-1]["is"] == "progress" and updates[-1]["is_over"]):
        updates.append(client.receive())
    return updates


def trail_index(updates, name):
    """When the whole trail of somebody was told."""
    return next(
        i for i, one in enumerate(updates) if one["is"] == "curve" and one["actor"] == name and len(one["line"])
    )


def test_progress_ends_after_trails_and_collisions_are_sent(studio):
    with studio.connect() as client:
        updates = receive_until_done(client)
        kinds = [one["is"] for one in updates]
        assert trail_index(updates, "ball") < len(updates) - 1
        (collisions,) = (i for i, kind in enumerate(kinds) if kind == "collisions")
        assert updates[collisions]["collisions"]
        assert kinds.index("progress") < collisions, "what is not shot yet collisions nobody knows whom"


def test_progress_is_reported_from_an_edit_until_it_is_shot(studio):
    with studio.connect() as client:
        receive_until_done(client)
        client.send("set_gravity", to=[0, -3, 0])  # its answer may come before it is shot, or after
        updates = receive_until_done(client)
        assert not next(one for one in updates if one["is"] == "progress")["is_over"]
        assert trail_index(updates, "ball") < len(updates) - 1


def test_scene_without_bodies_sends_an_empty_collision_list(studio):
    with studio.connect() as client:
        receive_until_done(client)
        client.send("new")
        assert client.receive_until(lambda one: one["is"] == "collisions")["collisions"] == []


def test_unexpected_shoot_failure_ends_progress_with_an_error_notice(studio, monkeypatch):
    class Failing:
        def __init__(self, *_):
            pass

        async def result(self):
            raise ZeroDivisionError("one step too many")

    with studio.connect() as client:
        receive_until_done(client)
        monkeypatch.setattr("keypose.studio.server.hub.BackgroundJob", Failing)
        client.send("set_gravity", to=[0, -3, 0])
        updates = receive_until_done(client)
        (notice,) = (one for one in updates if one["is"] == "notice")
        assert notice["kind"] == "error"
        assert notice["text"] == "Something went wrong inside (ZeroDivisionError: one step too many)."
        monkeypatch.undo()
        client.send("set_gravity", to=[0, -5, 0])
        assert trail_index(receive_until_done(client), "ball")


def test_delayed_meeting_extends_playback_and_export(tmp_path):
    with serve_stage(delayed_pair(), tmp_path) as studio, studio.connect() as client:
        scenes = [one["duration"] for one in receive_until_done(client) if one["is"] == "scene"]
        assert scenes[0] == expected_duration(delayed_pair()) < scenes[-1]
        assert client.request("export", file="take.npz", fps=24)["is"] == "done"
        assert load(studio.folder / "take.npz").times[-1] == scenes[-1]
